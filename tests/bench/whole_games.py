"""
Whole games of chance moves in process, of every game there is: by the rules alone, and through the Host.

    python -m tests.bench.whole_games [--moves 20000] [--only nim,gops]

By the rules alone a move is to ask who is to move, list what may be done, choose by chance and play.  Through
the Host it is also journalled in memory, told to every seat and turned into Views for who moves next; opening
tables and sitting down count, as they do in life.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from time import process_time
from typing import Any

from attrs import frozen
from twisted.internet.task import Clock

from gamecore.errors import Refused
from gamecore.events import tell_nobody
from gamecore.fairness import Deal
from gamecore.hall import Hall
from gamecore.rules import AnyRules, Position, Registry, Seat, installed_rules, sample
from gamecore.table import Table
from gamecore.table_view import Detail, TableView, Turn
from protocols.host.face import News
from protocols.host.host import Host
from protocols.host.place import Place
from protocols.journal.memory import MemoryJournal

from .report import table

TABLES = 20
HEAD = ("game", "seats", "moves a game", "rules moves/s", "us", "Host moves/s", "us")


@frozen
class Pace:
    """What was done, and the processor time that it took."""

    moves: int
    games: int
    seconds: float

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    @property
    def each(self) -> float:
        """Microseconds a move."""
        return self.seconds / self.moves * 1e6


# -- by the rules alone ---------------------------------------------------------------


def seats_of(rules: AnyRules) -> int:
    """Say how many seats a table of a game has by default."""
    most = rules.seats[-1]
    return min(most, int(getattr(rules.options(), "players", most)))


def begin(rules: AnyRules, chance: Random) -> Position:
    """Begin a game at a table as it is by default."""
    seats = [Seat(f"player {seat}", sample(rules)) for seat in range(seats_of(rules))]
    return rules.begin(seats, rules.options(), Deal.by_chance(chance), tell_nobody, 0.0)


def move_by_chance(position: Position, chance: Random) -> None:
    """Let one of those who are to move do something."""
    seat = chance.choice(sorted(position.to_move()))
    position.play(seat, chance.choice(position.legal_moves(seat)), 0.0)


def by_rules(rules: AnyRules, moves: int, chance: Random) -> Pace:
    """Play so many moves, one game after another."""
    began = process_time()
    games, position = 1, begin(rules, chance)
    for _ in range(moves):
        if position.outcome is not None:
            games, position = games + 1, begin(rules, chance)
        move_by_chance(position, chance)
    return Pace(moves, games, process_time() - began)


# -- through the Host -----------------------------------------------------------------


class Guest:
    """A face that remembers what it may do, and finds fault with being refused."""

    __slots__ = ("place", "turn")
    detail = Detail.OWN_BOARD

    def __init__(self) -> None:
        self.place: Place | None = None
        self.turn: Turn | None = None

    def shown(self, view: TableView) -> None:
        """See the table."""

    def told(self, news: News) -> None:
        """Hear what happened."""

    def turned(self, turn: Turn) -> None:
        """Hear what may be done now."""
        self.turn = turn

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Hear that a move was played."""
        assert refusal is None, refusal

    def given(self, token: str) -> None:
        """Get a token."""

    def paused(self, trouble: str | None) -> None:
        """Hear that play is paused."""

    def parted(self, reason: str) -> None:
        """Hear that the table is gone."""


class Party:
    """Those at one table; when a game is over they go to another."""

    def __init__(self, host: Host, kind: str) -> None:
        self._host = host
        self._kind = kind
        self.games = 0
        self._guests: Sequence[Guest] = ()

    def sit_down(self) -> None:
        """Open a table, and take all its seats."""
        for guest in self._guests:
            self._host.leave(guest)
        opened: Table = self._host.hall.find(
            self._host.open(self._kind, "", {}, {"start": "full"}).code
        )
        self._guests = [Guest() for _ in opened.free_seats()]
        self.games += 1
        for seat, guest in enumerate(self._guests):
            brought = sample(opened.rules)
            self._host.sit(guest, opened.code, seat, f"player {seat}", brought=brought)

    def move(self, chance: Random) -> int:
        """Let one move who may, and say how many did; if nobody may, begin another game."""
        movers = [each for each in self._guests if each.turn is not None and each.turn.moves]
        if not movers:
            self.sit_down()
            return 0
        mover = chance.choice(movers)
        assert mover.turn is not None
        self._host.submit(mover, chance.choice(mover.turn.moves))
        return 1

    def forget_turns(self) -> None:
        """Let go of what was told last."""
        for guest in self._guests:
            guest.turn = None


def settle(clock: Clock) -> None:
    """Let everything happen that needs no time: a batch is collected, committed, and told."""
    for _ in range(3):
        clock.advance(0)


def through_host(kind: str, moves: int, chance: Random, tables: int = TABLES) -> Pace:
    """Play at least so many moves, at several tables in turn."""
    clock = Clock()
    journal = MemoryJournal(clock)
    host = Host(Hall(Registry(installed_rules())), journal, clock, lambda: 1e9, chance)
    parties = [Party(host, kind) for _ in range(tables)]
    made = 0
    began = process_time()
    while made < moves:
        made += sum(party.move(chance) for party in parties)
        settle(clock)
    return Pace(made, sum(party.games for party in parties), process_time() - began)


# -- and both -------------------------------------------------------------------------


def measure(rules: AnyRules, moves: int, seed: int = 1) -> tuple[str, ...]:
    """Measure one game both ways."""
    alone = by_rules(rules, moves, Random(seed))
    hosted = through_host(rules.kind, max(moves // 4, 1), Random(seed))
    return (
        rules.kind,
        str(seats_of(rules)),
        f"{alone.moves / alone.games:.0f}",
        *(f"{alone.rate:.0f}", f"{alone.each:.1f}"),
        *(f"{hosted.rate:.0f}", f"{hosted.each:.1f}"),
    )


def show(moves: int, only: Sequence[str] | None = None) -> str:
    """Measure all games, or those that are named, and show it."""
    games = [each for each in installed_rules() if only is None or each.kind in only]
    return table(HEAD, [measure(rules, moves) for rules in games])


def main() -> None:
    """Measure every game, or those that are named."""
    options = argparse.ArgumentParser(description="Play whole games of chance moves in process.")
    options.add_argument("--moves", type=int, default=20_000)
    options.add_argument("--only", type=lambda text: text.split(","))
    given = options.parse_args()
    print(show(given.moves, given.only))


if __name__ == "__main__":
    main()
