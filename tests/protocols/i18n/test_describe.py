"""Table events in words, each in one line that says all by itself."""

from __future__ import annotations

from importlib.metadata import entry_points

import attrs
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from gamecore.codec import plain
from gamecore.events import EVERYONE, RoundOver
from gamecore.games.nim import Board, NimOptions, PileSet, Taken
from gamecore.rules import Outcome
from gamecore.table_events import (
    TABLE_EVENTS,
    Abandoned,
    Agreed,
    Dropped,
    GameBegan,
    GameOver,
    Gathered,
    Invited,
    Left,
    Mixed,
    Replaced,
    Returned,
    Sat,
    SeedRevealed,
    Waiting,
)
from protocols.i18n.describe import called, renamed, tell
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import ENGLISH
from protocols.nim.text import TEXT

NAMES = ("wren", "robin", "linnet")
TAKEN = Taken(0, 3, False, Board(7, 4, (4, 4), (0.5, 0.0)), False)

SENTENCES = [
    (Sat(1, "robin", None), "robin takes seat 2."),
    (Sat(1, "hal", "random"), "hal, a bot (random), takes seat 2."),
    (Sat(1, "random bot 2", "random"), "random bot 2, a bot, takes seat 2."),
    (Invited(1, "robin"), "robin is invited to seat 2."),
    (Mixed(0, "my own words"), 'wren adds "my own words" to the shuffle.'),
    (Left(0, "wren", "left"), "wren leaves."),
    (Left(0, "wren", "disconnected"), "wren has lost the connection and is out."),
    (Left(0, "wren", "absent"), "wren did not come back in time and is out."),
    (Left(0, "wren", "flew off"), "wren leaves (flew off)."),
    (GameBegan(1, ("wren", "robin")), "Game 1 begins, with wren in seat 1, robin in seat 2."),
    (GameOver(1, Outcome((1, 2), reason="time")), "Game 1 is over: wren wins (out of time)."),
    (GameOver(1, Outcome((1, 1))), "Game 1 is over: wren and robin share the first place."),
    (
        GameOver(2, Outcome((2, 1), (3, 5))),
        "Game 2 is over: robin wins; scores: wren 3, robin 5.",
    ),
    (
        GameOver(2, Outcome((3, 1, 2))),
        "Game 2 is over: robin wins; places: 1 robin, 2 linnet, 3 wren.",
    ),
    (SeedRevealed(1, "5e5e"), "The seed of game 1 was 5e5e, with no words added."),
    (SeedRevealed(1, "5e5e", ("a", "b")), 'The seed of game 1 was 5e5e, with "a", "b" added.'),
    (
        Dropped(1, 60.0),
        "robin has lost the connection; the seat is held for 60 seconds.",
    ),
    (Dropped(1, 1), "robin has lost the connection; the seat is held for 1 second."),
    (Waiting(1), "robin is still away; the table waits, and the clock of robin stands."),
    (Returned(1), "robin is back."),
    (Replaced(1, "robin (bot)", "random"), "robin (bot), a bot (random), plays on in seat 2."),
    (
        Gathered(2, ("robin", "wren"), "c0ff"),
        "The same players gather for game 2, as robin in seat 1, wren in seat 2;"
        " the commitment to its seed is c0ff.",
    ),
    (Agreed(0), "wren agrees to another game."),
    (Abandoned("empty"), "The table is closed: everybody has left."),
    (Abandoned("expired"), "The table is closed: nothing happened here for too long."),
    (Abandoned("no heart"), "The table is closed: no heart."),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_what_happens_at_a_table_is_told(event, sentence):
    assert tell(event, NAMES, TEXT) == tell(event, NAMES, None) == sentence


def test_no_event_of_the_table_is_without_its_sentence():
    assert {type(event) for event, _ in SENTENCES} == set(TABLE_EVENTS)


# -- the events of a game -------------------------------------------------------------


def test_a_game_tells_its_own_events():
    assert tell(TAKEN, NAMES[:2], TEXT) == TEXT.describe(TAKEN, NAMES[:2], ENGLISH)
    assert tell(RoundOver(1), NAMES, TEXT) is None


def test_every_installed_text_is_found():
    assert find_text("nim") is TEXT
    assert find_text("no such game") is None
    for point in entry_points(group="parlour.texts"):
        assert find_text(point.name) is point.load()


def test_without_a_text_the_bare_facts_are_listed():
    assert tell(TAKEN, NAMES, None) == (
        "Taken: seat 0, stones 3, reset no,"
        " board (left 7, limit 4, resets [4, 4], used [0.5, 0.0]), won no"
    )
    assert tell(RoundOver(1), NAMES, None) == "RoundOver: number 1"


def test_plain_data_is_listed_in_the_same_way_whoever_was_told():
    facts = {**plain(TAKEN), "to": {"only": 0}}
    assert tell(facts, NAMES, TEXT) == tell(TAKEN, NAMES, None)
    assert tell({"is": "Nothing", "to": "everyone"}, (), None) == "Nothing"
    assert tell({"is": "Odd", "of": {"a": None, "b": [True, "x"]}}, (), None) == (
        "Odd: of (a none, b [yes, x])"
    )


def test_what_is_nested_without_end_is_cut():
    endless: object = 1
    for _ in range(5000):
        endless = [endless]
    assert tell({"is": "Deep", "into": endless}, (), None) == "Deep: into [[[[[...]]]]]"


def test_an_event_that_a_text_cannot_tell_is_listed():
    strange = attrs.evolve(TAKEN, seat=7)
    assert tell(strange, NAMES[:2], TEXT).startswith("Taken: seat 7, stones 3")
    assert tell(PileSet(NimOptions()), (), TEXT).startswith("PileSet: options (stones 100")


# -- names ----------------------------------------------------------------------------


def test_names_follow_what_happens():
    names = ()
    for event, then in [
        (Sat(1, "robin", None), ["", "robin"]),
        (Sat(0, "wren", None), ["wren", "robin"]),
        (Left(1, "robin", "left"), ["wren", "robin"]),
        (Sat(1, "linnet", None), ["wren", "linnet"]),
        (GameBegan(1, ("wren", "linnet")), ["wren", "linnet"]),
        (Replaced(0, "wren (bot)", "random"), ["wren (bot)", "linnet"]),
        (Gathered(2, ("linnet", "wren (bot)"), ""), ["linnet", "wren (bot)"]),
        (Sat(10**9, "nobody", None), ["linnet", "wren (bot)"]),
        (Sat(-1, "nobody", None), ["linnet", "wren (bot)"]),
        ({"is": "Sat"}, ["linnet", "wren (bot)"]),
    ]:
        names = renamed(names, event)
        assert list(names) == then


def test_one_without_a_name_is_called_by_the_seat():
    assert called(("", "robin"), 0) == "seat 1"
    assert called(("", "robin"), 1) == "robin"
    assert called(("", "robin"), 2) == "seat 3"
    assert called(("", "robin"), -1) == "seat 0"
    assert tell(Returned(5), NAMES, None) == "seat 6 is back."


# -- what a terminal must not see -----------------------------------------------------

nasty = st.text(
    st.sampled_from("ab \x1b[2J\r\n\t\x00\x7f\x9b\u202e\u2066\u200b\ud800\u0301"), max_size=12
)


@frozen
class Sung:
    """An event of some game, with a text that a player wrote."""

    seat: int
    song: str
    audience = EVERYONE


class SongText:
    """Tells of the song, and so of what a player wrote."""

    def describe(self, event, names, say):
        return f"{names[0]} sings {getattr(event, 'song', '')}"


@given(nasty, nasty)
def test_nothing_that_was_typed_reaches_a_terminal_with_a_code(name, words):
    names = (name, "robin")
    events = [
        Sat(0, name, words),
        Mixed(0, words),
        Left(0, name, words),
        GameBegan(1, names),
        GameOver(1, Outcome((1, 2), reason=words)),
        SeedRevealed(1, words, (words,)),
        Waiting(0),
        Replaced(0, name, words),
        Gathered(1, names, words),
        Abandoned(words),
        Sung(0, words),
        {"is": words, words: words, "deep": [{words: name}]},
    ]
    for event in events:
        for text in (None, SongText()):
            line = tell(event, names, text)
            assert line.isprintable()
