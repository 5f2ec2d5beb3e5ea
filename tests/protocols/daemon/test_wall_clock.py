"""A clock on the wall that leaps, by hours or by a hundred days, costs nobody anything and forgets nothing."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from twisted.logger import formatEvent, globalLogPublisher

from protocols.daemon.service import Options, makeService
from tests.doors import shut
from tests.processes import run
from tests.protocols.daemon.test_migrated import come_back
from tests.protocols.daemon.test_service_journal import House, Reactor, connect, objects, say

HOUR = 3600.0
DAY = 24 * HOUR
START = 1.79e9


class WallHouse(House):
    """Daemons that are told the time of day by us."""

    wall = START

    def build(self, *options, journal=None):
        given = Options()
        path = journal or self.path
        given.parseOptions([*shut("nim"), "--discovery", "off", "--journal", path, *options])
        reactor = Reactor()
        return makeService(given, reactor, lambda: self.wall + reactor.seconds()), reactor

    def kill(self, parlour, reactor):
        """Leave what there is of the journal to the next daemon as if this one had been killed."""
        left = Path(self.path).with_name("left.db")
        for end in ("", "-wal"):
            shutil.copyfile(f"{self.path}{end}", f"{left}{end}")
        self.stop(parlour, reactor)
        self.path = str(left)


@pytest.fixture
def house(tmp_path, writer_in_a_thread):
    house = WallHouse(tmp_path / "games.db")
    yield house
    for parlour, reactor in list(house.running):
        house.stop(parlour, reactor)


@pytest.fixture
def logged():
    events = []
    globalLogPublisher.addObserver(events.append)
    yield events
    globalLogPublisher.removeObserver(events.append)


def live(parlour, reactor, seconds):
    """Let a daemon live on, with time for each sign of life to be written."""
    for _ in range(seconds):
        reactor.advance(1)
        answered = []
        parlour.host.service.journal.read("AAAAA").addBoth(answered.append)
        reactor.turn_until(lambda answered=answered: answered)


def begin(parlour, reactor):
    """Let two sit down at a game of Nim and one of them move at second 3; gives their tokens."""
    pair = [connect(parlour, name=f"p{order}", order=order, resume=True) for order in (0, 1)]
    reactor.turn_until(lambda: all(objects(transport) for _, transport in pair))
    live(parlour, reactor, 3)
    say(pair[0][0], num_stones=3)
    reactor.turn_until(lambda: len(objects(pair[1][1])) == 2)
    return [objects(transport)[0]["token"] for _, transport in pair]


@pytest.mark.parametrize("end", ["stop", "kill"])
@pytest.mark.parametrize("step", [2 * HOUR, -2 * HOUR, 100 * DAY, -START])
def test_a_step_during_play_is_charged_to_nobody(house, step, end):
    parlour, reactor = house.start()
    tokens = begin(parlour, reactor)
    house.wall += step
    live(parlour, reactor, 2)
    getattr(house, end)(parlour, reactor)
    parlour, reactor = house.start()
    view = come_back(parlour, reactor, tokens[1]).views[0]
    assert 3 <= view.at <= 6
    assert view.due[1] - view.at >= 115


@pytest.mark.parametrize("end", ["stop", "kill"])
@pytest.mark.parametrize("step", [100 * DAY, -100 * DAY, -START, 1e5 * DAY])
def test_a_wrong_clock_at_a_start_forgets_nothing(house, logged, step, end):
    parlour, reactor = house.start()
    tokens = begin(parlour, reactor)
    getattr(house, end)(parlour, reactor)
    for wall in (START + step, START):
        house.wall = wall
        parlour, reactor = house.start()
        live(parlour, reactor, 2)
        house.stop(parlour, reactor)
    parlour, reactor = house.start()
    assert come_back(parlour, reactor, tokens[1]).views[0].at <= 6
    assert not [each for each in map(formatEvent, logged) if "given up" in each]


def test_what_is_forgotten_is_said_with_a_count(house, logged):
    parlour, reactor = house.start()
    tokens = begin(parlour, reactor)
    house.stop(parlour, reactor)
    day = str(4 / 86_400)
    parlour, reactor = house.start("--keep", day)
    live(parlour, reactor, 7)
    parlour.host.forget_resting(4.0)
    said = [each for each in map(formatEvent, logged) if "given up" in each]
    assert said == ["1 tables that nobody touched for 4.62963e-05 days are given up"]
    assert tokens


TIMERS = """
import time
from protocols.daemon.twistd import Options, makeService
from twisted.internet import reactor

options = Options()
options.parseOptions(["--journal", "memory"])
makeService(options)
timer = reactor.callLater(60, print)
print(abs(reactor.seconds() - time.monotonic()) < 5, abs(timer.getTime() - time.monotonic() - 60) < 5)
"""


def test_no_timer_of_the_process_goes_by_the_wall():
    done = run([sys.executable, "-c", TIMERS], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True True\n", "")
