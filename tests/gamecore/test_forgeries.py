"""Forgeries of each kind, made as well as one can: whoever was told something finds every one.

A forger may change any record, number the rest anew, make the chain anew and let the rules tell the events anew.
What then fits itself is a game that was never played: the file alone cannot show that, and says what to compare.
``FORGERIES=1000`` in the environment tries so many of each kind, instead of some.
"""

from __future__ import annotations

import json
import os
from functools import partial
from hashlib import sha256
from random import Random

import pytest

from gamecore import commands
from gamecore.fairness import canonical, commitment
from gamecore.game import Stage
from gamecore.games.gops import RULES as GOPS
from gamecore.games.nim import RULES as NIM
from gamecore.record import FIRST, Unreadable
from gamecore.replay import write_game
from gamecore.rules import Registry
from gamecore.verification import verify

FORGERIES = int(os.environ.get("FORGERIES", "30"))
REGISTRY = Registry([NIM, GOPS])
SEEDS = ("5e" * 32, "a7" * 32)
PROMISES = [commitment("TABLE", game, seed) for game, seed in enumerate(SEEDS, 1)]


def honest_lines(watched, sitting, rules, options):
    """Play two short games at one table, the second given up."""
    table, chance = watched(rules, options, start="asked"), Random(1)
    for seat in (0, 1):
        table.do(sitting(rules, seat))
    table.do(commands.Mix(1, "a rainy day"))
    for _ in SEEDS:
        table.do(commands.Start(), table.now + 1)
        while table.table.stage is not Stage.OVER:
            seat = min(table.table.awaited())
            move = chance.choice(table.table.legal_moves(seat))
            table.do(commands.Play(seat, move), table.now + 1)
        if len(table.done) < 12:
            table.do(commands.Rematch(SEEDS[1]))
    return table.lines()


@pytest.fixture(scope="module", params=["nim", "gops"])
def lines(watched, sitting, request):
    rules = REGISTRY.latest(request.param)
    options = {"stones": 9} if rules is NIM else {"cards": 3}
    return honest_lines(watched, sitting, rules, options)


# -- the kinds of forgery: each changes the records, plain, in place -------------------


def among(records, chance, *names):
    """Choose a record of some kinds of command; give what it commands."""
    fitting = [each["command"] for each in records if each["command"]["is"] in names]
    return chance.choice(fitting)


def move(records, chance):
    moves = [each["command"]["move"] for each in records if each["command"]["is"] == "Play"]
    among(records, chance, "Play")["move"] = dict(chance.choice(moves))


def seat(records, chance):
    command = among(records, chance, "Play", "Sit", "Mix")
    command["seat"] = chance.randrange(3)


def seed(records, chance):
    among(records, chance, "Open", "Rematch")["seed"] = chance.randbytes(32).hex()


def name(records, chance):
    among(records, chance, "Sit")["name"] = f"cheat {chance.randrange(10**6)}"


def dropped(records, chance):
    for _ in range(chance.randint(1, 3)):
        del records[chance.randrange(len(records))]


def swapped(records, chance):
    one, other = chance.sample(range(len(records)), 2)
    records[one], records[other] = records[other], records[one]


def cut(records, chance):
    del records[chance.randint(1, len(records) - 1) :]


KINDS = (move, seat, seed, name, dropped, swapped, cut)


def chained(records):
    """Number records anew and make their chain anew."""
    lines, previous = [], FIRST
    for number, record in enumerate(records):
        lines.append(canonical({**record, "sequence": number, "previous": previous}))
        previous = sha256(lines[-1]).hexdigest()
    return lines


def rebuilt(lines, honest):
    """Let the rules tell the events of forged records; where they refuse, keep those that there were."""
    try:
        return write_game(lines, REGISTRY)
    except Unreadable:
        kept = [json.loads(line)["events"] for line in honest.splitlines()]
        pairs = zip(kept, lines, strict=False)
        written = ({"events": events, "record": line.decode()} for events, line in pairs)
        return b"".join(canonical(each) + b"\n" for each in written)


def forge(lines, kind, chance):
    """Forge until something has changed."""
    forged = lines
    while forged == lines:
        records = [json.loads(line) for line in lines]
        kind(records, chance)
        forged = chained(records)
    return forged


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_forgeries_are_caught_or_it_is_said_what_to_compare(lines, kind):
    honest, chance = write_game(lines, REGISTRY), Random(kind.__name__)
    told = sha256(lines[-1]).hexdigest()
    check = partial(verify, registry=REGISTRY)
    assert all(each.holds for each in check(honest, promises=PROMISES, last=told))
    for _ in range(FORGERIES // 2):  # each of two games
        forged = forge(lines, kind, chance)
        data = rebuilt(forged, honest)
        findings = check(data)
        if any(each.holds is False for each in findings):
            continue  # nobody had to be told anything
        (last,) = (each.says for each in findings if each.check == "last")
        assert last.endswith(sha256(forged[-1]).hexdigest()) and told not in last
        assert any(each.holds is False for each in check(data, promises=PROMISES, last=told))


def test_a_seed_that_was_changed_with_all_that_follows_breaks_a_promise(lines):
    honest, chance = write_game(lines, REGISTRY), Random(5)
    for _ in range(20):
        data = rebuilt(forge(lines, seed, chance), honest)
        assert any(each.holds is False for each in verify(data, REGISTRY, PROMISES))
