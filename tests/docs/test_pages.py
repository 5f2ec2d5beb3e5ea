"""The pages are built without a warning, and what they say of the code is so."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from html import unescape

import pytest

from docs.draw_charts import CHARTS, charts
from gamecore.bots import levels_of
from gamecore.games.rikiki import RULES
from gamecore.settings import choose_settings, plain_settings
from protocols.host.door import all_settings, read_defaults
from protocols.lobby.commands import ALL_GAMES
from tests.docs.blocks import PAGES, ROOT

PRODUCT = [*sorted((ROOT / "gamecore").rglob("*.py")), *sorted((ROOT / "protocols").rglob("*.py"))]
# Words that mean something of their own here: each must be in the glossary.
INVENTED = {
    *("answer", "audience", "commitment", "deal", "door", "dormant", "face", "grace", "guess"),
    *("hall", "host", "house", "invitation", "journal", "mix", "news", "organizer", "place"),
    *("part", "picture", "sight"),
    *(
        "position",
        "record",
        "seat",
        "sibling",
        "stage",
        "table",
        "token",
        "turn",
        "view",
        "watcher",
        "wire",
    ),
}
PATHS = re.compile(r"``((?:gamecore|protocols|etc|tests|docs|twisted)/[\w./-]+)``")


def test_the_pages_are_built_without_a_warning(tmp_path):
    pytest.importorskip("sphinx")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    built = subprocess.run(
        [*command, "-d", tmp_path / "doctrees", ROOT / "docs", tmp_path / "html"],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "html" / "wires" / "nim.html").exists()


# -- the glossary ---------------------------------------------------------------------


@cache
def terms() -> list[str]:
    text = (ROOT / "docs" / "glossary.rst").read_text()
    return re.findall(r"^   (\w[\w ]*)$", text, re.MULTILINE)


@cache
def words_in_names() -> set[str]:
    """Give every word in the name of a module, a class, a function or an attribute of the product."""
    names = set()
    for path in PRODUCT:
        names |= set(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
    return {word.lower() for name in names for word in re.findall(r"[A-Z]?[a-z]+", name)}


def test_the_glossary_has_nothing_that_is_not_in_the_code():
    named = words_in_names()
    assert [each for each in terms() if not {each, f"{each}s"} & named] == []


def test_the_glossary_has_every_word_that_means_something_of_its_own_here():
    assert sorted(INVENTED - set(terms())) == []
    assert terms() == sorted(set(terms()))


# -- what the pages name --------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page):
    named = {each.rstrip("/") for each in PATHS.findall(page.read_text())}
    assert [each for each in sorted(named) if not (ROOT / each).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_level_of_bots_that_a_command_names_is_there(page):
    named = re.findall(r"play (\w+) .*--level ([\w-]+)", page.read_text())
    assert [(kind, level) for kind, level in named if level not in levels_of(kind)] == []


def test_the_map_says_where_to_change_each_of_fifteen_things():
    text = (ROOT / "docs" / "architecture.rst").read_text()
    table = text.split("to change  ")[1].split("The way of a move")[0]
    assert len(re.findall(r"^\w", table, re.MULTILINE)) == 15


def test_the_page_of_the_lobby_names_every_command():
    text = (ROOT / "docs" / "wires" / "lobby.rst").read_text()
    assert [each for each in ALL_GAMES.known if f"``{each.upper()}``" not in text] == []


# -- the charts -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "source"), charts().items(), ids=list(charts()))
def test_a_chart_shows_the_machine_as_it_is(name, source):
    assert (CHARTS / f"{name}.dot").read_text() == source, "make charts draws them anew"
    picture = unescape((CHARTS / f"{name}.svg").read_text())
    for drawn in re.findall(r'^  "([^"]+)"(?: \[style=bold\])?;$', source, re.MULTILINE):
        assert f"<title>{drawn}</title>" in picture


# -- what people who move over from another house are told ----------------------------


def written(value):
    """Write a setting as an ini file does."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"


def test_the_settings_that_bring_back_an_original_rikiki_are_there_and_no_default_is_one():
    text = (ROOT / "docs" / "wires" / "rikiki.rst").read_text()
    pairs = re.findall(r"``(\w+) ?= ?([\w-]+)``", text)
    assert len(pairs) > 10
    known = {each.name: each for each in all_settings(RULES, None)}
    for name, value in pairs:
        assert name in known, name
        read_defaults(RULES, None, {name: value})  # it may be set
        assert written(known[name].default) != value, f"{name} is {value} without being set"


def test_rikiki_begins_with_the_rules_in_which_its_first_description_and_its_last_version_agree():
    given = choose_settings(RULES.options, {})
    agreed = {"hook": "off", "next": "anyone", "first": 0, "max": 0}
    meant = {"schedule": "down", "top_trump": "if-left"}
    assert {**plain_settings(given), **agreed, **meant} == plain_settings(given)
