"""One game with outside programs, through the Host: seats them, watches their time, says who is to blame."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IDelayedCall

from gamecore import commands
from gamecore.commands import Command
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.fairness import canonical
from gamecore.game import Stage
from gamecore.rules import sample
from gamecore.table_events import Abandoned, GameBegan, GameOver, Sat
from protocols.host.door import DoorFactory, TableDefaults
from protocols.host.host import Host
from protocols.tournament.child import Child
from protocols.tournament.games import Game, Result, blame, opening, result_of, void
from protocols.tournament.plan import Entrant, Plan
from protocols.tournament.plan_file import own_door
from protocols.tournament.programs import Program, Programs

_GONE = (commands.Leave, commands.Drop)


class Match:
    """One game on its way; ``result`` fires with how it ended, and never fails."""

    def __init__(
        self, plan: Plan, game: Game, host: Host, programs: Programs, reactor: Any
    ) -> None:
        self.game = game
        self.result: Deferred[Result] = Deferred()
        self.lines: list[bytes] = []  # of its record, as they are journalled
        self.slowest = [0.0] * len(game.entrants)  # seconds of the longest think, by seat
        self._plan = plan
        self._host = host
        self._programs = programs
        self._reactor = reactor
        self._live = host.service.open(opening(plan, game))
        self._table = self._live.table
        self._factory: DoorFactory | None = None
        self._ports: dict[int, Any] = {}  # by the seat of whoever comes there
        self._seated: dict[int, Program] = {}
        self._children: dict[int, Child] = {}
        self._unseated = list(range(len(game.entrants)))
        self._arriving: IDelayedCall | None = None
        self._ends: IDelayedCall | None = None
        self._thinking: dict[int, tuple[float, IDelayedCall]] = {}
        self._moved: set[int] = set()
        self._asked: set[int] = set()  # seats of programs that have not answered yet
        self._verdict: tuple[str, str] | None = None
        self._over: GameOver | None = None
        self._done = False
        self._moves = 0

    # -- coming -----------------------------------------------------------------------

    def begin(self) -> None:
        """Let everybody come, and then play.

        Programs that come by themselves all start at once, for that takes them longer than a game; they are let in
        one after the other, each at a port of its own, so that it is known who sits where.
        """
        self._ends = self._reactor.callLater(self._plan.limits.game, self._too_long)
        for seat, name in enumerate(self.game.entrants):
            try:
                if self._comes_by_itself(self._plan.entrant(name)):
                    self._start_program(seat, self._plan.entrant(name))
            except (OSError, ValueError, CannotListenError):
                self._spoil("start", seat)
                return
        self._seat_next()

    def _comes_by_itself(self, entrant: Entrant) -> bool:
        return entrant.level is None and entrant.speaks == self._plan.rules.kind

    def _seat_next(self) -> None:
        while self._unseated and not self._done:
            seat = self._unseated[0]
            entrant = self.entrant(seat)
            try:
                if self._seat(seat, entrant):
                    return  # until it has sat down
            except (OSError, ValueError, CannotListenError):
                self._spoil("start", seat)
                return
            self._unseated.pop(0)
        if not self._done and self._table.stage is Stage.GATHERING:
            self._put(commands.Start())

    def _seat(self, seat: int, entrant: Entrant) -> bool:
        """Seat an entrant; True for a program that comes by itself."""
        if entrant.level is not None:
            self._host.seat_bot(self._table, seat, entrant.name, entrant.level)
        elif self._comes_by_itself(entrant):
            self._let_in(seat)
            return True
        else:
            program = self._seated[seat] = self._programs.take(entrant)
            self._watch(seat, program.child)
            brought = sample(self._plan.rules)
            self._host.sit(program.face, self.game.code, seat, entrant.name, brought=brought)
        return False

    def _start_program(self, seat: int, entrant: Entrant) -> None:
        words = {
            "seat": str(seat),
            "first": "" if seat else "-f",
            "host": "127.0.0.1",
            "port": str(self._listen(seat)),
        }
        self._watch(seat, self._programs.start(entrant, words))

    def _listen(self, seat: int) -> int:
        """Open the game's own door on this host, for this seat alone; its port, where who connects waits."""
        if self._factory is None:
            door = own_door(self._plan.rules.kind)
            assert door is not None  # or the plan would have been refused
            defaults = TableDefaults(self._plan.options, {}, self._plan.door)
            self._factory = door.build(self._host, defaults)
            self._factory.only = self._host.directory.find(self.game.code)
        port = self._ports[seat] = self._reactor.listenTCP(0, self._factory, 5, "127.0.0.1")
        port.stopReading()
        return int(port.getHost().port)

    def _let_in(self, seat: int) -> None:
        self._ports[seat].startReading()
        limit = self._plan.limits.start
        self._arriving = self._reactor.callLater(limit, self._spoil, "start", seat)

    def _watch(self, seat: int, child: Child) -> None:
        self._children[seat] = child
        child.on_end = partial(self._ended, seat)
        child.on_junk = partial(self._said_junk, seat)

    def entrant(self, seat: int) -> Entrant:
        """Name who sits in a seat."""
        return self._plan.entrant(self.game.entrants[seat])

    # -- playing ----------------------------------------------------------------------

    def heed(self, command: Command, events: Sequence[Event]) -> None:
        """Follow what is done at the table."""
        if self._done or self._over is not None:
            return
        for event in events:
            if isinstance(event, Sat) and self._arriving is not None:
                self._arrived()
            elif isinstance(event, GameBegan):
                self._reactor.callLater(0, self._close_doors)
            elif isinstance(event, GameOver):
                self._over = event
            elif isinstance(event, Abandoned):
                self._host.service.queue.post(self._conclude)
        if isinstance(command, commands.Play):
            self._moves += 1
            self._has_moved(command.seat)
        elif isinstance(command, _GONE) and self._verdict is None:
            self._verdict = self._why_gone(command), self.game.entrants[command.seat]
        self._ask()

    def _arrived(self) -> None:
        self._stop(self._arriving)
        self._arriving = None
        if self._unseated:
            self._unseated.pop(0)
            self._reactor.callLater(0, self._seat_next)

    def _ask(self) -> None:
        """Let the time of those run who are to move, and of nobody else."""
        awaited = self._table.awaited() if self._over is None else frozenset()
        for seat in [each for each in self._thinking if each not in awaited]:
            self._stop(self._thinking.pop(seat)[1])
        for seat in awaited:
            if seat not in self._thinking and self.entrant(seat).level is None:
                limits = self._plan.limits
                wait = limits.move + limits.margin
                program = self._seated.get(seat)
                if program is not None and program.fresh:  # it may still be starting
                    program.fresh = False
                    wait += limits.start
                timer = self._reactor.callLater(wait, self._spoil, "move", seat)
                self._thinking[seat] = self._reactor.seconds(), timer
                self._asked.add(seat)

    def _has_moved(self, seat: int) -> None:
        self._asked.discard(seat)
        self._moved.add(seat)
        if seat in self._thinking:
            since, timer = self._thinking.pop(seat)
            self._stop(timer)
            self.slowest[seat] = max(self.slowest[seat], self._reactor.seconds() - since)
        if seat in self._children:
            self._children[seat].forget_refused()

    def _said_junk(self, seat: int) -> None:
        """Judge whose lines were refused too often: also one who is then cut off by the door, or ends."""
        if self._over is None and self._verdict is None:
            self._verdict = "junk", self.game.entrants[seat]
            self._reactor.callLater(0, self._spoil, "junk", seat)

    def _why_gone(self, command: commands.Leave | commands.Drop) -> str:
        child = self._children.get(command.seat)
        return "left" if isinstance(command, commands.Leave) and child and child.alive else "crash"

    def _too_long(self) -> None:
        self._ends = None
        awaited = sorted(self._table.awaited())
        outside = [seat for seat in awaited if self.entrant(seat).level is None]
        self._spoil("game", (outside or awaited or [self._unseated[0] if self._unseated else 0])[0])

    def _ended(self, seat: int) -> None:
        """Hear that a program has ended, also one that has no game at all."""
        self._spoil("crash" if seat not in self._unseated else "start", seat)

    def _spoil(self, reason: str, seat: int) -> None:
        """End the game by the fault of a seat."""
        if self._done or self._over is not None:
            return
        if self._verdict is None:
            self._verdict = reason, self.game.entrants[seat]
        why = "disconnected" if reason == "crash" else "absent"
        if self._table.stage is Stage.PLAYING:
            self._put(commands.Leave(seat, why))
        if self._over is None and not self._done and self._table.stage is not Stage.ABANDONED:
            self._put(commands.Abandon("expired"))

    def _put(self, command: Command) -> None:
        try:
            self._host.command(None, self._table, command)
        except (KeyError, Refused):  # it is gone already
            self._host.service.queue.post(self._conclude)

    # -- ending -----------------------------------------------------------------------

    def over(self, over: GameOver) -> None:
        """Hear that the game has its outcome, and that this is in the journal."""
        self._over = over
        self._conclude()

    def _conclude(self) -> None:
        if self._done:
            return
        self._done = True
        for timer in (self._arriving, self._ends, *(each for _, each in self._thinking.values())):
            self._stop(timer)
        self._thinking.clear()
        self._close_doors()
        for seat, child in self._children.items():
            child.on_end = child.on_junk = _nothing
            if seat not in self._seated:
                self._reactor.callLater(1.0, child.stop)
        for seat, program in self._seated.items():
            self._host.leave(program.face)
            if seat in self._asked or self._is_to_blame(seat):
                program.child.stop()  # what it answers late would count in its next game
            self._programs.give_back(program)
        self._reactor.callLater(0, self.result.callback, self._judged())

    @property
    def begun_too_late(self) -> bool:
        """Whether a program had ended with its game before, and was only seen to have in this one."""
        return any(
            program.games > 1 and seat not in self._moved and self._is_to_blame(seat)
            for seat, program in self._seated.items()
            if self._verdict is not None and self._verdict[0] == "crash"
        )

    def _is_to_blame(self, seat: int) -> bool:
        return self._verdict is not None and self._verdict[1] == self.game.entrants[seat]

    def _judged(self) -> Result:
        facts: dict[str, Any] = {"moves": self._moves, **self._record()}
        if self._verdict is not None:
            return blame(self.game, *self._verdict, **facts)
        if self._over is None:
            return void(self.game, **facts)
        outcome = self._over.outcome
        return result_of(self.game, outcome.places, outcome=outcome.reason, **facts)

    def _record(self) -> dict[str, Any]:
        entries = [json.loads(line) for line in self.lines]
        written = b",".join(canonical(each["command"]) for each in entries)
        return {"record": b"[" + written + b"]", "at": tuple(each["at"] for each in entries)}

    def _close_doors(self) -> None:
        ports, self._ports = self._ports, {}
        for port in ports.values():
            port.stopListening()

    @staticmethod
    def _stop(timer: IDelayedCall | None) -> None:
        if timer is not None and timer.active():
            timer.cancel()


def _nothing() -> None:
    """Hear of the end of a program that is at no game."""
