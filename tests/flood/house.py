"""The daemon that is flooded: every door on a port of its own, and what can be seen of its process from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from attrs import frozen

from tests.bench.contenders import Contender, Server, running
from tests.bench.idle import open_files, resident
from tests.bench.seating import HOST
from tests.doors import TITLES
from tests.ports import free_port

from .kinds import PROXIED, TLS, UDP

JOURNALS = ("memory", "sqlite")
_TRACEBACK = "Traceback (most recent call last)"
_URGENT = -5  # nice: whoever else is busy on this machine is not what is measured
INI = """\
[web]
link_file = none
organizers = anyone

[nim]
stones = 1000000
"""


@frozen
class Seen:
    """What a process had at one time: bytes of memory, and open files."""

    resident: int
    files: int


@frozen
class House:
    """A daemon that runs; ``ports`` has the doors by their kinds, and ``udp``.

    The lobby's second is ``tls``, and that of JSON lines ``proxied``, where the PROXY protocol says who comes.
    """

    server: Server
    ports: Mapping[str, int]

    def look(self) -> Seen:
        """Look at the process; raises Broken or OSError if it is gone."""
        process = self.server.process.pid
        return Seen(resident(process), open_files(process))

    def tracebacks(self) -> int:
        """Count the tracebacks that stand in the log."""
        return self.server.log.read_text(errors="replace").count(_TRACEBACK)

    def last_words(self) -> str:
        """Give the first traceback of the log, and what follows."""
        return self.server.log.read_text(errors="replace").partition(_TRACEBACK)[2][:3000]


def has_tls() -> bool:
    """Say whether a daemon started from here could speak TLS."""
    return find_spec("OpenSSL") is not None


def make_certificate(folder: Path) -> None:
    """Write a key and a certificate that says so itself; raises OSError or CalledProcessError."""
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@contextmanager
def open_house(journal: str, core: int | None) -> Iterator[House]:
    """Run a daemon on one core, with a journal of its own: ``memory`` or ``sqlite``."""
    ports = {kind: free_port() for kind in [*TITLES.values(), UDP, PROXIED]}
    if has_tls():
        ports[TLS] = free_port()

    def command(port: int, folder: Path) -> list[str]:
        config = folder / "parlour.ini"
        config.write_text(INI)
        places = {**ports, "json": port}
        said = [
            str(Path(sys.executable).with_name("twistd")),
            "--nodaemon",
            "--pidfile=",
            "parlour",
        ]
        for kind in TITLES.values():
            said += [f"--{kind}", f"tcp:{places[kind]}:interface={HOST}"]
        said += ["--json", f"haproxy:tcp:{ports[PROXIED]}:interface={HOST}"]
        if TLS in ports:
            make_certificate(folder)
            files = f"privateKey={folder}/key.pem:certKey={folder}/certificate.pem"
            said += ["--lobby", f"ssl:{ports[TLS]}:interface={HOST}:{files}"]
        said += ["--discovery", f"{ports[UDP]}:interface={HOST}", "--config", str(config)]
        return [*said, "--journal", "memory" if journal == "memory" else str(folder / "parlour.db")]

    with running(Contender("flood", "json", command), core) as server:
        with suppress(OSError):  # only root may
            os.setpriority(os.PRIO_PROCESS, server.process.pid, _URGENT)
        yield House(server, {**ports, "json": server.port})
