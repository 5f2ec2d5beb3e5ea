"""Names: one form of each, and none that people would take for another's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.errors import Refused
from protocols.i18n.names import read_name


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann   of  Green Gables ", "Ann of Green Gables"),
        ("\uff21\uff4e\uff4e", "Ann"),
        ("Ann\u202e", "Ann"),
        ("A\x1b[2Jnn", "A[2Jnn"),
        ("Zoé", "Zoé"),
        ("Zoe\u0301", "Zoé"),
        ("李雷", "李雷"),
    ],
)
def test_a_name_is_brought_to_one_form(wanted, name):
    assert read_name(wanted) == name


@pytest.mark.parametrize("wanted", ["", "   ", "\x1b", "\u202e\u202e", "---", "\u0301", "!?"])
def test_what_has_no_letter_is_no_name(wanted):
    with pytest.raises(Refused, match="no-name"):
        read_name(wanted)


@pytest.mark.parametrize("wanted", ["a" * 25, "a" * 100_000, "\u0301" * 300 + "a" * 20])
def test_a_name_has_at_most_24_characters(wanted):
    with pytest.raises(Refused, match="name-too-long"):
        read_name(wanted)
    assert len(read_name("a" * 24)) == 24


@pytest.mark.parametrize(
    "wanted", ["me (you)", "(bot)", "wren (bot)", "a\uff08b\uff09", "ann \u2768you\u2769", "c)"]
)
def test_what_stands_in_brackets_is_for_the_house_to_say(wanted):
    with pytest.raises(Refused, match="name-in-brackets"):
        read_name(wanted)


@given(st.text(max_size=40))
def test_whatever_is_wanted_a_name_is_fit_for_a_terminal_and_stays_itself(wanted):
    try:
        name = read_name(wanted)
    except Refused:
        return
    assert 1 <= len(name) <= 24
    assert name.isprintable()
    assert read_name(name) == name
