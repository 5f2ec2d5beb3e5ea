"""A daemon that was asked to end waits for those alone who would lose by it, and not for ever."""

from __future__ import annotations

from functools import partial

import pytest
from twisted.internet.testing import MemoryReactorClock

from gamecore import commands
from protocols.daemon.draining import Draining
from protocols.daemon.service import Options, makeService
from protocols.testing import House, KeptJournal
from tests.doors import shut

PATIENCE = 900.0


class Keeper:
    """Who asks a house to end, and looks each second whether it has."""

    def __init__(self, house):
        self.house = house
        self.draining = Draining(house.host.service, house.clock.seconds)
        self.ends = 0
        self.draining.end = self._end

    def _end(self):
        self.ends += 1

    def look(self, seconds=1.0):
        self.house.pass_time(seconds)
        self.draining.look()
        return self.ends


@pytest.fixture
def house():
    with House(journal=KeptJournal) as house:
        yield house


def game(house, keep, level=None, **rules):
    """Let two play, with tokens or without, or one and a bot."""
    table = house.open("nim", {"stones": 200, "seconds": 3600}, **rules)
    ears = [house.sit(table, 0, keep)]
    if level is None:
        ears.append(house.sit(table, 1, keep))
    else:
        house.host.seat_bot(table, 1, "a bot", level)
    house.start(table)
    return table, ears


def test_nothing_ends_that_was_not_asked_to(house):
    assert Keeper(house).look() == 0


def test_those_who_could_come_back_or_do_not_play_hold_up_nothing(house):
    game(house, keep=True)
    waiting = house.open("gops", start="full")
    house.sit(waiting, 0, keep=False)  # nobody ever comes
    bots = house.open("nim", start="asked")
    for seat, name in enumerate(("one", "two")):
        house.host.seat_bot(bots, seat, name, "easy")
    house.start(bots)
    house.watch(bots)
    house.connect("lobby")
    keeper = Keeper(house)
    keeper.draining.begin(PATIENCE)
    assert keeper.look() == 1
    assert keeper.look() == 1, "it ends once"


@pytest.mark.parametrize("level", [None, "easy"])
def test_a_player_without_a_token_is_waited_for_until_the_game_is_over(house, level):
    table, ears = game(house, False, level)
    keeper = Keeper(house)
    keeper.draining.begin(PATIENCE)
    assert keeper.look(60.0) == 0
    house.host.leave(ears[0])
    house.settle()
    assert not table.playing
    assert keeper.look() == 1


def test_who_is_played_for_by_a_bot_holds_up_nothing(house):
    _, ears = game(house, False, absent="bot")
    keeper = Keeper(house)
    keeper.draining.begin(PATIENCE)
    for ear in ears:
        assert keeper.look() == 0
        house.host.drop(ear)
    house.settle()
    assert keeper.look() == 1


def test_nobody_is_waited_for_longer_than_was_said(house):
    game(house, False)
    keeper = Keeper(house)
    keeper.draining.begin(PATIENCE)
    assert keeper.look(PATIENCE - 2) == 0
    assert keeper.look(2.0) == 1


def test_who_is_asked_again_waits_as_long_as_was_said_last(house):
    game(house, False)
    keeper = Keeper(house)
    keeper.draining.begin(PATIENCE)
    assert keeper.look(10.0) == 0
    keeper.draining.begin(5.0)
    assert keeper.look(4.0) == 0
    assert keeper.look(1.0) == 1


def test_two_who_play_again_and_again_are_waited_for_once(house):
    table, ears = game(house, False)
    keeper = Keeper(house)
    keeper.draining.begin(PATIENCE)
    house.host.command(None, table, commands.Abandon("left"))
    house.settle()
    assert keeper.look() == 1
    assert ears


def test_the_daemon_says_that_it_drains_and_shows_nothing_to_the_lan_and_ends_as_it_is_told_to():
    reactor = MemoryReactorClock()
    options = Options()
    options.parseOptions(["--discovery", "off", "--journal", "memory", *shut("nim", "lobby")])
    parlour = makeService(options, reactor)
    parlour.startService()
    reactor.advance(0.1)
    assert parlour.why_not_ready() is None and list(parlour._open_rooms(None))
    ended = []
    parlour.draining.end = lambda: ended.append(reactor.seconds())
    left = []
    for door in parlour.doors.values():
        door.leave_shared = partial(left.append, door)
    parlour._journal.shared = True  # by other daemons, perhaps on this host
    parlour.host.service.journal.on_drain(60.0)
    assert parlour.why_not_ready() == "draining"
    assert left == list(parlour.doors.values())
    assert not list(parlour._open_rooms(None)) and not list(parlour._open_rooms("nim"))
    assert ended == []
    reactor.advance(1.0)
    assert len(ended) == 1
    parlour.stopService()
    reactor.advance(0.1)
