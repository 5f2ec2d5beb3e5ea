"""Names: at no door does anybody get one that people would take for another's at the table."""

from __future__ import annotations

import json
import unicodedata
from itertools import combinations
from pathlib import Path

import pytest

from gamecore import commands
from protocols.host.secrets import hash_token
from protocols.i18n.look_alikes import alike
from tests.cases.customs import LINES
from tests.cases.house import Guest, House

TABLE = Path(__file__).parents[1] / "protocols" / "look_alikes.txt"


def scripts(imitation):
    """Name what an imitation is written with beside ASCII: Greek, full width, what is not seen."""
    return frozenset(unicodedata.name(each, "").split()[0] for each in imitation if each > "~")


# One of each kind: every one is tried at each door by the tests of that door, and where names are compared.
PAIRS = list(
    {
        scripts(imitation): (name, imitation)
        for name, imitation in (
            (name, written.encode().decode("unicode_escape"))
            for name, written in (
                line.split("\t") for line in TABLE.read_text("ascii").splitlines()
            )
        )
    }.values()
)
NAMED = [way for way in LINES if any("north" in text for text in way.wire.sit)]
# The ways in for one who was invited, each by the name that is said there.
INVITED = {
    "lobby": ("NAME north", "JOIN <token>"),
    "castle": ("NAME north", "JOIN <token>"),
    "rikiki": ("NAME north", "INVITE <token>"),
    "web": ("POST /invitation/<token>/ csrf=<csrf> name=north",),
}


def called(text, name):
    """Say the name of somebody in place of north's, as this wire writes it."""
    if text.startswith("{"):
        return text.replace("north", json.dumps(name)[1:-1])
    if text.startswith("POST "):  # whose fields stand between blanks
        return text.replace("north", name.replace(" ", "\u00a0"))
    return text.replace("north", name)


def unlike(names):
    return not any(alike(one, [other]) for one, other in combinations(filter(None, names), 2))


def invite(house, way, name, guest):
    """Come by an invitation to a table where somebody of a name sits; gives the table."""
    table = house.open(way.game)
    house.sit(table, 0, name=name)
    token = house.host._secrets.token(table.code)
    house.host.command(None, table, commands.Invite(1, "finch", hash_token(token)))
    coming = Guest(house, way, table, 1)
    said = [text.replace("<token>", token) for text in INVITED[way.door.kind]]
    coming.come([called(text, guest) for text in said])
    return table


def sit_down(house, way, name, guest):
    """Come to a table where somebody of a name sits; gives the table."""
    table = house.open(way.game)
    house.sit(table, 1, name=name)
    Guest(house, way, table, 0).come([called(text, guest) for text in way.wire.sit])
    return table


INVITES = [
    next(each for each in LINES if each.door.kind == kind and "north" in str(each.wire.sit))
    for kind in INVITED
]


@pytest.mark.parametrize(
    ("come", "way"),
    [*((sit_down, way) for way in NAMED), *((invite, way) for way in INVITES)],
    ids=lambda each: each.__name__ if callable(each) else str(each),
)
def test_nobody_comes_under_an_imitation(come, way):
    with House() as house:
        for name, imitation in PAIRS:
            table = come(house, way, name, imitation)
            assert unlike(table.names), (name, imitation, table.names)
            house.peers.pop().hang_up()
            house.host.leave(house.ears.pop())
            house.pass_time(90)


@pytest.mark.parametrize("way", INVITES, ids=str)
def test_any_other_name_comes_by_an_invitation(way):
    with House() as house:
        assert invite(house, way, "tom", "robin").names == ("tom", "robin")
