"""Tables that rest in the journal and wake: for those who belong there, for a bot, and never for a clock."""

from __future__ import annotations

import attrs
import pytest


@pytest.fixture
def resting(room):
    """Give a table of Nim at rest: north is to move, is waited for, and all have lost their links."""

    def build():
        home = room("nim", absent="wait")
        home.move()
        home.move()
        home.last_view = {name: home.view(name) for name in home.tokens}
        for name in home.tokens:
            home.drop(name)
        home.host.leave(home.watcher)
        home.clock.pump([1] * 62)
        return home

    return build


def is_awake(home):
    return home.code in home.host.hall


# Rest


def test_a_table_where_nobody_is_and_nothing_can_happen_leaves_memory(resting):
    home = resting()
    assert home.code in home.host.service.dormant
    assert (len(home.host.hall), len(home.host.service.live)) == (0, 0)
    assert home.clock.getDelayedCalls() == []
    assert home.commands()[-4:] == ["Drop", "Drop", "TimeUp", "TimeUp"]


def test_a_table_does_not_rest_while_somebody_looks_on(room):
    home = room("nim", absent="wait")
    for name in home.tokens:
        home.drop(name)
    home.clock.pump([1] * 100)
    assert is_awake(home)
    home.host.leave(home.watcher)
    home.settle()
    assert not is_awake(home) and home.code in home.host.service.dormant


def test_a_table_does_not_rest_while_a_clock_of_somebody_runs(room):
    home = room("nim", absent="wait")
    home.host.leave(home.watcher)
    home.drop("player 1")  # player 0 is to move, and is here
    home.clock.pump([1] * 100)
    assert is_awake(home)
    home.drop("player 0")
    assert is_awake(home)
    home.clock.pump([1] * 100)
    assert not is_awake(home)


def test_a_new_table_never_gets_the_code_of_one_that_rests(resting):
    home = resting()
    codes = iter([home.code, home.code, "FRESH"])
    home.host._secrets._chance.choices = lambda letters, k: next(codes)
    assert home.host.open("nim", "", {}, {"expiry": 10}).code == "FRESH"


@pytest.mark.parametrize("name", ["player 0", "player 1"])
def test_a_table_comes_back_from_rest_as_it_was(resting, name):
    home = resting()
    before = home.last_view[name]
    view = home.come_back(name).heard[1]
    told = before.told + len(["Dropped", "Dropped", "Waiting", "Waiting", "Returned"])
    same = {"at": 0, "due": {}, "seats": ()}
    assert attrs.evolve(view, **same) == attrs.evolve(before, told=told, **same)
    assert home.commands()[-2:] == ["Wake", "Return"]
    assert home.code not in home.host.service.dormant
    home.check_record()


def test_time_does_not_pass_for_a_table_that_rests(resting):
    home = resting()
    home.clock.advance(86_400)
    view = home.come_back("player 0").heard[1]
    assert view.due[0] - view.at == pytest.approx(1000 - 60, abs=2)


def test_a_wrong_token_does_not_wake_a_table(resting):
    home = resting()
    before = len(home.lines())
    for token in (f"{home.code}.", f"{home.code}.{'0' * 32}", f"{home.code}.\ud800", home.code):
        face = home.ask_back(token)
        home.settle()
        assert (face.heard, face.place) == ([("back", "unknown-token")], None)
        assert not is_awake(home) and len(home.lines()) == before


def test_two_who_come_back_at_one_moment_wake_it_once(resting):
    home = resting()
    faces = [home.ask_back(token) for token in home.tokens.values()]
    home.settle()
    assert [face.place.player.seat for face in faces] == [0, 1]
    assert home.commands()[-3:] == ["Wake", "Return", "Return"]
    assert faces[0].names() == [("back", None), "TableView", "Returned"]
    assert faces[1].names() == [("back", None), "TableView"]
    assert len(home.host.hall) == 1
    home.faces = dict(zip(home.tokens, faces, strict=True))


def test_one_player_who_comes_back_twice_at_one_moment_has_one_seat(resting):
    home = resting()
    first, second = (home.ask_back(home.tokens["player 1"]) for _ in range(2))
    home.settle()
    assert first.names() == [("back", None), "taken-over"]
    assert second.names() == [("back", None), "TableView"]
    assert home.commands()[-2:] == ["Wake", "Return"]


def test_a_link_lost_while_its_table_is_read_wakes_nobody(resting):
    home = resting()
    before = len(home.lines())
    face = home.ask_back(home.tokens["player 0"])
    home.host.drop(face)
    home.settle()
    assert (face.heard, len(home.lines())) == ([], before)
    assert not is_awake(home)


def test_a_table_may_rest_and_wake_many_times(resting):
    home = resting()
    for _ in range(5):
        home.come_back("player 1")
        home.drop("player 1")
        home.clock.pump([1] * 62)
        assert not is_awake(home)
        assert home.code in home.host.service.dormant
