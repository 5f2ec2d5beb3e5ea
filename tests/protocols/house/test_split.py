"""A house of many people is split in two for a while: who loses nothing by it, and what is told in the end."""

from __future__ import annotations

from gamecore.player import Presence
from tests.protocols.house.conftest import ONE

PEOPLE = 100  # at each daemon
TABLES = 500


class Talker:
    """Somebody in the hall who remembers what was said."""

    screens = 1
    place = None

    def __init__(self, people, name):
        self.remarks = []
        people.enter(self, [name])

    def heard(self, remark):
        self.remarks.append((remark.name, remark.words))


def test_of_many_who_are_parted_for_half_a_minute_nobody_loses_a_seat_a_name_or_a_word(two):
    tables = [two.nim() for _ in range(PEOPLE)]
    codes = [each.code for each in tables]
    ours = [two.ask_to_sit(0, code, f"ann{n}") for n, code in enumerate(codes)]
    theirs = [two.ask_to_sit(1, code, f"bob{n}") for n, code in enumerate(codes)]
    talkers = [
        Talker(house.host.people, f"{name}{n}")
        for house, name in zip(two.houses, "xy", strict=True)
        for n in range(PEOPLE)
    ]
    two.pass_time(3)
    names = {name for name, _ in two.houses[0].host.people.who()}
    assert names == {name for name, _ in two.houses[1].host.people.who()}
    assert len(names) == 2 * PEOPLE
    two.wires.cut()
    two.pass_time(15)
    assert all(each.place is None for each in theirs), "they are told to come back"
    back = [two.ask_back(0, each.token) for each in theirs[::3]]
    two.pass_time(15)
    two.wires.mend()
    two.pass_time(1)
    rest = [each for n, each in enumerate(theirs) if n % 3]
    back += [two.ask_back(1, each.token) for each in rest]
    two.houses[0].host.people.say(talkers[0], "are you there?")
    two.houses[1].host.people.say(talkers[-1], "we are")
    two.pass_time(1)
    assert {tuple(each.answers) for each in back} == {(("back", None),)}
    assert all(each.place is not None for each in ours)
    for table in tables:
        assert [table.presence(seat) for seat in (0, 1)] == [Presence.HERE] * 2
        two.agree(table.code)
    assert {tuple(sorted(each.remarks)) for each in talkers} == {
        (("x0", "are you there?"), (f"y{PEOPLE - 1}", "we are"))
    }, "and nothing else is told to anybody in the hall"
    assert names == {name for name, _ in two.houses[0].host.people.who()}
    assert names == {name for name, _ in two.houses[1].host.people.who()}


def test_many_mirrors_catch_up_at_once_and_the_link_stays(two):
    tables = [two.nim() for _ in range(TABLES)]
    anns = [two.ask_to_sit(0, table.code, "ann") for table in tables]
    bobs = [two.ask_to_sit(0, table.code, "bob") for table in tables]
    two.pass_time(2)
    for table in tables:
        two.houses[1].host.watch(two.ask_to_watch(), table.code, "watched")
    two.pass_time(2)
    lost = []
    for linked in two.linked:
        linked.links.on_lost.append(lost.append)
    two.wires.cut()
    two.clock.pass_time(0.2)
    for moves in range(6):
        for ear in (anns, bobs)[moves % 2]:
            two.houses[0].host.submit(ear, ONE)
        two.clock.pass_time(0.2)
    two.wires.mend()
    two.pass_time(1)
    for ear in anns:  # what is done now is told in its place
        two.houses[0].host.submit(ear, ONE)
    two.pass_time(60)
    assert sorted(lost) == [1, 2], "each has lost it once"
    for table in tables:
        two.agree(table.code)
        assert two.live(1, table.code).table.sequence == table.sequence == 9
