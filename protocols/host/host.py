"""The Host: what faces and doors may ask of the tables; the one place where it all meets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hmac import compare_digest
from typing import cast

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gamecore import commands
from gamecore.bots import find_bot
from gamecore.errors import Refused
from gamecore.fairness import DEAL_VERSION
from gamecore.game import Stage
from gamecore.player import PlayerCore, Presence
from gamecore.rules import sample
from gamecore.settings import Value, plain_settings, read_settings
from gamecore.table import TABLE_VERSION, Table
from gamecore.table_options import TableOptions
from protocols.host.door import TableDefaults
from protocols.host.face import Face, Place
from protocols.host.live_table import LiveTable
from protocols.host.secrets import hash_token
from protocols.host.table_actions import Requester, TableAction
from protocols.host.table_service import TableService
from protocols.journal.errors import JournalLost

DAY_SECONDS = 86_400.0
LAST_LOOK_SECONDS = 3600.0  # for so long one who comes back can see how a game ended


class Host(TableService):
    """The tables of one daemon, as faces and doors meet them."""

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
        code = self._secrets.code((self._live, self._dormant))
        command = commands.Open(
            code=code,
            kind=kind,
            rules=rules.version,
            table=TABLE_VERSION,
            deal=DEAL_VERSION,
            name=name,
            seed=self._secrets.seed(),
            options=plain_settings(read_settings(rules.options, {**usual.options, **options})),
            house=plain_settings(read_settings(TableOptions, {**usual.house, **house})),
            owner=None if owner is None else hash_token(f"{code}.{owner}"),
        )
        live = LiveTable(self.hall.open(command), self._clocks.seconds())
        self._live[command.code] = live
        self._note(live)
        self._record(live, command, 0.0)
        self._clocks.set(live)
        return live.table

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
        live = self._live.get(table.code)
        if live is None:
            self._refuse(face, tag, Refused("table-closed"))
        elif table.house.password:
            seat_it = partial(self._seat, face, live, seat, name, tag, keep, brought)
            self._let_in(face, live, password, tag, seat_it)
        else:
            self._seat(face, live, seat, name, tag, keep, brought)

    def _seat(
        self,
        face: Face,
        live: LiveTable,
        seat: int,
        name: str,
        tag: object,
        keep: bool,
        brought: object,
        invitation: str | None = None,
    ) -> None:
        table = live.table
        token = self._secrets.token(table.code) if keep else None
        command = commands.Sit(
            seat, name, hash_token(token) if token else None, None, brought, invitation
        )
        if not self._do(live, command, face, tag):
            return
        if token is not None:
            self._post(face, face.given, token)
        self._bring_in(face, live, Place(table.code, live.table.player(seat)))

    def _let_in(
        self, face: Face, live: LiveTable, password: str, tag: object, then: Callable[[], None]
    ) -> None:
        """Go on when a face has shown that it knows a table's password, unless it has gone by then."""
        self._detach(face)
        coming = face.place = Place(live.table.code, None)

        def checked(result: object) -> None:
            if face.place is not coming:
                return
            face.place = None
            if isinstance(result, Failure):
                result.trap(Refused)
                self._refuse(face, tag, cast(Refused, result.value))
            else:
                then()

        sealed = live.table.house.password
        checking = self._passwords.check(live.table.code, sealed, password)
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
        self, face: Face, token: str, tag: object, then: Callable[[LiveTable], None]
    ) -> None:
        """Go on at the table that a token belongs to, awake, unless the face has gone by then."""
        code, hashed = token.partition(".")[0].upper(), hash_token(token)
        self._detach(face)
        coming = face.place = Place(code, None)
        if code in self._dormant:
            # A table is woken, and its record grows by it, for none but those who belong there.
            knowing = self._dormant.knows(code, hashed)
            knowing.addCallback(
                lambda known: self._wake(code) if known and face.place is coming else None
            )
            knowing.addCallbacks(
                lambda _: self._arrive(face, coming, tag, then),
                partial(self._not_woken, face, coming, tag),
            )
        else:
            self._arrive(face, coming, tag, then)

    def _not_woken(self, face: Face, coming: Place, tag: object, failure: Failure) -> None:
        """Let one who may belong there keep the token: it is the journal that cannot be read."""
        if not failure.check(Refused, JournalLost):  # else it is in the log already
            self._log.failure("table {code} cannot be woken", failure, code=coming.code)
        if face.place is coming:
            face.place = None
            gone = failure.check(Refused) and str(failure.value) == "no-such-table"
            self._refuse(face, tag, Refused("unknown-token" if gone else "table-resting"))

    def _arrive(
        self, face: Face, coming: Place, tag: object, then: Callable[[LiveTable], None]
    ) -> None:
        if face.place is not coming:
            return
        face.place = None
        live = self._live.get(coming.code)
        if self._closing is not None:  # first: a table that was not woken now is not unknown
            self._refuse(face, tag, Refused("closing"))
        elif live is None:
            self._refuse(face, tag, Refused("unknown-token"))
        elif live.lost:
            self._refuse(face, tag, Refused("table-resting"))
        else:
            then(live)

    def _give_back(self, face: Face, hashed: str, tag: object, live: LiveTable) -> None:
        """Attach one who has come back."""
        table = live.table
        player = _whose(table, hashed)
        if player is None:
            self._give_organizer(face, hashed, tag, live)
            return
        older = live.holder(player)
        if older is not None:
            self._detach(older)
            self._post(older, older.parted, "taken-over")
        if table.presence(player.seat) is Presence.AWAY:
            if not self._do(live, commands.Return(player.seat), face, tag):
                return
        else:
            self._post(face, face.answered, tag, None)
        self._bring_in(face, live, Place(table.code, player))

    def _give_organizer(self, face: Face, hashed: str, tag: object, live: LiveTable) -> None:
        if not live.table.owned_by(hashed):
            self._refuse(face, tag, Refused("unknown-token"))
            return
        self._post(face, face.answered, tag, None)
        self._bring_in(face, live, Place(live.table.code, None, organizer=True))

    def _welcome(self, face: Face, hashed: str, name: str, tag: object, live: LiveTable) -> None:
        """Seat one who was invited."""
        invitation = live.table.invited(hashed)
        if invitation is None:
            self._refuse(face, tag, Refused("unknown-token"))
            return
        brought = sample(live.table.rules)
        self._seat(face, live, invitation.seat, name, tag, True, brought, hashed)

    def watch(self, face: Face, table: Table, tag: object = None, password: str = "") -> None:
        """Let a face look on: it is answered if it gave a tag, shown the table, then told what all are told."""
        live = self._live.get(table.code)
        if live is None:
            self._refuse(face, tag, Refused("table-closed"))
        elif not table.house.watchers:
            self._refuse(face, tag, Refused("no-watchers"))
        elif table.house.password:
            self._let_in(face, live, password, tag, partial(self._watch, face, live, tag))
        else:
            self._watch(face, live, tag)

    def _watch(self, face: Face, live: LiveTable, tag: object) -> None:
        if tag is not None and not live.lost:
            self._post(face, face.answered, tag, None)
        self._bring_in(face, live, Place(live.table.code, None), tag)

    def look(self, face: Face, tag: object = None) -> None:
        """Show a face its table once more, and answer it; refused ``not-at-a-table``."""
        if self._closing is not None:  # a View would come behind the parting from its table
            self._refuse(face, tag, Refused("closing"))
            return
        place = face.place
        live = None if place is None else self._live.get(place.code)
        if place is None or live is None or live.lost:
            self._refuse(face, tag, Refused("not-at-a-table"))
            return
        self._post(face, face.shown, self._view(live, place))
        self._post(face, face.answered, tag, None)

    def answer(self, face: Face, tag: object) -> None:
        """Answer a face behind all that was done before, where there is nothing else to do for it."""
        self._post(face, face.answered, tag, None)

    def request(self, face: Face, action: TableAction, tag: object = None) -> None:
        """Do what a player or an organizer asks of the table; refused ``not-seated``, and as the action says."""
        place = face.place
        live = None if place is None else self._live.get(place.code)
        if place is None or live is None or not (place.player or place.organizer):
            self._refuse(face, tag, Refused("not-seated"))
            return
        requester = Requester(None if place.player is None else place.player.seat, place.organizer)
        try:
            wanted = action(live.table, requester, self._secrets.chance)
        except Refused as refusal:
            self._refuse(face, tag, refusal)
        else:
            self._do(live, wanted, face, tag)

    def seat_bot(self, table: Table, seat: int, name: str, level: str) -> None:
        """Seat a bot; raises Refused ``no-such-level``, all else is refused as for a person."""
        find_bot(table.rules.kind, level)
        sit = commands.Sit(seat, name, level=level, brought=sample(table.rules))
        self._do(self._live[table.code], sit, None, None)

    # -- from one process to the next -------------------------------------------------

    def begin(self) -> Deferred[None]:
        """Learn which tables there are from the journal, and wake those where a bot is to move."""
        return self._dormant.fill().addCallback(self._wake_bots)

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
        for live in self._live.values():
            self._still(live)
        if in_trouble:
            self._close_in_trouble()
        else:
            self._queue.post(self._part_with_all)
            self._queue.drained().addCallback(lambda _: self._close_journal())
        return closing

    def beat(self) -> None:
        """Leave a sign of life, which matters if any clock runs."""
        matters = any(live.timer is not None for live in self._live.values())
        self._journal.beat(self._clocks.seconds(), matters)

    def forget_resting(self, keep: float | None) -> None:
        """Put away the games that have been over for an hour, and forget what nobody touched for so many seconds.

        The hour and the seconds are such as the house has lived; None keeps for ever.
        """
        self._dormant.forget(LAST_LOOK_SECONDS, Stage.OVER.value)
        if keep is not None:
            count = self._dormant.forget(keep)
            if count:
                self._log.info(
                    "{count} tables that nobody touched for {days:g} days are given up",
                    count=count,
                    days=keep / DAY_SECONDS,
                )
            self._journal.forget(self._journal.age - keep)

    @property
    def untold(self) -> int:
        """How many commands nobody was told of, since they are not in the journal."""
        return self._queue.waiting + self._journal.pending


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
