"""Who is invited to a house: at every game, by JSON lines, by the wire of Expanding Nim, and by both."""

from __future__ import annotations

from random import Random

import attrs

from gamecore.rules import AnyRules, installed_rules
from tests.house.diary import JSON, NIM, Diary
from tests.house.json_player import JsonPlayer
from tests.house.nim_player import MAXIMUM, RESETS, STONES, NimPlayer
from tests.house.players import Doors, Party

GRACE = 600  # seconds: nobody is lost by being away
THINK = 25  # seconds for a move, which each makes at once: no clock may run out
_OWN_WIRE = 0.25  # how often two meet at the wire of Expanding Nim
_BOTH = 0.25  # how often one of them comes by JSON lines
_MOST = 3  # who play at one table
_NIM = {"stones": STONES, "resets": RESETS, "maximum": MAXIMUM, "seconds": 120, "grace": GRACE}
_FREE = (
    *("links_a_second", "links_at_once", "tables_a_minute", "tables_at_once"),
    *("tables_waiting", "seats_a_minute", "seats_at_once"),
)
INI = "\n".join(
    [
        "[admission]",
        *(f"{each} = 100000" for each in _FREE),
        "[nim]",
        *(f"{name} = {value}" for name, value in _NIM.items()),
        "",
    ]
)


def invite(number: int, chance: Random, doors: Doors, homes: int) -> Party:
    """Draw a party of a game and its players."""
    party = Party(number, "nim", home=chance.randrange(homes))
    dice = chance.random()
    if dice < _OWN_WIRE:
        party.meeting = f"meeting {number}"
        party.players += [_nim(party, order, chance, doors) for order in (0, 1)]
    elif dice < _OWN_WIRE + _BOTH:
        options = {name: _NIM[name] for name in ("stones", "resets", "maximum", "seconds")}
        party.players.append(_json(party, 0, chance, doors, options))
        party.players.append(_nim(party, 1, chance, doors))
    else:
        rules = chance.choice(sorted(installed_rules(), key=lambda each: each.kind))
        _invite_to(party, rules, chance, doors)
    return party


def _invite_to(party: Party, rules: AnyRules, chance: Random, doors: Doors) -> None:
    party.kind = rules.kind
    names = {each.name for each in attrs.fields(rules.options)}
    size = chance.randint(rules.seats[0], min(rules.seats[-1], _MOST))
    options: dict[str, object] = {}
    options |= {"players": size} if "players" in names else {}
    options |= {
        each: THINK
        for each in ("seconds", "response_seconds")
        if each in names and rules.kind != "nim"
    }
    party.players += [_json(party, each, chance, doors, options) for each in range(size)]


def _json(
    party: Party, place: int, chance: Random, doors: Doors, options: dict[str, object]
) -> JsonPlayer:
    diary = Diary(f"p{party.number}x{place}", JSON)
    return JsonPlayer(
        diary,
        party,
        Random(chance.random()),
        doors,
        opens=place == 0,
        options=options,
        house={"grace": GRACE, "start": "full"},
    )


def _nim(party: Party, order: int, chance: Random, doors: Doors) -> NimPlayer:
    diary = Diary(f"p{party.number}x{order}", NIM)
    return NimPlayer(diary, party, Random(chance.random()), doors, order=order)
