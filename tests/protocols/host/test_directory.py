"""The directory: what is listed, found, and met at; and what is found of it by the next process."""

from __future__ import annotations

import pytest

from gamecore.commands import Abandon, Leave, Open, Play, Rematch, Sit
from gamecore.errors import Refused
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Take
from gamecore.table import Table
from protocols.host.card import card_of, read_card, write_card
from protocols.host.directory import Directory

SEED = "5e" * 32
USUAL = {"stones": 12}


class House:
    """Tables, and a directory that follows them."""

    def __init__(self, high):
        self.directory, self.tables = Directory(), {}
        self.rules = {"nim": NIM, "high": high.HighRules()}
        self.charm = high.Charm("a hare's foot")

    def open(self, code, kind="nim", name="", options=USUAL, **house):
        options = options if kind == "nim" else {}
        opened = Open(code, kind, 1, 1, 1, name, SEED, options, house)
        self.tables[code] = Table(opened, self.rules[kind])
        self.do(code)

    def do(self, code, *given):
        table = self.tables[code]
        for command in given:
            table.apply(command, 1.0)
        self.directory.put(card_of(table))

    def sit(self, code, seat):
        table = self.tables[code]
        brought = None if table.rules is NIM else self.charm
        self.do(code, Sit(seat, f"player {seat}", brought=brought))

    def listed(self, kind=None):
        return [card.code for card in self.directory.joinable(kind)]

    def public(self, kind=None):
        return [card.code for card in self.directory.public(kind)]

    def match(self, seat, kind="nim", options=USUAL):
        card = self.directory.match(kind, seat, options if kind == "nim" else {})
        return None if card is None else card.code


@pytest.fixture
def house(high):
    return House(high)


# -- listing --------------------------------------------------------------------------


def test_joinable_tables_are_listed_oldest_first_and_by_kind(house):
    for code, kind in (("A", "nim"), ("B", "high"), ("C", "nim")):
        house.open(code, kind)
    assert (house.listed(), house.listed("nim"), house.listed("chess")) == ([*"ABC"], [*"AC"], [])
    house.sit("A", 0)
    assert house.listed() == [*"ABC"]
    house.sit("A", 1)
    assert house.listed() == [*"BC"]
    house.do("B", Abandon("closed"))
    house.directory.remove("C")
    assert house.listed() == []


def test_public_tables_are_listed_as_long_as_they_go_on(house):
    house.open("A")
    house.open("B", "high")
    house.open("C", private=True)
    for seat in (0, 1):
        house.sit("A", seat)
    assert (house.public(), house.public("nim")) == ([*"BA"], ["A"])
    house.do("A", Abandon("closed"))
    assert house.public() == ["B"]


def test_a_table_where_a_rematch_lost_a_player_is_joinable_again(house):
    house.open("A", options={"stones": 1})
    for command in (Sit(0, "a"), Sit(1, "b"), Play(0, Take(1)), Rematch(SEED)):
        house.do("A", command)
        assert house.listed() == (["A"] if house.tables["A"].players == 1 else [])
    house.do("A", Leave(0))
    assert house.listed() == ["A"]


def test_a_table_is_found_by_its_code_in_any_case(house):
    house.open("ABC23", private=True)
    assert house.directory.find("abc23") is house.directory.find("ABC23")
    house.directory.remove("ABC23")
    with pytest.raises(Refused, match="no-such-table"):
        house.directory.find("ABC23")


# -- meeting --------------------------------------------------------------------------


def test_newcomers_meet_at_the_fullest_table_and_then_at_the_longest_waiting(house):
    for code in "ABCD":
        house.open(code)
    assert house.match(0) is None  # for nobody is there
    for code, seat in (("C", 1), ("B", 1), ("D", 0)):
        house.sit(code, seat)
    assert (house.match(0), house.match(1), house.match(2)) == ("C", "D", None)
    house.do("C", Leave(1))
    assert house.match(0) == "B"
    house.open("E", "high")
    house.open("F", "high")
    house.sit("E", 0)
    house.sit("F", 0)
    assert house.match(None, "high") == "E"
    house.sit("F", 1)
    assert house.match(None, "high") == "F"


@pytest.mark.parametrize(
    "terms",
    [
        {"options": {"stones": 13}},
        {"start": "asked"},
        {"private": True},
        {"password": "scrypt-sealed"},
    ],
)
def test_nobody_is_sent_where_other_terms_stand(house, terms):
    house.open("A", **terms)
    house.sit("A", 1)
    assert house.match(0) is None
    house.open("B")
    house.sit("B", 1)
    assert house.match(0) == "B"


def test_those_who_know_a_word_meet_where_it_was_sealed_so(house):
    house.open("A", password="sealed")
    house.sit("A", 1)
    assert house.directory.match("nim", 0, USUAL, "sealed").code == "A"
    assert house.directory.match("nim", 0, USUAL, "other") is None


def test_a_meeting_is_a_private_table_that_bears_the_word_and_gathers(house):
    house.open("A", name="friday")
    assert house.directory.meeting("nim", "friday") is None
    house.open("B", name="friday", private=True)
    assert house.directory.meeting("nim", "friday").code == "B"
    assert house.directory.meeting("high", "friday") is None
    for seat in (0, 1):
        house.sit("B", seat)
    assert house.directory.meeting("nim", "friday") is None


def test_a_card_that_was_written_down_is_read_with_nobody_present(house):
    house.open("A", name="friday", password="scrypt-sealed")
    house.sit("A", 1)
    card = card_of(house.tables["A"])
    written = write_card(card)
    assert "scrypt" not in written
    read = read_card("A", "nim", "gathering", written)
    assert (read.names, read.free, read.locked, read.here) == (card.names, card.free, True, 0)
    for odd in ("", "{}", "[]", "null", written.replace('"free"', '"fare"')):
        assert read_card("A", "nim", "gathering", odd) is None
    assert read_card("A", "nim", "no stage", written) is None


# -- after a restart ------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "state"), [("nim", "playing"), ("high", "gathering")])
def test_what_waits_or_is_played_is_listed_and_looked_at_before_anybody_is_back(room, kind, state):
    home = room(kind, state)
    home.kill()
    (card,) = home.host.directory.public()
    assert (card.code, card.here, card.names) == (home.code, 0, tuple(home.tokens))
    before = len(home.lines())
    for _ in range(2):
        ear = home.ear()
        home.host.watch(ear, home.code, "watch")
        home.settle()
        assert ear.names() == [("watch", None), "TableView"]
        assert {each.presence.value for each in ear.heard[1].seats} == {"away"}
        home.clock.advance(10_000)
        assert (home.clock.getDelayedCalls(), len(home.lines())) == ([], before)
        home.host.drop(ear)
        home.settle()
        assert home.code in home.host.service.dormant and len(home.host.hall) == 0


def sit_late(home, *seating, **more):
    late = home.faces["late"] = home.ear()
    home.host.sit(late, home.code, *seating, "sat", brought=home.charm, **more)
    home.settle()
    return late


def test_who_sits_down_at_a_table_that_rests_wakes_it_first(room):
    home = room("high", "gathering")
    home.kill()
    ear = home.ear()
    home.host.watch(ear, home.code)
    late = sit_late(home, None, "late")
    assert late.names()[0] == ("sat", None)
    assert home.commands()[-2:] == ["Wake", "Sit"]
    assert ear.names() == ["TableView", "Dropped", "Dropped", "Dropped", "Sat"]
    home.host.leave(ear)


def test_a_game_that_rests_is_not_woken_for_one_who_comes_too_late(room):
    home = room("nim")
    home.kill()
    late = sit_late(home, None, "late")
    home.host.sit(late, "NOWHERE", None, "late", "nowhere")
    home.settle()
    assert late.names() == [("sat", "game-began"), ("nowhere", "no-such-table")]
    assert len(home.host.hall) == 0


def test_names_are_tried_in_their_order_until_one_is_free(room):
    home = room("high", "gathering")
    sit_late(home, None, "player 1", otherwise=(f"player {number}" for number in range(9)))
    assert home.table.names[3] == "player 3"
