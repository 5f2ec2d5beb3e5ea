"""Sentences and their facts, in the language of the source."""

from __future__ import annotations

import pytest

from gamecore.errors import Refused
from protocols.i18n.translate import ENGLISH, N_, translator_of


def test_a_sentence_has_its_facts_filled_in():
    assert ENGLISH("{name} takes {n}", name="wren", n=3) == "wren takes 3"


def test_a_sentence_without_facts_is_said_as_it_is():
    assert ENGLISH("a {brace} stays") == "a {brace} stays"
    assert N_("later") == "later"


def test_one_and_many_are_told_apart():
    assert ENGLISH.several("{n} stone", "{n} stones", 1) == "1 stone"
    assert (
        ENGLISH.several("{n} stone of {name}", "{n} stones of {name}", 2, name="wren")
        == "2 stones of wren"
    )


def test_what_a_player_is_called_is_never_a_place_for_a_fact():
    assert ENGLISH("{name} is here", name="{seed}") == "{seed} is here"


def test_another_language_says_it_in_its_own_words():
    french = translator_of("FR")
    assert french("{name} is back.", name="Zoé") == "Zoé est de retour."
    assert french.several("{n} stone", "{n} stones", 0) == "0 allumette"
    assert french.several("{n} stone", "{n} stones", 2) == "2 allumettes"


def test_a_language_we_do_not_speak_is_refused_with_those_we_do():
    for language in ("xx", "../fr", "", "french"):
        with pytest.raises(Refused) as refused:
            translator_of(language)
        assert refused.value.facts["known"] == "en, fr"
    assert translator_of("en") is ENGLISH
