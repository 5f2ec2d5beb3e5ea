"""What the README shows is run here, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

from twisted.application.service import IService

from tests.docs.blocks import blocks

README = Path(__file__).parents[1] / "README.rst"


def snippet(beginning: str) -> str:
    """Find the block that begins with a line."""
    return next(each.text for each in blocks() if each.text.startswith(beginning))


def test_the_embedding_snippet_builds_a_service():
    names: dict[str, object] = {}
    exec(snippet("from twisted.application.service import Application"), names)
    parlour = next(iter(IService(names["application"])))
    assert "nim" in parlour.doors


def test_the_rules_snippet_plays_a_game():
    names: dict[str, object] = {}
    exec(snippet("from gamecore.fairness import Deal"), names)
    assert len(names["events"]) == 5


def test_the_two_commands_stand_first():
    commands = re.findall(r"^   \$ make (\w+)", README.read_text(), re.MULTILINE)
    assert commands[:2] == ["run", "test"]
