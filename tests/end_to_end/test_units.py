"""The samples of systemd units for several daemons on one host: what they say, and that systemd takes it."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

from protocols.cli.main import main
from protocols.host.door import installed_doors
from tests.doors import ANYWHERE, shut
from tests.end_to_end.conftest import BIN, Daemon
from tests.end_to_end.test_haproxy import ASKS, HELLO
from tests.end_to_end.test_linked_house import await_words
from tests.end_to_end.test_upgrade import Pair, Stock
from tests.patience import SECONDS

ETC = Path(__file__).parents[2] / "etc"
UNIT = (ETC / "parlour@.service").read_text()
SOCKET = (ETC / "parlour-house.socket").read_text()
USUAL = {door.kind: door.endpoint.removeprefix("tcp:") for door in installed_doors()}
OPTION = re.compile(r"--(\w+) systemd:domain=INET6:index=(\d)")
# What systemd does for a process: its sockets are the files from 3 on.
AS_SYSTEMD = """
import fcntl, os, sys
given = [fcntl.fcntl(int(each), fcntl.F_DUPFD, 100) for each in sys.argv[1].split(",")]
for number, file in enumerate(given, 3):
    os.dup2(file, number)
names = ":".join(["parlour-house.socket"] * len(given))
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(given)), LISTEN_FDNAMES=names)
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_each_door_has_its_usual_port_of_the_shared_socket():
    ports = re.findall(r"(?m)^ListenStream=\[::\]:(\d+)$", SOCKET)
    assert {kind: ports[int(index)] for kind, index in OPTION.findall(UNIT)} == USUAL
    assert len(ports) == len(USUAL)


def test_systemd_takes_the_units_as_they_are(tmp_path):
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not here: its units are not tried")
    program = re.search(r"(?m)^ExecStart=(\S+)", UNIT)[1]
    (tmp_path / "parlour@1.service").write_text(UNIT.replace(program, "/bin/true"))
    (tmp_path / "parlour-house.socket").write_text(SOCKET)
    units = [str(each) for each in tmp_path.iterdir()]
    ran = subprocess.run([analyze, "verify", *units], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


def start_handed(files: Sequence[int], *options: str, cwd: Path) -> Daemon:
    """Start a daemon as systemd does, with sockets; it is not open yet."""
    told = [str(BIN / "twistd"), *options]
    process = subprocess.Popen(
        [sys.executable, "-c", AS_SYSTEMD, ",".join(map(str, files)), *told],
        pass_fds=files,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return Daemon(process, [])


def test_a_daemon_serves_each_door_at_the_port_that_it_is_handed(tmp_path):
    """A daemon is started for it: only that finds out which of the sockets is whose."""
    handed = [socket.create_server(("::1", 0), family=socket.AF_INET6) for _ in USUAL]
    files = [each.fileno() for each in handed]
    options = re.search(r"(?ms)^ExecStart=\S+ (.*?[^\\])$", UNIT)[1].replace("\\\n", " ").split()
    at = options.index("--config")
    del options[at : at + 2]
    options[options.index("--journal") + 1] = "memory"
    daemon = start_handed(files, *options, "--discovery", "off", cwd=tmp_path)
    try:
        daemon.wait_until_open()
        for kind, index in OPTION.findall(UNIT):
            port = handed[int(index)].getsockname()[1]
            assert daemon.ports[kind] == port
            with socket.create_connection(("::1", port), SECONDS) as link:
                link.sendall(ASKS.get(kind, b""))
                assert link.recv(4096), kind
    finally:
        assert daemon.stop() == 0, daemon.log
        for each in handed:
            each.close()


class Shared:
    """Four daemons of a house at one socket for JSON lines, and each at a port of its own for Nim and figures."""

    def __init__(self, database: str, cwd: Path) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=100)
        options = ["--nodaemon", "--pidfile=", "parlour", *shut("nim", "json"), "--nim", ANYWHERE]
        options += ["--json", "systemd:domain=INET:index=0", "--metrics", ANYWHERE]
        options += ["--discovery", "off", "--journal", database]
        self.daemons = [start_handed([self.socket.fileno()], *options, cwd=cwd) for _ in range(4)]
        for each in self.daemons:
            each.wait_until_open()

    def come(self, clients: Callable[[socket.socket], socket.socket], count: int) -> None:
        """Let so many programs come, each of which is answered."""
        for _ in range(count):
            link = clients(socket.create_connection(self.socket.getsockname(), SECONDS))
            link.sendall(HELLO)
            assert b'"ok":true' in link.recv(4096)

    def share(self, number: int) -> int:
        """Say how many programs are at a daemon."""
        address = f"http://127.0.0.1:{self.daemons[number].ports['metrics']}/metrics"
        with urlopen(address, timeout=SECONDS) as answer:
            return int(float(re.search(r'links{door="json"} (\S+)', answer.read().decode())[1]))

    def stop(self) -> None:
        for each in self.daemons:
            each.process.kill()
            each.process.communicate(timeout=SECONDS)
        self.socket.close()


def test_of_four_at_one_socket_the_drained_takes_no_more_and_nobody_waits_for_the_stopped(
    clients, database, tmp_path, capsys
):
    """Four daemons are started for it, as systemd would, which no fork server can: that takes its time."""
    house = Shared(database, tmp_path)
    try:
        house.come(clients, 40)
        assert sum(map(house.share, range(4))) == 40
        pair = [clients(Stock(house.daemons[0].nim, order)) for order in range(2)]
        Pair(*pair, stones=100)  # or it would end at once
        main(["doctor", "--journal", database])
        pid = house.daemons[0].process.pid
        run = re.search(rf"(?m)^run (\d+) +process {pid} ", capsys.readouterr().out)[1]
        assert main(["drain", run, "--journal", database]) == 0
        await_words(house.daemons[0], "asked to end: no game begins any more")
        drained = house.share(0)
        house.come(clients, 20)
        assert house.share(0) == drained
        assert sum(map(house.share, range(4))) == 60
        stopped = house.share(1)
        house.daemons[1].process.send_signal(signal.SIGSTOP)  # until it is killed
        house.come(clients, 20)
        assert house.share(0) == drained
        assert stopped + sum(map(house.share, (0, 2, 3))) == 80
    finally:
        house.stop()
