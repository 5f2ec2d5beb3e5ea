"""Who comes without a code meets others who want the same, at whichever daemon those have come."""

from __future__ import annotations

import pytest

from protocols.testing.ear import Ear


def come(house, number, kind="nim", seat=None, name="ann", **options):
    """Let somebody come to a daemon who wants to play; gives the face, which may not be seated yet."""
    ear = Ear()
    house.ears.append(ear)
    host = house.houses[number].host
    host.match(ear, kind, seat, name, options, {}, "match", otherwise=numbered(name))
    return ear


def numbered(name):
    return (f"{name}{number}" for number in range(2, 1000))


def tables_of(ears):
    """Say how many sit at each table."""
    codes = [each.place.code for each in ears]
    return {code: codes.count(code) for code in codes}


def test_a_newcomer_is_led_to_who_waits_at_another_daemon(three):
    first = come(three, 0)
    three.pass_time(2)
    second = come(three, 1, name="bob")
    three.pass_time(1)
    assert first.answers == second.answers == [("match", None)]
    assert tables_of([first, second]) == {first.place.code: 2}
    three.agree(first.place.code)


def test_two_who_come_to_two_daemons_at_once_are_not_left_to_wait_at_a_table_each(three):
    ears = [come(three, number, name=name) for number, name in enumerate(("ann", "bob"))]
    three.pass_time(2)
    assert set(tables_of(ears).values()) == {2}
    three.agree(ears[0].place.code)


@pytest.mark.parametrize("count", [50, 51])
def test_of_a_crowd_at_three_daemons_at_once_nobody_is_stranded(three, count):
    ears = [come(three, number % 3, name=f"p{number}") for number in range(count)]
    three.pass_time(5)
    assert [each.answers for each in ears] == [[("match", None)]] * count
    seated = sorted(tables_of(ears).values())
    assert seated == [1] * (count % 2) + [2] * (count // 2)


def test_who_wants_something_else_or_a_seat_that_is_taken_does_not_sit_there(three):
    first = come(three, 0, seat=0)
    three.pass_time(2)
    others = [
        come(three, 1, stones=7, name="bob"),
        come(three, 1, kind="gops", name="cat"),
        come(three, 2, seat=0, name="dan"),
    ]
    three.pass_time(2)
    assert len(tables_of([first, *others])) == 4
    last = come(three, 2, seat=1, name="eve")
    three.pass_time(2)
    assert tables_of([first, *others, last])[last.place.code] == 2


@pytest.mark.parametrize(
    ("waited", "answers"),
    [(2, [("match", None)]), (0, [])],
    ids=["from its table", "before it is known where to sit"],
)
def test_nobody_is_led_to_one_who_has_gone(three, waited, answers):
    gone = come(three, 0)
    three.pass_time(waited)
    three.houses[0].host.drop(gone)
    three.pass_time(1)
    assert gone.answers == answers
    second = come(three, 1, name="bob")
    three.pass_time(3)
    assert second.answers == [("match", None)]
    third = come(three, 2, name="cat")
    three.pass_time(3)
    assert tables_of([second, third]) == {second.place.code: 2}


def test_a_newcomer_sits_down_at_a_table_that_is_shown_here_already(three):
    first = come(three, 0)
    three.pass_time(2)
    three.watch(1, first.place.code)
    assert three.houses[1].host.directory.waiting("nim").code == first.place.code
    second = come(three, 1, name="bob")
    three.pass_time(1)
    assert tables_of([first, second]) == {first.place.code: 2}


def test_where_the_other_daemon_cannot_be_reached_a_newcomer_has_a_table_all_the_same(three):
    first = come(three, 0)
    three.pass_time(2)
    three.wires.cut()
    second = come(three, 1, name="bob")
    three.pass_time(1)
    assert second.answers == [("match", None)]
    assert first.place.code != second.place.code


def test_a_card_of_another_daemon_says_who_waits_there(three):
    first = come(three, 0)
    three.pass_time(2)
    for house in three.houses:
        assert house.host.directory.find(first.place.code).here == 1
        assert house.host.directory.waiting("nim").code == first.place.code
    three.kill(0)
    three.pass_time(10)
    assert three.houses[1].host.directory.waiting("nim") is None
