"""Words for a person: few and forgiving, each with a page of help."""

from __future__ import annotations

import re

import pytest

from gamecore.games.nim import RULES as NIM
from gamecore.rules import installed_rules
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import ENGLISH
from protocols.lobby import help_pages
from protocols.lobby.commands import ALIASES, ALL_GAMES
from protocols.lobby.line_style import LineStyle

COMMANDS = ALL_GAMES.known

TEXTS = {rules.kind: text for rules in installed_rules() if (text := find_text(rules.kind))}


def test_a_newcomer_is_told_what_to_type_next(lobby):
    with lobby() as home:
        heard = home.call(wide=False).hear()
        assert heard[0] == "Welcome to Parlour. You are guest-1."
        assert "PLAY nim" in heard[1]
        assert len(heard) <= 4


def test_the_house_may_add_a_line_of_its_own(lobby):
    with lobby(welcome="Tea is at five.") as home:
        assert "Tea is at five." in home.call(wide=False).hear()


@pytest.mark.parametrize("word", COMMANDS)
def test_every_word_has_a_short_page(word):
    page = help_pages.of_command(word, ENGLISH)
    assert page[0].lower().startswith(word)
    assert 2 <= len(page) <= 6
    assert all(len(line) <= 110 for line in page)


def test_there_is_no_page_without_a_word(pytestconfig):
    folder = pytestconfig.rootpath / "protocols" / "lobby" / "help" / "en"
    assert {page.stem for page in folder.iterdir()} == set(COMMANDS)


@pytest.mark.parametrize("kind", TEXTS)
def test_every_word_of_a_game_has_a_page_and_so_have_its_rules(kind):
    text = TEXTS[kind]
    for topic in (*text.verbs, help_pages.RULES_PAGE):
        assert help_pages.of_game(text, topic, ENGLISH), f"{kind} has no page about {topic}"


@pytest.mark.parametrize("kind", TEXTS)
def test_no_word_of_a_game_hides_one_that_is_needed_while_it_is_played(kind):
    needless = {"play", "open", "join", "games", "tables"}
    assert not set(TEXTS[kind].verbs) & (COMMANDS.keys() - needless)
    assert not set(TEXTS[kind].verbs) & ALIASES.keys()


def test_help_fits_on_a_screen_and_names_every_word(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("play nim")
        short, long = caller.type("help"), caller.type("help all")
        assert len(short) < 24
        assert short[0] == "Moves: TAKE stones [RESET]."
        for word in COMMANDS:
            assert re.search(rf"\b{word.upper()}\b", "\n".join(short))
            assert any(line.startswith(word.upper()) for line in long)


def test_help_while_a_game_is_played_leaves_out_what_its_words_stand_for(lobby):
    with lobby(rules=installed_rules()) as home:
        caller = home.call()
        caller.type("play castle")
        short, long = caller.type("help"), caller.type("help all")
        assert sum("move" in line.lower() for line in short) == 1
        assert not any(line.startswith("PLAY game") for line in short + long)
        for word in ("CARD name", "DECK NEW"):
            assert sum(line.startswith(word) for line in short) == 1
            assert sum(line.startswith(word) for line in long) == 1
        assert len(short) < 24
        assert caller.type("help play")[0].startswith("PLAY card [place]: ")
        caller.type("leave")
        assert caller.type("help play")[0].startswith("PLAY game")


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_for_a_word_of_a_game_says_once_how_it_is_typed(lobby, kind, language):
    with lobby(rules=installed_rules()) as home:
        caller = home.call()
        caller.type(f"lang {language}"), caller.type(f"open {kind}")
        for word in TEXTS[kind].verbs:
            page = caller.type(f"help {word}")
            assert not page[1].startswith(page[0]), page


def test_help_shows_every_page(lobby):
    with lobby() as home:
        caller = home.call()
        caller.hear()
        for word in COMMANDS:
            assert caller.type(f"help {word}")[:-1] == list(help_pages.of_command(word, ENGLISH))


def test_help_for_a_game_lists_what_can_be_chosen_with_bounds(lobby):
    with lobby() as home:
        heard = home.call().type("help nim")
        assert any("TAKE stones [RESET]" in line for line in heard)
        assert any(re.search(r"stones: .*\(1 to 1000000; 100 if", line) for line in heard)
        assert any("early_moves: " in line and "lose or keep" in line for line in heard)
        assert any("watchers: " in line and "yes or no" in line for line in heard)


def test_help_for_nothing_at_all_says_so(lobby):
    with lobby() as home:
        assert "no page about ../../etc" in home.call().type("help ../../etc")[-2]


@pytest.mark.parametrize("typed", ["GAMES", "games", "GaMeS", "gam", " games ", "/games", "ga"])
def test_any_case_and_any_clear_beginning_will_do(lobby, typed):
    with lobby() as home:
        assert home.call().type(typed)[-2].startswith("nim: Expanding Nim")


def test_a_beginning_of_several_words_is_asked_about(lobby):
    with lobby() as home:
        assert home.call().type("s")[-2] == "S may be one of: START, SIT, SAY, SEED, SUITS, SET."


def test_a_slip_of_the_finger_is_understood_as_one(lobby):
    with lobby() as home:
        assert home.call().type("hlep")[-2].endswith("Did you mean HELP?")
        assert home.call().type("xyzzy")[-2].startswith("There is no word xyzzy here.")


def test_every_alias_is_a_word():
    assert set(ALIASES.values()) <= COMMANDS.keys()


def test_an_empty_line_is_nothing(lobby):
    with lobby() as home:
        caller = home.call()
        caller.hear()
        assert caller.type("", "   ", "\t") == []


# -- names and talk -------------------------------------------------------------------


def test_names_are_one_person_s_at_a_time(lobby):
    with lobby() as home:
        ada, other = home.call("ada"), home.call()
        assert other.type("name \N{CYRILLIC SMALL LETTER A}d\N{CYRILLIC SMALL LETTER A}")[
            -2
        ].startswith("Somebody here has that name")
        assert other.type("name ")[0] == "You are called guest-2."
        assert other.type(f"name {'x' * 25}")[0] == "A name has at most 24 characters."
        ada.type("quit")
        ada.hang_up()
        assert other.type("name ADA")[0] == "You are called ADA."


def test_talk_stays_where_it_is_said(lobby):
    with lobby() as home:
        north, south, _ = home.pair()
        outside = home.call("outside")
        outside.hear()
        assert north.type("say good luck")[0] == "north: good luck"
        assert south.hear() == ["north: good luck"]
        assert outside.hear() == []
        assert outside.type("'anybody?") == ["outside: anybody?", "[hall]"]
        assert north.hear() == south.hear() == []


def test_a_word_in_private_is_for_one(lobby):
    with lobby() as home:
        one, two, three = home.call("one"), home.call("Mary Ann"), home.call("Mary")
        for each in (one, two, three):
            each.hear()
        assert one.type("tell mary ann psst") == ["You tell Mary Ann: psst", "[hall]"]
        assert two.hear() == ["one tells you: psst"]
        assert one.type("tell mary psst")[0] == "You tell Mary: psst"
        assert three.hear() == ["one tells you: psst"]
        assert one.type("tell nobody psst")[0] == "Nobody here is called nobody."
        assert one.type("tell mary")[0].startswith("Say to whom and what")


def test_chat_has_a_budget_that_leaves_moves_alone(lobby):
    with lobby() as home:
        north, _, _ = home.pair()
        heard = north.type(*["say hello"] * 20)
        assert sum(line.startswith("That was too fast") for line in heard) > 5
        assert any("north takes 3" in line for line in north.type("3"))


def test_who_names_all_and_where_they_are(lobby):
    with lobby() as home:
        _, _, code = home.pair("open nim private")
        watcher = home.call("watcher")
        watcher.type(f"watch {code}")
        assert watcher.type("who")[:-1] == [
            "north, playing at nim " + code + ".",
            "south, playing at nim " + code + ".",
            "watcher (you), looking on at nim " + code + ".",
        ]
        outside = home.call().type("who")
        assert "north, playing at nim (a private table)." in outside
        assert not any(code in line for line in outside)


def test_who_does_not_list_a_whole_town(lobby):
    with lobby() as home:
        for _ in range(60):
            home.call()
        heard = home.peers[0].type("who")
        assert heard[-2] == "And 20 others."
        assert len(heard) < 60


# -- looks ----------------------------------------------------------------------------


def test_suits_and_colours_are_as_one_likes():
    line = "[rikiki ABCDE] north plays 10♥, south plays K♠"
    assert LineStyle().draw(line) == line
    assert LineStyle(letters=True).draw(line) == "[rikiki ABCDE] north plays 10H, south plays KS"
    red = LineStyle(colour=True).draw(line)
    assert red.startswith("\x1b[1m[rikiki ABCDE]\x1b[0m")
    assert "\x1b[31m10♥\x1b[0m" in red
    assert "\x1b[31m10H\x1b[0m" in LineStyle(letters=True, colour=True).draw(line)
    assert LineStyle(colour=True).draw("a\x1b[31mb") == "a[31mb"


def test_colours_are_off_unless_asked_for(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("play nim", "3", "board")
        assert b"\x1b" not in caller.got()
        assert caller.type("colour on")[-1].startswith("\x1b[1m[nim ")
        assert "\x1b" not in caller.type("color off")[-1]
        assert caller.type("colour mauve")[0] == "Say COLOUR on or COLOUR off."


def test_suits_are_shown_as_they_will_be(lobby):
    with lobby() as home:
        caller = home.call()
        assert caller.type("suits letters")[-2].endswith("10S 10H 10D 10C")
        assert caller.type("suits signs")[-2].endswith("10♠ 10♥ 10♦ 10♣")
        assert caller.type("suits")[-2].startswith("Say SUITS")


def test_a_language_nobody_speaks_is_refused(lobby):
    with lobby() as home:
        caller = home.call()
        assert caller.type("lang en")[-2].startswith("You are spoken to in en")
        assert caller.type("lang xx")[0].startswith("That language is not spoken here")


def test_the_rules_of_a_game_are_a_page(lobby):
    with lobby() as home:
        caller = home.call()
        assert (
            caller.type("rules nim")[-2:-1]
            == list(help_pages.of_game(TEXTS["nim"], "rules", ENGLISH))[-1:]
        )
        assert caller.type("rules")[0].startswith("RULES of which game?")
        assert caller.type("rules chess")[0].startswith("There is no game called chess here")
        caller.type("play nim")
        assert caller.type("rules")[0].startswith(NIM.title)
