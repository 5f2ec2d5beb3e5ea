"""What each way to speak at a door is like on the line, for tests that hold for all of them.

A door without an entry fails ``test_every_door_has_its_customs``: one entry here, and one in
``tests/secrecy/wires.py`` that says how a client comes in, and every case of this folder is tried on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from gamecore.rules import installed_rules
from protocols.host.door import installed_doors
from protocols.testing.guest import Way, ways
from tests.secrecy.wires import WIRES

GAMES = {rules.kind: rules for rules in installed_rules()}
DOORS = {door.kind: door for door in installed_doors()}

_TELNET = re.compile(rb"\xff[\xfb-\xfe].", re.DOTALL)
_FRAME = re.compile(rb"(\d+) *\n?")


@frozen
class Custom:
    """How a client ends what it says (``reads``), and how a door ends what it says (``ends``)."""

    reads: str  # "lines", "objects", "frames", "codes" or "http"
    ends: str  # "crlf", "lf", "lf or crlf", "frames" or "http"


CUSTOMS: Mapping[tuple[str, str], Custom] = {
    ("nim", "stock"): Custom("objects", "lf"),
    ("nim", "lines"): Custom("objects", "lf"),
    ("gops", "frames"): Custom("frames", "frames"),
    ("gops", "lines"): Custom("lines", "lf"),
    ("pass123", "stock"): Custom("codes", "codes"),
    ("pass123", "lines"): Custom("lines", "lf"),
    ("castle", "original"): Custom("objects", "lf or crlf"),
    ("castle", "objects"): Custom("objects", "lf or crlf"),
    ("castle", "extended"): Custom("objects", "lf or crlf"),
    ("castle", "words"): Custom("lines", "crlf"),
    ("rikiki", "bot"): Custom("lines", "crlf"),
    ("rikiki", "human"): Custom("lines", "crlf"),
    ("lobby", "plain"): Custom("lines", "crlf"),
    ("lobby", "telnet"): Custom("lines", "crlf"),
    ("json", "json"): Custom("lines", "lf"),
    ("web", "pages"): Custom("http", "http"),
}


def custom_of(way: Way) -> Custom:
    """Say what a way to speak is like on the line."""
    return CUSTOMS[way.door.kind, way.wire.name]


WAYS = [
    way
    for game in GAMES
    for way in ways(game, GAMES, DOORS.values(), WIRES)
    if way.wire.sit is not None
]
# One game is enough where only the line matters: each door's own, or the first that it plays.
LINES = list({(way.door.kind, way.wire.name): way for way in reversed(WAYS)}.values())


def check_ends(custom: Custom, sent: bytes) -> None:
    """See that every line in all that a door has sent ends as it should."""
    text = _TELNET.sub(b"", sent)
    match custom.ends:
        case "crlf":
            assert text.count(b"\r\n") == text.count(b"\n") == text.count(b"\r"), sent
            assert not text or text.endswith(b"\r\n"), sent
        case "lf":
            assert b"\r" not in text, sent
            assert not text or text.endswith(b"\n"), sent
        case "lf or crlf":  # as who is there reads: a program, or somebody who typed words
            assert text.count(b"\r\n") == text.count(b"\r")
            assert text.count(b"\r\n") in (0, text.count(b"\n")), sent
            assert not text or text.endswith(b"\n"), sent
        case "codes":
            assert b"\r" not in text, sent
        case "frames":
            _check_frames(text)
        case "http":
            head = text.partition(b"\r\n\r\n")[0]
            assert head.count(b"\r\n") == head.count(b"\n"), sent


def _check_frames(text: bytes) -> None:
    while text:
        header = _FRAME.fullmatch(text[:64])
        assert header is not None, text[:80]
        length = int(header[1])
        assert len(text) >= 64 + length, text
        assert b"\r" not in text[: 64 + length], text
        text = text[64 + length :]
