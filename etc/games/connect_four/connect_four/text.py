"""Connect Four in words: what is said of each event, how a move is typed, and how the board is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from connect_four.rules import ConnectFourOptions, ConnectFourView, DiscDropped, DropDisc
from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.rules import Move, View
from gamecore.settings import Value
from gamecore.table_view import TableView
from protocols.i18n.game_text import GameText, time_to_read
from protocols.i18n.translate import N_, Translator

DISCS = ("x", "o")  # by seat; those of the line that won are in capitals


class ConnectFourText(GameText):
    """How Connect Four is told, read and drawn."""

    package = "connect_four"
    board_shown = "always"  # a column is chosen by where the discs lie
    verbs = {"drop": "DROP column"}
    refusals = {"no-room-there": N_("Choose a column from 1 to {columns} that is not full.")}
    reasons = {"four": N_("four in a row"), "full": N_("the board is full")}

    def quick_options(self, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """Leave who plays alone with bots time to read."""
        return time_to_read(options, ConnectFourOptions(), "seconds")

    def describe(self, event: Event, names: Sequence[str], say: Translator) -> str | None:
        """Say in one line what happened."""
        match event:
            case DiscDropped(seat, column, line=()):
                return say("{name} plays column {n}.", name=names[seat], n=column + 1)
            case DiscDropped(seat, column):
                sentence = N_("{name} plays column {n} and has four in a row!")
                return say(sentence, name=names[seat], n=column + 1)
        return None

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Translator
    ) -> DropDisc:
        """Read the number of a column: ``drop 4`` or ``4``; raises Malformed."""
        match [word for word in words if word.lower() != "drop"]:
            case [digit] if len(digit) == 1 and digit in "123456789":
                return DropDisc(int(digit) - 1)
        raise Malformed(say("Say which column, like DROP 4 or just 4."))

    def typed(self, move: Move, board: View | None) -> str:
        """Write the number of a column: ``4``."""
        assert isinstance(move, DropDisc)
        return str(move.column + 1)

    def ask(self, moves: Sequence[Move], board: View, say: Translator) -> str:
        """Say which columns have room."""
        open_columns = [move.column + 1 for move in moves if isinstance(move, DropDisc)]
        return say("Choose a column: {columns}.", columns=" ".join(map(str, open_columns)))

    def board(self, view: TableView, say: Translator) -> Sequence[str]:
        """Draw the board, the numbers of the columns below it, and whose discs are whose."""
        board = view.board
        if not isinstance(board, ConnectFourView):
            return []
        whose = [f"{disc} {name}" for disc, name in zip(DISCS, view.names, strict=True)]
        rows = [_draw_row(board, row) for row in reversed(range(board.options.rows))]
        numbers = [str(column + 1) for column in range(board.options.columns)]
        return [*rows, "  " + " ".join(numbers), ", ".join(whose)]


def _draw_row(board: ConnectFourView, row: int) -> str:
    discs = [_draw_disc(board, column, row) for column in range(board.options.columns)]
    return f"| {' '.join(discs)} |"


def _draw_disc(board: ConnectFourView, column: int, row: int) -> str:
    discs = board.columns[column]
    if row >= len(discs):
        return "."
    disc = DISCS[discs[row]]
    return disc.upper() if (column, row) in board.line else disc


TEXT = ConnectFourText()
