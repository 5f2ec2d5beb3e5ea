"""Castle Wars in words: what happens, what is typed, cards and how decks are built."""

from __future__ import annotations

import re
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import commands
from gamecore.errors import Malformed, Refused
from gamecore.events import RoundBegan, RoundOver
from gamecore.games.castle import CARDS, RULES, SAMPLE_DECKS, Deck, moves
from gamecore.games.castle import events as castle_events
from gamecore.games.castle.events import EVENTS
from gamecore.games.castle.moves import Spot
from gamecore.table import Table
from protocols.castle import text_cards
from protocols.castle.deck_builder import DeckBuilder
from protocols.castle.text import TEXT
from protocols.castle.text_events import _DESCRIBERS
from protocols.castle.text_moves import choices, phrase
from protocols.i18n.game_text import TIE
from protocols.i18n.translate import ENGLISH as SAY
from protocols.i18n.translate import translator_of
from protocols.i18n.wrapping import wrap

NAMES = ("red", "blue")


def begin(seed=1, **options):
    opened = commands.Open(
        "TABLE", "castle", 1, 1, 1, "", f"{seed:02x}" * 32, {"begins": "first-seat", **options}, {}
    )
    table = Table(opened, RULES)
    for seat, name in enumerate(NAMES):
        table.apply(commands.Sit(seat, name, brought=Deck()), 0.0)
    return table


def play_on(table, chance, steps):
    """Play by chance, and give every event and every moment somebody may do something."""
    for _ in range(steps):
        waiting = sorted(table.awaited())
        if not waiting:
            return
        seat = chance.choice(waiting)
        turn = table.turn_of(seat, 0.0)
        move = chance.choice(turn.moves)
        yield seat, turn, table.apply(commands.Play(seat, move), 0.0)


# -- what is told ---------------------------------------------------------------------


def test_every_event_but_a_few_has_a_sentence():
    untold = set(EVENTS) - set(_DESCRIBERS)
    assert untold == {RoundBegan, RoundOver, castle_events.Asked, castle_events.AnswerAwaited}


@settings(max_examples=8)
@given(seed=st.integers(1, 200))
def test_whatever_happens_is_one_short_line_and_every_board_fits(seed):
    table = begin(seed)
    for seat, turn, events in play_on(table, Random(seed), 60):
        asked = TEXT.ask(turn.moves, turn.board, SAY).replace(TIE, " ")
        assert asked and len(asked) < 4_000
        for event in events:
            line = TEXT.describe(event, NAMES, SAY)
            assert line is None or ("\n" not in line and "None" not in line and "{" not in line)
        for viewer in (seat, None):
            drawn = TEXT.board(table.seen_by(viewer, 0.0), SAY)
            assert drawn and all(len(line) <= 79 for line in drawn), drawn


@settings(max_examples=8)
@given(seed=st.integers(1, 200))
def test_every_move_can_be_said_by_its_number_and_by_its_words(seed):
    table = begin(seed)
    for _, turn, _ in play_on(table, Random(seed), 40):
        offered = choices(turn.moves, turn.board, SAY)
        asked = TEXT.ask(turn.moves, turn.board, SAY).replace(TIE, " ")
        for number, (words, move) in enumerate(offered.items(), 1):
            assert re.search(rf"\b{number} ", asked)
            assert TEXT.read([str(number)], turn.moves, turn.board, SAY) == move
            try:
                found = TEXT.read(words.split(), turn.moves, turn.board, SAY)
            except Malformed as problem:
                assert str(number) in str(problem)
            else:
                assert offered[words] == found
        for move in turn.moves:  # each that reads otherwise is offered
            assert phrase(move, turn.board, SAY) in offered


def test_in_french_the_words_of_the_help_pages_are_understood_too():
    french, table = translator_of("fr"), begin(3)
    understood = 0
    for _, turn, _ in play_on(table, Random(3), 40):
        for say in (SAY, french):
            for typed, move in choices(turn.moves, turn.board, say).items():
                with suppress(Malformed):
                    found = TEXT.read(typed.split(), turn.moves, turn.board, french)
                    understood += found == move
    assert understood > 200


@given(words=st.lists(st.text(min_size=1, max_size=8), max_size=4))
def test_nothing_typed_makes_the_reader_fail(words):
    table = begin()
    turn = table.turn_of(0, 0.0)
    try:
        move = TEXT.read(words, turn.moves, turn.board, SAY)
    except Malformed as problem:
        assert str(problem)
    else:
        assert type(move) in moves.MOVES


def test_the_plain_forms_reach_the_rules_which_say_what_is_wrong():
    table = begin()
    for seat in (0, 1):
        table.apply(commands.Play(seat, moves.Keep()), 0.0)
    turn = table.turn_of(0, 0.0)
    for typed, move in (
        ("attack s1 castle", moves.Attack(Spot(0, "soldier", 0), Spot(1, "castle", 0))),
        ("attack m2 es1", moves.Attack(Spot(0, "mage", 1), Spot(1, "soldier", 0))),
        ("level m1", moves.LevelMage(0)),
        ("use d", moves.UseAbility(Spot(0, "decree", 0), 0)),
        ("activate t2", moves.ActivateTrickster(1)),
        ("draw", moves.DrawCard()),
        ("allow", moves.AllowAction()),
        ("pass", moves.AllowAction()),
    ):
        assert TEXT.read(typed.split(), turn.moves, turn.board, SAY) == move
        with pytest.raises(Refused) as refused:
            table.apply(commands.Play(0, move), 0.0)
        assert refused.value.key in TEXT.refusals or refused.value.key == "not-now"
    assert TEXT.read(["end"], turn.moves, turn.board, SAY) == moves.EndTurn()
    for typed in ("attack nothing", "play nosuch", "level s1", "dance", "attack d1 s9"):
        with pytest.raises(Malformed):
            TEXT.read(typed.split(), turn.moves, turn.board, SAY)


def test_out_of_turn_nothing_is_read():
    with pytest.raises(Malformed):
        TEXT.read(["end"], (), None, SAY)


def test_a_card_is_explained_and_a_deck_is_built_wherever_one_is():
    builder = TEXT.prepare()
    assert (
        "Warlock (24): soldier, 5 points" in TEXT.obey_extra(["CARD", "warlock"], builder, SAY)[0]
    )
    assert builder.brought is None
    TEXT.obey_extra(["deck", "sample", "mages"], builder, SAY)
    TEXT.obey_extra(["deck", "save"], builder, SAY)
    assert builder.brought == SAMPLE_DECKS["mages"]


def test_hand_board_and_choice_fit_a_terminal_but_for_the_rarest_field():
    rows = []
    for seed in range(1, 7):
        table = begin(seed)
        chance = Random(seed)
        for _ in range(120):
            (seat, *_) = sorted(table.awaited()) or (None,)
            if seat is None:
                break
            turn = table.turn_of(seat, 0.0)
            asked = TEXT.ask(turn.moves, turn.board, SAY).splitlines()
            asked = [part for line in asked for part in wrap(line, 80)]
            rows.append(len(TEXT.board(table.seen_by(seat, 0.0), SAY)) + len(asked))
            table.apply(commands.Play(seat, chance.choice(turn.moves)), 0.0)
    assert sum(each > 24 for each in rows) < len(rows) / 50


def test_what_is_held_and_its_answers_are_drawn_as_they_stand():
    drawn = [
        line
        for seed in range(1, 9)
        for table in [begin(seed)]
        for _ in play_on(table, Random(seed), 150)
        for line in TEXT.board(table.seen_by(None, 0.0), SAY)
    ]
    assert any(line.startswith("Held for an answer: ") for line in drawn)
    assert any(line.startswith("Answered by ") for line in drawn)


def test_a_card_in_the_hand_says_what_it_is_worth_costs_and_does():
    assert text_cards.brief(CARDS[16], SAY).startswith("Archer (soldier 20, costs a ")
    assert text_cards.brief(CARDS[16], SAY).endswith("Enters: destroy an enemy soldier.")
    assert text_cards.brief(CARDS[33], SAY) == "Shaman (trickster): Draw 2 cards."


# -- cards ----------------------------------------------------------------------------


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.key)
def test_every_card_has_a_page_found_by_its_number_and_its_name(card):
    page = list(text_cards.page(card, SAY))
    assert card.name in page[0] and f"({card.id})" in page[0]
    assert all(len(line) <= 79 for line in page)
    assert all(
        any(word in line for line in page) for each in card.abilities for word in each.text.split()
    )
    assert text_cards.find_cards([str(card.id)]) == [card]
    assert card in text_cards.find_cards(card.name.split())


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("warl", [24]),
        ("Mage - Death", [46]),
        ("the wanderer", [31]),
        ("jesters", [28]),
        ("mages partner", [27]),
        ("castle knight", [21]),
        ("knight", [22]),
        ("chateau", [5]),
        ("castle", [0, 1, 2, 3, 4, 5]),
        ("soldier sacrifice", [20]),
        ("", []),
        ("nosuch", []),
        ("99999", []),
    ],
)
def test_cards_are_found_by_what_people_type(typed, found):
    assert [card.id for card in text_cards.find_cards(typed.split())] == found


# -- decks ----------------------------------------------------------------------------


def test_a_deck_is_built_by_words_and_saved_as_a_line_of_numbers():
    builder = DeckBuilder()
    assert "no castle" in builder.obey(["new"], SAY)[0] or builder.obey(["show"], SAY)
    for card in CARDS:
        if card.type not in ("castle",) and builder._cards.total() + card.limit <= 50:
            builder.obey(["add", str(card.id), str(card.limit)], SAY)
    assert "castle is missing" in builder.obey(["save"], SAY)[0]
    builder.obey(["add", "stonehill"], SAY)
    assert builder.obey(["save"], SAY)[0].startswith("A deck has 50 cards") or builder.brought
    while builder._cards.total() < 50:
        builder.obey(["add", "squire" if builder._cards[11] < 2 else "warrior"], SAY)
        free = next(card for card in CARDS[10:] if builder._cards[card.id] < card.limit)
        if builder._cards.total() < 50:
            builder.obey(["add", str(free.id)], SAY)
    *_, line = builder.obey(["save"], SAY)
    assert line.startswith("DECK LOAD ") and builder.brought.castle == 3
    other = DeckBuilder()
    other.obey(line.split()[1:], SAY)
    assert other.brought == builder.brought


@pytest.mark.parametrize("name", SAMPLE_DECKS)
def test_a_sample_is_taken_and_changed(name):
    builder = DeckBuilder()
    builder.obey(["sample", name], SAY)
    builder.obey(["save"], SAY)
    assert builder.brought == SAMPLE_DECKS[name]
    assert all(len(line) <= 79 for line in builder.obey(["show"], SAY))
    card = str(builder.brought.cards[20])
    assert builder.obey(["drop", card], SAY)[0].startswith("49 of 50")
    assert "49" in builder.obey(["save"], SAY)[0]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["dance"],
        ["add"],
        ["add", "nosuch"],
        ["add", "mage"],
        ["drop", "squire"],
        ["load"],
        ["load", "x"],
        ["load", "1"],
        ["sample"],
        ["load", *["10"] * 51],
        ["load", *["999"] * 51],
    ],
)
def test_what_cannot_be_done_with_a_deck_is_said(words):
    builder = DeckBuilder()
    assert builder.obey(words, SAY)[0]
    assert builder.brought is None


def test_every_verb_has_a_page_that_fits():
    from importlib.resources import files

    folder = files("protocols.castle") / "help" / "en"
    assert {*TEXT.verbs, *TEXT.extra_commands, "rules"} == {
        page.name.removesuffix(".txt") for page in folder.iterdir()
    }
    for page in folder.iterdir():
        assert all(len(line) <= 79 for line in page.read_text("utf-8").splitlines())


def test_a_place_that_is_said_behind_a_card_is_where_it_is_laid():
    heard = 0
    for seed in range(1, 7):
        table = begin(seed)
        for _, turn, _ in play_on(table, Random(seed), 80):
            for move in turn.moves:
                if isinstance(move, moves.PlayCard | moves.PutCard) and not move.pay:
                    said = phrase(move, turn.board, SAY).split()
                    try:
                        found = TEXT.read([*said, str(move.slot + 1)], turn.moves, turn.board, SAY)
                    except Malformed as problem:  # two cards are called alike
                        assert "That may be" in str(problem)
                        continue
                    assert type(found) is type(move) and found.slot == move.slot
                    heard += move.slot
    assert heard > 50
