"""Presence in every game: whoever drops, returns and drops again at any moment, from any seat (C21 to C24, C40)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.rules import sample
from gamecore.table import Table
from gamecore.table_events import Dropped, Returned
from tests.cases.customs import GAMES

SEED = "5e" * 32
GRACE = 30.0
PROMPTS = 60  # moves before somebody goes, at most
RINGS = 120
MOVES = 1000
ABSENT = ("forfeit", "bot", "wait")
LIVE = (Stage.PLAYING, Stage.BETWEEN_ROUNDS)


class Played:
    """A table of one game, played by chance up to some moment."""

    def __init__(self, kind, chance, absent="forfeit"):
        self.rules, self.chance, self.now = GAMES[kind], chance, 0.0
        house = {"start": "asked", "grace": GRACE, "absent": absent}
        self.table = Table(
            commands.Open("TABLE", kind, self.rules.version, 1, 1, "", SEED, {}, house), self.rules
        )
        count = chance.choice(list(self.rules.seats)[:3])
        for seat in range(count):
            self.do(commands.Sit(seat, f"player {seat}", "hash", None, sample(self.rules)))
        self.count = count

    def do(self, command, now=None):
        self.now = self.now if now is None else now
        return self.table.apply(command, self.now)

    def play(self, steps):
        """Make so many moves by chance."""
        if self.table.stage is Stage.GATHERING:
            self.do(commands.Start())
        for _ in range(steps):
            if not self.step():
                return

    def step(self):
        """Make one move by chance; False if nobody who is here is awaited."""
        here = [s for s in self.table.awaited() if self.table.presence(s) is Presence.HERE]
        if not here:
            return False
        seat = self.chance.choice(sorted(here))
        moves = self.table.legal_moves(seat)
        assert moves, f"{seat} is awaited and may do nothing"
        self.do(commands.Play(seat, self.chance.choice(moves)), self.now + 0.01)
        return True

    def board(self, seat):
        view = self.table.seen_by(seat, self.now)
        return view.board, view.stage, view.to_move, list(self.table.legal_moves(seat))

    def ring(self):
        """Do what the next alarm says; False if there is none."""
        alarm = self.table.alarm()
        if alarm is None:
            return False
        self.do(alarm.command, max(self.now, alarm.at))
        return True


@pytest.mark.parametrize("kind", GAMES)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), steps=st.integers(0, PROMPTS))
def test_whoever_drops_and_returns_finds_all_as_it_was_from_any_seat(kind, seed, steps):
    """C21, C22, C23: the opener is no exception, and nor is any state of any game."""
    chance = Random(seed)
    played = Played(kind, chance)
    if steps:
        played.play(steps - 1)
    table = played.table
    for seat in range(played.count):
        if table.stage is Stage.ABANDONED or table.presence(seat) is not Presence.HERE:
            continue
        before = played.board(seat)
        for _ in range(2):  # and a second time
            assert table.absence(seat) == "grace"
            dropped, *_ = played.do(commands.Drop(seat, "grace"), played.now + 0.001)
            assert dropped == Dropped(seat, GRACE)
            with pytest.raises(Refused, match="not-here"):
                played.do(commands.Drop(seat, "grace"))
            alarm = table.alarm()
            assert alarm is not None and alarm.at <= played.now + GRACE
            assert Returned(seat) in played.do(commands.Return(seat), played.now + 0.001)
            with pytest.raises(Refused, match="not-away"):
                played.do(commands.Return(seat))
            assert played.board(seat) == before
        with pytest.raises(Refused, match="not-due"):
            played.do(commands.TimeUp("grace", seat), played.now + 2 * GRACE)
        played.now -= 2 * GRACE
    assert table.stage not in LIVE or played.step()


@pytest.mark.parametrize("absent", ABSENT)
@pytest.mark.parametrize("kind", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), steps=st.integers(0, PROMPTS))
def test_one_who_stays_away_keeps_nobody_for_ever(kind, absent, seed, steps):
    """C22, C24: the others play on, the clocks ring, and the game ends, or waits only where it is to wait."""
    chance = Random(seed)
    played = Played(kind, chance, absent)
    played.play(steps)
    table = played.table
    seat = chance.randrange(played.count)
    if table.stage not in LIVE or table.presence(seat) is not Presence.HERE:
        return
    played.do(commands.Drop(seat, "grace"))
    stuck = False
    for _ in range(MOVES):
        if table.stage not in LIVE:
            break
        if played.step():
            continue
        if bots := [s for s in table.awaited() if table.player(s).level is not None]:
            played.do(commands.Play(bots[0], chance.choice(table.legal_moves(bots[0]))))
        elif not played.ring():
            stuck = True
            break
    if stuck:
        assert absent == "wait", f"nothing moves it on: {table.awaited()}"
        assert table.awaited() == {seat}
        played.do(commands.Return(seat), played.now + 1000)
        assert table.legal_moves(seat)
        assert played.step()
    elif absent == "bot":  # and nobody else is missed
        assert table.stage is Stage.OVER or table.player(seat).level is not None


@pytest.mark.parametrize("kind", GAMES)
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), steps=st.integers(0, PROMPTS))
def test_at_every_prompt_the_deadline_of_an_absent_seat_does_something_that_is_told(
    kind, seed, steps
):
    """C24, C40: with everybody idle or away, whatever is due happens at its time, once for each, and is told."""
    chance = Random(seed)
    played = Played(kind, chance)
    played.play(steps)
    table = played.table
    for seat in range(played.count):
        goes = table.stage in LIVE and chance.random() < 0.5
        if goes and table.presence(seat) is Presence.HERE:
            played.do(commands.Drop(seat, "grace"))
    rung = Counter()
    for _ in range(RINGS):
        if table.stage not in LIVE:
            break
        alarm = table.alarm()
        assert alarm is not None, f"nothing moves it on: {table.awaited()}"
        early = alarm.at - 0.001
        if early > played.now:
            with pytest.raises(Refused, match="not-due"):
                table.apply(alarm.command, early)
        assert played.do(alarm.command, max(played.now, alarm.at)), (
            f"{alarm.command} told to nobody"
        )
        rung[alarm] += 1
        # A turn may end in a few steps, each due at once; but time must not stand still for ever.
        assert rung[alarm] <= 5, f"{alarm} rings again and again"
