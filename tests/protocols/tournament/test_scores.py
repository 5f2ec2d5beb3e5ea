"""Sums, intervals, strengths, and the test of two; and the page that shows them."""

from __future__ import annotations

import re
from random import Random

import pytest

from protocols.tournament.games import Result
from protocols.tournament.report_facts import make_report
from protocols.tournament.report_page import draw_page
from protocols.tournament.run import Finished
from protocols.tournament.schedule import Schedule
from protocols.tournament.scores import interval, strengths, tally
from protocols.tournament.sprt import BOUND, Sprt

from .conftest import house


def result(one, other, places, group=0, number=1):
    return Result(
        f"1.1.{number}", "1.1", group, (one, other), places, "played", outcome="last-stone"
    )


def test_points_wins_and_seats_are_added_up():
    sums = tally(
        "ab", [result("a", "b", (1, 2)), result("b", "a", (1, 1)), result("b", "a", (1, 2))]
    )
    assert sums.points["a", "b"] == 1.5 and sums.points["b", "a"] == 1.5
    assert sums.games["a", "b"] == 3
    assert sums.by_seat["a"] == {0: (1, 0, 0), 1: (0, 1, 1)}
    assert sums.score("a") == 0.5


def test_an_interval_holds_the_score_and_narrows_with_games():
    chance = Random(1)
    few = [(float(chance.random() < 0.7), 1) for _ in range(20)]
    many = few * 20
    for groups in (few, many):
        low, high = interval(groups, Random(2))
        assert low <= sum(points for points, _ in groups) / len(groups) <= high
    assert interval(many, Random(2))[1] - interval(many, Random(2))[0] < 0.15
    assert interval([], Random(1)) == (0.0, 1.0)


def test_strengths_are_what_another_program_finds():
    choix = pytest.importorskip("choix")
    chance = Random(5)
    names = "abcde"
    true = dict(zip(names, (0.0, 0.5, 1.0, 1.5, 2.0), strict=True))
    points, games, data = {}, {}, []
    for one in range(5):
        for other in range(one + 1, 5):
            first, second = names[one], names[other]
            share = 1 / (1 + 2.718281828 ** (true[second] - true[first]))
            won = sum(chance.random() < share for _ in range(60))
            points[first, second], points[second, first] = won, 60 - won
            games[first, second] = games[second, first] = 60
            data += [(one, other)] * won + [(other, one)] * (60 - won)
    found = strengths(names, points, games, prior=0.0)
    oracle = choix.mm_pairwise(5, data, alpha=0.0)
    for at, name in enumerate(names):
        assert found[name] == pytest.approx(oracle[at] * 400 / 2.302585093, abs=0.5)


def test_who_wins_all_is_not_infinitely_strong():
    found = strengths("ab", {("a", "b"): 10, ("b", "a"): 0}, {("a", "b"): 10, ("b", "a"): 10})
    assert 300 < found["a"] < 1000 and found["a"] == pytest.approx(-found["b"])


def decide(share: float, number: int) -> Sprt:
    chance, test = Random(number), Sprt("a", "b", 0, 40)
    for turn in range(5000):
        for seats in (("a", "b"), ("b", "a")):
            wins = chance.random() < share
            places = (1, 2) if wins == (seats[0] == "a") else (2, 1)
            if test.add(result(*seats, places, turn)):
                return test
    return test


def test_a_test_of_two_errs_as_seldom_as_it_says():
    """At 40 Elo (0.557) and at none, of 60 tests each hardly more than one in twenty errs."""
    stronger = [decide(0.5573, number).decision for number in range(60)]
    level = [decide(0.5, number).decision for number in range(60)]
    assert stronger.count("elo0") <= 7 and stronger.count("elo1") >= 53
    assert level.count("elo1") <= 7 and level.count("elo0") >= 53


def test_a_test_says_nothing_after_a_few_games_however_clear():
    test = Sprt("a", "b", 0, 20)
    for _ in range(8):
        assert not test.add(result("a", "b", (1, 2)))
    assert 0 < test.ratio < BOUND
    assert not test.add(result("a", "c", (1, 2)))


def test_a_page_shows_all_and_takes_no_name_for_its_own(desk):
    desk.write(house({"<b>a&": "random", "b": "random"}, game="nim", games=2))
    plan = desk.plan()
    schedule = Schedule(plan)
    schedule.paired(schedule.pair())
    results = []
    while (game := schedule.next_game()) is not None:
        results.append(Result(game.id, "1.1", 0, game.entrants, (1, 2), "crash", "b", moves=3))
        schedule.take(results[-1])
    finished = Finished(results, ["b"], schedule, None)
    page = draw_page(make_report(plan, finished, {"1.1.1": [0.5, 2.25]}))
    assert "<b>a" not in page and "&lt;b&gt;a&amp;" in page
    assert "Suspended after crashes: b." in page
    assert "2.250" in page and "ended before the game did" in page
    assert page.count("<svg") == page.count("</svg>") == 2
    assert not re.search(r"(src|href)=|<script|@import|url\(", page)
    assert page == draw_page(make_report(plan, finished, {"1.1.1": [0.5, 2.25]}))
