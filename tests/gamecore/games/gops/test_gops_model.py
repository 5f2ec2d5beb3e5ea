"""Any order of bids, waits and goodbyes leaves a game of GOPS agreeing with a dict."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from gamecore.errors import Refused
from gamecore.events import RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.gops import RULES, Bid, Forfeited, GopsOptions, PrizeTurned, Revealed
from gamecore.rules import Seat

SECONDS = 10


def listed(view, seat):
    """Derive the legal moves from what a seat sees, and nothing else."""
    return [] if view.over or seat in view.laid else [Bid(card) for card in view.hands[seat]]


class GopsModel(RuleBasedStateMachine):
    @initialize(cards=st.integers(2, 13), ties=st.sampled_from(["carry", "discard"]))
    def begin(self, cards, ties):
        self.heard, self.now, self.since = [], 0.0, 0.0
        options = GopsOptions(cards, ties, seconds=SECONDS)
        self.position = RULES.begin(
            [Seat("a"), Seat("b")], options, Deal("77" * 32), self.heard.append, 0.0
        )
        self.hands = [set(range(1, cards + 1)) for _ in range(2)]
        self.laid, self.points, self.pot, self.lost = {}, [0, 0], [self.turned()], 0
        self.cards, self.ties, self.reason = cards, ties, None

    def turned(self):
        return [each for each in self.heard if isinstance(each, PrizeTurned)][-1].prize

    @rule(seat=st.sampled_from([0, 1]), card=st.integers(0, 14))
    def bid(self, seat, card):
        if self.reason is not None:
            key = "game-over"
        elif seat in self.laid:
            key = "already-laid"
        elif not 1 <= card <= self.cards:
            key = "no-such-card"
        elif card not in self.hands[seat]:
            key = "card-played"
        else:
            self.lay(seat, card)
            return
        views, count = [self.position.seen_by(each) for each in (0, 1)], len(self.heard)
        with pytest.raises(Refused, match=key):
            self.position.play(seat, Bid(card), self.now)
        assert [self.position.seen_by(each) for each in (0, 1)] == views
        assert len(self.heard) == count

    @rule(seat=st.sampled_from([0, 1]), data=st.data())
    def legal(self, seat, data):
        moves = self.position.legal_moves(seat)
        if moves:
            self.lay(seat, data.draw(st.sampled_from(list(moves))).card)

    def lay(self, seat, card):
        self.position.play(seat, Bid(card), self.now)
        self.laid[seat] = card
        if len(self.laid) == 2:
            self.settle()

    def settle(self):
        won = sum(self.pot)
        if self.laid[0] != self.laid[1]:
            self.points[self.laid[1] > self.laid[0]] += won
            self.pot = []
        elif self.ties == "discard":
            self.lost += won
            self.pot = []
        for seat, card in self.laid.items():
            self.hands[seat].remove(card)
        self.laid, self.since = {}, self.now
        if self.hands[0]:
            self.pot.append(self.turned())
        else:
            self.reason = "points"

    @rule(seconds=st.integers(1, 4))
    def wait(self, seconds):
        self.now += seconds
        for seat, due in list(self.position.due().items()):
            assert due == self.since + SECONDS
            if self.now >= due and self.reason is None:
                idle = tuple(each for each in (0, 1) if each not in self.laid)
                self.position.time_up(seat, self.now)
                self.end("time", idle)

    @rule(seat=st.sampled_from([0, 1]), sure=st.sampled_from([False] * 8 + [True]))
    def leave(self, seat, sure):
        if sure:
            self.position.leave(seat, "disconnected", self.now)
            if self.reason is None:
                self.end("disconnected", (seat,))

    def end(self, why, seats):
        assert self.heard[-2] == Forfeited(seats, why, tuple(self.points))
        self.reason, self.laid = why, {}

    @invariant()
    def agrees(self):
        view, over = self.position.seen_by(None), self.reason is not None
        assert view.hands == tuple(tuple(sorted(hand)) for hand in self.hands)
        assert (view.scores, view.pot, view.over) == (tuple(self.points), tuple(self.pot), over)
        assert (view.laid, view.own) == (tuple(sorted(self.laid)), None)
        assert self.position.to_move() == (set() if over else {0, 1} - self.laid.keys())
        outcome = self.position.outcome
        assert (outcome and outcome.reason) == self.reason
        turned = sum(each.prize for each in self.heard if isinstance(each, PrizeTurned))
        assert sum(view.scores) + sum(view.pot) + self.lost == turned
        for seat in (0, 1):
            assert list(self.position.legal_moves(seat)) == listed(
                self.position.seen_by(seat), seat
            )
            assert self.position.seen_by(seat).own == self.laid.get(seat)

    @invariant()
    def every_round_begins_and_ends_in_turn(self):
        marks = [each for each in self.heard if isinstance(each, RoundBegan | RoundOver)]
        wanted = [kind(number) for number in range(1, 14) for kind in (RoundBegan, RoundOver)]
        assert marks == wanted[: len(marks)]
        assert (len(marks) % 2 == 0) == (self.reason is not None)
        revealed = sum(isinstance(each, Revealed) for each in self.heard)
        assert revealed == len(self.position.seen_by(None).shown)

    def teardown(self):
        if hasattr(self, "position"):
            guess = self.position.guess(1, Random(2))
            assert guess.seen_by(1) == self.position.seen_by(1)


GopsModel.TestCase.settings = settings(max_examples=30, stateful_step_count=30)
test_gops_model = GopsModel.TestCase
