"""The lobby in French, from the door to the end of a game: nothing that is told stays in English."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import protocols
from gamecore.rules import installed_rules
from protocols.i18n.translate import translator_of
from protocols.lobby import help_pages
from protocols.lobby.commands import ALL_GAMES

COMMANDS = ALL_GAMES.known

RULES = sorted(installed_rules(), key=lambda rules: rules.kind)
FRENCH = translator_of("fr")
TABLES = {
    "castle": "castle easy",
    "gops": "gops cards=4",
    "nim": "nim stones=12",
    "pass123": "pass123 players=3",
    "rikiki": "rikiki players=3 first=3",
}
FEWEST_LETTERS = 8  # of a sentence that is looked for: shorter ones could be anything


# -- how English is found ---------------------------------------------------------------


def _templates():
    """Give what finds a sentence of ours as it is written in the source, whatever its facts."""
    with (Path(protocols.__file__).parent / "i18n" / "catalogues" / "fr.po").open("rb") as file:
        catalogue = [each for each in read_po(file, locale="fr") if each.id]
    for entry in catalogue:
        pairs = [(entry.id, entry.string)]
        if entry.pluralizable:
            pairs = list(zip(entry.id, entry.string, strict=True))
        for sentence, translated in pairs:
            pieces = [piece for piece, *_ in string.Formatter().parse(sentence)]
            letters = sum(map(str.isalpha, "".join(pieces)))
            if letters >= FEWEST_LETTERS and sentence != translated:
                yield sentence, re.compile(r"\b" + ".*".join(map(re.escape, pieces)).lstrip())


TEMPLATES = list(_templates())


def in_english(lines):
    """List the sentences of the source that stand untranslated in some lines."""
    return [
        (line, sentence)
        for line in lines
        for sentence, template in TEMPLATES
        if template.search(line) and not line.startswith("  ")
    ]


def test_a_sentence_in_english_is_found():
    found = in_english(["[nim ABCDE] Your turn. Take 1 to 3 stones: TAKE n."])
    sentences = {
        sentence.removesuffix(".") for _, sentence in found
    }  # a heading is said without one
    assert sentences == {"Your turn", "Take 1 to {most} stones: TAKE n"}
    assert in_english(["ada takes seat 1."])
    assert not in_english(["ada prend la place 1."])


# -- whole games ------------------------------------------------------------------------


def play_on(home, caller, turns):
    """Let a person make a move that is legal wherever it is their turn; gives all they heard."""
    heard = []
    for _ in range(turns):
        session = caller.link.session
        if not session.table.live:
            break
        moves, board = session.table.moves()
        if moves and session.table.is_turn_of(session.seat):
            move = moves[len(heard) % len(moves)]
            home.clock.advance(0.05)  # nobody types faster than a link may say
            heard += caller.type(session.table.text.typed(move, board))
        else:
            home.clock.advance(1)
            home.settle()
            heard += caller.hear()
    return heard


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.kind)
def test_a_game_is_told_in_french_alone(lobby, rules):
    with lobby(rules=(rules,)) as home:
        caller = home.call("ada")
        caller.hear()
        heard = caller.type("lang fr", f"play {TABLES[rules.kind]}")
        assert heard[0] == "La langue est fr (parmi en, fr)."
        heard += play_on(home, caller, 120 if rules.kind == "castle" else 400)
        if rules.kind != "castle":
            assert any(line.startswith("La partie 1 est finie : ") for line in heard)
        heard += caller.type("board", "why", "who", "seed", "help", "bid 99", "xyzzy", "leave")
        assert len(heard) > 15
        assert in_english(heard) == []


def test_each_thing_that_happens_is_told_to_each_in_their_own_language(lobby):
    with lobby() as home:
        north, south, code = home.pair("open nim stones=8 resets=0")
        french = home.call("luc")
        french.type("lang fr", f"watch {code}")
        english = home.call("may")
        english.type(f"watch {code}")
        for each in (french, english):
            each.hear()
        for caller, move in zip([north, south] * 4, ("3", "4", "1"), strict=False):
            caller.type(f"take {move}")
        told, meant = french.hear(), english.hear()
        assert len(told) == len(meant) >= 4
        for here, there in zip(told, meant, strict=True):
            assert here != there
            assert re.findall("north|south|[0-9]+", here) == re.findall("north|south|[0-9]+", there)
        assert told[0] == "north en prend 3 ; reste 5, ensuite 4 au plus."
        assert meant[0] == "north takes 3; 5 left, at most 4 next."


def test_the_same_commands_answer_in_french(lobby):
    with lobby(rules=RULES) as home:
        ada = home.call("ada")
        ada.type("lang fr")
        heard = ada.type(
            *(
                "games",
                "tables",
                "who",
                "why",
                "help",
                "help all",
                "colour on",
                "colour off",
                "suits",
            ),
            *(
                "colour",
                "suits letters",
                "suits signs",
                "name",
                "tell x",
                "tell x y",
                "say",
                "join",
            ),
            *(
                "watch",
                "watch xxxxx",
                "return",
                "return xxxxx",
                "rules",
                "rules xyzzy",
                "s",
                "hlep",
            ),
            *(
                "leave",
                "start",
                "bot",
                "mix",
                "mix x",
                "seed",
                "sit",
                "board",
                "rematch",
                "lang xx",
            ),
            *(
                "open",
                "open nim stones=x",
                "open nim stones=0",
                "open nim xyzzy=1",
                "open nim early=x",
            ),
            *("open nim watchers=x", "open nim password", "open nim private password p", "tables"),
            *("mix", "mix un jour de pluie", "seed", "bot xyzzy", "take 1", "start", "help take"),
            *("name bob", "sit", "return x", "open gops", "help bid", "leave", "quit"),
        )
        assert len(heard) > 100
        assert in_english(heard) == []
        assert heard[-1] == "Au revoir, ada."


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.kind)
def test_what_can_be_chosen_is_explained_in_french(lobby, rules):
    with lobby(rules=(rules,)) as home:
        ada = home.call("ada")
        ada.type("lang fr")
        lines = ada.type(f"help {rules.kind}")
        assert lines[1].startswith(f"Ce qu'on peut choisir pour {rules.title}")
        assert in_english(line.strip() for line in lines) == []


def test_help_is_given_in_french(lobby):
    with lobby() as home:
        ada = home.call("ada")
        ada.type("lang fr")
        for word in COMMANDS:
            page = ada.type(f"help {word}")[:-1]
            assert page == list(help_pages.of_command(word, FRENCH))
            assert page != list(help_pages.of_command(word, translator_of("en")))
        assert ada.type("rules nim")[0] == "Expanding Nim se joue à deux."
        ada.type("play nim")
        assert ada.type("help take")[:2] == [
            "TAKE allumettes [RESET]",
            "Prend autant d'allumettes dans le tas ; un nombre seul suffit.",
        ]


def test_none_and_one_are_singular_and_two_are_not():
    for number, said in ((0, "0 seconde"), (1, "1 seconde"), (2, "2 secondes")):
        assert FRENCH.several("{n} second", "{n} seconds", number) == said
    moved = ("Cards have moved once.", "Cards have moved {n} times.")
    assert FRENCH.several(*moved, 0) == "Les cartes ont circulé 0 fois."
    assert FRENCH.several(*moved, 1) == "Les cartes ont circulé 1 fois."


@pytest.mark.parametrize(("more", "told"), [(1, "Et 1 autre."), (2, "Et 2 autres.")])
def test_people_are_counted_in_french(lobby, more, told):
    with lobby() as home:
        ada = home.call("ada")
        for _ in range(39 + more):
            home.call()
        ada.type("lang fr")
        assert told in ada.type("who")


def test_a_language_lasts_until_another_is_chosen(lobby):
    with lobby() as home:
        ada = home.call("ada")
        assert ada.type("lang français")[-1] == "[salle]"
        assert ada.type("lang")[0] == "La langue est fr (parmi en, fr)."
        assert ada.type("lang zz")[0] == "Cette langue n'est pas parlée ici. Il y a : en, fr."
        assert ada.type("lang en")[-1] == "[hall]"
