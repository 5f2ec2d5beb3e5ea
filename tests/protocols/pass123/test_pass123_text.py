"""1-2-3 Pass in words: what people read and what they may type."""

from __future__ import annotations

from importlib.resources import files

import pytest

from gamecore.cards import Card, read_card
from gamecore.commands import Leave, Play
from gamecore.errors import Malformed
from gamecore.events import EVERYONE
from gamecore.fairness import Deal
from gamecore.games.pass123 import (
    RULES,
    Finish,
    Pass,
    PassOptions,
    PassPosition,
    Tap,
    Tapped,
    Voided,
    begin_with,
)
from gamecore.rules import Seat
from protocols.i18n.game_text import TIE
from protocols.i18n.translate import ENGLISH
from protocols.pass123.text import TEXT

NAMES = ("wren", "robin", "finch")
HANDS = ("QH QS QD 4C", "4H 4S 4D 7C", "7H 7S 7D QC")


def cards(text):
    return tuple(map(read_card, text.split()))


def playing():
    heard = []
    core = begin_with(tuple(map(cards, HANDS)), PassOptions(3), heard.append, 0.0)
    return PassPosition(core), heard


def tell(events):
    return [TEXT.describe(event, NAMES, ENGLISH) for event in events]


def test_a_whole_game_in_words():
    position, heard = playing()
    for seat, name in enumerate(("4C", "7C", "QC")):
        position.play(seat, Pass(read_card(name)), 0.0)
    assert tell(heard) == [
        "wren will pass 4♣.",
        "wren is ready.",
        "robin will pass 7♣.",
        "robin is ready.",
        "finch will pass Q♣.",
        "finch is ready.",
        "1, 2, 3, pass! All cards have moved (pass 1).",
        "robin gets 4♣ from wren.",
        "finch gets 7♣ from robin.",
        "wren gets Q♣ from finch.",
    ]
    heard.clear()
    position.play(2, Pass(read_card("7C")), 0.0)
    heard.clear()
    position.play(0, Finish(), 0.0)
    position.play(2, Tap(), 0.0)
    position.play(1, Tap(), 0.0)
    assert tell(heard) == [
        "wren has finished with Q♥ Q♠ Q♦ Q♣; everybody else, TAP!",
        "finch takes 7♣ back.",
        "finch taps and has place 2.",
        "robin taps last, and loses.",
        None,
    ]


def test_the_clock_is_named_where_it_acted():
    position, heard = playing()
    position.time_up(0, 300.0)
    assert tell(heard) == [
        "wren took too long, and will pass 4♣.",
        "wren took too long, and is ready now all the same.",
    ]
    assert tell([Tapped(1, 3, "time", (1, 3, 0)), Tapped(1, 3, "left", (1, 3, 0))]) == [
        "robin did not tap in time and has place 3.",
        "robin left and has place 3.",
    ]
    assert tell([Voided(1, "disconnected")]) == ["robin lost the connection; the game is void."]


def test_a_beginning_in_words():
    heard = []
    RULES.begin([Seat(name) for name in NAMES], PassOptions(), Deal("00" * 32), heard.append, 0.0)
    told = tell(heard)
    assert told[1] == "Cards of 3 ranks are dealt, and will be passed to the next player."
    assert told[2].startswith("wren is dealt ")


def test_words_for_everybody_name_no_card_that_is_hidden():
    position, heard = playing()
    position.play(0, Pass(read_card("4C")), 0.0)
    public = [event for event in heard if event.audience is EVERYONE]
    assert not any("♣" in line for line in tell(public))


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("pass ah", Pass(Card("A", "H"))),
        ("p ah", Pass(Card("A", "H"))),
        ("AH", Pass(Card("A", "H"))),
        ("10♥", Pass(Card("10", "H"))),
        ("th", Pass(Card("10", "H"))),
        ("P1AH", Pass(Card("A", "H"))),
        ("p110h", Pass(Card("10", "H"))),
        ("finish", Finish()),
        ("F", Finish()),
        ("f1", Finish()),
        ("TAP", Tap()),
        ("t", Tap()),
        ("T1", Tap()),
    ],
)
def test_what_may_be_typed(typed, move):
    position, _ = playing()
    view = position.seen_by(0)
    assert TEXT.read(typed.split(), position.legal_moves(0), view, ENGLISH) == move
    assert TEXT.read(typed.split(), (), None, ENGLISH) == move


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("", "Say PASS"),
        ("pass", "Say which card"),
        ("pass ah qs", "Say PASS"),
        ("pass 1H", "Say which card"),
        ("P2AH", "You are player 1"),
        ("F2", "You are player 1"),
        ("t13", "You are player 1"),
        ("zz", "Say which card"),
    ],
)
def test_what_is_no_move_is_answered_with_what_is_one(typed, problem):
    position, _ = playing()
    with pytest.raises(Malformed, match=problem):
        TEXT.read(typed.split(), (), position.seen_by(0), ENGLISH)


def test_what_may_be_done_is_said_with_the_words_for_it():
    position, _ = playing()

    def ask(seat):
        return TEXT.ask(position.legal_moves(seat), position.seen_by(seat), ENGLISH)

    assert ask(0) == f"Pass one of Q♥ Q♠ Q♦ 4♣, like PASS{TIE}QH."
    for seat, name in enumerate(("4C", "7C", "QC")):
        position.play(seat, Pass(read_card(name)), 0.0)
    assert ask(0) == "You have a set: FINISH! (Or pass one of Q♥ Q♠ Q♦ Q♣: PASS card.)"
    position.play(0, Finish(), 0.0)
    assert ask(1) == "Somebody has finished: TAP!"


def test_the_board_shows_what_its_viewer_may_know(begun_table):
    table = begun_table(HANDS)
    lines = TEXT.board(table.seen_by(0, 0.0), ENGLISH)
    assert lines[0] == "No card has moved yet."
    assert [" ".join(line.split()) for line in lines[1:4]] == [
        "wren chooses a card",
        "robin chooses a card",
        "finch chooses a card",
    ]
    assert lines[4:] == ["Your hand: Q♥ Q♠ Q♦ 4♣", "You pass to robin."]
    table.apply(Play(0, Pass(read_card("4C"))), 0.0)
    lines = TEXT.board(table.seen_by(0, 0.0), ENGLISH)
    assert lines[1].split() == ["wren", "is", "ready"]
    assert lines[4:] == ["Your hand: Q♥ Q♠ Q♦", "You will pass 4♣."]
    assert TEXT.board(table.seen_by(None, 0.0), ENGLISH)[4:] == []
    table.apply(Play(1, Pass(read_card("7C"))), 0.0)
    table.apply(Play(2, Pass(read_card("QC"))), 0.0)
    table.apply(Play(2, Finish()), 0.0)
    table.apply(Play(1, Tap()), 0.0)
    lines = TEXT.board(table.seen_by(0, 0.0), ENGLISH)
    assert lines[0] == "Cards have moved once."
    assert [line.split()[1:] for line in lines[1:4]] == [
        ["has", "to", "tap"],
        ["place", "2"],
        ["has", "finished"],
    ]
    assert lines[4:] == ["The set of finch: 7♥ 7♠ 7♦ 7♣", "Your hand: Q♥ Q♠ Q♦ Q♣"]
    assert all(len(line) < 80 for line in lines)


def test_the_board_of_a_void_game_names_who_has_gone(begun_table):
    table = begun_table(HANDS)
    table.apply(Leave(1), 0.0)
    lines = TEXT.board(table.seen_by(0, 0.0), ENGLISH)
    assert [line.split()[1:] for line in lines[1:4]] == [[], ["has", "gone"], []]


def test_every_key_the_rules_refuse_with_has_a_sentence():
    keys = {"already-named", "already-tapped", "no-set", "nobody-finished", "not-held"}
    assert set(TEXT.refusals) == keys | {"somebody-finished"}
    assert TEXT.refusals["not-held"].format(card="4C") == "You do not hold 4C."


@pytest.mark.parametrize("page", ["rules", "pass", "finish", "tap"])
def test_the_help_pages_fit_a_terminal(page):
    text = files(TEXT.package).joinpath("help", "en", f"{page}.txt").read_text()
    assert text.isascii() and text.endswith("\n")
    assert all(len(line) < 80 for line in text.splitlines())
