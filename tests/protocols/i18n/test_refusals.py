from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import gamecore
import protocols
from gamecore.cards import Card
from gamecore.errors import Refused
from gamecore.rules import installed_rules
from protocols.i18n.game_text import find_text
from protocols.i18n.refusals import REASONS, REFUSALS, explain, explain_reason, in_words
from protocols.i18n.translate import ENGLISH

ROOMS = [Path(room.__path__[0]) for room in (gamecore, protocols)]
GAMES = ROOMS[0] / "games"
KINDS = [rules.kind for rules in installed_rules()]
NINE, ACE = Card("9", "D"), Card("A", "D")
_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def refused_in(source: Path) -> set[tuple[str, frozenset[str]]]:
    """Find every key that a source refuses with, and the facts beside it."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused" and node.args:
            facts = frozenset(each.arg for each in node.keywords if each.arg)
            texts = (each for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant))
            found |= {(each.value, facts) for each in texts if isinstance(each.value, str)}
    return found


def sources() -> list[Path]:
    """List what is no game's own room; the pages have sentences of their own as well."""
    games = {path.stem for path in GAMES.iterdir() if not path.stem.startswith("_")} | {"web"}
    paths = [(room, path) for room in ROOMS for path in sorted(room.rglob("*.py"))]
    return [
        path
        for room, path in paths
        if GAMES not in path.parents and games.isdisjoint(path.relative_to(room).parts)
    ]


def test_everything_the_house_refuses_has_a_sentence():
    refused = {key for path in sources() for key, _ in refused_in(path)}
    assert len(refused) > 30
    assert {key for key in refused if key not in REFUSALS and key not in REASONS} == set()


def test_every_sentence_is_given_the_facts_it_names():
    for path in sources():
        for key, facts in refused_in(path):
            given = dict.fromkeys(facts, 1)
            said = explain(Refused(key, **given), None, ENGLISH)
            assert said != in_words(key), f"{path}: {key} has no sentence, or lacks a fact of it"


@pytest.mark.parametrize("kind", KINDS)
def test_everything_a_game_refuses_has_a_sentence(kind):
    text = find_text(kind)
    if text is None:
        pytest.skip("has no words yet")
    own = [path for path in (GAMES / f"{kind}.py", *(GAMES / kind).rglob("*.py")) if path.exists()]
    for path in own:
        for key, facts in refused_in(path):
            said = explain(Refused(key, **dict.fromkeys(facts, 1)), text, ENGLISH)
            assert said != in_words(key), f"{kind}: {key} has no sentence, or lacks a fact of it"


def test_keys_are_stable_words_with_hyphens():
    assert all(map(_KEY.fullmatch, [*REFUSALS, *REASONS]))


def test_sentences_end_and_fit_a_line_or_two():
    for sentence in (*REFUSALS.values(), *REASONS.values()):
        assert sentence[0].isupper() or sentence.startswith("{"), sentence
        assert sentence[-1] in ".?", sentence
        assert len(sentence) < 120, sentence


def test_facts_are_filled_in():
    refusal = Refused("no-such-level", level="grand", known="random, easy")
    said = explain(refusal, None, ENGLISH)
    assert said == "There is no bot of level grand for this game. There are: random, easy."


@pytest.mark.parametrize(
    "low, high, said",
    [
        (1, 10, "stones lies between 1 and 10."),
        (1.0, 86_400.5, "stones lies between 1 and 86400.5."),
        (1, None, "stones is at least 1."),
        (None, 10, "stones is at most 10."),
    ],
)
def test_a_bound_that_is_not_there_is_not_spoken_of(low, high, said):
    refusal = Refused("setting-out-of-bounds", name="stones", low=low, high=high)
    assert explain(refusal, None, ENGLISH) == said


def test_a_game_s_own_sentence_comes_first():
    class Words:
        refusals = {"not-your-turn": "Wait for {name}."}

    refusal = Refused("not-your-turn", name="north")
    assert explain(refusal, Words(), ENGLISH) == "Wait for north."
    assert explain(refusal, None, ENGLISH) == "It is not your turn."


def test_an_unknown_key_is_said_in_words():
    assert explain(Refused("no-moon-tonight", phase=3), None, ENGLISH) == "No moon tonight."
    assert explain_reason("no-moon-tonight", ENGLISH) == "No moon tonight."


def test_a_fact_that_is_missing_does_no_harm():
    assert explain(Refused("name-too-long"), None, ENGLISH) == "Name too long."


def test_what_a_stranger_typed_cannot_reach_a_terminal_through_a_fact():
    said = explain(Refused("nobody-called", name="a\x1b[2J\u202eb\x9b"), None, ENGLISH)
    assert said == "Nobody here is called a[2Jb."


def test_braces_in_a_fact_are_only_braces():
    said = explain(Refused("nobody-called", name="{most}"), None, ENGLISH)
    assert said == "Nobody here is called {most}."


def test_a_link_is_told_why_it_is_closed():
    assert explain_reason("taken-over", ENGLISH).startswith("You came back from elsewhere")


@pytest.mark.parametrize(
    ("kind", "refused", "said", "coded"),
    [
        ("pass123", Refused("not-held", card=NINE), "hold 9♦.", "hold 9D."),
        ("rikiki", Refused("not-your-card", card=NINE), "hold 9♦.", "hold 9D."),
        ("rikiki", Refused("follow-suit", led=ACE, held=NINE), "A♦ was led", "AD was led"),
        ("nim", Refused("not-away", seat=0), "seat 1 is not", "seat 0 is not"),
    ],
)
def test_people_read_cards_by_signs_and_count_seats_from_one(kind, refused, said, coded):
    assert said in explain(refused, find_text(kind), ENGLISH)
    assert coded in explain(refused, find_text(kind), ENGLISH, coded=True)
