"""Turns: the reactor's time is shared out among peers, and not taken as it comes.

Whatever comes in is served at once while little is to do.  As soon as more comes than ``BUDGET`` allows at a time,
it waits in pieces, and each turn of the reactor serves as many as fit into the budget: one of each address, round
and round, so that a thousand links of one address are served as often as the only one of another.  One that a
table waits for comes first, within bounds.  Of a peer of whom enough waits no more is read, so that the rest waits
on its own side; while many are so full, nobody new is let in.  The end of a link waits behind its pieces.

Clocks, and the house's own links, never wait here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Protocol

from attrs import define, field
from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.logger import Logger

from protocols.net.limits import AddressBuckets, counted_as

BUDGET = 0.002  # seconds of one turn of the reactor
_AT_ONCE = 0.5  # of all time may be spent on what is served at once
_LONG_TURN = 0.006  # seconds, with all that follows from what is served
_LEAST = 0.0003  # seconds of serving in a turn
_MOST_WAITING = 512  # bytes of one peer; what a read has brought is never thrown away
_MOST_FULL = 256  # peers, until nobody new is let in
_FIRST_A_SECOND, _FIRST_AT_ONCE, _REMEMBERED = 100.0, 200.0, 4096

Piece = bytes | Callable[[], None]


class Peer(Protocol):
    """Who is served in turns."""

    came_from: str | None

    @property
    def speaker(self) -> object:
        """Who it is to the house, which may know that others wait for it."""

    def piece_end(self, data: bytes, start: int) -> int:
        """Say where the piece ends that begins at ``start``: behind it, and at most at the end of the data."""

    def serve_piece(self, piece: bytes) -> None:
        """Take in what it has said."""

    def hold_reading(self, held: bool) -> None:
        """Read nothing of it for now, or again."""

    def abort(self) -> None:
        """Close at once, since something went wrong."""


class _Nobody:
    """What has a turn and is no peer."""

    came_from: str | None = None
    speaker: object = None

    def piece_end(self, data: bytes, start: int) -> int:
        """Nothing is ever said."""
        return len(data)

    def serve_piece(self, piece: bytes) -> None:
        """Nothing is ever said."""

    def hold_reading(self, held: bool) -> None:
        """Nothing is read."""

    def abort(self) -> None:
        """There is nothing to close; what went wrong is in the log."""


class Gate(Protocol):
    """Where new peers come in."""

    def crowd(self, crowded: bool) -> None:
        """Let nobody in for now, or again."""


@define(eq=False)
class _Waiting:
    """What waits of one peer; of the first piece all before ``at`` is served already."""

    peer: Peer
    address: str
    pieces: deque[Piece] = field(factory=deque)
    size: int = 0
    at: int = 0
    held: bool = False
    ended: bool = False


class _Account:
    """How much time may be spent at once: it grows with the time that passes, and may be overdrawn once."""

    __slots__ = ("_at", "_left", "_most")

    def __init__(self, most: float, now: float) -> None:
        self._most = self._left = most
        self._at = now

    def may_spend(self, now: float) -> bool:
        """Say whether anything is left."""
        if now > self._at:
            left = self._left + (now - self._at) * _AT_ONCE
            self._left = left if left < self._most else self._most
        self._at = now
        return self._left > 0

    def spend(self, seconds: float) -> None:
        """Take what was spent."""
        self._left -= seconds


class Turns:
    """Serves the peers of a whole daemon."""

    _log = Logger()

    def __init__(
        self,
        clock: IReactorTime,
        seconds: Callable[[], float],
        is_awaited: Callable[[object], bool] = lambda speaker: False,
        budget: float = BUDGET,
    ) -> None:
        """``seconds`` measures what a piece takes: a clock that nobody can set back.

        ``is_awaited`` says whether others wait for what a speaker is to say now.
        """
        self._clock = clock
        self._seconds = seconds
        self._is_awaited = is_awaited
        self._budget = budget
        self._most = budget
        self._served_at: float | None = None  # when the last turn was, if it left anything
        self._spent_at_once = _Account(budget * _AT_ONCE, seconds())
        self._spent_first = _Account(budget * _AT_ONCE, seconds())
        self._waiting: dict[Peer, _Waiting] = {}
        self._first: deque[_Waiting] = deque()
        self._ring: deque[str] = deque()  # the addresses of all others, as they are visited
        self._by_address: dict[str, deque[_Waiting]] = {}
        self._firsts = AddressBuckets(_FIRST_A_SECOND, _FIRST_AT_ONCE, _REMEMBERED)
        self._timer: IDelayedCall | None = None
        self._gates: list[Gate] = []
        self._full = 0
        self._shut = False
        self._unnamed = count()

    def __len__(self) -> int:
        """Say of how many peers something waits."""
        return len(self._waiting)

    def guard(self, gate: Gate) -> None:
        """Let nobody in at a gate while too many are full."""
        self._gates.append(gate)
        if self._shut:
            gate.crowd(True)

    def take(self, peer: Peer, data: bytes) -> None:
        """Serve what a peer has said, now or when its turn has come."""
        at, now = 0, self._seconds()
        goes_first = bool(self._waiting) and self._goes_first(peer, now)
        account = self._spent_first if goes_first else self._spent_at_once
        while at < len(data):
            # of one that goes first no more than a piece, if others wait
            if (self._waiting and (at or not goes_first)) or not account.may_spend(now):
                self._put(peer, data[at:] if at else data, goes_first and not at)
                return
            end = peer.piece_end(data, at)
            peer.serve_piece(data[at:end] if at or end < len(data) else data)
            at = end
            began, now = now, self._seconds()
            account.spend(now - began)

    def end(self, peer: Peer, then: Callable[[], None]) -> None:
        """Call ``then`` behind all that the peer has said: now, if nothing has to wait."""
        self._call(peer, then, ends=True)

    def call(self, peer: Peer, work: Callable[[], None]) -> None:
        """Do what a peer has asked for, where it says no more until that is done: now, if nothing has to wait."""
        self._call(peer, work, ends=False)

    def call_for_nobody(self, work: Callable[[], None]) -> None:
        """Do some work that no peer says anything behind, in a turn of its own: now, if nothing has to wait."""
        self._call(_Nobody(), work, ends=False)

    def _call(self, peer: Peer, work: Callable[[], None], ends: bool) -> None:
        now = self._seconds()
        if self._waiting or not self._spent_at_once.may_spend(now):
            self._put(peer, work, ends=ends)
            return
        work()
        self._spent_at_once.spend(self._seconds() - now)

    # -- what waits -------------------------------------------------------------------

    def _goes_first(self, peer: Peer, now: float) -> bool:
        """Say whether a table waits for what a peer says, and none of its address came first too often."""
        if peer in self._waiting or not self._is_awaited(peer.speaker):
            return False
        return self._firsts.take(self._address(peer), now)

    def _put(self, peer: Peer, piece: Piece, goes_first: bool = False, ends: bool = False) -> None:
        waiting = self._waiting.get(peer)
        if waiting is None:
            waiting = self._waiting[peer] = _Waiting(peer, self._address(peer))
            waiting.pieces.append(piece)
            if goes_first:
                self._first.append(waiting)
            else:
                self._line_up(waiting)
        else:
            waiting.pieces.append(piece)
        if isinstance(piece, bytes):
            waiting.size += len(piece)
            self._hold(waiting)
        elif ends and not waiting.ended:
            waiting.ended = True
            self._count_full(1)
        if self._timer is None:
            self._timer = self._clock.callLater(0, self._serve)

    def _address(self, peer: Peer) -> str:
        # What has no address shares a turn with nobody.
        return counted_as(peer.came_from) if peer.came_from else f"#{next(self._unnamed)}"

    def _line_up(self, waiting: _Waiting) -> None:
        line = self._by_address.get(waiting.address)
        if line is None:
            line = self._by_address[waiting.address] = deque()
            self._ring.append(waiting.address)
        line.append(waiting)

    def _hold(self, waiting: _Waiting) -> None:
        """Read of a peer what may wait, and no more."""
        full = waiting.size > _MOST_WAITING
        if full != waiting.held:
            waiting.held = full
            waiting.peer.hold_reading(full)
            self._count_full(1 if full else -1)

    def _count_full(self, more: int) -> None:
        """Count who is full, or gone and not seen off yet; let people in while they are few."""
        self._full += more
        if not self._shut and self._full >= _MOST_FULL:
            self._shut = True
            for gate in self._gates:
                gate.crowd(True)
        elif self._shut and self._full <= _MOST_FULL // 2:
            self._shut = False
            for gate in self._gates:
                gate.crowd(False)

    # -- serving it -------------------------------------------------------------------

    def _serve(self) -> None:
        self._timer = None
        now = self._seconds()
        self._adjust(now)
        until = now + self._budget
        while self._waiting:
            waiting = self._next()
            self._visit(waiting)
            if waiting.pieces:
                self._line_up(waiting)
            else:
                del self._waiting[waiting.peer]
                if waiting.ended:
                    self._count_full(-1)
            if self._seconds() >= until:
                break
        self._served_at = now if self._waiting else None
        if self._waiting and self._timer is None:
            self._timer = self._clock.callLater(0, self._serve)

    def _adjust(self, now: float) -> None:
        """Serve less in a turn where what follows from it makes turns long."""
        if self._served_at is not None:
            too_long = now - self._served_at > _LONG_TURN
            self._budget = (
                max(_LEAST, self._budget / 2) if too_long else min(self._most, self._budget * 1.25)
            )

    def _next(self) -> _Waiting:
        if self._first:
            return self._first.popleft()
        address = self._ring.popleft()
        line = self._by_address[address]
        waiting = line.popleft()
        if line:
            self._ring.append(address)
        else:
            del self._by_address[address]
        return waiting

    def _visit(self, waiting: _Waiting) -> None:
        """Serve one piece of a peer."""
        try:
            self._cut(waiting)()
        except Exception:
            # As the reactor does with whoever it calls: it is a bug of ours, and the peer cannot go on.
            self._log.failure("a peer could not be served")
            waiting.peer.abort()

    def _cut(self, waiting: _Waiting) -> Callable[[], None]:
        """Take away the next piece, and give what serves it."""
        data = waiting.pieces[0]
        if not isinstance(data, bytes):
            waiting.pieces.popleft()
            return data
        at = waiting.at
        end = waiting.peer.piece_end(data, at)
        waiting.size -= end - at
        waiting.at = end
        if end == len(data):
            waiting.pieces.popleft()
            waiting.at = 0
        self._hold(waiting)
        return partial(waiting.peer.serve_piece, data[at:end])
