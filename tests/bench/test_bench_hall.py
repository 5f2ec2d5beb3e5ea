"""The doors of the hall say what the load and the idle visitors look for, and every game can be measured."""

from __future__ import annotations

import argparse
import socket
from collections.abc import Iterator
from random import Random

import pytest
from twisted.internet.task import Clock

from gamecore.rules import installed_rules
from tests.doors import TITLES

from . import awake
from .__main__ import CONTENDERS, MORE, names
from .contenders import choose
from .idle import ERRANDS, FIRST, Crowd, doors, show
from .links import MANNERS, Broken, HallPlayer
from .seating import address, seat_in_hall
from .whole_games import by_rules, through_host
from .wires import DOORS, Party, Peer, build, play

RULES = {rules.kind: rules for rules in installed_rules()}
YOURS, OTHERS = b"[nim K7QRT] Your turn. Take 1.\r\n", b"[nim K7QRT] Waiting for ann.\r\n"
TOLD = b"ann takes 1; 8 left, at most 3 next.\r\n"


# -- what the doors say ---------------------------------------------------------------


@pytest.mark.parametrize("kind", DOORS)
def test_nothing_but_what_the_load_looks_for_is_said_while_a_game_goes_on(kind: str) -> None:
    party = Party(kind, games=2)
    assert play(party, 12) > 0  # every line of every player is checked


@pytest.mark.parametrize("kind", sorted(MANNERS))
def test_a_check_of_the_lines_can_fail(kind: str) -> None:
    party = Party(kind, games=1)
    party.pairs[0][1].say(party.move)  # out of turn
    party.play(0)
    with pytest.raises(AssertionError):
        party.check(0)


@pytest.mark.parametrize("kind", [kind for kind in ERRANDS if kind != "web"])
def test_an_idle_visitor_is_answered_before_it_falls_silent(kind: str) -> None:
    clock = Clock()
    visitor = Peer(build(kind, clock))
    visitor.say(ERRANDS[kind].asks)
    clock.advance(0)
    assert ERRANDS[kind].hears in visitor.heard()
    clock.advance(3600.0)
    assert visitor.heard() == b"", "no deadline runs for one who has said something"


# -- the players of the load ----------------------------------------------------------


@pytest.fixture
def in_lobby() -> Iterator[tuple[HallPlayer, socket.socket]]:
    """A player in the lobby, and the other end of its connection."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        player = HallPlayer(ours, MANNERS["lobby"], 1)
        player.opponent = HallPlayer(theirs, MANNERS["lobby"], 0)
        theirs.setblocking(False)
        yield player, theirs


def sent(sock: socket.socket) -> bytes:
    """Read what the player has sent since last asked."""
    try:
        return sock.recv(4096)
    except BlockingIOError:
        return b""


def test_a_player_in_the_hall_moves_when_it_is_its_turn_and_at_nothing_else(
    in_lobby: tuple[HallPlayer, socket.socket],
) -> None:
    player, sock = in_lobby
    noted: list[float] = []
    moves = []
    for data in (TOLD + YOURS, TOLD + OTHERS, TOLD, YOURS, TOLD, OTHERS[:9], OTHERS[9:]):
        sock.send(data)
        player.hear(noted.append)
        moves.append(sent(sock).count(b"take 1\r\n"))
    assert moves == [1, 0, 0, 1, 0, 0, 0]
    assert len(noted) == 2


@pytest.mark.parametrize(
    "data", [YOURS + YOURS, b"It is not your turn.\r\n", TOLD + b"Game 1 is over.\r\n"]
)
def test_a_player_in_the_hall_notices_what_no_running_game_says(
    data: bytes, in_lobby: tuple[HallPlayer, socket.socket]
) -> None:
    player, sock = in_lobby
    sock.send(data)
    with pytest.raises(Broken):
        player.hear([].append)


def test_who_cannot_be_seated_hears_why() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b'{"reply":1,"error":"too-many-tables"}\n')
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(Broken, match="too-many-tables"):
            seat_in_hall("json", (ours, theirs))


def test_a_thousand_games_come_from_many_addresses_of_this_machine() -> None:
    addresses = [address(number) for number in range(1000)]
    assert len(set(addresses)) == 1000
    assert all(each.startswith("127.0.") and not each.endswith(".0") for each in addresses)


# -- every game -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(RULES))
def test_chance_moves_carry_every_game_on_by_the_rules_alone(kind: str) -> None:
    pace = by_rules(RULES[kind], 60, Random(1))
    assert (pace.moves, pace.seconds > 0) == (60, True)


@pytest.mark.parametrize("kind", sorted(RULES))
def test_chance_moves_carry_every_game_on_through_the_host(kind: str) -> None:
    pace = through_host(kind, 40, Random(1), tables=2)
    assert pace.moves >= 40
    assert pace.games >= 2


def test_when_a_game_is_over_another_is_begun() -> None:
    assert by_rules(RULES["gops"], 53, Random(1)).games == 3  # of 26 bids each
    assert through_host("gops", 53, Random(1), tables=1).games == 3


# -- what can be asked for ------------------------------------------------------------


def test_all_that_can_be_measured_can_be_asked_for_by_name() -> None:
    everything = CONTENDERS + MORE
    assert names(",".join(everything)) == everything
    with pytest.raises(argparse.ArgumentTypeError, match="lobby"):
        names("spike,looby")


def test_each_of_our_doors_stands_once_for_each_journal() -> None:
    chosen = choose(["lobby", "json", "echo"], ["memory", "sqlite"])
    assert [(each.name, each.wire) for each in chosen] == [
        ("lobby memory", "lobby"),
        ("lobby sqlite", "lobby"),
        ("json memory", "json"),
        ("json sqlite", "json"),
        ("echo", "echo"),
    ]


def test_every_door_there_is_gets_its_idle_visitors() -> None:
    assert sorted(doors()) == sorted(TITLES.values())


def test_what_the_first_visitors_cost_is_not_counted() -> None:
    crowd = Crowd("nim", FIRST + 1000, 50_000_000, 52_500_000)
    assert crowd.each == 2500.0
    assert show([crowd]).splitlines()[1].split() == ["nim", "1100", "50.0", "52.5", "2.50"]


def test_a_table_that_is_awake_takes_no_more_than_it_needs() -> None:
    assert 1000 < awake.measure("nim", tables=20) < 10_000
    assert awake.measure("castle", tables=40) < 42_000  # what all tables share is in it, too
