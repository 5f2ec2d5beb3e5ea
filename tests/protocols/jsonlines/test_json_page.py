"""The page about this door says what is so, and leaves out nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import attrs
import pytest

from protocols.jsonlines.face import JsonFace
from protocols.jsonlines.intake import MOST_UNANSWERED
from protocols.jsonlines.requests import MOST_BRACKETS, REQUESTS
from protocols.jsonlines.server import JsonDoorSettings

PAGE = (Path(__file__).parents[3] / "docs" / "wires" / "json.rst").read_text()


def fits(shown, told):
    """Say whether what the page shows is true of what was told, as far as it shows it."""
    if shown == "...":
        return True
    if isinstance(shown, dict) and shown:
        return all(name in told and fits(each, told[name]) for name, each in shown.items())
    return shown == told


def test_the_first_game_goes_as_the_page_shows_it(house):
    program = house.connect()
    lines = re.findall(r"^    ([<>]) (\{.*\})$", PAGE, re.MULTILINE)
    assert len(lines) > 15
    told = []
    for mark, line in lines:
        if mark == ">":
            assert told == []
            program.say(line.encode() + b"\n")
            told = program.news()
        else:
            heard = told.pop(0)
            assert fits(json.loads(line), heard), f"{line}\n{heard}"
            assert next(iter(json.loads(line))) == next(iter(heard))
    kinds = [next(iter(each)) for each in told]
    assert kinds in ([], ["n", "turn"])  # what the bot did, if it was quick


@pytest.mark.parametrize("name", REQUESTS)
def test_every_request_stands_there_with_its_fields(name):
    row = re.search(rf"^{name} +(.*)$", PAGE, re.MULTILINE)
    assert row is not None
    for field in attrs.fields(REQUESTS[name]):
        optional = field.default is not attrs.NOTHING
        assert (f"[{field.name}]" if optional else field.name) in row[1].split()


def test_the_numbers_are_those_in_force():
    settings = JsonDoorSettings()
    assert f"{JsonFace.max_length:,} bytes" in PAGE
    assert f"({MOST_BRACKETS} lists and objects)" in PAGE
    assert f"while {MOST_UNANSWERED} of its requests wait" in PAGE
    assert f"{settings.requests_at_once:,} requests at once" in PAGE
    assert f"{settings.requests_a_second:g} a second" in PAGE


def test_lines_are_short_enough_to_read():
    assert max(map(len, PAGE.splitlines())) <= 116
