"""The board as a drawing of few lines, the viewer's own side below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from gamecore.games.castle import CastleView
from gamecore.games.castle.effect_schema import Kind
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import FieldCard, SideView
from protocols.castle.text_cards import WIDTH
from protocols.castle.text_places import short_name, typed_place
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import Translator

_CELL = 26
_ROWS: Sequence[Sequence[tuple[Kind, int]]] = (
    (("soldier", 0), ("soldier", 1), ("decree", 0)),
    (("mage", 0), ("mage", 1)),
    (("trickster", 0), ("trickster", 1)),
)


def draw(board: CastleView, names: Sequence[str], say: Translator) -> Iterator[str]:
    """Draw both sides, the enemy's first, and the viewer's hand."""
    own = 0 if board.seat is None else board.seat
    for seat in (1 - own, own):
        side = board.sides[seat]
        yield _head(side, clean(names[seat], 24), say)
        for row in _ROWS if seat == own else reversed(_ROWS):
            yield from _row(board, seat, row, say)
    if board.seat is not None:
        cards = [
            f"h{at} {short_name(each.card, say)}"
            for at, each in enumerate(board.sides[own].hand, 1)
        ]
        yield from wrap(say("Your hand: {cards}", cards=", ".join(cards) or say("nothing")), WIDTH)
    yield from _known(board, own, say)
    yield (
        say("Turn {n}, of {name}.", n=board.turn, name=clean(names[board.active], 24))
        if board.turn
        else say("The first hands are being chosen.")
    )


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
    """Write what lies in a row, in lines that are not too wide."""
    cells = []
    for kind, slot in row:
        spot = Spot(seat, kind, slot)
        card = next((each for each in board.sides[seat].field if each.spot == spot), None)
        cells.append(f"{typed_place(spot, board.seat):>3} {_cell(card, say)}"[: WIDTH - 2])
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
    return f"{short_name(card.card, say)} {' '.join(facts)}".rstrip()


def _known(board: CastleView, own: int, say: Translator) -> Iterator[str]:
    """List what the viewer was shown of the enemy's hand."""
    known = [
        short_name(each.card, say) for each in board.sides[1 - own].hand if each.card is not None
    ]
    if known and board.seat is not None:
        yield from wrap(say("Known of the enemy's hand: {cards}", cards=", ".join(known)), WIDTH)
