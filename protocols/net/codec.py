"""What programs write of a game, read as the game's own classes; what is wrong is said so that they can mend it.

What fits, and how it is written, is the affair of ``gamecore.codec``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

import attrs

from gamecore.codec import CODEC, TAG, Misfit, fits
from gamecore.errors import Malformed, Refused
from gamecore.rules import AnyRules, Move
from gamecore.settings import Value, settings_of
from protocols.i18n.sanitize import clean

A = TypeVar("A", bound=attrs.AttrsInstance)

_CALLED_BY_ANYONE = 80  # characters of names that nobody here knows


def read(kind: type[A], written: object, called: str) -> A:
    """Make an object of an attrs class; raises Malformed with what is wrong where, or as the class refuses it."""
    try:
        return CODEC.read(kind, written)
    except Misfit as problem:
        why = problem.why
        if problem.unknown:
            names = clean(", ".join(problem.unknown), _CALLED_BY_ANYONE)
            why = f"nobody here knows {names}"
        raise Malformed(f"{'.'.join((called, *problem.where))}: {why}") from None


def read_move(rules: AnyRules, written: object) -> Move:
    """Make a move of a game; raises Malformed."""
    kinds = {kind.__name__: kind for kind in rules.moves}
    name = written.get(TAG) if isinstance(written, dict) else None
    if not isinstance(name, str) or name not in kinds:
        raise Malformed(f'move: an object is wanted whose "{TAG}" is one of: {", ".join(kinds)}')
    return cast(Move, read(cast("type[attrs.AttrsInstance]", kinds[name]), written, "move"))


def read_brought(rules: AnyRules, written: object) -> object:
    """Make what a player brings along; what is usual where nothing is said.

    Raises Malformed; Refused ``brings-nothing``, ``must-bring``, and as the game refuses what is brought.
    """
    kind = rules.brings
    if kind is None:
        if written is not None:
            raise Refused("brings-nothing")
        return None
    if written is not None:
        return read(kind, written, "brings")
    if any(field.default is attrs.NOTHING for field in attrs.fields(kind)):
        raise Refused("must-bring")
    return kind()


def check_types(options: type[attrs.AttrsInstance], given: Mapping[str, Value]) -> None:
    """Refuse a setting that is not of its very type (``setting-not-a-number``, ``-not-yes-or-no``, ``-not-text``).

    Whatever else may be wrong with it, and what nobody knows, is left to those who read it.
    """
    for setting in settings_of(options):
        kind = type(setting.default)
        if setting.name in given and not fits(given[setting.name], kind):
            raise Refused(_MISFITS.get(kind, "setting-not-a-number"), name=setting.name)


_MISFITS = {bool: "setting-not-yes-or-no", str: "setting-not-text"}
