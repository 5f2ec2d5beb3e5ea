"""The deal: promised, mixed, fair, and checked by a stranger who only read the documentation."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.fairness import Deal, _below, canonical, commitment, keeps_promise

SEED = "0123456789abcdef" * 4
PACK = list(range(52))


# -- a stranger's script, from the documentation alone --------------------------------


def text(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode("ascii")


def shuffled(seed, words, label, use, pack):
    key = hmac.new(bytes.fromhex(seed), text(words), hashlib.sha256).digest()
    cards, block, numbers = list(pack), 0, []
    for last in range(len(cards) - 1, 0, -1):
        while True:
            if not numbers:
                bits = hmac.new(key, text([label, use, block]), hashlib.sha256).digest()
                numbers = [int.from_bytes(bits[8 * n : 8 * n + 8], "big") for n in range(4)]
                block += 1
            number = numbers.pop(0)
            if number < 2**64 // (last + 1) * (last + 1):
                break
        other = number % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def promised(code, game, seed):
    return hashlib.sha256(text([code, game, seed])).hexdigest()


# -- tests ----------------------------------------------------------------------------


@given(
    seed=st.binary(min_size=32, max_size=32).map(bytes.hex),
    words=st.lists(st.text(max_size=9), max_size=3),
    labels=st.lists(st.sampled_from(["hands", "prizes", "ß"]), min_size=1, max_size=4),
    size=st.integers(0, 60),
)
def test_a_stranger_who_read_the_documentation_redoes_every_shuffle(seed, words, labels, size):
    deal, uses = Deal(seed, words), Counter()
    for label in labels:
        uses[label] += 1
        expected = shuffled(seed, words, label, uses[label], range(size))
        assert deal.shuffle(label, range(size)) == expected


@given(code=st.text(max_size=6), game=st.integers(1, 99))
@settings(max_examples=30)
def test_a_stranger_checks_the_promise(code, game):
    assert commitment(code, game, SEED) == promised(code, game, SEED)
    assert keeps_promise(promised(code, game, SEED), code, game, SEED)


def test_a_promise_is_bound_to_its_table_its_game_and_its_seed():
    promise = commitment("ABCDE", 1, SEED)
    assert keeps_promise(promise, "ABCDE", 1, SEED)
    assert not keeps_promise(promise, "ABCDF", 1, SEED)
    assert not keeps_promise(promise, "ABCDE", 2, SEED)
    assert not keeps_promise(promise, "ABCDE", 1, "00" * 32)
    assert not keeps_promise("", "ABCDE", 1, SEED)
    assert not keeps_promise("é", "ABCDE", 1, SEED)


def test_a_shuffle_loses_no_card_and_leaves_the_pack_alone():
    pack = list(PACK)
    cards = Deal(SEED).shuffle("hands", pack)
    assert sorted(cards) == pack == PACK
    assert cards != pack


def test_the_smallest_packs_need_no_chance():
    assert Deal(SEED).shuffle("hands", []) == []
    assert Deal(SEED).shuffle("hands", ["king"]) == ["king"]


def test_the_same_label_twice_gives_another_shuffle():
    deal = Deal(SEED)
    shuffles = [tuple(deal.shuffle("hands", PACK)) for _ in range(20)]
    assert len(set(shuffles)) == 20


def test_labels_share_no_stream_and_do_not_disturb_each_other():
    mixed, plain = Deal(SEED), Deal(SEED)
    prizes = mixed.shuffle("prizes", PACK)
    assert mixed.shuffle("hands", PACK) == plain.shuffle("hands", PACK) != prizes
    assert Deal(SEED).shuffle("hands1", PACK) != Deal(SEED).shuffle("hands", PACK)


def test_words_matter_and_so_do_their_order_and_their_boundaries():
    said = [[], [""], ["", ""], ["ab"], ["a", "b"], ["b", "a"], ["a", "b", ""], ['a","b']]
    deals = [tuple(Deal(SEED, words).shuffle("hands", PACK)) for words in said]
    assert len(set(deals)) == len(said)


def test_the_same_seed_and_words_give_the_same_deal():
    assert Deal(SEED, ["x"]).shuffle("h", PACK) == Deal(SEED, ("x",)).shuffle("h", PACK)


@pytest.mark.parametrize(
    "seed",
    [
        "",
        "ab",
        "zz" * 32,
        "ab" * 31,
        "ab" * 33,
        "ab " * 32,
        "ab" * 31 + "  ",
        "ab" * 32 + " ",
        "0x" + "ab" * 31,
    ],
)
def test_what_is_no_seed_of_64_digits_is_a_value_error(seed):
    with pytest.raises(ValueError):
        Deal(seed)


def test_a_number_that_would_favour_the_low_ones_is_thrown_away():
    span = 2**64
    fair = span - span % 6
    assert _below(6, iter([fair, span - 1, fair - 1, 0])) == 5
    assert _below(6, iter([fair - 6])) == 0
    assert _below(4, iter([span - 1])) == 3  # 4 divides the span: nothing is thrown away
    assert _below(2**63 + 1, iter([span - 1, 2**63 + 1, 2**63])) == 2**63


@given(bound=st.integers(1, 2**40), numbers=st.lists(st.integers(0, 2**64 - 1), max_size=4))
@settings(max_examples=50)
def test_a_number_below_a_bound_is_the_first_fair_one_by_its_remainder(bound, numbers):
    fair = [each for each in [*numbers, 0] if each < 2**64 // bound * bound]
    assert _below(bound, iter([*numbers, 0])) == fair[0] % bound


def test_every_order_of_four_cards_comes_about_evenly():
    deal = Deal(SEED)
    rounds, orders = 9_600, list(permutations("abcd"))
    seen = Counter(tuple(deal.shuffle("hands", "abcd")) for _ in range(rounds))
    expected = rounds / len(orders)
    chi_square = sum((seen[order] - expected) ** 2 / expected for order in orders)
    assert set(seen) == set(orders)
    assert chi_square < 49.7  # 23 degrees of freedom: once in a thousand seeds


def test_every_card_comes_to_every_place_about_evenly():
    deal, places, rounds = Deal(SEED, ["places"]), 13, 3_900
    seen = Counter()
    for _ in range(rounds):
        seen.update(enumerate(deal.shuffle("hands", range(places))))
    expected = rounds / places
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert len(seen) == places**2
    assert chi_square < 202  # 144 degrees of freedom: once in a thousand seeds


def test_a_deal_by_chance_follows_from_the_chance_it_was_given():
    assert Deal.by_chance(Random(7)).shuffle("h", PACK) == Deal.by_chance(Random(7)).shuffle(
        "h", PACK
    )
    assert Deal.by_chance(Random(7)).shuffle("h", PACK) != Deal.by_chance(Random(8)).shuffle(
        "h", PACK
    )


def test_canonical_text_is_ascii_without_blanks_and_with_sorted_keys():
    assert canonical({"b": [1, 2.5, None, True], "a": "é\n"}) == (
        b'{"a":"\\u00e9\\n","b":[1,2.5,null,true]}'
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"bytes", {1, 2}])
def test_what_json_cannot_say_has_no_canonical_text(value):
    with pytest.raises((ValueError, TypeError)):
        canonical(value)
