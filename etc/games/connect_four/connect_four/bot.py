"""Opponents for Connect Four: they try every move, and every answer to it, as far as they look ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from connect_four.rules import Columns, ConnectFourView, DropDisc, line_through, with_disc
from gamecore.bots import Bot
from gamecore.rules import Chance, Move, View


class LookingAhead(Bot):
    """Takes a win that it sees, and avoids a loss; else it prefers the middle of the board."""

    def __init__(self, answers: int) -> None:
        self._answers = answers  # moves after its own that it looks at

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Choose the best move that it knows of; among equals by chance."""
        drops = [move for move in moves if isinstance(move, DropDisc)]
        if not isinstance(view, ConnectFourView) or view.mover is None or not drops:
            return chance.choice(moves)
        board, rows, seat = view.columns, view.options.rows, view.mover
        middle = (len(board) - 1) / 2

        def worth(drop: DropDisc) -> tuple[int, float, float]:
            gain = _gain(board, rows, drop.column, seat, self._answers)
            return gain, -abs(drop.column - middle), chance.random()

        return max(drops, key=worth)


def _gain(columns: Columns, rows: int, column: int, seat: int, answers: int) -> int:
    """Say what a move is worth: more than 0 if it wins, the more the sooner; less if it loses; else 0."""
    after = with_disc(columns, column, seat)
    if line_through(after, column):
        return answers + 1
    if answers == 0:
        return 0
    free = [each for each, discs in enumerate(after) if len(discs) < rows]
    return -max((_gain(after, rows, each, 1 - seat, answers - 1) for each in free), default=0)


LEVELS: Mapping[str, Bot] = {"easy": LookingAhead(0), "good": LookingAhead(2)}
