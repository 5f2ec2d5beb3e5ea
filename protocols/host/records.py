"""Games that are over, for those at the doors who were there, or know a table that everybody may look on at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, NoReturn, TypeVar, cast

from attrs import field, frozen
from twisted.internet.defer import Deferred, DeferredLock, fail, inlineCallbacks, succeed
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
from protocols.host.unread import log_unread
from protocols.journal.compaction import expand_game
from protocols.journal.errors import JournalLost
from protocols.journal.interface import Journal

T = TypeVar("T")

MOST_WAITING = 20  # people; what they ask for is done one after the other
MOST_MADE = 4  # things that are made of a record, and kept beside it
MOST_READ = 8  # records that are kept as they were read
LARGEST_READ = 2_000_000  # bytes of them all


@frozen
class EndedRecord:
    """What is over at a table: the record file, and the same as it was read."""

    data: bytes
    game: Game
    _made: OrderedDict[Hashable, object] = field(factory=OrderedDict, init=False, eq=False)

    def made(self, what: Hashable, make: Callable[[], T]) -> T:
        """Make something of the record, or give it as it was made before, for as long as both are kept."""
        if what not in self._made:
            self._made[what] = make()
        self._made.move_to_end(what)
        if len(self._made) > MOST_MADE:
            self._made.popitem(last=False)
        return cast(T, self._made[what])


class _LatelyRead:
    """The records that were read last, each with what it was read from: so a table that went on is read again."""

    def __init__(self) -> None:
        self._records: OrderedDict[str, tuple[object, EndedRecord]] = OrderedDict()

    def find(self, code: str, source: object) -> EndedRecord | None:
        """Find the record of a table, if it was read from just that."""
        read_from, record = self._records.get(code, (None, None))
        if record is None or read_from != source:
            return None
        self._records.move_to_end(code)
        return record

    def keep(self, code: str, source: object, record: EndedRecord) -> None:
        """Keep a record; those that were looked at the longest ago give way."""
        self._records[code] = source, record
        self._records.move_to_end(code)
        while len(self._records) > MOST_READ or self._size() > LARGEST_READ:
            self._records.popitem(last=False)

    def _size(self) -> int:
        return sum(len(record.data) for _, record in self._records.values())


class Records:
    """Reads games from the journal; whatever takes its time is done elsewhere."""

    _log = Logger()

    def __init__(
        self,
        journal: Journal,
        registry: Registry,
        in_thread: InThread,
        is_set_aside: Callable[[str], bool],
    ) -> None:
        """Read all but what ``is_set_aside``, by its code, since to replay that may end the process."""
        self._journal = journal
        self._is_set_aside = is_set_aside
        self._registry = registry
        self._in_thread = in_thread
        self._turn = DeferredLock()
        self._askers: set[Deferred[Any]] = set()  # who waits for a turn
        self._lately = _LatelyRead()

    def read(
        self, wanted: str, place: Place | None, draw: Callable[[EndedRecord], T]
    ) -> Deferred[T]:
        """Give what ``draw`` makes, in another thread, of the games that are over at a table.

        ``wanted`` is the code of the table or a token that was given there, ``place`` where the asker is.
        Fails with Refused ``no-such-record``, ``table-unreadable``, ``table-resting``, ``closing``,
        ``too-fast``.
        """
        if len(self._askers) >= MOST_WAITING:
            return fail(Refused("too-fast"))
        code = wanted.partition(".")[0].upper()
        sits = place is not None and place.code == code and (place.player or place.organizer)
        show = partial(_show, None if sits else hash_token(wanted), draw)
        asker: Deferred[T] = Deferred(self._asker_gone)
        self._askers.add(asker)
        reading: Deferred[Any] = self._turn.run(self._begin, asker, code, show)
        reading.addErrback(self._cannot_read, code).addBoth(_answer, asker)
        return asker

    def _asker_gone(self, asker: Deferred[T]) -> None:
        """Forget one who asks no more; what has begun is done to its end, and nothing else beside it."""
        self._askers.discard(asker)
        asker.errback(Refused("table-resting"))

    def _begin(
        self, asker: Deferred[T], code: str, show: Callable[[EndedRecord], object]
    ) -> Deferred[Any]:
        """Read for one whose turn it is, if they are still there."""
        self._askers.discard(asker)
        return succeed(None) if asker.called else self._read(code, show)

    @inlineCallbacks
    def _read(self, code: str, show: Callable[[EndedRecord], object]) -> Any:
        if self._is_set_aside(code):
            raise Refused("table-unreadable")
        lines = yield self._journal.read(code)
        # The last line has the hash of all before it.
        source, write = (len(lines), lines[-1:]), partial(write_ended, lines, self._registry)
        record = self._lately.find(code, source) if lines else None
        if lines and record is None:
            record = yield self._open(code, source, write)
        if record is None:
            kept = yield self._journal.read_finished(code)
            if kept is None:
                raise Refused("no-such-record")
            record = self._lately.find(code, kept)
            expand = partial(expand_game, kept, self._registry)
            record = record or (yield self._open(code, kept, expand))
        shown = yield self._in_thread(show, record)
        return shown

    @inlineCallbacks
    def _open(self, code: str, source: object, write: Callable[[], bytes | None]) -> Any:
        """Write a record file and read it, in another thread; gives None where nothing is over."""
        record = yield self._in_thread(_opened, write)
        if record is not None:
            self._lately.keep(code, source, record)
        return record

    def _cannot_read(self, failure: Failure, code: str) -> NoReturn:
        if failure.check(Refused):
            failure.raiseException()
        if failure.check(Unreadable):
            self._log.error("table {code} cannot be read: {why}", code=code, why=failure.value)
            raise Refused("table-unreadable")
        if failure.check(JournalLost):  # which is in the log already, and the end of the house
            raise Refused("closing")
        log_unread(self._log, f"table {code} cannot be read", failure)
        raise Refused("table-resting")


def _answer(result: Any, asker: Deferred[Any]) -> None:
    if not asker.called:
        asker.callback(result)


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


def _opened(write: Callable[[], bytes | None]) -> EndedRecord | None:
    data = write()
    return None if data is None else EndedRecord(data, read_game(data))


def _show(hashed: str | None, draw: Callable[[EndedRecord], T], record: EndedRecord) -> T:
    """Draw a record for one who may have it; ``hashed`` is what they have shown, None if they need not."""
    if hashed is not None and not (_is_open(record.game) or _was_given(record.game, hashed)):
        raise Refused("no-such-record")  # and not a word of whether there is one
    return draw(record)


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
