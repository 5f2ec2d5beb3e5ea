"""What a newcomer meets first: words behind words, a level that is none, pages and boards on a narrow screen."""

from __future__ import annotations

import pytest

from gamecore.bots import bots_of
from gamecore.games.castle import RULES as CASTLE
from gamecore.rules import installed_rules
from protocols.i18n.game_text import NarrowBoard, find_text
from protocols.i18n.translate import ENGLISH, languages, translator_of
from protocols.i18n.wrapping import cells
from protocols.lobby import help_pages
from protocols.lobby.commands import ALL_GAMES
from tests.protocols.lobby.test_lobby_french import play_on

TEXTS = {rules.kind: text for rules in installed_rules() if (text := find_text(rules.kind))}
BARE = [name for name, command in ALL_GAMES.known.items() if command.is_bare]


# -- words behind words ----------------------------------------------------------------


def test_there_are_words_that_are_said_alone():
    assert {"start", "board", "leave", "quit", "resign", "rematch", "who", "why"} <= set(BARE)
    assert not {"play", "join", "say", "help", "name"} & set(BARE)


@pytest.mark.parametrize("word", BARE)
@pytest.mark.parametrize("seated", [False, True])
def test_a_word_that_is_said_alone_is_refused_with_others_behind_it(lobby, word, seated):
    with lobby() as home:
        caller = home.call("ada")
        if seated:
            caller.type("open nim")
        heard = caller.type(f"{word} now please")
        assert heard[0] == f"Say {word.upper()} alone: no word goes behind it."
        assert len(heard) == 2 and not caller.closed
        assert len(home.tables) == seated


def test_a_language_is_one_word(lobby):
    with lobby() as home:
        caller = home.call("ada")
        assert caller.type("lang fr de")[0].startswith("That language is not spoken here.")
        assert caller.type("lang french")[0].startswith("La langue est fr")


def test_the_letter_that_leaves_a_page_does_not_leave_the_house(lobby):
    with lobby() as home:
        caller = home.call("ada")
        caller.type("width 80 12", "help all", "q")
        assert caller.type("q")[0] == "There is no word q here. Did you mean QUIT?"
        assert not caller.closed


@pytest.mark.parametrize("kind", TEXTS)
def test_a_level_that_is_none_is_answered_with_those_there_are(lobby, kind):
    with lobby(rules=installed_rules()) as home:
        heard = home.call("ada").type(f"play {kind} grandmaster")
        assert heard[0].startswith("There is no bot of level grandmaster for this game.")
        assert ", ".join(bots_of(kind)) in heard[0]
        assert home.tables == []


def test_a_setting_may_follow_without_a_level(lobby):
    with lobby() as home:
        assert any("Your turn" in line for line in home.call("ada").type("play nim resets=1"))
        heard = home.call("bob").type("play nim stoned=1")
        assert heard[0].startswith("There is nothing called stoned")


# -- pages -----------------------------------------------------------------------------


def pages(language):
    say = translator_of(language)
    for word in ALL_GAMES.known:
        yield word, help_pages.of_command(word, say)
    for kind, text in TEXTS.items():
        for topic in (*text.verbs, help_pages.RULES_PAGE):
            yield f"{kind} {topic}", help_pages.of_game(text, topic, say)


@pytest.mark.parametrize("language", languages())
def test_a_page_loses_no_word_when_its_paragraphs_are_joined(language):
    for topic, page in pages(language):
        joined = help_pages.in_paragraphs(page)
        assert " ".join(joined).split() == " ".join(page).split(), topic
        assert [line for line in page if line.startswith(" ")] == [
            line for line in joined if line.startswith(" ")
        ], topic


def test_rules_are_read_as_paragraphs_on_a_narrow_screen(lobby):
    with lobby() as home:
        caller = home.call("ada")
        wide = caller.type("rules nim")
        lines = caller.type("width 40", "rules nim")[2:]
        assert " ".join(" ".join(lines).split()) == " ".join(" ".join(wide).split())
        assert len(lines) < 1.1 * sum(len(line) for line in lines) / 40 + len(wide) / 2


# -- boards ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("columns", [40, 60])
def test_a_board_is_drawn_for_a_narrow_screen_and_not_broken(lobby, kind, language, columns):
    text, say = TEXTS[kind], translator_of(language)
    assert isinstance(text, NarrowBoard)
    rules = [rules for rules in installed_rules() if rules.kind == kind]
    with lobby(rules=rules) as home:
        caller = home.call("ada")
        caller.type(f"play {kind}")
        for _ in range(6):
            drawn = []
            caller.link.session.look(
                lambda view: drawn.extend(text.narrow_board(view, say, columns))  # noqa: B023
            )
            home.settle()
            assert drawn
            assert [line for line in drawn if cells(line) > columns] == []
            play_on(home, caller, 1)


def test_a_board_is_not_drawn_where_there_is_nothing_to_choose(lobby):
    with lobby(rules=(CASTLE,)) as home:
        caller = home.call("ada")
        heard = caller.type("play castle")
        session, forced, chosen = caller.link.session, 0, 0
        for _ in range(60):
            if not session.table.live:
                break
            if not session.table.is_turn_of(session.seat):
                home.clock.advance(1)
                home.settle()
                continue
            moves = len(session.table.turn.moves)
            drawn = any(line.startswith("Your hand") for line in heard)
            if heard and heard[-1].startswith("[castle") and "Your turn" in heard[-1]:
                assert drawn is (moves > 1), heard
                forced, chosen = forced + (moves == 1), chosen + (moves > 1)
            heard = caller.type("1")
        assert forced > 2 and chosen > 2


def test_who_wants_the_board_always_is_shown_it_then_too(lobby):
    with lobby(rules=(CASTLE,)) as home:
        caller = home.call("ada")
        caller.type("set board always", "play castle")
        heard = caller.type("1")
        while "1 DRAW" not in heard[-1]:
            heard = caller.type("1")
        assert any(line.startswith("Your hand") for line in heard)
        assert ENGLISH("Your turn.") in heard[-1]


# -- tables ----------------------------------------------------------------------------


def test_who_opens_a_table_with_a_password_is_told_how_others_come_in(lobby):
    with lobby() as home:
        ann = home.call("ann")
        locked = ann.type("open nim password xyzzy")[-1]
        assert " and the password." in locked and "xyzzy" not in locked
        ann.type("leave")
        assert " and the password." not in ann.type("open nim")[-1]


def test_who_joins_is_told_of_the_rules_like_who_opened(lobby):
    with lobby() as home:
        ann, ben = home.call("ann"), home.call("ben")
        for heard in (ann.type("open nim"), ben.type("join nim")):
            assert any(line.endswith("RULES explains it.") for line in heard)


def test_a_replay_writes_settings_as_they_are_typed(lobby):
    with lobby() as home:
        ann = home.call("ann")
        ann.type("play nim stones=1", "1")
        (settings,) = [line for line in ann.type("replay") if line.startswith("Settings: ")]
        assert "lazy_clock no" in settings and "lag 0," in settings and "False" not in settings
