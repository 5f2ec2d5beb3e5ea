"""The Host: what faces and doors may ask of the tables; the one place where it all meets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hmac import compare_digest
from typing import cast

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gamecore import commands as c
from gamecore.bots import find_bot
from gamecore.errors import Refused
from gamecore.fairness import DEAL_VERSION
from gamecore.game import Stage
from gamecore.player import PlayerCore, Presence
from gamecore.rules import sample
from gamecore.settings import Value, plain_settings, read_settings
from gamecore.table import TABLE_VERSION, Table, TableOptions
from protocols.daemon.attended import Attended
from protocols.daemon.draws import hash_token
from protocols.daemon.journal_lost import JournalLost
from protocols.daemon.tables import Tables
from protocols.door import TableDefaults
from protocols.face import Face, Place
from protocols.wishes import Wish, Wisher

LAST_LOOK_SECONDS = 3600.0  # for so long one who comes back can see how a game ended


class Host(Tables):
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
        brought = sample(attended.table.rules)
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
        if self._closing is not None:  # a View would come behind the parting from its table
            self._refuse(face, tag, Refused("closing"))
            return
        place = face.place
        attended = None if place is None else self._attended.get(place.code)
        if place is None or attended is None or attended.lost:
            self._refuse(face, tag, Refused("not-at-a-table"))
            return
        self._post(face, face.shown, self._view(attended, place))
        self._post(face, face.answered, tag, None)

    def answer(self, face: Face, tag: object) -> None:
        """Answer a face behind all that was done before, where there is nothing else to do for it."""
        self._post(face, face.answered, tag, None)

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

    def seat_bot(self, table: Table, seat: int, name: str, level: str) -> None:
        """Seat a bot; raises Refused ``no-such-level``, all else is refused as for a person."""
        find_bot(table.rules.kind, level)
        sit = c.Sit(seat, name, level=level, brought=sample(table.rules))
        self._do(self._attended[table.code], sit, None, None)

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
