"""Quick matching: whoever comes without a code is seated with others who wait for the same, else at a new table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from attrs import frozen
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.settings import Value
from protocols.host.arrivals import Arrivals
from protocols.host.card import Card
from protocols.host.directory import Directory
from protocols.host.face import Face
from protocols.host.outbox import Outbox
from protocols.host.passwords import Passwords
from protocols.host.place import Place
from protocols.host.seating import Seating


class OpenTable(Protocol):
    """Opens a table, counted for the address it is asked for from; raises Refused."""

    def __call__(
        self,
        kind: str,
        name: str,
        options: Mapping[str, Value],
        house: Mapping[str, Value],
        *,
        by: str | None,
    ) -> Card: ...


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


class Matching:
    """Finds newcomers a table in one turn, so that nobody takes the seat between the finding and the sitting."""

    _log = Logger()

    def __init__(
        self,
        directory: Directory,
        arrivals: Arrivals,
        passwords: Passwords,
        outbox: Outbox,
        open_table: OpenTable,
    ) -> None:
        self._directory = directory
        self._arrivals = arrivals
        self._passwords = passwords
        self._outbox = outbox
        self._open = open_table
        self._seals: dict[tuple[str, str], str] = {}  # by kind and word of a door

    def seat(
        self, face: Face, wanted: Wanted, seating: Seating, tag: object, by: str | None
    ) -> None:
        """Seat a face where the very same is played, or at a table of its own that others will find.

        Refused as ``Host.open`` and ``Arrivals.sit`` are.
        """
        key = wanted.kind, wanted.password
        if not wanted.password or key in self._seals:
            self._seat(face, wanted, seating, tag, self._seals.get(key, ""), by)
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
                self._seat(face, wanted, seating, tag, self._seals.setdefault(key, result), by)

        sealing = self._passwords.seal(wanted.password).addBoth(sealed)
        sealing.addErrback(lambda failure: self._log.failure("a door's password", failure))

    def _seat(
        self,
        face: Face,
        wanted: Wanted,
        seating: Seating,
        tag: object,
        lock: str,
        by: str | None,
    ) -> None:
        welcome = (wanted.options, *wanted.also)
        found = (self._directory.match(wanted.kind, seating.seat, each, lock) for each in welcome)
        card = next((each for each in found if each is not None), None)
        if card is None:
            house = {**wanted.house, "start": "full", "password": lock}
            try:
                card = self._open(wanted.kind, "", wanted.options, house, by=by)
            except Refused as refusal:
                self._outbox.refuse(face, tag, refusal)
                return
        self._arrivals.sit(face, card.code, seating, tag=tag, lock=lock)
