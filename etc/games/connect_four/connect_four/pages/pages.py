"""What the pages know of Connect Four: the entry point of the group ``parlour.pages``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from connect_four.rules import ConnectFourView, DiscDropped, DropDisc
from connect_four.text import DISCS
from gamecore.events import Event
from protocols.web.sight import Sight

DROPPED_SECONDS = 0.6


@frozen
class Square:
    """A square of the board; ``seat`` is whose disc lies there, None if there is none."""

    row: int
    seat: int | None
    best: bool  # one of those that won the game
    last: bool  # the disc that has just fallen


@frozen
class Column:
    """A column from the top down, and the move that drops a disc into it, if there is room."""

    number: int
    squares: Sequence[Square]
    move: DropDisc | None
    discs: str  # from the bottom up, in a word for each


class ConnectFourPages:
    """Connect Four in the browser."""

    package = "connect_four"

    def facts(self, sight: Sight, at: Event | None) -> Mapping[str, object]:
        """Give the columns, and whose discs are whose."""
        board = sight.view.board
        assert isinstance(board, ConnectFourView)
        dropped = (event for event, _ in reversed(sight.lately) if isinstance(event, DiscDropped))
        last = next(dropped, None)
        return {
            "columns": [_column(sight, board, each, last) for each in range(len(board.columns))],
            "rows": board.options.rows,
            "discs": DISCS,
            "many_seats": True,  # in a row, for the board is in the middle
            "ask": sight.say("Choose a column.") if sight.mine else "",
        }

    def rest(self, event: Event) -> float:
        """Let a disc be seen falling."""
        return DROPPED_SECONDS if isinstance(event, DiscDropped) else 0.0


PAGES = ConnectFourPages()


def _column(sight: Sight, board: ConnectFourView, column: int, last: DiscDropped | None) -> Column:
    discs = board.columns[column]
    squares = []
    for row in reversed(range(board.options.rows)):
        seat = discs[row] if row < len(discs) else None
        fallen = last is not None and (last.column, last.row) == (column, row)
        squares.append(Square(row, seat, (column, row) in board.line, fallen and seat is not None))
    room = sight.me is not None and board.mover is not None and len(discs) < board.options.rows
    told = ", ".join(sight.names[seat] for seat in discs) or sight.say("empty")
    return Column(column + 1, squares, DropDisc(column) if room else None, told)
