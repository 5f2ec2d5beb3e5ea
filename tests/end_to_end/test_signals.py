"""What signals say to the daemon, each to a real one."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import subprocess
import termios
import time

import pytest

from protocols.daemon.options import Options
from protocols.discovery.finder import find
from tests.doors import shut
from tests.end_to_end.conftest import BIN, SECONDS
from tests.end_to_end.players import Program

ASKED = "127.0.0.1"


def opened_with(port: int) -> bytes:
    """Open a table of Nim at the lobby, and give what is told of it."""
    with socket.create_connection(("127.0.0.1", port), SECONDS) as link:
        link.sendall(b"open nim\r\nplay nim\r\nquit\r\n")
        told = b""
        while data := link.recv(65_536):
            told += data
    return told


def wait_for(daemon, words: str) -> str:
    for line in daemon.process.stdout:
        daemon.said.append(line)
        if words in line:
            return line
    raise AssertionError(daemon.log)


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGUSR2])
def test_a_signal_that_means_nothing_hurts_nobody(start_daemon, number):
    daemon = start_daemon()
    daemon.process.send_signal(number)
    wait_for(daemon, "mean nothing here")
    assert daemon.stop() == 0


def test_the_file_is_read_again_for_tables_that_are_opened_from_now_on(start_daemon, tmp_path):
    daemon = start_daemon(ini="[nim]\nstones = 41\n")
    told = opened_with(daemon.ports["lobby"])
    (tmp_path / "0.ini").write_text("[lobby]\nwelcome = Tea at five.\n[nim]\nstones = 43\n")
    daemon.process.send_signal(signal.SIGHUP)
    wait_for(daemon, "options are read again")
    again = opened_with(daemon.ports["lobby"])
    (tmp_path / "0.ini").write_text("[nim]\nstones = many\n")
    daemon.process.send_signal(signal.SIGHUP)
    assert "[nim] stones: a number; all stays as it was" in wait_for(daemon, "all stays")
    assert b"Tea at five." not in told and b"Tea at five." in again
    assert b"Tea at five." in opened_with(daemon.ports["lobby"])


def test_the_name_that_a_lan_sees_is_read_again_and_what_is_not_is_said(
    start_daemon, free_udp_port, tmp_path
):
    where = f"{free_udp_port}:interface=127.0.0.1"
    daemon = start_daemon(*shut("nim"), ini="[parlour]\nname = attic\n", discovery=where)

    def names() -> set[str]:
        return {room.server_name for room in find(port=free_udp_port, seconds=1, addresses=[ASKED])}

    assert names() == {"attic"}
    lines = ["[parlour]", "name = cellar", "keep = 3", "castle = tcp:1", "journal = other.db"]
    (tmp_path / "0.ini").write_text("\n".join(lines))
    daemon.process.send_signal(signal.SIGHUP)
    wait_for(daemon, "options are read again")
    assert names() == {"cellar"}
    assert "next start" not in daemon.log, "the command line wins over the file"


def test_what_holds_only_from_the_next_start_is_named(tmp_path):
    (tmp_path / "ini").write_text("[parlour]\nlobby = off\njson = off\n")
    options = Options()
    options.parseOptions(["--config", str(tmp_path / "ini"), "--nim", "off"])
    new = ["lobby = tcp:1", "json = off", "nim = tcp:2", "discovery = off", "journal = memory"]
    (tmp_path / "ini").write_text("\n".join(["[parlour]", *new, "name = loft", "keep = 1"]))
    assert sorted(options.fixed(options.reread())) == ["discovery", "journal", "lobby"]


def test_a_log_that_was_moved_away_is_opened_anew(tmp_path):
    pid_file, log = tmp_path / "pid", tmp_path / "log"
    quiet = ["--journal", "memory", "--discovery", "off", *shut()]
    command = [str(BIN / "twistd"), "--nodaemon", f"--pidfile={pid_file}", f"--logfile={log}"]
    process = subprocess.Popen([*command, "parlour", *quiet], cwd=tmp_path)
    try:
        _until(lambda: log.exists() and "Parlour is open" in log.read_text(), process)
        log.rename(tmp_path / "log.1")
        process.send_signal(signal.SIGHUP)
        _until(lambda: log.exists() and "opened anew" in log.read_text(), process)
        assert "opened anew" not in (tmp_path / "log.1").read_text()
    finally:
        process.terminate()
        assert process.wait(SECONDS) == 0


def test_a_terminal_that_is_closed_ends_it_as_sigterm_does(tmp_path):
    ours, theirs = os.openpty()

    def govern() -> None:
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    quiet = ["--journal", "memory", "--discovery", "off", *shut()]
    command = [str(BIN / "twistd"), "--nodaemon", "--pidfile=", "--logfile=log", "parlour", *quiet]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=govern
    )
    os.close(theirs)
    log = tmp_path / "log"
    _until(lambda: log.exists() and "Parlour is open" in log.read_text(), process)
    os.close(ours)
    assert process.wait(SECONDS) == 0
    assert re.search("asked to end.*Parlour is closed", log.read_text(), re.DOTALL)


def _until(seen, process) -> None:
    """Look again and again, as long as the process is to be given."""
    for _ in range(SECONDS * 20):
        if seen():
            return
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        raise AssertionError(f"it has ended with {process.returncode}")
    raise AssertionError("it took too long")


def test_nobody_is_charged_for_the_time_for_which_the_daemon_stood_still(start_daemon, clients):
    """It stands still for longer than a player has: hence its seconds, in which nothing is done."""
    daemon = start_daemon()
    ann, bob = [clients(Program(daemon.ports["json"])) for _ in range(2)]
    code = ann.ask("open", game="nim", options={"stones": 50, "seconds": 4})["table"]
    for player in (ann, bob):
        player.ask("join", table=code)
    ann.moves()
    daemon.process.send_signal(signal.SIGSTOP)
    time.sleep(4.2)  # the system's own clock goes on, and nobody tells when
    daemon.process.send_signal(signal.SIGCONT)
    ann.ask("who")
    ann.ask("who")  # so that whatever was due has been done
    ann.ask("play", move={"is": "Take", "stones": 1})
    assert bob.moves()
