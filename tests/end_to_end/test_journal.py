"""The real daemon and its journal: stopped, started again, refused, on a full disk, and bereft of it."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import socket
import sqlite3
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import Factory, define

from tests import processes
from tests.doors import opened
from tests.patience import SECONDS

CLOSING = {"closing": True, "reason": "The server is closing"}


@define
class Daemon:
    """One daemon with a journal, and what it has said so far."""

    process: subprocess.Popen[str]
    said: list[str] = Factory(list)
    port: int = 0

    def wait_for(self, text: str) -> str:
        """Read what it says until it says this; gives that line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"Expanding Nim at .*\(port (\d+)\)", line):
                self.port = int(found[1])
            if text in line:
                return line
        raise AssertionError("".join(self.said))

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it by a signal, and give its exit status."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Let it end by itself, and give its exit status."""
        rest, _ = self.process.communicate(timeout=SECONDS)
        self.said += rest.splitlines(keepends=True)
        return self.process.returncode

    def lines(self, text: str) -> list[str]:
        """Find what it has said."""
        return [line for line in self.said if text in line]

    @property
    def writer(self) -> int:
        """The process that writes the journal."""
        pid = self.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text())

    def fill_disk(self, full: bool) -> None:
        """Let it write to no file any more, as if the disk were full; or again."""
        _, most = resource.prlimit(self.writer, resource.RLIMIT_FSIZE)
        limit = (0 if full else most, most)
        resource.prlimit(self.writer, resource.RLIMIT_FSIZE, limit)


@pytest.fixture
def launch(bin_dir: Path, tmp_path: Path) -> Iterator[Callable[..., Daemon]]:
    """Launch daemons that use one journal; they are ended with the test."""
    launched: list[Daemon] = []

    def launch(*options: str, **environment: str) -> Daemon:
        ports = [*opened(), "--discovery", "off"]
        where = options or ("--journal", str(tmp_path / "games.db"))
        process = processes.start(
            [bin_dir / "twistd", "--nodaemon", "--pidfile=", "parlour", *ports, *where],
            cwd=tmp_path,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        launched.append(Daemon(process))
        return launched[-1]

    yield launch
    for daemon in launched:
        if daemon.process.poll() is None:
            daemon.end(signal.SIGKILL)
        assert daemon.process.stdout is not None
        daemon.process.stdout.close()
        assert "Traceback" not in "".join(daemon.said)


@pytest.fixture
def start(launch: Callable[..., Daemon]) -> Callable[..., Daemon]:
    """Launch a daemon and wait until it is open."""

    def start(*options: str, **environment: str) -> Daemon:
        daemon = launch(*options, **environment)
        daemon.wait_for("Parlour is open")
        return daemon

    return start


class Player:
    """A player of Nim, by lines."""

    def __init__(self, daemon: Daemon, **hello: Any) -> None:
        self.sock = socket.create_connection(("127.0.0.1", daemon.port), timeout=SECONDS)
        self.file = self.sock.makefile("rb")
        self.say(**hello)

    def say(self, **written: Any) -> None:
        self.sock.sendall(json.dumps(written).encode() + b"\n")

    def hear(self) -> dict[str, Any]:
        line = self.file.readline()
        assert line, "the server closed"
        return json.loads(line)

    def hears_nothing(self, seconds: float) -> bool:
        self.sock.settimeout(seconds)
        try:
            self.sock.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return True
        finally:
            self.sock.settimeout(SECONDS)
        return False

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *problem: object) -> None:
        self.file.close()
        self.sock.close()


def sit_down(daemon: Daemon) -> tuple[Player, Player]:
    return (
        Player(daemon, name="a", order=0, resume=True),
        Player(daemon, name="b", order=1, resume=True),
    )


def test_a_game_goes_on_after_the_daemon_was_stopped_and_started_again(start, tmp_path):
    states = {"XDG_STATE_HOME": str(tmp_path), "STATE_DIRECTORY": ""}
    daemon = start("--name", "first", **states)
    journal = tmp_path / "parlour" / "parlour.db"
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600
    a, b = sit_down(daemon)
    with a, b:
        tokens = [each.hear()["token"] for each in (a, b)]
        a.say(num_stones=2)
        last = a.hear()
        assert b.hear() == last
        daemon.process.terminate()
        assert a.hear() == b.hear() == CLOSING
        assert a.file.read() == b.file.read() == b""
    assert daemon.wait() == 0
    daemon = start("--name", "second", **states)
    with Player(daemon, token=tokens[1]) as b, Player(daemon, token=tokens[0]) as a:
        for order, each in enumerate((a, b)):
            assert each.hear()["order"] == order
            assert each.hear() == last
        b.say(num_stones=1)
        assert a.hear()["stones_left"] == b.hear()["stones_left"] == 97
    assert daemon.end(signal.SIGINT) == 0
    assert "".join(daemon.said).count(tokens[0][6:]) == 0


def test_a_killed_daemon_leaves_its_games_to_the_next(start):
    daemon = start()
    a, b = sit_down(daemon)
    with a, b:
        tokens = [each.hear()["token"] for each in (a, b)]
        a.say(num_stones=2)
        last = b.hear()
        assert daemon.end(signal.SIGKILL) == -signal.SIGKILL
    daemon = start()
    with Player(daemon, token=tokens[1]) as b:
        assert b.hear()["token"] == tokens[1]
        assert b.hear() == last
    assert daemon.end() == 0


def test_a_second_daemon_is_refused_and_told_who_has_the_journal(start, launch):
    first = start()
    second = launch()
    assert second.wait() == 1
    (line,) = second.lines("parlour: ")
    assert f"is held by another daemon, process {first.process.pid}" in line
    assert not second.lines("Expanding Nim at")
    assert first.end() == 0


def test_on_a_full_disk_play_is_paused_and_goes_on_when_there_is_room(start, tmp_path):
    daemon = start()
    a, b = sit_down(daemon)
    with a, b:
        tokens = [each.hear()["token"] for each in (a, b)]
        daemon.fill_disk(True)
        a.say(num_stones=2)
        daemon.wait_for("play is paused")
        assert a.hears_nothing(0.3) and b.hears_nothing(0.01)
        daemon.fill_disk(False)
        daemon.wait_for("play goes on")
        told = a.hear()
        assert told == b.hear()
        assert told["stones_left"] == 98
        daemon.fill_disk(True)
        b.say(num_stones=3)
        daemon.wait_for("play is paused")
        daemon.process.terminate()
        assert a.hear() == b.hear() == CLOSING
    assert daemon.wait() == 1
    (line,) = daemon.lines("parlour: ")
    assert "1 commands are not in the journal and nobody was told of them" in line
    daemon = start()
    with Player(daemon, token=tokens[1]) as b:
        assert b.hear()["your_turn"] is True
        assert b.hear() == told
        b.say(num_stones=3)
        assert b.hear()["stones_left"] == 95
    assert daemon.end() == 0


def test_a_journal_removed_under_the_daemon_pauses_play_until_it_is_back(start, tmp_path):
    daemon = start()
    a, b = sit_down(daemon)
    with a, b:
        for each in (a, b):
            assert each.hear()["token"]
        os.rename(tmp_path / "games.db", tmp_path / "aside.db")
        assert "its file is not where it was" in daemon.wait_for("play is paused")
        daemon.wait_for(f"{tmp_path / 'games.db'} is gone: put the journal back")
        a.say(num_stones=2)
        assert b.hears_nothing(0.3)
        os.rename(tmp_path / "aside.db", tmp_path / "games.db")
        daemon.wait_for("play goes on")
        assert a.hear()["stones_left"] == b.hear()["stones_left"] == 98
    assert daemon.end() == 0


def test_a_second_daemon_is_refused_by_a_hard_link_too(start, launch, tmp_path):
    first = start()
    (tmp_path / "link.db").hardlink_to(tmp_path / "games.db")
    second = launch("--journal", str(tmp_path / "link.db"))
    assert second.wait() == 1
    (line,) = second.lines("parlour: ")
    assert "has several names (hard links)" in line
    assert first.end() == 0


def test_a_daemon_whose_journal_is_taken_over_ends_at_once(start, tmp_path):
    daemon = start()
    with sqlite3.connect(tmp_path / "games.db") as db:
        db.execute("UPDATE meta SET run = run + 1")
    db.close()
    with Player(daemon, name="a", order=0, resume=True) as a:
        assert daemon.wait() == 1
        assert a.file.read() == b""
    (line,) = daemon.lines("parlour: ")
    assert "another daemon has taken over" in line
