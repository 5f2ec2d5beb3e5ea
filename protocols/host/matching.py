"""Quick matching: whoever comes without a code is seated with others who wait for the same, else at a new table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import cast

from attrs import define, field, frozen
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.settings import Value
from protocols.host.arrivals import Arrivals
from protocols.host.card import plays
from protocols.host.face import Face
from protocols.host.openings import Openings
from protocols.host.passwords import Passwords
from protocols.host.place import Place
from protocols.host.seating import Seating
from protocols.host.table_service import TableService

_TRIES = 10  # tables of other daemons, before one is opened without asking them
# Seconds after which a table that was offered is looked for again, and how often.
_SOON, _LOOKS = 0.05, 20


@frozen
class Wanted:
    """What a newcomer wants to play: the game with all its options, and the house rules of a table of its own.

    ``password`` is the word of a door: it lets meet those alone who were let in by it. ``also`` are options that
    are as welcome, at a table that somebody else has opened.
    """

    kind: str
    options: Mapping[str, Value]
    house: Mapping[str, Value]
    password: str = ""
    also: Sequence[Mapping[str, Value]] = ()


@define(eq=False)
class _Newcomer:
    """One who is to be seated: who, and how; where it was tried in vain, and how often it may yet be tried."""

    face: Face
    wanted: Wanted
    seating: Seating
    tag: object
    by: str | None
    lock: str = ""
    tried: list[str] = field(factory=list)
    tries: int = _TRIES
    looks: int = _LOOKS


class Matching:
    """Finds newcomers a table in one turn, so that nobody takes the seat between the finding and the sitting.

    Where other daemons of the house are linked the journal says whose table it is, and a seat there may be taken
    meanwhile: then it is tried anew.
    """

    _log = Logger()

    def __init__(
        self,
        service: TableService,
        arrivals: Arrivals,
        passwords: Passwords,
        openings: Openings,
    ) -> None:
        self._service = service
        self._directory = service.directory
        self._arrivals = arrivals
        self._passwords = passwords
        self._outbox = service.outbox
        self._openings = openings
        self._seals: dict[tuple[str, str], str] = {}  # by kind and word of a door

    def seat(
        self, face: Face, wanted: Wanted, seating: Seating, tag: object, by: str | None
    ) -> None:
        """Seat a face where the very same is played, or at a table of its own that others will find.

        Refused as ``Host.open`` and ``Arrivals.sit`` are.
        """
        if self._service.draining:  # before a table is offered that is not going to be opened
            self._outbox.refuse(face, tag, Refused("draining"))
            return
        who = _Newcomer(face, wanted, seating, tag, by)
        key = wanted.kind, wanted.password
        if not wanted.password or key in self._seals:
            who.lock = self._seals.get(key, "")
            self._seat(who)
            return
        coming = face.place = Place.on_the_way()

        def sealed(result: str | Failure) -> None:
            if face.place is not coming:
                return
            face.place = None
            if isinstance(result, Failure):
                result.trap(Refused)
                self._outbox.refuse(face, tag, cast(Refused, result.value))
            else:
                who.lock = self._seals.setdefault(key, result)
                self._seat(who)

        sealing = self._passwords.seal(wanted.password).addBoth(sealed)
        sealing.addErrback(lambda failure: self._log.failure("a door's password", failure))

    def _seat(self, who: _Newcomer) -> None:
        code = self._find(who)
        if code is None:
            self._open_or_find(who)
        elif self._service.is_elsewhere(code):
            self._try(who, code)
        else:
            self._sit(who, code)

    def _find(self, who: _Newcomer) -> str | None:
        wanted, seat = who.wanted, who.seating.seat
        for options in (wanted.options, *wanted.also):
            card = self._directory.match(wanted.kind, seat, options, who.lock)
            if card is not None and card.code not in who.tried:
                return card.code
        return None

    def _sit(self, who: _Newcomer, code: str) -> None:
        self._arrivals.sit(who.face, code, who.seating, tag=who.tag, lock=who.lock)

    def _open(self, who: _Newcomer) -> None:
        wanted = who.wanted
        house = {**wanted.house, "start": "full", "password": who.lock}
        try:
            card = self._openings.open(wanted.kind, "", wanted.options, house, by=who.by)
        except Refused as refusal:
            self._outbox.refuse(who.face, who.tag, refusal)
        else:
            self._sit(who, card.code)

    # -- where other daemons are linked -------------------------------------------------

    def _open_or_find(self, who: _Newcomer) -> None:
        """Open a table, unless another daemon was the first to offer one for the same."""
        if not self._service.dormant.others_play or who.lock or not who.tries:
            self._open(who)
            return
        codes, face = self._openings.codes, who.face
        try:
            code = codes.take()
        except Refused as refusal:
            self._outbox.refuse(face, who.tag, refusal)
            return
        coming = face.place = Place.on_the_way()

        def offered(first: str | Failure) -> None:
            codes.put_back(code)  # which a table that is opened now will have
            if face.place is not coming:
                return
            face.place = None
            if isinstance(first, Failure) or first == code:
                self._open(who)
            else:
                self._try(who, first)

        game = f"{who.wanted.kind} {plays(who.wanted.options)}"
        offering = self._service.house.offer(game, code, who.tried).addBoth(offered)
        offering.addErrback(lambda failure: self._log.failure("a newcomer's table", failure))

    def _try(self, who: _Newcomer, code: str) -> None:
        """Sit down at a table that somebody else may fill meanwhile."""
        gone, again = partial(self._look_again, who, code), partial(self._try_another, who, code)
        self._arrivals.sit_or_else(who.face, code, who.seating, who.tag, gone, again)

    def _try_another(self, who: _Newcomer, code: str) -> None:
        who.tried.append(code)
        who.tries -= 1
        self._seat(who)

    def _look_again(self, who: _Newcomer, code: str) -> None:
        """Wait a moment for a table that was offered, and is not written down yet."""
        if not who.looks:
            self._try_another(who, code)
            return
        who.looks -= 1
        coming = who.face.place = Place.on_the_way()

        def look() -> None:
            if who.face.place is coming:
                who.face.place = None
                self._try(who, code)

        self._service.clock.callLater(_SOON, look)
