"""
What one move of Nim costs in process over each door: bytes in, rules, Host, memory journal, bytes out.

    python -m tests.bench.wires [--moves 20000] [--only nim,lobby,json] [--profile]

Transports are in memory, so nothing is in it but what is ours; ``--profile`` says where the time goes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from cProfile import Profile
from pstats import SortKey, Stats
from time import process_time

from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from gamecore.games.nim import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from protocols.host.door import DoorFactory, TableDefaults, installed_doors, read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal

from .links import GOES_ON, MANNERS, MOVE
from .report import table
from .unhurried import Unhurried
from .whole_games import settle

GAMES = 100
DOORS = ("nim", *MANNERS)
_HOUSE: Mapping[str, Mapping[str, float]] = {
    "nim": {"stones": 1_000_000},
    "json": {"requests_at_once": 1_000_000_000},
}


class Peer:
    """The far end of one connection at a door."""

    def __init__(self, factory: DoorFactory) -> None:
        link = factory.buildProtocol(None)
        assert link is not None
        self._transport = StringTransport()
        link.makeConnection(self._transport)
        self.say = link.dataReceived

    def heard(self) -> bytes:
        """Take what has come since last asked."""
        said: bytes = self._transport.value()
        self._transport.clear()
        return said


Pair = tuple[Peer, Peer]


class Party:
    """A daemon in process with one of its doors, and people there who play Nim."""

    def __init__(self, kind: str, games: int = GAMES) -> None:
        self.clock = Clock()
        self._kind = kind
        self._factory = build(kind, self.clock)
        self.move = MANNERS[kind].move if kind in MANNERS else MOVE
        self.pairs = [self._seat_pair() for _ in range(games)]

    def _seat_pair(self) -> Pair:
        pair = Peer(self._factory), Peer(self._factory)
        for say in self._openings(pair):
            say()
            self._rest()
        for peer in pair:
            peer.heard()
        return pair

    def _openings(self, pair: Pair) -> Iterator[Callable[[], None]]:
        if self._kind not in MANNERS:
            for order, peer in enumerate(pair):
                hello = b'{"name": "p%d", "order": %d}\n' % (order, order)
                yield lambda peer=peer, hello=hello: peer.say(hello)  # type: ignore[misc]
            return
        manner = MANNERS[self._kind]
        yield lambda: pair[0].say(manner.opens)
        code = manner.code_in(pair[0].heard())
        yield lambda: pair[1].say(manner.joins % code)

    def _rest(self) -> None:
        for _ in range(4):  # one after the other may ask for more before a game has begun
            settle(self.clock)

    def play(self, turn: int) -> None:
        """Let one move at every table."""
        for pair in self.pairs:
            pair[turn % 2].say(self.move)
        settle(self.clock)

    def check(self, turn: int) -> None:
        """See that everybody was told what the load looks for, and nothing else."""
        for pair in self.pairs:
            for seat, peer in enumerate(pair):
                self._check_lines(peer.heard(), seat, seat != turn % 2)

    def _check_lines(self, said: bytes, seat: int, is_next: bool) -> None:
        if self._kind not in MANNERS:
            assert said.count(GOES_ON) == said.count(b"\n") == 1, said
            return
        manner = MANNERS[self._kind]
        assert said and manner.goes_on(said), said
        assert said.count(manner.turns[seat]) == is_next, said


def build(kind: str, clock: Clock) -> DoorFactory:
    """Build a daemon with one door."""
    doors = {door.kind: door for door in installed_doors()}
    rules = {each.kind: each for each in installed_rules()}
    nim = read_defaults(rules[RULES.kind], doors[RULES.kind], _HOUSE[RULES.kind])
    given = read_defaults(rules.get(kind), doors[kind], _HOUSE.get(kind, {}))
    host = _host(clock, {RULES.kind: nim})
    factory = doors[kind].build(host, given)
    if kind == "lobby":
        factory.protocol = Unhurried
    return factory


def _host(clock: Clock, defaults: Mapping[str, TableDefaults]) -> Host:
    hall = Hall(Registry(installed_rules()))
    return Host(hall, MemoryJournal(clock), clock, lambda: 1e9, defaults=defaults)


def play(party: Party, moves: int, profile: Profile | None = None) -> float:
    """Play so many moves, and give the processor seconds of one; what is checked between counts for nothing."""
    spent = 0.0
    rounds = max(moves // len(party.pairs), 1)
    for turn in range(rounds):
        began = process_time()
        if profile is not None:
            profile.enable()
        party.play(turn)
        if profile is not None:
            profile.disable()
        spent += process_time() - began
        party.check(turn)
    return spent / (rounds * len(party.pairs))


def microseconds(moves: int, kinds: Sequence[str] = DOORS) -> dict[str, float]:
    """Measure each door."""
    return {kind: play(Party(kind), moves) * 1e6 for kind in kinds}


def print_profile(kind: str, moves: int, most: int = 40) -> None:
    """Print where the time of a move goes."""
    profile = Profile()
    play(Party(kind), moves, profile)
    Stats(profile).sort_stats(SortKey.TIME).print_stats(most)


def show(measured: Mapping[str, float]) -> str:
    """Show what was measured, beside Nim's own wire."""
    base = measured.get(RULES.kind)
    body = [
        (kind, f"{each:.1f}", f"{each / base:.2f}" if base else "-")
        for kind, each in measured.items()
    ]
    return table(("in process over", "us a move", "of nim's"), body)


def main() -> None:
    """Measure or profile the doors that are named."""
    options = argparse.ArgumentParser(description="Measure a move in process over each door.")
    options.add_argument("--moves", type=int, default=20_000)
    options.add_argument("--only", type=lambda text: text.split(","), default=list(DOORS))
    options.add_argument("--profile", action="store_true")
    given = options.parse_args()
    if given.profile:
        for kind in given.only:
            print_profile(kind, given.moves)
    else:
        print(show(microseconds(given.moves, given.only)))


if __name__ == "__main__":
    main()
