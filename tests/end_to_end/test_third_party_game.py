"""A game that is no part of Parlour, installed as its own package beside it: every door has it, and every test."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from tests.another_game import ROOT, SOURCE, install
from tests.patience import SECONDS
from tests.processes import run, served

MOST_LINES = 250  # of rules, words and bots, but for the empty ones


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Path]:
    """Have the package installed, and processes that begin with it."""
    site = install(tmp_path_factory)
    with served(PYTHONPATH=str(site)):
        yield site


@pytest.fixture(autouse=True)
def installed(site, monkeypatch) -> None:
    """Let every process that is started find the package; this one does not."""
    monkeypatch.setenv("PYTHONPATH", str(site))


class Link:
    """One connection, read and written by lines."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.file = self.socket.makefile("rw", encoding="utf-8", newline="\n")
        self.heard: list[str] = []

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def say(self, line: str) -> None:
        self.file.write(f"{line}\n")
        self.file.flush()

    def until(self, pattern: str) -> re.Match[str]:
        """Read up to a line in which something is found."""
        for line in self.file:
            self.heard.append(line.rstrip())
            if found := re.search(pattern, line):
                return found
        raise AssertionError("\n".join(self.heard))

    def ask(self, line: str, answer: str = r"^\[") -> list[str]:
        """Say a line, and give all that is heard up to an answer: the prompt."""
        before = len(self.heard)
        self.say(line)
        self.until(answer)
        return self.heard[before:]

    def request(self, do: str, **fields: object) -> dict:
        """Send a request, and give its reply."""
        (*_, reply) = self.ask(json.dumps({"do": do, "id": 1, **fields}), r'"reply"')
        return json.loads(reply)


def test_the_game_is_short():
    lines = [
        line
        for path in (SOURCE / "connect_four").glob("*.py")
        for line in path.read_text().splitlines()
        if line.strip()
    ]
    assert len(lines) <= MOST_LINES


def test_its_own_tests_hold_which_ask_all_that_is_asked_of_every_game(site):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, str(SOURCE / "tests")], cwd=site, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 30


def test_two_people_play_it_in_the_lobby(start_daemon):
    daemon = start_daemon()
    with Link(daemon.ports["lobby"]) as ann, Link(daemon.ports["lobby"]) as bob:
        for who, name in ((ann, "ann"), (bob, "bob")):
            who.until("NAME gives you")
            who.ask(f"name {name}")
        assert "PLAY nim" in "\n".join(ann.heard)  # what a newcomer is offered is still the same
        assert any("connect4" in line for line in ann.ask("games"))
        assert any("columns of the board" in line for line in ann.ask("help connect4"))
        assert "Connect Four, for two players." in bob.ask("rules connect4")
        code = re.search(r"\[connect4 (\w+)\]", ann.ask("open connect4")[-1])[1]
        bob.ask(f"join {code}")
        for mover, column in zip(cycle((ann, bob)), "1212121", strict=False):
            mover.until("Your turn")
            assert "  1 2 3 4 5 6 7" in mover.heard[-9:]  # the board is shown before each choice
            heard = mover.ask(f"drop {column}")
        assert "ann plays column 1 and has four in a row!" in heard
        assert any("ann wins (four in a row)" in line for line in heard)
        bob.until("The game is over")
        assert "| X . . . . . . |" in bob.ask("board")


def test_a_person_plays_it_against_a_bot_in_french(start_daemon):
    daemon = start_daemon()
    with Link(daemon.ports["lobby"]) as ann:
        ann.until("NAME gives you")
        ann.ask("lang fr")
        assert "Puissance 4, pour deux joueurs." in ann.ask("rules connect4")
        assert any("les colonnes du plateau" in line for line in ann.ask("help connect4"))
        heard = ann.ask("play connect4 thinker-fast columns=4 rows=4")
        ann.ask("hint", "Vous pourriez jouer : ")
        while found := re.search(r"Choisissez une colonne : ([\d ]+)", heard[-1]):
            heard = ann.ask(found[1].split()[0])
        assert any("joue dans la colonne" in line for line in ann.heard)
        assert any("La partie 1 est finie" in line for line in heard)


def test_programs_play_it_over_json(start_daemon, tmp_path, free_udp_port):
    journal = str(tmp_path / "journal.db")
    discovery = f"{free_udp_port}:interface=127.0.0.1"
    ini = "[connect4]\nseconds = 77\n"
    daemon = start_daemon(journal=journal, discovery=discovery, ini=ini)
    with Link(daemon.ports["json"]) as ann, Link(daemon.ports["json"]) as bob:
        assert "connect4" in [each["game"] for each in ann.request("games")["games"]]
        schema = ann.request("schema", game="connect4")["schema"]
        assert {"ConnectFourView", "DropDisc"} <= schema["$defs"].keys()
        code = ann.request("open", game="connect4", options={"rows": 4})["table"]
        ann.request("join", seat=0)
        found = [
            "find",
            "--game",
            "connect4",
            "--port",
            str(free_udp_port),
            "--at",
            "127.0.0.1",
            "--json",
        ]
        assert json.loads(parlour(*found))["port"] == daemon.ports["lobby"]
        bob.request("join", table=code, seat=1)
        assert ann.until(r'"seconds":(\d+)')[1] == "77"
        for mover, column in zip(cycle((ann, bob)), (0, 1) * 3, strict=False):
            mover.until(r'"turn".*"moves":\[{')
            assert mover.request("play", move={"is": "DropDisc", "column": column})["ok"]
        ann.until(r'"turn".*"moves":\[{')
        refused = ann.request("play", move={"is": "DropDisc", "column": 9})
        assert refused["error"] == "no-room-there"
        assert refused["says"] == "Choose a column from 1 to 7 that is not full."
        assert ann.request("play", move={"is": "DropDisc", "column": 0})["ok"]
        over = json.loads(bob.until(r'.*"event":"GameOver".*')[0])
        assert over["outcome"]["places"] == [1, 2]
        assert bob.request("leave")["ok"] and ann.request("leave")["ok"]
    run_worked_bot(daemon.ports["json"])
    assert daemon.stop() == 0
    check_the_record(journal, code)


def run_worked_bot(port: int) -> None:
    """Let a worked bot, which knows of no game, play this one against the house."""
    bot = [sys.executable, str(ROOT / "etc/bots/bot.py"), "127.0.0.1", str(port), "connect4"]
    done = subprocess.run(bot, capture_output=True, text=True, timeout=SECONDS)
    assert done.stdout.startswith("places:"), done.stderr


def check_the_record(journal: str, code: str) -> None:
    """See that the commands for finished games know this one."""
    shown = parlour("replay", code, "--journal", journal)
    assert "four in a row" in shown
    assert parlour("verify", code, "--journal", journal)
    assert "DropDisc" in parlour("export", code, "--journal", journal)


def parlour(*words: str) -> str:
    """Run a command of Parlour, and give what it prints."""
    command = [str(Path(sys.executable).parent / "parlour"), *words]
    done = run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_person_plays_it_in_a_browser_by_forms_and_links_alone():
    """In its own looks and in those of any game; this interpreter does not find the package, so another plays."""
    command = [sys.executable, "-m", "tests.protocols.web.plain", "connect4"]
    done = run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr


def test_it_is_an_environment_for_agents_without_a_line_of_its_own():
    pytest.importorskip("pettingzoo")
    program = (
        "from pettingzoo.test import api_test; from protocols.zoo import env; "
        "api_test(env('connect4'), num_cycles=100); "
        "table = env('connect4'); table.reset(seed=1); "
        "print({number: move.column for number, move in table.last()[4]['moves'].items()})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str({column: column for column in range(7)})
