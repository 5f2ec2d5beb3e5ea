"""The checks of a game find what is planted in one: each test has a bug, and a check that must see it."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from protocols.host.commit_queue import CommitQueue
from protocols.testing import GameChecks
from protocols.testing.guest import ways
from protocols.testing.secrecy.pairs import Leak
from protocols.testing.wires import HALL_WIRES
from tests.secrecy import sealed

JSON = {"json": HALL_WIRES["json"]}


def checks_of(position, name="sealed"):
    """Give the checks of the sealed game with other positions."""
    rules = sealed.SealedRules(position)
    return type("Checks", (GameChecks,), {"kind": name, "rules": rules, "wires": {}})()


class Forgetful(sealed.Sealed):
    """What a card is worth follows from how often it was ever asked: no record tells."""

    asked = 0

    def turn(self) -> None:
        type(self).asked += 1
        super().turn()
        self.gone += (self.asked,)


class Endless(sealed.Sealed):
    """The last card is never the last."""

    def turn(self) -> None:
        self.hands = [
            [*hand, hand_over] for hand, hand_over in zip(self.hands, (0, 1), strict=True)
        ]
        super().turn()


def test_a_game_without_a_bug_passes():
    checks = checks_of(sealed.Sealed)
    checks.test_it_states_its_constant_facts()
    checks.test_it_comes_to_an_end_and_the_same_seed_gives_the_same_game()
    checks.test_no_seat_is_told_what_it_may_not_know()
    checks.test_no_byte_follows_from_what_is_hidden()
    checks.test_nothing_that_was_told_is_lost_when_the_daemon_is_killed()
    checks.test_a_table_that_people_come_to_and_leave_stays_whole()


def test_a_game_that_no_record_gives_again_is_found():
    checks = checks_of(Forgetful)
    with pytest.raises(AssertionError):
        checks.test_nothing_that_was_told_is_lost_when_the_daemon_is_killed()
    with pytest.raises(AssertionError):
        checks.test_a_table_that_people_come_to_and_leave_stays_whole()


def test_a_game_without_an_end_is_found():
    with patch("protocols.testing.checks.MOST_STEPS", 20), pytest.raises(AssertionError):
        checks_of(Endless).test_it_comes_to_an_end_and_the_same_seed_gives_the_same_game()


def test_a_leak_is_found_and_its_seed_named():
    with pytest.raises(Leak) as leak:
        checks_of(sealed.LeakyEvent).test_no_seat_is_told_what_it_may_not_know()
    assert leak.value.__notes__[0].startswith("with sealed, ")
    with pytest.raises(Leak):
        checks_of(sealed.LeakyLog).test_no_byte_follows_from_what_is_hidden()


def test_a_guess_that_draws_nothing_anew_is_found():
    with pytest.raises(AssertionError, match="draws nothing anew"):
        checks_of(sealed.BlindGuess).test_no_seat_is_told_what_it_may_not_know()


def test_news_before_their_commit_are_found(logged_failures):
    """A host that told what the journal may yet forget."""
    post = CommitQueue.post

    def hasty(self, deliver, *more):
        deliver()
        return post(self, deliver, *more)

    with patch.object(CommitQueue, "post", hasty), pytest.raises(AssertionError):
        checks_of(sealed.Sealed).test_nothing_that_was_told_is_lost_when_the_daemon_is_killed()
    logged_failures.clear()


def test_every_way_to_a_game_is_tried():
    found = [str(way) for way in checks_of(sealed.Sealed).ways()]
    assert {"sealed-json-json", "sealed-lobby-plain", "sealed-web-pages"} <= set(found)
    assert not list(ways("sealed", ["sealed"], [], JSON))
