"""What one ini section says, sorted by whom it is for."""

from __future__ import annotations

import pytest

from gamecore.errors import Refused
from gamecore.games.nim import RULES, NimOptions
from gamecore.rules import installed_rules
from gamecore.settings import choose_settings, plain_settings
from gamecore.table_options import TableOptions
from protocols.host.door import DoorFactory, all_settings, installed_doors, read_defaults
from protocols.net.cork import Cork
from protocols.nim.face import NimDoorSettings
from protocols.nim.server import DOOR


def test_an_empty_section_gives_the_defaults_of_the_game_the_table_and_the_door():
    defaults = read_defaults(RULES, DOOR, {})
    assert defaults.options == plain_settings(choose_settings(NimOptions, {}))
    assert defaults.house == plain_settings(choose_settings(TableOptions, {}))
    assert defaults.door == NimDoorSettings()


def test_each_key_goes_to_whom_it_is_for():
    given = {"stones": "7", "early_moves": "keep", "grace": "5", "gap": "0.5", "pad": "yes"}
    defaults = read_defaults(RULES, DOOR, given)
    assert defaults.options == plain_settings(
        choose_settings(NimOptions, {"stones": 7, "early_moves": "keep"})
    )
    assert defaults.house == plain_settings(choose_settings(TableOptions, {"grace": 5.0}))
    assert defaults.door == NimDoorSettings(gap=0.5, pad=True)


def test_a_key_that_nobody_knows_is_refused_with_all_that_are_known():
    with pytest.raises(Refused) as caught:
        read_defaults(RULES, DOOR, {"stones": 5, "stoens": 5})
    assert caught.value.key == "no-such-setting"
    assert caught.value.facts["name"] == "stoens"
    known = str(caught.value.facts["known"]).split(", ")
    assert known == [each.name for each in all_settings(RULES, DOOR)]
    assert {"stones", "grace", "gap"} <= set(known)


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("stones", "many", "setting-not-a-number"),
        ("stones", 0, "setting-out-of-bounds"),
        ("grace", "0", "setting-out-of-bounds"),
        ("gap", "6", "setting-out-of-bounds"),
        ("pad", "perhaps", "setting-not-yes-or-no"),
        ("early_moves", "win", "setting-not-a-choice"),
    ],
)
def test_a_wrong_value_is_refused_whoever_it_is_for(name, value, key):
    with pytest.raises(Refused) as caught:
        read_defaults(RULES, DOOR, {name: value})
    assert (caught.value.key, caught.value.facts["name"]) == (key, name)


DOORS = {door.kind: door for door in installed_doors()}
GAMES = {rules.kind: rules for rules in installed_rules()}


@pytest.mark.parametrize("kind", sorted({*DOORS, *GAMES}))
def test_no_two_owners_of_a_section_know_the_same_key(kind):
    names = [each.name for each in all_settings(GAMES.get(kind), DOORS.get(kind))]
    assert len(names) == len(set(names))


def test_a_door_opens_its_tables_with_its_defaults(clock):
    asked = []

    class Listener:
        def __init__(self):
            self.clock = clock
            self.turns = self.admission = None  # a factory then has its own
            self.cork = Cork()

        def open(self, *what, by):
            asked.append((*what, by))

    defaults = read_defaults(RULES, DOOR, {"stones": 7, "grace": 5})
    DoorFactory(Listener(), DOOR, defaults).open_table("ours", True, "192.0.2.1")
    house = {**defaults.house, "private": True}
    assert asked == [("nim", "ours", defaults.options, house, "192.0.2.1")]
