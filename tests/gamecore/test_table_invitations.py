"""Invitations: seats kept for those who were asked, and a table that somebody organizes without sitting there."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.game import Stage
from gamecore.table import Table
from gamecore.table_events import GameBegan, Gathered, Invited, Sat
from gamecore.table_view import Invitation

SEED = "5e" * 32


@pytest.fixture
def party(watched, high):
    """A table for four, for three of whom seats are kept."""
    party = watched(high.RULES, start="asked")
    for seat, name in enumerate(("ann", "ben", "cat")):
        party.do(commands.Invite(seat, name, f"hash {name}"))
    return party


def come(high, seat, name, **more):
    return commands.Sit(seat, name, f"token {name}", brought=high.Charm("clover"), **more)


def test_everybody_sees_who_is_invited(party):
    view = party.table.seen_by(None, 0.0)
    assert view.invited == (Invitation(0, "ann"), Invitation(1, "ben"), Invitation(2, "cat"))
    assert (view.seats, view.names) == ((), ())
    assert party.table.free_seats() == [3]


def test_a_kept_seat_is_for_one_alone(party, high):
    assert party.refuses(come(high, 0, "zoe")) == "seat-kept"
    assert party.refuses(come(high, 0, "zoe", invitation="hash ben")) == "seat-kept"
    assert party.do(come(high, 0, "zoe", invitation="hash ann")) == [Sat(0, "zoe", None)]
    assert party.refuses(come(high, 0, "ann", invitation="hash ann")) == "seat-taken"
    assert party.table.invited("hash ann") is None
    assert party.table.invited("hash ben") == Invitation(1, "ben")


def test_nobody_takes_the_name_of_one_who_is_expected(party, high):
    assert party.refuses(come(high, 3, "Ben")) == "name-taken"
    assert party.refuses(commands.Invite(3, "BEN", "hash")) == "name-taken"
    party.do(come(high, 1, "Ben", invitation="hash ben"))


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (commands.Invite(0, "zoe", "hash"), "seat-taken"),
        (commands.Invite(4, "zoe", "hash"), "no-such-seat"),
        (commands.Invite(3, " ", "hash"), "no-name"),
    ],
)
def test_an_invitation_needs_a_free_seat_and_a_name(party, command, key):
    assert party.refuses(command) == key


def test_who_did_not_come_is_left_out_and_may_come_to_the_next_game(party, high):
    party.do(come(high, 2, "cat", invitation="hash cat"))
    party.do(come(high, 0, "ann", invitation="hash ann"))
    assert party.do(commands.Start())[0] == GameBegan(1, ("ann", "cat"))
    assert party.refuses(come(high, 1, "ben", invitation="hash ben")) == "game-began"
    assert party.refuses(commands.Invite(3, "zoe", "hash")) == "game-began"
    party.do(commands.Leave(0))
    assert party.table.stage is Stage.OVER
    again = party.do(commands.Rematch(SEED))
    assert [type(event) for event in again] == [Gathered]
    assert party.table.invited("hash ben") == Invitation(1, "ben")
    party.do(come(high, 1, "ben", invitation="hash ben"))
    assert party.table.names == ("cat", "ben")


def test_the_order_of_another_game_may_be_chosen(begun, high):
    game = begun(high.RULES, 3, start="asked", options={"rounds": 1})
    for seat in range(3):
        game.do(commands.Play(seat, game.table.legal_moves(seat)[0]))
    assert game.table.stage is Stage.OVER
    assert game.refuses(commands.Rematch(SEED, (0, 1))) == "no-such-order"
    gathered = game.do(commands.Rematch(SEED, (2, 0, 1)))[0]
    assert gathered.names == ("linnet", "wren", "robin")


def test_a_table_that_is_organized_outlasts_those_who_leave(watched, high, sitting):
    opened = commands.Open("TABLE", "high", 1, 1, 1, "", SEED, {}, {"start": "asked"}, owner="hash")
    table = Table(opened, high.RULES)
    table.apply(sitting(high.RULES, 0), 1.0)
    table.apply(commands.Leave(0), 2.0)
    assert table.stage is Stage.GATHERING
    assert table.owned_by("hash")
    assert not table.owned_by("other")
    assert not watched(high.RULES).table.owned_by("hash")


def test_an_invitation_is_in_no_view_and_no_event(party):
    told = repr(party.table.seen_by(None, 0.0)) + repr(
        party.do(commands.Invite(3, "dan", "hash dan"))
    )
    assert "hash" not in told
    assert "hash" not in repr(party.done)
    assert Invited(3, "dan").audience.reaches(None)
