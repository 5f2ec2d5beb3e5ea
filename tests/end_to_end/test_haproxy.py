"""The sample for HAProxy, as it lies in ``etc/proxy``, before a real daemon, where that program is."""

from __future__ import annotations

import re
import socket

from tests.doors import ANYWHERE
from tests.end_to_end.haproxies import SAMPLE, USUAL, Proxy
from tests.end_to_end.test_proxies import program
from tests.patience import SECONDS
from tests.ports import free_port

HELLO = b'{"do":"hello","id":1}\n'
ASKS = {
    "json": HELLO,
    "nim": b"hello\n",
    "castle": b'{"COMMAND":"ROOM_LIST"}\n',
    "pass123": b"HELP\n",
    "web": b"GET / HTTP/1.0\r\n\r\n",
}


def test_the_sample_has_every_door_at_its_usual_port_at_both_daemons():
    listens = r"(?m)^listen (\w+)\n    bind :(\d+)\n    stick on int\(1\) table house\n((?: .*\n)*)"
    found = {
        kind: (port, re.findall(rf"server (\w) 10\.0\.0\.\d:{port}( backup)?\n", rest))
        for kind, port, rest in re.findall(listens, SAMPLE)
    }
    assert found == {kind: (port, [("a", ""), ("b", " backup")]) for kind, port in USUAL.items()}


def come(port: int, host: str, said: bytes = b"") -> socket.socket:
    link = socket.create_connection(("127.0.0.1", port), SECONDS, source_address=(host, 0))
    link.settimeout(SECONDS)
    link.sendall(said)
    return link


def test_visitors_come_to_the_daemon_that_is_up_by_every_door_under_their_own_address(
    start_daemon, tmp_path
):
    program("haproxy")
    told = [word for kind in USUAL for word in (f"--{kind}", f"haproxy:{ANYWHERE}")]
    ini = "[admission]\nlinks = 1\n"
    b = start_daemon(*told, "--metrics", ANYWHERE, ini=ini).ports
    gone = free_port()
    with Proxy(tmp_path, SAMPLE, [dict.fromkeys(b, gone), b]) as proxy:
        proxy.await_status("a", "DOWN")
        proxy.await_status("b", "UP")
        for number, (kind, port) in enumerate(proxy.ports.items(), 10):
            with come(port, f"127.0.0.{number}", ASKS.get(kind, b"")) as link:
                assert link.recv(4096), kind
        json = proxy.ports["json"]
        with come(json, "127.0.0.30", HELLO) as first:
            assert b'"ok":true' in first.recv(4096)
            with come(json, "127.0.0.30", HELLO) as second:
                assert b"too-many-connections" in second.recv(4096)
            with come(json, "127.0.0.31", HELLO) as other:
                assert b'"ok":true' in other.recv(4096)
