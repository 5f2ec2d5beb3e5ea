"""The door of JSON lines: what programs may ask for at it, and how much of it."""

from __future__ import annotations

from typing import cast

import attrs
from attrs import evolve, frozen

from gamecore.settings import setting
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.i18n.translate import N_
from protocols.jsonlines import handlers
from protocols.jsonlines.face import JsonFace
from protocols.jsonlines.requests import Id
from protocols.net.limits import TokenBucket


@frozen
class JsonDoorSettings:
    """How much one program may ask for."""

    requests_a_second: float = setting(500.0, "requests a program may make each second", low=1)
    requests_at_once: int = setting(1000, "requests a program may make at once", low=10)


class JsonFactory(DoorFactory):
    """The door itself, and what may be asked for at it."""

    protocol = JsonFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(JsonDoorSettings, defaults.door)

    def budget(self) -> TokenBucket:
        """Give one program what it may ask for."""
        return TokenBucket(self.settings.requests_a_second, self.settings.requests_at_once)

    def serve(self, face: JsonFace, id: Id, request: attrs.AttrsInstance) -> None:
        """Do what a program asks for; sooner or later it is answered, once."""
        handlers.serve(face, id, request)


DOOR = Door(
    "json",
    "JSON lines",
    "tcp:4243",
    JsonDoorSettings,
    JsonFactory,
    purpose=N_("programs: JSON lines, every game"),
)


def _unbounded(host: Host, defaults: TableDefaults) -> JsonFactory:
    """Serve a program that the house itself has started: how much it asks for is bounded by its own time."""
    much = JsonDoorSettings(requests_a_second=1e6, requests_at_once=1_000_000)
    return JsonFactory(host, evolve(defaults, door=much))


PIPE = evolve(DOOR, build=_unbounded)
