"""Who sits at a mirror is told the very same that the same seat is told at the daemon that has the table."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from gamecore.codec import plain
from gamecore.rules import sample

TOKEN = re.compile(r"[A-Z0-9]{5}\.[0-9a-f]{32}")


def play(home, kind: str, number: int) -> list[object]:
    """Play by chance at a table of the first daemon, one seat at another; gives all that is told there."""
    house = home.houses[0]
    table = house.open(kind, None, start="full", grace=60)
    for seat in table.free_seats()[1:]:
        house.sit(table, seat)
        home.pass_time(1)
    peer = home.houses[number].connect("json")
    home.pass_time(1)
    peer.say(b'{"do": "name", "id": 0, "name": "kim"}\n')
    home.pass_time(1)
    peer.forget()
    join = {"do": "join", "id": 1, "table": table.code, "seat": 0}
    brought = sample(table.rules)
    if brought is not None:
        join["brings"] = plain(brought)
    peer.say(json.dumps(join).encode() + b"\n")
    home.pass_time(1)
    chance = Random(kind)
    for _ in range(60):
        awaited = sorted(table.awaited())
        if not awaited:
            break
        seat = chance.choice(awaited)
        move = chance.choice(table.legal_moves(seat))
        face = house.face_in(table, seat)
        if face is None or seat == 0:
            said = {"do": "play", "id": 2, "move": plain(move)}
            peer.say(json.dumps(said).encode() + b"\n")
        else:
            house.host.submit(face, move)
        home.pass_time(0.5)
    peer.say(b'{"do": "look", "id": 3}\n')
    home.pass_time(1)
    home.agree(table.code)
    # A record has the options of a table in the order of the alphabet, where a table that is opened has its own.
    return [json.loads(line) for line in TOKEN.sub("token", peer.got().decode()).splitlines()]


@pytest.mark.parametrize("kind", ["nim", "gops", "pass123", "rikiki", "castle"])
def test_a_seat_at_a_mirror_is_told_what_the_same_seat_is_told_at_the_owner(linked, kind):
    here, there = play(linked(2), kind, 0), play(linked(2), kind, 1)
    assert len(here) > 20
    assert here == there
