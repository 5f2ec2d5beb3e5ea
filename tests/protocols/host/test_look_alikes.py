"""Nobody sits down, is invited, or is replaced under a name that people would take for another's at the table."""

from __future__ import annotations

from random import Random

import pytest
from twisted.internet.task import Clock

from gamecore.commands import Invite
from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from protocols.host import table_actions
from protocols.host.host import Host
from protocols.host.secrets import hash_token
from protocols.journal.memory import MemoryJournal


@pytest.fixture
def house():
    clock = Clock()
    hall = Hall(Registry(installed_rules()))
    return Host(hall, MemoryJournal(clock), clock, lambda: 1e9, Random(1))


def answer(house, face, tag):
    house.clock.advance(0)
    return next(each[1] for each in face.heard if isinstance(each, tuple) and each[0] == tag)


def test_an_imitation_takes_no_seat(house, ear, look_alikes):
    for name, imitation in look_alikes:
        table = house.open("rikiki", "", {}, {"start": "asked"})
        first, second = ear(), ear()
        house.sit(first, table.code, 0, name, "in")
        house.sit(second, table.code, 1, imitation, "in")
        assert answer(house, first, "in") is None
        assert answer(house, second, "in") == "name-taken", (name, imitation)
        house.leave(first)


def test_an_imitation_is_neither_invited_nor_comes_by_an_invitation(house, ear, look_alikes):
    for number, (name, imitation) in enumerate(look_alikes):
        table = house.open("rikiki", "", {}, {"start": "asked"}, owner=f"secret {number}")
        owner, guest = ear(), ear()
        house.come_back(owner, f"{table.code}.secret {number}", "back")
        house.request(owner, table_actions.invite(0, name, "hash 0"), "first")
        house.request(owner, table_actions.invite(1, imitation, "hash 1"), "second")
        assert answer(house, owner, "first") is None
        assert answer(house, owner, "second") == "name-taken", (name, imitation)
        token = house._secrets.token(table.code)
        house.command(None, table, Invite(2, "finch", hash_token(token)))
        house.accept(guest, token, imitation, "in")
        assert answer(house, guest, "in") == "name-taken", (name, imitation)


def test_a_bot_does_not_look_like_a_person(house, ear):
    table = house.open("rikiki", "", {}, {"start": "asked"})
    face = ear()
    house.sit(face, table.code, 0, "random b\u043et")
    house.request(face, table_actions.add_bot("random"), "bot")
    assert answer(house, face, "bot") is None
    assert house.directory.find(table.code).names[1] == "random bot 2"
