"""The door of the pages; what it needs beside Twisted is only looked for when it is built."""

from __future__ import annotations

from twisted.logger import Logger

from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.i18n.translate import N_
from protocols.net.link import Link
from protocols.web.settings import WebDoorSettings

MISSING = "the pages need more than is installed: pip install 'parlour[web]', or close the door with --web off"


class Apology(Link):
    """Answers whatever a browser asks with why there are no pages."""

    def received(self, data: bytes) -> None:
        """Say it once, and close."""
        self.dismiss("missing")

    def farewell(self, reason: str) -> bytes:
        """Say it in HTTP."""
        text = MISSING if reason == "missing" else reason
        head = (
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nConnection: close\r\n"
        )
        return f"{head}Content-Length: {len(text) + 1}\r\n\r\n{text}\n".encode()


class ApologyFactory(DoorFactory):
    """Stands in for the pages where they cannot be drawn, so that all other doors can be open."""

    protocol = Apology  # type: ignore[assignment]  # see LinkFactory


def _build(host: Host, defaults: TableDefaults) -> DoorFactory:
    try:
        from protocols.web.factory import WebFactory
    except ImportError as problem:
        Logger(namespace=__name__).error(f"web: {MISSING} ({{problem}})", problem=problem)
        return ApologyFactory(host, DOOR, defaults)
    return WebFactory(host, DOOR, defaults)


DOOR = Door(
    "web",
    "Pages",
    "tcp:8080",
    WebDoorSettings,
    _build,
    purpose=N_("browsers: every game"),
)
