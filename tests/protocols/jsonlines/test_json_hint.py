"""Hints for programs: asked in a word, answered with a move that can be sent back."""

from __future__ import annotations

import jsonschema
import pytest

from gamecore.codec import plain
from gamecore.rules import installed_rules
from protocols.host.thinking import NotThought
from protocols.jsonlines.schema import schema_of
from protocols.testing import Ponder


@pytest.fixture
def ponder():
    return Ponder()


@pytest.fixture
def door(json_hall, ponder):
    with json_hall(thinking=ponder) as hall:
        yield hall


@pytest.fixture
def program(door):
    """A program at a table of Nim with a bot."""
    program = door.connect()
    program.ask("open", game="nim", options={"stones": 12, "resets": 0})
    program.ask("join")
    program.ask("bot", level="random")
    return program


def test_a_move_is_given_that_can_be_sent_back(door, program, ponder):
    id = program.send("hint")
    door.settle()
    assert not [each for each in program.heard() if each.get("reply") == id]
    move = door.host.hall.find(program.of("view")[-1]["table"]).legal_moves(0)[1]
    ponder.of(0)[-1].callback(move)
    door.settle()
    reply = next(each for each in program.heard() if each.get("reply") == id)
    assert reply == {"reply": id, "ok": True, "move": plain(move)}
    assert program.ask("play", move=reply["move"])["ok"]


def test_requests_behind_it_wait_for_it(door, program, ponder):
    first, second = program.send("hint"), program.send("look")
    door.settle()
    assert not {first, second} & {each.get("reply") for each in program.heard()}
    ponder.of(0)[-1].errback(NotThought())
    door.settle()
    replies = [each for each in program.heard() if each.get("reply") in (first, second)]
    assert [each["reply"] for each in replies] == [first, second]
    assert replies[0]["error"] == "no-thinker"
    assert replies[0]["says"].startswith("Nobody could think")


def test_one_whose_link_breaks_meanwhile_hurts_nobody(door, program, ponder):
    program.send("hint")
    door.settle()
    program.hang_up()
    ponder.of(0)[-1].errback(NotThought())
    door.settle()
    assert door.connect().ask("tables")["ok"]


def test_who_is_at_no_table_is_told_so(door):
    assert door.connect().ask("hint")["error"] == "not-seated"


def test_it_takes_no_fields(door):
    assert door.connect().ask("hint", level="perfect")["error"] == "malformed"


@pytest.mark.parametrize("rules", installed_rules(), ids=lambda each: each.kind)
def test_the_schema_has_what_a_table_says_of_hints(rules):
    schema = schema_of(rules)
    hints = schema["$defs"]["House"]["properties"]["hints"]
    assert (hints["default"], hints["enum"]) == ("alone", ["alone", "all", "nobody"])
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$defs"]["TableView"]["properties"]["hints"] == {"type": "boolean"}
