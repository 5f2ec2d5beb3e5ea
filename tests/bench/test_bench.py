"""The spike plays by the recorded games, and the figures are computed right."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from twisted.internet.testing import StringTransport

from .links import Broken, Player
from .load import percentile
from .report import Figures, compare, rows, table
from .spike import NimFactory, NimLine, Settings

VECTORS = Path(__file__).parents[1] / "wire" / "nim"
# The two recorded time-outs are missing: the spike has no clocks.
GAMES = [
    "illegal_too_many",
    "illegal_zero",
    "init_max_5",
    "plain",
    "reset_win",
    "resets",
    "second_connects_first",
    "small_takes",
    "take_more_than_left",
    "too_many_resets",
    "winning_take_bad_reset",
]


class Wire(StringTransport):
    """A transport in memory, which has no delay to turn off."""

    def setTcpNoDelay(self, enabled: bool) -> None:
        """Take what a TCP transport takes."""


def timeless(line: str) -> list[tuple[str, object]]:
    """Read a message, its keys in order, without the times that were measured."""
    message = json.loads(line)
    for seat in ("player_0", "player_1"):
        if seat in message:
            message[seat] = list((message[seat] | {"time_taken": 0}).items())
    return list(message.items())


def heard_by(line: NimLine) -> list[list[tuple[str, object]]]:
    """What a player of the spike has been told."""
    return [timeless(text) for text in line.transport.value().decode().splitlines()]


@pytest.mark.parametrize("name", GAMES)
def test_the_spike_answers_as_recorded(name: str) -> None:
    meta, *messages = map(json.loads, (VECTORS / f"{name}.jsonl").read_text().splitlines())
    factory = NimFactory(Settings(**meta["meta"]["settings"]))
    lines = {}
    for client in ("client0", "client1"):
        lines[client] = factory.buildProtocol(None)
        lines[client].makeConnection(Wire())
    for message in messages:
        if message["from"] in lines:
            lines[message["from"]].dataReceived(message["data"].encode() + b"\n")
    for client, line in lines.items():
        recorded = [timeless(each["data"]) for each in messages if each["to"] == client]
        assert heard_by(line) == recorded


def test_a_move_out_of_turn_loses() -> None:
    factory = NimFactory(Settings(init_stones=20))
    lines = [factory.buildProtocol(None) for _ in range(2)]
    for order, line in enumerate(lines):
        line.makeConnection(Wire())
        line.dataReceived(b'{"name": "p%d", "order": %d}\n' % (order, order))
    lines[1].dataReceived(b'{"num_stones": 1, "reset": false}\n')
    last = dict(heard_by(lines[0])[-1])
    assert (last["winner"], last["reason"]) == ("p0", "Player p1 moved out of turn")
    assert last["stones_left"] == 20


@pytest.fixture
def server_side() -> Iterator[tuple[Player, socket.socket]]:
    """A player of the load, and the other end of its connection."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        player, opponent = Player(ours), Player(theirs)
        player.opponent = opponent
        theirs.setblocking(False)
        yield player, theirs


STATE = b'{"finished": false, "current_max": 3}\n'


def moves_sent(sock: socket.socket) -> int:
    """Count the moves the player has sent since last asked."""
    try:
        return sock.recv(4096).count(b"num_stones")
    except BlockingIOError:
        return 0


def test_a_player_moves_at_the_opponents_line_and_not_at_its_own(
    server_side: tuple[Player, socket.socket],
) -> None:
    player, sock = server_side
    noted: list[float] = []
    sent = []
    for data in (STATE, STATE, STATE, STATE + STATE, STATE, STATE[:9], STATE[9:]):
        sock.send(data)
        player.hear(noted.append)
        sent.append(moves_sent(sock))
    # The opponent's; own, the opponent's; both at once; own; the opponent's in two pieces.
    assert sent == [1, 0, 1, 1, 0, 0, 1]
    assert len(noted) == 4


@pytest.mark.parametrize("data", [STATE + STATE, STATE.replace(b"false", b"true")])
def test_a_player_notices_what_no_running_game_sends(
    data: bytes, server_side: tuple[Player, socket.socket]
) -> None:
    player, sock = server_side
    sock.send(data)
    with pytest.raises(Broken):
        player.hear([].append)


def test_percentile_takes_the_nearest_rank() -> None:
    hundred = [float(value) for value in range(100, 0, -1)]
    assert [percentile(hundred, share) for share in (0, 1, 50, 99, 100)] == [1, 1, 50, 99, 100]
    assert percentile([7.0], 99) == 7.0
    assert percentile([1.0, 2.0, 3.0], 50) == 2.0


def test_a_contender_stands_beside_the_spike_with_as_many_games() -> None:
    run = [
        Figures("spike", 1, 1000.0, 0.001, 0.002, 0.5),
        Figures("parlour", 1, 800.0, 0.001, 0.003, 0.5),
        Figures("parlour", 25, 800.0, 0.001, 0.003, 0.5),
    ]
    assert [line[5:7] for line in rows(run)] == [("1.00", "1.00"), ("0.80", "1.50"), ("-", "-")]


def test_who_commits_to_a_disk_stands_beside_the_spike_that_does() -> None:
    run = [
        Figures("spike", 1, 1000.0, 0.001, 0.002, 0.5),
        Figures("spike sqlite", 1, 500.0, 0.001, 0.004, 0.5),
        Figures("parlour sqlite", 1, 400.0, 0.001, 0.006, 0.5),
    ]
    assert [line[5:7] for line in rows(run)] == [
        ("1.00", "1.00"),
        ("0.50", "2.00"),
        ("0.80", "1.50"),
    ]


def test_what_one_journal_does_is_said_as_a_multiple_of_what_the_other_does():
    run = [
        Figures("parlour sqlite", 25, 400.0, 0.001, 0.006, 0.5),
        Figures("parlour postgres", 25, 380.0, 0.001, 0.006, 0.5),
        Figures("lobby postgres", 25, 300.0, 0.001, 0.006, 0.5),
    ]
    assert compare(run, "postgres", "sqlite") == ["parlour, 25 games, postgres / sqlite: 0.95\n"]


def test_a_door_to_the_hall_stands_beside_nims_own_with_the_same_journal() -> None:
    run = [
        Figures("spike sqlite", 1, 500.0, 0.001, 0.004, 0.5),
        Figures("parlour memory", 1, 800.0, 0.001, 0.002, 0.5),
        Figures("parlour sqlite", 1, 400.0, 0.001, 0.006, 0.5),
        Figures("json sqlite", 1, 200.0, 0.001, 0.012, 0.5),
    ]
    assert [line[7:9] for line in rows(run)] == [
        ("-", "-"),
        ("1.00", "1.00"),
        ("1.00", "1.00"),
        ("0.50", "2.00"),
    ]
    assert rows(run)[-1][5:7] == ("0.40", "3.00")


def test_a_table_is_aligned() -> None:
    assert table(("who", "n"), [("spike", "100")]) == "who      n\nspike  100"
