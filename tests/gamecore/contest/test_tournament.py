"""The life of a tournament: what may happen when, and that the same commands always give the same table."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gamecore.contest import Tournament, find_format
from gamecore.contest.commands import (
    Begin,
    Cancel,
    Enter,
    Finish,
    Forfeit,
    Pair,
    Report,
    Withdraw,
)
from gamecore.contest.events import RoundPaired, TournamentOver, Withdrew
from gamecore.contest.life import LifeCore, LifeMachine, Phase
from gamecore.contest.rounds import PairedRound, Pairing
from gamecore.errors import Refused


def opened(entrants: int, format: str | None = "roundrobin") -> Tournament:
    tournament = Tournament(None if format is None else find_format(format))
    for each in range(entrants):
        tournament.apply(Enter(f"e{each}"))
    return tournament


def refused(tournament: Tournament, command: object) -> str:
    before = tournament.field, tournament.phase
    with pytest.raises(Refused) as problem:
        tournament.apply(command)
    assert (tournament.field, tournament.phase) == before
    return problem.value.key


def run(tournament: Tournament, chance: Random) -> list[object]:
    """Play to the end; the commands that did it."""
    commands: list[object] = [Begin()]
    tournament.apply(Begin())
    while (paired := tournament.next_round()) is not None:
        commands.append(Pair(paired))
        tournament.apply(Pair(paired))
        for pairing in tournament.unreported:
            commands.append(Report(pairing.id, (chance.choice([(1, 2), (2, 1), (1, 1)]),)))
            tournament.apply(commands[-1])
    commands.append(Finish())
    assert tournament.apply(Finish()) == [TournamentOver()]
    return commands


@settings(max_examples=20)
@given(st.sampled_from(["roundrobin", "swiss", "knockout"]), st.integers(2, 12), st.integers())
def test_the_same_commands_give_the_same_table(format, entrants, number):
    first = opened(entrants, format)
    commands = run(first, Random(number))
    again = opened(entrants, format)
    for each in commands:
        again.apply(each)
    assert again.table() == first.table()
    assert again.phase is first.phase is Phase.OVER


def test_a_result_is_taken_once():
    tournament = opened(4)
    tournament.apply(Begin())
    tournament.apply(Pair(tournament.next_round()))
    pairing = tournament.unreported[0]
    tournament.apply(Report(pairing.id, ((1, 2),)))
    assert refused(tournament, Report(pairing.id, ((2, 1),))) == "no-such-pairing"


def test_what_has_no_place_is_refused_and_changes_nothing():
    tournament = opened(2)
    assert refused(tournament, Enter("e1")) == "name-taken"
    assert refused(tournament, Withdraw("nobody")) == "no-such-entrant"
    assert refused(tournament, Finish()) == "not-now"
    assert refused(opened(1), Begin()) == "too-few-entrants"
    tournament.apply(Begin())
    assert refused(tournament, Enter("late")) == "not-now"
    for wrong in (
        PairedRound(1, ()),
        PairedRound(1, (Pairing("1.1", ("e0", "e0")),)),
        PairedRound(1, (Pairing("1.1", ("e0", "stranger")),)),
        PairedRound(1, (Pairing("1.1", ("e0", "e1")),), ("e0",)),
        PairedRound(1, (Pairing("1.1", ("e0",)),)),
    ):
        assert refused(tournament, Pair(wrong)) == "wrong-pairings"
    tournament.apply(Pair(tournament.next_round()))
    for places in ((1, 2, 3), (2, 2), (0, 1), (1, 3)):
        assert refused(tournament, Report("1.1", (places,))) == "wrong-places"
    assert refused(tournament, Report("1.1", ())) == "wrong-places"
    assert refused(tournament, Forfeit("1.1", ("stranger",))) == "no-such-entrant"


def test_a_pairing_is_a_walkover_where_one_does_not_come():
    tournament = opened(2)
    tournament.apply(Begin())
    tournament.apply(Pair(tournament.next_round()))
    tournament.apply(Forfeit("1.1", ("e0",)))
    assert [row.entrant for row in tournament.table()] == ["e1", "e0"]
    assert tournament.phase is Phase.PAIRING


def test_one_who_withdraws_is_paired_no_more_and_stays_in_the_table():
    tournament = opened(4)
    tournament.apply(Begin())
    assert tournament.apply(Withdraw("e3")) == [Withdrew("e3")]
    while (paired := tournament.next_round()) is not None:
        assert not [each for each in paired.pairings if "e3" in each.entrants]
        tournament.apply(Pair(paired))
        for each in tournament.unreported:
            tournament.apply(Report(each.id, ((1, 2),)))
    assert {row.entrant for row in tournament.table()} == {"e0", "e1", "e2", "e3"}


def test_an_arena_lets_in_and_pairs_while_it_plays():
    arena = opened(2, None)
    arena.apply(Begin())
    assert arena.phase is Phase.RUNNING
    arena.apply(Pair(PairedRound(1, (Pairing("1.1", ("e0", "e1")),))))
    arena.apply(Enter("e2"))
    arena.apply(Enter("e3"))
    busy = PairedRound(2, (Pairing("2.1", ("e0", "e2")),))
    assert refused(arena, Pair(busy)) == "wrong-pairings"
    assert arena.apply(Pair(PairedRound(2, (Pairing("2.1", ("e3", "e2")),))))[0].paired.number == 2
    arena.apply(Report("1.1", ((1, 2),)))
    assert arena.phase is Phase.RUNNING
    arena.apply(Finish())
    assert refused(arena, Report("2.1", ((1, 2),))) == "no-such-pairing"


OPEN_ON_PURPOSE = {
    "open": {"pair", "report", "round_over", "finish"},
    "pairing": {"enter", "begin", "run", "report", "round_over"},
    "playing": {"enter", "begin", "run", "pair", "finish"},
    "running": {"begin", "run", "round_over"},
    "over": {
        *("enter", "withdraw", "begin", "run", "pair", "report", "round_over", "finish", "cancel"),
    },
    "cancelled": {
        *("enter", "withdraw", "begin", "run", "pair", "report", "round_over", "finish", "cancel"),
    },
}


def test_the_inputs_that_a_phase_does_not_take_are_those_left_open_on_purpose():
    automaton = LifeMachine.__automat_automaton__
    inputs = {
        "enter",
        "withdraw",
        "begin",
        "run",
        "pair",
        "report",
        "round_over",
        "finish",
        "cancel",
    }
    taken: dict[str, set[str]] = {}
    for before, given_input, _, _ in automaton.allTransitions():
        taken.setdefault(before.name, set()).add(given_input)
    assert {name: inputs - taken.get(name, set()) for name in OPEN_ON_PURPOSE} == OPEN_ON_PURPOSE
    assert LifeMachine(LifeCore()).phase() is Phase.OPEN


class Lives(RuleBasedStateMachine):
    """A tournament beside a model the size of a dict: who is in, what is open, how far it is."""

    @initialize(format=st.sampled_from(["roundrobin", "swiss", None]))
    def open(self, format: str | None) -> None:
        self.arena = format is None
        self.tournament = opened(0, format)
        self.inside: set[str] = set()
        self.phase = Phase.OPEN
        self.waits: set[str] = set()
        self.count = 0

    @rule()
    def enter(self) -> None:
        self.count += 1
        name = f"n{self.count}"
        if self.phase in (Phase.OPEN, Phase.RUNNING):
            self.tournament.apply(Enter(name))
            self.inside.add(name)
        else:
            assert refused(self.tournament, Enter(name)) == "not-now"

    @precondition(lambda self: self.inside)
    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.inside)))
        if self.phase in (Phase.OVER, Phase.CANCELLED):
            assert refused(self.tournament, Withdraw(name)) == "not-now"
        else:
            self.tournament.apply(Withdraw(name))
            self.inside.discard(name)

    @rule()
    def begin(self) -> None:
        if self.phase is not Phase.OPEN or len(self.inside) < 2:
            assert refused(self.tournament, Begin()) in ("not-now", "too-few-entrants")
            return
        self.tournament.apply(Begin())
        self.phase = Phase.RUNNING if self.arena else Phase.PAIRING

    @precondition(lambda self: self.phase is Phase.PAIRING)
    @rule()
    def pair(self) -> None:
        paired = self.tournament.next_round()
        if paired is None:
            self.tournament.apply(Finish())
            self.phase = Phase.OVER
            return
        assert isinstance(self.tournament.apply(Pair(paired))[0], RoundPaired)
        self.waits = {each.id for each in paired.pairings}
        self.phase = Phase.PLAYING

    @precondition(lambda self: self.waits and self.phase is Phase.PLAYING)
    @rule(data=st.data(), walkover=st.booleans())
    def report(self, data: st.DataObject, walkover: bool) -> None:
        id = data.draw(st.sampled_from(sorted(self.waits)))
        pairing = next(each for each in self.tournament.unreported if each.id == id)
        absent = Forfeit(id, pairing.entrants[:1])
        self.tournament.apply(absent if walkover else Report(id, ((2, 1),)))
        self.waits.discard(id)
        if not self.waits:
            self.phase = Phase.PAIRING

    @rule()
    def cancel(self) -> None:
        if self.count < 6:
            return
        if self.phase in (Phase.OVER, Phase.CANCELLED):
            assert refused(self.tournament, Cancel()) == "not-now"
        else:
            self.tournament.apply(Cancel())
            self.phase, self.waits = Phase.CANCELLED, set()

    @invariant()
    def both_say_the_same(self) -> None:
        assert self.tournament.phase is self.phase
        assert self.tournament.field.present == self.inside
        assert {each.id for each in self.tournament.unreported} == self.waits
        self.tournament.table()


TestLives = Lives.TestCase
TestLives.settings = settings(max_examples=40, stateful_step_count=30)
