"""The catalogues: every sentence that a person can see is said in every language, and nothing else is in them."""

from __future__ import annotations

import ast
import string
import unicodedata
from functools import cache
from pathlib import Path

import attrs
import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

import protocols
from gamecore.games.castle import CARDS
from gamecore.rules import installed_rules
from gamecore.settings import settings_of
from gamecore.table_options import TableOptions
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import N_, languages
from protocols.lobby import help_pages
from protocols.lobby.commands import ALL_GAMES

COMMANDS = ALL_GAMES.known

ROOT = Path(protocols.__file__).parent
OTHERS = [each for each in languages() if each != "en"]
KEYWORDS = {"say": None, "_say": None, "N_": None, "several": (1, 2)}
WIDTH = 79
# What has a ``say`` of its own: programs that talk to a daemon, the daemon to its keeper, and words of a wire.
OTHER_VOICES = (
    *("cli/*", "daemon/*", "journal/*", "discovery/*", "*/client.py", "*/exp_nim.py", "clients/*"),
    *("gops/face.py", "nim/pipe.py"),
)


# -- what the source says -------------------------------------------------------------


def sayings(file, keywords, comment_tags, options):
    """Find sentences in Python for Babel, which itself does not look into f-strings, nor behind an ``if``."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call) and _called(node) in keywords:
            wanted = 2 if _called(node) == "several" else 1
            said = [list(_constants(each)) for each in node.args[:wanted]]
            for each in zip(*said, strict=True):
                yield node.lineno, _called(node), each if wanted == 2 else each[0], []


def _called(call):
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _constants(argument):
    match argument:
        case ast.Constant(str() as sentence):
            yield sentence
        case ast.IfExp():
            yield from _constants(argument.body)
            yield from _constants(argument.orelse)


def files_for_people():
    """Give the modules that speak a person's language, and the pages of the web."""
    for path in sorted(ROOT.rglob("*.py")):
        if not any(path.relative_to(ROOT).match(each) for each in OTHER_VOICES):
            yield path
    yield from sorted(ROOT.rglob("*.html"))


def written(path):
    method = "jinja2.ext:babel_extract" if path.suffix == ".html" else sayings
    found = extract_from_file(
        method, path, keywords=KEYWORDS, options={"trim_blocks": "true", "silent": "false"}
    )
    return {each[1] for each in found}


def declared():
    """Give what is said although it is no argument of ``say``: how moves are typed, what can be chosen, cards."""
    for rules in installed_rules():
        for each in settings_of(rules.options):
            yield from (each.bounds.help, *each.bounds.said.values())
        text = find_text(rules.kind)
        if text is not None:
            yield from (form for form in text.verbs.values() if not form.isupper())
    for card in CARDS:
        yield from (ability.text for ability in card.abilities)
    for each in settings_of(TableOptions):
        if each.name not in help_pages._NOT_TYPED:
            yield from (each.bounds.help, *each.bounds.said.values())


@cache
def sentences():
    """Give every sentence, and where it is first said."""
    found = {}
    for path in files_for_people():
        for sentence in written(path):
            found.setdefault(sentence, str(path.relative_to(ROOT)))
    for sentence in declared():
        found.setdefault(sentence, "a setting or a move")
    return found


@cache
def catalogue(language):
    with (ROOT / "i18n" / "catalogues" / f"{language}.po").open("rb") as file:
        return {each.id: each for each in read_po(file, locale=language) if each.id}


def forms(sentence):
    return [sentence] if isinstance(sentence, str) else list(sentence)


def facts(sentence):
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


# -- the catalogues -------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_that_people_see_is_translated(language):
    known = catalogue(language)
    missing = [
        f"{where}: {sentence!r}"
        for sentence, where in sentences().items()
        if sentence not in known or not all(forms(known[sentence].string))
    ]
    assert missing == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_doubtful_or_of_what_nobody_says(language):
    known = catalogue(language)
    assert [each for each in known if known[each].fuzzy] == []
    assert [each for each in known if each not in sentences()] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_names_the_same_facts_and_adds_nothing_to_them(language):
    for entry in catalogue(language).values():
        own, theirs = forms(entry.id), forms(entry.string)
        assert len(own) == len(theirs), entry.id
        for translated in theirs:
            if len(own) == 1:
                assert facts(translated) == facts(own[0]), entry.id
            else:  # the form for one is also that for none, so it may not leave the number out
                assert facts(translated) == facts(own[1]) | {"n"}, entry.id


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_can_be_shown_anywhere(language):
    for entry in catalogue(language).values():
        for own, translated in zip(forms(entry.id), forms(entry.string), strict=True):
            assert translated.isprintable(), entry.id
            assert unicodedata.is_normalized("NFC", translated), entry.id
            blanks = [len(each) - len(each.lstrip()) for each in (own, translated)]
            assert blanks[0] == blanks[1], f"{entry.id!r} begins otherwise"
            assert own[-1:].isspace() == translated[-1:].isspace(), entry.id


def test_the_search_for_sentences_finds_them_wherever_they_are_said(tmp_path):
    source = tmp_path / "room.py"
    source.write_text(
        'a = N_("kept")\n'
        "b = f\"[{say('in braces', n=1)}]\"\n"
        'c = visitor.say("one" if x else "other")\n'
        'd = say.several("{n} card", "{n} cards", 2)\n'
        'say(a); f("nothing"); self._say("mine")\n'
    )
    assert written(source) == {
        "kept",
        "in braces",
        "one",
        "other",
        ("{n} card", "{n} cards"),
        "mine",
    }
    assert N_("a sentence that is in no catalogue") not in catalogue("fr")


# -- the pages ------------------------------------------------------------------------


def folders():
    return sorted(each for each in ROOT.glob("*/help") if each.is_dir())


def page_names(folder, language):
    return {page.name for page in (folder / language).glob("*")}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.parent.name)
def test_every_page_of_help_is_there_and_none_is_left_over(folder, language):
    assert page_names(folder, language) == page_names(folder, "en")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.parent.name)
def test_a_page_fits_the_screen_and_is_nothing_but_text(folder, language):
    for page in sorted((folder / language).glob("*")):
        lines = page.read_bytes().decode().split("\n")
        assert lines.pop() == "", f"{page} has no end of line"
        assert lines[0].strip() and lines[-1].strip(), f"{page} begins or ends with nothing"
        assert all(len(line) <= WIDTH for line in lines), page
        assert all(line.isprintable() and line == line.rstrip() for line in lines), page


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.parent.name)
def test_no_page_is_only_copied(folder, language):
    for page in sorted((folder / language).glob("*")):
        english = (folder / "en" / page.name).read_text("utf-8").splitlines()
        copied = set(page.read_text("utf-8").splitlines()) & set(english) - {""}
        assert all(line.split(" ")[0].isupper() or line.startswith("  ") for line in copied), page


@pytest.mark.parametrize("language", OTHERS)
def test_a_page_about_a_word_begins_with_it(language):
    for word in COMMANDS:
        page = (ROOT / "lobby" / "help" / language / f"{word}.txt").read_text("utf-8")
        assert page.lower().startswith(word)


# -- what is a sentence at all --------------------------------------------------------


def test_each_setting_of_a_table_is_explained():
    for options in (TableOptions, *(rules.options for rules in installed_rules())):
        assert attrs.has(options)
        assert all(each.bounds.help for each in settings_of(options))
