"""Tables of GOPS and 1-2-3 Pass where the players came by different doors, and one that outlives a kill."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count

import pytest

SECONDS = 20
HEADER = 64
GOPS = "[gops]\ncards = 3\norder = descending\n"
PASS = "[pass123]\nsend_gap = 0.02\n"
SIGNS = str.maketrans("♠♣♦♥", "SCDH")
ANY_CARD = r"(?:10|[2-9JQKA])[♠♣♦♥]"
BOARD = r"\*{39}\n[^\n]*\n([^\n]*)\n-{39}\nYou are P\d\n-{39}\n([^\n]*)\n\*{39}\n"
MOST_PASSES = 8  # a card is at most three seats away, with two others before it


class Wire:
    """The end of a socket; what was looked for is not found twice."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.heard = b""

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def until(self, pattern: str) -> re.Match[str]:
        """Read on until something is there, and forget all up to it but the match."""
        while (found := re.search(pattern, self.text())) is None:
            data = self.socket.recv(4096)
            assert data, f"closed before {pattern}: {self.text()}"
            self.heard += data
        self.heard = self.text()[found.end() :].encode()
        return found

    def text(self) -> str:
        return self.heard.decode()


class Line(Wire):
    """A client of a game's own wire that ends its lines."""

    def say(self, line: str) -> None:
        self.socket.sendall(line.encode() + b"\n")


class Frames(Wire):
    """A stock client of GOPS: each message behind 64 bytes that tell how long it is."""

    def say(self, body: str) -> None:
        self.socket.sendall(str(len(body.encode())).encode().ljust(HEADER) + body.encode())

    def exactly(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            more = self.socket.recv(length - len(data))
            assert more, data
            data += more
        return data

    def until(self, pattern: str) -> re.Match[str]:
        """Read whole frames until one of them holds a pattern."""
        while True:
            body = self.exactly(int(self.exactly(HEADER))).decode()
            if found := re.search(pattern, body):
                return found


class Lobby(Line):
    """A person with netcat, under a name."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(port)
        self.say(f"name {name}")
        self.until(f"You are called {name}")

    def board(self) -> str:
        """Ask how it stands, and give the drawing without the prompt."""
        self.say("board")
        return self.until(r"(?s)(Round \d+ of \d+\..*?)\[")[1]


class Program:
    """A program with JSON lines; what it was not looking for is kept."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.lines = self.socket.makefile("r")
        self.kept: list[dict] = []
        self.numbers = count(1)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.lines.close()
        self.socket.close()

    def until(self, fits: Callable[[dict], object]) -> dict:
        """Give the next message that fits."""
        for at, said in enumerate(self.kept):
            if fits(said):
                return self.kept.pop(at)
        for line in self.lines:
            said = json.loads(line)
            if fits(said):
                return said
            self.kept.append(said)
        raise AssertionError(f"closed: {self.kept}")

    def event(self, kind: str) -> dict:
        return self.until(lambda said: said.get("event") == kind)

    def moves(self) -> list[dict]:
        """Wait until it is its turn, and say what it may do."""
        return self.until(lambda said: said.get("moves"))["moves"]

    def ask(self, do: str, **fields: object) -> dict:
        number = next(self.numbers)
        said = json.dumps({"do": do, "id": number, **fields})
        self.socket.sendall(said.encode() + b"\n")
        reply = self.until(lambda said: said.get("reply") == number)
        assert reply["ok"], reply
        return reply

    def look(self) -> dict:
        """Give the board as it stands, all older ones being forgotten."""
        self.kept = [said for said in self.kept if "view" not in said]
        self.ask("look")
        return self.until(lambda said: "view" in said)["view"]["board"]


@pytest.fixture
def clients():
    """Close all clients before the daemon ends."""
    with ExitStack() as stack:
        yield stack.enter_context


# -- GOPS -----------------------------------------------------------------------------


def test_a_stock_client_and_a_line_client_play_gops_and_nobody_sees_a_card_too_soon(
    start_daemon, clients
):
    ports = start_daemon(ini=GOPS).ports
    north, south = clients(Frames(ports["gops"])), clients(Line(ports["gops"]))
    north.say("SET-USERNAME~north")
    north.say("START-GAME~1")
    code = north.until(r"SET-ID~(\w+)")[1]
    eve, program = clients(Lobby(ports["lobby"], "eve")), clients(Program(ports["json"]))
    eve.say(f"watch {code}")
    eve.until("You look on")
    program.ask("watch", table=code)
    south.say(f"SET-USERNAME~south\nJOIN-GAME~{code}")
    for number, (one, other) in enumerate(((2, 1), (3, 2), (1, 3)), 1):
        north.until("YOUR-TURN")
        south.until("YOUR-TURN[^\n]*\n")
        eve.until(f"Round {number}: ")
        program.event("PrizeTurned")
        boards = eve.board(), program.look()
        north.say(f"PLAY-TURN~{code}${one}")
        north.until("Waiting for south")
        check_hidden(eve, program, boards)
        south.say(f"PLAY-TURN~{code}${other}")
        assert south.text() == ""
        assert "Both of you have played" in south.until(r"^[^\n]*\n")[0]
        assert program.event("Revealed")["bids"] == [one, other]
    assert program.event("GameOver")["outcome"]["places"] == [1, 2]
    eve.until(r"Game 1 is over: north wins [^\n]*north 5, south 1")
    north.until("INFO~north wins the game!")
    north.until("END-GAME")
    south.until("(?s)INFO~north wins the game!.*END-GAME")


def check_hidden(eve: Lobby, program: Program, boards: tuple[str, dict]) -> None:
    """See that those who look on know only that the first player has laid a card."""
    drawn, seen = boards
    assert set(program.event("Laid")) == {"n", "table", "event", "seat"}
    assert program.look() == {**seen, "laid": [0]}
    laid = eve.until("(?s)^(.*)north has laid a card\\.")[1]
    assert re.search(ANY_CARD, laid.partition("]")[2]) is None
    assert eve.board().split("\r\n") == [*drawn.split("\r\n")[:-1], "north has laid a card.", ""]


def test_a_person_plays_gops_against_a_program_and_a_line_client_looks_on(start_daemon, clients):
    ports = start_daemon(ini=GOPS).ports
    ann, program = clients(Lobby(ports["lobby"], "ann")), clients(Program(ports["json"]))
    ann.say("open gops")
    code = ann.until(r"\[gops (\w+)\]")[1]
    watcher = clients(Line(ports["gops"]))
    watcher.say(f"SPECTATE~{code}")
    watcher.until("TRUE~")
    program.ask("join", table=code)
    for hers, its in ((1, 2), (2, 3), (3, 1)):
        ann.until("Your turn[^\n]*lay one of")
        watcher.until("Current card")
        (move,) = (move for move in program.moves() if move["card"] == its)
        program.ask("play", move=move)
        assert program.look()["own"] == its
        assert "You have laid" not in ann.board()
        heard = watcher.until(r"(?s)^(.*?)INFO~\S+ has chosen a card\n")[1]
        assert re.search(r" : \[", heard) is None
        ann.say(f"bid {hers}")
        assert program.event("Revealed")["bids"] == [hers, its]
    assert program.event("GameOver")["outcome"]["places"] == [2, 1]
    ann.until(r"Game 1 is over: (?!ann)\S+ wins")
    watcher.until(r"(?s)INFO~(?!ann)\S+ wins the game!.*END-GAME")


def test_a_card_of_gops_that_was_laid_before_a_kill_still_lies_there(
    start_daemon, clients, tmp_path, bin_dir
):
    journal, ini = str(tmp_path / "games.db"), "[gops]\ncards = 5\n"
    daemon = start_daemon(ini=ini, journal=journal)
    with Line(daemon.ports["gops"]) as north, Line(daemon.ports["gops"]) as south:
        north.say("SET-USERNAME~north\nSTART-GAME")
        code = north.until(r"SET-ID~(\w+)\n")[1]
        tokens = [north.until(r"TOKEN~(\S+)\n")[1]]
        south.say(f"SET-USERNAME~south\nJOIN-GAME~{code}")
        tokens.append(south.until(r"TOKEN~(\S+)\n")[1])
        prizes = [turned(north, south)]
        for client in (north, south):
            client.say(f"PLAY-TURN~{code}$1")
        prizes.append(turned(north, south))
        north.say(f"PLAY-TURN~{code}$5")
        north.until("Waiting for south")
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait(SECONDS)
        daemon.process.returncode = 0  # it was we who ended it so
    daemon = start_daemon(ini=ini, journal=journal)
    north, south = (clients(Line(daemon.ports["gops"])) for _ in tokens)
    for client, token in zip((north, south), tokens, strict=True):
        client.say(f"RETURN~{token}")
        client.until(f"TRUE~[^\\n]*{code}")
        assert client.until(r"Current card: (.*) \n")[1] == prizes[-1]
    north.say(f"PLAY-TURN~{code}$4")
    north.until("the first choice stands")
    south.until("YOUR-TURN")
    south.say(f"PLAY-TURN~{code}$4")
    for client in (north, south):
        client.until(r"north \[5♠\] : \[4♣\] south")
    for card in (4, 3, 2):
        prizes.append(turned(north, south))
        north.say(f"PLAY-TURN~{code}${card}")
        south.say(f"PLAY-TURN~{code}${5 if card == 4 else card}")
    for client in (north, south):
        client.until("END-GAME")
        client.__exit__()
    assert daemon.stop() == 0
    check_record(bin_dir, journal, code, prizes)


def turned(*clients: Line) -> str:
    """Give the prizes at stake, as each client has been told them when asked for a card."""
    at_stake = {client.until(r"Current card: (.*) \n")[1] for client in clients}
    for client in clients:
        client.until("YOUR-TURN")
    (prizes,) = at_stake
    return prizes


def check_record(bin_dir, journal: str, code: str, prizes: list[str]) -> None:
    """See that the record holds, and tells of the same prizes in the same order."""
    replay, verify = (
        subprocess.run(
            [str(bin_dir / "parlour"), command, "--journal", journal, code],
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        for command in ("replay", "verify")
    )
    assert (replay.returncode, verify.returncode) == (0, 0), replay.stderr + verify.stdout
    newest = [each.split()[-1].strip("[]") for each in prizes]
    assert len(set(newest)) == 5
    assert re.findall(r"Round \d: (\S+) is turned up", replay.stdout) == newest
    assert "north lays 5♠, south lays 4♣" in replay.stdout


# -- 1-2-3 Pass -----------------------------------------------------------------------


class PassLine(Line):
    """A line client of 1-2-3 Pass."""

    def hand(self) -> list[str]:
        """Wait for the board at which a code is expected."""
        return self.until(rf"(?:^|\n){BOARD}")[2].split()

    def lay(self, card: str) -> None:
        self.say(card)
        assert card not in self.until(rf"True\|{BOARD}")[2].split()


class PassStock(PassLine):
    """A stock client: nothing ends its codes."""

    def say(self, line: str) -> None:
        self.socket.sendall(line.encode())


class PassLobby(Lobby):
    """A person at a table of 1-2-3 Pass."""

    def hand(self) -> list[str]:
        return self.until("[Pp]ass one of (.*): PASS card")[1].translate(SIGNS).split()

    def lay(self, card: str) -> None:
        self.say(f"pass {card}")


class PassProgram(Program):
    """A program at a table of 1-2-3 Pass."""

    def hand(self) -> list[str]:
        self.passes = {
            move["card"]["rank"] + move["card"]["suit"]: move
            for move in self.moves()
            if move["is"] == "Pass"
        }
        return list(self.passes)

    def lay(self, card: str) -> None:
        self.ask("play", move=self.passes[card])


@pytest.fixture
def company(start_daemon, clients):
    """Seat four by three doors, who came in this order, and one who looks on."""
    ports = start_daemon(ini=PASS).ports
    line = clients(PassLine(ports["pass123"]))
    line.say("")  # which tells that it reads lines
    code = line.until(r"TOKEN (\w+)\.\S+\n")[1]
    eve = clients(Lobby(ports["lobby"], "eve"))
    eve.say(f"watch {code}")
    eve.until("You look on")
    stock = clients(PassStock(ports["pass123"]))
    eve.until("player 2 takes seat 1")
    program, ann = clients(PassProgram(ports["json"])), clients(PassLobby(ports["lobby"], "ann"))
    assert program.ask("join", table=code)["seat"] == 2
    ann.say(f"join {code}")
    eve.until("ann takes seat 3")
    return [line, stock, program, ann], eve


def pass_once(players, wanted: str, hands: list[list[str]]) -> None:
    """Let all pass a card: the first keeps those of a rank, the others pass them on to it."""
    for seat, (player, hand) in enumerate(zip(players, hands, strict=True)):
        fitting = [card for card in hand if (card[:-1] == wanted) is (seat > 0)]
        player.lay((fitting or hand)[0])


def test_four_by_three_doors_pass_cards_until_one_has_a_set_and_all_tap(company):
    players, eve = company
    line, stock, program, ann = players
    hands = [player.hand() for player in players]
    dealt = sorted(card for hand in hands for card in hand)
    assert len(set(dealt)) == 16
    ranks = [card[:-1] for card in hands[0]]
    wanted = max(ranks, key=ranks.count)
    passes = 0
    while {card[:-1] for card in hands[0]} != {wanted}:
        pass_once(players, wanted, hands)
        passes += 1
        heard = eve.until(rf"(?s)^(.*)1, 2, 3, pass! All cards have moved \(pass {passes}\)")[1]
        assert re.search(ANY_CARD, heard) is None
        hands = [player.hand() for player in players]
        assert sorted(card for hand in hands for card in hand) == dealt
        assert passes <= MOST_PASSES
    line.say("F")
    line.until(r"True\|Congratulations")
    eve.until(f"player 1 has finished with (?:{wanted}. ){{3}}{wanted}.; everybody else, TAP!")
    assert program.event("Finished")["seat"] == 0
    ann.until("player 1 has finished")
    stock.say(hands[1][0])  # it cannot know
    stock.until(r"False\|Someone already finished")
    stock.say("T")
    stock.until(r"True\|Tap successful")
    program.ask("play", move={"is": "Tap"})
    ann.say("tap")
    for person in (ann, eve):
        person.until("ann taps last, and loses")
        person.until("Game 1 is over: player 1 wins")
    for client in (line, stock):
        assert client.until(rf"Quit\|{BOARD}")[1].split() == ["1", "2", "3", "4"]
    assert program.event("GameOver")["outcome"]["places"] == [1, 2, 3, 4]


def test_all_are_told_when_one_of_four_by_three_doors_leaves(company):
    players, eve = company
    line, stock, program, ann = players
    pass_once(players, "", [player.hand() for player in players])
    hands = [player.hand() for player in players]
    line.lay(hands[0][0])
    ann.say("leave")
    ann.until("You have left table")
    eve.until("ann left; the game is void")
    line.until(r"Quit\|A player has left, the game is void")
    outcome = program.event("GameOver")["outcome"]
    assert (outcome["places"], outcome["reason"]) == ([1, 1, 1, 4], "left")
    stock.say(hands[1][0])
    stock.until(r"True\|A player has left, the game is void")
    stock.until(r"Quit\|A player has left, the game is void")
