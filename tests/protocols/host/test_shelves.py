"""What is listed and found looks at about as many tables as it gives, of however many there are of other kinds."""

from __future__ import annotations

from itertools import islice

import attrs
import pytest

from gamecore.commands import Open
from gamecore.game import Stage
from gamecore.games.nim import RULES
from gamecore.table import Table
from protocols.host.card import Card, card_of
from protocols.host.directory import Directory

MANY = 1_000
SHOWN = 100


class Looked(Card):
    """A card that says when it is looked at."""

    looks: set[str] = set()

    def __getattribute__(self, name):
        if not name.startswith("_"):
            Looked.looks.add(object.__getattribute__(self, "code"))
        return super().__getattribute__(name)


PLAIN = attrs.asdict(
    card_of(Table(Open("A", "nim", 1, 1, 1, "", "5e" * 32, {}, {}), RULES)), recurse=False
)
OF_WHICH_MANY = {
    "free": {},
    "of another game": {"kind": "gops"},
    "locked": {"locked": True},
    "somebody there": {"here": 1},
    "kept seats": {"free": ()},
    "not to be watched": {"watchers": False},
    "played": {"stage": Stage.PLAYING, "players": 2, "free": ()},
    "over": {"stage": Stage.OVER, "players": 2, "free": ()},
    "private": {"private": True},
}
ASKED = {
    "joinable": lambda house: house.joinable("nim"),
    "joinable of some": lambda house: house.joinable_of(["nim"]),
    "joinable of all": lambda house: house.joinable(),
    "public": lambda house: house.public("nim"),
    "public of all": lambda house: house.public(),
    "free": lambda house: house.free("nim"),
    "free and locked": lambda house: house.free("nim", locked=True),
    "waiting": lambda house: iter((house.waiting("nim"),)),
    "waiting of all": lambda house: iter((house.waiting(None),)),
    "watchable": lambda house: iter((house.watchable("nim"),)),
    "match": lambda house: iter((house.match("nim", None, PLAIN["options"]),)),
}


@pytest.fixture(scope="module", params=OF_WHICH_MANY)
def full(request):
    """Give a directory with very many tables of which one thing is true, and one of each other kind."""
    directory = Directory()
    many = [OF_WHICH_MANY[request.param]] * MANY
    for number, facts in enumerate([*many, *OF_WHICH_MANY.values()]):
        directory.put(Looked(**{**PLAIN, "code": f"T{number:05}", **facts}))
    return directory


@pytest.mark.parametrize("asked", ASKED)
def test_a_list_touches_no_more_tables_than_it_shows(full, asked):
    Looked.looks.clear()
    found = list(islice(ASKED[asked](full), SHOWN))
    assert len(Looked.looks) <= SHOWN + 1
    assert found


def test_tables_are_counted_without_a_look(full):
    Looked.looks.clear()
    assert sum(full.tally().values()) == MANY + len(OF_WHICH_MANY)
    assert not Looked.looks


def test_a_look_is_counted(full):
    Looked.looks.clear()
    assert all(card.players >= 0 for card in full.public())
    assert len(Looked.looks) >= len(OF_WHICH_MANY) - 2
