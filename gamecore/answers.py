"""What a position answers, asked once: an answer stands until a command changes the table."""

from __future__ import annotations

from collections.abc import Mapping

from gamecore.rules import Move, Position, View


class Answers:
    """The answers of one position; whoever changes it calls :meth:`forget`."""

    __slots__ = ("_boards", "_due", "_moves", "_position", "_to_move")

    def __init__(self, position: Position) -> None:
        self._position = position
        self.forget()

    def forget(self) -> None:
        """Ask anew from now on."""
        self._to_move: frozenset[int] | None = None
        self._due: Mapping[int, float] | None = None
        self._moves: dict[int, tuple[Move, ...]] = {}
        self._boards: dict[int | None, View] = {}

    def to_move(self) -> frozenset[int]:
        """Name the seats whose decisions are awaited."""
        if self._to_move is None:
            self._to_move = self._position.to_move()
        return self._to_move

    def due(self) -> Mapping[int, float]:
        """Tell until when each seat must have moved, in the game's own time; not to be changed."""
        if self._due is None:
            self._due = self._position.due()
        return self._due

    def legal_moves(self, seat: int) -> tuple[Move, ...]:
        """List what the rules let a seat do now."""
        moves = self._moves.get(seat)
        if moves is None:
            moves = self._moves[seat] = tuple(self._position.legal_moves(seat))
        return moves

    def seen_by(self, seat: int | None) -> View:
        """Tell all that a seat may know of the game; None is a watcher."""
        board = self._boards.get(seat)
        if board is None:
            board = self._boards[seat] = self._position.seen_by(seat)
        return board
