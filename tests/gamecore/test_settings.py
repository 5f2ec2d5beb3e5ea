"""Options: read from values or their text, bounded, and told to people."""

from __future__ import annotations

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from gamecore.errors import Refused
from gamecore.settings import Bounds, Setting, plain_settings, read_settings, setting, settings_of
from gamecore.table_options import TableOptions


@frozen
class Tea:
    """How tea is served."""

    cups: int = setting(2, "how many cups", low=1, high=8)
    heat: float = setting(80.0, "degrees", low=0)
    milk: bool = setting(False, "with milk")
    leaf: str = setting("green", "which leaf", choices=("green", "black"))
    note: str = setting("", "for the cook")


def key_of(given):
    with pytest.raises(Refused) as refusal:
        read_settings(Tea, given)
    return refusal.value.key


def test_nothing_given_gives_the_defaults():
    assert read_settings(Tea, {}) == Tea(2, 80.0, False, "green", "")


def test_values_and_their_text_are_read_alike():
    given = {"cups": 3, "heat": 65.5, "milk": True, "leaf": "black", "note": "5"}
    said = {"cups": "3", "heat": "65.5", "milk": "yes", "leaf": "black", "note": 5}
    assert read_settings(Tea, given) == read_settings(Tea, said) == Tea(3, 65.5, True, "black", "5")


def test_a_whole_number_serves_as_a_number_with_a_fraction():
    tea = read_settings(Tea, {"heat": 65, "cups": 3.0})
    assert (tea.heat, type(tea.heat)) == (65.0, float)
    assert (tea.cups, type(tea.cups)) == (3, int)


@pytest.mark.parametrize("word", ["yes", "TRUE", "on", "1", 1, True])
def test_yes_has_many_words(word):
    assert read_settings(Tea, {"milk": word}).milk is True


@pytest.mark.parametrize("word", ["no", "False", "OFF", "0", 0, False])
def test_no_has_many_words(word):
    assert read_settings(Tea, {"milk": word}).milk is False


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"sugar": 1}, "no-such-setting"),
        ({"milk": "perhaps"}, "setting-not-yes-or-no"),
        ({"milk": 2}, "setting-not-yes-or-no"),
        ({"cups": "two"}, "setting-not-a-number"),
        ({"cups": ""}, "setting-not-a-number"),
        ({"cups": 2.5}, "setting-not-a-number"),
        ({"cups": "2.5"}, "setting-not-a-number"),
        ({"cups": float("nan")}, "setting-not-a-number"),
        ({"cups": float("inf")}, "setting-not-a-number"),
        ({"cups": None}, "setting-not-a-number"),
        ({"cups": [2]}, "setting-not-a-number"),
        ({"cups": {}}, "setting-not-a-number"),
        ({"cups": "9" * 5000}, "setting-not-a-number"),
        ({"cups": 0}, "setting-out-of-bounds"),
        ({"cups": 9}, "setting-out-of-bounds"),
        ({"cups": "9"}, "setting-out-of-bounds"),
        ({"cups": 10**400}, "setting-out-of-bounds"),
        ({"heat": -0.1}, "setting-out-of-bounds"),
        ({"heat": "inf"}, "setting-out-of-bounds"),
        ({"heat": "nan"}, "setting-out-of-bounds"),
        ({"heat": 10**400}, "setting-not-a-number"),
        ({"leaf": "white"}, "setting-not-a-choice"),
        ({"leaf": ""}, "setting-not-a-choice"),
        ({"leaf": None}, "setting-not-a-choice"),
    ],
)
def test_what_is_not_to_be_had_is_refused_by_its_key(given, key):
    assert key_of(given) == key


def test_a_refusal_names_what_a_sentence_about_it_needs():
    with pytest.raises(Refused) as refusal:
        read_settings(Tea, {"cups": 9})
    assert refusal.value.facts == {"name": "cups", "low": 1, "high": 8}
    assert str(refusal.value) == "setting-out-of-bounds (name cups, low 1, high 8)"
    assert str(Refused("not-now")) == "not-now"


def test_the_bounds_themselves_are_allowed():
    assert [read_settings(Tea, {"cups": cups}).cups for cups in (1, 8)] == [1, 8]


def test_options_out_of_bounds_cannot_be_made_by_hand_either():
    with pytest.raises(Refused):
        Tea(cups=0)


def test_settings_are_told_in_the_order_of_their_declaration():
    assert list(settings_of(Tea))[:2] == [
        Setting("cups", 2, Bounds("how many cups", 1, 8)),
        Setting("heat", 80.0, Bounds("degrees", 0)),
    ]
    assert [each.name for each in settings_of(Tea)] == ["cups", "heat", "milk", "leaf", "note"]


@examples(max_examples=50)
@given(
    st.builds(
        Tea,
        cups=st.integers(1, 8),
        heat=st.floats(0, 1e300),
        milk=st.booleans(),
        leaf=st.sampled_from(["green", "black"]),
        note=st.text(),
    )
)
def test_options_written_plainly_are_read_back_the_same(tea):
    assert read_settings(Tea, plain_settings(tea)) == tea
    as_text = {name: str(value) for name, value in plain_settings(tea).items()}
    assert read_settings(Tea, as_text) == tea


@given(
    st.dictionaries(
        st.sampled_from(["cups", "heat", "milk", "leaf", "sugar"]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.none()),
    )
)
def test_nothing_but_a_refusal_comes_of_odd_values(given):
    try:
        tea = read_settings(Tea, given)
    except Refused:
        return
    assert 1 <= tea.cups <= 8


def test_every_option_of_a_table_has_a_line_of_help_and_a_default_within_its_bounds():
    for each in settings_of(TableOptions):
        assert each.bounds.help and "\n" not in each.bounds.help
        each.bounds.check(each.name, each.default)
    assert read_settings(TableOptions, {}) == TableOptions()
