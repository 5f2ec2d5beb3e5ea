"""The process that writes the journal.

``python -m protocols.journal.worker_process`` is given the number of its socket.

It knows nothing of Twisted, and of the games only when it has to make the first finished table compact, so
that it starts quickly and stays small.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import chain, repeat
from typing import Any

from protocols.journal.engines import find_store
from protocols.journal.errors import JournalLost, JournalRefused
from protocols.journal.interface import Compact, Store
from protocols.journal.location import shown
from protocols.journal.packing import pack
from protocols.journal.worker import IDLE, WAITS, Worker, one_line
from protocols.journal.worker_channel import HungUp, WorkerChannel


def serve(
    sock: socket.socket,
    find: Callable[[str], Store] = find_store,
    waits: Sequence[float] = WAITS,
    idle: float = IDLE,
    compact: Compact | None = None,
) -> None:
    """Write the journal that the daemon at the other end names, until that is closed or gone."""
    channel = WorkerChannel(sock)
    opening = channel.next()
    assert opening is not None
    _, where, named = opening
    store = find(where)
    if _is_opened(store, where, channel, waits):
        Worker(store, channel, compact or named_compact(named), waits, idle).run()


def _is_opened(store: Store, where: str, channel: WorkerChannel, waits: Sequence[float]) -> bool:
    """Open the journal and say so, be it that it can be had only later; else say in a sentence why it never can."""
    problems: tuple[type[Exception], ...] = (OSError, JournalLost, *store.errors)
    in_trouble = False
    for wait in chain(waits, repeat(waits[-1])):
        try:
            store.open()
            break
        except JournalRefused as refusal:
            channel.say("refused", str(refusal))
            return False
        except problems as problem:
            if not store.may_open(problem):
                channel.say("refused", _cannot(where, "be used", problem))
                return False
            if not in_trouble:
                channel.say("trouble", _cannot(where, "be opened yet", problem))
            in_trouble = True
        if channel.closes_within(wait):
            channel.say("ended", "closed", "", "")
            return False
    channel.say("done", (store.run, store.age))
    if in_trouble:
        channel.say("trouble", None)
    return True


def _cannot(where: str, what: str, problem: Exception) -> str:
    return f"the journal {shown(where)} cannot {what}: {one_line(problem)}"


def named_compact(name: str | None) -> Compact:
    """Find a function by its name, when it is needed, and call it with the games that are installed."""
    if name is None:
        return pack
    found: list[Any] = []

    def compact(lines: Sequence[bytes]) -> bytes:
        if not found:
            rules = import_module("gamecore.rules")
            module, _, function = name.partition(":")
            registry = rules.Registry(rules.installed_rules())
            found.extend((getattr(import_module(module), function), registry))
        call, registry = found
        record: bytes = call(lines, registry)
        return record

    return compact


def main() -> None:
    """Serve the socket that was left to us, and end with the closing of it."""
    with suppress(HungUp):  # the daemon was killed before it could hear that we are ready
        serve(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # so that whoever sees the socket closed need not wait for us


if __name__ == "__main__":
    main()
