"""How a face comes to a table: to sit, to look on, by a password, by a token, by an invitation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hmac import compare_digest
from typing import cast

from attrs import frozen
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.player import PlayerCore, Presence
from gamecore.rules import sample
from gamecore.table import Table
from protocols.host.attachments import Attachments
from protocols.host.face import Face
from protocols.host.live_table import LiveTable
from protocols.host.passwords import Passwords
from protocols.host.place import Place
from protocols.host.secrets import SecretSource, hash_token
from protocols.host.table_service import TableService
from protocols.journal.errors import JournalLost


@frozen
class Seating:
    """How somebody wishes to sit: where, under which name, with a token to come back by (``keep``) or without.

    ``brought`` is what the game asks to be laid down; ``invitation`` the hash for which the seat was kept.
    """

    seat: int
    name: str
    keep: bool = False
    brought: object = None
    invitation: str | None = None


class Arrivals:
    """Lets faces in; each is answered, and shown the table it comes to, in the one order of the house."""

    _log = Logger()

    def __init__(
        self,
        service: TableService,
        attachments: Attachments,
        secrets: SecretSource,
        passwords: Passwords,
    ) -> None:
        self._service = service
        self._outbox = service.outbox
        self._attachments = attachments
        self._secrets = secrets
        self._passwords = passwords

    # -- to a table that is known -----------------------------------------------------

    def sit(
        self, face: Face, table: Table, seating: Seating, password: str = "", tag: object = None
    ) -> None:
        """Seat a face; refused ``table-closed``, for the password, and as the table says."""
        live = self._service.live.find(table.code)
        if live is None:
            self._outbox.refuse(face, tag, Refused("table-closed"))
        elif table.house.password:
            self._let_in(face, live, password, tag, partial(self._seat, face, live, seating, tag))
        else:
            self._seat(face, live, seating, tag)

    def _seat(self, face: Face, live: LiveTable, seating: Seating, tag: object) -> None:
        code = live.table.code
        token = self._secrets.token(code) if seating.keep else None
        hashed = None if token is None else hash_token(token)
        command = commands.Sit(
            seating.seat, seating.name, hashed, None, seating.brought, seating.invitation
        )
        if not self._service.do(live, command, face, tag):
            return
        if token is not None:
            self._outbox.post(face, face.given, token)
        self._attachments.attach(face, live, Place(code, live.table.player(seating.seat)))

    def watch(self, face: Face, table: Table, password: str = "", tag: object = None) -> None:
        """Let a face look on; refused ``table-closed``, ``no-watchers``, for the password."""
        live = self._service.live.find(table.code)
        if live is None:
            self._outbox.refuse(face, tag, Refused("table-closed"))
        elif not table.house.watchers:
            self._outbox.refuse(face, tag, Refused("no-watchers"))
        elif table.house.password:
            self._let_in(face, live, password, tag, partial(self._watch, face, live, tag))
        else:
            self._watch(face, live, tag)

    def _watch(self, face: Face, live: LiveTable, tag: object) -> None:
        if tag is not None and not live.recovering:
            self._outbox.post(face, face.answered, tag, None)
        self._attachments.attach(face, live, Place(live.table.code, None), tag)

    def _let_in(
        self, face: Face, live: LiveTable, password: str, tag: object, then: Callable[[], None]
    ) -> None:
        """Go on when a face has shown that it knows a table's password, unless it has gone by then."""
        self._attachments.detach(face)
        coming = face.place = Place(live.table.code, None)

        def checked(result: object) -> None:
            if face.place is not coming:
                return
            face.place = None
            if isinstance(result, Failure):
                result.trap(Refused)
                self._outbox.refuse(face, tag, cast(Refused, result.value))
            else:
                then()

        sealed = live.table.house.password
        checking = self._passwords.check(live.table.code, sealed, password)
        checking.addBoth(checked)
        checking.addErrback(lambda failure: self._log.failure("a password", failure))

    # -- by a token -------------------------------------------------------------------

    def come_back(self, face: Face, token: str, tag: object = None) -> None:
        """Give a face the place that a token belongs to.

        Refused: ``unknown-token``, ``table-resting``, ``closing``.
        """
        self._by_token(face, token, tag, partial(self._give_back, face, hash_token(token), tag))

    def accept(self, face: Face, token: str, name: str, tag: object = None) -> None:
        """Seat a face by an invitation; refused as ``come_back`` is, and as the table says."""
        self._by_token(face, token, tag, partial(self._welcome, face, hash_token(token), name, tag))

    def _by_token(
        self, face: Face, token: str, tag: object, then: Callable[[LiveTable], None]
    ) -> None:
        """Go on at the table that a token belongs to, awake, unless the face has gone by then."""
        code, hashed = token.partition(".")[0].upper(), hash_token(token)
        self._attachments.detach(face)
        coming = face.place = Place(code, None)
        if code not in self._service.dormant:
            self._arrive(face, coming, tag, then)
            return
        # A table is woken, and its record grows by it, for none but those who belong there.
        knowing = self._service.dormant.knows(code, hashed)
        knowing.addCallback(
            lambda known: self._service.wake(code) if known and face.place is coming else None
        )
        knowing.addCallbacks(
            lambda _: self._arrive(face, coming, tag, then),
            partial(self._not_woken, face, coming, tag),
        )

    def _not_woken(self, face: Face, coming: Place, tag: object, failure: Failure) -> None:
        """Let one who may belong there keep the token: it is the journal that cannot be read."""
        if not failure.check(Refused, JournalLost):  # else it is in the log already
            self._log.failure("table {code} cannot be woken", failure, code=coming.code)
        if face.place is coming:
            face.place = None
            refused = failure.value if isinstance(failure.value, Refused) else None
            why = "table-resting" if refused is None else refused.key
            said = "unknown-token" if why == "no-such-table" else why
            self._outbox.refuse(face, tag, Refused(said))

    def _arrive(
        self, face: Face, coming: Place, tag: object, then: Callable[[LiveTable], None]
    ) -> None:
        if face.place is not coming:
            return
        face.place = None
        live = self._service.live.find(coming.code)
        if self._service.closing:  # first: a table that was not woken now is not unknown
            self._outbox.refuse(face, tag, Refused("closing"))
        elif live is None:
            self._outbox.refuse(face, tag, Refused("unknown-token"))
        elif live.recovering:
            self._outbox.refuse(face, tag, Refused("table-resting"))
        else:
            then(live)

    def _give_back(self, face: Face, hashed: str, tag: object, live: LiveTable) -> None:
        """Attach one who has come back; the older link of the same player is parted with."""
        table = live.table
        player = _whose(table, hashed)
        if player is None:
            self._give_organizer(face, hashed, tag, live)
            return
        older = live.holder(player)
        if older is not None:
            self._attachments.detach(older)
            self._outbox.post(older, older.parted, "taken-over")
        if table.presence(player.seat) is Presence.AWAY:
            if not self._service.do(live, commands.Return(player.seat), face, tag):
                return
        else:
            self._outbox.post(face, face.answered, tag, None)
        self._attachments.attach(face, live, Place(table.code, player))

    def _give_organizer(self, face: Face, hashed: str, tag: object, live: LiveTable) -> None:
        if not live.table.owned_by(hashed):
            self._outbox.refuse(face, tag, Refused("unknown-token"))
            return
        self._outbox.post(face, face.answered, tag, None)
        self._attachments.attach(face, live, Place(live.table.code, None, organizer=True))

    def _welcome(self, face: Face, hashed: str, name: str, tag: object, live: LiveTable) -> None:
        """Seat one who was invited."""
        invitation = live.table.invited(hashed)
        if invitation is None:
            self._outbox.refuse(face, tag, Refused("unknown-token"))
            return
        brought = sample(live.table.rules)
        self._seat(face, live, Seating(invitation.seat, name, True, brought, hashed), tag)


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
