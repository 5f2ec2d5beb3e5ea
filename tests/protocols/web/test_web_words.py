"""The pages in French and in English: which language is spoken, and that nothing is left unsaid in either."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st

import protocols
from protocols.web.session import preferred

ROOT = Path(protocols.__file__).parent
KEYWORDS = {"say": None, "mark": None, "several": (1, 2)}
PAGES = [*sorted((ROOT / "web").glob("*.py")), *sorted((ROOT / "web" / "templates").glob("*.html"))]
SHARED = [ROOT / "rikiki" / "text.py", ROOT / "telling.py"]


def sentences(path: Path) -> set[str | tuple[str, ...]]:
    method = "jinja2.ext:babel_extract" if path.suffix == ".html" else "python"
    options = {"trim_blocks": "true"}
    return {each[1] for each in extract_from_file(method, path, keywords=KEYWORDS, options=options)}


@pytest.fixture(scope="module")
def french():
    with (ROOT / "catalogues" / "fr.po").open("rb") as file:
        return {each.id: each for each in read_po(file, locale="fr") if each.id}


@pytest.mark.parametrize("path", [*PAGES, *SHARED], ids=lambda path: path.name)
def test_every_sentence_is_said_in_french(french, path):
    missing = [each for each in sentences(path) if each not in french or not french[each].string]
    assert missing == []


def facts(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_no_french_sentence_is_doubtful_or_names_what_is_not_there(french):
    for each in french.values():
        one, many = (
            (each.string, each.id) if isinstance(each.id, str) else (each.string[1], each.id[1])
        )
        assert not each.fuzzy
        assert facts(one) <= facts(many), each.id


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "en"),
        ("fr", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("nl, en-gb;q=0.8", "en"),
        ("en;q=0.2, fr;q=0.7", "fr"),
        ("fr;q=0, en", "en"),
        ("fr;q=x", "en"),
        ("*", "en"),
        (",;,;q=1", "en"),
    ],
)
def test_the_browser_says_which_language_it_prefers(accepted, language):
    assert preferred(accepted).language == language


@given(st.text())
@settings(deadline=None, max_examples=60)
def test_no_header_upsets_the_choice_of_a_language(accepted):
    assert preferred(accepted).language in ("en", "fr")


def test_a_language_that_was_chosen_is_kept(house):
    browser = house.browser(language="en")
    assert '<html lang="en">' in browser.get("/").text
    assert '<html lang="fr">' in browser.get("/?lang=fr").text
    assert browser.page.shows("Tables ouvertes")
    assert '<html lang="fr">' in browser.get("/").text
    assert '<html lang="en">' in browser.get("/?lang=en").text
    assert '<html lang="en">' in browser.get("/?lang=xx").text
    assert '<html lang="en">' in browser.get("/?lang=" + "x" * 900).text


def test_a_refusal_is_said_in_the_players_language(party):
    table = party("Ann", "Ben").come().start()
    table.players["Ben"].language = "fr"
    assert table.do("Ben", "bid", tricks=1).shows("Ce n'est pas votre tour.")
    assert table.do("Ann", "bid", tricks=99).shows("A bid is a number from 0 to 26.")
    assert house_of(table).get("/nothing/").shows("Cette page n'existe pas ici.")


def house_of(table):
    return table.house.browser(language="fr")
