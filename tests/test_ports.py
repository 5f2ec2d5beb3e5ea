"""Ports that are given to one test are given to no other, in this process or beside it."""

from __future__ import annotations

import socket
import subprocess
import sys

from tests import ports

BESIDE = """
import random, sys
from tests import ports
class Always:
    def sample(self, among, count): return [int(word) for word in sys.argv[1:]]
random.SystemRandom = Always
try: print(ports.free_port())
except RuntimeError as problem: print(problem)
"""


def given_beside(*among: int) -> str:
    """Let another process choose among some ports only."""
    command = [sys.executable, "-c", BESIDE, *map(str, among)]
    return subprocess.check_output(command, text=True, cwd=ports.__file__.rpartition("/tests/")[0])


def test_no_port_is_given_twice(monkeypatch):
    port, other = ports.free_port(), ports.free_port()
    assert port != other
    monkeypatch.setattr(ports, "_PORTS", [port] * 200)
    try:
        ports.free_port()
    except RuntimeError as problem:
        assert str(problem) == "no port is free"
    else:
        raise AssertionError("it was given again")
    assert given_beside(port, other) == "no port is free\n"


def test_a_port_that_somebody_has_for_either_protocol_is_passed_over():
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as has:
            has.bind(("127.0.0.1", 0))
            port = has.getsockname()[1]
            if kind == socket.SOCK_STREAM:
                has.listen()
            assert given_beside(port) == "no port is free\n"


def test_it_is_none_that_the_system_may_give_to_whoever_connects():
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        first = int(file.read().split()[0])
    assert 20_000 <= ports.free_port() < first
