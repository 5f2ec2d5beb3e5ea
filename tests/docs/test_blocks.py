"""Every command and every program on the pages and in the README is run, beside one daemon that they share."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from attrs import define, field

from protocols.host.door import installed_doors
from tests.docs.blocks import PAGES, ROOT, RUN, Block, Command, blocks, sessions
from tests.doors import opened
from tests.end_to_end.conftest import BIN, Daemon, launch
from tests.patience import SECONDS
from tests.ports import free_port
from tests.processes import run, start

CODE = "K7QX2"  # the table that the pages speak of
DEFAULT_PORTS = {door.endpoint.removeprefix("tcp:"): door.kind for door in installed_doors()}
ENDLESS = ("twistd", "tail")  # runs until it is ended; `parlour start` as well
CONSOLE = {
    page: [commands for _, commands in shown]
    for page, shown in groupby(sessions(), lambda session: session[0].page)
}
PROGRAMS = [each for each in blocks() if each.language == "python" and not each.kind]
# Not every machine has what these need; they are the only ones that are not run.
NOT_RUN = {
    "run-a-house.rst": [
        "needs-systemd",
        *["needs-postgresql"] * 3,
        *["needs-openssl"] * 2,
        "needs-postgresql",
        "needs-systemd",
    ],
}
SHELL = re.compile(r"[|&;<>()$`\\\"*?~]")  # what a shell would do more about than part words
LITERAL = re.compile(r"^(?!\.\. ).*::\n\n   ", re.MULTILINE)
NETCAT = f"""#!{sys.executable}
import socket, sys, threading
*_, host, port = sys.argv
link = socket.create_connection((host, int(port)))
threading.Thread(target=lambda: (link.sendall(sys.stdin.buffer.read()), link.shutdown(1))).start()
for line in link.makefile("rb"):
    print(line.decode(), end="", flush=True)
"""


@define
class Place:
    """Where commands are run: a folder like the project's own, and a daemon with a game that is over."""

    folder: Path
    daemon: Daemon
    code: str
    running: list[subprocess.Popen[str]] = field(factory=list)
    beside: list[subprocess.Popen[str]] = field(factory=list)

    def here(self, text: str) -> str:
        """Say it with the ports and the code of this daemon."""
        for port, kind in DEFAULT_PORTS.items():
            text = re.sub(rf"\b{port}\b", str(self.daemon.ports[kind]), text)
        return text.replace(CODE, self.code)

    def start(self, line: str) -> subprocess.Popen[str]:
        """Start what a shell would, without one where it would do no more: a signal is for the command then."""
        words = shlex.split(line, comments=True)
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        if line.startswith(".venv/bin/"):
            words[0] = str(BIN / Path(words[0]).name)
        if SHELL.search(line.partition(" #")[0]) or not shutil.which(words[0], path=path):
            words = ["bash", "-c", f"exec {line}" if line.startswith(".venv") else line]
        return start(
            words,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PATH": path},
        )

    def run(self, command: Command) -> None:
        """Run one command, and see that it prints what is shown."""
        if command.beside:
            self.beside.append(self.start(self.prepared(command).rstrip("& ")))
            return
        process = self.start(self.prepared(command))
        if self.endless(command):
            self.running.append(process)
            self.read_until(process, command.shown)
            return
        printed, _ = process.communicate(self.here(command.typed), timeout=SECONDS)
        assert process.returncode == 0, f"{command.line}\n{printed}"
        for line in command.shown:
            assert line in printed, f"{command.line}\n{printed}"

    def prepared(self, command: Command) -> str:
        """Give a command as it is run here."""
        line = command.line
        if "twistd" in line:
            return self.on_free_ports(line)
        line = self.here(line)
        if "parlour find" in line:
            line += f" --port {self.daemon.discovery} --at 127.0.0.1"
        if "parlour start" in line:
            line = line.replace("start nim", "start nim -p 0", 1)
        return f"cd {ROOT} && make --dry-run {line[5:]}" if line.startswith("make ") else line

    def on_free_ports(self, line: str) -> str:
        """Let a daemon take any ports, and no journal."""
        named = [word for word in line.split() if word.startswith("--")]
        line = re.sub(r"tcp(6?):\d+", r"tcp\1:0", line)
        for door in installed_doors():
            if f"--{door.kind}" not in named:
                line += f" --{door.kind} tcp:0:interface=127.0.0.1"
        return line + " --discovery off --journal memory"

    @staticmethod
    def endless(command: Command) -> bool:
        name, *rest = (Path(word).name for word in command.words)
        return name in ENDLESS or rest[:1] == ["start"]

    @staticmethod
    def read_until(process: subprocess.Popen[str], wanted: list[str]) -> None:
        """Read on until each line that is shown was there."""
        heard, left = "", list(wanted)
        while left:
            line = process.stdout.readline()
            assert line, heard
            heard += line
            left = [each for each in left if each not in heard]

    def end_all(self) -> None:
        """End what is still running, as a person would; what runs beside the rest ends by itself, and well."""
        while self.beside:
            process = self.beside.pop()
            printed, _ = process.communicate(timeout=SECONDS)
            assert process.returncode == 0, printed
        while self.running:
            process = self.running.pop()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=SECONDS)


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("shown")
    (folder / "bin").mkdir()
    (folder / "bin" / "nc").write_text(NETCAT)
    (folder / "bin" / "nc").chmod(0o755)
    (folder / ".venv").symlink_to(BIN.parent)
    shutil.copytree(ROOT / "etc", folder / "etc")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        discovery = f"{free_port()}:interface=127.0.0.1"
        daemon = launch(*opened(), "--discovery", discovery, cwd=folder)
        daemon.wait_until_open()
        found = Place(folder, daemon, play_a_game(daemon.ports["json"]))
        yield found
        assert daemon.stop() == 0
        daemon.process.stdout.close()
    assert "Traceback" not in daemon.log


def play_a_game(port: int) -> str:
    """Play one game to its end and leave, so that its table is put away; give its code."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as link:
        lines = link.makefile("rw", encoding="utf-8", newline="\n")

        def ask(do: str, **fields: object) -> dict:
            lines.write(json.dumps({"do": do, "id": do, **fields}) + "\n")
            lines.flush()
            return next(said for said in map(json.loads, lines) if said.get("reply") == do)

        code = ask("open", game="nim", options={"stones": 3})["table"]
        for request in (ask("join"), ask("bot")):
            assert request["ok"], request
        assert ask("play", move={"is": "Take", "stones": 3})["ok"]
        assert ask("leave")["ok"]
    return code


def wait_until_put_away(place: Place) -> None:
    """Ask until the game can be shown: its table is put away when nobody waits for that."""
    command = [BIN / "parlour", "replay", place.code]
    while run(command, cwd=place.folder, capture_output=True, timeout=SECONDS).returncode:
        assert place.daemon.process.poll() is None


# -- what is run ----------------------------------------------------------------------


@pytest.mark.parametrize("page", CONSOLE)
def test_what_is_typed_at_a_shell_does_what_is_shown(place: Place, page: str):
    """One page after the other, since what is typed on one may need what was typed above it."""
    expects = False
    for commands in CONSOLE[page]:
        if any(each.line.startswith("expect") for each in commands) and not shutil.which("expect"):
            expects = True
            continue
        if any(CODE in command.line for command in commands):
            wait_until_put_away(place)
        try:
            for command in commands:
                place.run(command)
        finally:
            place.end_all()
    if expects:
        pytest.skip("all was run but what needs expect, which is not here")


@pytest.mark.parametrize("block", PROGRAMS, ids=str)
def test_a_program_on_a_page_runs(place: Place, block: Block):
    done = run(
        [sys.executable, "-c", place.here(block.text)],
        cwd=place.folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr


def test_what_is_not_run_is_known():
    left_out: dict[str, list[str]] = {}
    for block in blocks():
        if block.kind and block.kind != "typed":
            left_out.setdefault(block.page, []).append(block.kind)
    assert left_out == NOT_RUN


def test_every_block_that_could_be_run_is():
    shown = [block for block in blocks() if block.language not in RUN]
    assert {block.language for block in shown} <= {"text"}
    assert not [block for block in shown if block.text.startswith("$ ")]
    shows_dialogues = [page.name for page in PAGES if LITERAL.search(page.read_text())]
    assert shows_dialogues == ["json.rst"]  # those are played, in the tests of the door
    assert sum(map(len, CONSOLE.values())) > 8 and len(PROGRAMS) > 5
