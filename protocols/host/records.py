"""Games that are over, for those at the doors who were there, or know a table that everybody may look on at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn, TypeVar, cast

from attrs import frozen
from twisted.internet.defer import Deferred, DeferredLock, fail, inlineCallbacks
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.record import Unreadable
from gamecore.record_file import Game, read_game
from gamecore.replay import write_ended
from gamecore.rules import Registry
from protocols.host.passwords import InThread
from protocols.host.place import Place
from protocols.host.secrets import hash_token
from protocols.journal.compaction import expand_game
from protocols.journal.errors import JournalLost
from protocols.journal.interface import Journal

T = TypeVar("T")

MOST_WAITING = 20  # people; what they ask for is done one after the other


@frozen
class EndedRecord:
    """What is over at a table: the record file, and the same as it was read."""

    data: bytes
    game: Game


class Records:
    """Reads games from the journal; whatever takes its time is done elsewhere."""

    _log = Logger()

    def __init__(self, journal: Journal, registry: Registry, in_thread: InThread) -> None:
        self._journal = journal
        self._registry = registry
        self._in_thread = in_thread
        self._turn = DeferredLock()

    def read(
        self, wanted: str, place: Place | None, draw: Callable[[EndedRecord], T]
    ) -> Deferred[T]:
        """Give what ``draw`` makes, in another thread, of the games that are over at a table.

        ``wanted`` is the code of the table or a token that was given there, ``place`` where the asker is.
        Fails with Refused ``no-such-record``, ``table-unreadable``, ``table-resting``, ``closing``,
        ``too-fast``.
        """
        if len(self._turn.waiting) >= MOST_WAITING:
            return fail(Refused("too-fast"))
        code = wanted.partition(".")[0].upper()
        sits = place is not None and place.code == code and (place.player or place.organizer)
        show = partial(_show, None if sits else hash_token(wanted), draw)
        reading: Deferred[T] = self._turn.run(self._read, code, show)
        return reading.addErrback(self._cannot_read, code)

    @inlineCallbacks
    def _read(self, code: str, show: Callable[[bytes], object]) -> Any:
        lines = yield self._journal.read(code)
        data = None
        if lines:
            data = yield self._in_thread(write_ended, lines, self._registry)
        if data is None:
            kept = yield self._journal.read_finished(code)
            if kept is None:
                raise Refused("no-such-record")
            data = yield self._in_thread(expand_game, kept, self._registry)
        shown = yield self._in_thread(show, data)
        return shown

    def _cannot_read(self, failure: Failure, code: str) -> NoReturn:
        if failure.check(Refused):
            failure.raiseException()
        if failure.check(Unreadable):
            self._log.error("table {code} cannot be read: {why}", code=code, why=failure.value)
            raise Refused("table-unreadable")
        if failure.check(JournalLost):  # which is in the log already, and the end of the house
            raise Refused("closing")
        self._log.failure("table {code} cannot be read", failure, code=code)
        raise Refused("table-resting")


def end_of_game(game: Game, number: int) -> int:
    """Count the records up to the end of the game of a number; refused ``no-such-record``."""
    begun = 0
    for count, events in enumerate(game.events, 1):
        for event in events:
            if event["is"] == "GameBegan":
                begun = cast(int, event.get("number"))
            if event["is"] in ("GameOver", "Abandoned") and begun == number:
                return count
    raise Refused("no-such-record")


def _show(hashed: str | None, draw: Callable[[EndedRecord], T], data: bytes) -> T:
    """Draw a record for one who may have it; ``hashed`` is what they have shown, None if they need not."""
    game = read_game(data)
    if hashed is not None and not (_is_open(game) or _was_given(game, hashed)):
        raise Refused("no-such-record")  # and not a word of whether there is one
    return draw(EndedRecord(data, game))


def _is_open(game: Game) -> bool:
    """Say whether everybody might have looked on, without a word."""
    house = game.opened.house
    hidden = house.get("private", False) or house.get("password", "")
    return bool(house.get("watchers", True)) and not hidden


def was_lost_by_absence(hashed: str, record: EndedRecord) -> bool:
    """Say whether the seat of the token of this hash was given up because its player was away for too long."""
    seat: object = None
    for entry, events in zip(record.game.entries, record.game.events, strict=True):
        command = entry.command if isinstance(entry.command, dict) else {}
        if command.get("token") == hashed:
            seat = command.get("seat")
        for event in events:
            if seat is None or event.get("seat") != seat:
                continue
            if event["is"] == "Left" and event.get("why") == "absent":
                return True
            if event["is"] == "Replaced" and command.get("is") == "TimeUp":
                return True
            if event["is"] in ("Left", "Replaced"):
                seat = None
    return False


def _was_given(game: Game, hashed: str) -> bool:
    """Say whether the token of this hash was given to somebody at the table."""
    written = f'"{hashed}"'.encode()
    return any(written in line for line in game.lines)
