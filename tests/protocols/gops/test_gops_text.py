"""GOPS in words."""

from __future__ import annotations

from importlib.resources import files

import pytest

from gamecore import commands
from gamecore.errors import Malformed
from gamecore.events import RoundOver
from gamecore.games.gops import (
    RULES,
    Bid,
    Forfeited,
    Laid,
    PrizeTurned,
    Revealed,
)
from gamecore.table import Table
from protocols.gops.text import TEXT
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import ENGLISH

NAMES = ("north", "south")
SUIT = tuple(range(1, 14))


def table(**options):
    """Begin a game at a table, its prizes rising from the ace."""
    opened = commands.Open(
        "TABLE", "gops", 1, 1, 1, "", "00" * 32, {"order": "ascending", **options}, {}
    )
    table = Table(opened, RULES)
    for seat, name in enumerate(NAMES):
        table.apply(commands.Sit(seat, name), 0.0)
    return table


def bid(table, *cards):
    for seat, card in enumerate(cards):
        table.apply(commands.Play(seat, Bid(card)), 0.0)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            PrizeTurned(1, 1, (1,), (SUIT, SUIT), (0, 0)),
            "Round 1: A♦ is turned up; 1 point at stake.",
        ),
        (
            PrizeTurned(3, 13, (4, 10, 13), (SUIT, SUIT), (0, 0)),
            "Round 3: K♦ is turned up; with what lay there, 4♦ 10♦, 27 points at stake.",
        ),
        (Laid(1), "south has laid a card."),
        (
            Revealed(2, 13, (4, 13), (1, 12), 1, (3, 17), ()),
            "north lays A♠, south lays Q♣: south takes 4♦ K♦ (17 points). north has 3, south 17.",
        ),
        (
            Revealed(2, 13, (13,), (1, 1), None, (3, 0), (13,)),
            "north lays A♠, south lays A♣: equal cards, and nobody takes K♦ this time. north has 3, south 0.",
        ),
        (
            Revealed(2, 13, (13,), (1, 1), None, (3, 0), ()),
            "north lays A♠, south lays A♣: equal cards, and nobody gets K♦. north has 3, south 0.",
        ),
        (Forfeited((0,), "left", (3, 0)), "north left; south wins."),
        (Forfeited((1,), "time", (3, 0)), "south has not laid a card in time; north wins."),
        (
            Forfeited((0, 1), "time", (3, 0)),
            "Nobody has laid a card in time; the game is drawn.",
        ),
        (RoundOver(1), None),
    ],
)
def test_each_thing_that_happens_is_told_in_one_line(event, line):
    assert TEXT.describe(event, NAMES, ENGLISH) == line


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("bid q", 12),
        ("BID 10", 10),
        ("Q", 12),
        ("12", 12),
        ("a", 1),
        ("1", 1),
        ("t", 10),
        ("k♠", 13),
        ("10c", 10),
        ("99", None),
        ("bid", None),
        ("", None),
        ("bid q q", None),
        ("♠", None),
        ("queen", None),
        ("0", None),
    ],
)
def test_a_card_is_read_as_people_type_it(typed, card):
    if card is None:
        with pytest.raises(Malformed, match="Say which card"):
            TEXT.read(typed.split(), [], None, ENGLISH)
    else:
        assert TEXT.read(typed.split(), [], None, ENGLISH) == Bid(card)


def test_a_player_is_asked_with_all_that_is_needed_to_answer():
    played = table(cards=4)
    bid(played, 1, 1)
    asked = TEXT.ask(played.legal_moves(0), played.seen_by(0, 0.0).board, ENGLISH)
    assert asked == "For A♦ 2♦ (3 points) lay one of 2 3 4: BID card."


def test_the_board_shows_what_the_viewer_may_know_and_no_more():
    played = table(cards=4)
    bid(played, 1, 1)
    bid(played, 3)
    rows = [
        "Round 2 of 4.",
        "At stake: A♦ 2♦ (3 points)",
        "To come: 3♦ 4♦",
        "north has 0: 2♠ 3♠ 4♠",
        "south has 0: 2♣ 3♣ 4♣",
    ]
    for seat, laid in ((0, "You have laid 3♠."), (1, "north has laid a card.")):
        assert TEXT.board(played.seen_by(seat, 0.0), ENGLISH) == [*rows, laid]
    assert TEXT.board(played.seen_by(None, 0.0), ENGLISH)[-1] == "north has laid a card."


def test_the_board_of_a_game_that_is_over_says_how_it_ended():
    played = table()
    played.apply(commands.Leave(0), 1.0)
    assert TEXT.board(played.seen_by(None, 1.0), ENGLISH)[-1] == "north left; south wins."


def test_no_line_of_the_board_is_longer_than_a_terminal_is_wide():
    opened = commands.Open("TABLE", "gops", 1, 1, 1, "", "00" * 32, {}, {})
    played = Table(opened, RULES)
    for seat in (0, 1):
        played.apply(commands.Sit(seat, f"{seat}" * 24), 0.0)
    for _ in range(12):
        for view in (None, 0, 1):
            assert max(map(len, TEXT.board(played.seen_by(view, 0.0), ENGLISH))) < 80
        bid(played, played.legal_moves(0)[0].card, played.legal_moves(1)[0].card)


def test_there_is_nothing_to_draw_before_the_game():
    opened = commands.Open("TABLE", "gops", 1, 1, 1, "", "00" * 32, {}, {})
    assert TEXT.board(Table(opened, RULES).seen_by(None, 0.0), ENGLISH) == []


def test_every_refusal_of_the_game_has_its_sentence():
    assert set(TEXT.refusals) == {"already-laid", "no-such-card", "card-played"}


def test_the_words_are_found_by_the_kind_of_the_game():
    assert find_text("gops") is TEXT


@pytest.mark.parametrize("page", ["rules", "bid"])
def test_the_pages_of_help_fit_a_terminal(page):
    lines = (files("protocols.gops") / "help" / "en" / f"{page}.txt").read_text("utf-8")
    assert lines and max(map(len, lines.splitlines())) < 80
