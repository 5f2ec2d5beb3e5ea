"""People in browsers are people of the house: named, listed, and talked with, in the hall and at tables."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gamecore.rules import installed_rules
from protocols.host.people import HEARD_A_SECOND, HEARD_AT_ONCE
from protocols.web.hall import LOOKS_A_SECOND, LOOKS_AT_ONCE
from tests.protocols.web.conftest import part


class Neighbour:
    """Somebody at another door, as the people of the house meet them."""

    screens = 1

    def __init__(self, house, name):
        self.place = None
        self.remarks = []
        house.host.people.enter(self, [name])

    def hear_nothing(self, *told):
        """What happens at a table is no talk."""

    shown = told = answered = given = paused = parted = hear_nothing

    def heard(self, remark):
        self.remarks.append((remark.name, remark.words, remark.private))


@pytest.fixture
def ned(house):
    """Somebody in the hall who came by telnet."""
    return Neighbour(house, "Ned")


def at_front(house, **given):
    browser = house.browser(**given)
    browser.get("/")
    return browser, browser.follow()


def test_a_browser_that_is_open_on_the_first_page_is_one_of_the_people(house, ned):
    _, stream = at_front(house)
    assert [each["you"] for each in stream.messages() if "you" in each] == ["guest-1"]
    assert [name for name, _ in house.host.people.who()] == ["Ned", "guest-1"]
    assert house.browser().get("/").shows("Ned, guest-1")
    stream.close()
    house.clock.advance(21)
    assert [name for name, _ in house.host.people.who()] == ["Ned"]


def test_what_is_said_in_the_hall_is_heard_at_every_door(house, ned):
    browser, stream = at_front(house)
    stream.messages()
    browser.post("/say", words="anyone for a Rikiki?")
    assert ned.remarks == [("guest-1", "anyone for a Rikiki?", False)]
    assert "anyone for a Rikiki?" in stream.frames()[-1]["parts"]["talk"]
    house.host.people.say(ned, "in <two> minutes")
    (frame,) = stream.frames()
    assert '<b translate="no">Ned</b> in &lt;two&gt; minutes' in frame["parts"]["talk"]
    assert house.browser().get("/").shows("Ned in <two> minutes"), "who comes later may read it"
    stream.close()


def test_what_is_said_to_one_alone_reaches_the_pages_of_that_one_alone(house, ned):
    (one, its), (_, others) = at_front(house), at_front(house)
    its.messages(), others.messages()
    house.host.people.tell(ned, "guest-1", "a secret")
    assert [each["told"] for each in its.messages() if "told" in each] == [
        "Ned tells you: a secret"
    ]
    assert others.messages() == []
    assert one.get("/").shows("Ned tells you: a secret")
    assert not house.browser().get("/").shows("secret")
    its.close(), others.close()


def test_a_name_is_chosen_kept_and_proposed_and_nobody_has_it_twice(house, ned):
    browser, stream = at_front(house)
    stream.messages()
    assert browser.post("/name", name="Zoë").status == 200
    assert {"you": "Zoë"} in stream.messages()
    assert 'name="name" maxlength="24" value="Zoë"' in browser.page.text
    for taken in ("NED", "Ned", "Zoë (bot)", "x" * 30):
        answer = browser.post("/name", name=taken)
        assert (answer.status, answer.shows("People here")) == (409, True), taken
    assert 'value="Zoë"' in browser.get("/").text, "what is refused changes nothing"
    stream.close()
    house.clock.advance(21)
    browser.get("/")
    again = browser.follow()
    assert {"you": "Zoë"} in again.messages()
    again.close()


@pytest.mark.parametrize("words", ["", "   ", "\x07"])
def test_nothing_said_is_refused_in_words(house, ned, words):
    browser, stream = at_front(house)
    answer = browser.post("/say", words=words)
    assert (answer.status, ned.remarks) == (409, [])
    assert answer.shows("People here")
    stream.close()


def test_one_address_cannot_talk_without_end_however_many_browsers_it_is(house, ned):
    for _ in range(60):
        browser = house.browser()
        browser.get("/")
        browser.post("/say", words="spam")
    assert len(ned.remarks) == 30
    assert browser.page.status == 409
    other = house.browser(address="198.51.100.9")
    other.get("/")
    assert other.post("/say", words="hello").status == 200
    assert ned.remarks[-1][1] == "hello"


def test_a_network_of_addresses_talks_as_one(house, ned):
    for number in range(40):
        browser = house.browser(address=f"2001:db8::{number:x}")
        browser.get("/")
        browser.post("/say", words="spam")
    assert len(ned.remarks) == 30


def test_all_who_look_on_by_pages_are_counted_as_who_hears_what_is_said(party, house, ned):
    table = party("Ann", "Ben").come().start()
    streams = []
    for _ in range(3):
        watcher = house.browser()
        watcher.get(f"/t/{table.code}/")
        streams.append(watcher.follow())
    house.host.people.count_heard(table.code, HEARD_AT_ONCE)
    house.clock.advance(5 / HEARD_A_SECOND)
    assert table.do("Ann", "say", words="too soon for six").status == 409
    house.clock.advance(1.5 / HEARD_A_SECOND)
    table.do("Ann", "say", words="now")
    assert all("now" in stream.frames()[-1]["parts"]["talk"] for stream in streams)
    for stream in streams:
        stream.close()


def test_where_much_is_said_in_the_hall_it_is_drawn_a_few_times_a_second(house, ned):
    _, stream = at_front(house)
    drawn = []
    house.factory.app.hall.streams.append(SimpleNamespace(show=drawn.append, end=lambda why: None))
    talkers = [Neighbour(house, f"Tom {number}") for number in range(5)]
    for number in range(40):
        house.clock.advance(0.01)
        house.host.people.say(talkers[number % 5], f"remark {number}")
    assert LOOKS_AT_ONCE <= len(drawn) <= LOOKS_AT_ONCE + 0.4 * LOOKS_A_SECOND + 1
    house.clock.advance(1)
    assert "remark 39" in stream.frames()[-1]["parts"]["talk"], "nothing that was said is left out"
    stream.close()


def test_without_script_one_talks_as_well_and_is_gone_after_a_while(house, ned):
    browser = house.browser()
    browser.get("/")
    assert browser.post("/say", words="hello").shows("guest-1 hello")
    assert 'value="guest-1"' in browser.page.text
    assert browser.get("/say").shows("People here"), "the address of the form loads again"
    house.clock.advance(301)
    assert [name for name, _ in house.host.people.who()] == ["Ned"]


@pytest.mark.parametrize("kind", [each.kind for each in installed_rules()])
def test_players_and_all_who_look_on_talk_at_the_table(party, house, ned, kind):
    table = party("Ann", "Ben", kind=kind).come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    watcher = house.browser()
    watcher.get(f"/t/{table.code}/")
    ben.get(ben.at)
    streams = [ben.follow(), watcher.follow()]
    for stream in streams:
        stream.messages()
    table.do("Ann", "say", words="good luck")
    for stream in streams:
        assert '<b translate="no">Ann</b> good luck' in stream.frames()[-1]["parts"]["talk"]
    watcher.post(f"/t/{table.code}/say", words="nice game")
    assert "nice game" in part(ann.get(ann.at).text, "talk")
    assert "nice game" in part(watcher.page.text, "talk")
    assert ned.remarks == [], "what is said at a table stays there"
    house.host.people.say(ned, "hall talk")
    assert "hall talk" not in part(ann.get(ann.at).text, "talk")
    for stream in streams:
        stream.close()


def test_who_looks_on_by_telnet_and_who_sits_in_a_browser_hear_each_other(party, house):
    table = party("Ann", "Ben").come().start()
    tess = Neighbour(house, "Tess")
    house.host.watch(tess, table.code)
    house.settle()
    table.do("Ann", "say", words="hello Tess")
    assert tess.remarks == [("Ann", "hello Tess", False)]
    house.host.people.say(tess, "hello Ann")
    ben = table.players["Ben"]
    assert "hello Ann" in part(ben.get(ben.at).text, "talk")


def test_a_seat_is_called_by_its_name_and_another_of_that_name_by_a_number(party, house):
    Neighbour(house, "Ann")
    table = party("Ann", "Ben").come()
    names = {name: place for name, place in house.host.people.who()}
    assert names["Ann"].code is None
    assert names["Ann-2"].code == table.code
    assert names["Ben"].seat == 1
    table.players["Ben"].get(table.players["Ben"].at)
    table.do("Ben", "leave")
    assert "Ben" not in {name for name, _ in house.host.people.who()}


def names_of(house):
    return [name for name, _ in house.host.people.who()]


def test_a_browser_with_a_seat_is_one_person_wherever_it_looks_on(party, house, ned):
    table = party("Ann", "Ben").come()
    ann = table.players["Ann"]
    seat, place = ann.at, house.host.people
    here = names_of(house)
    ann.get("/")
    front = ann.follow()
    assert [each["you"] for each in front.messages() if "you" in each] == ["Ann"]
    assert (names_of(house), len(place)) == (here, len(here))
    assert ann.page.shows(f"People here: {len(here)}")
    assert ann.post("/say", words="who else?").status == 200
    assert ned.remarks == [("Ann", "who else?", False)]
    place.tell(ned, "Ann", "psst")
    assert {"told": "Ned tells you: psst"} in front.messages()
    assert "Ned tells you: psst" in part(ann.get(seat).text, "talk")
    ann.get("/")
    assert ann.post("/name", name="Zoe").shows("You sit at a table under your name")
    ann.at = f"/t/{table.code}/"
    watching = ann.follow()
    assert names_of(house) == here
    front.close(), watching.close()


def test_a_name_that_was_said_in_the_hall_is_the_name_at_the_table(house, ned):
    """Nobody is kept from their own name by themselves."""
    browser, stream = at_front(house)
    browser.post("/name", name="Ann")
    browser.post("/play", game="nim", name="Ann")
    assert names_of(house) == ["Ned", "Ann"]
    assert {"you": "Ann"} in stream.messages()
    browser.send(f"{browser.at}leave")
    assert names_of(house) == ["Ned", "Ann"], "still in the hall"
    stream.close()
    house.clock.advance(21)
    assert names_of(house) == ["Ned"]


def test_a_name_that_was_said_is_the_one_that_is_proposed_and_played_by(house):
    browser, stream = at_front(house)
    browser.post("/name", name="Zoë")
    assert 'value="Zoë"' in browser.get("/open/nim").text
    browser.get("/")
    assert browser.post("/play", game="nim").status == 200
    assert house.hall.find(browser.at.split("/")[2]).names[0] == "Zoë"
    stream.close()


def test_two_players_at_one_browser_are_two_people(party, house):
    table = party("Ann", "Ben")
    browser = house.browser()
    for name in ("Ann", "Ben"):
        browser.get(table.links[name])
        browser.post(table.links[name], name=name)
    browser.get("/")
    stream = browser.follow()
    assert sorted(names_of(house)) == ["Ann", "Ben", "organizer"]
    stream.close()


def test_who_sits_at_two_tables_by_one_name_is_one_person(party, house):
    browser, seats = house.browser(), []
    for game in ("nim", "gops", "nim"):
        browser.get(f"/open/{game}")
        browser.post(f"/open/{game}", name="Ann" if len(seats) < 2 else "Zoë")
        seats.append(browser.at)
    assert sorted(names_of(house)) == ["Ann", "Zoë"]
    for seat in seats:
        browser.get(seat)
    browser.get(seats[0])
    stream = browser.follow()
    assert sorted(names_of(house)) == ["Ann", "Zoë"]
    browser.post(f"{seats[0]}leave")
    assert sorted(names_of(house)) == ["Ann", "Zoë"], "the other seat is still hers"
    browser.get(seats[1])
    browser.post(f"{seats[1]}leave")
    assert "Ann" not in names_of(house)
    stream.close()


def test_the_hall_is_drawn_anew_when_it_is_another_and_only_what_changed_is_sent(house):
    _, stream = at_front(house)
    stream.messages()
    house.clock.advance(2)
    assert stream.messages() == []
    table = house.host.open("gops", "the back room", {}, {})
    house.clock.advance(2)
    (frame,) = stream.frames()
    assert set(frame["parts"]) == {"tables"}
    assert table.code in frame["parts"]["tables"]
    stream.close()


def test_a_seat_where_a_move_is_awaited_says_so_on_the_first_page(party, house):
    table = party("Ann", "Ben").come().start()
    first, second = (
        table.players[name]
        for name in sorted(table.players, key=lambda n: n != table.name_to_move())
    )
    assert first.get("/").shows("Your turn")
    answer = second.get("/")
    assert answer.shows("Go on")
    assert not answer.shows("Your turn")


def test_a_table_where_the_game_is_over_says_so_on_the_first_page(party):
    table = party("Ann", "Ben", **{"game.first": 1, "game.players": 2}).come().start()
    while table.table.stage.value == "playing":
        table.move()
    ann = table.players["Ann"]
    seat = ann.at
    assert ann.get("/").shows("Finished")
    assert not ann.page.shows("Go on")
    ann.get(seat)
    table.do("Ann", "wish", wish="rematch")
    assert ann.get("/").shows("Go on")
