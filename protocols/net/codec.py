"""Objects of attrs classes as plain data and back, for every game alike.

An object is written as an object of all its fields and ``is``, the name of its class, as in the record.  Sets are
written as sorted lists, and whatever has seats or other numbers for keys has them as text, as JSON must.

What is read must fit to the letter: text is no number, ``true`` is no 1, ``3.0`` is no whole number, and a
field that nobody knows is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar, cast, get_args, get_origin

import attrs
from cattrs import BaseValidationError, Converter, transform_error
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

from gamecore.errors import Malformed, Refused
from gamecore.events import Event
from gamecore.rules import AnyRules, Move, View
from gamecore.settings import Value, settings_of
from protocols.i18n.sanitize import clean

A = TypeVar("A", bound=attrs.AttrsInstance)

TAG = "is"
_BASES = (
    Move,
    View,
    Event,
    object,
)  # fields of these types hold what only the object itself can say
_SIMPLE: Mapping[type, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false is wanted"),
    int: ((int,), "a whole number is wanted"),
    float: ((int, float), "a number is wanted"),
    str: ((str,), "text is wanted"),
}


class _Wrong(ValueError):
    """A value that does not fit, and why."""


def plain(value: object) -> Any:
    """Write an object of an attrs class as what JSON can say."""
    return _CONVERTER.unstructure(value)


def read(kind: type[A], written: object, called: str) -> A:
    """Make an object of an attrs class; raises Malformed with what is wrong where, or as the class refuses it."""
    try:
        return _CONVERTER.structure(written, kind)
    except BaseValidationError as problems:
        refused = _refusal_in(problems)
        if refused is not None:
            raise refused from None
        first = transform_error(problems, called, _say)[0]
        why, _, where = first.rpartition(" @ ")
        raise Malformed(f"{where}: {why}") from None
    except _Wrong as problem:
        raise Malformed(f"{called}: {problem}") from None


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
        if setting.name in given and type(given[setting.name]) not in _SIMPLE[kind][0]:
            raise Refused(_MISFITS.get(kind, "setting-not-a-number"), name=setting.name)


_MISFITS = {bool: "setting-not-yes-or-no", str: "setting-not-text"}


# -- what cattrs is taught ------------------------------------------------------------


def _write_tagged(kind: type) -> Callable[[Any], dict[str, Any]]:
    write: Callable[[Any], dict[str, Any]] = make_dict_unstructure_fn(kind, _CONVERTER)
    name = kind.__name__
    return lambda value: {TAG: name, **write(value)}


def _read_tagged(kind: type[attrs.AttrsInstance]) -> Callable[[Any, Any], Any]:
    build = make_dict_structure_fn(kind, _CONVERTER)
    name = kind.__name__

    def read_one(written: object, _: object) -> Any:
        if not isinstance(written, dict):
            raise _Wrong("an object is wanted")
        if written.get(TAG, name) != name:
            raise _Wrong(f'"{TAG}" can only be {name} here')
        return build({key: value for key, value in written.items() if key != TAG}, kind)

    return read_one


def _is_tuple(hint: object) -> bool:
    return get_origin(hint) is tuple


def _is_mapping(hint: object) -> bool:
    return get_origin(hint) in (Mapping, dict)


def _read_tuple(written: object, hint: Any) -> tuple[object, ...]:
    if not isinstance(written, list):
        raise _Wrong("a list is wanted")
    inner: Sequence[Any] = get_args(hint)
    if inner[-1:] == (...,):
        return tuple(_CONVERTER.structure(each, inner[0]) for each in written)
    if len(written) != len(inner):
        raise _Wrong(f"a list of {len(inner)} is wanted")
    pairs = zip(written, inner, strict=True)
    return tuple(_CONVERTER.structure(each, kind) for each, kind in pairs)


def _read_simple(written: object, kind: Any) -> object:
    fits, wanted = _SIMPLE[kind]
    if type(written) not in fits:
        raise _Wrong(wanted)
    return written


def _read_value(written: object, _: object) -> object:
    if type(written) not in _SIMPLE:
        raise _Wrong("a number, text, true or false is wanted")
    return written


def _read_mapping(written: object, hint: Any) -> dict[str, object]:
    if not isinstance(written, dict):
        raise _Wrong("an object is wanted")
    _, inner = get_args(hint)
    return {name: _CONVERTER.structure(each, inner) for name, each in written.items()}


def _say(problem: BaseException, kind: object = None) -> str:
    if isinstance(problem, _Wrong):
        return str(problem)
    if isinstance(problem, KeyError):
        return "this is missing"
    if isinstance(problem, ForbiddenExtraKeysError):
        return f"nobody here knows {clean(', '.join(sorted(problem.extra_fields)), 80)}"
    words = str(problem)
    return words if isinstance(problem, ValueError) and len(words) < 100 else "that does not fit"


def _refusal_in(problems: BaseException) -> Refused | None:
    if isinstance(problems, BaseExceptionGroup):
        return next((each for each in map(_refusal_in, problems.exceptions) if each), None)
    return problems if isinstance(problems, Refused) else None


def _converter() -> Converter:
    made = Converter(
        unstruct_collection_overrides={AbstractSet: sorted, frozenset: sorted},
        forbid_extra_keys=True,
    )
    made.register_unstructure_hook_factory(attrs.has, _write_tagged)
    made.register_unstructure_hook_func(
        lambda kind: kind in _BASES, lambda value: made.unstructure(value, type(value))
    )
    made.register_structure_hook_factory(attrs.has, _read_tagged)
    made.register_structure_hook_func(_is_tuple, _read_tuple)
    made.register_structure_hook_func(_is_mapping, _read_mapping)
    made.register_structure_hook(cast(Any, Value), _read_value)
    made.register_structure_hook_func(lambda hint: hint is object, lambda written, _: written)
    for kind in _SIMPLE:
        made.register_structure_hook(kind, _read_simple)
    return made


_CONVERTER = _converter()
