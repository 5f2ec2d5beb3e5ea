"""Connect Four: its rules, its words, its bots, and that the French catalogue says all of it."""

from __future__ import annotations

from importlib.resources import files
from random import Random
from types import SimpleNamespace

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from connect_four.bot import LEVELS
from connect_four.pages.pages import PAGES
from connect_four.rules import RULES, ConnectFourOptions, DiscDropped, DropDisc, line_through
from connect_four.text import TEXT
from gamecore.errors import Malformed, Refused
from gamecore.events import RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.rules import Outcome, Seat
from gamecore.settings import settings_of
from gamecore.table_events import GameOver
from protocols.i18n.describe import tell
from protocols.i18n.translate import ENGLISH, Translator, translator_of
from protocols.testing import GameChecks
from protocols.web.sight import Sight

NAMES = ("ann", "bob")


class TestConnectFour(GameChecks):
    """What Parlour asks of every game."""

    kind = "connect4"


class Game:
    """One game under way, and all that was heard of it."""

    def __init__(self, **options: int) -> None:
        self.heard: list[object] = []
        seats = [Seat(name) for name in NAMES]
        chosen = ConnectFourOptions(**options)
        self.position = RULES.begin(seats, chosen, Deal("00" * 32), self.heard.append, 0.0)

    def play(self, columns: str) -> Game:
        """Let both play in turn, into columns counted from 1."""
        for column in columns:
            (seat,) = self.position.to_move()
            self.position.play(seat, DropDisc(int(column) - 1), 1.0)
        return self

    def draw(self) -> list[str]:
        """Draw the board as seat 0 sees it."""
        view = SimpleNamespace(board=self.position.seen_by(0), names=NAMES)
        return list(TEXT.board(view, ENGLISH))


# -- the rules ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        ("1212121", ((0, 0), (0, 1), (0, 2), (0, 3))),
        ("1122334", ((0, 0), (1, 0), (2, 0), (3, 0))),
        ("12233434644", ((0, 0), (1, 1), (2, 2), (3, 3))),
        ("76655454244", ((3, 3), (4, 2), (5, 1), (6, 0))),
        ("1122445663", ()),
    ],
)
def test_four_in_a_row_win_in_every_direction(columns, line):
    game = Game().play(columns)
    assert game.position.line == line
    assert game.position.outcome == (Outcome((1, 2), reason="four") if line else None)


def test_a_line_may_be_longer_than_four():
    columns = ((0,), (0,), (0,), (0,), (0,), (), ())
    assert len(line_through(columns, 2)) == 5


def test_what_happens_is_told():
    game = Game().play("1212121")
    assert game.heard[:3] == [RoundBegan(1), DiscDropped(0, 0, 0, ()), DiscDropped(1, 1, 0, ())]
    assert game.heard[-1] == RoundOver(1)


def test_a_full_board_is_a_draw():
    game = Game(columns=4, rows=4).play("1234" * 2 + "2143" + "1234")
    assert game.position.outcome == Outcome((1, 1), reason="full")
    assert game.position.to_move() == frozenset()


def test_what_the_rules_do_not_allow_is_refused_and_changes_nothing():
    game = Game(rows=4).play("1111")
    before = game.position.seen_by(None)
    for seat, column, key in [
        (1, 1, "not-your-turn"),
        (0, 0, "no-room-there"),
        (0, 7, "no-room-there"),
        (0, -1, "no-room-there"),
    ]:
        with pytest.raises(Refused) as refusal:
            game.position.play(seat, DropDisc(column), 2.0)
        assert refusal.value.key == key
    assert game.position.seen_by(None) == before


def test_a_game_that_is_over_is_over():
    game = Game().play("1212121")
    with pytest.raises(Refused, match="game-over"):
        game.position.play(1, DropDisc(0), 2.0)
    heard = list(game.heard)
    game.position.leave(0, "left", 2.0)
    assert game.heard == heard


def test_each_move_has_its_own_time_and_who_uses_it_up_has_lost():
    game = Game(seconds=10)
    assert game.position.due() == {0: 10.0}
    game.play("1")
    assert game.position.due() == {1: 11.0}
    game.position.time_up(1, 11.0)
    assert game.position.outcome == Outcome((1, 2), reason="time")
    assert game.position.due() == {}


@pytest.mark.parametrize(("seconds", "given"), [(120, {"seconds": 600}), (30, {})])
def test_who_plays_alone_has_time_to_read_unless_another_clock_was_chosen(seconds, given):
    assert TEXT.quick_options({"columns": 7, "rows": 6, "seconds": seconds}) == given


def test_a_guess_is_a_game_of_its_own():
    game = Game().play("121212")
    heard: list[object] = []
    guess = game.position.guess(0, Random(1), heard.append)
    assert guess.seen_by(1) == game.position.seen_by(1)
    guess.play(0, DropDisc(0), 2.0)
    assert guess.outcome is not None and game.position.outcome is None
    assert heard[-1] == RoundOver(1) and RoundOver(1) not in game.heard


# -- the words ------------------------------------------------------------------------


def test_the_board_is_drawn_with_the_line_in_capitals():
    assert Game(columns=5, rows=4).play("1212121").draw() == [
        "| X . . . . |",
        "| X o . . . |",
        "| X o . . . |",
        "| X o . . . |",
        "  1 2 3 4 5",
        "x ann, o bob",
    ]


def test_the_largest_board_fits_a_small_screen():
    drawn = Game(columns=9, rows=9).draw()
    assert len(drawn) <= 20 - 6 and max(map(len, drawn)) <= 40


def test_a_column_is_typed_as_a_number():
    for typed in ("drop 4", "4", "DROP 4"):
        assert TEXT.read(typed.split(), (), None, ENGLISH) == DropDisc(3)
    for typed in ("drop", "0", "44", "drop x", "4 4", "٤"):
        with pytest.raises(Malformed):
            TEXT.read(typed.split(), (), None, ENGLISH)


def test_a_legal_move_is_written_as_it_is_read():
    position = Game().play("1111112").position
    (seat,) = position.to_move()
    moves = position.legal_moves(seat)
    typed = [TEXT.typed(move, position.seen_by(seat)) for move in moves]
    assert typed == ["2", "3", "4", "5", "6", "7"]
    assert [TEXT.read([each], moves, None, ENGLISH) for each in typed] == moves


def test_every_drop_is_told_in_one_line():
    heard = Game().play("1212121").heard
    told = [TEXT.describe(event, NAMES, ENGLISH) for event in heard]
    assert told[1] == "ann plays column 1."
    assert told[-2] == "ann plays column 1 and has four in a row!"
    assert told[0] is told[-1] is None


# -- the pages ------------------------------------------------------------------------


def seen(columns: str, seat: int | None = 0, say: Translator = ENGLISH) -> dict[str, object]:
    """Give what the page of a seat is drawn from."""
    game = Game().play(columns)
    moves = () if seat is None else tuple(game.position.legal_moves(seat))
    view = SimpleNamespace(board=game.position.seen_by(seat), seat=seat, kind="connect4")
    lately = tuple((event, NAMES) for event in game.heard)
    sight = Sight(view, moves, say, "watcher" if seat is None else "player", NAMES, lately)
    return dict(PAGES.facts(sight, None))


def test_each_column_says_what_lies_in_it_and_is_pressed_to_drop_a_disc():
    facts = seen("11")
    first, second, *_ = facts["columns"]
    assert first.discs == "ann, bob" and second.discs == "empty"
    assert [each.move for each in facts["columns"]] == [DropDisc(each) for each in range(7)]
    assert [(each.row, each.seat) for each in first.squares[-3:]] == [(2, None), (1, 1), (0, 0)]
    assert [each.row for each in first.squares if each.last] == [1]
    assert facts["ask"] == "Choose a column."


def test_a_full_column_and_all_columns_for_one_who_looks_on_cannot_be_pressed():
    assert [each.move for each in seen("111111")["columns"]][:2] == [None, DropDisc(1)]
    assert [each.move for each in seen("11", None)["columns"]] == [None] * 7
    assert seen("11", None)["ask"] == ""


def test_the_line_that_won_is_shown_and_nothing_can_be_pressed_any_more():
    columns = seen("1212121")["columns"]
    best = [[square.row for square in each.squares if square.best] for each in columns]
    assert best == [[3, 2, 1, 0], *[[]] * 6]
    assert [each.move for each in columns] == [None] * 7


def test_a_disc_is_seen_falling_before_what_follows():
    *_, dropped, _ = Game().play("1212121").heard
    assert PAGES.rest(dropped) > 0 == PAGES.rest(RoundBegan(1))


def sentences_of_the_pages() -> set[str]:
    """Give what the template says that the house does not say as well."""
    path = str(files("connect_four") / "pages" / "table.html")
    keywords = {"say": None, "several": (1, 2)}
    options = {"trim_blocks": "true", "silent": "false"}
    found = extract_from_file("jinja2.ext:babel_extract", path, keywords=keywords, options=options)
    french = translator_of("fr")
    house = {"The board"}
    assert all(french(each) != each for each in house)
    return {each[1] for each in found} - house


class Listener:
    """Stands in for a language, and keeps every sentence that is asked of it."""

    def __init__(self) -> None:
        self.sentences: set[str] = set()

    def __call__(self, sentence: str, /, **facts: object) -> str:
        self.sentences.add(sentence)
        return sentence


def all_sentences() -> set[str]:
    """Say everything there is to say."""
    said = Listener()
    game = Game().play("1212121")
    for event in game.heard:
        TEXT.describe(event, NAMES, said)
    TEXT.ask([], game.position.seen_by(0), said)
    with pytest.raises(Malformed):
        TEXT.read(["up"], (), None, said)
    seen("1", 1, said)
    said.sentences |= sentences_of_the_pages()
    helps = {each.bounds.help for each in settings_of(RULES.options)}
    words = (TEXT.reasons, TEXT.verbs, TEXT.refusals)
    return said.sentences.union(helps, *(each.values() for each in words))


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome((1, 2), reason="four"), "ann wins (four in a row)"),
        (Outcome((1, 1), reason="full"), "ann and bob share the first place (the board is full)"),
        (Outcome((2, 1), reason="time"), "bob wins (out of time)"),
    ],
)
def test_how_a_game_ends_is_said_in_words(outcome, said):
    assert tell(GameOver(1, outcome), NAMES, TEXT) == f"Game 1 is over: {said}."


def test_the_french_catalogue_says_all_of_it_and_nothing_else():
    with (files("connect_four") / "catalogues" / "fr.po").open("rb") as file:
        catalogue = {each.id: each.string for each in read_po(file, locale="fr") if each.id}
    assert catalogue.keys() == all_sentences()
    assert all(catalogue.values())


# -- the bots -------------------------------------------------------------------------


def choose(level: str, columns: str) -> int:
    position = Game().play(columns).position
    (seat,) = position.to_move()
    move = LEVELS[level].choose(position.seen_by(seat), position.legal_moves(seat), Random(7))
    return move.column + 1


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_takes_a_win(level):
    assert choose(level, "121212") == 1


def test_a_good_bot_prevents_a_loss():
    assert choose("good", "12121") == 1


def test_the_good_bot_beats_the_easy_one():
    wins = 0
    for seed in range(10):
        chance, game = Random(seed), Game()
        while seats := game.position.to_move():
            (seat,) = seats
            bot = LEVELS["good" if seat == seed % 2 else "easy"]
            moves = game.position.legal_moves(seat)
            game.position.play(seat, bot.choose(game.position.seen_by(seat), moves, chance), 1.0)
        assert game.position.outcome is not None
        wins += game.position.outcome.places[seed % 2] == 1
    assert wins >= 8
