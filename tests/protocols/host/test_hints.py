"""Hints: who may ask for one, what it is found from, and what becomes of it if nobody thinks."""

from __future__ import annotations

import pytest

from gamecore.game import Stage
from gamecore.games.nim import Take
from gamecore.parcel import unpack
from gamecore.rules import NextRound, installed_rules
from protocols.host import hints, table_actions
from protocols.host.thinking import NOBODY, NotThought
from tests.protocols.host.test_host_hall import Visitor
from tests.protocols.host.test_thinking import Room

KINDS = sorted(each.kind for each in installed_rules())
HERE = "192.0.2.7"
ONE_MOVE = {"stones": 1, "maximum": 1, "resets": 0}


def ask(room, face=None, address=HERE):
    """Ask for a hint; what becomes of it is put into a list."""
    said = []
    asking = room.host.hints.ask(face or room.wren, address)
    asking.addCallbacks(said.append, lambda failure: said.append(failure.value.key))
    room.clock.advance(0)
    return said


def asked(room):
    """Give what the first seat has asked, with its answers."""
    return [each for each in room.ponder.asked if each[0].seat == 0]


def let_bots_move(room):
    for question, answer in room.ponder.asked:
        moves = room.table.legal_moves(question.seat)
        if moves and not answer.called:
            answer.callback(moves[0])
    room.clock.pump([0, 10, 0])


def come_to_choose(room):
    """Play on until the first seat has something to choose."""
    while True:
        moves = room.table.legal_moves(0)
        if len(moves) > 1 and NextRound() not in moves:
            return
        if moves:
            room.do(room.host.submit, moves[0])
        else:
            let_bots_move(room)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_found_from_what_the_seat_knows_alone_and_nobody_else_hears_of_it(kind):
    room = Room(kind)
    come_to_choose(room)
    watcher = Visitor()
    room.host.watch(watcher, room.table.code)
    room.clock.advance(0)
    heard = [*watcher.all_heard]
    before = room.table.sequence
    said = ask(room)
    ((question, answer),) = asked(room)
    view = room.table.seen_by(0, room.clock.seconds())
    assert view.hints
    assert unpack(question.parcel).seen_by(0) == view.board
    assert (question.kind, question.level) == (kind, "thinker")
    move = room.table.legal_moves(0)[-1]
    answer.callback(move)
    assert said == []
    room.clock.advance(0)
    assert said == [move]
    assert room.table.sequence == before
    assert watcher.all_heard == heard


def test_who_has_no_seat_gets_none():
    room = Room()
    watcher = Visitor()
    room.host.watch(watcher, room.table.code)
    room.clock.advance(0)
    assert ask(room, watcher) == ["not-seated"]
    assert ask(room, Visitor()) == ["not-seated"]


@pytest.mark.parametrize(
    ("allowed", "people", "refused"),
    [
        ("alone", 1, []),
        ("alone", 2, ["hints-alone"]),
        ("all", 1, []),
        ("all", 2, []),
        ("nobody", 1, ["hints-nobody"]),
        ("nobody", 2, ["hints-nobody"]),
    ],
)
def test_the_table_says_who_may_ask_and_all_who_come_are_shown_it(allowed, people, refused):
    room = Room(people=people, house={"hints": allowed})
    assert ask(room) == refused
    for seat in (None, 0, 1):
        assert room.table.seen_by(seat, 0.0).hints is (not refused)


def test_one_whose_opponent_was_replaced_by_a_bot_plays_alone():
    room = Room("gops", people=2, house={"absent": "bot", "grace": 5.0})
    assert ask(room) == ["hints-alone"]
    room.host.drop(room.people[1])
    room.clock.pump([0, 6, 0, 0])
    assert room.table.seated()[1].level is not None
    assert ask(room) == []


def test_it_is_given_for_a_decision_that_is_awaited():
    room = Room(begin=False, stones=12, resets=0)
    assert ask(room) == ["no-game"]
    room.do(room.host.request, table_actions.start)
    room.do(room.host.submit, Take(1))
    assert ask(room) == ["not-your-turn"]


def test_when_the_game_is_over_there_is_nothing_to_think_about():
    room = Room(**ONE_MOVE)
    room.do(room.host.submit, Take(1))
    assert ask(room) == ["game-over"]


def test_between_rounds_there_is_nothing_to_think_about():
    room = Room("rikiki", players=2, max=2)
    while room.table.stage is Stage.PLAYING:
        moves = room.table.legal_moves(0)
        if moves:
            room.do(room.host.submit, moves[0])
        else:
            let_bots_move(room)
    assert room.table.stage is Stage.BETWEEN_ROUNDS
    assert ask(room) == ["not-now"]


def test_a_single_move_is_given_without_a_thought():
    room = Room(**ONE_MOVE)
    assert ask(room) == [Take(1)]
    assert asked(room) == []


def test_a_seat_asks_one_thing_at_a_time():
    room = Room()
    first = ask(room)
    assert ask(room) == ["hint-asked"]
    asked(room)[0][1].callback(Take(2))
    room.clock.advance(0)
    assert first == [Take(2)]
    assert ask(room) == []


def test_a_hint_that_comes_when_the_move_is_made_is_not_told():
    room = Room(stones=12, resets=0)
    said = ask(room)
    room.do(room.host.submit, Take(1))
    asked(room)[0][1].callback(Take(2))
    room.clock.advance(0)
    assert said == ["hint-late"]


def test_it_is_said_that_the_one_who_thought_has_died():
    room = Room()
    said = ask(room)
    asked(room)[0][1].errback(NotThought())
    room.clock.advance(0)
    assert said == ["no-thinker"]
    assert ask(room) == []


def test_nobody_waits_for_one_who_is_silent():
    room = Room()
    said = ask(room)
    room.clock.pump([hints.SECONDS - 0.1, 0])
    assert said == []
    room.clock.pump([0.2, 0])
    assert said == ["no-thinker"]
    assert asked(room)[0][1].called  # so that nobody begins with it any more
    assert ask(room) == []


def test_a_house_where_nobody_thinks_says_so():
    assert ask(Room(thinking=NOBODY)) == ["no-thinker"]


def test_so_many_are_thought_about_at_once_for_all_and_for_one_address():
    room = Room()
    people = [room.wren]
    for _ in range(5):
        (person,), _ = room.open("nim", 1, {}, {})
        room.host.request(person, table_actions.start)
        people.append(person)
    room.clock.advance(0)
    addresses = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"]
    said = [ask(room, *each) for each in zip(people, addresses, strict=True)]
    assert said == [[], [], ["too-fast"], [], [], ["too-fast"]]


def test_an_address_that_asks_without_end_has_to_wait():
    room = Room(**ONE_MOVE)
    for _ in range(room.host.admission.settings.hints_at_once):
        assert ask(room) == [Take(1)]
    assert ask(room) == ["too-fast"]
    assert ask(room, address="198.51.100.1") == [Take(1)]
    room.clock.advance(2)
    assert ask(room) == [Take(1)]


def test_a_house_that_closes_lets_nobody_wait():
    room = Room()
    said = ask(room)
    room.host.close()
    room.clock.advance(0)
    assert said == ["no-thinker"]


def test_a_hint_comes_behind_all_that_its_seat_is_to_hear_before():
    room = Room(stones=12, resets=0)
    room.do(room.host.submit, Take(1))
    room.ponder.asked[-1][1].callback(Take(1))  # the bot moves, and nobody is told yet
    heard = len(room.wren.all_heard)
    said = []
    room.host.hints.ask(room.wren, HERE).addCallback(
        lambda move: said.append(room.wren.all_heard[:])
    )
    asked(room)[-1][1].callback(Take(2))
    assert said == []
    room.clock.advance(0)
    assert ("told", "Taken") in said[0][heard:]
