"""A table whose replay ends the process does not end every process that comes after it."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred
from twisted.logger import LogLevel, formatEvent, globalLogPublisher

from protocols.host.dormant import DormantTables
from protocols.journal.interface import SET_ASIDE


@pytest.fixture
def deadly(monkeypatch):
    """The codes of the tables whose replay comes to no end: the process is killed in it."""
    codes, replay = set(), DormantTables.replay

    def replay_or_die(self, lines, code):
        return Deferred() if code in codes else replay(self, lines, code)

    monkeypatch.setattr(DormantTables, "replay", replay_or_die)
    return codes


@pytest.fixture
def logged():
    lines = []

    def note(event):
        if event["log_level"] > LogLevel.info:
            lines.append(formatEvent(event))

    globalLogPublisher.addObserver(note)
    yield lines
    globalLogPublisher.removeObserver(note)


@pytest.fixture
def street(room, ear):
    """A table, and two neighbours whose players may come back; gives the room, and their tokens by code."""
    home = room("nim")
    tokens = {}
    for name in ("left", "right"):
        code = home.host.open("nim", "", {}, {"start": "asked"}).code
        face = ear()
        home.host.sit(face, code, 0, name, "sat", keep=True)
        home.settle()
        tokens[code] = face.token
    yield home, tokens
    home.journal.noted.clear()
    home.journal._lines.clear()
    for code in (home.code, *tokens):
        home.host.service.dormant._resting.pop(code, None)
    home.faces = {}


def restart(home):
    """Kill the process, and let the next find a bot to move at every table."""
    noted = home.journal.noted
    for code, (kind, stage, _, began, card) in noted.items():
        noted[code] = (kind, stage, True, began, card)
    home.kill()
    for _ in range(10):
        home.settle()


def test_the_guilty_one_is_set_aside_and_its_neighbours_live(street, deadly, logged):
    home, tokens = street
    guilty, *others = tokens
    others.append(home.code)
    deadly |= {guilty, *others}  # as all are under way together
    restart(home)
    assert home.journal.deaths == dict.fromkeys(deadly, 1)
    deadly -= set(others)
    restart(home)  # which may come to the guilty one before its neighbours
    assert home.journal.deaths[guilty] == 2
    restart(home)
    assert {code for code, deaths in home.journal.deaths.items() if deaths} == {guilty}
    assert home.journal.deaths[guilty] == SET_ASIDE
    assert all(code in home.host.service.live for code in others)
    assert logged == []
    restart(home)
    assert all(code in home.host.service.live for code in others)
    check_it_is_unreadable(home, guilty, tokens[guilty])
    assert len(logged) == 1 and guilty in logged[0] and "set aside" in logged[0]
    home.journal.deaths[guilty] = 0  # it is brought back, and what was wrong is mended
    deadly.clear()
    face = home.ask_back(tokens[guilty])
    for _ in range(4):
        home.settle()
    assert face.names() == [("back", None), "TableView"]
    assert not home.journal.deaths.get(guilty)
    home.host.leave(face)
    home.settle()


def check_it_is_unreadable(home, code, token):
    dormant = home.host.service.dormant
    back, watches, sits = home.ask_back(token), home.ear(), home.ear()
    home.host.watch(watches, code, "watch")
    home.host.sit(sits, code, 1, "somebody", "sit", keep=True)
    for _ in range(4):
        home.settle()
    heard = [each.heard for each in (back, watches, sits)]
    assert heard == [[(tag, "table-unreadable")] for tag in ("back", "watch", "sit")]
    given_up = []
    dormant.forget(-1e9).addCallback(given_up.append)
    home.settle()
    assert given_up == [0] and code in dormant


def test_behind_a_death_no_two_are_under_way_together(street, deadly):
    home, tokens = street
    deadly |= {home.code, *tokens}
    restart(home)
    restart(home)
    assert sorted(home.journal.deaths.values()) == [1, 1, 2]


def test_one_that_rests_is_not_counted(room):
    home = room("nim", absent="wait")
    home.host.leave(home.watcher)
    for name in home.faces:
        home.drop(name)
    home.clock.pump([20] * 6)
    assert home.code in home.host.service.dormant
    home.kill()
    for _ in range(4):
        home.come_back("player 0")
    assert home.code in home.host.service.live and home.journal.deaths == {}
