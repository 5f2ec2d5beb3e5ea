"""Coming and going at a table is told line by line, and where it is often, once a second for all of it."""

from __future__ import annotations

from protocols.lobby.people_lines import LINES_AT_ONCE
from tests.protocols.lobby.conftest import Lobby

FOLDED = "more somebody came, went or added words."


def gather(lobby, *typed):
    """Let Ann wait at a table; gives her, and its code."""
    ann = lobby.call("Ann")
    ann.type(*typed, "OPEN nim start=asked")
    return ann, ann.link.session.table.code


def come_and_go(lobby, code, times):
    for number in range(times):
        caller = lobby.call(host=f"192.0.2.{number + 2}")
        caller.type(f"JOIN {code}", "LEAVE")
        caller.hang_up()


def test_a_crowd_that_comes_and_goes_is_told_of_once_a_second():
    with Lobby() as lobby:
        ann, code = gather(lobby)
        ann.hear()
        come_and_go(lobby, code, 50)
        assert len(ann.hear()) == LINES_AT_ONCE
        lobby.clock.advance(1)
        (folded,) = ann.hear()
        assert folded == f"{100 - LINES_AT_ONCE:.0f} times {FOLDED} Here now: Ann."
        lobby.clock.advance(5)
        assert ann.hear() == [], "once"
        come_and_go(lobby, code, 1)
        assert len(ann.hear()) == 2, "a line each, where it is seldom again"


def test_what_else_happens_is_told_behind_all_that_was_folded():
    with Lobby() as lobby:
        ann, code = gather(lobby)
        come_and_go(lobby, code, 10)
        bob = lobby.call("Bob")
        ann.hear()
        bob.type(f"JOIN {code}")
        assert ann.hear() == []
        told = ann.type("START")
        assert told[0] == f"11 times {FOLDED} Here now: Ann, Bob."
        assert "Game 1 begins." in told


def test_words_that_a_program_adds_are_folded_for_all_who_hear_them():
    with Lobby() as lobby:
        ann, code = gather(lobby)
        bob = lobby.call("Bob")
        bob.type(f"JOIN {code}")
        ann.hear()
        for _ in range(20):
            bob.type("MIX a rainy day")
        assert len(ann.hear()) < LINES_AT_ONCE
        lobby.clock.advance(1)
        assert FOLDED in ann.hear()[0]


def test_who_has_gone_is_told_nothing_more():
    with Lobby() as lobby:
        ann, code = gather(lobby)
        watcher = lobby.call("Wim")
        watcher.type(f"WATCH {code}")
        come_and_go(lobby, code, 10)
        watcher.type("LEAVE")
        lobby.clock.advance(2)
        assert watcher.hear() == []
        come_and_go(lobby, code, 10)
        ann.hang_up()  # with something folded still


def test_it_is_told_in_the_language_of_each():
    with Lobby() as lobby:
        ann, code = gather(lobby, "LANG fr")
        come_and_go(lobby, code, 6)
        ann.hear()
        lobby.clock.advance(1)
        assert ann.hear() == [
            "2 fois encore quelqu'un est venu, parti ou a ajouté des mots. Présents : Ann."
        ]
