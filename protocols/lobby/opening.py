"""Opening tables: what a person types to choose how one is to be, and how many one may open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from attrs import Factory, define

from gamecore.errors import Refused
from gamecore.hall import Hall
from gamecore.rules import AnyRules, Registry
from gamecore.settings import Value, settings_of
from gamecore.table import TableOptions
from protocols.i18n.sanitize import clean
from protocols.net.limits import AddressBuckets, TokenBucket, counted_as

_BY_ONE = (0.1, 8.0)  # tables a second, and at once
_BY_ADDRESS = (2.0, 120.0)  # a class may sit behind one address
_OPEN_BY_ADDRESS = 120
_REMEMBERED = 4096
_PASSWORD = "password"


@define
class Wanted:
    """A table as somebody wants it."""

    rules: AnyRules
    options: dict[str, Value] = Factory(dict)
    house: dict[str, Value] = Factory(dict)
    password: str = ""


def find_game(registry: Registry, typed: str) -> AnyRules:
    """Find a game by its name or the beginning of it; raises Refused ``no-such-game``."""
    kinds = list(registry.kinds)
    word = typed.lower()
    begun = [kind for kind in kinds if word and kind.startswith(word)]
    found = word if word in kinds else begun[0] if len(begun) == 1 else None
    if found is None:
        close = get_close_matches(word, kinds, 1)
        found = close[0] if close else None
    if found is None:
        raise Refused("no-such-game", kind=clean(typed, 24), known=", ".join(kinds))
    return registry.latest(found)


def read_wanted(rules: AnyRules, typed: Sequence[str]) -> Wanted:
    """Read what follows OPEN and the game: ``stones=20 private password xyzzy``.

    Raises Refused ``no-such-setting``; whether a value is within its bounds is looked at when the table opens.
    """
    wanted = Wanted(rules)
    words = list(typed)
    while words:
        name, _, value = words.pop(0).partition("=")
        name = name.lower()
        if name == _PASSWORD:
            wanted.password = value or (words.pop(0) if words else "")
            if not wanted.password:
                raise Refused("no-password-said")
        else:
            _choose(wanted, name, value or "yes")
    return wanted


def _choose(wanted: Wanted, typed: str, value: str) -> None:
    options = [each.name for each in settings_of(wanted.rules.options)]
    house = [each.name for each in settings_of(TableOptions) if each.name != _PASSWORD]
    known = [*options, *house]
    begun = [each for each in known if typed and each.startswith(typed)]
    name = typed if typed in known else begun[0] if len(begun) == 1 else None
    if name is None:
        raise Refused("no-such-setting", name=clean(typed, 24), known=", ".join(known))
    (wanted.options if name in options else wanted.house)[name] = value


class Openings:
    """Counts the tables that people open, so that nobody fills the hall alone."""

    def __init__(self, hall: Hall, seconds: Callable[[], float]) -> None:
        self._hall = hall
        self._seconds = seconds
        self._rates = AddressBuckets(*_BY_ADDRESS, _REMEMBERED)
        self._open: dict[str, set[str]] = {}  # codes, by where they were opened from

    @staticmethod
    def budget() -> TokenBucket:
        """Give a person what it may open by itself."""
        return TokenBucket(*_BY_ONE)

    def check(self, budget: TokenBucket, address: str) -> None:
        """Let one more table be opened, or refuse it (``too-many-tables``)."""
        now, where = self._seconds(), counted_as(address)
        codes = self._open.get(where, set())
        codes.intersection_update([code for code in codes if code in self._hall])
        if not codes:
            self._open.pop(where, None)
        if len(codes) >= _OPEN_BY_ADDRESS or not budget.take(now):
            raise Refused("too-many-tables")
        if not self._rates.take(where, now):
            raise Refused("too-many-tables")

    def note(self, address: str, code: str) -> None:
        """Take note of a table that was opened."""
        self._open.setdefault(counted_as(address), set()).add(code)
