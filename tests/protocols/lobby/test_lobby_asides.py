"""Words of a game that are no moves: a card explained, a deck built in the hall and brought to the table."""

from __future__ import annotations

import pytest

from gamecore.games.castle import RULES as CASTLE
from gamecore.games.castle import SAMPLE_DECKS
from gamecore.games.nim import RULES as NIM


@pytest.fixture
def castle(lobby):
    with lobby(rules=(NIM, CASTLE)) as opened:
        yield opened


def test_a_card_is_explained_anywhere(castle):
    ann = castle.call("ann")
    assert any("Warlock (24)" in line for line in ann.type("card warlock"))
    assert any("Warlock (24)" in line for line in ann.type("CARD 24"))


def test_a_deck_that_was_built_is_brought_to_the_game(castle):
    ann = castle.call("ann")
    ann.type("deck sample mages")
    ann.type("deck save")
    ann.type("open castle")
    (table,) = castle.hall._tables.values()
    assert table.player(0).brought == SAMPLE_DECKS["mages"]


def test_who_built_none_brings_the_usual_deck(castle):
    ann = castle.call("ann")
    ann.type("deck sample mages")  # which is not saved
    ann.type("open castle")
    (table,) = castle.hall._tables.values()
    assert table.player(0).brought == CASTLE.brings()


def test_help_knows_such_words(castle):
    ann = castle.call("ann")
    assert any("DECK" in line for line in ann.type("help all"))
    assert len(ann.type("help deck")) > 3
    assert len(ann.type("help card")) > 1


def test_two_visitors_build_each_their_own(castle):
    ann, ben = castle.call("ann"), castle.call("ben")
    ann.type("deck new")
    ben.type("deck sample soldiers")
    ann.type("deck add squire")
    assert any("1 of 50" in line for line in ann.type("deck show"))
    assert any("50 of 50" in line for line in ben.type("deck show"))
