"""Read plain data into the vocabulary: whatever does not fit its class exactly is an error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from types import UnionType
from typing import Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import attrs

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
A = TypeVar("A", bound=attrs.AttrsInstance)


class Misprint(ValueError):
    """Data that the vocabulary has no words for."""


def load(name: str) -> Plain:
    """Load a data file that lies beside this module."""
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return cast(Plain, json.loads(text))


def entry(data: Plain, name: str) -> Plain:
    """Pick one entry of an object; raises Misprint."""
    if not isinstance(data, dict) or name not in data:
        raise Misprint(f"no {name}")
    return data[name]


def listed(data: Plain) -> list[Plain]:
    """Take plain data as a list; raises Misprint."""
    if not isinstance(data, list):
        raise Misprint(f"no list: {data!r}")
    return data


def read(kind: type[A], data: Plain) -> A:
    """Make an object of an attrs class from an object of plain data; raises Misprint."""
    if not isinstance(data, dict):
        raise Misprint(f"no {kind.__name__}: {data!r}")
    hints = _hints(kind)
    unknown = [name for name in data if name not in hints]
    if unknown:
        raise Misprint(f"{kind.__name__} knows no {unknown[0]}")
    try:
        return kind(**{name: _value(hints[name], each) for name, each in data.items()})
    except TypeError as problem:
        raise Misprint(f"no {kind.__name__}: {problem}") from problem


@cache
def _hints(kind: type[attrs.AttrsInstance]) -> dict[str, object]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in attrs.fields(kind)}


def _value(hint: object, data: Plain) -> object:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _one_of(inner, data)
    if origin is tuple:
        return tuple(_value(inner[0], each) for each in listed(data))
    if isinstance(hint, type) and attrs.has(hint):
        return read(hint, data)
    fits = data in inner if origin is Literal else type(data) is hint
    if not fits:
        raise Misprint(f"{data!r} is no {hint}")
    return data


def _one_of(hints: Sequence[object], data: Plain) -> object:
    """Read an operation by its name, anything else by trying what it may be."""
    if isinstance(data, dict) and "op" in data:
        for hint in hints:
            if getattr(hint, "op", None) == data["op"]:
                return _value(hint, {name: data[name] for name in data if name != "op"})
        raise Misprint(f"no operation {data['op']}")
    problem = Misprint(f"no place for {data!r}")
    for hint in hints:
        try:
            return _value(hint, data)
        except Misprint as each:
            problem = each if isinstance(data, dict) else problem
    raise problem
