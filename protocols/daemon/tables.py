"""The tables that are awake: a command is applied, journalled and delivered, and faces come and go.

A command is checked, applied in memory and appended to the journal; until its batch is committed nobody
is told.  Whatever is to be told, refusals and Views included, goes through one ``Outgoing`` order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random, SystemRandom

from twisted.internet.defer import Deferred, maybeDeferred, succeed
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore import commands as c
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
from protocols.daemon.attended import Attended
from protocols.daemon.bots import Bots
from protocols.daemon.clocks import Clocks
from protocols.daemon.draws import Draws
from protocols.daemon.journal import Journal
from protocols.daemon.letters import Letter, draw_turns, write_letter
from protocols.daemon.outgoing import Outgoing
from protocols.daemon.passwords import InThread, Passwords
from protocols.daemon.shelf import UNREACHABLE, Shelf, Taken
from protocols.door import TableDefaults
from protocols.face import Face, Follower, Place
from protocols.people import People

_RESTING = (Stage.PLAYING, Stage.BETWEEN_ROUNDS, Stage.OVER)


class Tables:
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
        self._defaults = {} if defaults is None else defaults
        self._passwords = Passwords(in_thread, clock.seconds)
        self._journal = journal
        self._wall = wall
        chance = SystemRandom() if chance is None else chance
        self._draws = Draws(chance)
        self._outgoing = Outgoing(journal, clock)
        self._clocks = Clocks(
            clock,
            lambda attended, due: self._do(attended, due, None, None),
            clock.seconds if seconds is None else seconds,
        )
        self._bots = Bots(self, chance, self._post, self._ask_bots)
        self._attended: dict[str, Attended] = {}
        self._shelf = Shelf(hall, journal)
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
        attended = self._attended.get(place.code)
        if attended is None:
            self._refuse(face, tag, Refused("table-closed"))
            return
        self._do(attended, c.Play(place.player.seat, move), face, tag)

    def command(
        self, face: Face | None, table: Table, command: c.Command, tag: object = None
    ) -> None:
        """Put any other command to a table; a face, if given, is answered."""
        self._do(self._attended[table.code], command, face, tag)

    def leave(self, face: Face, why: str = "left") -> None:
        """Take a face from its table for good."""
        self._part(face, lambda table, seat: c.Leave(seat, why))

    def drop(self, face: Face) -> None:
        """Take note that the link of a face is lost."""
        self._part(face, lambda table, seat: c.Drop(seat, table.absence(seat)))

    # -- the way of a command ---------------------------------------------------------

    def _do(self, attended: Attended, command: c.Command, face: Face | None, tag: object) -> bool:
        """Apply a command, journal it, and post what is to be told; False if it was refused."""
        table = attended.table
        now = self._clocks.now(attended)
        try:
            if self._closing is not None:
                raise Refused("closing")
            if attended.lost:
                raise Refused("table-resting")
            events = self.hall.apply(table, command, now)
        except Refused as refusal:
            self._refuse(face, tag, refusal)
            return False
        except Exception:
            self._set_aside(attended)
            self._refuse(face, tag, Refused("table-resting"))
            return False
        if type(command) is not c.Play:
            self._bots.seat(attended)
        if attended.bots or len(events) > 1 or type(command) is not c.Play:
            self._note(attended)
        self._record(attended, command, now)
        letter = write_letter(attended, events, now, face, tag)
        self._outgoing.post(partial(self._deliver, letter))
        if len(events) > 1:  # a game never ends alone
            self._log_results(attended, events)
        self._clocks.set(attended)
        self._ask_bots(attended)
        return True

    def _ask_bots(self, attended: Attended) -> None:
        if attended.bots and not attended.lost and self._closing is None:
            self._bots.ask(attended, self._clocks.now(attended))

    def _note(self, attended: Attended) -> None:
        """Let the journal's index follow what must be known of a table that is not awake."""
        table = attended.table
        stage = table.stage.value if table.reachable else UNREACHABLE
        state = (stage, Bots.awaited(attended))
        if state != attended.noted:
            attended.noted = state
            self._journal.note(table.code, table.rules.kind, *state)

    def _record(self, attended: Attended, command: c.Command, now: float) -> None:
        table = attended.table
        record = write_record(table.code, table.sequence, now, self._wall(), command, attended.head)
        attended.head = record.hash
        self._outgoing.record(record)

    def _log_results(self, attended: Attended, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, GameOver):
                self._log.info(
                    "{kind} at table {code}: game {number} is over after {commands} commands,"
                    " places by seat {places} ({reason})",
                    kind=attended.table.rules.kind,
                    code=attended.table.code,
                    number=event.number,
                    commands=attended.table.sequence,
                    places=event.outcome.places,
                    reason=event.outcome.reason,
                )

    def _deliver(self, letter: Letter) -> None:
        letter.deliver(self._guarded)
        self._let_go(letter.attended)

    def _refuse(self, face: Face | None, tag: object, refusal: Refused) -> None:
        if face is not None:
            self._post(face, face.answered, tag, refusal)

    def _post(self, face: Face, hear: Callable[..., None], *what: object) -> None:
        """Let a face hear something behind all that was done before."""
        self._outgoing.post(partial(self._guarded, face, hear, *what))

    def _guarded(self, face: Face, hear: Callable[..., None], *what: object) -> None:
        """Let a face hear something; if it cannot, the others still do."""
        try:
            hear(*what)
        except Exception:
            self._log.failure("a face failed and is parted with")
            self._cut_off(face, "error")

    # -- faces coming and going -------------------------------------------------------

    def _bring_in(self, face: Face, attended: Attended, place: Place, tag: object = None) -> None:
        """Attach a face: from its View on it hears everything, and nothing from before."""
        if attended.lost:
            self._refuse(face, tag, Refused("table-resting"))
            return
        self._detach(face)
        face.place = place
        if place.player is not None:
            attended.holders.append(face)
        view = self._view(attended, place)
        follows = isinstance(face, Follower)
        turn = attended.table.turn_of(view.seat, view.at) if follows else None
        if isinstance(face, Follower):
            attended.followers.append(face)  # from now on, though it hears of it in its time
        self._outgoing.post(partial(self._join, face, attended, place, view, turn))

    def _join(
        self, face: Face, attended: Attended, place: Place, view: TableView, turn: Turn | None
    ) -> None:
        if face.place is not place:  # it may have gone before this letter came
            return
        attended.faces.append(face)
        self._guarded(face, face.shown, view)
        if turn is not None and isinstance(face, Follower) and face.place is place:
            self._guarded(face, face.turned, turn)

    def _view(self, attended: Attended, place: Place) -> TableView:
        seat = None if place.player is None else place.player.seat
        return attended.table.seen_by(seat, self._clocks.now(attended))

    def _part(self, face: Face, command: Callable[[Table, int], c.Command]) -> None:
        place = face.place
        attended = self._detach(face)
        if place is None or attended is None:
            return
        table = attended.table
        if place.player is not None and not attended.lost and self._closing is None:
            seat = place.player.seat
            if table.presence(seat) is Presence.HERE and table.player(seat) is place.player:
                self._do(attended, command(table, seat), None, None)
        self._outgoing.post(partial(self._let_go, attended))

    def _detach(self, face: Face) -> Attended | None:
        """Tell a face nothing more of where it was, and say where that is."""
        place, face.place = face.place, None
        attended = self._attended.get(place.code) if place is not None else None
        if attended is not None:
            for heap in (attended.faces, attended.holders):
                if face in heap:
                    heap.remove(face)
            attended.followers = [each for each in attended.followers if each is not face]
        return attended

    def _cut_off(self, face: Face, reason: str) -> None:
        """Part with a face on our own account, as if its link were lost."""
        self.drop(face)
        try:
            face.parted(reason)
        except Exception:
            self._log.failure("a face could not even be parted with")

    def _let_go(self, attended: Attended) -> None:
        """Keep no table in memory where nobody is and nothing can happen by itself."""
        table = attended.table
        if attended.faces or attended.holders or attended.lost:
            return
        if self._attended.get(table.code) is not attended or attended.saved < table.sequence:
            return  # or its last records are still on their way
        if table.ended:
            self._put_away(attended)
            self._journal.retire(table.code)
        elif table.stage in _RESTING and table.quiet() and not Bots.awaited(attended):
            self._put_away(attended)
            self._shelf.put(table, self._wall())

    def _still(self, attended: Attended) -> None:
        """Let nothing happen at a table by itself any more."""
        self._clocks.stop(attended)
        for bot in attended.bots:
            bot.stop()

    def _put_away(self, attended: Attended) -> None:
        self._still(attended)
        del self._attended[attended.table.code]
        self.hall.forget(attended.table)

    def _wake(self, code: str) -> Deferred[None]:
        """Bring a table back into memory, if it is not; fails with Refused if that cannot be done."""
        if code in self._attended:
            return succeed(None)
        return self._shelf.take(code).addCallback(self._woken)

    def _woken(self, taken: Taken) -> None:
        """Let a table go on, unless another call was first: all who were present are away from now."""
        table = taken.table
        if table.code in self._attended:
            return
        attended = Attended(table, self._clocks.seconds() - taken.at, taken.head)
        attended.saved = table.sequence
        self._attended[table.code] = attended
        if not self._do(attended, c.Wake(), None, None):
            self._let_go(attended)  # it had ended, and the journal was not told

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
        for attended in list(self._attended.values()):
            if trouble is not None:
                self._clocks.stop(attended)
            elif not attended.lost:
                self._clocks.set(attended)
            for face in list(attended.faces):
                self._guarded(face, face.paused, trouble)
        if trouble is not None and self._closing is not None:
            self._close_in_trouble()

    def _close_in_trouble(self) -> None:
        """Wait no longer for what cannot be written: nobody was told of it, so nobody is lied to."""
        self._part_with_all()
        self._close_journal()

    def _part_with_all(self) -> None:
        for attended in list(self._attended.values()):
            for face in list(attended.faces):
                self._detach(face)
                self._guarded(face, face.parted, "closing")

    def _log_lost(self, problem: Exception) -> None:
        self._log.critical("nothing is written or told any more: {problem}", problem=problem)

    # -- bugs -------------------------------------------------------------------------

    def _set_aside(self, attended: Attended) -> None:
        """Take a table that met a bug of ours out of memory, to read it again when all is committed."""
        self._log.failure("a bug at table {code}; it is read again", code=attended.table.code)
        attended.bugs += 1
        attended.lost = True
        self._still(attended)
        self.hall.forget(attended.table)
        self._outgoing.post(partial(self._read_again, attended))

    def _read_again(self, attended: Attended) -> None:
        reading = self._shelf.read(attended.table.code)
        reading.addCallback(partial(self._put_back, attended))
        reading.addErrback(partial(self._give_up, attended))

    def _put_back(self, attended: Attended, read: Taken) -> None:
        attended.table, attended.head = read.table, read.head
        attended.lost = False
        self._bots.seat(attended)
        self._find_seats(attended)
        if attended.bugs > 1:
            self._do(attended, c.Abandon("bug"), None, None)
            return
        if self._closing is not None:  # a View would come behind the parting from its table
            return
        self._clocks.set(attended)
        self._ask_bots(attended)
        for face in attended.faces:
            if face.place is not None:
                view = self._view(attended, face.place)
                self._post(face, face.shown, view)
        for follower, turn in draw_turns(attended, self._clocks.now(attended)):
            self._post(follower, follower.turned, turn)
        self._drop_the_lost(attended)

    def _find_seats(self, attended: Attended) -> None:
        """Give every face its player at the table as it was read: by name, since a bug may have moved seats."""
        players = {core.name: core for core in attended.table.seated().values()}
        for face in list(attended.faces):
            place = face.place
            if place is not None and place.player is not None:
                place.player = players.get(place.player.name)
                if place.player is None:
                    self._cut_off(face, "table-lost")

    def _drop_the_lost(self, attended: Attended) -> None:
        """Drop those whose link went while the table was being read and could take no command."""
        attached = [face.place.player for face in attended.faces if face.place is not None]
        table = attended.table
        for seat, core in list(table.seated().items()):
            absent = core.level is None and not any(core is each for each in attached)
            if absent and not attended.lost and table.presence(seat) is Presence.HERE:
                self._do(attended, c.Drop(seat, table.absence(seat)), None, None)

    def _give_up(self, attended: Attended, failure: Failure) -> None:
        """Part with everybody at a table that cannot even be read again."""
        code = attended.table.code
        self._log.failure("table {code} cannot be read again", failure, code=code)
        self._attended.pop(code, None)
        self.hall.forget(attended.table)
        for face in list(attended.faces):
            face.place = None
            self._guarded(face, face.parted, "table-lost")
