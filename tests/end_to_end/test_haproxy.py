"""The sample for HAProxy, as it lies in ``etc/proxy``, before a real daemon, where that program is."""

from __future__ import annotations

import re
import socket
import subprocess
import time

from protocols.host.door import installed_doors
from tests.doors import ANYWHERE
from tests.end_to_end.test_proxies import SAMPLES, free_port, program
from tests.patience import SECONDS

SAMPLE = (SAMPLES / "haproxy.cfg").read_text()
USUAL = {door.kind: door.endpoint.removeprefix("tcp:") for door in installed_doors()}
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


def fit(doors: dict[str, int], daemon: dict[str, int]) -> str:
    """Put the sample on ports of our own: a is not there, b is a daemon."""
    dead, fitted = free_port(), SAMPLE.replace("check port 9464", f"check port {daemon['metrics']}")
    for kind, port in USUAL.items():
        for old, new in (
            (f"bind :{port}", f"bind 127.0.0.1:{doors[kind]}"),
            (f"10.0.0.1:{port}", f"127.0.0.1:{dead} port {dead}"),
            (f"10.0.0.2:{port}", f"127.0.0.1:{daemon[kind]}"),
        ):
            assert fitted.count(f"{old}\n") + fitted.count(f"{old} backup\n") >= 1
            fitted = re.sub(rf"(?m)(?<!#) {re.escape(old)}(?=$| backup)", f" {new}", fitted)
    return fitted


def come(port: int, host: str, said: bytes = b"") -> socket.socket:
    link = socket.create_connection(("127.0.0.1", port), SECONDS, source_address=(host, 0))
    link.settimeout(SECONDS)
    link.sendall(said)
    return link


def come_until(port: int, host: str) -> bytes:
    """Come to JSON lines until it is known which daemon is up; gives what it says."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        try:
            with come(port, host, HELLO) as link:
                if said := link.recv(4096):
                    return said
        except OSError:
            pass
        time.sleep(0.1)  # nobody tells
    raise AssertionError("nobody answers")


def test_visitors_come_to_the_daemon_that_is_up_by_every_door_under_their_own_address(
    start_daemon, tmp_path
):
    haproxy = program("haproxy")
    told = [word for kind in USUAL for word in (f"--{kind}", f"haproxy:{ANYWHERE}")]
    ini = "[admission]\nlinks = 1\n"
    ports = start_daemon(*told, "--metrics", ANYWHERE, ini=ini).ports
    doors = {kind: free_port() for kind in USUAL}
    (tmp_path / "haproxy.cfg").write_text(fit(doors, ports))
    with open(tmp_path / "said", "wb") as said:
        command = [haproxy, "-db", "-f", str(tmp_path / "haproxy.cfg")]
        running = subprocess.Popen(command, stdout=said, stderr=said)
    try:
        come_until(doors["json"], "127.0.0.9")
        for number, (kind, port) in enumerate(doors.items(), 10):
            with come(port, f"127.0.0.{number}", ASKS.get(kind, b"")) as link:
                assert link.recv(4096), kind
        with come(doors["json"], "127.0.0.30", HELLO) as first:
            assert b'"ok":true' in first.recv(4096)
            with come(doors["json"], "127.0.0.30", HELLO) as second:
                assert b"too-many-connections" in second.recv(4096)
            with come(doors["json"], "127.0.0.31", HELLO) as other:
                assert b'"ok":true' in other.recv(4096)
    finally:
        running.terminate()
        running.wait(SECONDS)
