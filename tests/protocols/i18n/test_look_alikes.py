"""What names are drawn like: two hundred imitations of many scripts, and names that are no such thing."""

from __future__ import annotations

from itertools import combinations
from string import ascii_lowercase, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.i18n.look_alikes import NameIndex, alike, skeleton, skeleton_of_any


def test_an_imitation_is_known_for_what_it_is(look_alikes):
    assert len(look_alikes) >= 200
    assert [pair for pair in look_alikes if not alike(*_one_and_others(pair))] == []
    assert [pair for pair in look_alikes if not alike(*_one_and_others(pair[::-1]))] == []


def _one_and_others(pair):
    return pair[0], [pair[1]]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Ann", "Anna"), ("Zoe", "Zo\u00e9"), ("\u674e\u96f7", "\u674e\u857e")),
        *(("Van", "Nan"), ("eve", "ene"), ("guest-1", "guest-11"), ("player 1", "player 2")),
        *(
            ("bot 8", "bot 3"),
            ("Jan", "Jean"),
            ("\u0410\u043d\u043d\u0430", "\u0410\u043b\u043b\u0430"),
        ),
    ],
)
def test_names_that_look_different_are_two(name, other):
    assert not alike(name, [other])


def test_no_two_plain_letters_are_taken_for_each_other_but_those_that_are_drawn_so():
    taken = {a + b for a, b in combinations(ascii_lowercase + digits, 2) if alike(a, [b])}
    assert taken == {"il", "i1", "l1", "o0"}


@given(st.text(max_size=24))
def test_every_name_is_like_itself_in_whatever_case(name):
    assert alike(name, [name]) and alike(name, [name.upper()]) and alike(name, [name.casefold()])


def test_an_index_knows_a_name_by_its_imitations_until_it_is_removed():
    index = NameIndex()
    index.add("tom", "Thomas")
    assert index.find("\u0422\u041e\u041c") == "Thomas"
    assert index.may_have("t0m", "Thomas") and not index.may_have("t0m", "Tamara")
    index.remove("TOM", "Tamara")
    assert index.find("tom") == "Thomas"
    index.remove("tom", "Thomas")
    assert index.find("tom") is None and index.may_have("t0m", "Tamara")


@pytest.mark.parametrize("first", list(map(chr, range(0, 128, 8))))
def test_plain_letters_are_drawn_beside_one_another_as_alone(first):
    for each in (first + second for second in map(chr, range(128))):
        assert skeleton(each) == skeleton_of_any(each)


@given(st.text(st.characters(codec="ascii"), max_size=24))
def test_a_name_in_plain_letters_has_the_skeletons_that_any_has(name):
    assert skeleton(name) == skeleton_of_any(name)
