"""The pages in French and in English: which language is spoken."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.games.rikiki import Bid
from protocols.web.visit import preferred


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
@settings(max_examples=60)
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


def test_no_french_line_of_a_page_begins_with_what_ends_a_sentence(party):
    """Browsers break lines at every blank, but not at one that keeps together."""
    table = party("Ann", "Ben", kind="pass123").come().start()
    ann = table.players["Ann"]
    ann.language = "fr"
    for address in ("/", "/rules/castle", "/open/rikiki", ann.at, f"/t/{table.code}/?watch=yes"):
        text = re.sub(r"(?s)<script.*?</script>|<[^>]*>", "", ann.get(address).text)
        assert "\u00a0" in text
        assert re.findall(r".{20} [:;!?»]|« .{20}", text) == [], address


def test_a_refusal_is_said_in_the_players_language(party):
    table = party("Ann", "Ben").come().start()
    table.players["Ben"].language = "fr"
    assert table.play("Ben", Bid(1)).shows("Ce n'est pas votre tour. On attend Ann.")
    assert table.play("Ann", Bid(99)).shows("A bid is a number from 0 to 26.")
    assert house_of(table).get("/nothing/").shows("Cette page n'existe pas ici.")


def house_of(table):
    return table.house.browser(language="fr")
