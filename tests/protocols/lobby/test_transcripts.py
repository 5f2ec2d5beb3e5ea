"""A whole game of each kind, as somebody reads it at 80 columns: what is said, in order.

``python -m tests.protocols.lobby.test_transcripts`` writes them anew; what has changed is to be read before it is
kept.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from gamecore.rules import installed_rules
from protocols.i18n.wrapping import cells
from tests.protocols.lobby.conftest import Lobby
from tests.protocols.lobby.test_lobby_french import TABLES, play_on

KEPT = Path(__file__).parent / "transcripts"
RULES = {rules.kind: rules for rules in installed_rules() if rules.kind in TABLES}
COLUMNS = 80


@cache
def transcript(kind: str) -> tuple[str, ...]:
    """Play a game against bots, by chance that is always the same, and give all that is heard."""
    with Lobby(rules=(RULES[kind],)) as home:
        caller = home.call("ada")
        heard = caller.type(f"width {COLUMNS}", f"play {TABLES[kind]}")
        heard += play_on(home, caller, 900)
        return (*heard, *caller.type("leave"))


def written(kind: str) -> str:
    return "".join(f"{line}\n" for line in transcript(kind))


@pytest.mark.parametrize("kind", RULES)
def test_a_whole_game_is_said_as_it_was(kind):
    assert (KEPT / f"{kind}.txt").read_text("utf-8") == written(kind)


@pytest.mark.parametrize("kind", RULES)
def test_a_whole_game_fits_the_screen_and_comes_to_its_end(kind):
    heard = transcript(kind)
    assert [line for line in heard if cells(line) > COLUMNS] == []
    assert sum(line.startswith("Game 1 is over: ") for line in heard) == 1
    assert heard[-1] == "[hall]"


@pytest.mark.parametrize("kind", RULES)
def test_no_event_is_told_twice_in_a_row(kind):
    assert [line for line, after in pairwise(transcript(kind)) if line == after] == []


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for each in RULES:
        (KEPT / f"{each}.txt").write_text(written(each), "utf-8")
