"""How many cards the next round deals: said between rounds by the organizer, else as the schedule has it."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.rikiki import RULES, CardsChosen, ChooseCards, Dealt
from gamecore.hall import Hall
from gamecore.record import read_records, write_record
from gamecore.rules import NextRound, Registry
from gamecore.table import Table

SEED = "5e" * 32


class Opened:
    """A table of two, perhaps with an organizer, and all that was done there."""

    def __init__(self, owner=None, rules=RULES, **options):
        opened = commands.Open(
            *("TABLE", "rikiki", rules.version, 1, 1, "", SEED),
            {"players": 2, "first": 3, **options},
            {},
            owner,
        )
        self.table, self.done = Table(opened, rules), [opened]
        for seat, name in enumerate(("ann", "ben")):
            self.do(commands.Sit(seat, name))
        self.play_round()

    def do(self, command, now=1.0):
        events = self.table.apply(command, now)
        self.done.append(command)
        return events

    def play_round(self):
        while self.table.stage is Stage.PLAYING:
            (seat,) = self.table.awaited()
            self.do(commands.Play(seat, self.table.legal_moves(seat)[0]))

    def refuses(self, command):
        with pytest.raises(Refused) as refusal:
            self.table.apply(command, 1.0)
        return refusal.value.key

    def dealt(self, events):
        return next(each for each in events if isinstance(each, Dealt))


@pytest.mark.parametrize("cards", [1, 3, 26])
def test_the_organizer_says_how_many_cards_the_next_round_deals(cards):
    game = Opened(owner="hash")
    assert game.table.seen_by(None, 1.0).board.next_cards == 2
    assert game.do(commands.Organize(ChooseCards(cards))) == [CardsChosen(cards)]
    assert game.table.seen_by(0, 1.0).board.next_cards == cards
    dealt = game.dealt(game.do(commands.Play(1, NextRound())))
    assert (dealt.number, dealt.rounds, dealt.cards) == (2, 3, cards)
    assert game.table.seen_by(0, 1.0).board.next_cards is None
    game.play_round()
    assert game.table.seen_by(None, 1.0).board.next_cards == 1  # as the schedule has it


def test_the_last_word_counts_and_the_end_of_the_pause_takes_it():
    game = Opened(owner="hash")
    game.do(commands.Organize(ChooseCards(9)))
    game.do(commands.Organize(ChooseCards(4)))
    assert game.dealt(game.do(commands.TimeUp("turn", 0), 100.0)).cards == 4


def test_without_an_answer_the_schedule_decides_at_the_end_of_the_pause():
    assert Opened(owner="hash").dealt(Opened().do(commands.TimeUp("turn", 0), 100.0)).cards == 2


def test_without_an_organizer_whoever_may_begin_the_round_says_it():
    game = Opened(next="opener")
    assert game.refuses(commands.Organize(ChooseCards(2), 1)) == "not-your-turn"
    assert game.refuses(commands.Organize(ChooseCards(2))) == "not-organizer"
    assert game.do(commands.Organize(ChooseCards(5), 0)) == [CardsChosen(5)]
    anyone = Opened()
    assert anyone.do(commands.Organize(ChooseCards(5), 1)) == [CardsChosen(5)]


@pytest.mark.parametrize("seat", [0, 1])
def test_players_do_not_speak_for_an_organizer(seat):
    game = Opened(owner="hash")
    assert game.refuses(commands.Organize(ChooseCards(2), seat)) == "not-organizer"
    assert game.refuses(commands.Play(seat, ChooseCards(2))) == "no-such-move"
    assert ChooseCards(2) not in game.table.legal_moves(seat)


@pytest.mark.parametrize("cards", [0, 27, -1])
def test_more_cards_than_there_are_cannot_be_dealt(cards):
    assert Opened(owner="hash").refuses(commands.Organize(ChooseCards(cards))) == "cards-range"


@pytest.mark.parametrize(("limit", "cards"), [(4, 5), (4, 26), (2, 3)])
def test_no_round_deals_more_than_the_table_does_in_any_hand(limit, cards):
    game = Opened(owner="hash", first=2, max=limit)
    assert game.refuses(commands.Organize(ChooseCards(cards))) == "cards-range"
    assert game.do(commands.Organize(ChooseCards(limit))) == [CardsChosen(limit)]


def test_a_table_of_before_may_go_on_with_more():
    (before,) = RULES.earlier
    game = Opened(owner="hash", rules=before, max=3)
    assert game.do(commands.Organize(ChooseCards(9))) == [CardsChosen(9)]
    assert game.dealt(game.do(commands.Play(0, NextRound()))).cards == 9


def test_it_is_said_between_rounds_alone():
    game = Opened(owner="hash", first=1)
    assert game.table.stage is Stage.OVER
    assert game.refuses(commands.Organize(ChooseCards(1))) == "no-game"
    other = Opened(owner="hash")
    other.do(commands.Play(0, NextRound()))
    assert other.refuses(commands.Organize(ChooseCards(1))) == "wrong-state"


def test_more_cards_than_the_biggest_hand_are_no_way_to_a_trump_that_is_never():
    game = Opened(owner="hash", top_trump="never")
    game.do(commands.Organize(ChooseCards(5)))
    game.do(commands.Play(0, NextRound()))
    assert game.table.seen_by(None, 1.0).board.trump is None


def test_what_was_said_is_in_the_record_and_is_replayed():
    game = Opened(owner="hash")
    game.do(commands.Organize(ChooseCards(7)))
    game.do(commands.Play(0, NextRound()))
    lines, previous = [], "0" * 64
    for sequence, command in enumerate(game.done):
        record = write_record("TABLE", sequence, float(sequence > 0), 1e9, command, previous)
        lines.append(record.line)
        previous = record.hash
    again = Hall(Registry([RULES])).replay(read_records(lines))
    assert again.seen_by(0, 1.0) == game.table.seen_by(0, 1.0)
