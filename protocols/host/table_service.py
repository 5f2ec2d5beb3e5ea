"""The tables that are awake: a command is applied, journalled and delivered, and faces come and go.

A command is checked, applied in memory and appended to the journal; until its batch is committed nobody
is told.  Whatever is to be told, refusals and Views included, goes through one ``CommitQueue`` order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random, SystemRandom

from twisted.internet.defer import Deferred, maybeDeferred, succeed
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.commands import Abandon, Command, Drop, Leave, Play, Wake
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.player import Presence
from gamecore.record import write_record
from gamecore.rules import Move
from gamecore.table import Table
from gamecore.table_events import GameOver
from gamecore.table_view import TableView, Turn
from protocols.host.bots import Bots
from protocols.host.clocks import Clocks
from protocols.host.commit_queue import CommitQueue
from protocols.host.delivery import Delivery, draw_turns, prepare_delivery
from protocols.host.door import TableDefaults
from protocols.host.dormant import UNREACHABLE, DormantTables, Taken
from protocols.host.face import Face, Place, follows
from protocols.host.live_table import LiveTable
from protocols.host.openings import Openings
from protocols.host.passwords import InThread, Passwords
from protocols.host.people import People
from protocols.host.secrets import SecretSource
from protocols.journal.interface import Journal

_RESTING = (Stage.PLAYING, Stage.BETWEEN_ROUNDS, Stage.OVER)


class TableService:
    """The tables of one daemon, their clocks and their faces."""

    _log = Logger()

    def __init__(
        self,
        hall: Hall,
        journal: Journal,
        clock: IReactorTime,
        wall: Callable[[], float],
        chance: Random | None = None,
        seconds: Callable[[], float] | None = None,
        defaults: Mapping[str, TableDefaults] | None = None,
        in_thread: InThread = maybeDeferred,
    ) -> None:
        """Serve a hall; ``wall`` tells the time of day, ``chance`` draws seeds and codes.

        ``seconds`` is what table time runs by, if not the clock: one that nobody can set back. ``defaults``
        are those of new tables, by game; ``in_thread`` calls elsewhere what would take too long here.
        """
        self.hall = hall
        self.clock = clock
        self.people = People(clock.seconds)
        self.openings = Openings(hall, clock.seconds)
        self._defaults = {} if defaults is None else defaults
        self._passwords = Passwords(in_thread, clock.seconds)
        self._journal = journal
        self._wall = wall
        chance = SystemRandom() if chance is None else chance
        self._secrets = SecretSource(chance)
        self._queue = CommitQueue(journal, clock)
        self._clocks = Clocks(
            clock,
            lambda live, due: self._do(live, due, None, None),
            clock.seconds if seconds is None else seconds,
        )
        self._bots = Bots(self, chance, self._post, self._ask_bots)
        self._live: dict[str, LiveTable] = {}
        self._dormant = DormantTables(hall, journal)
        self._closing: Deferred[None] | None = None
        self._closed = False
        self.on_lost: Callable[[Exception], None] = self._log_lost
        journal.on_trouble = self._pause
        journal.on_lost = lambda problem: self.on_lost(problem)

    def submit(self, face: Face, move: Move, tag: object = None) -> None:
        """Play a move for the seat of a face; it hears ``told`` and ``answered`` in their time."""
        place = face.place
        if place is None or place.player is None:
            self._refuse(face, tag, Refused("not-seated"))
            return
        live = self._live.get(place.code)
        if live is None:
            self._refuse(face, tag, Refused("table-closed"))
            return
        self._do(live, Play(place.player.seat, move), face, tag)

    def command(
        self, face: Face | None, table: Table, command: Command, tag: object = None
    ) -> None:
        """Put any other command to a table; a face, if given, is answered."""
        self._do(self._live[table.code], command, face, tag)

    def leave(self, face: Face, why: str = "left") -> None:
        """Take a face from its table for good."""
        self._part(face, lambda table, seat: Leave(seat, why))

    def drop(self, face: Face) -> None:
        """Take note that the link of a face is lost."""
        self._part(face, lambda table, seat: Drop(seat, table.absence(seat)))

    # -- the way of a command ---------------------------------------------------------

    def _do(self, live: LiveTable, command: Command, face: Face | None, tag: object) -> bool:
        """Apply a command, journal it, and post what is to be told; False if it was refused."""
        table = live.table
        now = self._clocks.now(live)
        try:
            if self._closing is not None:
                raise Refused("closing")
            if live.lost:
                raise Refused("table-resting")
            events = self.hall.apply(table, command, now)
        except Refused as refusal:
            self._refuse(face, tag, refusal)
            return False
        except Exception:
            self._set_aside(live)
            self._refuse(face, tag, Refused("table-resting"))
            return False
        if type(command) is not Play:
            self._bots.seat(live)
        if live.bots or len(events) > 1 or type(command) is not Play:
            self._note(live)
        self._record(live, command, now)
        delivery = prepare_delivery(live, events, now, face, tag)
        self._queue.post(partial(self._deliver, delivery))
        if len(events) > 1:  # a game never ends alone
            self._log_results(live, events)
        self._clocks.set(live)
        self._ask_bots(live)
        return True

    def _ask_bots(self, live: LiveTable) -> None:
        if live.bots and not live.lost and self._closing is None:
            self._bots.ask(live, self._clocks.now(live))

    def _note(self, live: LiveTable) -> None:
        """Let the journal's index follow what must be known of a table that is not awake."""
        table = live.table
        stage = table.stage.value if table.reachable else UNREACHABLE
        state = (stage, Bots.awaited(live), live.began)
        if state != live.noted:
            live.noted = state
            self._journal.note(table.code, table.rules.kind, *state)

    def _record(self, live: LiveTable, command: Command, now: float) -> None:
        table = live.table
        record = write_record(table.code, table.sequence, now, self._wall(), command, live.head)
        live.head = record.hash
        self._queue.record(record)

    def _log_results(self, live: LiveTable, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, GameOver):
                self._log.info(
                    "{kind} at table {code}: game {number} is over after {commands} commands,"
                    " places by seat {places} ({reason})",
                    kind=live.table.rules.kind,
                    code=live.table.code,
                    number=event.number,
                    commands=live.table.sequence,
                    places=event.outcome.places,
                    reason=event.outcome.reason,
                )

    def _deliver(self, delivery: Delivery) -> None:
        delivery.deliver(self._guarded)
        self._let_go(delivery.live)

    def _refuse(self, face: Face | None, tag: object, refusal: Refused) -> None:
        if face is not None:
            self._post(face, face.answered, tag, refusal)

    def _post(self, face: Face, hear: Callable[..., None], *what: object) -> None:
        """Let a face hear something behind all that was done before."""
        self._queue.post(partial(self._guarded, face, hear, *what))

    def _guarded(self, face: Face, hear: Callable[..., None], *what: object) -> None:
        """Let a face hear something; if it cannot, the others still do."""
        try:
            hear(*what)
        except Exception:
            self._log.failure("a face failed and is parted with")
            self._cut_off(face, "error")

    # -- faces coming and going -------------------------------------------------------

    def _bring_in(self, face: Face, live: LiveTable, place: Place, tag: object = None) -> None:
        """Attach a face: from its View on it hears everything, and nothing from before."""
        if live.lost:
            self._refuse(face, tag, Refused("table-resting"))
            return
        self._detach(face)
        face.place = place
        if place.player is not None:
            live.holders.append(face)
        view = self._view(live, place)
        turn = None
        if follows(face):
            turn = live.table.turn_of(view.seat, view.at, face.detail)
            live.followers.append(face)  # from now on, though it hears of it in its time
        self._queue.post(partial(self._join, face, live, place, view, turn))

    def _join(
        self, face: Face, live: LiveTable, place: Place, view: TableView, turn: Turn | None
    ) -> None:
        if face.place is not place:  # it may have gone before this delivery came
            return
        live.faces.append(face)
        self._guarded(face, face.shown, view)
        if turn is not None and follows(face) and face.place is place:
            self._guarded(face, face.turned, turn)

    def _view(self, live: LiveTable, place: Place) -> TableView:
        seat = None if place.player is None else place.player.seat
        return live.table.seen_by(seat, self._clocks.now(live))

    def _part(self, face: Face, command: Callable[[Table, int], Command]) -> None:
        place = face.place
        live = self._detach(face)
        if place is None or live is None:
            return
        table = live.table
        if place.player is not None and not live.lost and self._closing is None:
            seat = place.player.seat
            if table.presence(seat) is Presence.HERE and table.player(seat) is place.player:
                self._do(live, command(table, seat), None, None)
        self._queue.post(partial(self._let_go, live))

    def _detach(self, face: Face) -> LiveTable | None:
        """Tell a face nothing more of where it was, and say where that is."""
        place, face.place = face.place, None
        live = self._live.get(place.code) if place is not None else None
        if live is not None:
            for heap in (live.faces, live.holders):
                if face in heap:
                    heap.remove(face)
            live.followers = [each for each in live.followers if each is not face]
        return live

    def _cut_off(self, face: Face, reason: str) -> None:
        """Part with a face on our own account, as if its link were lost."""
        self.drop(face)
        try:
            face.parted(reason)
        except Exception:
            self._log.failure("a face could not even be parted with")

    def _let_go(self, live: LiveTable) -> None:
        """Keep no table in memory where nobody is and nothing can happen by itself."""
        table = live.table
        if live.faces or live.holders or live.lost:
            return
        if self._live.get(table.code) is not live or live.saved < table.sequence:
            return  # or its last records are still on their way
        if table.ended:
            self._put_away(live)
            self._journal.retire(table.code)
        elif table.stage in _RESTING and table.quiet() and not Bots.awaited(live):
            self._put_away(live)
            self._dormant.put(table)

    def _still(self, live: LiveTable) -> None:
        """Let nothing happen at a table by itself any more."""
        self._clocks.stop(live)
        for bot in live.bots:
            bot.stop()

    def _put_away(self, live: LiveTable) -> None:
        self._still(live)
        del self._live[live.table.code]
        self.hall.forget(live.table)

    def _wake(self, code: str) -> Deferred[None]:
        """Bring a table back into memory, if it is not; fails with Refused if that cannot be done."""
        if code in self._live:
            return succeed(None)
        return self._dormant.take(code).addCallback(self._woken)

    def _woken(self, taken: Taken) -> None:
        """Let a table go on, unless another call was first: all who were present are away from now."""
        table = taken.table
        if table.code in self._live:
            return
        live = LiveTable(table, self._clocks.seconds() - taken.at, taken.head)
        live.saved = table.sequence
        self._live[table.code] = live
        if not self._do(live, Wake(), None, None):
            self._let_go(live)  # it had ended, and the journal was not told

    # -- trouble -----------------------------------------------------------------------

    def _close_journal(self) -> None:
        closing = self._closing
        if closing is not None and not self._closed:
            self._closed = True
            self._journal.close().chainDeferred(closing)

    def _pause(self, trouble: str | None) -> None:
        """Let every clock stand while the journal cannot be written, and go on when it can."""
        if trouble is not None:
            self._log.error("play is paused: {trouble}", trouble=trouble)
            self._clocks.stand()
        else:
            self._log.info("play goes on")
            if self._closing is None:
                self._clocks.go_on()
        for live in list(self._live.values()):
            if trouble is not None:
                self._clocks.stop(live)
            elif not live.lost:
                self._clocks.set(live)
            for face in list(live.faces):
                self._guarded(face, face.paused, trouble)
        if trouble is not None and self._closing is not None:
            self._close_in_trouble()

    def _close_in_trouble(self) -> None:
        """Wait no longer for what cannot be written: nobody was told of it, so nobody is lied to."""
        self._part_with_all()
        self._close_journal()

    def _part_with_all(self) -> None:
        for live in list(self._live.values()):
            for face in list(live.faces):
                self._detach(face)
                self._guarded(face, face.parted, "closing")

    def _log_lost(self, problem: Exception) -> None:
        self._log.critical("nothing is written or told any more: {problem}", problem=problem)

    # -- bugs -------------------------------------------------------------------------

    def _set_aside(self, live: LiveTable) -> None:
        """Take a table that met a bug of ours out of memory, to read it again when all is committed."""
        self._log.failure("a bug at table {code}; it is read again", code=live.table.code)
        live.bugs += 1
        live.lost = True
        self._still(live)
        self.hall.forget(live.table)
        self._queue.post(partial(self._read_again, live))

    def _read_again(self, live: LiveTable) -> None:
        reading = self._dormant.read(live.table.code)
        reading.addCallback(partial(self._put_back, live))
        reading.addErrback(partial(self._give_up, live))

    def _put_back(self, live: LiveTable, read: Taken) -> None:
        live.table, live.head = read.table, read.head
        live.lost = False
        self._bots.seat(live)
        self._find_seats(live)
        if live.bugs > 1:
            self._do(live, Abandon("bug"), None, None)
            return
        if self._closing is not None:  # a View would come behind the parting from its table
            return
        self._clocks.set(live)
        self._ask_bots(live)
        for face in live.faces:
            if face.place is not None:
                view = self._view(live, face.place)
                self._post(face, face.shown, view)
        for follower, turn in draw_turns(live, self._clocks.now(live)):
            self._post(follower, follower.turned, turn)
        self._drop_the_lost(live)

    def _find_seats(self, live: LiveTable) -> None:
        """Give every face its player at the table as it was read: by name, since a bug may have moved seats."""
        players = {core.name: core for core in live.table.seated().values()}
        for face in list(live.faces):
            place = face.place
            if place is not None and place.player is not None:
                place.player = players.get(place.player.name)
                if place.player is None:
                    self._cut_off(face, "table-lost")

    def _drop_the_lost(self, live: LiveTable) -> None:
        """Drop those whose link went while the table was being read and could take no command."""
        attached = [face.place.player for face in live.faces if face.place is not None]
        table = live.table
        for seat, core in list(table.seated().items()):
            absent = core.level is None and not any(core is each for each in attached)
            if absent and not live.lost and table.presence(seat) is Presence.HERE:
                self._do(live, Drop(seat, table.absence(seat)), None, None)

    def _give_up(self, live: LiveTable, failure: Failure) -> None:
        """Part with everybody at a table that cannot even be read again."""
        code = live.table.code
        self._log.failure("table {code} cannot be read again", failure, code=code)
        self._live.pop(code, None)
        self.hall.forget(live.table)
        for face in list(live.faces):
            face.place = None
            self._guarded(face, face.parted, "table-lost")
