"""The Host: puts commands to tables, journals them, then delivers; the one place where it all meets.

A command is checked, applied in memory and appended to the journal; until its batch is committed nobody
is told.  Whatever is to be told, refusals and Views included, goes through one ``Outgoing`` order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hmac import compare_digest
from random import Random, SystemRandom
from typing import cast

from twisted.internet.defer import Deferred, maybeDeferred, succeed
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore import commands as c
from gamecore.bots import find_bot
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.fairness import DEAL_VERSION
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.player import PlayerCore, Presence
from gamecore.record import write_record
from gamecore.rules import Move
from gamecore.settings import Value, plain_settings, read_settings
from gamecore.table import TABLE_VERSION, Table, TableOptions
from gamecore.table_events import GameOver
from gamecore.table_view import TableView, Turn
from protocols.daemon.attended import Attended
from protocols.daemon.bots import Bots
from protocols.daemon.clocks import Clocks
from protocols.daemon.draws import Draws, hash_token
from protocols.daemon.journal import Journal
from protocols.daemon.letters import Letter, draw_turns, write_letter
from protocols.daemon.outgoing import Outgoing
from protocols.daemon.passwords import InThread, Passwords
from protocols.daemon.shelf import UNREACHABLE, Shelf, Taken
from protocols.door import TableDefaults
from protocols.face import Face, Follower, Place
from protocols.people import People
from protocols.wishes import Wish, Wisher

LAST_LOOK_SECONDS = 3600.0  # for so long one who comes back can see how a game ended
_RESTING = (Stage.PLAYING, Stage.BETWEEN_ROUNDS, Stage.OVER)


class Host:
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

    # -- what faces and doors ask for -------------------------------------------------

    def open(
        self,
        kind: str,
        name: str,
        options: Mapping[str, Value],
        house: Mapping[str, Value],
        owner: str | None = None,
    ) -> Table:
        """Open a table; what is not said is as this house has it.

        With ``owner``, a secret, it has an organizer, whose token is the table's code, a full stop and it.
        Raises Refused for an unknown game, options out of bounds or a full hall.
        """
        if self._closing is not None:
            raise Refused("closing")
        rules = self.hall.registry.latest(kind)
        usual = self._defaults.get(kind, TableDefaults())
        code = self._draws.code((self._attended, self._shelf))
        command = c.Open(
            code=code,
            kind=kind,
            rules=rules.version,
            table=TABLE_VERSION,
            deal=DEAL_VERSION,
            name=name,
            seed=self._draws.seed(),
            options=plain_settings(read_settings(rules.options, {**usual.options, **options})),
            house=plain_settings(read_settings(TableOptions, {**usual.house, **house})),
            owner=None if owner is None else hash_token(f"{code}.{owner}"),
        )
        attended = Attended(self.hall.open(command), self._clocks.seconds())
        self._attended[command.code] = attended
        self._note(attended)
        self._record(attended, command, 0.0)
        self._clocks.set(attended)
        return attended.table

    def seal(self, password: str) -> Deferred[str]:
        """Make of a password what may be written down; it becomes a table's ``password`` in ``house``."""
        return self._passwords.seal(password)

    def sit(
        self,
        face: Face,
        table: Table,
        seat: int,
        name: str,
        tag: object = None,
        keep: bool = False,
        brought: object = None,
        password: str = "",
    ) -> None:
        """Seat a face: it is answered and then shown the table, or answered with what was refused.

        With ``keep`` it is given a token that brings its player back.
        """
        attended = self._attended.get(table.code)
        if attended is None:
            self._refuse(face, tag, Refused("table-closed"))
        elif table.house.password:
            seat_it = partial(self._seat, face, attended, seat, name, tag, keep, brought)
            self._let_in(face, attended, password, tag, seat_it)
        else:
            self._seat(face, attended, seat, name, tag, keep, brought)

    def _seat(
        self,
        face: Face,
        attended: Attended,
        seat: int,
        name: str,
        tag: object,
        keep: bool,
        brought: object,
        invitation: str | None = None,
    ) -> None:
        table = attended.table
        token = self._draws.token(table.code) if keep else None
        command = c.Sit(seat, name, hash_token(token) if token else None, None, brought, invitation)
        if not self._do(attended, command, face, tag):
            return
        if token is not None:
            self._post(face, face.given, token)
        self._bring_in(face, attended, Place(table.code, attended.table.player(seat)))

    def _let_in(
        self, face: Face, attended: Attended, password: str, tag: object, then: Callable[[], None]
    ) -> None:
        """Go on when a face has shown that it knows a table's password, unless it has gone by then."""
        self._detach(face)
        coming = face.place = Place(attended.table.code, None)

        def checked(result: object) -> None:
            if face.place is not coming:
                return
            face.place = None
            if isinstance(result, Failure):
                result.trap(Refused)
                self._refuse(face, tag, cast(Refused, result.value))
            else:
                then()

        sealed = attended.table.house.password
        checking = self._passwords.check(attended.table.code, sealed, password)
        checking.addBoth(checked)
        checking.addErrback(lambda failure: self._log.failure("a password", failure))

    def come_back(self, face: Face, token: str, tag: object = None) -> None:
        """Give a face the place of the player who was given a token; the older link is parted with.

        An organizer's token gives the organizer's place. The face is shown the table, or answered with
        ``unknown-token``.
        """
        self._by_token(face, token, tag, partial(self._give_back, face, hash_token(token), tag))

    def accept(self, face: Face, token: str, name: str, tag: object = None) -> None:
        """Seat a face by an invitation, as ``sit`` does with ``keep``; refused ``unknown-token`` as well."""
        self._by_token(face, token, tag, partial(self._welcome, face, hash_token(token), name, tag))

    def _by_token(
        self, face: Face, token: str, tag: object, then: Callable[[Attended], None]
    ) -> None:
        """Go on at the table that a token belongs to, awake, unless the face has gone by then."""
        code, hashed = token.partition(".")[0].upper(), hash_token(token)
        self._detach(face)
        coming = face.place = Place(code, None)
        if code in self._shelf:
            # A table is woken, and its record grows by it, for none but those who belong there.
            knowing = self._shelf.knows(code, hashed)
            knowing.addCallback(
                lambda known: self._wake(code) if known and face.place is coming else None
            )
            knowing.addErrback(self._not_woken, code)
            knowing.addCallback(lambda _: self._arrive(face, coming, tag, then))
        else:
            self._arrive(face, coming, tag, then)

    def _not_woken(self, failure: Failure, code: str) -> None:
        if not failure.check(Refused):  # else it is in the log already
            self._log.failure("table {code} cannot be woken", failure, code=code)

    def _arrive(
        self, face: Face, coming: Place, tag: object, then: Callable[[Attended], None]
    ) -> None:
        if face.place is not coming:
            return
        face.place = None
        attended = self._attended.get(coming.code)
        if self._closing is not None:  # first: a table that was not woken now is not unknown
            self._refuse(face, tag, Refused("closing"))
        elif attended is None:
            self._refuse(face, tag, Refused("unknown-token"))
        elif attended.lost:
            self._refuse(face, tag, Refused("table-resting"))
        else:
            then(attended)

    def _give_back(self, face: Face, hashed: str, tag: object, attended: Attended) -> None:
        """Attach one who has come back."""
        table = attended.table
        player = _whose(table, hashed)
        if player is None:
            self._give_organizer(face, hashed, tag, attended)
            return
        older = attended.holder(player)
        if older is not None:
            self._detach(older)
            self._post(older, older.parted, "taken-over")
        if table.presence(player.seat) is Presence.AWAY:
            if not self._do(attended, c.Return(player.seat), face, tag):
                return
        else:
            self._post(face, face.answered, tag, None)
        self._bring_in(face, attended, Place(table.code, player))

    def _give_organizer(self, face: Face, hashed: str, tag: object, attended: Attended) -> None:
        if not attended.table.owned_by(hashed):
            self._refuse(face, tag, Refused("unknown-token"))
            return
        self._post(face, face.answered, tag, None)
        self._bring_in(face, attended, Place(attended.table.code, None, organizer=True))

    def _welcome(self, face: Face, hashed: str, name: str, tag: object, attended: Attended) -> None:
        """Seat one who was invited."""
        invitation = attended.table.invited(hashed)
        if invitation is None:
            self._refuse(face, tag, Refused("unknown-token"))
            return
        brings = attended.table.rules.brings
        brought = None if brings is None else brings()
        self._seat(face, attended, invitation.seat, name, tag, True, brought, hashed)

    def watch(self, face: Face, table: Table, tag: object = None, password: str = "") -> None:
        """Let a face look on: it is answered if it gave a tag, shown the table, then told what all are told."""
        attended = self._attended.get(table.code)
        if attended is None:
            self._refuse(face, tag, Refused("table-closed"))
        elif not table.house.watchers:
            self._refuse(face, tag, Refused("no-watchers"))
        elif table.house.password:
            self._let_in(face, attended, password, tag, partial(self._watch, face, attended, tag))
        else:
            self._watch(face, attended, tag)

    def _watch(self, face: Face, attended: Attended, tag: object) -> None:
        if tag is not None and not attended.lost:
            self._post(face, face.answered, tag, None)
        self._bring_in(face, attended, Place(attended.table.code, None), tag)

    def look(self, face: Face, tag: object = None) -> None:
        """Show a face its table once more, and answer it; refused ``not-at-a-table``."""
        place = face.place
        attended = None if place is None else self._attended.get(place.code)
        if place is None or attended is None or attended.lost:
            self._refuse(face, tag, Refused("not-at-a-table"))
            return
        self._post(face, face.shown, self._view(attended, place))
        self._post(face, face.answered, tag, None)

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

    def wish(self, face: Face, wish: Wish, tag: object = None) -> None:
        """Do what a player or an organizer wishes for; refused ``not-seated``, and as the wish says."""
        place = face.place
        attended = None if place is None else self._attended.get(place.code)
        if place is None or attended is None or not (place.player or place.organizer):
            self._refuse(face, tag, Refused("not-seated"))
            return
        wisher = Wisher(None if place.player is None else place.player.seat, place.organizer)
        try:
            wanted = wish(attended.table, wisher, self._draws.chance)
        except Refused as refusal:
            self._refuse(face, tag, refusal)
        else:
            self._do(attended, wanted, face, tag)

    def command(
        self, face: Face | None, table: Table, command: c.Command, tag: object = None
    ) -> None:
        """Put any other command to a table; a face, if given, is answered."""
        self._do(self._attended[table.code], command, face, tag)

    def seat_bot(self, table: Table, seat: int, name: str, level: str) -> None:
        """Seat a bot; raises Refused ``no-such-level``, all else is refused as for a person."""
        find_bot(table.rules.kind, level)
        self._do(self._attended[table.code], c.Sit(seat, name, level=level), None, None)

    def leave(self, face: Face, why: str = "left") -> None:
        """Take a face from its table for good."""
        self._part(face, lambda table, seat: c.Leave(seat, why))

    def drop(self, face: Face) -> None:
        """Take note that the link of a face is lost."""
        self._part(face, lambda table, seat: c.Drop(seat, table.absence(seat)))

    # -- from one process to the next -------------------------------------------------

    def begin(self) -> Deferred[None]:
        """Learn which tables there are from the journal, and wake those where a bot is to move."""
        return self._shelf.fill().addCallback(self._wake_bots)

    def _wake_bots(self, waiting: Sequence[str]) -> None:
        for code in waiting:
            self._wake(code).addErrback(lambda failure: failure.trap(Refused))

    def close(self) -> Deferred[None]:
        """Open no more tables, part with every face, and fire when the journal is closed.

        Fails with what the journal says if not all that was done is in it.
        """
        closing = self._closing = Deferred()
        in_trouble = self._clocks.standing
        self._clocks.stand()  # for good: no alarm is to be set again
        for attended in self._attended.values():
            self._still(attended)
        if in_trouble:
            self._close_in_trouble()
        else:
            self._outgoing.post(self._part_with_all)
            self._outgoing.drained().addCallback(lambda _: self._close_journal())
        return closing

    def _close_journal(self) -> None:
        closing = self._closing
        if closing is not None and not self._closed:
            self._closed = True
            self._journal.close().chainDeferred(closing)

    def beat(self) -> None:
        """Leave a sign of life, if any clock runs that it could matter to."""
        if any(attended.timer is not None for attended in self._attended.values()):
            self._journal.beat()

    def forget_resting(self, before: float | None) -> None:
        """Put away the games that have been over for an hour, and tables untouched since before a wall time."""
        self._shelf.forget(self._wall() - LAST_LOOK_SECONDS, Stage.OVER.value)
        if before is not None:
            self._shelf.forget(before)

    @property
    def untold(self) -> int:
        """How many commands nobody was told of, since they are not in the journal."""
        return self._outgoing.waiting + self._journal.pending

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
        self._outgoing.post(partial(self._join, face, attended, place, view, turn))

    def _join(
        self, face: Face, attended: Attended, place: Place, view: TableView, turn: Turn | None
    ) -> None:
        if face.place is not place:  # it may have gone before this letter came
            return
        attended.faces.append(face)
        self._guarded(face, face.shown, view)
        if turn is not None and isinstance(face, Follower) and face.place is place:
            attended.followers.append(face)
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


def _whose(table: Table, hashed: str) -> PlayerCore | None:
    """Find the player whom a token was given to, in the same time wherever that player sits."""
    found = None
    if table.stage is Stage.ABANDONED:
        return None
    for seat, core in table.seated().items():
        given = core.token is not None and compare_digest(core.token, hashed)
        if given and table.presence(seat) is not Presence.GONE:
            found = core
    return found
