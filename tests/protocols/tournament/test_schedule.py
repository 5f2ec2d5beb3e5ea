"""What is played next follows from the results alone, so a run goes on wherever it was cut."""

from __future__ import annotations

import pytest

from protocols.tournament.games import blame
from protocols.tournament.house_games import HouseBots
from protocols.tournament.schedule import OtherTournament, Schedule

from .conftest import house

BOTS = {f"bot {each}": level for each, level in enumerate(["random", "easy"] * 5)}


def play(schedule, player, results):
    """Play to the end, and give the results of all that was not given."""
    played = list(results)
    for result in results:
        if schedule.needs_pairing:
            schedule.paired(schedule.pair())
        schedule.take(result)
    while not schedule.over:
        if schedule.needs_pairing:
            schedule.paired(schedule.pair())
        while (game := schedule.next_game()) is not None:
            played.append(player.play(game))
            schedule.take(played[-1])
    return played


@pytest.mark.parametrize("format", ["roundrobin", "swiss", "knockout", "gauntlet"])
def test_it_goes_on_from_any_result_to_the_same_end(desk, format):
    desk.write(house(BOTS, game="nim", games=2, stones=12, format=format))
    plan = desk.plan()
    player = HouseBots(plan)
    whole = Schedule(plan)
    results = play(whole, player, [])
    assert whole.total == len(results)
    for cut in range(0, len(results) + 1, max(1, len(results) // 7)):
        again = Schedule(plan)
        assert play(again, player, results[:cut]) == results
        assert again.table() == whole.table()


def test_games_of_more_than_two_are_played_in_pods(desk):
    desk.write(
        house(dict.fromkeys("abcdefgh", "random"), game="rikiki", seats=4, games=4, format="pods")
    )
    plan = desk.plan()
    schedule = Schedule(plan)
    results = play(schedule, HouseBots(plan), [])
    assert {len(each.entrants) for each in results} == {4}
    assert len(schedule.table()) == 8


def test_results_of_another_tournament_are_not_taken(desk):
    desk.write(house(BOTS, game="nim", games=2, stones=12))
    plan = desk.plan()
    schedule = Schedule(plan)
    schedule.paired(schedule.pair())
    first, second = schedule.next_game(), schedule.next_game()
    with pytest.raises(OtherTournament):
        schedule.take(blame(second, "crash", second.entrants[0]))
    schedule = Schedule(plan)
    with pytest.raises(OtherTournament):
        schedule.take(blame(first, "crash", first.entrants[0]))


def test_three_crashes_suspend_and_no_other_faults_do(desk):
    desk.write(house({"a": "random", "b": "random"}, game="nim", games=8, stones=12))
    schedule = Schedule(desk.plan())
    schedule.paired(schedule.pair())
    for reason in ("move", "junk", "crash", "crash", "left", "start"):
        game = schedule.next_game()
        assert schedule.suspended(game) is None
        schedule.take(blame(game, reason, "b"))
    assert schedule.suspended(schedule.next_game()) == "b"
    assert schedule.all_suspended == ["b"]
