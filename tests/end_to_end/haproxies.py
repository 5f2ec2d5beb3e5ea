"""HAProxy before daemons under test, with the sample that lies in ``etc/proxy`` on ports of our own."""

from __future__ import annotations

import re
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from protocols.host.door import installed_doors
from tests.end_to_end.test_proxies import SAMPLES, program
from tests.patience import SECONDS
from tests.ports import free_port

HOW_TO = (SAMPLES.parents[1] / "docs" / "run-a-house.rst").read_text()
SAMPLE = (SAMPLES / "haproxy.cfg").read_text()
USUAL = {door.kind: door.endpoint.removeprefix("tcp:") for door in installed_doors()}


def fit(sample: str, doors: Mapping[str, int], daemons: Sequence[Mapping[str, int]]) -> str:
    """Put the sample on ports of our own, before daemons of ours."""
    fitted = sample
    for number, daemon in enumerate(daemons, 1):
        for kind, port in USUAL.items():
            old, new = f"10.0.0.{number}:{port}", f"127.0.0.1:{daemon[kind]}"
            fitted, count = re.subn(
                rf"(?m)^(    server \w) {re.escape(old)}\b",
                rf"\1 {new} port {daemon['metrics']}",
                fitted,
            )
            assert count == 1, old
    for kind, port in USUAL.items():
        fitted, count = re.subn(
            rf"(?m)^    bind :{port}$", f"    bind 127.0.0.1:{doors[kind]}", fitted
        )
        assert count == 1, kind
    return fitted


def linked(sample: str) -> str:
    """Change the sample as ``docs/run-a-house`` says for daemons that are linked."""
    balanced = re.sub(r"(?m)^    stick on .*\n", "", sample).replace(" backup\n", "\n")
    web = "listen web\n    bind :8080\n"
    assert web in balanced
    (pages,) = re.findall(r"(?m)^ +(stick-table type .*)\n +(stick on src)$", HOW_TO)
    return balanced.replace(web, web + "".join(f"    {line}\n" for line in pages))


class Proxy:
    """A running HAProxy; ``ports`` are where people come to it, by the kind of the door."""

    def __init__(self, folder: Path, sample: str, daemons: Sequence[Mapping[str, int]]) -> None:
        self.ports = {kind: free_port() for kind in USUAL}
        self._asked = folder / "haproxy.sock"
        config = folder / "haproxy.cfg"
        head = f"global\n    stats socket {self._asked}\n"
        config.write_text(head + fit(sample, self.ports, daemons))
        with open(folder / "haproxy.log", "wb") as said:
            command = [program("haproxy"), "-db", "-f", str(config)]
            self._running = subprocess.Popen(command, stdout=said, stderr=said)

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.terminate()
        self._running.wait(SECONDS)

    def look(self, server: str, column: str = "status") -> dict[str, str]:
        """Say how a daemon is, or what else HAProxy knows of it, by the door."""
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(self._asked))
            link.sendall(b"show stat\n")
            lines = link.makefile().read().splitlines()
        named = lines[0].removeprefix("# ").split(",")
        rows = [dict(zip(named, line.split(","), strict=False)) for line in lines[1:] if line]
        return {each["pxname"]: each[column] for each in rows if each["svname"] == server}

    def await_visitors(self, kind: str, count: int) -> dict[str, int]:
        """Wait until so many are at the daemons by a door; says how many are at which."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            found = {each: int(self.look(each, "scur")[kind]) for each in "ab"}
            if sum(found.values()) == count:
                return found
        raise AssertionError(found)

    def await_status(self, server: str, status: str) -> None:
        """Wait until a daemon is up, or down, at every door."""
        until = time.monotonic() + SECONDS
        while True:
            try:
                found = self.look(server)
            except OSError:
                found = {}
            if found and {each.split(" ")[0] for each in found.values()} == {status}:
                return
            assert self._running.poll() is None and time.monotonic() < until, found
            time.sleep(0.05)  # it tells nobody
