"""The common way to write a move is read by a short cut, which must read it as the long way does."""

from __future__ import annotations

import json
from random import Random

import pytest

from gamecore.codec import plain
from gamecore.errors import Malformed
from gamecore.events import tell_nobody
from gamecore.fairness import Deal
from gamecore.rules import Seat, installed_rules, sample
from protocols.jsonlines.requests import KnownMove, read_request
from protocols.net.codec import read_move

RULES = {rules.kind: rules for rules in installed_rules()}
COMPACT = {"separators": (",", ":")}
TAKE = '{"is":"Take","stones":1}'


def outcome(line, rules):
    """Read a line to the end: the request with its move, or why it is none."""
    try:
        id, request = read_request(line)
        known = isinstance(request.move, KnownMove)
        move = request.move.read(rules) if known else read_move(rules, request.move)
    except Malformed as problem:
        return type(problem), str(problem), getattr(problem, "id", None)
    return type(id), id, type(move), move, request.n


def is_short_cut(line):
    """Say whether a line is read by the short cut."""
    return isinstance(read_request(line)[1].move, KnownMove)


def moves_of(rules, steps=60):
    """Give the moves that are offered in a game played by chance."""
    chance = Random(7)
    seats = [Seat(f"p{seat}", sample(rules)) for seat in range(rules.seats[-1])]
    position = rules.begin(seats, rules.options(), Deal.by_chance(chance), tell_nobody, 0.0)
    for _ in range(steps):
        if position.outcome is not None:
            return
        seat = min(position.to_move())
        offered = position.legal_moves(seat)
        yield from offered
        position.play(seat, chance.choice(offered), 0.0)


@pytest.mark.parametrize("n", [{}, {"n": 3}], ids=["uncounted", "counted"])
@pytest.mark.parametrize("style", [COMPACT, {}], ids=["compact", "usual"])
@pytest.mark.parametrize("kind", sorted(RULES))
def test_every_move_of_every_game_is_read_alike(kind, style, n):
    rules, short = RULES[kind], 0
    for move in moves_of(rules):
        line = json.dumps({"do": "play", "id": 5, "move": plain(move), **n}, **style)
        short += is_short_cut(line)
        for _ in range(2):  # as it is read first, and as it is known then
            assert outcome(line, rules) == outcome(f" {line}", rules)
            assert outcome(line, rules)[3] == move
    assert short


@pytest.mark.parametrize(
    "line",
    [
        *('{"do":"play","id":1,"move":{}}', '{"do":"play","id":1,"move":{"is":"Take"}}'),
        *(
            f'{{"do":"play","id":{id},"move":{TAKE}}}'
            for id in ("0", "01", "-1", "1.0", "1e3", "null", "true", '"a"', "9" * 15, "9" * 17)
        ),
        *(
            f'{{"do":"play","id":1,"move":{{"is":"Take","stones":{stones}}}}}'
            for stones in (
                *("01", "1.0", "true", "null", '"1"', "NaN", "Infinity", "-0", "9" * 17, "٣"),
                *("1,", "1,,", '1,"stones":2', '1,"more":3', '1,"reset":true', '1,"reset":1', ""),
                *('1,"is":"Take"', '1 "reset":true', '1,"reset":true,', '"\t"', '"\x7f"', "'1'"),
            )
        ),
        *(
            f'{{"do":"play","id":1,"move":{TAKE}{rest}'
            for rest in ("", "}}", '},"n":2', ',"n":2}', ',"n":02}', ',"n":null}', ',"n":"2"}')
        ),
        f'{{"do":"play","id":1,"move":{TAKE},"move":{TAKE}}}',
        f'{{"do":"play","id":1,"move":{TAKE},"n":2,"n":2}}',
        f'{{"do":"play","id":1,"move":{TAKE},"more":{TAKE}}}',
        f'{{"do":"play","id":1,"move":{TAKE},"n":{{}}}}',
        '{"do":"play","id":1,"move":{"is":"}","stones":1}}',
        '{"do":"play","id":1,"move":{"is":"Take\\u0021","stones":1}}',
        '{"do":"play","id":1,"move":{"is":"\\ud800","stones":1}}',
        f'{{"do":"play","id":1,"id":1,"move":{TAKE}}}',
        f'{{"do":"look","id":1,"move":{TAKE}}}',
        f'{{"do":"play","id":1,"move":{TAKE}}}\n',
        '{"do":"play","id":1,"move":{"is":"Take","stones":1,"' + "x" * 300 + '":1}}',
        '{"do":"play","id":1,"move":{"is":"Nothing"}}',
        '{"do":"play","id":1,"move":{"is":1}}',
    ],
)
def test_what_is_written_wrong_is_refused_alike(line):
    rules = RULES["nim"]
    for _ in range(2):
        assert outcome(line, rules) == outcome(f" {line}", rules)


def test_a_move_that_two_games_write_alike_is_read_anew_for_each():
    line = '{"do":"play","id":1,"move":{"is":"NextRound"}}'
    assert is_short_cut(line)
    for _ in range(2):
        for rules in RULES.values():
            assert outcome(line, rules) == outcome(f" {line}", rules)
