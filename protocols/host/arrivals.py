"""How a face comes to a table: to sit, to look on, by a password, by a token, by an invitation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hmac import compare_digest
from typing import cast

from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore import commands
from gamecore.commands import RESTARTED
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.player import PlayerCore, Presence
from gamecore.rules import sample
from gamecore.table import Table
from protocols.host.attachments import Attachments
from protocols.host.card import card_of
from protocols.host.coming import Coming
from protocols.host.dormant import VOID
from protocols.host.face import Face
from protocols.host.live_table import LiveTable
from protocols.host.passwords import Passwords
from protocols.host.place import Place
from protocols.host.reaching import Approach, Reaching
from protocols.host.records import Records, was_lost_by_absence
from protocols.host.seating import Seating
from protocols.host.secrets import SecretSource, hash_token
from protocols.host.table_service import TableService
from protocols.host.waking import Waking
from protocols.net.limits import AddressBuckets, counted_as

# How often one address may come to one table, and one player come back to it: everybody there hears of each time.
_COMINGS_A_SECOND, _COMINGS_AT_ONCE, _REMEMBERED = 1.0, 40.0, 4096

# Why a record cannot be read now, of a table that there may be.
_UNREAD = frozenset({"table-resting", "table-unreadable", "closing"})


class Arrivals:
    """Lets faces in; each is answered, and shown the table it comes to, in the one order of the house."""

    _log = Logger()

    def __init__(
        self,
        service: TableService,
        waking: Waking,
        attachments: Attachments,
        secrets: SecretSource,
        passwords: Passwords,
        records: Records,
    ) -> None:
        self._service = service
        self._outbox = service.outbox
        self._attachments = attachments
        self._secrets = secrets
        self._passwords = passwords
        self._records = records
        self._reaching = Reaching(service, waking, attachments)
        self._coming = Coming(service, attachments)
        self._comings = AddressBuckets(_COMINGS_A_SECOND, _COMINGS_AT_ONCE, _REMEMBERED)

    # -- to a table that is known -----------------------------------------------------

    def sit(
        self,
        face: Face,
        code: str,
        seating: Seating,
        password: str = "",
        tag: object = None,
        lock: str = "",
        by: str | None = None,
    ) -> None:
        """Seat a face; refused ``no-such-table``, ``game-began``, for the password, and as the table says.

        One who has said the word that ``lock`` was made of need not say it again where that is the table's.
        """
        code = code.upper()
        if self._reaching.rests(code) not in (None, Stage.GATHERING.value, VOID):
            self._outbox.refuse(face, tag, Refused("game-began"))
            return
        then = partial(self._seat, face, seating, tag, by)
        ask = partial(self._ask, face, password, tag, then, lock=lock, by=by)
        self._by_code(face, code, tag, ask)

    def sit_or_else(
        self,
        face: Face,
        code: str,
        seating: Seating,
        tag: object,
        gone: Callable[[], None],
        otherwise: Callable[[], None],
    ) -> None:
        """Seat a face at a table where somebody waits for others; whatever else is found, it hears nothing of it.

        Where there is no such table ``gone`` is called, and ``otherwise`` if nobody waits there or no seat is free.
        """

        def come(live: LiveTable) -> None:
            if card_of(live.table).awaits(seating.seat):
                self._seat(face, seating, tag, None, live, otherwise)
            else:
                otherwise()

        self._reaching.reach(Approach(face, code, lambda refusal: otherwise(), gone, come))

    def _may_come(self, live: LiveTable, who: str) -> bool:
        """Count that all at a table hear of somebody who comes, and will hear of it if they go again."""
        return self._comings.take(f"{live.table.code} {who}", self._service.clocks.seconds())

    def _seat(
        self,
        face: Face,
        seating: Seating,
        tag: object,
        by: str | None,
        live: LiveTable,
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Seat a face; where that cannot be it is refused, or ``otherwise`` is called if that is given."""
        if by is not None and not self._may_come(live, counted_as(by)):
            self._outbox.refuse(face, tag, Refused("too-fast"))
            return
        if self._service.draining:  # before a table is woken here for it
            self._outbox.refuse(face, tag, Refused("draining"))
            return
        self._service.rouse(live)
        code = live.table.code
        token = self._secrets.token(code) if seating.keep else None
        try:
            command = seating.at(live.table, None if token is None else hash_token(token))
        except Refused as refusal:
            if otherwise is None:
                self._outbox.refuse(face, tag, refusal)
            else:
                otherwise()
            return

        def arrive() -> PlayerCore:
            return live.table.player(command.seat)

        self._coming.come(face, live, command, tag, arrive, token, otherwise)

    def give_token(self, face: Face) -> None:
        """Let a player come back from now on who sat down without a token, by one that the face is given."""
        place = face.place
        live = self._service.live.at(place)
        if live is None or place is None or place.player is None or place.player.token is not None:
            return
        token = self._secrets.token(place.code)
        given = partial(self._outbox.post, face, face.given, token)
        self._service.do(live, commands.GiveToken(place.player.seat, hash_token(token)), then=given)

    def watch(
        self,
        face: Face,
        code: str,
        password: str = "",
        tag: object = None,
        by: str | None = None,
    ) -> None:
        """Let a face look on; refused ``no-such-table``, ``no-watchers``, for the password."""
        ask = partial(self._ask, face, password, tag, partial(self._watch, face, tag), by=by)

        def look_on(live: LiveTable) -> None:
            if live.table.house.watchers:
                ask(live)
            else:
                self._outbox.refuse(face, tag, Refused("no-watchers"))

        self._by_code(face, code.upper(), tag, look_on)

    def _by_code(
        self, face: Face, code: str, tag: object, then: Callable[[LiveTable], None]
    ) -> None:
        """Go on at the table of a code; refused ``no-such-table`` also where only its players are to hear of it."""
        refuse = partial(self._outbox.refuse, face, tag)
        gone = partial(refuse, Refused("no-such-table"))
        if self._reaching.rests(code) == VOID:
            gone()
        else:
            self._reaching.reach(Approach(face, code, refuse, gone, then))

    def _ask(
        self,
        face: Face,
        password: str,
        tag: object,
        then: Callable[[LiveTable], None],
        live: LiveTable,
        lock: str = "",
        by: str | None = None,
    ) -> None:
        """Go on at a table when its password, if it has one, was said."""
        sealed = live.table.house.password
        if sealed and not compare_digest(sealed.encode(), lock.encode()):
            self._let_in(face, live, password, tag, then, by)
        elif password and not sealed:  # what was said is not passed over in silence
            self._outbox.refuse(face, tag, Refused("no-password-wanted"))
        else:
            then(live)

    def _watch(self, face: Face, tag: object, live: LiveTable) -> None:
        if tag is not None and not live.recovering:
            self._outbox.post(face, face.answered, tag, None)
        self._attachments.attach(face, live, Place(live.table.code, None), tag)

    def _let_in(
        self,
        face: Face,
        live: LiveTable,
        password: str,
        tag: object,
        then: Callable[[LiveTable], None],
        by: str | None,
    ) -> None:
        """Go on when a face has shown that it knows a table's password, unless it has gone by then."""
        self._attachments.detach(face)
        code = live.table.code
        refuse = partial(self._outbox.refuse, face, tag)
        coming = face.place = Place.on_the_way()

        def checked(result: object) -> None:
            if face.place is coming:
                face.place = None
                if isinstance(result, Failure):
                    result.trap(Refused)
                    refuse(cast(Refused, result.value))
                else:  # it may have gone to rest meanwhile, and been woken again
                    gone = partial(refuse, Refused("table-closed"))
                    self._reaching.reach(Approach(face, code, refuse, gone, then))
            self._reaching.let_rest(live)

        checking = self._passwords.check(code, live.table.house.password, password, by)
        checking.addBoth(checked)
        checking.addErrback(lambda failure: self._log.failure("a password", failure))

    # -- by a token -------------------------------------------------------------------

    def come_back(self, face: Face, token: str, tag: object = None) -> None:
        """Give a face the place that a token belongs to.

        Refused: ``unknown-token``, ``lost-by-absence``, ``restarted`` where the game is void, ``table-resting``,
        ``too-fast``, ``closing``.
        """
        hashed = hash_token(token)
        gone = partial(self._refuse_gone, face, token, hashed, tag)
        self._by_token(face, token, tag, gone, partial(self._give_back, face, hashed, tag))

    def accept(self, face: Face, token: str, name: str, tag: object = None) -> None:
        """Seat a face by an invitation; refused as ``come_back`` is, and as the table says."""
        gone = partial(self._outbox.refuse, face, tag, Refused("unknown-token"))
        self._by_token(
            face, token, tag, gone, partial(self._welcome, face, hash_token(token), name, tag)
        )

    def _by_token(
        self,
        face: Face,
        token: str,
        tag: object,
        gone: Callable[[], None],
        then: Callable[[LiveTable], None],
    ) -> None:
        """Go on at the table that a token belongs to, or where it is ``gone``."""
        self._attachments.detach(face)
        refuse = partial(self._outbox.refuse, face, tag)
        code = token.partition(".")[0].upper()
        self._reaching.reach(Approach(face, code, refuse, gone, then))

    def _refuse_gone(self, face: Face, token: str, hashed: str, tag: object) -> None:
        """Tell one whose table is no more whether the seat there was lost by being away."""
        coming = face.place = Place.on_the_way()

        def read(lost: bool | Failure) -> None:
            if face.place is coming:
                face.place = None
                refused = Refused("lost-by-absence" if lost is True else "unknown-token")
                why = lost.value if isinstance(lost, Failure) else None
                if isinstance(why, Refused) and why.key in _UNREAD:
                    refused = why  # who may belong there keeps the token
                self._outbox.refuse(face, tag, refused)

        self._records.read(token, None, partial(was_lost_by_absence, hashed)).addBoth(read)

    def _give_back(self, face: Face, hashed: str, tag: object, live: LiveTable) -> None:
        """Attach one who has come back; the older link of the same player is parted with."""
        table = live.table
        if _whose(table, hashed) is not None and not table.void:
            self._service.rouse(live)
        player = _whose(table, hashed)
        if table.void and (player is not None or table.owned_by(hashed)):
            self._outbox.refuse(face, tag, Refused(RESTARTED))
            return
        if player is None:
            self._give_organizer(face, hashed, tag, live)
            return
        sleeps = live.asleep_at is not None  # at another daemon, else it was roused
        away = table.presence(player.seat) is Presence.AWAY or sleeps
        if away and not self._may_come(live, f"#{player.seat}"):
            self._outbox.refuse(face, tag, Refused("too-fast"))
            return
        older = live.holder(player)
        if older is not None:
            self._attachments.part_with(older, "taken-over")
        if live.owner is not None:
            self._coming.hold(face, live, live.owner, player, tag)
        elif away:
            self._coming.come(face, live, commands.Return(player.seat), tag, lambda: player)
        elif older is None:
            # Another daemon held them, and may take the table: it has to find that in the record.
            anew = commands.GiveToken(player.seat, hashed)
            self._coming.come(face, live, anew, tag, lambda: player)
        else:
            self._outbox.post(face, face.answered, tag, None)
            self._attachments.attach(face, live, Place(table.code, player))

    def _give_organizer(self, face: Face, hashed: str, tag: object, live: LiveTable) -> None:
        if not live.table.owned_by(hashed):
            lost = live.table.lost_by_absence(hashed)
            key = "lost-by-absence" if lost else "unknown-token"
            self._outbox.refuse(face, tag, Refused(key))
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
        seating = Seating(invitation.seat, name, True, brought, hashed)
        self._seat(face, seating, tag, None, live)


def _whose(table: Table, hashed: str) -> PlayerCore | None:
    """Find the player whom a token was given to, in the same time wherever that player sits."""
    found = None
    if table.stage is Stage.ABANDONED and not table.void:
        return None
    for seat, core in table.seated().items():
        given = core.token is not None and compare_digest(core.token, hashed)
        if given and table.presence(seat) is not Presence.GONE:
            found = core
    return found
