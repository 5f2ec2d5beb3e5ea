"""Admission: how much all who come from one address may do, at all doors of a daemon together.

An address is an IPv4 address, or the /64 of an IPv6 one (``limits.counted_as``). None is the house itself, and
whoever comes where there are no addresses: who may open a Unix socket is a matter of its permissions.

A refusal takes nothing from anybody: who asks again too early waits no longer for it. The wait that it tells is
longer for some than for others, for whoever is refused together would come again together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import ceil
from random import Random, SystemRandom
from typing import NoReturn

from attrs import frozen

from gamecore.errors import Refused
from gamecore.settings import setting
from protocols.net.limits import AddressBuckets, counted_as

OPEN = "open"
SEAT = "seat"
SEAL = "seal"
PAGE = "page"
GUESS = "guess"
HINT = "hint"
_LINK = "link"
_KEYS = {
    OPEN: "too-many-tables",
    SEAT: "too-many-seats",
    SEAL: "too-many-passwords",
    PAGE: "too-fast",
    GUESS: "too-fast",
    HINT: "too-fast",
}
TOO_MANY_LINKS = "too-many-connections"
TOO_MANY_WAITING = "too-many-waiting"
OWN_KEYS = frozenset({*_KEYS.values(), TOO_MANY_LINKS, TOO_MANY_WAITING} - {"too-fast"})
"""The keys that nobody else refuses by: they are counted here."""
REMEMBERED = 4096  # addresses, for each thing that is counted
_SPREAD = 0.25  # of the time in which a bucket is filled


@frozen
class AdmissionSettings:
    """How much one address may do. A class may sit behind one, so the defaults stop a flood and nothing smaller."""

    links: int = setting(1000, "links at a time, at all doors together", low=1)
    links_a_second: float = setting(50.0, "links that may be made each second", low=0.1)
    links_at_once: int = setting(1000, "links that may be made at once", low=1)
    tables_a_minute: float = setting(120.0, "tables that may be opened each minute", low=0.1)
    tables_at_once: int = setting(120, "tables that may be opened at once", low=1)
    tables_waiting: int = setting(120, "tables where only who opened them waits", low=1)
    seats_a_minute: float = setting(600.0, "seats that may be asked for each minute", low=0.1)
    seats_at_once: int = setting(240, "seats that may be asked for at once", low=1)
    passwords_a_minute: float = setting(30.0, "passwords set or tried each minute", low=0.1)
    passwords_at_once: int = setting(60, "passwords set or tried at once", low=1)
    pages_a_second: float = setting(50.0, "pages each second", low=0.1)
    pages_at_once: int = setting(1000, "pages at once", low=1)
    guesses_a_minute: float = setting(60.0, "links that open nothing, each minute", low=0.1)
    guesses_at_once: int = setting(100, "links that open nothing, at once", low=1)
    hints_a_minute: float = setting(60.0, "hints that may be asked for each minute", low=0.1)
    hints_at_once: int = setting(20, "hints that may be asked for at once", low=1)


class Admission:
    """Counts what is done from each address; ``refused`` says how often what was refused, by its key."""

    def __init__(
        self,
        seconds: Callable[[], float],
        settings: AdmissionSettings | None = None,
        chance: Random | None = None,
    ) -> None:
        """``seconds`` is what budgets are counted by, ``chance`` spreads the waits."""
        self._seconds = seconds
        self._chance = SystemRandom() if chance is None else chance
        self.refused: Counter[str] = Counter()
        self._living: dict[str, int] = {}  # links, by address
        self.settings = AdmissionSettings()
        self._buckets = self._new_buckets()
        if settings is not None:
            self.follow(settings)

    def follow(self, settings: AdmissionSettings) -> None:
        """Go by other settings from now on; where they are others, all is counted anew but the links there are."""
        if settings != self.settings:
            self.settings = settings
            self._buckets = self._new_buckets()

    def _new_buckets(self) -> dict[str, AddressBuckets]:
        limits = self.settings
        rates = {
            _LINK: (limits.links_a_second, limits.links_at_once),
            OPEN: (limits.tables_a_minute / 60, limits.tables_at_once),
            SEAT: (limits.seats_a_minute / 60, limits.seats_at_once),
            SEAL: (limits.passwords_a_minute / 60, limits.passwords_at_once),
            PAGE: (limits.pages_a_second, limits.pages_at_once),
            GUESS: (limits.guesses_a_minute / 60, limits.guesses_at_once),
            HINT: (limits.hints_a_minute / 60, limits.hints_at_once),
        }
        return {what: AddressBuckets(*rate, REMEMBERED) for what, rate in rates.items()}

    # -- links ------------------------------------------------------------------------

    def enter(self, address: str | None) -> bool:
        """Count one more link from there, unless it is one too many."""
        return self._enter(address, is_made=True)

    def hold(self, address: str | None) -> bool:
        """Count a link as one there is, but not as one that is made: a proxy's, or one that goes on as another."""
        return self._enter(address, is_made=False)

    def _enter(self, address: str | None, is_made: bool) -> bool:
        if address is None:
            return True
        key = counted_as(address)
        living = self._living.get(key, 0)
        if living >= self.settings.links or (is_made and not self._take(_LINK, key)):
            self.refused[TOO_MANY_LINKS] += 1
            return False
        self._living[key] = living + 1
        return True

    def leave(self, address: str | None) -> None:
        """Count one less; only for one that was let in."""
        if address is None:
            return
        key = counted_as(address)
        living = self._living.get(key, 0) - 1
        if living > 0:
            self._living[key] = living
        else:
            self._living.pop(key, None)

    def link_wait(self) -> int:
        """Say in how many seconds one that was not let in may come again."""
        return self._wait(_LINK, "")

    # -- all else ---------------------------------------------------------------------

    def spend(self, address: str | None, what: str) -> None:
        """Count something that is done from an address.

        Raises Refused with ``wait`` in seconds, the key by what it is: ``too-many-tables``, ``too-many-seats``,
        ``too-many-passwords``, ``too-fast``.
        """
        if address is not None:
            key = counted_as(address)
            if not self._take(what, key):
                self._refuse(what, key)

    def check(self, address: str | None, what: str) -> None:
        """Refuse what ``spend`` would refuse, but count nothing."""
        if address is not None:
            key = counted_as(address)
            if self._buckets[what].wait(key, self._seconds()):
                self._refuse(what, key)

    def refuse(self, what: str) -> NoReturn:
        """Refuse somebody for whom there is no room now, wherever from; raises Refused as ``spend`` does."""
        self._refuse(what, "")

    def refuse_waiting(self) -> NoReturn:
        """Refuse a table to one who has opened too many that wait; raises Refused ``too-many-waiting``."""
        self.refused[TOO_MANY_WAITING] += 1
        raise Refused(TOO_MANY_WAITING)

    def _take(self, what: str, key: str) -> bool:
        return self._buckets[what].take(key, self._seconds())

    def _refuse(self, what: str, key: str) -> NoReturn:
        self.refused[_KEYS[what]] += 1
        raise Refused(_KEYS[what], wait=self._wait(what, key))

    def _wait(self, what: str, key: str) -> int:
        buckets = self._buckets[what]
        least = buckets.wait(key, self._seconds())
        spread = _SPREAD * buckets.burst / buckets.rate
        return max(1, ceil(least + self._chance.uniform(0, spread)))
