"""A house of two linked daemons behind HAProxy is brought to a newer version, and nobody loses a move by it."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from tests.end_to_end.haproxies import SAMPLE, USUAL, Proxy, linked
from tests.end_to_end.players import Lobby
from tests.end_to_end.test_house import ONE, Player, came_back, stones
from tests.end_to_end.test_linked_house import LINK, await_words
from tests.end_to_end.test_proxies import program
from tests.end_to_end.test_web import Browser, accept, handshake, organize
from tests.patience import SECONDS
from tests.ports import free_port

STONES = 16


class Stock:
    """A client of Expanding Nim that nobody gave a token: one object after the other, and no line end."""

    def __init__(self, port: int, order: int) -> None:
        self.order, self.heard = order, ""
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)

    def __enter__(self) -> Stock:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def come(self) -> None:
        self.say({"name": f"p{self.order}", "order": self.order})

    def say(self, said: dict) -> None:
        self.socket.sendall(json.dumps(said).encode())

    def hear(self) -> dict:
        """Hear the next object."""
        while True:
            try:
                found, end = json.JSONDecoder().raw_decode(self.heard)
            except ValueError:
                data = self.socket.recv(1024)
                assert data, f"closed after {self.heard!r}"
                self.heard = (self.heard + data.decode()).lstrip()
            else:
                self.heard = self.heard[end:].lstrip()
                return found


class Pair:
    """Two stock clients at one table."""

    def __init__(self, *players: Stock, stones: int = STONES) -> None:
        self.players, self.left, self._mover = players, stones, 0
        for each in players:
            each.come()
        assert [each.hear()["init_stones"] for each in players] == [stones, stones]

    def play(self, turns: int = 1) -> dict:
        """Let them move in turn, and see that both hear of each move, once."""
        for _ in range(turns):
            mover, self._mover = self._mover, 1 - self._mover
            self.players[mover].say({"order": mover, "num_stones": 1, "reset": False})
            self.left -= 1
            states = [each.hear() for each in self.players]
            assert states[0] == states[1] and states[0]["stones_left"] == self.left
        return states[0]

    def end(self) -> None:
        """Play until one of them has won."""
        assert self.play(self.left)["winner"] in {"p0", "p1"}


class Programs:
    """Two programs at one table, by tokens, each of which came by HAProxy to another daemon."""

    def __init__(self, port: int) -> None:
        self.port, self.turns, self.players = port, 0, []
        for _ in range(2):
            self.players.append(Player(port))
            self.players[-1].ask("hello")
        options = {"stones": 200, "lag": 0, "seconds": 3600}
        self.code = self.players[0].ask("open", game="nim", options=options)["table"]
        for each in self.players:
            each.ask("join", table=self.code)
        self.tokens = [each.until(lambda said: "token" in said)["token"] for each in self.players]

    def __enter__(self) -> Programs:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self.players:
            each.__exit__()

    def play(self, turns: int = 1) -> None:
        for _ in range(turns):
            player = self.players[self.turns % 2]
            player.moves()
            player.ask("play", move=ONE, n=self.turns // 2)
            self.turns += 1

    def come_back(self) -> int:
        """Let each come back whose daemon has gone, by the address that it knows; says how many had to."""
        gone = [number for number, each in enumerate(self.players) if is_closed(each)]
        for number in gone:
            self.players[number].__exit__()
            again = self.players[number] = Player(self.port)
            reply = again.request_until(came_back, "return", token=self.tokens[number])
            assert reply["played"] == (self.turns + 1 - number) // 2
        assert {stones(each) for each in self.players} == {200 - self.turns}
        return len(gone)


def follow(browser: Browser) -> socket.socket:
    """Open the stream of the page that a browser shows."""
    stream = socket.create_connection(
        ("127.0.0.1", browser.port), SECONDS, source_address=(browser.source, 0)
    )
    stream.sendall(handshake(browser))
    assert stream.recv(12) == b"HTTP/1.1 101"
    stream.settimeout(0.3)
    return stream


def is_closed(player: Player) -> bool:
    """Ask a program's daemon for a sign of life."""
    try:
        player.ask("hello")
    except (AssertionError, OSError):
        return True
    return False


class Party:
    """Two at pages of one table of Rikiki, who come from two addresses, and so to two daemons."""

    def __init__(self, proxy: Proxy) -> None:
        organizer, links = organize(proxy, "Ann\nBen", **{"game.first": 5})
        self.players = [
            accept(proxy, link, f"127.0.0.{number}") for number, link in enumerate(links, 2)
        ]
        assert organizer.post(f"{organizer.at}wish", wish="start") == 200
        self.hands = [self.look(each) for each in self.players]
        self.streams = [follow(each) for each in self.players]

    def __enter__(self) -> Party:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self.streams:
            each.close()

    def come_back(self) -> int:
        """Open the streams anew that were closed, none of which was told that it is over; says how many."""
        closed = 0
        for number, stream in enumerate(self.streams):
            data = b""
            with suppress(TimeoutError):
                while more := stream.recv(65536):
                    data += more
                closed += 1
                assert data.endswith(b"\x88\x02\x03\xe8") and b'"gone"' not in data
                stream.close()
                self.streams[number] = follow(self.players[number])
        return closed

    def look(self, browser: Browser) -> list[str]:
        """Load a page anew; gives the cards in the hand."""
        assert browser.get(browser.at) == 200
        return browser.hand()

    def bid(self, number: int, tricks: int) -> None:
        assert self.players[number].press(f'{{"is":"Bid","tricks":{tricks}}}') == 200

    def check(self) -> None:
        """See that each has the hand that was dealt."""
        assert [self.look(each) for each in self.players] == self.hands


class House:
    """Two daemons behind HAProxy, at ports that they keep from one version to the next."""

    def __init__(self, start_daemon, bin_dir, database: str) -> None:
        self._start, self._bin, self.database = start_daemon, bin_dir, database
        self.ports = [{kind: free_port() for kind in [*USUAL, "metrics"]} for _ in range(2)]
        self.daemons = [self.start(0), self.start(1)]
        await_words(self.daemons[1], "linked to run")

    def start(self, number: int):
        at = {kind: f"tcp:{port}:interface=127.0.0.1" for kind, port in self.ports[number].items()}
        told = [word for kind in USUAL for word in (f"--{kind}", f"haproxy:{at[kind]}")]
        told += ["--metrics", at["metrics"], *LINK]
        return self._start(*told, ini=f"[nim]\nstones = {STONES}\n", journal=self.database)

    def drain(self, number: int) -> None:
        """Ask a daemon to end, as its keeper does who has found out that it is the older run."""
        doctor = self.run("doctor")
        runs = [line.split()[1] for line in doctor.splitlines() if line.startswith("run ")]
        self.run("drain", runs[0])
        await_words(self.daemons[number], "asked to end: no game begins any more")

    def run(self, *words: str) -> str:
        told = [self._bin / "parlour", *words, "--journal", self.database]
        ran = subprocess.run(told, capture_output=True, text=True, timeout=SECONDS)
        assert not ran.stderr, ran.stderr
        return ran.stdout

    def await_end(self, number: int) -> None:
        daemon = self.daemons[number]
        rest, _ = daemon.process.communicate(timeout=SECONDS)
        daemon.said.append(rest)
        assert daemon.process.returncode == 0, daemon.log
        assert "nobody plays who could not come back" in daemon.log

    def bring_up(self, number: int) -> None:
        """Start a daemon anew, as its newer version."""
        self.daemons[number] = self.start(number)
        await_words(self.daemons[number], "linked to run")


def test_both_daemons_are_drained_and_started_anew_one_after_the_other(
    start_daemon, clients, bin_dir, database, tmp_path
):
    """Four daemons are started for it, and HAProxy takes two seconds to find out about each end."""
    program("haproxy")
    house = House(start_daemon, bin_dir, database)
    with Proxy(tmp_path, linked(SAMPLE), house.ports) as proxy:
        for server in "ab":
            proxy.await_status(server, "UP")
        programs, party = clients(Programs(proxy.ports["json"])), clients(Party(proxy))
        pairs = at_a, at_b, across = seat_pairs(proxy, clients)
        for old in (0, 1):
            everybody_plays(pairs, programs)
            house.drain(old)
            everybody_plays(pairs, programs)
            proxy.await_status("ab"[old], "DOWN")
            newcomers_play(proxy, clients, "YZ"[old])
            everybody_plays(pairs, programs)
            party.bid(old, 2)
            party.check()
            for each in (at_b,) if old else (at_a, across):
                each.end()
            pairs = () if old else (at_b,)
            house.await_end(old)
            assert programs.come_back() == party.come_back() == (1, 2)[old]
            everybody_plays(pairs, programs)
            party.check()
            house.bring_up(old)
            proxy.await_status("ab"[old], "UP")
            everybody_plays(pairs, programs)
            party.check()


def seat_pairs(proxy: Proxy, clients) -> tuple[Pair, Pair, Pair]:
    """Seat a pair at the first daemon, one at the second, and one of whom each is at another."""
    come, first = [], {}
    for number, order in enumerate((0, 0, 1, 1, 0, 1), 1):
        come.append(clients(Stock(proxy.ports["nim"], order)))
        found = proxy.await_visitors("nim", number)
        first = first or found
    pairs = Pair(*come[:4:2]), Pair(*come[1:4:2])
    return *(pairs if first["a"] else reversed(pairs)), Pair(*come[4:])


def everybody_plays(pairs: Sequence[Pair], programs: Programs) -> None:
    for each in pairs:
        each.play()
    programs.play(3)


def newcomers_play(proxy: Proxy, clients, name: str) -> None:
    """Let people come of whom none is told that a game begins elsewhere alone."""
    Pair(*(clients(Stock(proxy.ports["nim"], order)) for order in (0, 1))).end()
    programs = clients(Programs(proxy.ports["json"]))
    programs.play(4)
    lobby = clients(Lobby(proxy.ports["lobby"], name))
    lobby.say("play nim")
    lobby.until("stones")
