"""Positions as bytes, for another process of the same program, where somebody thinks about them.

A round is often an Automat machine, whose class and states are made when its module is imported: they are written
down as where they are found.  Bytes are read only from a process of one's own: this is ``pickle``.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from typing import Any

from automat import TypeMachine

from gamecore.rules import Position


def pack(position: Position) -> bytes:
    """Write a position down; raises ``pickle.PicklingError`` for one that holds what cannot be."""
    written = BytesIO()
    try:
        _Packer(written, pickle.HIGHEST_PROTOCOL).dump(position)
    except (AttributeError, TypeError) as problem:  # as it says of a function without a name
        raise pickle.PicklingError(str(problem)) from problem
    return written.getvalue()


def unpack(parcel: bytes) -> Position:
    """Read what ``pack`` has written in another process."""
    position: Position = pickle.loads(parcel)
    return position


class _Packer(pickle.Pickler):
    def reducer_override(self, obj: object) -> Any:
        """Write a part of a machine as its place; all else as usual."""
        part = _parts(len(sys.modules)).get(id(obj))
        return NotImplemented if part is None else (_find, part)


_Part = tuple[str, str, str, str]
"""The module of a machine, its name there, which part of it, and the name of a state."""


def _find(module: str, name: str, part: str, state: str) -> object:
    machine = getattr(import_module(module), name)
    return next(
        each for each, place in _parts_of(machine, module, name) if place[2:] == (part, state)
    )


@lru_cache(maxsize=1)
def _parts(loaded: int) -> dict[int, _Part]:
    """List the parts of all machines in so many loaded modules, by their identity: none is ever made anew."""
    found: dict[int, _Part] = {}
    for module, name, machine in list(_machines()):
        for each, place in _parts_of(machine, module, name):
            found.setdefault(id(each), place)
    return found


def _machines() -> Iterator[tuple[str, str, TypeMachine[Any, Any]]]:
    for module, loaded in list(sys.modules.items()):
        for name, value in list(vars(loaded).items()):
            if isinstance(value, TypeMachine):
                yield module, name, value


def _parts_of(
    machine: TypeMachine[Any, Any], module: str, name: str
) -> Iterator[tuple[object, _Part]]:
    automaton = machine.__automat_automaton__
    yield machine.__automat_type__, (module, name, "type", "")
    yield automaton, (module, name, "automaton", "")
    for state in automaton.states():
        yield state, (module, name, "state", str(state.name))
