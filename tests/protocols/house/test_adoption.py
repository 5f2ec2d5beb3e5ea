"""What becomes of a table that is played at from several daemons when one of them is gone, or a link is."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import fail
from twisted.internet.task import deferLater

from gamecore.player import Presence
from protocols.host import table_actions
from protocols.journal.errors import JournalFailed
from protocols.testing.house import House
from tests.protocols.house.conftest import ONE


def seated(home, first=0, second=1, **how):
    """Seat two at two daemons, at a table of the first; gives the table and both."""
    table = home.nim(number=first, **how)
    return table, home.sit(first, table.code, "ann"), home.sit(second, table.code, "bob")


def commands_of(home, code):
    return [json.loads(line)["command"] for line in home.houses[0].journal._lines[code]]


def plays(home, code):
    return [each["seat"] for each in commands_of(home, code) if each["is"] == "Play"]


# -- the owner is gone ------------------------------------------------------------------


def test_who_is_at_a_mirror_goes_on_when_the_owner_is_gone_and_hears_of_nothing_else(two):
    table, ann, bob = seated(two)
    watcher = two.watch(1, table.code)
    two.play(0, ann, ONE)
    bob.heard.clear()
    two.kill(0)
    two.clock.pass_time(0.2)
    assert bob.heard == []
    two.play(1, bob, ONE, "mine")
    assert bob.answers == [("mine", None)] and len(watcher.heard) > 0
    assert plays(two, table.code) == [0, 1]
    assert bob.place is not None and two.live(1, table.code).owner is None
    two.agree(table.code)


def test_who_was_at_the_daemon_that_is_gone_is_away_and_comes_back_elsewhere(two):
    table, ann, _ = seated(two)
    two.kill(0)
    two.pass_time(2)
    adopted = two.live(1, table.code).table
    assert adopted.presence(0) is Presence.HERE
    two.pass_time(2)
    assert (adopted.presence(0), adopted.presence(1)) == (Presence.AWAY, Presence.HERE)
    again = two.come_back(1, ann.token)
    assert again.answers == [("back", None)] and adopted.presence(0) is Presence.HERE
    assert "Wake" not in [each["is"] for each in commands_of(two, table.code)]
    two.agree(table.code)


def test_who_has_no_token_and_whose_link_has_outlived_the_owner_plays_on(two):
    table = two.nim()
    ann = two.sit(0, table.code, "ann")
    bob = two.sit(1, table.code, "bob", keep=False)
    two.play(0, ann, ONE)
    two.kill(0)
    two.pass_time(5)
    two.play(1, bob, ONE, "mine")
    assert bob.answers[-1] == ("mine", None)
    assert {each["is"] for each in commands_of(two, table.code)} == {"Open", "Sit", "Play", "Drop"}


@pytest.mark.parametrize("committed", [True, False])
def test_a_move_on_its_way_is_done_once_whether_the_owner_has_written_it_down_or_not(
    two, committed
):
    table, ann, bob = seated(two)
    two.play(0, ann, ONE)
    bob.heard.clear()
    two.houses[1].host.submit(bob, ONE, "mine")
    if committed:
        await_record(two, table.code, 5)
    two.kill(0)
    two.pass_time(1)
    assert bob.answers == [("mine", None)]
    assert plays(two, table.code) == [0, 1]
    two.agree(table.code)


def await_record(home, code, count):
    """Let so many records be written down, and no more be heard of them than is in time."""
    lines = home.houses[0].journal._lines[code]
    while len(lines) < count:
        home.clock.advance(0)


def test_two_equal_moves_on_their_way_are_each_done_once(two):
    """One is in the record and the other is not: they are told apart by their names alone."""
    house = two.houses[0]
    card = house.host.open("pass123", "", {"seconds": 600}, {"start": "full"})
    code = card.code
    two.clock.settle()
    seats = [two.sit(0, code, "ann"), *[two.sit(1, code, name) for name in ("bob", "cid", "dot")]]
    host = two.houses[1].host
    mirror = two.live(1, code)
    asker = seats[1]
    seat = asker.place.seat
    moves = mirror.table.legal_moves(seat)
    before = len(house.journal._lines[code])
    host.submit(asker, moves[0], "first")
    host.submit(asker, moves[0], "second")
    await_record(two, code, before + 1)
    two.kill(0)
    two.pass_time(1)
    answers = dict(asker.answers)
    assert answers["first"] is None
    assert "second" in answers
    done = [each for each in commands_of(two, code) if each["is"] == "Play"]
    assert len(done) == 1 + (answers["second"] is None)
    two.agree(code)


def test_who_comes_back_as_the_owner_takes_them_for_away_and_is_gone_is_here_again(two):
    table = two.nim()
    ann, bob = two.sit(0, table.code, "ann"), two.sit(0, table.code, "bob")
    two.watch(1, table.code)
    two.play(0, ann, ONE)
    two.wires.cut()
    two.clock.pass_time(0.2)
    back = two.ask_back(1, bob.token)
    two.clock.pass_time(0.1)
    assert back.answers == [], "where bob is held is yet to be asked"
    two.houses[0].host.drop(bob)
    two.clock.pass_time(0.1)
    two.kill(0)
    two.pass_time(8)
    assert back.answers == [("back", None)]
    live = two.live(1, table.code)
    assert live.owner is None and live.table.presence(1) is Presence.HERE
    two.play(1, back, ONE, "mine")
    assert back.answers[-1] == ("mine", None)
    assert [each["is"] for each in commands_of(two, table.code)][-4:] == [
        *("Drop", "Return", "Drop", "Play")
    ]


def test_who_is_at_a_mirror_and_was_taken_for_away_by_the_owner_that_is_gone_is_here_again(two):
    table, ann, bob = seated(two)
    two.play(0, ann, ONE)
    two.wires.cut()
    two.clock.pass_time(0.2)
    owned = two.live(0, table.code)
    two.houses[0].host.attachments.lose(owned, owned.table.player(1))
    two.clock.pass_time(0.1)
    two.kill(0)
    two.pass_time(8)
    live = two.live(1, table.code)
    assert live.owner is None and live.table.presence(1) is Presence.HERE
    two.play(1, bob, ONE, "mine")
    assert bob.answers[-1] == ("mine", None)


def test_a_move_that_never_came_to_the_owner_is_not_made_for_who_has_come_back_elsewhere(three):
    table, ann, bob = seated(three)
    three.play(0, ann, ONE)
    three.live(1, table.code).owner.say = lambda *asked: None
    three.houses[1].host.submit(bob, ONE, "late")
    three.pass_time(0.5)
    again = three.come_back(2, bob.token)
    assert again.views[-1].played == 0
    assert bob.heard[-2:] == ["taken-over", ("late", "not-now")]
    three.kill(0)
    three.pass_time(2)
    assert plays(three, table.code) == [0]
    three.play(2, again, ONE, "mine")
    assert again.answers[-1] == ("mine", None) and plays(three, table.code) == [0, 1]
    three.agree(table.code)


def test_nor_is_it_where_nobody_could_tell_that_they_have_come_back_to_the_owner(two):
    """Who waits at a mirror that is cut off for a moment, and goes to the daemon that has the table."""
    table, ann, bob = seated(two)
    two.play(0, ann, ONE)
    two.wires.cut()
    two.houses[1].host.submit(bob, ONE, "late")
    two.clock.pass_time(0.5)
    again = two.ask_back(0, bob.token)
    two.clock.pass_time(0.5)
    assert again.views[-1].played == 0 and again.answers == [("back", None)]
    two.kill(0)
    two.pass_time(2)
    assert bob.heard[-1] == "taken-over" and plays(two, table.code) == [0]
    back = two.come_back(1, bob.token)
    two.play(1, back, ONE, "mine")
    assert back.answers == [("back", None), ("mine", None)]
    assert plays(two, table.code) == [0, 1]
    two.agree(table.code)


def test_nor_is_it_where_nobody_could_tell_that_they_have_come_back_to_another_mirror(three):
    table, ann, bob = seated(three)
    three.play(0, ann, ONE)
    three.live(1, table.code).owner.say = lambda *asked: None
    three.linked[1].links._hear["g"] = lambda run, rest: None
    three.houses[1].host.submit(bob, ONE, "late")
    three.pass_time(0.5)
    again = three.come_back(2, bob.token)
    assert again.views[-1].played == 0 and again.answers == [("back", None)]
    three.kill(0)
    three.kill(2)
    three.pass_time(2)
    assert bob.heard[-1] == "taken-over" and plays(three, table.code) == [0]


def test_of_several_mirrors_one_goes_on_and_the_others_mirror_that(three):
    table, ann, bob = seated(three, 0, 1)
    cid = three.watch(2, table.code)
    three.play(0, ann, ONE)
    three.kill(0)
    three.pass_time(1)
    three.play(1, bob, ONE)
    three.agree(table.code)
    assert sum(three.live(n, table.code) is not None for n in (1, 2)) == 2
    again = three.come_back(2, ann.token)
    three.play(2, again, ONE, "mine")
    assert again.answers == [("back", None), ("mine", None)]
    assert plays(three, table.code) == [0, 1, 0] and cid.place is not None
    three.agree(table.code)
    three.pass_time(5)
    assert three.live(1, table.code).table.presence(0) is Presence.HERE


def test_a_bot_goes_on_where_its_table_does(two):
    table = two.nim()
    bob = two.sit(1, table.code, "bob")
    ann = two.sit(0, table.code, "ann")
    two.houses[0].host.leave(ann)
    two.pass_time(1)
    assert bob.place is not None and two.live(1, table.code).owner is None
    table = two.nim()
    two.sit(0, table.code, "ann")
    eve = two.sit(1, table.code, "eve")
    assert eve.place is not None
    two.houses[0].host.drop(two.ears[-2])
    two.pass_time(70)
    two.agree(table.code)


def test_clocks_go_on_from_where_they_were_when_the_owner_is_gone(two):
    table, ann, bob = seated(two)
    two.play(0, ann, ONE)
    due = two.live(0, table.code).table.seen_by(1, 0.0).due[1]
    two.pass_time(100)
    two.kill(0)
    two.pass_time(1)
    host = two.houses[1].host
    live = two.live(1, table.code)
    assert live.table.seen_by(1, 0.0).due[1] == due
    assert 0 <= due - host.service.clocks.now(live) < 1000
    two.pass_time(1000)
    assert live.table.stage.value == "over" and bob.place is not None


# -- the link is lost -------------------------------------------------------------------


def test_a_link_that_is_back_within_three_seconds_costs_nothing(two):
    table, ann, bob = seated(two)
    two.play(0, ann, ONE)
    two.wires.cut()
    two.pass_time(1)
    two.houses[1].host.submit(bob, ONE, "mine")
    two.clock.pass_time(0.5)
    assert ("mine", None) not in bob.answers
    assert ("paused", None) not in bob.heard and bob.heard[-1][0] == "paused"
    two.wires.mend()
    two.pass_time(2)
    assert bob.answers[-1] == ("mine", None) and ("paused", None) in bob.heard
    assert plays(two, table.code) == [0, 1]
    assert table.presence(1) is Presence.HERE
    two.agree(table.code)


def test_what_the_owner_did_meanwhile_is_heard_in_its_order(two):
    table, ann, bob = seated(two)
    watcher = two.watch(1, table.code)
    two.wires.cut()
    two.clock.pass_time(0.2)
    two.play(0, ann, ONE)
    watcher.heard.clear()
    two.wires.mend()
    two.pass_time(1)
    assert [each for each in watcher.heard if not isinstance(each, tuple)] != []
    two.play(1, bob, ONE, "mine")
    assert bob.answers[-1] == ("mine", None)
    two.agree(table.code)


def test_what_the_owner_says_before_all_that_was_missed_is_read_is_read_with_it(
    two, logged_failures
):
    table, ann, bob = seated(two)
    two.wires.cut()
    two.clock.pass_time(0.2)
    two.play(0, ann, ONE)  # which is said to nobody
    two.linked[0].links.on_linked.insert(0, lambda run: two.houses[0].host.drop(ann))
    two.wires.mend()
    two.pass_time(1)
    assert logged_failures == [] and bob.place is not None
    assert [each["is"] for each in commands_of(two, table.code)][-2:] == ["Play", "Drop"]
    two.play(1, bob, ONE, "mine")
    assert bob.answers[-1] == ("mine", None)
    two.agree(table.code)


def test_of_a_longer_cut_the_owner_goes_on_without_who_was_there_and_they_are_told_to_come_back(
    two,
):
    table, ann, bob = seated(two)
    two.play(0, ann, ONE)
    two.wires.cut()
    two.pass_time(5)
    assert bob.heard[-1] == "table-away" and bob.place is None
    assert table.presence(1) is Presence.AWAY and ann.place is not None
    refused = two.come_back(1, bob.token)
    assert refused.answers == [("back", "table-away")]
    two.wires.mend()
    two.pass_time(2)
    again = two.come_back(1, bob.token)
    assert again.answers == [("back", None)]
    two.play(1, again, ONE, "mine")
    assert again.answers[-1] == ("mine", None) and plays(two, table.code) == [0, 1]
    two.agree(table.code)


# -- a table that is given away ---------------------------------------------------------


def test_a_table_that_all_have_left_at_its_owner_goes_to_where_they_are(two):
    table, ann, bob = seated(two)
    two.houses[0].host.drop(ann)
    two.pass_time(1)
    assert two.live(0, table.code) is None
    live = two.live(1, table.code)
    assert live.owner is None and live.table.presence(0) is Presence.AWAY
    again = two.come_back(0, ann.token)
    assert again.answers == [("back", None)]
    two.play(0, again, ONE)
    two.play(1, bob, ONE)
    assert plays(two, table.code) == [0, 1]
    two.agree(table.code)


def test_a_daemon_that_ends_hands_its_tables_over_and_what_is_on_its_way_is_done(two):
    table, ann, bob = seated(two)
    two.play(0, ann, ONE)
    bob.heard.clear()
    closed = []
    two.houses[0].host.close().addCallback(closed.append)
    two.houses[1].host.submit(bob, ONE, "mine")
    two.clock.pass_time(0.1)
    assert closed and ann.heard[-1] == "closing"
    assert bob.answers == [("mine", None)] and plays(two, table.code) == [0, 1]
    assert two.live(1, table.code).owner is None
    two.agree(table.code)


def test_nothing_is_left_when_all_have_gone(two):
    table, ann, bob = seated(two)
    assert table.code in two.houses[1].hall
    two.houses[0].host.leave(ann)
    two.houses[1].host.leave(bob)
    two.pass_time(3)
    for house in two.houses:
        assert isinstance(house, House) and len(house.host.service.live) == 0
        assert len(house.host.directory) == 0
    assert table.code not in two.houses[0].journal._lines


# -- while the journal cannot be read or written ----------------------------------------


def fails_once(monkeypatch, journal, name):
    """Let a question of a journal fail, and then be answered."""
    answer, asked = getattr(journal, name), []

    def ask(*what):
        asked.append(what)
        return fail(JournalFailed("the server is gone")) if len(asked) == 1 else answer(*what)

    monkeypatch.setattr(journal, name, ask)
    return asked


@pytest.mark.parametrize("name", ["judge", "claim", "mirror"])
def test_a_table_is_adopted_once_the_journal_answers(two, monkeypatch, name):
    table, ann, bob = seated(two)
    two.play(0, ann, ONE)
    two.houses[1].host.submit(bob, ONE, "mine")
    asked = fails_once(monkeypatch, two.houses[1].journal, name)
    two.kill(0)
    two.pass_time(2)
    assert len(asked) > 1 and bob.answers[-1] == ("mine", None)
    two.agree(table.code)


def test_what_was_written_meanwhile_is_read_once_the_journal_answers(two, monkeypatch):
    table, ann, bob = seated(two)
    two.wires.cut()
    two.clock.pass_time(0.2)
    two.play(0, ann, ONE)
    asked = fails_once(monkeypatch, two.houses[1].journal, "mirror")
    two.wires.mend()
    two.pass_time(2)
    two.play(1, bob, ONE, "mine")
    assert len(asked) > 1 and bob.answers[-1] == ("mine", None)
    two.agree(table.code)


@pytest.mark.parametrize("again", ["the link is lost", "play is paused at the owner"])
def test_what_is_read_late_of_an_owner_that_was_out_of_reach_twice_is_not_taken_for_all(
    two, monkeypatch, again
):
    """The journal answers by what stood when it was asked, and the owner has gone on since."""
    table, ann, bob = seated(two)
    journal = two.houses[1].journal
    answer = journal.mirror

    def answer_late(*what):
        return answer(*what).addCallback(lambda rows: deferLater(two.clock, 1.0, lambda: rows))

    two.wires.cut()
    two.clock.pass_time(0.2)
    monkeypatch.setattr(journal, "mirror", answer_late)
    two.wires.mend()
    two.clock.pass_time(0.3)
    two.houses[0].host.submit(ann, ONE)
    two.clock.pass_time(0.1)
    if again == "the link is lost":
        two.wires.cut()
        two.clock.pass_time(0.1)
        two.wires.mend()
        two.clock.pass_time(0.3)
    else:
        two.houses[0].journal.fail("the disk is full")
        two.houses[0].journal.recover()
        two.clock.pass_time(0.1)
    two.houses[1].host.submit(bob, ONE, "mine")
    two.houses[0].host.request(ann, table_actions.mix("salt"))
    two.pass_time(4)
    assert bob.place is not None and bob.answers[-1] == ("mine", None)
    assert plays(two, table.code) == [0, 1]
    two.agree(table.code)


def test_a_table_is_given_away_once_the_journal_answers(two, monkeypatch):
    table, ann, bob = seated(two)
    asked = fails_once(monkeypatch, two.houses[0].journal, "hand_over")
    two.houses[0].host.drop(ann)
    two.pass_time(2)
    assert len(asked) > 1 and two.live(1, table.code).owner is None
    assert bob.place is not None
    two.agree(table.code)


def test_who_comes_back_while_the_owner_is_out_of_reach_keeps_the_token(two):
    table, ann, bob = seated(two)
    watcher = two.watch(1, table.code)
    two.wires.cut()
    two.clock.pass_time(0.2)
    again = two.ask_back(1, bob.token)
    two.pass_time(5)
    assert again.answers == [("back", "table-away")] and watcher.heard[-1] == "table-away"
    two.wires.mend()
    two.pass_time(2)
    later = two.come_back(1, bob.token)
    assert later.answers == [("back", None)] and ann.place is not None
    two.agree(table.code)


def test_who_comes_back_as_the_owner_is_gone_is_held_by_who_takes_the_table(two):
    table, ann, bob = seated(two)
    two.kill(0)
    again = two.ask_back(1, bob.token)
    two.pass_time(1)
    assert again.answers == [("back", None)] and bob.heard[-1] == "taken-over"
    two.play(1, two.come_back(1, ann.token), ONE)
    two.play(1, again, ONE, "mine")
    assert again.answers[-1] == ("mine", None)
    two.agree(table.code)
