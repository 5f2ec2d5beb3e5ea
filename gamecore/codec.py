"""Objects of attrs classes as plain data, which JSON can say, and back: for records, wires and card files.

An object is written as an object of all its fields and a tag that names its class, ``is`` if nothing else is said::

    CODEC.write(Take(3))                       # {"is": "Take", "stones": 3, "reset": False}
    CODEC.read(Take, {"stones": 3})            # Take(3)

Sets are written as sorted lists, an Enum as its value, and whatever has seats or other numbers for keys has them as
text, as JSON must.  What is read must fit to the letter: text is no number, ``true`` is no 1, ``3.0`` is no whole
number, and a field that nobody knows is an error, as is one that is missing and has no default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Literal, Self, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import attrs

from gamecore.errors import Refused
from gamecore.settings import Value

A = TypeVar("A", bound=attrs.AttrsInstance)
Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
_Read = Callable[[Plain], object]

TAG = "is"
_SIMPLE = frozenset({NoneType, bool, int, float, str})
_FITTING: Mapping[object, tuple[tuple[type, ...], str]] = {
    NoneType: ((NoneType,), "null is wanted"),
    bool: ((bool,), "true or false is wanted"),
    int: ((int,), "a whole number is wanted"),
    float: ((int, float), "a number is wanted"),
    str: ((str,), "text is wanted"),
    Value: ((bool, int, float, str), "a number, text, true or false is wanted"),
}
_UNFIT = "that does not fit"
_LONGEST = 100  # characters of what a class says of a value that it refuses


class Misfit(ValueError):
    """Plain data that does not fit its class.

    ``why`` says what is wrong, ``where`` names the fields that lead there, the outermost first, and ``unknown`` the
    fields that the class does not have, as whoever wrote them called them.
    """

    def __init__(self, why: str, where: Sequence[str] = (), unknown: Sequence[str] = ()) -> None:
        super().__init__(f"{'.'.join(where)}: {why}" if where else why)
        self.why, self.where, self.unknown = why, tuple(where), tuple(unknown)

    def inside(self, name: str) -> Self:
        """Say the same of what stands in a field of that name."""
        return type(self)(self.why, (name, *self.where), self.unknown)


class Codec:
    """Writes and reads; ``tag`` and ``name_of`` say how a class is told, None if it is not."""

    def __init__(
        self,
        tag: str = TAG,
        name_of: Callable[[type], str | None] = lambda kind: kind.__name__,
    ) -> None:
        self._tag = tag
        self._name_of = name_of
        self._writers: dict[type, Callable[[object], Plain]] = {}
        self._readers: dict[type, _Read] = {}

    # -- writing ----------------------------------------------------------------------

    def write(self, value: object) -> Plain:
        """Write a value of attrs classes, sequences, sets, mappings and simple values; else raises TypeError."""
        kind = type(value)
        if kind in _SIMPLE:
            return cast(Plain, value)
        writer = self._writers.get(kind)
        if writer is None:
            writer = self._writers[kind] = self._new_writer(kind)
        return writer(value)

    def _new_writer(self, kind: type) -> Callable[[object], Plain]:
        write = self.write
        if attrs.has(kind):
            return self._object_writer(kind)
        if issubclass(kind, Mapping):
            return lambda value: {
                str(key): write(each)
                for key, each in cast("Mapping[object, object]", value).items()
            }
        if issubclass(kind, list | tuple):
            return lambda value: [
                cast(Plain, each) if type(each) in _SIMPLE else write(each)
                for each in cast("Sequence[object]", value)
            ]
        if issubclass(kind, frozenset):
            return lambda value: [write(each) for each in sorted(cast("frozenset[int]", value))]
        if issubclass(kind, Enum):
            return lambda value: cast(Plain, cast(Enum, value).value)
        raise TypeError(f"{kind.__name__} is nothing that plain data can say")

    def _object_writer(self, kind: type[attrs.AttrsInstance]) -> Callable[[object], Plain]:
        """Make a function of one expression, as attrs makes its own: a loop would take three times as long."""
        name, hints = self._name_of(kind), get_type_hints(kind)
        parts = [] if name is None else [f"{self._tag!r}: {name!r}"]
        for each in attrs.fields(kind):
            parts.append(f"{each.name!r}: {_written(f'value.{each.name}', hints[each.name])}")
        made = eval(f"lambda value: {{{', '.join(parts)}}}", {"write": self.write})
        return cast("Callable[[object], Plain]", made)

    # -- reading ----------------------------------------------------------------------

    def read(self, kind: type[A], written: object) -> A:
        """Make an object of an attrs class; raises Misfit, or Refused as the class refuses it."""
        reader = self._readers.get(kind)
        if reader is None:
            reader = self._readers[kind] = self._object_reader(kind)
        return cast(A, reader(cast(Plain, written)))

    def _object_reader(self, kind: type[attrs.AttrsInstance]) -> _Read:
        hints = get_type_hints(kind)
        fields = {each.name: self._reader(hints[each.name]) for each in attrs.fields(kind)}
        needed = {each.name for each in attrs.fields(kind) if each.default is attrs.NOTHING}
        tag, name = self._tag, self._name_of(kind)

        def read_object(written: Plain) -> object:
            if not isinstance(written, dict):
                raise Misfit("an object is wanted")
            if written.get(tag, name) != name:
                raise Misfit(f'"{tag}" can only be {name} here')
            values, problems = _read_fields(fields, needed, written)
            if problems:
                raise next((each for each in problems if isinstance(each, Refused)), problems[0])
            if len(values) + (tag in written) < len(written):
                unknown = sorted(written.keys() - {*fields, tag})
                raise Misfit(f"nobody here knows {', '.join(unknown)}", unknown=unknown)
            return _made(kind, values)

        return read_object

    def _reader(self, hint: object) -> _Read:
        """Make the function that reads values of one annotated type, and of no other."""
        origin, inner = get_origin(hint), get_args(hint)
        if hint in _FITTING:
            return _simple_reader(*_FITTING[hint])
        if origin in (Union, UnionType):
            return self._union_reader(inner)
        if origin is tuple:
            return self._tuple_reader(inner)
        if origin is Literal:
            return lambda written: _checked(written, written in inner, _UNFIT)
        if origin is list:
            return lambda written: _checked(written, type(written) is list, "a list is wanted")
        if origin in (dict, Mapping):
            return self._mapping_reader(inner[1])
        if isinstance(hint, type) and attrs.has(hint):
            return lambda written: self.read(hint, written)
        return lambda written: written  # which only the object that it is part of can make more of

    def _tuple_reader(self, inner: Sequence[object]) -> _Read:
        if inner[-1:] == (...,):
            read = self._reader(inner[0])
            return lambda written: tuple([read(each) for each in _listed(written)])
        readers = [self._reader(each) for each in inner]

        def read_each(written: Plain) -> object:
            if len(_listed(written)) != len(readers):
                raise Misfit(f"a list of {len(readers)} is wanted")
            pairs = zip(readers, _listed(written), strict=True)
            return tuple([read(each) for read, each in pairs])

        return read_each

    def _mapping_reader(self, inner: object) -> _Read:
        read = self._reader(inner)

        def read_each(written: Plain) -> object:
            if not isinstance(written, dict):
                raise Misfit("an object is wanted")
            return {name: read(each) for name, each in written.items()}

        return read_each

    def _union_reader(self, hints: Sequence[object]) -> _Read:
        """Read one of several types: classes are told apart by their tags, unless there is but one."""
        classes = [each for each in hints if isinstance(each, type) and attrs.has(each)]
        named = {self._name_of(each): self._reader(each) for each in classes}
        tried = [
            self._reader(each)
            for each in hints
            if each is not NoneType and (each not in classes or len(classes) == 1)
        ]
        optional = NoneType in hints
        if optional and len(tried) == 1 and len(classes) < 2:
            read_other = tried[0]
            return lambda written: None if written is None else read_other(written)

        def read_one(written: Plain) -> object:
            if written is None and optional:
                return None
            name = written.get(self._tag) if isinstance(written, dict) else None
            if isinstance(name, str) and name in named:
                return named[name](written)
            problem = None
            for read in tried:
                try:
                    return read(written)
                except Misfit as each:
                    problem = each
            raise problem or Misfit(_UNFIT)

        return read_one


def _read_fields(
    fields: Mapping[str, _Read], needed: set[str], written: Mapping[str, Plain]
) -> tuple[dict[str, object], list[Misfit | Refused]]:
    """Read all that is there, and find all that is wrong."""
    values: dict[str, object] = {}
    problems: list[Misfit | Refused] = []
    for name, read in fields.items():
        if name in written:
            try:
                values[name] = read(written[name])
            except Misfit as problem:
                problems.append(problem.inside(name))
            except Refused as refusal:
                problems.append(refusal)
        elif name in needed:
            problems.append(Misfit("this is missing", (name,)))
    return values, problems


def _made(kind: type[attrs.AttrsInstance], values: Mapping[str, object]) -> object:
    try:
        return kind(**values)
    except ValueError as problem:
        words = str(problem)
        raise Misfit(words if len(words) < _LONGEST else _UNFIT) from problem
    except (KeyError, TypeError) as problem:
        raise Misfit(_UNFIT) from problem


def fits(value: object, kind: object) -> bool:
    """Tell whether a value is of a simple type: a whole number will do for a float, else none for another."""
    return type(value) in _FITTING[kind][0]


def _written(value: str, hint: object) -> str:
    """Give the expression that writes a value of an annotated type."""
    origin, inner = get_origin(hint), get_args(hint)
    if all(each in _SIMPLE for each in (inner if origin in (Union, UnionType) else (hint,))):
        return value
    plain_items = origin is tuple and all(each in _SIMPLE or each is ... for each in inner)
    return f"[*{value}]" if plain_items else f"write({value})"


def _simple_reader(kinds: tuple[type, ...], wanted: str) -> _Read:
    def read(written: Plain) -> object:
        if type(written) not in kinds:
            raise Misfit(wanted)
        return written

    return read


def _checked(written: Plain, fits: bool, wanted: str) -> Plain:
    if not fits:
        raise Misfit(wanted)
    return written


def _listed(written: Plain) -> list[Plain]:
    if not isinstance(written, list):
        raise Misfit("a list is wanted")
    return written


CODEC = Codec()
plain = CODEC.write
