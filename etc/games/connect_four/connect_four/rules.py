"""Connect Four: let discs fall into the columns of an upright board, and be the first with four in a row.

A disc falls to the lowest free square of its column.  Whoever gets four or more of their own in a line, level,
upright or aslant, has won; a board that is full without one is a draw.  Seats, columns and rows count from 0,
columns from the left and rows from the bottom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from attrs import frozen

from gamecore.errors import Refused
from gamecore.events import EVERYONE, Audience, Emit, Event, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.rules import Move, OpenPosition, Outcome, Seat, View
from gamecore.settings import setting

Columns = tuple[tuple[int, ...], ...]  # each from the bottom up; a disc is the seat it belongs to
Square = tuple[int, int]  # column and row

IN_A_ROW = 4
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


# -- what can be chosen, done, heard and seen -----------------------------------------


@frozen
class ConnectFourOptions:
    """The settings of a table."""

    columns: int = setting(7, "columns of the board", low=4, high=9)
    rows: int = setting(6, "rows of the board", low=4, high=9)
    seconds: int = setting(120, "seconds for each move", low=1, high=86_400)


@frozen
class DropDisc(Move):
    """Let a disc fall into a column."""

    column: int


@frozen
class DiscDropped:
    """A disc of ``seat`` has come to rest; ``line`` has the squares of four or more in a row, if it made them."""

    seat: int
    column: int
    row: int
    line: tuple[Square, ...]
    audience: ClassVar[Audience] = EVERYONE


@frozen
class ConnectFourView(View):
    """The whole game, for nothing is hidden; ``line`` has the squares that won it, ``mover`` is None at the end."""

    options: ConnectFourOptions
    columns: Columns
    mover: int | None
    line: tuple[Square, ...]


# -- the rules, as functions of a board -----------------------------------------------


def with_disc(columns: Columns, column: int, seat: int) -> Columns:
    """Give the board after a disc has fallen."""
    return (*columns[:column], (*columns[column], seat), *columns[column + 1 :])


def line_through(columns: Columns, column: int) -> tuple[Square, ...]:
    """Find the line that the uppermost disc of a column is part of; empty if there is none."""
    square = column, len(columns[column]) - 1
    for across, up in _DIRECTIONS:
        back, forth = _run(columns, square, -across, -up), _run(columns, square, across, up)
        line = (*reversed(back), square, *forth)
        if len(line) >= IN_A_ROW:
            return line
    return ()


def _run(columns: Columns, square: Square, across: int, up: int) -> list[Square]:
    """Walk from a square in one direction, as far as the discs are of one colour."""
    column, row = square
    owner, found = _disc(columns, column, row), []
    while _disc(columns, column := column + across, row := row + up) == owner:
        found.append((column, row))
    return found


def _disc(columns: Columns, column: int, row: int) -> int | None:
    inside = 0 <= column < len(columns) and 0 <= row < len(columns[column])
    return columns[column][row] if inside else None


# -- the game -------------------------------------------------------------------------


class ConnectFourPosition(OpenPosition):
    """Where one game stands."""

    def __init__(self, options: ConnectFourOptions, emit: Emit, now: float) -> None:
        self.emit = emit
        self.options = options
        self.columns: Columns = ((),) * options.columns
        self.mover = 0
        self.since = now  # when the mover's turn began
        self.line: tuple[Square, ...] = ()

    def to_move(self) -> frozenset[int]:
        """Name the seat whose turn it is."""
        return frozenset() if self.outcome else frozenset((self.mover,))

    def due(self) -> Mapping[int, float]:
        """Say until when the mover may think."""
        return {seat: self.since + self.options.seconds for seat in self.to_move()}

    def legal_moves(self, seat: int) -> Sequence[DropDisc]:
        """List the columns with room, from the left."""
        if seat not in self.to_move():
            return ()
        rows = self.options.rows
        return [DropDisc(at) for at, discs in enumerate(self.columns) if len(discs) < rows]

    def play(self, seat: int, move: Move, now: float) -> None:
        """Let a disc fall; Refused: ``game-over``, ``not-your-turn``, ``no-room-there``."""
        if self.outcome:
            raise Refused("game-over")
        if seat != self.mover:
            raise Refused("not-your-turn")
        if not isinstance(move, DropDisc) or move not in self.legal_moves(seat):
            raise Refused("no-room-there", columns=self.options.columns)
        self.columns = with_disc(self.columns, move.column, seat)
        self.line = line_through(self.columns, move.column)
        self.mover, self.since = 1 - seat, now
        row = len(self.columns[move.column]) - 1
        self.emit(DiscDropped(seat, move.column, row, self.line))
        if self.line:
            self._finish((1, 2) if seat == 0 else (2, 1), "four")
        elif not self.legal_moves(self.mover):
            self._finish((1, 1), "full")

    def leave(self, seat: int, why: str, now: float) -> None:
        """Let the other win; so it is as well when the time of ``seat`` is up."""
        if not self.outcome:
            self._finish((2, 1) if seat == 0 else (1, 2), why)

    def seen_by(self, seat: int | None) -> ConnectFourView:
        """Show everything to anybody."""
        mover = None if self.outcome else self.mover
        return ConnectFourView(self.options, self.columns, mover, self.line)

    def _finish(self, places: tuple[int, int], reason: str) -> None:
        self.outcome = Outcome(places, reason=reason)
        self.emit(RoundOver(1))


class ConnectFourRules:
    """The constant facts of the game, and how it begins."""

    kind = "connect4"
    title = "Connect Four"
    version = 1
    seats = range(2, 3)
    options = ConnectFourOptions
    brings = None
    moves: Sequence[type[Move]] = (DropDisc,)
    events: Sequence[type[Event]] = (DiscDropped, RoundBegan, RoundOver)

    def begin(
        self,
        seats: Sequence[Seat],
        options: ConnectFourOptions,
        deal: Deal,
        emit: Emit,
        now: float,
    ) -> ConnectFourPosition:
        """Set up an empty board; seat 0 is to move, and has its time from ``now``."""
        emit(RoundBegan(1))
        return ConnectFourPosition(options, emit, now)


RULES = ConnectFourRules()
