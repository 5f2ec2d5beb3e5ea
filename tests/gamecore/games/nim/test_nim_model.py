"""Any order of takes, waits and goodbyes leaves a game of Nim agreeing with a dict."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gamecore.errors import Refused
from gamecore.events import RoundOver
from gamecore.fairness import Deal
from gamecore.games.nim import RULES, Faulted, NimOptions, Take, Taken
from gamecore.rules import Seat

SECONDS = 8


def listed(view, seat):
    """Derive the legal moves from what a seat sees, and nothing else."""
    if view.mover != seat:
        return []
    stones = range(1, min(view.board.limit, view.board.left) + 1)
    flags = [False, True] if view.board.resets[seat] > 0 else [False]
    return [Take(count, reset) for reset in flags for count in stones]


class NimModel(RuleBasedStateMachine):
    """The model keeps whole seconds in quarters, so that no rounding comes between the two."""

    @initialize(
        stones=st.integers(1, 40),
        resets=st.integers(0, 3),
        maximum=st.integers(1, 4),
        keep=st.booleans(),
        lazy=st.booleans(),
    )
    def begin(self, stones, resets, maximum, keep, lazy):
        early = "keep" if keep else "lose"
        options = NimOptions(
            stones, resets, maximum, SECONDS, lag=0.25, lazy_clock=lazy, early_moves=early
        )
        self.heard, self.twin_heard, self.now, self.played = [], [], 0.0, []
        self.position, self.twin = (
            RULES.begin([Seat("a"), Seat("b")], options, Deal("11" * 32), heard.append, 0.0)
            for heard in (self.heard, self.twin_heard)
        )
        self.options = options
        self.model = {
            "left": stones,
            "max": maximum,
            "stored": None,
            "resets": [resets, resets],
            "used": [0.0, 0.0],
            "turn": 0,
            "since": 0.0,
            "end": None,
        }

    def both(self, act):
        """Do the same to a second position: the same commands give the same events."""
        act(self.position)
        act(self.twin)
        assert self.heard == self.twin_heard

    def think(self):
        model = self.model
        return model["used"][model["turn"]] + max(0.0, self.now - model["since"] - 0.25)

    def judge(self, seat, move):
        """Say what a move does, in the order of the specification; change the model."""
        model = self.model
        if seat != model["turn"]:
            return "turn"
        model["used"][seat] = self.think()
        if model["used"][seat] > SECONDS:
            return "time"
        if move.stones < 1 or move.stones > model["max"]:
            return "take"
        model["left"] -= min(move.stones, model["left"])
        if model["stored"] is not None:
            model["max"], model["stored"] = model["stored"], None
        model["max"] = max(model["max"], move.stones + 1)
        if move.reset:
            if model["resets"][seat] == 0:
                return "reset"
            model["stored"], model["max"] = model["max"], self.options.maximum
            model["resets"][seat] -= 1
        if model["left"] == 0:
            return "last-stone"
        model["turn"], model["since"] = 1 - seat, self.now
        return None

    @rule(
        seat=st.sampled_from([0, 0, 0, 1]),
        stones=st.one_of(st.integers(1, 3), st.integers(1, 3), st.integers(-1, 12)),
        reset=st.sampled_from([False, False, True]),
    )
    def take(self, seat, stones, reset):
        seat = seat ^ self.model["turn"]  # mostly the mover's
        move = Take(stones, reset)
        if self.model["end"] or (seat != self.model["turn"] and self.options.early_moves == "keep"):
            key = "game-over" if self.model["end"] else "not-your-turn"
            before = self.position.seen_by(None)
            with pytest.raises(Refused, match=key):
                self.position.play(seat, move, self.now)
            assert self.position.seen_by(None) == before
            return
        count = len(self.heard)
        self.both(lambda position: position.play(seat, move, self.now))
        end = self.judge(seat, move)
        said = self.heard[count:]
        if end in (None, "last-stone"):
            won = end is not None
            assert said[0] == Taken(seat, stones, reset, said[0].board, won)
        else:
            assert said[0] == Faulted(seat, end, stones, reset, said[0].board)
        assert said[1:] == ([] if end is None else [RoundOver(1)])
        if end is not None:
            self.model["end"] = (seat if end == "last-stone" else 1 - seat, end)

    @rule(data=st.data())
    @precondition(lambda self: self.model["end"] is None)
    def legal(self, data):
        seat = self.model["turn"]
        moves = self.position.legal_moves(seat)
        for move in moves:
            guess = self.position.guess(seat, Random(0))
            guess.play(seat, move, self.model["since"])
            assert not isinstance(guess.seen_by(None).last, Faulted)
        move = data.draw(st.sampled_from(moves))
        self.take(0, move.stones, move.reset)

    @rule(quarters=st.integers(1, 8))
    def wait(self, quarters):
        self.now += quarters / 4

    @rule()
    @precondition(lambda self: self.model["end"] is None)
    def ring(self):
        """Let the clock run out, if it can."""
        due = self.position.due()
        assert due.keys() == (set() if self.options.lazy_clock else {self.model["turn"]})
        for seat, at in due.items():
            assert at > self.model["since"] + 0.25 + SECONDS - self.model["used"][seat]
            if self.now >= at:
                self.model["used"][seat] = self.think()
                self.both(lambda position, seat=seat: position.time_up(seat, self.now))
                self.model["end"] = (1 - seat, "time")

    @rule(seat=st.sampled_from([0, 1]), sure=st.sampled_from([False] * 6 + [True]))
    def leave(self, seat, sure):
        if sure:
            self.both(lambda position: position.leave(seat, "left", self.now))
            if self.model["end"] is None:
                self.model["used"][self.model["turn"]] = self.think()
                self.model["end"] = (1 - seat, "left")

    @invariant()
    def agrees(self):
        model, view = self.model, self.position.seen_by(None)
        over = model["end"] is not None
        shown = (view.board.left, view.board.limit, list(view.board.resets), list(view.board.used))
        assert shown == (model["left"], model["max"], model["resets"], model["used"])
        assert view.mover == (None if over else model["turn"])
        assert self.position.to_move() == (set() if over else {model["turn"]})
        assert not (over and self.position.due())
        outcome = self.position.outcome
        assert (outcome and (*outcome.winners, outcome.reason)) == model["end"]
        for seat in (0, 1):
            assert list(self.position.legal_moves(seat)) == listed(
                self.position.seen_by(seat), seat
            )

    def teardown(self):
        if hasattr(self, "position"):
            guess = self.position.guess(1, Random(2))
            assert guess.seen_by(1) == self.position.seen_by(1)


NimModel.TestCase.settings = settings(max_examples=25, stateful_step_count=25)
test_nim_model = NimModel.TestCase
