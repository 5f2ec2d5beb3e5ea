"""All that is told in whole games of each kind: it fits, it is told once, and no line needs an earlier one."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import pairwise

import attrs
import pytest

from gamecore.events import Only
from gamecore.games.castle.moves import Spot
from protocols.i18n.describe import tell
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import translator_of
from protocols.i18n.wrapping import cells
from tests.protocols.lobby.conftest import Lobby
from tests.protocols.lobby.test_lobby_french import TABLES, play_on
from tests.protocols.lobby.test_transcripts import RULES

LANGUAGES = ("en", "fr")
OVER = {"en": "Game 1 is over: ", "fr": "La partie 1 est finie : "}
ROWS = {80: 24, 40: 20}
in_each = pytest.mark.parametrize(
    ("kind", "language"), [(kind, language) for kind in RULES for language in LANGUAGES]
)


@cache
def whole_game(kind, language, columns):
    """Play a game against bots; gives the lines that were heard, and each command's events with the names then."""
    news = []
    with Lobby(rules=(RULES[kind],)) as home, pytest.MonkeyPatch.context() as patch:
        caller = home.call("ada")
        session = caller.link.session
        seen = type(session).told
        patch.setattr(
            type(session),
            "told",
            lambda self, each: (news.append((each.events, each.names)), seen(self, each))[1],
        )
        heard = caller.type(f"lang {language}", f"width {columns}", f"play {TABLES[kind]}")
        heard += play_on(home, caller, 900)
        return tuple(heard), tuple(news)


@in_each
@pytest.mark.parametrize("columns", [80, 40])
def test_no_line_is_wider_than_the_screen(kind, language, columns):
    heard, _ = whole_game(kind, language, columns)
    assert len(heard) > 15
    assert [line for line in heard if cells(line) > columns] == []


@in_each
@pytest.mark.parametrize("columns", [80, 40])
def test_nothing_is_told_twice(kind, language, columns):
    heard, _ = whole_game(kind, language, columns)
    assert [line for line, after in pairwise(heard) if line == after] == []
    assert sum(line.startswith(OVER[language][:columns]) for line in heard) == 1


@pytest.mark.parametrize("kind", RULES)
def test_no_sentence_has_a_hole(kind):
    heard, _ = whole_game(kind, "en", 80)
    assert [line for line in heard if re.search(r" [.,;:](?!\.)", line)] == []


def doers(event):
    """Name the seats that an event is about: who did it, or on whose side it happened."""
    for name, value in attrs.asdict(event, recurse=False).items():
        if name in ("seat", "giver", "viewer") and isinstance(value, int):
            yield value
        elif name == "spot" and isinstance(value, Spot):
            yield value.seat


@in_each
def test_each_line_says_who_did_it(kind, language):
    _, news = whole_game(kind, language, 80)
    say, text, lines = translator_of(language), find_text(kind), 0
    for events, names in news:
        for event in events:
            line = tell(event, names, text, say)
            seats = list(doers(event))
            if line is None or not seats or isinstance(event.audience, Only):  # it says "your"
                continue
            lines += 1
            assert any(names[seat] in line for seat in seats if seat < len(names)), line
    assert lines > 5


@in_each
@pytest.mark.parametrize("columns", [80, 40])
def test_each_question_says_what_may_be_typed_and_fits_the_screen_with_its_board(
    kind, language, columns
):
    """The words of the game stand in it, or its choices with their numbers."""
    words = [verb.upper() for verb in find_text(kind).verbs]
    words += ["NEXT", "CARDS"]
    asked = 0
    with Lobby(rules=(RULES[kind],)) as home:
        caller = home.call("ada")
        caller.type(f"lang {language}", f"width {columns}", f"play {TABLES[kind]}")
        for _ in range(40):
            session = caller.link.session
            if not (session.table.live and session.table.is_turn_of(session.seat)):
                break
            screen = caller.type("board")
            question = " ".join(screen[-6:])
            assert any(word in question for word in words), screen
            assert len(screen) < ROWS[columns], json.dumps(screen, indent=0)
            asked += 1
            play_on(home, caller, 1)
            for _ in range(30):
                if session.table.live and not session.table.is_turn_of(session.seat):
                    play_on(home, caller, 1)
    assert asked > 1
