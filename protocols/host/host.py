"""The Host: what faces and doors may ask of the tables; it owns all that they are served by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random, SystemRandom
from typing import TypeVar

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger

from gamecore import commands
from gamecore.bots import find_bot
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.rules import Move, OrganizerMove, sample
from gamecore.settings import Value
from gamecore.table import Table
from protocols.host import table_actions
from protocols.host.arrivals import Arrivals
from protocols.host.attachments import Attachments
from protocols.host.card import Card
from protocols.host.closing import Closing
from protocols.host.directory import Directory
from protocols.host.door import TableDefaults
from protocols.host.dormant import VOID
from protocols.host.face import Face
from protocols.host.hints import Hints
from protocols.host.ladder import Ladder
from protocols.host.matching import Matching, Wanted
from protocols.host.observers import Observers
from protocols.host.openings import Openings
from protocols.host.passwords import InThread, Passwords
from protocols.host.people import People
from protocols.host.records import EndedRecord, Records
from protocols.host.recovery import Recovery
from protocols.host.seating import Seating
from protocols.host.secrets import SecretSource
from protocols.host.slices import Slices
from protocols.host.table_actions import Requester, TableAction
from protocols.host.table_service import TableService
from protocols.host.thinking import NOBODY, Thinking
from protocols.host.waking import Waking
from protocols.journal.interface import Journal
from protocols.net.admission import SEAT, Admission, AdmissionSettings
from protocols.net.turns import Turns

T = TypeVar("T")

DAY_SECONDS = 86_400.0
LAST_LOOK_SECONDS = 3600.0  # for so long one who comes back can see how a game ended


class Host:
    """The tables of one daemon, as faces and doors meet them.

    ``people`` are in the hall, ``attachments`` at tables; ``admission`` bounds each address; ``hints`` say
    what to play. ``service`` does all; its ``cork`` is held while all hear. ``on_lost`` is the end.
    """

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
        thinking: Thinking = NOBODY,
        admission: AdmissionSettings | None = None,
        quietly: InThread | None = None,
    ) -> None:
        """Serve a hall; ``wall`` tells the time of day, ``chance`` draws seeds and codes.

        ``seconds`` is what table time runs by, if not the clock: one that nobody can set back. ``defaults`` are by
        game. What takes long is done ``in_thread``, passwords perhaps ``quietly``, or by who is ``thinking``.
        """
        chance = SystemRandom() if chance is None else chance
        seconds = clock.seconds if seconds is None else seconds
        self.admission = Admission(seconds, admission, chance)
        self.on_lost: Callable[[Exception], None] = self._log_lost
        self._secrets = SecretSource(chance)
        self._passwords = Passwords(quietly or in_thread, seconds, self.admission)
        self.ladder = Ladder(journal, hall.registry)
        self.service = TableService(hall, journal, clock, wall, chance, seconds, thinking)
        set_aside = self.service.dormant.is_set_aside
        self._records = Records(journal, hall.registry, in_thread, set_aside)
        self._openings = Openings(self.service, self._secrets, self.admission, defaults or {})
        self.people = People(seconds, self.service.live.faces_at, Slices(clock))
        self.hints = Hints(self.service, chance, self.admission)
        self.cork = self.service.cork
        self.attachments = Attachments(self.service)
        self.turns = Turns(clock, seconds, self.attachments.is_awaited)
        self._waking = Waking(self.service)
        at = self.service, self._waking, self.attachments
        self._arrivals = Arrivals(*at, self._secrets, self._passwords, self._records)
        outbox = self.service.outbox
        seats = self._arrivals, self._passwords, self._openings
        self._matching = Matching(self.service, *seats)
        self._closing = Closing(self.service, self.attachments)
        self.service.on_bug = Recovery(self.service, self.attachments).set_aside
        self.service.on_gone = self.attachments.part_with_idle
        outbox.on_failed = partial(self.attachments.cut_off, reason="error")
        journal.on_trouble = self._closing.pause
        journal.on_lost = lambda problem: self.on_lost(problem)

    @property
    def hall(self) -> Hall:
        """All tables that are awake, to look at; only the Host changes them."""
        return self.service.hall

    @property
    def directory(self) -> Directory:
        """Every live table, awake or at rest, as it is listed and found."""
        return self.service.directory

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""
        return self.service.clock

    @property
    def draining(self) -> bool:
        """Whether the daemon is about to end, and no game begins any more."""
        return self.service.draining

    @property
    def observers(self) -> Observers:
        """Who else is told what happens at the tables."""
        return self.service.observers

    def faces_at(self, code: str) -> Sequence[Face]:
        """List the faces that are at a table, if it is awake."""
        return self.service.live.faces_at(code)

    # -- what doors ask for -----------------------------------------------------------

    def follow(self, defaults: Mapping[str, TableDefaults]) -> None:
        """Open tables from now on as these defaults have it."""
        self._openings.defaults = defaults

    def seek(self, code: str) -> Deferred[None] | None:
        """Ask for a table that another daemon of the house may have opened just now, as ``Waking.seek``."""
        return self._waking.seek(code)

    def usual_options(self, kind: str) -> Mapping[str, Value]:
        """Tell what a game is played by here where nobody says otherwise; raises Refused ``no-such-game``."""
        return self._openings.complete(self.hall.registry.latest(kind), {})

    def open(
        self,
        kind: str,
        name: str,
        options: Mapping[str, Value],
        house: Mapping[str, Value],
        owner: str | None = None,
        by: str | None = None,
    ) -> Card:
        """Open a table; what is not said is as this house has it.

        With ``owner``, a secret, it has an organizer, whose token is the table's code, a full stop and it. ``by``
        is the address it is counted for, here and where else it is asked for; None is the house.
        Raises Refused ``closing``, ``draining``, ``no-such-game``, ``hall-full``, ``too-fast``,
        ``too-many-tables``, ``too-many-waiting``, or for options out of bounds.
        """
        try:
            return self._openings.open(kind, name, options, house, owner, by)
        except Refused as refusal:
            self.service.outbox.on_refused(refusal)
            raise

    def seal(self, password: str, by: str | None = None) -> Deferred[str]:
        """Make of a password what may be written down; it becomes a table's ``password`` in ``house``.

        Fails with Refused ``password-too-long``, ``too-many-passwords``.
        """
        return self._passwords.seal(password, by)

    # -- what faces ask for -----------------------------------------------------------

    def sit(
        self,
        face: Face,
        code: str,
        seat: int | None,
        name: str,
        tag: object = None,
        keep: bool = False,
        brought: object = None,
        password: str = "",
        otherwise: Iterable[str] = (),
        lock: str = "",
        by: str | None = None,
    ) -> None:
        """Seat a face at the table of a code: it is answered and then shown the table, or answered why not.

        Without a ``seat`` it is the first that is free; ``otherwise`` are names to be called if somebody has the
        first. With ``keep`` it is given a token that brings its player back. ``lock`` is what a word was sealed to
        that the face has said at its door: it need not be said again. Refused ``no-such-table``, ``table-full``,
        ``game-began``, ``too-many-seats``, for the password, and as the table says.
        """
        seating = Seating(seat, name, keep, brought, otherwise=otherwise)
        if self._may_sit(face, tag, by):
            self._arrivals.sit(face, code, seating, password, tag, lock, by)

    def _may_sit(self, face: Face, tag: object, by: str | None) -> bool:
        try:
            self.admission.spend(by, SEAT)
        except Refused as refusal:
            self.service.outbox.refuse(face, tag, refusal)
            return False
        return True

    def give_token(self, face: Face) -> None:
        """Let the player of a face come back from now on: it is given a token, unless it has one or no seat."""
        self._arrivals.give_token(face)

    def match(
        self,
        face: Face,
        kind: str,
        seat: int | None,
        name: str,
        options: Mapping[str, Value],
        house: Mapping[str, Value],
        tag: object = None,
        keep: bool = False,
        brought: object = None,
        password: str = "",
        otherwise: Iterable[str] = (),
        also: Iterable[Mapping[str, Value]] = (),
        by: str | None = None,
    ) -> None:
        """Seat a face with others who came without a code and want the same, else at a table of its own.

        They meet where the options are these, or one of ``also``, that begins by itself and where somebody is; with
        ``password``, a word they all had to say. Answered as ``sit``, refused also as ``open`` is.
        """
        rules = self.hall.registry.latest(kind)
        complete = [self._openings.complete(rules, each) for each in (options, *also)]
        wanted = Wanted(kind, complete[0], house, password, complete[1:])
        seating = Seating(seat, name, keep, brought, otherwise=otherwise)
        if self._may_sit(face, tag, by):
            self._matching.seat(face, wanted, seating, tag, by)

    def watch(
        self, face: Face, code: str, tag: object = None, password: str = "", by: str | None = None
    ) -> None:
        """Let a face look on: it is answered if it gave a tag, shown the table, then told what all are told.

        Refused ``no-such-table``, ``no-watchers``, and for the password.
        """
        self._arrivals.watch(face, code, password, tag, by)

    def come_back(self, face: Face, token: str, tag: object = None) -> None:
        """Give a face the place of the player who was given a token; the older link is parted with.

        An organizer's token gives the organizer's place. The face is shown the table, or answered with
        ``unknown-token``, ``lost-by-absence``, ``restarted`` if the house went down under the game, which is void,
        or ``table-unreadable`` if its record is damaged.
        """
        self._arrivals.come_back(face, token, tag)

    def accept(self, face: Face, token: str, name: str, tag: object = None) -> None:
        """Seat a face by an invitation, as ``sit`` does with ``keep``; refused ``unknown-token`` as well."""
        self._arrivals.accept(face, token, name, tag)

    def look(self, face: Face, tag: object = None, anew: bool = False) -> None:
        """Show a face its table once more, behind all that it was told, and answer it.

        ``anew``, as it stands wherever it is awake. Refused ``not-at-a-table``, ``closing``, ``table-away``.
        """
        self.attachments.look(face, tag, anew)

    def submit(self, face: Face, move: Move, tag: object = None) -> None:
        """Play a move for the seat of a face; it hears ``told`` and ``answered`` in their time.

        What an organizer says needs no seat. Refused ``not-organizer``, ``not-seated``, ``table-closed``,
        and as the rules say.
        """
        if isinstance(move, OrganizerMove):
            self.request(face, table_actions.organize(move), tag)
        else:
            self.service.submit(face, move, tag)

    def answer(self, face: Face, tag: object) -> None:
        """Answer a face behind all that was done before; refused ``closing`` where nothing is done any more."""
        refusal = Refused("closing") if self.service.closing else None
        self.service.outbox.post(face, face.answered, tag, refusal)

    def request(self, face: Face, action: TableAction, tag: object = None) -> None:
        """Do what a player or an organizer asks of the table; refused ``not-seated``, and as the action says.

        Refused ``restarted`` where the game is void since the house went down under it.
        """
        place = face.place
        live = self.service.live.at(place)
        if place is None or live is None or not (place.player or place.organizer):
            self.service.outbox.refuse(face, tag, Refused("not-seated"))
            return
        # Or the action would take for present who was so when the table went to rest.
        self.service.rouse(live)
        try:
            if live.table.void:
                raise Refused(commands.RESTARTED)
            command = action(
                live.table, Requester(place.seat, place.organizer), self._secrets.chance
            )
        except Refused as refusal:
            self.service.outbox.refuse(face, tag, refusal)
        else:
            self.service.do(live, command, face, tag)

    def command(
        self, face: Face | None, table: Table, command: commands.Command, tag: object = None
    ) -> None:
        """Put any other command to a table, for the house itself; a face, if given, is answered.

        Raises KeyError for a table that is not awake.
        """
        live = self.service.live.find(table.code)
        if live is None:
            raise KeyError(table.code)
        self.service.do(live, command, face, tag)

    def seat_bot(self, table: Table, seat: int, name: str, level: str) -> None:
        """Seat a bot; raises Refused ``no-such-level``, all else is refused as for a person."""
        find_bot(table.rules.kind, level)
        self.command(None, table, commands.Sit(seat, name, None, level, sample(table.rules)))

    def check_open(self) -> None:
        """Raise Refused ``closing`` where nothing is done any more."""
        self.service.check_open()

    def leave(self, face: Face, why: str = "left") -> None:
        """Take a face from its table for good; the seat is still kept in a house that closes."""
        self.attachments.leave(face, why)

    def input_ended(self, face: Face) -> None:
        """Take note that the peer of a face will say no more; where no game is played its seat may be free now."""
        self.attachments.input_ended(face)

    def drop(self, face: Face) -> None:
        """Take note that the link of a face is lost."""
        self.attachments.drop(face)

    def record(self, face: Face, wanted: str, draw: Callable[[EndedRecord], T]) -> Deferred[T]:
        """Give what ``draw`` makes, in another thread, of the games that are over at a table.

        ``wanted`` is the code of a table where everybody may look on, or of the one where the face sits; or a
        token that was given at any. Fails with Refused ``no-such-record``, ``table-unreadable``,
        ``table-resting``, ``too-fast``.
        """
        return self._records.read(wanted, face.place, draw)

    # -- from one process to the next -------------------------------------------------

    def begin(self) -> Deferred[None]:
        """Learn which tables there are from the journal, and wake those where a bot is to move."""
        return self._openings.codes.fill().addCallback(lambda _: self._waking.begin())

    def close(self) -> Deferred[None]:
        """Open no more tables, part with every face, and fire when the journal is closed.

        Fails with what the journal says if not all that was done is in it.
        """
        return self._closing.close()

    def beat(self) -> None:
        """Leave a sign of life, which matters if any clock runs."""
        matters = any(live.timer is not None for live in self.service.live)
        self.service.journal.beat(self.service.clocks.seconds(), matters)

    def forget_resting(self, keep: float | None) -> None:
        """Put away the games that have been over for an hour, and forget what nobody touched for so many seconds.

        Those that are void are put away after a day. It is all time that the house has lived; None keeps for ever.
        """
        dormant, journal = self.service.dormant, self.service.journal
        dormant.forget(LAST_LOOK_SECONDS, Stage.OVER.value)
        dormant.forget(DAY_SECONDS, VOID)
        if keep is not None:
            journal.forget(journal.age - keep)
            dormant.give_up(keep, keep / DAY_SECONDS)

    @property
    def untold(self) -> int:
        """How many commands nobody was told of, since they are not in the journal."""
        return self.service.queue.waiting + self.service.journal.pending

    def _log_lost(self, problem: Exception) -> None:
        self._log.critical("nothing is written or told any more: {problem}", problem=problem)
