"""Objects of attrs classes as plain data: what is written is read, and what does not fit is said to the field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import ClassVar, Literal

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from gamecore.codec import CODEC, Codec, Misfit, Plain
from gamecore.errors import Refused
from gamecore.settings import Value


class Weather(Enum):
    """Something that has a value."""

    FAIR = "fair"


@frozen
class Leaf:
    """Refuses to be large, and to be nothing."""

    size: int = field()

    @size.validator
    def _check(self, _: object, size: int) -> None:
        if size > 1000:
            raise Refused("leaf-too-large")
        if size < 0:
            raise ValueError("a leaf is something")


@frozen
class Branch:
    """Every kind of field."""

    leaf: Leaf
    word: str = ""
    real: float = 0.0
    yes: bool = False
    perhaps: int | None = None
    also: Leaf | None = None
    many: tuple[Leaf, ...] = ()
    pair: tuple[int, str] = (0, "")
    way: Literal["up", "down"] = "up"
    either: Leaf | Twig | None = None
    named: Mapping[str, Value] = field(factory=dict)
    anything: object = None


@frozen
class Twig:
    """Is no leaf, though it has its fields."""

    size: int


LEAVES = st.builds(Leaf, st.integers(0, 1000))
WORDS = st.text(max_size=5)
BRANCHES = st.builds(
    Branch,
    LEAVES,
    WORDS,
    st.floats(allow_nan=False, allow_infinity=False) | st.integers(),
    st.booleans(),
    st.none() | st.integers(),
    st.none() | LEAVES,
    st.lists(LEAVES, max_size=3).map(tuple),
    st.tuples(st.integers(), WORDS),
    st.sampled_from(["up", "down"]),
    st.none() | LEAVES | st.builds(Twig, st.integers()),
    st.dictionaries(WORDS, st.booleans() | st.integers() | WORDS, max_size=3),
    st.none() | WORDS | st.integers(),
)


@given(BRANCHES)
def test_what_is_written_is_read(branch: Branch) -> None:
    written = CODEC.write(branch)
    assert CODEC.read(Branch, json.loads(json.dumps(written))) == branch


def test_a_set_an_enum_and_keys_that_are_numbers_are_written_as_json_can_say_them() -> None:
    assert CODEC.write((frozenset({2, 1}), Weather.FAIR, {0: 1.5})) == [[1, 2], "fair", {"0": 1.5}]


@pytest.mark.parametrize(
    ("written", "where", "why"),
    [
        (None, "", "an object is wanted"),
        ({}, "leaf", "this is missing"),
        ({"leaf": {}}, "leaf.size", "this is missing"),
        ({"leaf": {"size": "1"}}, "leaf.size", "a whole number is wanted"),
        ({"leaf": {"size": True}}, "leaf.size", "a whole number is wanted"),
        ({"leaf": {"size": 1.0}}, "leaf.size", "a whole number is wanted"),
        ({"leaf": {"size": -1}}, "leaf", "a leaf is something"),
        ({"leaf": {"is": "Twig", "size": 1}}, "leaf", '"is" can only be Leaf here'),
        ({"word": 5}, "word", "text is wanted"),
        ({"real": "5"}, "real", "a number is wanted"),
        ({"yes": 1}, "yes", "true or false is wanted"),
        ({"perhaps": "1"}, "perhaps", "a whole number is wanted"),
        ({"also": {"size": "1"}}, "also.size", "a whole number is wanted"),
        ({"many": {}}, "many", "a list is wanted"),
        ({"many": [{"size": 1}, {"size": "1"}]}, "many.size", "a whole number is wanted"),
        ({"pair": [1]}, "pair", "a list of 2 is wanted"),
        ({"pair": ["a", 1]}, "pair", "a whole number is wanted"),
        ({"way": "left"}, "way", "that does not fit"),
        ({"either": {"size": 1}}, "either", "that does not fit"),
        ({"named": []}, "named", "an object is wanted"),
        ({"named": {"a": []}}, "named", "a number, text, true or false is wanted"),
        ({"colour": "red", "age": 3}, "", "nobody here knows age, colour"),
    ],
)
def test_what_does_not_fit_is_said_to_the_field(written: Plain, where: str, why: str) -> None:
    usual: dict[str, Plain] = {"leaf": {"size": 1}}
    given = {**usual, **written} if isinstance(written, dict) and written else written
    with pytest.raises(Misfit) as caught:
        CODEC.read(Branch, given)
    assert (".".join(caught.value.where), caught.value.why) == (where, why)


UNFIT: Mapping[str, Sequence[Plain]] = {
    "word": (["a"], None),
    "real": (False, None),
    "perhaps": (["x"], True, 1.5),
    "also": ([], {"is": "Twig", "size": 1}),
    "many": ({"1": 2}, [1], [None]),
    "pair": ("1a", [1, "a", 2]),
    "either": (5, {"is": "Lay"}, {"is": ["Leaf"]}, {"is": "Leaf"}),
    "is": ("Tree", ["Branch"], None),
}


@pytest.mark.parametrize("field", UNFIT)
def test_nothing_else_is_taken_for_a_value(field: str) -> None:
    for each in UNFIT[field]:
        with pytest.raises(Misfit):
            CODEC.read(Branch, {"leaf": {"size": 1}, field: each})


def test_the_first_field_that_does_not_fit_is_named_and_a_refusal_comes_before_all() -> None:
    with pytest.raises(Misfit, match=r"^leaf: an object is wanted$"):
        CODEC.read(Branch, {"colour": 1, "word": 2, "leaf": 3})
    with pytest.raises(Refused, match="leaf-too-large"):
        CODEC.read(Branch, {"word": 2, "leaf": {"size": 1001}})


@frozen
class Grow:
    """An operation."""

    op: ClassVar = "grow"
    by: int


@frozen
class Fall:
    """Another."""

    op: ClassVar = "fall"
    by: int


@frozen
class Tree:
    """Is known by where it stands."""

    does: tuple[Grow | Fall, ...]
    shade: Leaf | Literal["none"] = "none"


def test_a_vocabulary_may_tell_its_classes_by_a_word_of_its_own() -> None:
    codec = Codec("op", lambda kind: getattr(kind, "op", None))
    tree = Tree((Fall(1), Grow(2)), Leaf(3))
    written = {"does": [{"op": "fall", "by": 1}, {"op": "grow", "by": 2}], "shade": {"size": 3}}
    assert codec.write(tree) == written
    assert codec.read(Tree, written) == tree
    with pytest.raises(Misfit):
        codec.read(Tree, {"does": [{"op": "burn", "by": 1}]})
    with pytest.raises(Misfit, match="shade: that does not fit"):
        codec.read(Tree, {"does": [], "shade": "much"})
