"""Read plain data into the vocabulary: whatever does not fit its class exactly is an error."""

from __future__ import annotations

import json
from importlib import resources
from typing import TypeVar, cast

import attrs

from gamecore.codec import Codec, Misfit, Plain

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
    try:
        return _CODEC.read(kind, data)
    except Misfit as problem:
        raise Misprint(f"no {kind.__name__}: {problem}") from problem


# Operations are told apart by their names; all else by where it stands.
_CODEC = Codec("op", lambda kind: getattr(kind, "op", None))
