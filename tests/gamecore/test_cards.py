"""Cards: what they are called, what they count, how a pack lies."""

from __future__ import annotations

import pytest

from gamecore.cards import PACK, Card, in_order, read_card


def test_a_pack_has_each_of_fifty_two_cards_once():
    assert len(PACK) == len(set(PACK)) == 52
    assert [str(card) for card in PACK[:2]] == ["2S", "3S"]
    assert [str(card) for card in PACK[12:14]] == ["AS", "2C"]
    assert str(PACK[-1]) == "AH"


@pytest.mark.parametrize("card", PACK, ids=str)
def test_a_card_is_read_as_it_is_written(card):
    assert (
        read_card(str(card))
        == read_card(card.signed)
        == read_card(f" {str(card).lower()} ")
        == card
    )


def test_a_ten_may_be_a_t():
    assert read_card("th") == Card("10", "H")


@pytest.mark.parametrize("text", ["", "A", "S", "1S", "11H", "AX", "AHH", "T", "TT", "♠", "AS 2S"])
def test_what_is_no_card_is_not_read(text):
    with pytest.raises(ValueError, match="no card"):
        read_card(text)


def test_there_is_no_card_of_another_rank_or_suit():
    with pytest.raises(ValueError, match="no rank"):
        Card("1", "S")
    with pytest.raises(ValueError, match="no suit"):
        Card("A", "X")


def test_an_ace_is_high_or_low():
    assert [(card.high, card.low) for card in PACK[11:13]] == [(13, 13), (14, 1)]
    assert sorted(card.low for card in PACK[:13]) == list(range(1, 14))


def test_a_hand_is_held_by_suit_and_rank():
    hand = [read_card(name) for name in ("AH", "2S", "10C", "KS")]
    assert [str(card) for card in in_order(hand)] == ["2S", "KS", "10C", "AH"]
