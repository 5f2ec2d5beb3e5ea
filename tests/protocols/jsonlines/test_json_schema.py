"""The schema of each game is true of all that is said of it."""

from __future__ import annotations

import json
from random import Random

import attrs
import pytest
from jsonschema import Draft202012Validator as Validator

from gamecore.codec import plain
from gamecore.rules import installed_rules
from protocols.jsonlines.requests import Unfit, read_request
from protocols.jsonlines.schema import schema_of
from protocols.net.codec import read_move

MOST_MOVES = 40
KINDS = sorted({each.kind for each in installed_rules()} | {"high"})


@pytest.fixture(scope="module")
def every(high):
    return {each.kind: each for each in (*installed_rules(), high.HighRules())}


def settings(rules):
    """Choose a short game where one can be chosen."""
    known = {each.name for each in attrs.fields(rules.options)}
    short = {"stones": 30, "rounds": 2, "cards": 5}
    return {name: value for name, value in short.items() if name in known}


def play_at_random(house, players, chance):
    """Let whoever is to move choose any legal move, each program by what it was told alone; gives the moves."""
    waiting, moves = {}, []
    for _ in range(MOST_MOVES):
        for each in players:
            turns = [turn for turn in each.of("turn")[-1:] if turn.get("moves")]
            waiting |= {each: turns[0]} if turns and turns[0] is not each.answered else {}
        if any(each.get("event") == "GameOver" for each in players[0].of("event")):
            return moves
        mover = chance.choice(list(waiting))
        mover.answered = waiting.pop(mover)
        moves.append(chance.choice(mover.answered["moves"]))
        mover.send("play", move=moves[-1])
        house.settle()
    for each in players:  # a game of chance may be long
        assert each.ask("leave")["ok"]
    return moves


class Listener:
    """What one program is told, kept as it comes, so that each message is one object."""

    def __init__(self, program):
        self.program, self.answered, self.all = program, None, []
        self.send, self.ask = program.send, program.ask

    def of(self, key):
        self.all += self.program.news()
        return [each for each in self.all if key in each]


@pytest.mark.parametrize("kind", KINDS)
def test_every_message_of_random_games_is_as_the_schema_says(json_hall, high, every, kind):
    rules = every[kind]
    brings = {"word": "charm"} if kind == "high" else None
    with json_hall(high.HighRules()) as house:
        people = min(3, rules.seats[-1])
        table = house.table(kind, people, "asked", brings, **settings(rules))
        watcher = house.connect()
        watcher.ask("watch", table=table[0].of("token")[0]["table"])
        schema = watcher.ask("schema", game=kind)["schema"]
        assert schema == schema_of(rules)
        Validator.check_schema(schema)
        listeners = [Listener(each) for each in (*table, watcher)]
        moves = play_at_random(house, listeners[:-1], Random(kind))
        valid_move = Validator({**schema, "$ref": "#/$defs/Move"})
        for move in moves:
            assert plain(read_move(rules, move)) == move
            valid_move.validate(move)
        valid = Validator(schema)
        told = (each.of(key) for each in listeners for key in ("event", "view", "turn"))
        different = {json.dumps(each, sort_keys=True): each for some in told for each in some}
        assert different
        for message in different.values():  # what all were told alike is looked at once
            valid.validate(message)
        assert {"GameOver", "Abandoned"} & {each["event"] for each in listeners[-1].of("event")}


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_knows_the_view_of_its_game_and_none_of_its_fields_hides_a_head(every, kind):
    schema = schema_of(every[kind])
    board = schema["$defs"]["TableView"]["properties"]["board"]
    assert any("$ref" in each for each in board["anyOf"]), "the View of the game is not known"
    for each in every[kind].events:
        heads = {"n", "table", "event", "turn", "view", "reply", "token", "said", "parted"}
        assert not heads & {field.name for field in attrs.fields(each)}


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_schema_forbids_is_told_apart(every, kind):
    valid = Validator(schema_of(every[kind]))
    began = {"n": 1, "table": "K7QRT", "event": "RoundBegan", "number": 1}
    assert valid.is_valid(began)
    assert not valid.is_valid({**began, "number": "1"})
    assert not valid.is_valid({**began, "event": "Nothing"})
    assert not valid.is_valid({**began, "more": 1})
    assert not valid.is_valid({"n": 1, "table": "K7QRT", "event": "RoundBegan"})


def test_the_schema_of_options_has_their_bounds(every):
    stones = schema_of(every["nim"])["$defs"]["Options"]["properties"]["stones"]
    assert (stones["type"], stones["minimum"], stones["maximum"]) == ("integer", 1, 1_000_000)
    with pytest.raises(Unfit):
        read_request('{"do": "schema", "id": 1}')
