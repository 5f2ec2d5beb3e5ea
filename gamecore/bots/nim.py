"""Opponents for Expanding Nim: one that errs now and then, and one that never does where that can be worked out.

Whether a position is lost depends on the stones left, the maximum (or the one that comes back after a reset),
whether a reset is in force, and the resets of both.  All that follows a take has fewer stones, so a
:class:`Tablebase` is written row by row, for one stone more each time.  A take of less than the maximum leaves the
maximum alone: whether one of those takes leads to a lost position is seen from the last lost position alone, and
only the greatest take is looked up by itself.  So a position costs the same however many takes there are.

A tablebase is shared by all games with its shape and grows by a bounded number of positions a move.  Where it does
not reach yet, or would become too big, bots play small takes that raise no maximum and keep their resets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from gamecore.bots import Bot
from gamecore.games.nim import NimOptions, NimView, Take
from gamecore.rules import Chance, Move, View

MOST_POSITIONS = 400_000  # in one tablebase
AT_ONCE = 100_000  # positions that are worked out for one move: some hundredths of a second
LONGEST_ROW = 20_000  # positions; a tablebase with longer rows is not begun
MOST_RESETS = 6  # more than these are as good as these, or nearly
MISTAKES = 0.4


def highest_maximum(options: NimOptions) -> int:
    """Say how high the maximum can rise before all stones are gone: each rise costs a take of it."""
    maximum, left = options.maximum, options.stones
    while left > maximum:
        left -= maximum
        maximum += 1
    return maximum + 1


class Tablebase:
    """Which positions are lost for who is to move, for one first maximum and so many resets at most."""

    def __init__(self, first: int, highest: int, resets: int) -> None:
        self._first = first
        self._highest = highest
        self._kinds = resets + 1
        count = _row_length(first, highest, resets)
        self.longest = MOST_POSITIONS // count
        self.rows = 0  # every number of stones up to this is worked out
        self._row = count
        # With no stones left the game is lost for who would be to move.
        self._lost = [bytearray(b"\x01") for _ in range(count)]
        self._last = [0] * count
        self._ways = [self._way(place) for place in range(count)]

    def lost(self, left: int, maximum: int, reset: bool, own: int, other: int) -> bool:
        """Say whether who is to move has lost, if both play well; only for ``left`` up to ``rows``."""
        return left <= 0 or bool(self._lost[self._place(maximum, reset, own, other)][left])

    def extend(self, left: int) -> bool:
        """Work out rows until ``left`` is among them or it is enough for now; True if it is."""
        wanted = min(left, self.longest, self.rows + max(1, AT_ONCE // self._row))
        while self.rows < wanted:
            self._write_row(self.rows + 1)
            self.rows += 1
        return left <= self.rows

    def _place(self, maximum: int, reset: bool, own: int, other: int) -> int:
        most = self._kinds - 1
        rise = min(maximum, self._highest) - self._first
        return ((rise * 2 + reset) * self._kinds + min(own, most)) * self._kinds + min(other, most)

    def _way(self, place: int) -> tuple[int, int, tuple[tuple[int, int], ...]]:
        """Give the limit, the greatest take that raises no maximum, and where takes lead: kept and raised."""
        rest, other = divmod(place, self._kinds)
        rest, own = divmod(rest, self._kinds)
        rise, reset = divmod(rest, 2)
        maximum = self._first + rise
        limit = self._first if reset else maximum
        ways = [(False, own)] + ([(True, own - 1)] if own else [])
        places = tuple(
            (self._place(maximum, reset, other, left), self._place(maximum + 1, reset, other, left))
            for reset, left in ways
        )
        return limit, min(limit, maximum - 1), places

    def _write_row(self, left: int) -> None:
        lost_here = []
        for place, (limit, kept, ways) in enumerate(self._ways):
            lost = left > limit and not self._wins(left, limit, kept, ways)
            self._lost[place].append(lost)
            if lost:
                lost_here.append(place)
        for place in lost_here:
            self._last[place] = left

    def _wins(self, left: int, limit: int, kept: int, ways: tuple[tuple[int, int], ...]) -> bool:
        for same, raised in ways:
            if self._last[same] >= left - kept:
                return True
            if kept < limit and self._lost[raised][left - limit]:
                return True
        return False


def _row_length(first: int, highest: int, resets: int) -> int:
    return (highest - first + 1) * 2 * (resets + 1) ** 2


@lru_cache(maxsize=8)
def _tablebase(first: int, highest: int, resets: int) -> Tablebase:
    return Tablebase(first, highest, resets)


def tablebase_of(options: NimOptions) -> Tablebase | None:
    """Find the tablebase for games with these options; None where it would be too big to begin with."""
    shape = options.maximum, highest_maximum(options), min(options.resets, MOST_RESETS)
    return _tablebase(*shape) if _row_length(*shape) <= LONGEST_ROW else None


class NimBot(Bot):
    """Plays well, but for a mistake with some chance at each move."""

    def __init__(self, mistakes: float = 0.0) -> None:
        self._mistakes = mistakes

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Take the last stones if that can be; else leave a lost position, or a long way to go."""
        takes = [move for move in moves if isinstance(move, Take)]
        if not isinstance(view, NimView) or view.mover is None or not takes:
            return chance.choice(moves)
        last = [take for take in takes if take.stones >= view.board.left and not take.reset]
        if last:
            return last[0]
        if chance.random() < self._mistakes:
            return chance.choice(takes)
        tablebase = tablebase_of(view.options)
        if tablebase is None or not tablebase.extend(view.board.left):
            return _play_for_time(takes, view.board.limit, chance)
        winning = [take for take in takes if _leaves_lost(tablebase, view, view.mover, take)]
        plain = [take for take in winning if not take.reset]
        return chance.choice(plain or winning) if winning else takes[0]


def _play_for_time(takes: Sequence[Take], limit: int, chance: Chance) -> Take:
    """Raise no maximum and use no reset."""
    small = [take for take in takes if take.stones < limit and not take.reset]
    return chance.choice(small or takes)


def _leaves_lost(tablebase: Tablebase, view: NimView, seat: int, take: Take) -> bool:
    """Say whether a take leaves the other player a lost position."""
    board = view.board
    maximum = max(board.limit if view.stored is None else view.stored, take.stones + 1)
    own, other = board.resets[seat] - take.reset, board.resets[1 - seat]
    return tablebase.lost(board.left - take.stones, maximum, take.reset, other, own)


LEVELS: Mapping[str, Bot] = {"easy": NimBot(MISTAKES), "perfect": NimBot()}
