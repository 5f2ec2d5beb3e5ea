"""Many people, and slow ones: a reader that does not read, a whole school, a full lobby (C30, C33, C34)."""

from __future__ import annotations

from random import Random

import pytest

from tests.cases.customs import DOORS, GAMES, WAYS, custom_of
from tests.cases.house import Guest, House

ROOM, BACKLOG = 400, 24_000  # bytes that fit for one who does not read, and that may wait
SCHOOL = 60
CROWD = 2000
TABLES = 20
FLOOD = 1000  # at one address; more are turned away

ONLY_ONE_READS = [way for way in WAYS if custom_of(way).reads != "http"]
LOOKING_ON = [way for way in ONLY_ONE_READS if way.wire.watch is not None]


def a_game_before(way, reads, watches):
    """Play before somebody by a wire who reads or not.

    Gives how much waited for it at most, all that the others were told, and whether it was let go.
    """
    with House() as house:
        if watches:
            table = house.open(way.game)
            slow = Guest(house, way, table, None)
            for seat in range(table.rules.seats[0]):
                house.sit(table, seat)
            slow.come(way.wire.watch)
            house.start(table)
        else:
            slow, _, table = house.begin(way)
        slow.peer.link.backlog = BACKLOG
        slow.peer.room = ROOM
        slow.peer.reads = reads
        longest = 0
        chance = Random(11)
        for _ in range(60):
            house.play(table, chance, 2)
            longest = max(longest, slow.peer.link.waiting)
            if way.door.kind in ("lobby", "json"):  # talk fills it too
                house.host.people.say(talker(house, table), "blah " * 200)
                house.pass_time(1.0)
        told = [list(sitter.heard) for sitter in house.ears]
        return longest, told, slow.peer.link.closing


class Talker:
    """Somebody in the hall who talks."""

    screens = 1

    def __init__(self, place):
        self.place = place

    def heard(self, remark): ...


def talker(house, table):
    """Bring in somebody who talks at a table."""
    if not hasattr(house, "talker"):
        house.talker = Talker(house.ears[0].place)
        house.host.people.enter(house.talker)
        leave = house.close

        def close():
            house.host.people.leave(house.talker)
            leave()

        house.close = close
    return house.talker


@pytest.mark.parametrize("watches", [False, True], ids=["player", "watcher"])
@pytest.mark.parametrize("way", ONLY_ONE_READS, ids=str)
def test_one_who_does_not_read_costs_the_others_nothing(way, watches):
    """C30: they are told the same at the same time, and what waits is bounded."""
    if watches and way.wire.watch is None:
        pytest.skip("nobody looks on by this wire")
    _, told, _ = a_game_before(way, True, watches)
    longest, told_beside_slow, closing = a_game_before(way, False, watches)
    assert longest <= BACKLOG
    if not closing or watches:  # a player who was closed is gone from the table, and that is told
        assert told_beside_slow == told
    if watches and way.door.kind in ("lobby", "json"):
        assert closing, "a watcher that never reads is kept for ever"
    if not watches and way.door.kind in ("lobby", "json", "rikiki"):
        assert not closing, "a player whose wire has a View is shown it instead"


# -- a school, and a flood ------------------------------------------------------------


@pytest.mark.parametrize("kind", DOORS)
def test_sixty_people_behind_one_address_are_let_in_at_once(kind):
    """C33: with the defaults."""
    with House() as house:
        school = [house.connect(kind, "192.0.2.7") for _ in range(SCHOOL)]
        house.pass_time(2.0)
        assert not any(peer.ended for peer in school)
        assert len(list(house.links())) == SCHOOL


@pytest.mark.parametrize("kind", DOORS)
def test_those_who_say_nothing_are_let_go_and_make_room(kind):
    """C33: a flood fills an address, hears why there is no more room, and is gone after the deadline."""
    if kind == "pass123":
        pytest.skip(
            "whoever comes to 1-2-3 Pass says nothing before the first board: by specification"
        )
    with House() as house:
        flood = [house.connect(kind, "192.0.2.7") for _ in range(FLOOD)]
        house.settle()
        assert not any(peer.ended for peer in flood)
        one_more = house.connect(kind, "192.0.2.7")
        other = house.connect(kind, "198.51.100.1")
        house.settle()
        assert one_more.ended
        assert one_more.got(), "turned away without a reason"
        assert not other.ended
        house.pass_time(1000.0)
        assert all(peer.ended for peer in flood)
        for peer in flood:
            peer.hang_up()
        again = house.connect(kind, "192.0.2.7")
        house.settle()
        assert not again.ended


# -- a full lobby ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in DOORS if kind not in GAMES])
def test_changes_of_tables_are_told_to_nobody_in_the_hall(kind):
    """C34: what happens at a table is told there, not to thousands who did not ask."""
    with House() as house:
        crowd = [house.connect(kind, f"192.0.2.{number % 250}") for number in range(CROWD)]
        house.pass_time(1.0)
        greeted = sum(len(peer.got()) for peer in crowd)
        kinds = list(GAMES)
        for number in range(TABLES):
            table = house.open(kinds[number % len(kinds)])
            for seat in range(table.rules.seats[0]):
                house.sit(table, seat)
            house.start(table)
            house.play(table, Random(number), 3)
        assert sum(len(peer.got()) for peer in crowd) == greeted
        assert not any(peer.ended for peer in crowd)
        asker = crowd[0]
        asker.say({"lobby": b"TABLES\r\n", "json": b'{"do": "tables", "id": 1}\n'}.get(kind, b""))
        house.pass_time(1.0)
        assert len(asker.got()) < 16 * 1024, "a list grows with the house"
