"""The samples of systemd units for several daemons on one host: what they say, and that systemd takes it."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from protocols.host.door import installed_doors
from tests.end_to_end.conftest import BIN, Daemon
from tests.end_to_end.test_haproxy import ASKS
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


def test_a_daemon_serves_each_door_at_the_port_that_it_is_handed(tmp_path):
    """A daemon is started for it: only that finds out which of the sockets is whose."""
    handed = [socket.create_server(("::1", 0), family=socket.AF_INET6) for _ in USUAL]
    files = [each.fileno() for each in handed]
    options = re.search(r"(?ms)^ExecStart=\S+ (.*?[^\\])$", UNIT)[1].replace("\\\n", " ").split()
    at = options.index("--config")
    del options[at : at + 2]
    options[options.index("--journal") + 1] = "memory"
    told = [str(BIN / "twistd"), *options, "--discovery", "off"]
    daemon = Daemon(
        subprocess.Popen(
            [sys.executable, "-c", AS_SYSTEMD, ",".join(map(str, files)), *told],
            pass_fds=files,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ),
        [],
    )
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
