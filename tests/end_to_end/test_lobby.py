"""The lobby of the real daemon: a telnet client and a netcat, against bots and against each other."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from itertools import cycle, islice

import pytest

from protocols.nim.client import Client
from tests.patience import SECONDS
from tests.processes import start

IAC, DONT, DO, WONT, WILL, SB, IP, SE = (
    bytes([each]) for each in (255, 254, 253, 252, 251, 250, 244, 240)
)
NAWS, TTYPE, ECHO, TM = b"\x1f", b"\x18", b"\x01", b"\x06"


class Netcat:
    """Lines out end in LF; nothing is known of telnet."""

    end = b"\n"
    chatter = (b"",)

    def __init__(self, port, name):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.raw = b""
        self.read = 0
        self.name = name
        self.chatters = cycle(self.chatter)
        self.until("NAME gives you")
        assert f"You are called {name}." in self.do(f"name {name}")

    def send(self, line):
        self.sock.sendall(next(self.chatters) + line.encode() + self.end)

    def text(self):
        return self.raw

    def lines(self):
        """Give what is there in whole lines and has not been looked at."""
        whole = self.text().decode().split("\r\n")[:-1]
        fresh, self.read = whole[self.read :], len(whole)
        return fresh

    def until(self, pattern):
        """Read up to a line in which something is found."""
        found = []
        while True:
            for number, line in enumerate(fresh := self.lines()):
                found.append(line)
                if re.search(pattern, line):
                    self.read -= len(fresh) - number - 1
                    return found
            data = self.sock.recv(4096)
            assert data, "\n".join(found)
            self.raw += data

    def do(self, line):
        """Send a line and read its answer."""
        self.send(line)
        return self.until(r"^\[")

    def rest(self):
        """Read to the end of the link."""
        while data := self.sock.recv(4096):
            self.raw += data
        return self.lines()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()


class Telnet(Netcat):
    """A client that negotiates at every opportunity, byte by byte, and ends lines in CR NUL."""

    end = b"\r\0"
    chatter = (
        IAC + WILL + NAWS + IAC + SB + NAWS + b"\0P\0\x18" + IAC + SE,
        IAC + DO + ECHO,
        IAC + SB + TTYPE + b"\0Mudlet" + IAC + SE,
        IAC + IP + IAC + DO + TM,
    )

    def send(self, line):
        data = (
            next(self.chatters)
            + line[:1].encode()
            + IAC
            + WILL
            + TTYPE
            + line[1:].encode()
            + self.end
        )
        for byte in data:
            self.sock.sendall(bytes([byte]))

    def text(self):
        return re.sub(rb"\xff[\xfb-\xfe].", b"", self.raw, flags=re.DOTALL)

    def do(self, line):
        interrupts = self.raw.count(IAC + WONT + TM)
        self.send(line)
        found = self.until(r"^\[")
        if self.raw.count(IAC + WONT + TM) > interrupts:  # a prompt of its own came first
            found += self.until(r"^\[")
        return found


CLIENTS = [Telnet, Netcat]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_whole_game_against_a_bot(start_daemon, client):
    daemon = start_daemon(ini="[nim]\nstones = 21\n")
    with client(daemon.ports["lobby"], "ann") as ann:
        heard = ann.do("play nim perfect")
        while "Your turn" in heard[-1]:
            heard = ann.do("1")
        assert re.search(r"^Game 1 is over: (ann|perfect bot) wins", "\n".join(heard), re.M)
        ann.send("quit")
        assert ann.rest()[-1] == "Goodbye, ann."


@pytest.mark.parametrize("first", CLIENTS)
@pytest.mark.parametrize("second", CLIENTS)
def test_a_whole_game_against_each_other(start_daemon, first, second):
    daemon = start_daemon(ini="[nim]\nstones = 10\n")
    port = daemon.ports["lobby"]
    with first(port, "ann") as ann, second(port, "bob") as bob:
        code = re.search(r"\[nim (\w+)\]", ann.do("open nim")[-1])[1]
        assert bob.do(f"join {code}")[-1] == f"[nim {code}] Waiting for ann."
        for mover, stones in islice(zip(cycle((ann, bob)), (3, 4, 2, 1), strict=False), 4):
            mover.until("Your turn")
            mover.do(f"take {stones}")
        for each in (ann, bob):
            if "The game is over: REMATCH" not in each.text().decode():  # else it has been read
                each.until("The game is over: REMATCH")
            assert "bob takes 1, and with that the last stone." in each.text().decode()
            assert each.text().decode().count("bob wins") == 1
        assert bob.text().count(b"\n") == bob.text().count(b"\r\n")
        if second is Telnet:
            assert IAC + DO + NAWS in bob.raw
        else:
            assert IAC not in bob.raw


def test_a_whole_game_in_one_pipe(start_daemon, tmp_path):
    daemon = start_daemon(ini="[nim]\nstones = 30\n", journal=str(tmp_path / "journal.db"))
    said = b"name ann\nplay nim\n" + b"1\n" * 30 + b"tables\nquit"
    with socket.create_connection(("127.0.0.1", daemon.ports["lobby"]), timeout=SECONDS) as sock:
        sock.sendall(said)
        sock.shutdown(socket.SHUT_WR)
        heard = b""
        while data := sock.recv(4096):
            heard += data
    told = heard.decode()
    assert "Game 1 is over" in told
    assert "not your turn" not in told
    assert told.endswith("Goodbye, ann.\r\n")


def test_a_player_comes_back_after_the_daemon_was_started_again(start_daemon, tmp_path):
    journal = str(tmp_path / "journal.db")
    daemon = start_daemon(ini="[nim]\nstones = 21\n", journal=journal)
    with Netcat(daemon.ports["lobby"], "ann") as ann:
        word = re.search(r"RETURN (\S+)", "\n".join(ann.do("play nim")))[1]
        stood = ann.do("1")[-1]
        daemon.process.terminate()
        assert ann.rest()[-1].startswith("This server is closing.")
    assert daemon.stop() == 0  # at once, as nobody is there any more
    daemon = start_daemon(ini="[nim]\nstones = 21\n", journal=journal)
    with Netcat(daemon.ports["lobby"], "somebody") as again:
        heard = again.do(f"return {word}")
        assert heard[-1] == stood
        assert again.do("name")[0] == "You are called ann."


@pytest.mark.parametrize("command", [["nc", "-N"], ["telnet"]], ids=["netcat", "telnet"])
def test_a_real_client_of_the_system_is_answered(start_daemon, command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]} here")
    daemon = start_daemon()
    client = start(
        [*command, "127.0.0.1", str(daemon.ports["lobby"])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with client:
        assert client.stdin is not None and client.stdout is not None
        client.stdin.write(
            "name ann\nplay nim\n3\nquit\nquit\n"
        )  # the game is not over: say it again
        client.stdin.flush()
        heard = []
        while not heard or "Goodbye" not in heard[-1]:
            heard.append(client.stdout.readline())
            assert heard[-1], heard
        client.stdin.close()
    assert any(line.startswith("ann takes 3; 97 left") for line in heard)


def test_a_person_a_program_of_the_original_wire_and_a_watcher_share_a_table(start_daemon):
    daemon = start_daemon(ini="[nim]\nstones = 7\n")
    port = daemon.ports["lobby"]
    with Telnet(port, "ann") as ann, Netcat(port, "eve") as eve:
        code = re.search(r"\[nim (\w+)\]", ann.do("open nim")[-1])[1]
        eve.do(f"watch {code}")
        with Client("stock", False, ("127.0.0.1", daemon.nim), table=code) as stock:
            ann.until("Your turn")
            ann.do("3")
            assert stock.receive_move()["stones_removed"] == 3
            stock.make_move(3)
            ann.until("Your turn")
            assert "You are looking on here: only those who sit may do that." in eve.do("1")
            ann.do("1")
            assert stock.receive_move()["winner"] == "ann"
        eve.until("The game is over: LEAVE")
        assert "\r\nstock takes 3; 1 left" in eve.text().decode()
