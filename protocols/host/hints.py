"""Hints: what people might play, as found by who thinks ahead from what their own seat may know, and nothing else.

A hint costs a process a fifth of a second. So a seat asks one thing at a time, an address as often as its budget
allows, and all together so few at once that bots hardly wait for them.
"""

from __future__ import annotations

from functools import partial
from random import Random

from attrs import define, frozen
from twisted.internet.defer import Deferred, TimeoutError, fail, succeed
from twisted.python.failure import Failure

from gamecore.commands import RESTARTED
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.player import PlayerCore
from gamecore.rules import Move, NextRound
from gamecore.table import Table
from protocols.host.face import Face
from protocols.host.table_service import TableService
from protocols.host.thinking import NotThought, ask_about
from protocols.net.admission import HINT, Admission
from protocols.net.limits import counted_as

LEVEL = "thinker"
SECONDS = 8.0  # after which nobody waits for a hint any more; the first has a process to start
MOST_AT_ONCE = 4
MOST_OF_ADDRESS = 2  # at once
_NO_GAME = {
    Stage.GATHERING: "no-game",
    Stage.OVER: "game-over",
    Stage.ABANDONED: "table-closed",
    Stage.BETWEEN_ROUNDS: "not-now",
}


@frozen
class _Decision:
    """What one player is to decide; ``played`` is how many moves it has made in the game of that ``number``."""

    table: Table
    player: PlayerCore
    number: int
    played: int
    moves: tuple[Move, ...]

    @classmethod
    def of(cls, table: Table, player: PlayerCore) -> _Decision:
        """Take down what is to be decided now; raises Refused as ``Hints.ask`` says."""
        if table.stage in _NO_GAME:
            raise Refused(_NO_GAME[table.stage])
        if table.house.hints == "nobody":
            raise Refused("hints-nobody")
        if not table.hints:
            raise Refused("hints-alone")
        if player.seat not in table.awaited():
            raise Refused("not-your-turn")
        moves = table.legal_moves(player.seat)
        if NextRound() in moves:
            raise Refused("not-now")
        return cls(table, player, table.number, player.played, moves)

    @property
    def lasts(self) -> bool:
        """Whether it is still to be made."""
        table, player = self.table, self.player
        now = (table.number, player.played)
        return (
            table.sits(player)
            and now == (self.number, self.played)
            and table.legal_moves(player.seat) == self.moves
        )


@define(eq=False)
class _Asked:
    """Something that is being thought about, and from where it was asked."""

    player: PlayerCore
    address: str | None


class Hints:
    """Gives hints to the players of one house."""

    def __init__(self, service: TableService, chance: Random, admission: Admission) -> None:
        self._service = service
        self._chance = chance
        self._admission = admission
        self._asked: list[_Asked] = []

    def ask(self, face: Face, address: str | None) -> Deferred[Move]:
        """Find what the player of a face, who came from an address, might play now.

        Fires behind all that was done before, within some seconds. Fails with Refused ``not-seated``,
        ``hints-alone``, ``hints-nobody``, ``no-game``, ``game-over``, ``not-your-turn``, ``not-now``,
        ``hint-asked``, ``too-fast``; ``hint-late`` where it is of no use any more, and ``no-thinker`` where nobody
        could think about it; and as any request.
        """
        done: Deferred[Move] = Deferred()
        try:
            decision = self._decision(face)
            asked = self._count(decision.player, None if address is None else counted_as(address))
        except Refused as refusal:
            self._tell(done, Failure(refusal))
            return done
        self._asked.append(asked)
        thought = self._think(decision)
        thought.addTimeout(SECONDS, self._service.clock)
        thought.addBoth(self._thought, asked, decision, done)
        return done

    def _decision(self, face: Face) -> _Decision:
        service, place = self._service, face.place
        service.check_open()
        live = service.live.at(place)
        if place is None or place.player is None or live is None:
            raise Refused("not-seated")
        if live.recovering:
            raise Refused("table-resting")
        service.rouse(live)
        if live.table.void:
            raise Refused(RESTARTED)
        return _Decision.of(live.table, place.player)

    def _count(self, player: PlayerCore, address: str | None) -> _Asked:
        """Count one more hint; raises Refused ``hint-asked``, ``too-fast``."""
        if any(each.player is player for each in self._asked):
            raise Refused("hint-asked")
        here = sum(each.address == address for each in self._asked)
        if len(self._asked) >= MOST_AT_ONCE or (address is not None and here >= MOST_OF_ADDRESS):
            raise Refused("too-fast")
        self._admission.spend(address, HINT)
        return _Asked(player, address)

    def _think(self, decision: _Decision) -> Deferred[Move]:
        """Have it thought about; with a single move there is nothing to think about."""
        service, table = self._service, decision.table
        if len(decision.moves) == 1:
            return succeed(decision.moves[0])
        live = service.live.find(table.code)
        assert live is not None
        now = service.clocks.now(live)
        question = ask_about(table, decision.player.seat, LEVEL, now, self._chance)
        if question is None:
            return fail(NotThought())
        return service.thinking.think(question)

    def _thought(
        self, result: Move | Failure, asked: _Asked, decision: _Decision, done: Deferred[Move]
    ) -> None:
        """Tell what was found, behind all that its seat is to hear before."""
        self._asked.remove(asked)
        if isinstance(result, Failure):
            result.trap(NotThought, TimeoutError)
            result = Failure(Refused("no-thinker"))
        elif not decision.lasts:
            result = Failure(Refused("hint-late"))
        self._tell(done, result)

    def _tell(self, done: Deferred[Move], result: Move | Failure) -> None:
        self._service.queue.post(partial(done.callback, result))
