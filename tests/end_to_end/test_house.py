"""One house of several daemons on one database: a table is at one of them, and outlives it."""

from __future__ import annotations

import json
import signal
import time
from contextlib import closing
from http.client import HTTPConnection

import pytest

from tests import postgres
from tests.doors import ANYWHERE, opened
from tests.end_to_end.conftest import launch
from tests.end_to_end.players import Program
from tests.patience import SECONDS

ONE = {"is": "Take", "stones": 1, "reset": False}


class Player(Program):
    """A program that may be refused."""

    def request(self, do: str, **fields: object) -> dict:
        number = next(self.numbers)
        said = json.dumps({"do": do, "id": number, **fields})
        self.socket.sendall(said.encode() + b"\n")
        return self.until(lambda said: said.get("reply") == number)

    def request_until(self, fits, do: str, **fields: object) -> dict:
        """Ask again and again until an answer fits: what another daemon does is heard in its time."""
        deadline = time.monotonic() + SECONDS
        while not fits(reply := self.request(do, **fields)):
            assert time.monotonic() < deadline, reply
            time.sleep(0.05)  # it tells nobody
        return reply


def pair_at(clients, daemon):
    """Seat two at a table of Nim, by tokens; gives them, its code, and the tokens."""
    players = [clients(Player(daemon.ports["json"])) for _ in range(2)]
    options = {"stones": 200, "lag": 0, "seconds": 3600}
    code = players[0].ask("open", game="nim", options=options)["table"]
    for player in players:
        player.ask("join", table=code)
    return (
        players,
        code,
        [player.until(lambda said: "token" in said)["token"] for player in players],
    )


def stones(player):
    """Count the stones that are left, as somebody sees the board."""
    return player.look()["board"]["left"]


def came_back(reply):
    return reply.get("ok")


def test_a_table_is_listed_everywhere_is_at_one_daemon_and_goes_on_at_another_when_that_is_killed(
    start_daemon, clients, database
):
    """Two daemons are started for it, which is what takes its time."""
    a, b = start_daemon(journal=database), start_daemon(journal=database)
    waiting, guest = clients(Player(a.ports["json"])), clients(Player(b.ports["json"]))
    code = waiting.ask("open", game="nim")["table"]
    waiting.ask("join", table=code)
    listed = guest.request_until(lambda reply: reply.get("tables"), "tables")["tables"]
    assert [each["table"] for each in listed] == [code]
    players, code, tokens = pair_at(clients, a)
    for do, fields in (
        ("join", {"table": listed[0]["table"]}),
        ("return", {"token": tokens[0]}),
    ):
        assert guest.request(do, **fields)["error"] == "table-away"
    for turn in range(10):
        players[turn % 2].moves()
        players[turn % 2].ask("play", move=ONE, n=turn // 2)
    a.process.kill()
    a.process.wait(SECONDS)
    a.process.returncode = 0  # as the others will have
    again = [clients(Player(b.ports["json"])) for _ in tokens]
    for player, token in zip(again, tokens, strict=True):
        reply = player.request_until(came_back, "return", token=token)
        assert reply["played"] == 5
    assert stones(again[0]) == 190
    again[0].ask("play", move=ONE, n=5)


def test_a_daemon_that_stood_still_ends_when_another_has_taken_its_tables(
    start_daemon, clients, database
):
    """It takes the time of a lease, five seconds, and a beat: whoever stands still may yet go on."""
    a, b = start_daemon(journal=database), start_daemon(journal=database)
    players, _, tokens = pair_at(clients, a)
    players[0].ask("play", move=ONE, n=0)
    guest = clients(Player(b.ports["json"]))
    other = guest.ask("open", game="nim")["table"]
    guest.ask("join", table=other)
    # Before its first sign of life, with which it lists this, a daemon has a minute.
    players[0].request_until(lambda reply: other in str(reply["tables"]), "tables")
    guest.ask("leave")
    a.process.send_signal(signal.SIGSTOP)
    try:
        guest.request_until(came_back, "return", token=tokens[0])
        players[0].socket.sendall(b'{"do": "look", "id": 99}\n')
    finally:
        a.process.send_signal(signal.SIGCONT)
    rest, _ = a.process.communicate(timeout=SECONDS)
    a.said.append(rest)
    assert a.process.returncode == 1
    assert '"reply":99' not in players[0].lines.read()  # it has nothing to show any more
    assert "another daemon has taken over the journal" in a.log
    assert stones(guest) == 199
    a.process.returncode = 0  # as it should not otherwise


def ready(daemon):
    """Ask whether somebody could play, as a proxy does; gives the status, and the word."""
    with closing(HTTPConnection("127.0.0.1", daemon.ports["metrics"], SECONDS)) as asking:
        asking.request("GET", "/ready")
        answer = asking.getresponse()
        return answer.status, answer.read()


def test_a_daemon_whose_database_comes_up_behind_it_opens_then_and_may_be_ended_before(
    tmp_path, server, database, clients
):
    """Two daemons, one of which is ended while it waits; a database is stopped and started for it."""
    if postgres.GIVEN:
        pytest.skip("the server that was given is not ours to stop")
    options = [*opened(), "--discovery", "off", "--metrics", ANYWHERE, "--journal", database]
    server.stop()
    try:
        waiting, other = (launch(*options, cwd=tmp_path) for _ in range(2))
        for daemon in (waiting, other):
            daemon.wait_until("Metrics at")
            assert ready(daemon) == (503, b"opening\n")
        assert other.stop() == 0 and "Traceback" not in other.log
        early = clients(Player(waiting.ports["json"]))
    finally:
        server.start()
    assert early.ask("tables")["tables"] == []
    waiting.wait_until_open()
    assert ready(waiting) == (200, b"ready\n")
    assert waiting.stop() == 0 and "Traceback" not in waiting.log
    assert waiting.log.count("cannot be opened yet") == other.log.count("cannot be opened yet") == 1
