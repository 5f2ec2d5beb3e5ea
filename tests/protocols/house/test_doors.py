"""What each door says to those who come to a table of another daemon: how it stands now, and that it is paused."""

from __future__ import annotations

import pytest

from protocols.host import table_actions
from protocols.host.reaching import LONGEST_WAIT
from tests.protocols.host.test_house_of_two import BY_CODE, BY_TOKEN
from tests.protocols.house.conftest import ONE

WAYS = {
    **{f"{name}, by a code": way for name, way in BY_CODE.items()},
    **{f"{name}, by a token": way for name, way in BY_TOKEN.items()},
}
PAGES = {"a page, by a code", "a page, by a token"}
TROUBLE = "the journal cannot be written: the disk is full"
# What is said at a door of a pause and of its end; where that has no word for it, nothing is read meanwhile.
PAUSES = {
    "lobby": ("Play is paused", "Play goes on"),
    "json": ('"paused":true', '"paused":false'),
    "rikiki": ("PAUSED", "RESUMED"),
    "gops": ("INFO~Play is paused", "INFO~Play goes on"),
    "pass123": ("Play is paused", "Play goes on"),
}

HEARD_ON_THE_WAY = {"lobby", "json", "rikiki"}  # the others have no word before who comes is shown


class Visit:
    """Somebody who is about to come to a door of the second daemon, to a table that is mirrored there."""

    def __init__(self, two, name):
        self.way = WAYS[name]
        self.two = two
        self.table, self.ear = two.waiting(self.way.game)
        two.watch(1, self.table.code)
        *before, self._last = self.way.said(self.table.code, self.ear.token)
        self.peer = two.say(1, self.way.door, *before)
        self.peer.forget()

    def come(self, seconds=3):
        self.peer.say(self._last)
        self.two.pass_time(seconds)

    @property
    def heard(self):
        return self.peer.got().decode(errors="replace")


@pytest.fixture
def visit(two, request):
    return Visit(two, request.param)


every_way = pytest.mark.parametrize("visit", WAYS, indirect=True)
every_link = pytest.mark.parametrize("visit", [e for e in WAYS if e not in PAGES], indirect=True)
every_page = pytest.mark.parametrize("visit", sorted(PAGES), indirect=True)


# -- who comes ----------------------------------------------------------------------------


@every_link
def test_who_comes_to_a_mirror_is_let_in(visit, request):
    visit.come()
    place = visit.peer.face.place
    assert place is not None and place.code == visit.table.code, visit.heard
    if visit.way in BY_TOKEN.values():
        assert place.player.name == "sitter 0" and visit.ear.heard[-1] == "taken-over"
    else:
        assert ("look on" in request.node.name) is (place.player is None)
    visit.two.agree(visit.table.code)


@every_page
def test_a_page_shows_a_table_of_another_daemon(visit):
    visit.come()
    assert " 200 " in visit.heard.splitlines()[0] and visit.table.code in visit.heard
    assert visit.two.live(1, visit.table.code) is not None


@every_way
def test_nobody_is_shown_less_than_the_owner_had_when_they_came(visit, monkeypatch):
    """What was done there is still on its way as they come."""
    two, shown = visit.two, []
    attachments = two.houses[1].host.attachments
    view = attachments.view

    def see(live, place):
        shown.append(live.table.sequence)
        return view(live, place)

    monkeypatch.setattr(attachments, "view", see)
    before = two.live(1, visit.table.code).table.sequence
    two.wires.delay = 0.2
    two.houses[0].host.request(visit.ear, table_actions.mix("salt"))
    two.clock.settle()
    assert visit.table.sequence == before + 1
    visit.come()
    assert shown and min(shown) > before, visit.heard
    two.agree(visit.table.code)


@every_way
def test_an_owner_that_never_answers_is_waited_for_no_longer_than_a_bound(visit):
    two = visit.two
    two.linked[0].links._hear["q"] = lambda run, rest: None
    visit.come(LONGEST_WAIT - 1)
    assert visit.way.away not in visit.heard
    two.pass_time(2)
    assert visit.way.away in visit.heard
    live = two.live(1, visit.table.code)
    assert not live.waiting and len(live.faces) == 1


def test_an_organizer_and_who_looks_again_are_shown_what_the_owner_had(two):
    host = two.houses[0].host
    card = host.open("rikiki", "", {}, {"start": "asked"}, owner="ab" * 16)
    two.clock.settle()
    watcher = two.watch(1, card.code)
    ann = two.sit(0, card.code, "ann")
    two.wires.delay = 0.2
    host.request(ann, table_actions.mix("salt"))
    two.clock.settle()
    sequence = two.live(0, card.code).table.sequence
    assert two.live(1, card.code).table.sequence < sequence
    seen = two.live(1, card.code).table
    organizer = two.ask_back(1, f"{card.code}.{'ab' * 16}")
    two.houses[1].host.look(watcher, "look", anew=True)
    assert organizer.heard == [] and seen.sequence < sequence
    two.pass_time(2)
    assert organizer.answers == [("back", None)] and organizer.place.organizer
    assert watcher.answers[-1] == ("look", None)
    assert [type(each).__name__ for each in watcher.heard[-3:-1]] == ["Mixed", "TableView"]


def test_who_looks_on_and_is_refused_a_seat_still_looks_on(two):
    table = two.nim()
    two.sit(0, table.code, "ann")
    watcher = two.watch(1, table.code)
    two.houses[1].host.sit(watcher, table.code, 0, "bob", "sit")
    two.pass_time(1)
    two.sit(0, table.code, "cid")
    assert watcher.answers[-1] == ("sit", "seat-taken") and watcher.place is not None
    assert "GameBegan" in watcher.names()


def test_who_goes_while_the_owner_is_asked_is_let_in_nowhere(two):
    table = two.nim()
    two.sit(0, table.code, "ann")
    two.watch(1, table.code)
    two.wires.delay = 0.2
    ear = two.ask_to_sit(1, table.code, "bob")
    two.houses[1].host.drop(ear)
    two.pass_time(2)
    assert ear.heard == [] and ear.place is None and table.players == 1


# -- while play is paused at the owner ----------------------------------------------------


@every_link
def test_who_is_at_a_mirror_hears_that_play_is_paused_and_that_it_goes_on(visit):
    two, peer = visit.two, visit.peer
    two.watch(0, visit.table.code)  # or the table would go to where its player is
    visit.come()
    peer.forget()
    two.houses[0].journal.fail(TROUBLE)
    two.clock.settle()
    said = PAUSES.get(visit.way.door)
    if said is None:
        assert visit.heard == "" and peer.producerState == "paused"
    else:
        assert said[0] in visit.heard and said[1] not in visit.heard
    two.houses[0].journal.recover()
    two.pass_time(1)
    if said is None:
        assert peer.producerState == "producing"
    else:
        assert said[1] in visit.heard and visit.heard.count(said[0]) == 1
    assert peer.face.place is not None
    two.agree(visit.table.code)


@every_page
def test_a_page_says_that_play_is_paused_at_the_owner_until_it_goes_on(visit):
    two = visit.two
    two.watch(0, visit.table.code)
    visit.come()
    assert "Play is paused" not in visit.heard
    two.houses[0].journal.fail(TROUBLE)
    two.clock.settle()
    for paused in (True, False):
        visit.peer = two.say(1, "web", *visit.way.said(visit.table.code, visit.ear.token))
        assert " 200 " in visit.heard.splitlines()[0]
        assert ("Play is paused" in visit.heard) is paused
        two.houses[0].journal.recover()
        two.pass_time(1)


@every_link
def test_who_comes_while_play_is_paused_at_the_owner_hears_so_and_is_let_in_when_it_goes_on(visit):
    two = visit.two
    two.houses[0].journal.fail(TROUBLE)
    two.clock.settle()
    visit.come()
    if visit.way.door in HEARD_ON_THE_WAY:
        assert PAUSES[visit.way.door][0] in visit.heard
    two.houses[0].journal.recover()
    two.pass_time(1)
    place = visit.peer.face.place
    assert place is not None and place.code == visit.table.code, visit.heard
    two.agree(visit.table.code)


@pytest.mark.parametrize("name", WAYS)
def test_who_comes_to_a_table_that_is_not_mirrored_yet_is_told_to_come_again(two, name):
    way = WAYS[name]
    table, ear = two.waiting(way.game)
    two.pass_time(1)
    two.houses[0].journal.fail(TROUBLE)
    two.clock.settle()
    peer = two.say(1, way.door, *way.said(table.code, ear.token))
    assert way.away in peer.got().decode()


def test_a_move_that_is_made_while_play_is_paused_at_the_owner_is_done_once_it_goes_on(two):
    table = two.nim()
    ann, bob = two.sit(0, table.code, "ann"), two.sit(1, table.code, "bob")
    for number, ear in ((0, ann), (1, bob)):
        two.houses[0].journal.fail(TROUBLE)
        two.houses[number].host.submit(ear, ONE, "mine")
        two.pass_time(2)
        assert ear.answers[-1] != ("mine", None)
        assert bob.heard[-1] == ("paused", TROUBLE) == ann.heard[-1]
        two.houses[0].journal.recover()
        two.pass_time(1)
        assert ear.answers[-1] == ("mine", None)
    assert [core.played for core in table.seated().values()] == [1, 1]
    for ear in (ann, bob):
        assert ear.heard.count(("paused", TROUBLE)) == ear.heard.count(("paused", None)) == 2
    lives = [two.live(number, table.code) for number in (0, 1)]
    times = [
        house.host.service.clocks.now(live) for house, live in zip(two.houses, lives, strict=True)
    ]
    assert times[0] == pytest.approx(times[1], abs=0.01)
    two.agree(table.code)


def test_play_goes_on_at_a_mirror_whose_owner_does_not_live_to_see_the_end_of_its_trouble(two):
    table = two.nim()
    ann, bob = two.sit(0, table.code, "ann"), two.sit(1, table.code, "bob")
    two.play(0, ann, ONE)
    two.houses[0].journal.fail(TROUBLE)
    two.houses[1].host.submit(bob, ONE, "mine")
    two.pass_time(1)
    two.kill(0)
    two.pass_time(1)
    assert bob.heard.index(("paused", TROUBLE)) < bob.heard.index(("paused", None))
    assert bob.answers[-1] == ("mine", None) and two.live(1, table.code).owner is None
    two.agree(table.code)


def test_who_is_paused_by_two_daemons_hears_that_play_goes_on_once_both_can_write(two):
    table = two.nim()
    two.sit(0, table.code, "ann")
    bob = two.sit(1, table.code, "bob")
    for house in two.houses:
        house.journal.fail(TROUBLE)
    two.clock.settle()
    two.houses[1].journal.recover()
    two.pass_time(1)
    assert ("paused", None) not in bob.heard
    two.houses[0].journal.recover()
    two.pass_time(1)
    assert bob.heard[-1] == ("paused", None) and bob.heard.count(("paused", None)) == 1


def test_a_link_that_comes_back_while_play_is_paused_at_the_owner_says_so(two):
    table = two.nim()
    two.sit(0, table.code, "ann")
    bob = two.sit(1, table.code, "bob")
    two.wires.cut()
    two.clock.pass_time(0.1)
    two.houses[0].journal.fail(TROUBLE)
    two.wires.mend()
    two.pass_time(1)
    assert bob.heard[-1] == ("paused", TROUBLE)
    two.houses[0].journal.recover()
    two.pass_time(1)
    assert bob.heard[-1] == ("paused", None)
    two.agree(table.code)


def test_who_follows_a_table_to_a_daemon_where_play_is_paused_hears_so(three):
    table = three.nim()
    ann = three.sit(0, table.code, "ann")
    three.watch(1, table.code)  # which is its heir
    bob = three.sit(2, table.code, "bob")
    three.play(0, ann, ONE)
    three.houses[1].journal.fail(TROUBLE)
    three.kill(0)
    three.pass_time(2)
    assert three.live(1, table.code).owner is None
    assert ("paused", TROUBLE) in bob.heard and bob.heard[-1] != ("paused", None)
    three.houses[2].host.submit(bob, ONE, "mine")
    three.houses[1].journal.recover()
    three.pass_time(1)
    assert ("paused", None) in bob.heard and bob.answers[-1] == ("mine", None)
    three.agree(table.code)


# -- what was asked of an owner that cannot be asked any more -------------------------------


def test_a_move_that_an_owner_out_of_reach_has_made_is_answered_before_who_made_it_is_parted_with(
    two,
):
    table = two.nim()
    ann, bob = two.sit(0, table.code, "ann"), two.sit(1, table.code, "bob")
    two.play(0, ann, ONE)
    lines = two.houses[0].journal._lines[table.code]
    two.wires.delay = 0.2
    two.houses[1].host.submit(bob, ONE, "mine")
    count = len(lines)
    while len(lines) == count:
        two.clock.pass_time(0.01)
    two.wires.cut()
    two.pass_time(5)
    assert bob.answers[-1] == ("mine", None)
    assert bob.heard[-1] == "table-away" and bob.place is None
