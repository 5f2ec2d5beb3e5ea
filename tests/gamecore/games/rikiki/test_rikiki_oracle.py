"""Random rounds agree with open_spiel's oh_hell: bids, legal cards, winners and points."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from gamecore.cards import PACK
from gamecore.games.rikiki import Bid, PlayCard

ROUNDS = int(os.environ.get("ORACLE", "400"))  # make oracle: 10000
pyspiel = pytest.importorskip(
    "pyspiel", reason="the oracle is open_spiel: pip install --no-deps open_spiel"
)
_SUIT = {"S": 2, "C": 0, "D": 1, "H": 3}


def code(card):
    """Number a card as the oracle does."""
    return (card.high - 2) * 4 + _SUIT[card.suit]


def oracle_round(players, cards, pack, penalty):
    """Deal the same cards to the oracle."""
    settings = {
        "players": players,
        "num_tricks_fixed": cards,
        "off_bid_penalty": penalty,
        "points_per_trick": 1,
    }
    state = pyspiel.load_game("oh_hell", settings).new_initial_state()
    state.apply_action(cards)
    state.apply_action(players - 1)  # the dealer, so that seat 0 bids and leads first
    for index in range(cards):
        for seat in range(players):
            state.apply_action(code(pack[seat * cards + index]))
    state.apply_action(code(pack[players * cards]))
    return state


def agree_on_bids(table, state, chance, found):
    """Bid at random, comparing what may be bid."""
    view, hook = table.view, table.view.options.hook
    seat = view.turn
    assert state.current_player() == seat
    ours = {each.tricks for each in table.position.legal_moves(seat)}
    theirs = {action - 52 for action in state.legal_actions()}
    if hook == "off":
        made = [bid for bid in view.bids if bid is not None]
        barred = {view.cards - sum(made)} if len(made) == len(view.bids) - 1 else set()
        assert ours - theirs == barred & set(range(view.cards + 1))
        assert theirs <= ours
    else:
        assert ours == theirs
        found["hooked"] += len(ours) <= view.cards
    bid = chance.choice(sorted(ours))
    table.do(seat, Bid(bid))
    state.apply_action(52 + bid)
    found["bids"] += 1


def agree_on_a_card(table, state, chance, found):
    """Play a card at random, comparing what may be played and, so, who took the trick before."""
    seat = table.view.turn
    assert state.current_player() == seat
    moves = table.position.legal_moves(seat)
    assert sorted(code(each.card) for each in moves) == state.legal_actions()
    move = chance.choice(moves)
    assert isinstance(move, PlayCard)
    table.do(seat, move)
    state.apply_action(code(move.card))
    found["cards"] += 1


def test_rounds_agree_with_the_oracle(game, stacked):
    chance, found = Random(1), Counter()
    for _ in range(ROUNDS):
        players = chance.randint(3, 7)
        cards = chance.randint(1, 52 // players - 1)
        scoring, hook = chance.choice(["tricks10", "penalty"]), chance.choice(["off", "last"])
        pack = chance.sample(PACK, len(PACK))
        state = oracle_round(players, cards, pack, scoring == "penalty")
        table = game(players, deal=stacked(pack), first=cards, scoring=scoring, hook=hook)
        while table.view.phase == "bidding":
            agree_on_bids(table, state, chance, found)
        while table.view.phase != "done":
            agree_on_a_card(table, state, chance, found)
        assert state.is_terminal()
        assert list(table.view.totals) == state.returns()
        found["tricks"] += cards
    assert found["hooked"] > ROUNDS / 30
    assert found["tricks"] > 3 * ROUNDS
