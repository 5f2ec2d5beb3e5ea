"""Linked daemons of one house: a table of one is played at from another, and outlives its owner without a pause."""

from __future__ import annotations

import shutil
import subprocess
import time

import pytest

from tests.docs.blocks import blocks
from tests.end_to_end.test_house import ONE, Player, came_back, stones
from tests.patience import SECONDS
from tests.ports import free_port

LINK = ("--link", "tcp:0:interface=127.0.0.1")


@pytest.fixture
def pair(start_daemon, database):
    """Two linked daemons; the younger is the second."""
    a = start_daemon(*LINK, journal=database)
    b = start_daemon(*LINK, journal=database)
    await_words(b, "linked to run")
    return a, b


@pytest.fixture
def tls_options(tmp_path):
    """Make certificates by the commands of the page; gives the options of one daemon more, as that has them."""
    pytest.importorskip("OpenSSL", reason="TLS needs pyOpenSSL")
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make certificates with")

    def here(text, port=0):
        said = {"/etc/parlour": tmp_path, "a.internal": "localhost", "4250": port}
        for each, ours in said.items():
            text = text.replace(each, str(ours))
        return text

    making, starting = (each.commands for each in blocks() if each.kind == "needs-openssl")
    for command in making:
        words = [here(each) for each in command.words]
        subprocess.run(words, check=True, capture_output=True)

    def options():
        port, words = free_port(), starting[0].words
        return [here(each, port) for each in words[words.index("--link") :]]

    return options


@pytest.fixture
def tls_pair(start_daemon, database, tls_options):
    """Two daemons that are linked over TLS; the younger is the second."""
    a, b = (start_daemon(*tls_options(), journal=database) for _ in range(2))
    await_words(b, "linked to run")
    return a, b


def await_words(daemon, words):
    """Read what a daemon says until some words come."""
    while words not in daemon.log:
        line = daemon.process.stdout.readline()
        assert line, daemon.log
        daemon.said.append(line)


class Shared:
    """A table of the first daemon at which one plays from each, and one looks on from the second."""

    def __init__(self, clients, a, b, stones=400):
        self.clients, self.b = clients, b
        self.players = [clients(Player(each.ports["json"])) for each in (a, b)]
        options = {"stones": stones, "lag": 0, "seconds": 3600}
        self.code = self.players[0].ask("open", game="nim", options=options)["table"]
        for each in self.players:
            each.ask("join", table=self.code)
        self.tokens = [each.until(lambda said: "token" in said)["token"] for each in self.players]
        self.watcher = clients(Player(b.ports["json"]))
        self.watcher.ask("watch", table=self.code)
        self.watcher.until(lambda said: "view" in said)
        self.stones, self.turns = stones, 0

    def play(self, turns=1):
        for _ in range(turns):
            player = self.players[self.turns % 2]
            player.moves()
            player.ask("play", move=ONE, n=self.turns // 2)
            self.turns += 1

    def bring_back(self):
        """Let the first player come back at the second daemon."""
        again = self.clients(Player(self.b.ports["json"]))
        reply = again.request_until(came_back, "return", token=self.tokens[0])
        assert reply["played"] == (self.turns + 1) // 2
        self.players[0] = again

    def check(self):
        """See that every move was done once, as who looks on has it."""
        assert stones(self.watcher) == self.stones - self.turns


def test_who_plays_at_a_mirror_goes_on_when_the_owner_is_killed(pair, clients):
    """Two daemons are started for it, which is what takes its time; how long the gap was, it prints."""
    a, b = pair
    table = Shared(clients, a, b)
    table.play(21)
    table.check()
    a.process.kill()
    killed = time.monotonic()
    a.process.wait(SECONDS)
    a.process.returncode = 0  # as the others will have
    table.play()
    print(f"the gap was {time.monotonic() - killed:.3f} s")
    await_words(b, "is ours now")
    table.bring_back()
    table.play(4)
    table.check()


def test_who_plays_at_a_mirror_over_tls_goes_on_when_the_owner_is_stopped(tls_pair, clients):
    """Two daemons are started for it, which is what takes its time; how long the gap was, it prints."""
    a, b = tls_pair
    table = Shared(clients, a, b)
    table.play(21)
    a.process.terminate()
    asked = time.monotonic()
    table.play()
    print(f"the gap was {time.monotonic() - asked:.3f} s")
    await_words(b, "is ours now")
    assert a.stop() == 0
    table.bring_back()
    table.play(4)
    table.check()
