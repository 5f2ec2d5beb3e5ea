"""Bots play the seats that have a level, in memory and through the one way of a move."""

from __future__ import annotations

from random import Random

import pytest
from twisted.internet.task import Clock

from gamecore.commands import Start
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.rikiki import ChooseCards
from gamecore.hall import Hall
from gamecore.rules import NextRound, Registry, installed_rules
from protocols.host import table_actions
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from protocols.testing import Ear


@pytest.fixture
def host(clock: Clock) -> Host:
    hall = Hall(Registry(installed_rules()))
    return Host(hall, MemoryJournal(clock), clock, lambda: 0.0, Random(5))


@pytest.mark.parametrize("kind", [rules.kind for rules in installed_rules()])
def test_two_bots_play_a_whole_game_with_nobody_there(host, clock, kind):
    table = host.hall.find(host.open(kind, "", {}, {"start": "asked"}).code)
    for seat in range(table.rules.seats[0]):
        host.seat_bot(table, seat, f"bot {seat}", "random")
    spectator = Ear()
    host.watch(spectator, table.code)
    host.command(None, table, Start())
    for _ in range(5000):
        clock.advance(0)
    assert table.stage is Stage.OVER
    assert spectator.views[0].told + len(spectator.heard) - 1 == table.watched
    host.drop(spectator)
    clock.advance(0)
    assert len(host.hall) == 0


def test_a_bot_takes_over_from_a_player_who_cannot_return(host, clock):
    table = host.hall.find(host.open("nim", "", {"stones": 30}, {"absent": "bot"}).code)
    leaver, stayer = Ear(), Ear()
    host.sit(leaver, table.code, 0, "leaver")
    host.sit(stayer, table.code, 1, "stayer")
    clock.advance(0)
    host.drop(leaver)
    for _ in range(10):
        clock.advance(0)
    assert stayer.names()[-2:] == ["Replaced", "Taken"]
    assert table.names == ("leaver (bot)", "stayer")
    host.drop(stayer)
    for _ in range(5000):
        clock.advance(0)
    assert len(host.hall) == 0


def between_rounds(host, clock):
    """Bring a person and a bot to the end of a round; gives the table, and the person's face."""
    options = {"players": 2, "max": 2, "pause": 100}
    table = host.hall.find(host.open("rikiki", "", options, {"start": "asked"}).code)
    person = Ear()
    host.sit(person, table.code, 0, "person")
    host.seat_bot(table, 1, "bot", "random")
    host.command(None, table, Start())
    while table.stage is not Stage.BETWEEN_ROUNDS:
        clock.advance(0)
        if 0 in table.awaited():
            host.submit(person, table.legal_moves(0)[0])
    for _ in range(20):
        clock.advance(0.5)
    assert table.stage is Stage.BETWEEN_ROUNDS, "a bot does not hurry a person"
    return table, person


def go_home(host, clock, person):
    host.leave(person)
    for _ in range(50):
        clock.advance(0)


def test_when_the_next_round_begins_is_for_people_to_say(host, clock):
    table, person = between_rounds(host, clock)
    host.request(person, table_actions.organize(ChooseCards(1)))
    host.submit(person, NextRound())
    for _ in range(5):
        clock.advance(0)
    assert table.stage is Stage.PLAYING
    go_home(host, clock, person)


def test_if_nobody_says_it_the_next_round_begins_by_itself(host, clock):
    table, person = between_rounds(host, clock)
    clock.advance(95)
    assert table.stage is Stage.PLAYING
    go_home(host, clock, person)


def test_bots_go_on_alone_once_no_person_plays(host, clock):
    table, person = between_rounds(host, clock)
    watcher = Ear()
    host.watch(watcher, table.code)
    host.leave(person)
    for _ in range(50):
        clock.advance(0)
    assert table.stage is Stage.OVER
    host.drop(watcher)
    clock.advance(0)


def test_there_is_no_bot_of_a_level_that_nobody_knows(host, clock):
    table = host.hall.find(host.open("nim", "", {}, {}).code)
    with pytest.raises(Refused, match="no-such-level"):
        host.seat_bot(table, 0, "bot", "divine")
    host.command(None, table, Start())
    clock.advance(3600)
    clock.advance(0)
    assert len(host.hall) == 0
