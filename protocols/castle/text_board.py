"""The board as a drawing of few lines, the viewer's own side below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten, wrap

from gamecore.games.castle import CARDS, CastleView
from gamecore.games.castle.effect_schema import Kind
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import FieldCard, HandCard, SideView
from protocols.castle.text_cards import WIDTH, brief, briefest
from protocols.castle.text_events import describe_action
from protocols.castle.text_places import short_name, typed_place
from protocols.i18n.game_text import TIE
from protocols.i18n.sanitize import clean, fitting
from protocols.i18n.translate import N_, Translator

_CELL = 26
_MOST_ROWS = 14  # of both sides and the hand: with a choice and what led to it they fit 24 rows
_MOST_NARROW_ROWS = 10  # of both sides and the hand: with a choice they fit 20 rows
_ROWS: Sequence[Sequence[tuple[Kind, int]]] = (
    (("soldier", 0), ("soldier", 1), ("decree", 0)),
    (("mage", 0), ("mage", 1)),
    (("trickster", 0), ("trickster", 1)),
)


def draw(board: CastleView, names: Sequence[str], say: Translator) -> Iterator[str]:
    """Draw both sides, the enemy's first, and the viewer's hand."""
    own = 0 if board.seat is None else board.seat
    sides = [line for seat in (1 - own, own) for line in _side(board, seat, own, names, say)]
    yield from sides
    if board.seat is not None:
        yield from _hand(board.sides[own].hand, _MOST_ROWS - len(sides), say)
    yield from _known(board, own, say, WIDTH)
    yield from _under_way(board, names, say, WIDTH)


def _side(
    board: CastleView, seat: int, own: int, names: Sequence[str], say: Translator
) -> Iterator[str]:
    yield _head(board.sides[seat], clean(names[seat], 24), say)
    for row in _ROWS if seat == own else reversed(_ROWS):
        yield from _row(board, seat, row, say)


def draw_narrow(
    board: CastleView, names: Sequence[str], say: Translator, columns: int
) -> Iterator[str]:
    """Draw for each side only what lies there, and each card of the hand as far as a line reaches."""
    own = 0 if board.seat is None else board.seat
    sides = [
        line for seat in (1 - own, own) for line in _narrow_side(board, seat, names, say, columns)
    ]
    yield from sides
    hand = board.sides[own].hand
    if board.seat is not None and len(sides) + len(hand) > _MOST_NARROW_ROWS:
        yield from _names_of_hand(hand, say, columns)
    elif board.seat is not None:
        for at, each in enumerate(hand, 1):
            card = each.card
            told = short_name(card, say) if card is None else briefest(CARDS[card], say)
            yield shorten(f"h{at} {told}", columns, placeholder=" ...")
    yield from _known(board, own, say, columns)
    # In the viewer's own turn the question says whose it is.
    if board.action is not None or board.active != board.seat or not board.turn:
        yield from _under_way(board, names, say, columns)


def _narrow_side(
    board: CastleView, seat: int, names: Sequence[str], say: Translator, columns: int
) -> Iterator[str]:
    side = board.sides[seat]
    head = _brief_head(side, fitting(clean(names[seat]), 12), say)
    yield from wrap(head, columns, subsequent_indent="  ")
    cells = [
        f"{typed_place(each.spot, board.seat)} {_cell(each, say)}"
        for each in side.field
        if each.spot.zone != "castle"
    ]
    if cells:
        tied = ", ".join(each.replace(" ", TIE) for each in cells)
        yield from _broken(tied, columns, "  ", "  ")


def _brief_head(side: SideView, name: str, say: Translator) -> str:
    health = say("face down") if side.health is None else str(side.health)
    facts = {"name": name, "health": health, "hand": len(side.hand), "deck": side.deck_count}
    return say("{name}: castle {health}, hand {hand}, deck {deck}", **facts)


def _hand(hand: Sequence[HandCard], most: int, say: Translator) -> Iterator[str]:
    """Write each card with what it is worth, costs and does; if that takes too many rows, their names alone."""
    places: dict[int | None, list[str]] = {}
    for at, each in enumerate(hand, 1):
        places.setdefault(each.card, []).append(f"h{at}")
    if not hand:
        yield say("Your hand: {cards}", cards=say("nothing"))
    elif 1 + len(places) > most:
        yield from _names_of_hand(hand, say, WIDTH)
    else:
        yield say("Your hand (CARD and a name says more):")
        for card, where in places.items():
            told = short_name(card, say) if card is None else brief(CARDS[card], say)
            yield "  " + shorten(f"{' '.join(where)} {told}", WIDTH - 2, placeholder=" ...")


def _names_of_hand(hand: Sequence[HandCard], say: Translator, columns: int) -> Iterator[str]:
    cards = [f"h{at} {short_name(each.card, say)}" for at, each in enumerate(hand, 1)]
    tied = ", ".join(each.replace(" ", TIE) for each in cards)
    yield from _broken(say("Your hand: {cards}", cards=tied), columns)


def _broken(line: str, columns: int, first: str = "", rest: str = "") -> Iterator[str]:
    """Break a line, but not at its ties."""
    for part in wrap(line, columns, initial_indent=first, subsequent_indent=rest):
        yield part.replace(TIE, " ")


def _whose_turn(
    board: CastleView, names: Sequence[str], say: Translator, columns: int
) -> Iterator[str]:
    """Say whose turn it is, unless it is the viewer's own, and what places are called if there is room for it."""
    said = ""
    if board.turn and board.active != board.seat:
        said = say("Turn {n}, of {name}.", n=board.turn, name=clean(names[board.active], 24))
    elif not board.turn and board.seat is None:
        said = say("The first hands are being chosen.")
    legend = f"{said} {say('(s soldier, m mage, t trickster, d decree, e the enemy)')}".strip()
    yield legend if len(legend) <= columns else said or say("(s soldier, m mage, t trickster)")


def _under_way(
    board: CastleView, names: Sequence[str], say: Translator, columns: int
) -> Iterator[str]:
    """Tell what is held for answers and what was answered, the latest last; else whose turn it is."""
    action = board.action
    if action is None:
        if board.stage != "over":
            yield from _whose_turn(board, names, say, columns)
        return
    called = [clean(name, 24) for name in names]
    held = describe_action(action, called, say)
    sentence = N_("Under way: {what}")
    if board.stage == "window":
        sentence = N_("Held for an answer: {what}")
    yield from wrap(say(sentence, what=held), columns)
    for answer in action.answers:
        sentence = N_("Answered by {name}: {card}.")
        if answer.cancelled:
            sentence = N_("Answered by {name}: {card}, which is cancelled.")
        yield say(sentence, name=called[answer.seat], card=short_name(answer.card, say))


def _head(side: SideView, name: str, say: Translator) -> str:
    castle = say("castle face down")
    if side.castle is not None and side.health is not None:
        castle = f"{short_name(side.castle, say)} {side.health}"
    counts = {"hand": len(side.hand), "deck": side.deck_count, "pile": len(side.discard)}
    return say(
        "{name}: {castle}; hand {hand}, deck {deck}, discarded {pile}",
        name=name,
        castle=castle,
        **counts,
    )


def _row(
    board: CastleView, seat: int, row: Sequence[tuple[Kind, int]], say: Translator
) -> Iterator[str]:
    """Write what lies in a row, in lines that are not too wide; nothing of a row where nothing lies."""
    cells = []
    field = {each.spot: each for each in board.sides[seat].field}
    spots = [Spot(seat, kind, slot) for kind, slot in row]
    for spot in spots if any(spot in field for spot in spots) else ():
        cell = _cell(field.get(spot), say)
        cells.append(f"{typed_place(spot, board.seat):>3} {cell}"[: WIDTH - 2])
    yield from _wrap_cells(cells)


def _wrap_cells(cells: Sequence[str]) -> Iterator[str]:
    """Fill lines with cells."""
    line = ""
    for cell in cells:
        padded = cell.ljust(_CELL * -(-(len(cell) + 1) // _CELL))
        if line and len((line + cell).rstrip()) > WIDTH:
            yield line.rstrip()
            line = ""
        line += padded
    if line.strip():
        yield line.rstrip()


def _cell(card: FieldCard | None, say: Translator) -> str:
    if card is None:
        return "-"
    if card.card is None:
        return say("face down")
    facts = []
    if card.spot.zone in ("soldier", "mage"):
        facts.append(str(card.points))
    if card.level:
        facts.append(say("level {n}", n=card.level))
    if card.stunned:
        facts.append(say("stunned"))
    if card.doomed:
        facts.append(say("doomed"))
    name = short_name(card.card, say).removeprefix("Decree - ")
    return f"{name} {' '.join(facts)}".rstrip()


def _known(board: CastleView, own: int, say: Translator, columns: int) -> Iterator[str]:
    """List what the viewer was shown of the enemy's hand."""
    known = [
        short_name(each.card, say) for each in board.sides[1 - own].hand if each.card is not None
    ]
    if known and board.seat is not None:
        yield from wrap(say("Known of the enemy's hand: {cards}", cards=", ".join(known)), columns)
