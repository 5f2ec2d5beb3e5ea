"""Rikiki in words: what happens, what may be typed, and how the table is drawn."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

import gamecore.games.rikiki.position
from gamecore.cards import Card
from gamecore.errors import Malformed
from gamecore.fairness import Deal
from gamecore.games.rikiki import (
    RULES,
    Asked,
    Awaited,
    Bid,
    BidPlaced,
    CardPlayed,
    CardsChosen,
    Dealt,
    HandDealt,
    PlayCard,
    Result,
    RikikiOptions,
    RoundScored,
    TrickTaken,
    TrumpTurned,
)
from gamecore.rules import NextRound, Seat, View
from protocols.i18n.game_text import TIE
from protocols.i18n.translate import ENGLISH
from protocols.rikiki.text import TEXT

NAMES = ("Ann", "Ben", "Cat")
ACE, SEVEN = Card("A", "H"), Card("7", "S")

TOLD = [
    (Dealt(1, 2, 2, (1, 2, 0)), "Round 1 of 2: 2 cards each; Ben bids first."),
    (Dealt(2, 2, 1, (1, 2, 0)), "Round 2 of 2: 1 card each; Ben bids first."),
    (HandDealt(0, (SEVEN, ACE)), "Your cards: 7♠ A♥."),
    (TrumpTurned(ACE), "A♥ is turned: ♥ is trump."),
    (TrumpTurned(None), "There is no trump in this round."),
    (BidPlaced(0, 1, "", 1, 2), "Ann bids 1; 1 of 2 tricks bid so far."),
    (BidPlaced(0, 0, "time", 1, 2), "The time of Ann is up: a bid of 0; 1 of 2 tricks bid so far."),
    (
        BidPlaced(0, 0, "left", 1, 2),
        "The house bids 0 for Ann, who left; 1 of 2 tricks bid so far.",
    ),
    (CardPlayed(0, ACE, "", True), "Ann leads A♥."),
    (CardPlayed(1, ACE, "", False), "Ben plays A♥."),
    (CardPlayed(0, ACE, "time", True), "The time of Ann is up: A♥ is led."),
    (CardPlayed(0, ACE, "left", False), "The house plays A♥ for Ann, who left."),
    (TrickTaken(2, ACE, 1), "Cat takes the trick with A♥, and has 1."),
    (
        RoundScored(1, 2, (Result(0, 1, 2, 2, 2), Result(1, 0, 1, 1, 11))),
        "Round 1 of 2 is over: Ann bid 1, took 2: 2 points, 2 in all;"
        " Ben bid 0, took 1: 1 point, 11 in all.",
    ),
    (CardsChosen(1), "The next round deals 1 card to each."),
    (CardsChosen(3), "The next round deals 3 cards to each."),
    (Awaited(0, "bid"), None),
    (Asked(0, (0, 1), ()), None),
]


@pytest.mark.parametrize(("event", "line"), TOLD, ids=range(len(TOLD)))
def test_each_thing_that_happens_is_told_in_one_line(event, line):
    assert TEXT.describe(event, NAMES, ENGLISH) == line


def test_every_event_of_the_game_has_been_thought_of():
    shared = {"RoundBegan", "RoundOver"}
    assert {type(event).__name__ for event, _ in TOLD} | shared == {
        each.__name__ for each in RULES.events
    }


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("BID 2", Bid(2)),
        ("bid 0", Bid(0)),
        ("2", Bid(2)),
        ("-1", Bid(-1)),
        ("PLAY ah", PlayCard(ACE)),
        ("play A♥", PlayCard(ACE)),
        ("ah", PlayCard(ACE)),
        ("10s", PlayCard(Card("10", "S"))),
        ("ts", PlayCard(Card("10", "S"))),
        ("Next", NextRound()),
    ],
)
def test_what_is_typed_is_read(typed, move):
    assert TEXT.read(typed.split(), [], None, ENGLISH) == move


@pytest.mark.parametrize("typed", ["2", "10", "0"])
def test_a_bare_number_where_a_card_is_wanted_asks_for_its_suit(typed):
    with pytest.raises(Malformed, match="rank and suit"):
        TEXT.read([typed], [PlayCard(ACE)], None, ENGLISH)


@pytest.mark.parametrize(
    "typed", ["", "bid", "bid x", "bid 1.5", "bid ²", "bid 1 2", "play", "play 1h", "x", "next 2"]
)
def test_what_is_no_move_is_malformed(typed):
    with pytest.raises(Malformed, match="Say BID and a number"):
        TEXT.read(typed.split(), [], None, ENGLISH)


@pytest.mark.parametrize(
    ("moves", "asked"),
    [
        ([Bid(0), Bid(2)], "Your bid (BID n): 0 2."),
        ([PlayCard(SEVEN), PlayCard(ACE)], "Your card (PLAY card): 7♠ A♥."),
        ([NextRound()], "NEXT begins the next round."),
    ],
)
def test_what_may_be_done_is_said(moves, asked):
    assert TEXT.ask(moves, View(), ENGLISH) == asked


def test_a_question_says_trump_and_what_was_bid_and_taken():
    seats = [Seat(name) for name in NAMES]
    position = RULES.begin(seats, RikikiOptions(first=2), Deal("11" * 32), print, 0.0)
    first, second, third = position.seen_by(None).order
    suit = position.seen_by(None).turned.signed[-1]

    def asked(seat):
        return TEXT.ask(position.legal_moves(seat), position.seen_by(seat), ENGLISH)

    assert asked(first).startswith(f"Trump {suit}. 0 of 2 tricks bid so far. Your bid (BID n): ")
    for seat in (first, second, third):
        position.play(seat, Bid(0 if seat != second else 1), 0.0)
    led = position.legal_moves(first)[0]
    assert asked(first).startswith(
        f"Trump {suit}. You bid 0 and took 0. Your card, like PLAY{TIE}{led.card}: {led.card.signed} "
    )
    position.play(first, led, 0.0)
    said = f"Trump {suit}. On the table: {led.card.signed}. You bid 1 and took 0."
    assert asked(second).startswith(said)


def view_of(board, names):
    """Give as much of the View of a table as the drawing needs."""
    return SimpleNamespace(board=board, names=names, seat=getattr(board, "seat", None))


def test_the_table_is_drawn():
    seats = [Seat(name) for name in NAMES]
    position = RULES.begin(seats, RikikiOptions(first=2), Deal("11" * 32), print, 0.0)
    position.play(0, Bid(1), 0.0)
    board = position.seen_by(0)
    hand = " ".join(card.signed for card in board.hand)
    trump = board.turned
    assert TEXT.board(view_of(board, NAMES), ENGLISH) == [
        f"Round 1 of 2, 2 a hand, trump {trump.signed[-1]} ({trump.signed} was turned).",
        " " * 26 + "     bid      won    cards   points",
        "  Ann                            1        0        2        0",
        "> Ben                            -        0        2        0",
        "  Cat                            -        0        2        0",
        f"Your cards: {hand}",
    ]
    assert TEXT.board(view_of(position.seen_by(None), NAMES), ENGLISH)[-1].startswith("  Cat")
    assert TEXT.board(view_of(None, NAMES), ENGLISH) == []


@pytest.mark.parametrize("players", [2, 5, 26])
def test_no_line_of_the_table_is_too_long_for_a_terminal(players):
    names = tuple(f"{seat:02} " + "x" * 21 for seat in range(players))
    seats = [Seat(name) for name in names]
    options = RikikiOptions(players=players)
    position = RULES.begin(seats, options, Deal("22" * 32), lambda event: None, 0.0)
    chance = Random(1)
    while position.outcome is None:
        mover = min(position.to_move())
        position.play(mover, chance.choice(position.legal_moves(mover)), 0.0)
        for seat in (None, 0):
            for line in TEXT.board(view_of(position.seen_by(seat), names), ENGLISH):
                assert len(line) <= 79


def test_every_key_that_a_move_is_refused_with_has_a_sentence():
    source = Path(gamecore.games.rikiki.position.__file__).read_text()
    keys = set(re.findall(r'Refused\(\s*"([a-z-]+)"', source))
    assert keys - {"no-such-move"} <= set(TEXT.refusals)


@pytest.mark.parametrize("page", ["rules", *TEXT.verbs])
def test_there_is_a_page_on_the_rules_and_on_each_word(page):
    text = files(TEXT.package).joinpath("help", "en", f"{page}.txt").read_text("utf-8")
    assert all(len(line) <= 79 for line in text.splitlines())
    assert page == "rules" or text.startswith(TEXT.verbs[page].split()[0])


def test_many_bids_are_written_as_people_say_them():
    seats = [Seat(name) for name in NAMES]
    position = RULES.begin(seats, RikikiOptions(first=9), Deal("11" * 32), print, 0.0)
    board, every = position.seen_by(0), range(10)

    def asked(*bids):
        return TEXT.ask([Bid(each) for each in bids], board, ENGLISH).split(": ")[1]

    assert asked(*every) == "0 to 9."
    assert asked(*(each for each in every if each != 4)) == "0 to 9, but not 4."
    assert asked(*every[1:]) == "1 to 9."
    assert asked(0, 1, 3) == "0 1 3."
    assert asked(0, 1, 2, 6, 7, 8, 9) == "0 1 2 6 7 8 9."
