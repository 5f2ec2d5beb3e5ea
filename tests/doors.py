"""The doors of a daemon under test: on free ports of loopback, or shut."""

from __future__ import annotations

from protocols.host.door import installed_doors

ANYWHERE = "tcp:0:interface=127.0.0.1"
TITLES = {door.title: door.kind for door in installed_doors()}


def opened(*but: str) -> list[str]:
    """Give the options that open every door on a free port, apart from some."""
    return [word for kind in _kinds(but) for word in (f"--{kind}", ANYWHERE)]


def shut(*but: str) -> list[str]:
    """Give the options that shut every door, apart from some."""
    return [word for kind in _kinds(but) for word in (f"--{kind}", "off")]


def _kinds(but: tuple[str, ...]) -> list[str]:
    return [kind for kind in TITLES.values() if kind not in but]
