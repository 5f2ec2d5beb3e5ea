"""What a peer typed cannot steer another peer's terminal."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.i18n.sanitize import MARKS_IN_A_ROW, clean, printable, printable_in

# Hypothesis leaves surrogates out by default; a careless decoder does not.
ANYTHING = st.text(st.characters() | st.characters(categories=["C", "M", "Z"]))


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("Ann", "Ann"),
        ("", ""),
        ("  Ann   of\tCleves \r\n", "Ann of Cleves"),
        ("\x1b[2JAnn", "[2JAnn"),
        ("\x1b]52;c;aGk=\x07Ann", "]52;c;aGk=Ann"),
        ("An\x9b31mn", "An31mn"),
        ("An\x7fn\x00", "Ann"),
        ("\u202eAnn\u2066", "Ann"),
        ("A\u200bn\u200dn\ufeff", "Ann"),
        ("Ann\u2028Bob\u2029Cid", "Ann Bob Cid"),
        ("Ann\u00a0\u3000Bob", "Ann Bob"),
        ("A\ud800nn", "Ann"),
        ("A\ue000n\U000f0000n\u0378", "Ann"),
        ("e\u0301te\u0301", "e\u0301te\u0301"),
        ("กี่", "กี่"),
        ("\u0301\u0301Ann \u0301Bob", "Ann Bob"),
        ("Łukasz 日本 🎲", "Łukasz 日本 🎲"),
    ],
)
def test_a_text_is_shown_as(typed: str, seen: str) -> None:
    assert clean(typed) == seen


def test_three_hundred_marks_do_not_climb_out_of_their_line() -> None:
    assert clean("A" + "\u0301" * 300 + "nn") == "A" + "\u0301" * MARKS_IN_A_ROW + "nn"


def test_an_unseen_character_does_not_make_room_for_more_marks() -> None:
    assert clean("A" + "\u0301\u200b" * 300) == "A" + "\u0301" * MARKS_IN_A_ROW


def test_a_limit_counts_what_is_left_and_leaves_no_blank_at_the_end() -> None:
    assert clean("\x1b  Ann  Boleyn", 4) == "Ann"
    assert clean("Ann", 0) == ""


def test_spacing_within_a_line_may_be_kept() -> None:
    assert printable("  3\t x\x1b[0m  7 ") == "  3  x[0m  7 "


@given(ANYTHING, st.none() | st.integers(0, 30))
def test_a_clean_text_is_clean(typed: str, limit: int | None) -> None:
    seen = clean(typed, limit)
    assert clean(seen, limit) == seen
    assert seen.isprintable()
    assert not any(category(char)[0] == "C" or char in "\u2028\u2029" for char in seen)
    assert seen == seen.strip() and "  " not in seen
    assert limit is None or len(seen) <= limit


@given(ANYTHING)
def test_marks_never_stand_alone_or_in_a_crowd(typed: str) -> None:
    row = MARKS_IN_A_ROW
    for char in clean(typed):
        row = row + 1 if category(char)[0] == "M" else MARKS_IN_A_ROW if char == " " else 0
        assert row <= MARKS_IN_A_ROW


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_plain_text_only_loses_blanks(typed: str) -> None:
    assert clean(typed).split() == typed.split()
    assert printable(typed) is typed


@pytest.mark.parametrize(
    ("encoding", "shown"), [("ascii", r"a\u2660"), ("utf-8", "a♠"), (None, "a♠")]
)
def test_what_a_terminal_cannot_show_is_written_as_an_escape(encoding, shown):
    assert printable_in("a\x1b♠", encoding) == shown
