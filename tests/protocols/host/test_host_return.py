"""Players who come back: by their token, to their own seat, and nobody else does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.logger import formatEvent, globalLogPublisher

from gamecore import commands
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.record import read_records
from gamecore.table_view import TableView
from protocols.host.secrets import hash_token

in_both_games = pytest.mark.parametrize("kind", ["nim", "high"])


# The token


def test_a_token_is_given_once_behind_the_commit_of_its_sit_and_before_the_view(
    lone_room, hand_journal
):
    room = lone_room("nim", journal=hand_journal)
    for _ in range(4):
        room.journal.commit()
        room.settle()
    heard = [face.names() for face in room.faces.values()]
    assert [each[:3] for each in heard] == [[("sat", None), "given", "TableView"]] * 2
    late = room.ear()
    room.host.sit(late, room.host.open("nim", "", {}, {}).code, 0, "late", keep=True)
    room.settle()
    assert late.heard == []
    room.journal.commit()
    assert late.names() == [(None, None), "given", "TableView"]
    assert late.token != late.token.lower()
    assert len({late.token, *(face.token for face in room.faces.values())}) == 3


def test_who_does_not_ask_for_a_token_is_given_none(room):
    home = room("nim")
    face = home.ear()
    home.host.sit(face, home.host.open("nim", "", {}, {}).code, 0, "plain")
    home.settle()
    assert face.names() == [(None, None), "TableView"]
    home.host.leave(face)


@in_both_games
def test_a_token_is_in_no_record_log_line_repr_or_anything_that_others_hear(room, kind):
    logged = []
    globalLogPublisher.addObserver(logged.append)
    home = room(kind)
    try:
        home.drop("player 0")
        home.ask_back(home.tokens["player 0"] + "0")
        home.come_back("player 0")
        home.play_until(Stage.OVER)
    finally:
        globalLogPublisher.removeObserver(logged.append)
    token = home.tokens["player 0"]
    lines = b"".join(home.lines()).decode()
    assert lines.count(hash_token(token)) == 1
    code, _, secret = token.partition(".")
    assert code == home.table.code and len(secret) == 32
    core = home.table.player(home.seat_of("player 0"))
    records = [repr(each) for each in read_records(home.lines())]
    heard = [repr(face.heard) for name, face in home.faces.items() if name != "player 0"]
    said = [f"{formatEvent(event)} {event}" for event in logged]
    for text in (lines, *said, repr(core), repr(home.view("player 0")), *heard):
        assert secret not in text
    for text in (*said, repr(core), *heard):
        assert hash_token(token) not in text
    assert secret not in "".join(records)


# Who may come back, and who may not


@in_both_games
def test_a_wrong_token_brings_nobody_back_and_changes_nothing(room, kind):
    home, other = room(kind), room(kind)
    home.drop("player 1")
    home.hear("player 1")
    code, _, secret = home.tokens["player 1"].partition(".")
    before, state = len(home.lines()), home.view("player 1")
    wrong = [
        "",
        ".",
        code,
        f"{code}.",
        f".{secret}",
        f"{code}.{secret[:-1]}",
        f"{code}.{secret}0",
        f"{code}.{secret.upper()}x",
        f" {code}.{secret}",
        f"{code}.{other.tokens['player 1'].partition('.')[2]}",
        other.tokens["player 1"],
        hash_token(home.tokens["player 1"]),
        f"{code}.\ud800",
        "\ud800",
        "\0" * 5000,
        "🂡.🂡",
    ]
    for token in wrong:
        face = home.ask_back(token)
        home.settle()
        assert (face.heard, face.place) == ([("back", "unknown-token")], None)
    assert home.hear("player 1") == []
    assert (len(home.lines()), home.view("player 1")) == (before, state)


def test_a_token_of_another_table_leads_to_that_table_only(room):
    home = room("nim")
    table, far = home.host.hall.find(home.host.open("nim", "far", {}, {}).code), home.ear()
    home.host.sit(far, table.code, 0, "far", keep=True)
    home.settle()
    home.drop("player 0")
    home.host.drop(far)
    home.settle()
    face = home.ask_back(far.token)
    home.settle()
    assert (face.place.code, face.heard[1].code) == (table.code, table.code)
    assert home.presence("player 0") is Presence.AWAY
    home.host.leave(face)


@in_both_games
def test_a_token_of_a_finished_table_is_unknown(lone_room, kind):
    home = lone_room(kind).reach("over")
    tokens = list(home.tokens.values())
    home.end()
    for token in tokens:
        face = home.ask_back(token)
        home.settle()
        assert face.heard == [("back", "unknown-token")]


def test_who_has_left_is_not_let_back(room):
    home = room("high")
    home.host.leave(home.faces["player 1"])
    home.settle()
    face = home.ask_back(home.tokens["player 1"])
    home.settle()
    assert face.heard == [("back", "unknown-token")]


def test_nobody_comes_back_to_a_table_that_was_given_up(room):
    home = room("nim")
    home.drop("player 0")
    home.do(commands.Abandon("bug"))
    for token in home.tokens.values():
        face = home.ask_back(token)
        home.settle()
        assert face.heard == [("back", "unknown-token")]


def test_somebody_who_looks_on_elsewhere_leaves_off_when_coming_back(room):
    home, other = room("nim"), 0
    other = home.host.hall.find(home.host.open("nim", "other", {}, {}).code)
    face = home.ear()
    home.host.watch(face, other.code)
    home.settle()
    home.drop("player 0")
    face.heard.clear()
    home.host.come_back(face, home.tokens["player 0"])
    home.settle()
    home.host.command(None, other, commands.Abandon("empty"))
    home.settle()
    assert face.names() == [(None, None), "TableView"]
    assert other.code not in home.host.hall
    home.faces["player 0"] = face


# Taking over


@in_both_games
def test_whoever_shows_the_token_takes_over_and_nothing_is_journalled(room, kind):
    home = room(kind)
    older, before = home.faces["player 1"], len(home.lines())
    older.heard.clear()
    view = home.view("player 1")
    newer = home.come_back("player 1")
    assert newer.heard == [("back", None), view]
    assert (older.heard, older.place) == (["taken-over"], None)
    assert len(home.lines()) == before
    assert home.hear("player 1") == []
    home.host.drop(older)  # its link is lost at last
    home.host.submit(older, home.table.legal_moves(min(home.table.awaited()))[0], "late")
    home.move()
    assert older.heard == ["taken-over", ("late", "not-seated")]
    assert home.presence("player 1") is Presence.HERE
    assert len(newer.heard) == 1


def test_of_two_who_come_back_at_once_the_later_has_the_seat(room):
    home = room("nim")
    home.drop("player 0")
    home.hear("player 0")
    token = home.tokens["player 0"]
    first, second = home.ask_back(token), home.ask_back(token)
    home.settle()
    assert first.heard == [("back", None), "taken-over"]
    assert second.names() == [("back", None), "TableView"]
    assert home.hear("player 0") == ["Returned"]
    home.faces["player 0"] = second


def test_a_link_lost_between_asking_and_being_given_back_leaves_the_player_away(
    lone_room, hand_journal
):
    home = lone_room("nim", journal=hand_journal)
    commit_all(home)
    home.tokens = {name: face.token for name, face in home.faces.items()}
    home.drop("player 0")
    commit_all(home)
    home.forget()
    lost = home.ask_back(home.tokens["player 0"])
    home.host.drop(lost)
    commit_all(home)
    assert (lost.heard, lost.place) == ([("back", None)], None)
    assert home.hear("player 0") == ["Returned", "Dropped"]
    assert home.presence("player 0") is Presence.AWAY
    face = home.ask_back(home.tokens["player 0"])
    commit_all(home)
    assert face.names() == [("back", None), "TableView"]


def commit_all(home):
    for _ in range(9):
        home.settle()
        home.journal.commit()


STEP = st.one_of(
    st.sampled_from(["move", "move", "commit", "wrong token"]),
    st.tuples(st.sampled_from(["return", "drop"]), st.integers(0, 2)),
)


@in_both_games
@given(steps=st.lists(STEP, max_size=30))
def test_whoever_has_the_seat_hears_all_since_the_view_once_and_who_had_it_nothing(
    lone_room, hand_journal, kind, steps
):
    home = lone_room(kind, journal=hand_journal)
    commit_all(home)
    home.tokens = {name: face.token for name, face in home.faces.items()}
    home.do(commands.Start())
    before = list(home.faces.values())
    for step in steps:
        match step:
            case "move" if home.table.awaited():
                home.move()
            case "commit":
                home.journal.commit()
            case "wrong token":
                before.append(home.ask_back(f"{home.code}.00"))
            case ("return", number):
                name = f"player {number % len(home.faces)}"
                home.faces[name] = home.ask_back(home.tokens[name])
                before.append(home.faces[name])
            case ("drop", number):
                home.drop(f"player {number % len(home.faces)}")
        home.settle()
    commit_all(home)
    for face in before:
        heard = face.names()
        if face.place is None:
            assert {"taken-over", ("back", "unknown-token")}.isdisjoint(heard[:-1])
        else:
            (view,) = [each for each in face.heard if isinstance(each, TableView)]
            events = [each for each in face.heard if hasattr(each, "audience")]
            assert view.told + len(events) == face.place.player.told
            assert face.heard.index(view) < len(face.heard) - len(events)
    speaking = [face.place.player.name for face in before if face.place is not None]
    assert len(set(speaking)) == len(speaking)
    here = [name for name in home.faces if home.presence(name) is Presence.HERE]
    assert sorted(speaking) == here
    home.check_record()


def test_nobody_comes_back_to_a_table_that_is_being_read_again_and_nobody_is_parted_with_for_it(
    room, monkeypatch, logged_failures
):
    def stumble(*what):
        raise RuntimeError("a bug of the rules")

    home = room("nim")
    home.drop("player 0")
    home.forget()
    with monkeypatch.context() as broken:
        broken.setattr(type(home.table), "apply", stumble)
        home.host.command(None, home.table, commands.Start())
    faces = [home.ask_back(token) for token in home.tokens.values()]
    home.settle()
    assert logged_failures.pop().check(RuntimeError)
    assert [face.heard for face in faces] == [[("back", "table-resting")]] * 2
    assert [face.place for face in faces] == [None, None]
    assert home.faces["player 1"].names() == ["TableView"]
    assert home.come_back("player 0").names() == [("back", None), "TableView"]


# In time, too late, and at the very moment


@in_both_games
@given(
    began=st.floats(0, 100),
    off=st.sampled_from([-0.001, 0, 0.001]),
    before_the_alarm=st.booleans(),
    seat=st.integers(0, 2),
    absent=st.sampled_from(["forfeit", "bot"]),
)
def test_at_the_end_of_the_grace_a_player_is_either_seated_or_gone(
    lone_room, kind, began, off, before_the_alarm, seat, absent
):
    home = lone_room(kind, absent=absent).reach("playing")
    name = f"player {seat % len(home.faces)}"
    home.clock.advance(began)
    home.forget()
    at = home.clock.seconds() + 60 + off
    wait = at - home.clock.seconds()
    asked = []
    if before_the_alarm:
        home.clock.callLater(wait, lambda: asked.append(home.ask_back(home.tokens[name])))
    home.drop(name)
    if not before_the_alarm:
        home.clock.callLater(wait, lambda: asked.append(home.ask_back(home.tokens[name])))
    home.clock.advance(wait)
    home.clock.advance(0.01)
    (face,) = asked
    heard = home.hear(name)
    if "Returned" in heard:
        assert heard == ["Dropped", "Returned"]
        assert face.names() == [("back", None), "TableView"]
        assert home.presence(name) is Presence.HERE
        assert off <= 0
    else:
        assert heard[:2] == ["Dropped", "Left" if absent == "forfeit" else "Replaced"]
        assert (face.heard, face.place) == ([("back", "lost-by-absence")], None)
        assert name not in [core.name for core in home.table.seated().values()] or (
            home.presence(name) is Presence.GONE
        )
        assert off >= 0
    home.check_record()
    home.end()


def test_the_deadline_of_an_earlier_absence_does_not_ring_after_a_return(room):
    home = room("high")
    home.drop("player 0")
    home.clock.advance(30)
    home.come_back("player 0")
    home.clock.advance(20)
    home.drop("player 0")
    assert home.hear("player 0") == ["Dropped", "Returned", "Dropped"]
    home.clock.advance(59.9)
    assert home.hear("player 0") == []
    home.clock.advance(0.2)
    assert home.hear("player 0") == ["Left"]
