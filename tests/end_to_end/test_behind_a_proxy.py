"""The real daemon behind a proxy that says by the PROXY header for whom it connects."""

from __future__ import annotations

import json
import socket
from contextlib import suppress

import pytest

from tests.doors import ANYWHERE
from tests.patience import SECONDS


def header(host: str) -> bytes:
    return b"PROXY TCP4 %b 198.51.100.1 4000 80\r\n" % host.encode()


def talk(port: int, data: bytes) -> socket.socket:
    link = socket.create_connection(("127.0.0.1", port), SECONDS)
    link.sendall(data)
    return link


def read_line(link: socket.socket) -> bytes:
    with link.makefile("rb") as lines:
        return lines.readline()


@pytest.fixture
def doors(start_daemon) -> dict[str, int]:
    """Start a daemon that lets one link a visitor in; gives the ports of the doors."""
    told = [word for kind in ("json", "web") for word in (f"--{kind}", f"haproxy:{ANYWHERE}")]
    ports: dict[str, int] = start_daemon(*told, ini="[admission]\nlinks = 1\n").ports
    return ports


def test_visitors_are_counted_and_the_proxy_is_not(doors):
    hello = b'{"do":"hello","id":1}\n'
    first = talk(doors["json"], header("192.0.2.7") + hello)
    assert json.loads(read_line(first))["ok"]
    second = talk(doors["json"], header("192.0.2.7") + hello)
    assert json.loads(read_line(second))["closed"] == "too-many-connections"
    other = talk(doors["json"], header("192.0.2.8") + hello)
    assert json.loads(read_line(other))["ok"]
    # what comes with the header in one piece, and half-closes, is answered as anywhere
    other.shutdown(socket.SHUT_WR)
    assert other.recv(4096) == b""
    for link in (first, second, other):
        link.close()


def test_pages_are_answered_and_who_sends_no_header_is_told_nothing(doors):
    page = talk(doors["web"], header("192.0.2.9") + b"GET / HTTP/1.1\r\nHost: parlour.test\r\n\r\n")
    assert read_line(page).split()[1] == b"200"
    page.close()
    bare = talk(doors["web"], b"GET / HTTP/1.1\r\nHost: parlour.test\r\n\r\n")
    with suppress(ConnectionResetError):
        assert bare.recv(4096) == b""
    bare.close()
