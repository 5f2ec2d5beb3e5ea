"""Any commands in any order, for two games: refused or done, counted right, and replayed the same."""

from __future__ import annotations

from math import inf, nextafter
from typing import get_args

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gamecore.commands import (
    Abandon,
    Absence,
    Agree,
    Clock,
    Drop,
    GiveToken,
    Leave,
    Mix,
    Play,
    Rematch,
    Replace,
    Return,
    Sit,
    Start,
    TimeUp,
    Wake,
)
from gamecore.errors import Refused
from gamecore.events import heard_by
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Take
from gamecore.hall import Hall
from gamecore.player import Presence
from gamecore.rules import NextRound, Registry

SECOND_SEED = "a7" * 32
seats = st.integers(0, 3)
any_seats = st.one_of(seats, seats, st.sampled_from([-1, 4, 99]))
levels = st.sampled_from([None, None, None, "random"])
some_names = st.sampled_from(["", "wren", "robin", "WREN", "finch", "linnet", "kite"])
waits = st.sampled_from([0.0, 0.0, 0.25, 1.0, 4.5, 29.75, 30.0, 3600.0])


def least(pairs):
    return min(pairs, default=None)


class TableModel(RuleBasedStateMachine):
    """What is known beforehand is little and holds always; the rest is the other tests' affair."""

    def __init__(self, rules, charm, watched, sitting):
        super().__init__()
        self.rules, self.charm, self.watched, self.sitting = rules, charm, watched, sitting

    @initialize(
        absent=st.sampled_from(["forfeit", "bot", "wait"]),
        start=st.sampled_from(["full", "asked"]),
        tokens=st.booleans(),
        short=st.booleans(),
        people=st.sampled_from([0, 2, 3, 4]),
    )
    def open(self, absent, start, tokens, short, people):
        options = {"seconds": 10}
        if self.rules is NIM:
            options |= {"stones": 4 if short else 30, "early_moves": "keep" if short else "lose"}
        else:
            options |= {"rounds": 1 if short else 3}
        house = {"absent": absent, "start": start, "grace": 30, "expiry": 1000}
        self.watch = self.watched(self.rules, options, **house)
        self.table = self.watch.table
        self.told = {}  # by the core of each player: how much it should have been told
        self.told_watchers = 0
        self.shown = [self.watch.views()]
        self.times = [0.0]
        self.seeds = 0
        for seat in range(min(people, self.rules.seats[-1])):
            self.submit(self.sitting(self.rules, seat, "hash" if tokens else None))
        self.submit(Start())

    # -- what every command is held to ------------------------------------------------

    def submit(self, command):
        """Do a command or see it refused; say whether it was done."""
        before = self.watch.state()
        try:
            events = self.watch.do(command)
        except Refused as refusal:
            assert refusal.key and self.watch.state() == before
            return False
        self.told_watchers += len(heard_by(None, events))
        known = self.told
        self.told = {
            id(core): known.get(id(core), 0) + len(heard_by(seat, events))
            for seat, core in self.table.seated().items()
        }
        self.keep = list(self.table.seated().values())  # so that no id is used again
        self.shown.append(self.watch.views())
        self.times.append(self.watch.now)
        return True

    def seen_stage(self):
        return self.table.seen_by(None, self.watch.now).stage

    @invariant()
    def streams_are_counted_by_what_their_audience_hears(self):
        if not hasattr(self, "table"):
            return
        now = self.watch.now
        assert self.table.seen_by(None, now).told == self.told_watchers
        for seat, core in self.table.seated().items():
            assert self.table.seen_by(seat, now).told == self.told.get(id(core), 0)
            assert core.seat == seat

    @invariant()
    def the_alarm_is_the_least_of_all_that_is_due(self):
        if not hasattr(self, "table"):
            return
        alarm, stage = self.table.alarm(), self.table.stage
        assert (alarm and alarm.at) == self.table.alarm_at()
        due = dict(self.table.seen_by(None, self.watch.now).due)
        graces = self.graces().values()
        live = stage in (Stage.PLAYING, Stage.BETWEEN_ROUNDS)
        waited = self.table._roster.waited_for()
        here = [seat for seat in range(4) if self.table.presence(seat) is Presence.HERE]
        stands = bool(waited & self.table.awaited()) and not here
        idle = stage in (Stage.GATHERING, Stage.OVER) or stands
        expiry = [self.times[-1] + 1000.0] if idle else []
        assert self.table.alarm_at() == least([*due.values(), *graces, *expiry])
        assert live or not due
        assert stage is not Stage.ABANDONED or alarm is None

    @invariant()
    def only_who_is_to_move_has_moves(self):
        if not hasattr(self, "table"):
            return
        view = self.table.seen_by(None, self.watch.now)
        movers = {seat for seat in range(4) if self.table.legal_moves(seat)}
        assert movers == view.to_move
        assert view.due.keys() <= view.to_move
        if view.stage not in (Stage.PLAYING, Stage.BETWEEN_ROUNDS):
            assert not movers

    @invariant()
    def a_table_says_itself_whether_it_has_room_and_whether_it_is_done(self):
        if not hasattr(self, "table"):
            return
        table, stage = self.table, self.table.stage
        assert table.joinable == (stage is Stage.GATHERING and bool(table.free_seats()))
        people = [core for core in table.seated().values() if core.level is None]
        assert table.ended == (stage is Stage.ABANDONED or (stage is Stage.OVER and not people))
        for seat in table.seated():
            away = table.presence(seat) is Presence.AWAY
            held = seat in self.graces() or seat in table._roster.waited_for()
            assert away == held or stage is Stage.ABANDONED

    def graces(self):
        return {} if self.table.stage is Stage.ABANDONED else dict(self.table._roster.graces())

    # -- commands ---------------------------------------------------------------------

    @rule(seat=any_seats, name=some_names, token=st.sampled_from([None, "hash"]), level=levels)
    def sit(self, seat, name, token, level):
        self.submit(Sit(seat, name, token, level, self.charm and self.charm(name)))

    @rule(seat=any_seats, words=st.sampled_from(["", "owl", "x" * 201]))
    def mix(self, seat, words):
        self.submit(Mix(seat, words))

    @rule()
    def start(self):
        self.submit(Start())

    @rule(data=st.data(), wait=waits)
    @precondition(lambda self: self.table.seen_by(None, 0.0).to_move)
    def play(self, data, wait):
        """A legal move is never refused."""
        alarm = self.table.alarm_at()
        self.watch.now = min(self.watch.now + wait, alarm or inf)
        seat = data.draw(st.sampled_from(sorted(self.table.seen_by(None, 0.0).to_move)))
        move = data.draw(st.sampled_from(list(self.table.legal_moves(seat))))
        assert self.submit(Play(seat, move))

    @rule(seat=any_seats, move=st.sampled_from([Take(1), Take(0), Take(2, True), NextRound()]))
    def play_anything(self, seat, move):
        self.submit(Play(seat, move))

    @rule(seat=any_seats)
    def drop(self, seat):
        """A link is lost: the table itself says what that means."""
        if self.table.presence(seat) is Presence.HERE:
            done = self.submit(Drop(seat, self.table.absence(seat)))
            assert done or self.table.stage is Stage.ABANDONED
        else:
            assert not self.submit(Drop(seat, "grace"))

    @rule(seat=any_seats, absence=st.sampled_from(get_args(Absence)))
    def drop_in_any_way(self, seat, absence):
        self.submit(Drop(seat, absence))

    @rule(seat=any_seats)
    def come_back(self, seat):
        away = self.table.presence(seat) is Presence.AWAY
        closed = self.table.stage is Stage.ABANDONED
        assert self.submit(Return(seat)) == (away and not closed)

    @rule(seat=any_seats, sure=st.integers(0, 3))
    def leave(self, seat, sure):
        if sure == 0:
            self.submit(Leave(seat))

    @rule(seat=any_seats, name=st.sampled_from(["robby", "marvin"]), sure=st.integers(0, 2))
    def replace(self, seat, name, sure):
        if sure == 0:
            self.submit(Replace(seat, name, "random"))

    @rule()
    def ring(self):
        """An alarm is refused at the instant before its time, and never at its time."""
        alarm = self.table.alarm()
        if alarm is None:
            return
        before = nextafter(alarm.at, -inf)
        if self.watch.now <= before:
            self.watch.now = before
            assert not self.submit(alarm.command)
        self.watch.now = max(self.watch.now, alarm.at)
        assert self.submit(alarm.command)

    @rule(clock=st.sampled_from(get_args(Clock)), seat=st.none() | any_seats)
    def ring_out_of_order(self, clock, seat):
        self.submit(TimeUp(clock, seat))

    @rule(wait=waits)
    def wait(self, wait):
        """Time passes, and the alarm rings late as it does on a busy machine."""
        self.watch.now += wait

    @rule()
    def wake(self):
        assert self.submit(Wake()) or self.table.stage is Stage.ABANDONED

    @rule(seat=any_seats)
    def give_token(self, seat):
        self.submit(GiveToken(seat, "a hash"))

    @rule()
    def rematch(self):
        self.submit(Rematch(SECOND_SEED))

    @rule(seat=any_seats)
    def ask_for_a_rematch(self, seat):
        self.submit(Rematch(SECOND_SEED, by=seat))

    @rule(seat=any_seats)
    def agree(self, seat):
        self.submit(Agree(seat))

    @rule(sure=st.integers(0, 12))
    def abandon(self, sure):
        if sure == 0:
            assert self.submit(Abandon("enough")) or self.table.stage is Stage.ABANDONED

    # -- afterwards -------------------------------------------------------------------

    def teardown(self):
        """Make the table anew from every beginning of its record."""
        if not hasattr(self, "watch"):
            return
        entries = self.watch.entries()
        hall = Hall(Registry([self.rules]))
        for end, views in enumerate(self.shown, 1):
            table = hall.replay(entries[:end])
            assert table.sequence == end - 1
            assert {seat: table.seen_by(seat, self.times[end - 1]) for seat in views} == views
        assert table.alarm() == self.table.alarm()
        assert table.seated() == self.table.seated()


def test_any_commands_in_any_order(rules, high, watched, sitting):
    charm = None if rules is NIM else high.Charm
    run_state_machine_as_test(
        lambda: TableModel(rules, charm, watched, sitting),
        settings=settings(
            max_examples=30,
            stateful_step_count=40,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
