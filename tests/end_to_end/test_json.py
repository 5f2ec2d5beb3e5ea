"""Programs at the real daemon's door of JSON lines; the bots of the notice board among them."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from gamecore.rules import installed_rules
from protocols.host.door import installed_doors
from tests.patience import SECONDS

BOTS = Path(__file__).parents[2] / "etc" / "bots"
# How each worked bot is run, and what else it needs; those that are compiled first are run as what came of it.
WORKED = {
    "bot.py": ("python3",),
    "bot.sh": ("bash",),
    "bot.js": ("node",),
    "bot.pl": ("perl",),
    "bot.rb": ("ruby",),
    "bot.lua": ("lua5.4",),
    "bot.awk": ("gawk", "-f"),
    "bot.php": ("php",),
    "bot.go": ("go", "build", "-o"),
    "bot.c": ("cc", "-Wall", "-Wextra", "-Werror", "-o"),
}
ALSO = {"bot.sh": ("nc", "-h"), "bot.lua": ("lua5.4", "-e", 'require("socket")')}
KINDS = sorted({each.kind for each in installed_rules()})
PAGE = "page.html"  # tried in a browser
COMPILED = ("bot.go", "bot.c")
MOST_LINES = 30
MOST_COLUMNS = 100
RunBot = Callable[..., "subprocess.Popen[str]"]


class Program:
    """A program that reads what it is told line by line, and keeps what it was not looking for."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.lines = self.socket.makefile("r")
        self.kept: list[dict] = []
        self.asked = 0

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.lines.close()
        self.socket.close()

    def until(self, key: str, value: object = None) -> dict:
        """Give the next message of a sort; all others are kept."""
        for at, said in enumerate(self.kept):
            if key in said and value in (None, said[key]):
                return self.kept.pop(at)
        for line in self.lines:
            said = json.loads(line)
            if key in said and value in (None, said[key]):
                return said
            self.kept.append(said)
        raise AssertionError(f"closed before {key} {value}")

    def ask(self, do: str, **fields: object) -> dict:
        """Send a request and give its reply."""
        self.asked += 1
        self.socket.sendall(json.dumps({"do": do, "id": self.asked, **fields}).encode() + b"\n")
        return self.until("reply", self.asked)


@pytest.fixture
def hall(start_daemon):
    """Start a daemon with this door and that of Nim, and give both ports."""

    def start(host: str = "127.0.0.1", **given: str):
        others = [door.kind for door in installed_doors() if door.kind not in ("nim", "json")]
        closed = [word for kind in others for word in (f"--{kind}", "off")]
        interface = host.replace(":", "\\:")
        daemon = start_daemon("--json", f"tcp:0:interface={interface}", *closed, **given)
        ports = re.findall(r"JSON lines at .*\(port (\d+)\)", daemon.log)
        return int(ports[-1]), daemon

    return start


def runs(command: Sequence[str]) -> bool:
    """Say whether there is such a program here, and it does what it is asked."""
    return shutil.which(command[0]) is not None and (
        len(command) == 1 or subprocess.run(command, capture_output=True).returncode == 0
    )


@cache
def here() -> tuple[str, ...]:
    """Name the worked bots that can be run here."""
    return tuple(
        name
        for name, command in WORKED.items()
        if runs(command[:1]) and runs(ALSO.get(name, command[:1]))
    )


def say_what_is_missing() -> None:
    """Skip what is left of a test where some bots could not be run."""
    missing = {name: WORKED[name][0] for name in sorted(set(WORKED) - set(here()))}
    if missing:
        pytest.skip(f"all the others were run, but not these, for want of: {missing}")


@pytest.fixture(scope="module")
def run_bot(tmp_path_factory) -> RunBot:
    """Give what runs a worked bot, once those that have to be are compiled."""
    folder = tmp_path_factory.mktemp("bots")
    for name in set(COMPILED) & set(here()):
        subprocess.run([*WORKED[name], str(folder / name), str(BOTS / name)], check=True)

    def run(name: str, *arguments: object) -> subprocess.Popen[str]:
        compiled = [str(folder / name)]
        command = compiled if name in COMPILED else [*WORKED[name], str(BOTS / name)]
        command += map(str, arguments)
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return run


def finish(bot: subprocess.Popen[str]) -> str:
    with bot:
        try:
            said, problems = bot.communicate(timeout=SECONDS)
        finally:
            bot.kill()
    assert bot.returncode == 0, problems
    return said


def test_every_worked_bot_is_short():
    assert {each.name for each in BOTS.iterdir()} == {*WORKED, PAGE}
    for name in (*WORKED, PAGE):
        lines = [line for line in (BOTS / name).read_text().splitlines() if line.strip()]
        assert len(lines) <= MOST_LINES, name
        assert all(len(line) <= MOST_COLUMNS for line in lines), name


@pytest.mark.parametrize(
    ("host", "kinds"),
    [("127.0.0.1", KINDS), ("::1", ["nim"])],  # where a bot comes to changes no game
    ids=["127.0.0.1", "::1"],
)
def test_each_worked_bot_plays_every_game_against_the_house(hall, run_bot, host, kinds):
    port, _ = hall(host, ini="[nim]\nstones = 20\n[rikiki]\nmax = 5\n")
    for kind in kinds:
        for bot in [run_bot(name, host, port, kind) for name in here()]:
            places = sorted(re.findall(r"\d", finish(bot)))
            assert places in (["1", "2"], ["1", "1"]), (kind, bot.args)  # GOPS may be a draw
    say_what_is_missing()


def test_each_worked_bot_is_told_what_it_does_wrong(hall, run_bot):
    port, _ = hall()
    for bot in [run_bot(name, "127.0.0.1", port, "nim", "NOONE") for name in here()]:
        with bot:
            _, problems = bot.communicate(timeout=SECONDS)
        assert bot.returncode != 0
        assert "There is no table with that code here." in problems
    say_what_is_missing()


def test_two_worked_bots_in_two_languages_meet_at_a_table(hall, run_bot):
    port, _ = hall(ini="[nim]\nstones = 20\n")
    with Program(port) as watcher:
        code = watcher.ask("open", game="nim")["table"]
        watcher.ask("watch")
        bots = [run_bot(name, "127.0.0.1", port, "nim", code) for name in here()[:2]]
        places = watcher.until("event", "GameOver")["outcome"]["places"]
        said = [re.findall(r"\d", finish(bot)) for bot in bots]
        assert said[0] == said[1] == list(map(str, places))


def test_the_worked_python_bot_plays_every_game(hall, run_bot):
    port, _ = hall()
    for kind in KINDS:
        with Program(port) as player:
            player.ask("open", game=kind, house={"start": "asked"})
            code = player.ask("join")["table"]
            bot = run_bot("bot.py", "127.0.0.1", port, kind, code)
            assert player.until("event", "Sat")["seat"] == 1
            assert player.ask("start")["ok"]
            moved = 0
            # A set may be dealt.
            while moved < 3 and all(said.get("event") != "GameOver" for said in player.kept):
                if moves := player.until("turn").get("moves"):
                    moved += player.ask("play", move=moves[0]).get("ok", False)
            player.ask("leave")
            assert "places" in finish(bot), kind


def test_a_program_plays_an_original_client_of_nim(hall):
    port, daemon = hall(ini="[nim]\nstones = 10\n")
    with Program(port) as program:
        program.ask("open", game="nim")
        program.ask("join", seat=0)
        with socket.create_connection(("127.0.0.1", daemon.nim), timeout=SECONDS) as stock:
            stock.sendall(b'{"name": "stock", "order": 1}')  # no end of line, as ever
            assert json.loads(stock.recv(1024))["init_stones"] == 10
            while True:
                turn = program.until("turn")
                if not turn["moves"]:
                    continue
                program.ask("play", move=turn["moves"][0])
                state = json.loads(stock.recv(1024))
                if state["finished"]:
                    break
                stock.sendall(b'{"order": 1, "num_stones": 1, "reset": false}')
                state = json.loads(stock.recv(1024))
                if state["finished"]:
                    break
        over = program.until("event", "GameOver")
        assert over["outcome"]["places"] == [2, 1]
        assert state["winner"] == "stock"


def test_a_daemon_that_was_ended_goes_on_and_a_program_comes_back(hall, tmp_path):
    kept = str(tmp_path / "kept.db")
    port, daemon = hall(journal=kept)
    with Program(port) as program:
        program.ask("open", game="nim", options={"stones": 9})
        program.ask("join")
        token = program.until("token")["token"]
        program.ask("bot")
        program.until("event", "GameBegan")
        last = program.ask("play", move={"is": "Take", "stones": 1})
        assert last["ok"]
        program.ask("quit")
        assert program.lines.read() == ""
    assert daemon.stop() == 0
    port, _ = hall(journal=kept)
    with Program(port) as back:
        assert back.ask("return", token=token)["ok"]
        assert back.until("view")["view"]["board"]["board"]["left"] < 9
        while not (turn := back.until("turn")).get("moves"):
            assert turn["turn"] == [1]
        assert back.ask("play", move=turn["moves"][0])["ok"]
