"""Castle Wars at the real daemon: whole games by its own wire, a program and a person in them, and a kill."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from gamecore.games.castle import CARDS, SAMPLE_DECKS
from protocols.castle.wire import read, write_request
from tests.patience import SECONDS

RATE, BURST = 20, 30  # commands a second that are taken, and as many at once
SOLDIERS = [*SAMPLE_DECKS["soldiers"].cards, 1]
WARLOCK = 24  # hits a castle past soldiers
BOT = Path(__file__).parents[2] / "etc" / "bots" / "bot.py"


class Client:
    """A scripted client: it plays soldiers, attacks with them, and gives the first answer to every question."""

    def __init__(self, port: int, *, peaceful: bool = False) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.lines = self.socket.makefile("r")
        self.sent, self.began = 0, time.monotonic()
        self.asked: dict = {}
        self.end: dict | None = None
        self.room = self.token = ""
        self.seat = -1
        self.turn, self.tried = 0, set()
        self.peaceful = peaceful  # it only draws, and ends its turns

    def close(self) -> None:
        self.lines.close()
        self.socket.close()

    def say(self, command: str, **fields: object) -> None:
        """Send a command, no faster than is taken."""
        self.sent += 1
        while (time.monotonic() - self.began) * RATE + BURST < self.sent:
            time.sleep(0.01)
        self.socket.sendall(write_request(command, **fields))

    def hear(self) -> dict:
        line = self.lines.readline()
        assert line, "the server has closed the link"
        message = read(line)
        match message["COMMAND"]:
            case "JOIN_GAME_RESP":
                assert message["SUCCESS"], message
                self.seat, self.room = message["PLAYER_ID"], message["ROOM"]
                self.token = message.get("TOKEN", self.token)
            case "TARGET_CARD" | "DIAG_OFFER" | "DRAW_CARD_OFFER":
                self.asked = message
            case "GAME_END":
                self.end = message
        return message

    def join(self, name: str, **more: object) -> None:
        self.say(
            "JOIN_GAME",
            USERNAME=name,
            DECK_DATA=SOLDIERS,
            PASSWORD="",
            **{"EXTENSIONS": False, **more},
        )
        while self.seat < 0:
            self.hear()

    def state(self) -> dict | None:
        """Ask how things stand; None once the game is over."""
        self.say("STATE_REQUEST")
        while self.end is None:
            message = self.hear()
            if message["COMMAND"] == "STATE":
                return message
        return None

    def act(self) -> bool:
        """Do all that is awaited of this player, then wait for something to happen; False once it is over."""
        while (state := self.state()) is not None and self.seat in state["AWAITED"]:
            self.move(state)
        return self.end is None

    def move(self, state: dict) -> None:
        match state["STAGE"]:
            case "MULLIGAN":
                self.say("GAME_START_ACCEPT")
            case "WINDOW":
                self.say("ALLOW_ACTION")
            case "QUESTION" if self.asked["COMMAND"] == "TARGET_CARD":
                self.say("TARGET_CARD_RESP", CARD_POS=self.asked["VALID_REGION"][0])
            case "QUESTION":
                self.say("DIAG_RESP", BOOL=True)
            case "TURN":
                self.take_turn(state)

    def take_turn(self, state: dict) -> None:
        if state["TURN"] != self.turn:
            self.turn, self.tried = state["TURN"], set()
        if state["TO_DRAW"]:
            self.say("DRAW_CARD")
            return
        for command, fields in () if self.peaceful else self.wishes(state):
            wish = json.dumps([command, fields])
            if wish not in self.tried:
                self.tried.add(wish)
                self.say(command, **fields)
                return
        self.say("TURN_END")

    def wishes(self, state: dict):
        free = [
            f"MY_SOLDIER_{slot}" for slot in (1, 2) if f"MY_SOLDIER_{slot}" not in state["FIELD"]
        ]
        if free and "played" not in self.tried:
            for at, card in enumerate(state["MY_HAND"], 1):
                if CARDS[card].type == "soldier" and not CARDS[card].cost:
                    self.tried.add("played")
                    place = {"START_POS": f"MY_HAND_{at}", "END_POS": free[0]}
                    yield "PLAY_CARD", {**place, "CARD_ID": card, "ABILITY_TRIGGERED": False}
                    break
        field = state["FIELD"]
        theirs = [place for place in field if place.startswith("THEIR_SOLDIER")]
        for place in ("MY_SOLDIER_1", "MY_SOLDIER_2"):
            if state["TURN"] > 1 and place in field:
                points = field[place]["POINTS"]
                weaker = [each for each in theirs if field[each]["POINTS"] <= points]
                if weaker or not theirs or field[place]["CARD_ID"] == WARLOCK:
                    target = weaker[0] if weaker else "THEIR_CASTLE"
                    yield "ATTACK_CARD", {"ATTACKER": place, "TARGET": target}


def play_to_the_end(clients) -> None:
    while all([client.act() for client in clients]):
        pass
    for client in clients:
        while client.end is None:
            client.hear()


def test_two_clients_play_a_game_that_a_kill_interrupts(start_daemon, tmp_path):
    journal = str(tmp_path / "games.db")
    daemon = start_daemon(journal=journal)
    port = daemon.ports["castle"]
    red, blue = Client(port), Client(port, peaceful=True)
    red.join("red", EXTENSIONS=True)
    blue.join("blue", EXTENSIONS=True)
    for _ in range(3):
        assert red.act() and blue.act()
    before = [client.state() for client in (red, blue)]
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait(SECONDS)
    daemon.process.returncode = 0  # it was we who ended it so
    for client in (red, blue):
        client.close()
    daemon = start_daemon(journal=journal)
    port = daemon.ports["castle"]
    again = [Client(port), Client(port, peaceful=True)]
    for client, older in zip(again, (red, blue), strict=True):
        client.say("REJOIN_GAME", TOKEN=older.token)
        while client.seat < 0:
            client.hear()
        assert (client.seat, client.room) == (older.seat, older.room)
    after = [client.state() for client in again]
    for one, other in zip(before, after, strict=True):
        assert {**one, "SECONDS": 0} == {**other, "SECONDS": 0}
    play_to_the_end(again)
    assert again[0].end == again[1].end
    assert (again[0].end["REASON"], again[0].end["WINNER_ID"]) == ("CASTLE", again[0].seat)
    for client in again:
        client.close()


def test_a_program_plays_against_a_client_of_the_original_wire(start_daemon):
    daemon = start_daemon()
    red = Client(daemon.ports["castle"])
    red.join("red")
    command = [sys.executable, str(BOT), "127.0.0.1", str(daemon.ports["json"]), "castle", red.room]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bot:
        while red.act():
            red.hear()
        said, _ = bot.communicate(timeout=SECONDS)
    assert bot.returncode == 0 and said.startswith("places:")
    winner = said.split()[1:].index("1")
    assert red.end["WINNER_ID"] == winner
    red.close()


class Person:
    """A person in the lobby, with netcat."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.lines = self.socket.makefile("r", newline="\r\n")
        self.offered: list[str] = []  # the choices above a prompt

    def say(self, line: str) -> None:
        self.socket.sendall(line.encode() + b"\n")

    def hear(self, pattern: str) -> str:
        """Read on to a line that fits."""
        for line in self.lines:
            if re.search(pattern, line):
                return line
            if re.search(r"(^|: )\d+ [A-Z]{2,}\b", line):
                self.offered.append(line)
        raise AssertionError(f"closed before {pattern}")


def chosen(prompt: str) -> str:
    """Choose the number of an attack, else of a play, else the last one."""
    for verb in ("ATTACK", "PLAY"):
        if found := re.search(rf"(\d+) {verb}", prompt):
            return found[1]
    return re.findall(r"(\d+) [A-Za-z]", prompt)[-1]


def test_a_person_in_the_lobby_plays_a_game_against_the_bot(start_daemon):
    daemon = start_daemon()
    ann = Person(daemon.ports["lobby"])
    ann.say("width 0")  # each line is read whole
    ann.say("name ann")
    ann.say("play castle easy")
    while "Your turn" in (prompt := ann.hear(r"Your turn\.|^Game 1 is over")):
        ann.say(chosen(prompt if "Say a number" not in prompt else "\n".join(ann.offered)))
        ann.offered = []
    assert re.search(r"Game 1 is over: (ann|easy bot) wins", prompt)
    ann.say("quit")
    ann.hear("Goodbye")
    ann.lines.close()
    ann.socket.close()
