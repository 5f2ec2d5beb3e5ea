"""The form for a new table: how what can be chosen reads."""

from __future__ import annotations

import re

import pytest

from gamecore.rules import installed_rules
from gamecore.settings import settings_of
from gamecore.table_options import TableOptions

KINDS = [each.kind for each in installed_rules()]
_OPTION = re.compile(r'<option value="([^"]+)"[^>]*>([^<]+)</option>')


@pytest.mark.parametrize("kind", KINDS)
def test_what_can_be_chosen_reads_in_words_of_the_language(house, kind):
    read = {}
    for language in ("en", "fr"):
        page = house.browser(language=language).get(f"/open/{kind}")
        read[language] = dict(_OPTION.findall(page.text))
        assert all(words != key or key.isalpha() for key, words in read[language].items())
    assert read["en"]
    for key, words in read["en"].items():
        assert read["fr"][key] != words, key


def test_no_choice_of_the_house_or_of_its_games_is_left_to_be_guessed():
    for options in (TableOptions, *(each.options for each in installed_rules())):
        for each in settings_of(options):
            assert set(each.bounds.said) == set(each.bounds.choices), each.name


def test_what_is_chosen_is_sent_by_its_key(house):
    browser = house.browser()
    browser.get("/open/gops")
    browser.post("/open/gops", name="Ann", **{"game.ties": "discard", "game.order": "descending"})
    table = house.hall.find(browser.at.split("/")[2])
    assert (table.opened.options["ties"], table.opened.options["order"]) == (
        "discard",
        "descending",
    )
