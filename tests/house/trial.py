"""One trial of a house: players at three daemons, faults that a seed draws, and the checker at the end."""

from __future__ import annotations

import selectors
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from attrs import Factory, define

from gamecore.rules import Registry, installed_rules
from tests import postgres
from tests.daemons.daemon import Daemon
from tests.daemons.wrong import Wrong
from tests.house.faults import FAULTS, Fault, Mend
from tests.house.judge import Verdict, judge
from tests.house.node import Node
from tests.house.parties import INI, invite
from tests.house.players import THINKS, Address, Party, Player
from tests.house.witness import call
from tests.patience import SECONDS
from tests.ports import free_port
from tests.relay import Relay

NODES = 3
TABLES = 6
GAP = 0.8  # seconds between two faults, on average
_LOOK = 0.02  # seconds between two looks at what is due
_LONGEST = 120.0  # seconds for all games to end once no more faults are done
_HEALTHY = 1  # daemons that nothing is done to


@define
class Figures:
    """What was counted in a trial, or in several."""

    faults: Counter[str] = Factory(Counter)
    verdict: Verdict = Factory(Verdict)
    parties: int = 0
    spoiled: int = 0
    returns: int = 0
    fenced: int = 0
    seconds: float = 0.0
    longest: float = 0.0  # seconds that a player heard nothing, at most

    def add(self, other: Figures) -> None:
        """Add the figures of another trial."""
        self.faults += other.faults
        self.verdict.add(other.verdict)
        self.parties += other.parties
        self.spoiled += other.spoiled
        self.returns += other.returns
        self.fenced += other.fenced
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)

    def __str__(self) -> str:
        faults = ", ".join(f"{count} {name}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.faults.total()} faults ({faults}), {self.parties} parties ({self.spoiled} of whom one had"
            f" no token yet), {self.returns} returns, {self.fenced} daemons declared dead, longest silence"
            f" {self.longest:.1f} s; {self.verdict}"
        )


def run_trial(
    seed: int,
    faults: int,
    tables: int,
    server: postgres.Server,
    thinks: float = THINKS,
    linked: bool = True,
) -> Figures:
    """Run a trial on a database of its own; raises Wrong, with the seed, for whatever does not hold.

    Daemons that are not ``linked`` share the database and nothing else.
    """
    with TemporaryDirectory(prefix="parlour-house-") as folder:
        trial = Trial(Path(folder), seed, faults, tables, server, thinks, linked)
        try:
            return trial.run()
        except BaseException as problem:
            for number, node in enumerate(trial.nodes):
                problem.add_note(f"daemon {number}: {node.daemon.log[-4000:]}")
            problem.add_note(f"seed {seed}, {trial.figures.faults.total()} faults: {trial.story}")
            raise


class Trial:
    """Plays, does faults, mends them, as a seed has it; and lets the checker judge."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        faults: int,
        tables: int,
        server: postgres.Server,
        thinks: float,
        linked: bool,
    ) -> None:
        self.figures = Figures()
        self.thinks = thinks
        self._linked = linked
        self.server = server
        self.busy = False
        self.story: list[str] = []  # of the faults, each with the second in which it was begun
        self.parties: list[Party] = []
        self._wanted = faults
        self._tables = tables
        self._chance = Random(f"the faults of {seed}")
        self._guests = Random(f"the players of {seed}")
        self._journal = postgres.new_journal(server.url)
        self.nodes = [self._node(folder / str(number), linked) for number in range(NODES)]
        self._selector = selectors.DefaultSelector()
        self._mends: list[tuple[float, Mend]] = []
        self._next_fault = float("inf")
        self._began = time.monotonic()

    def _node(self, folder: Path, linked: bool) -> Node:
        folder.mkdir()
        relay, more = None, []
        if linked:
            port = free_port()
            relay = Relay(("127.0.0.1", port))
            more = ["--link", f"tcp:{port}:interface=127.0.0.1"]
            more += ["--link-name", f"tcp:127.0.0.1:{relay.port}"]
        daemon = Daemon(folder, ["json", "nim"], INI, self._journal, more)
        return Node(daemon, lambda: not self.busy, relay)

    def addresses(self) -> Sequence[Mapping[str, Address]]:
        """Give the address of each door, for each daemon."""
        return [each.daemon.addresses for each in self.nodes]

    # -- the whole --------------------------------------------------------------------

    def run(self) -> Figures:
        """Play until there were enough faults, then to the end of all games, and judge."""
        try:
            self._open()
            self._play()
            self._end()
            self._count()
        finally:
            for party in self.parties:
                for player in party.players:
                    player.end()
            for node in self.nodes:
                node.close()
            self._selector.close()
            if not self.server.runs:
                self.server.start()
        self.figures.verdict = judge(
            self.parties, self._journal, Registry(installed_rules()), self._linked
        )
        return self.figures

    def _open(self) -> None:
        """Open the first daemon, which makes the tables of the database, then the others."""
        self.nodes[0].launch()
        self._await(lambda: self.nodes[0].up)
        call(self._journal)
        for node in self.nodes[1:]:
            node.launch()
        self._await(lambda: all(each.up for each in self.nodes))
        self._next_fault = time.monotonic() + self._chance.expovariate(1 / GAP)

    def _play(self) -> None:
        while self.figures.faults.total() < self._wanted:
            missing = self._tables - sum(not each.done for each in self.parties)
            for _ in range(missing):
                number = len(self.parties)
                self.parties.append(invite(number, self._guests, self, NODES))
            self._turn()
            self._do_fault()
        self._await(lambda: not self._mends and all(each.up for each in self.nodes))
        self._await(lambda: all(each.done for each in self.parties), _LONGEST)

    def _end(self) -> None:
        for node in self.nodes:
            node.terminate()
        self._await(lambda: not any(each.running for each in self.nodes))
        for node in self.nodes:
            node.daemon.check_log()

    def _await(self, holds: Callable[[], bool], most: float = SECONDS) -> None:
        deadline = time.monotonic() + most
        while not holds():
            self._turn()
            if time.monotonic() > deadline:
                raise Wrong(f"it takes for ever: {self._waiting()}")

    def _waiting(self) -> str:
        """Say who has not finished, and what was last said to each."""
        players = [each for party in self.parties if not party.done for each in party.players]
        return "\n".join(
            f"{each}: {[line.data[:200] for line in each.diary.lines[-4:]]}" for each in players
        )

    # -- one turn ---------------------------------------------------------------------

    def _turn(self) -> None:
        """Hear whoever speaks, and do what is due."""
        for key, _ in self._selector.select(_LOOK):
            if isinstance(key.data, Node):
                self._hear_node(key.data)
            elif key.data.sock is key.fileobj:
                key.data.hear(time.monotonic())
        now = time.monotonic()
        for due, mend in [each for each in self._mends if each[0] <= now]:
            self._mends.remove((due, mend))
            mend()
        for node in self.nodes:
            if node.start_if_due():
                self._selector.register(node.voice, selectors.EVENT_READ, node)
        for party in self.parties:
            if not party.done or any(each.gone for each in party.players):
                for player in party.players:
                    self._tick(player, now)

    def _hear_node(self, node: Node) -> None:
        voice = node.voice
        if not node.hear():
            self._selector.unregister(voice)

    def _tick(self, player: Player, now: float) -> None:
        player.tick(now)
        for sock in player.gone:
            with suppress(KeyError):
                self._selector.unregister(sock)
            sock.close()
        player.gone.clear()
        if player.sock is not None and player.fresh:
            player.fresh = False
            self._selector.register(player.sock, selectors.EVENT_READ, player)

    # -- faults -----------------------------------------------------------------------

    def _do_fault(self) -> None:
        now = time.monotonic()
        if now < self._next_fault:
            return
        self._next_fault = now + self._chance.expovariate(1 / GAP)
        fault = self._chance.choices(FAULTS, [each.weight for each in FAULTS])[0]
        node = self._chance.choice(self.nodes)
        lasts = self._chance.uniform(*fault.lasts)
        if sum(each.up for each in self.nodes if each is not node) < _HEALTHY:
            return
        self._begin(fault, node, now, lasts)

    def _begin(self, fault: Fault, node: Node, now: float, lasts: float) -> None:
        mend = fault.begin(self, node, self._chance)
        if mend is not None:
            self.figures.faults[fault.name] += 1
            number = self.nodes.index(node)
            self.story.append(f"{now - self._began:.2f} {fault.name} ({number}, {lasts:.1f} s)")
            self._mends.append((now + lasts, mend))

    def _count(self) -> None:
        figures, players = self.figures, [each for party in self.parties for each in party.players]
        figures.parties = len(self.parties)
        figures.spoiled = sum(each.spoiled for each in self.parties)
        figures.returns = sum(each.returns for each in players)
        figures.fenced = sum(each.fenced for each in self.nodes)
        figures.longest = max(each.waits for each in players)
        figures.seconds = time.monotonic() - self._began
