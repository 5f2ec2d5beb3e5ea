"""What follows OPEN or PLAY: the game, and how a person wants the table to be."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from attrs import Factory, define

from gamecore.errors import Refused
from gamecore.rules import AnyRules, Registry
from gamecore.settings import Value, settings_of
from gamecore.table_options import TableOptions
from protocols.i18n.sanitize import clean

_PASSWORD = "password"


@define
class OpenArguments:
    """A table as somebody wants it: options of its game, options of any table, and the password in clear."""

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


def read_arguments(rules: AnyRules, typed: Sequence[str]) -> OpenArguments:
    """Read what follows OPEN and the game: ``stones=20 private password xyzzy``.

    Raises Refused ``no-such-setting``, ``no-password-said``; whether a value is within its bounds is looked at
    when the table opens.
    """
    read = OpenArguments(rules)
    words = list(typed)
    while words:
        name, _, value = words.pop(0).partition("=")
        name = name.lower()
        if name == _PASSWORD:
            read.password = value or (words.pop(0) if words else "")
            if not read.password:
                raise Refused("no-password-said")
        else:
            _choose(read, name, value or "yes")
    return read


def is_setting(rules: AnyRules, typed: str) -> bool:
    """Say whether a word, in lower case, names something that can be chosen for a table, or begins its name."""
    return typed == _PASSWORD or _find(_known(rules), typed) is not None


def _known(rules: AnyRules) -> list[str]:
    house = (each.name for each in settings_of(TableOptions) if each.name != _PASSWORD)
    return [*(each.name for each in settings_of(rules.options)), *house]


def _find(known: Sequence[str], typed: str) -> str | None:
    begun = [each for each in known if typed and each.startswith(typed)]
    return typed if typed in known else begun[0] if len(begun) == 1 else None


def _choose(read: OpenArguments, typed: str, value: str) -> None:
    known = _known(read.rules)
    name = _find(known, typed)
    if name is None:
        raise Refused("no-such-setting", name=clean(typed, 24), known=", ".join(known))
    options = [each.name for each in settings_of(read.rules.options)]
    (read.options if name in options else read.house)[name] = value
