"""A table of Rikiki as it stands, in the lines that its events would have been told in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gamecore.games.rikiki import RikikiView
from gamecore.games.rikiki.tricks import allowed_bids, playable
from gamecore.player import Presence
from gamecore.table_view import TableView
from protocols.host.card import Card
from protocols.rikiki import wire

_SHOWN_OPTIONS = {"first": "cards", "schedule": "", "hook": "", "top_trump": "", "scoring": ""}


def table_line(table: Card) -> str:
    """Write one table of a list."""
    shown = {**table.options, "hook": wire.hook_word(table.options)}
    chosen = [f"{name or key}={shown[key]}" for key, name in _SHOWN_OPTIONS.items()]
    seats = f"{table.players}/{table.most_players}"
    return " ".join(["TABLE", table.code, "waiting", seats, *chosen])


def who_lines(view: TableView, but: int | None = None) -> Sequence[str]:
    """Say who sits at the table, but for one seat, and who of them is away."""
    lines = []
    for each in view.seats:
        if each.seat == but:
            continue
        lines.append(wire.joined_line(view.code, each.name, each.seat))
        if each.presence is Presence.AWAY:
            lines.append(f"LEFT {view.code} {wire.name_field(each.name)} {each.seat + 1} away")
    return lines


def hand_lines(view: TableView) -> Sequence[str]:
    """Say what the viewer holds."""
    board = view.board
    if not isinstance(board, RikikiView) or board.seat is None:
        return []
    return [f"HAND {wire.cards_line(board.hand)}".rstrip()]


def board_lines(view: TableView) -> Sequence[str]:
    """Say what was bid, what lies on the table, and whose turn it is."""
    board = view.board
    if not isinstance(board, RikikiView):
        return []
    name = [wire.name_field(each) for each in view.names]
    made = [(seat, board.bids[seat]) for seat in board.order if board.bids[seat] is not None]
    lines = [wire.trump_line(board.turned)]
    lines += [f"BID {name[seat]} {bid}" for seat, bid in made]
    lines += [f"BIDS {sum(bid or 0 for _, bid in made)}/{board.cards}"]
    lines += [f"PLAYED {name[laid.seat]} {laid.card}" for laid in board.table]
    if board.phase in ("between-tricks", "done") and board.tricks:
        taken = board.tricks[-1]
        best = next(laid.card for laid in taken.cards if laid.seat == taken.winner)
        lines.append(f"TRICK {name[taken.winner]} {best}")
    return [*lines, *_turn_lines(board, name)]


def _turn_lines(board: RikikiView, name: Sequence[str]) -> Sequence[str]:
    turn = board.turn
    if turn is None:
        return []
    bidding = board.phase == "bidding"
    if turn != board.seat:
        return [f"TURN {name[turn]} {'BID' if bidding else 'PLAY'}"]
    bids = [bid for seat in board.order if (bid := board.bids[seat]) is not None]
    choice = allowed_bids(board.cards, bids, len(board.bids), board.options) if bidding else ()
    cards = () if bidding else playable(board.hand, board.led)
    return [wire.turn_line(name[turn], choice, cards)]


def score_lines(view: TableView) -> Sequence[str]:
    """Say what the last round that is over brought, and what everybody has."""
    board = view.board
    if not isinstance(board, RikikiView) or not board.results:
        return []
    return wire.result_lines(board.results[-1], [wire.name_field(each) for each in view.names])


def state_line(view: TableView) -> str:
    """Say in one line how the table stands."""
    facts: dict[str, object] = {"table": view.code, "stage": view.stage.value}
    if view.seat is not None:
        facts["seat"] = view.seat + 1
    facts["game"] = view.number
    board = view.board
    if isinstance(board, RikikiView):
        facts |= {"round": f"{board.number}/{board.rounds}", "cards": board.cards}
        facts |= {"phase": board.phase}
        if board.next_cards is not None:
            facts["next"] = board.next_cards
        if board.turn is not None:
            facts["turn"] = wire.name_field(view.names[board.turn])
    return " ".join(["STATE", *(f"{name}={value}" for name, value in facts.items())])


def all_lines(view: TableView) -> Sequence[str]:
    """Say all that the viewer may know."""
    lines = [state_line(view), *who_lines(view)]
    board = view.board
    if isinstance(board, RikikiView):
        first = wire.name_field(view.names[board.order[0]])
        lines.append(f"ROUND {board.number} {board.cards} {first}")
        lines += [*score_lines(view), *hand_lines(view), *board_lines(view)]
    return lines


LOOKS: Mapping[str, Callable[[TableView], Sequence[str]]] = {
    "HAND": hand_lines,
    "TABLE": board_lines,
    "WHO": who_lines,
    "SCORE": score_lines,
    "STATE": all_lines,
}
