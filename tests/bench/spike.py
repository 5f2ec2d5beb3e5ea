"""
A bare spike of Expanding Nim: the least that plays the game over its own wire.

Lines, JSON, the rules as a machine, and nothing else: no journal, no clocks (`time_taken` stays 0),
no bounds, no host.  What Parlour adds to a move is measured against it.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable
from typing import Protocol

from attrs import Factory, define, field, frozen
from automat import TypeMachine, TypeMachineBuilder
from twisted.internet.protocol import ServerFactory
from twisted.protocols.basic import LineReceiver

State = dict[str, object]


@frozen
class Settings:
    """What both players are told when a game starts."""

    init_stones: int = 1_000_000
    init_resets: int = 2
    game_time: int = 120
    init_max: int = 3


# -- the round: moving -> over ------------------------------------------------


class Round(Protocol):
    """What may happen to a round of Expanding Nim, and what it answers."""

    def take(self, seat: int, stones: int, reset: bool) -> None:
        """`seat` takes stones, and some are left."""

    def take_last(self, seat: int, stones: int, reset: bool) -> None:
        """`seat` takes all that is left."""

    def overdraw(self, seat: int, stones: int) -> None:
        """`seat` takes stones and asks for a reset it has not got."""

    def fault(self, seat: int, stones: int, reset: bool, why: str) -> None:
        """`seat` loses by a move that takes nothing."""

    def to_move(self) -> int | None:
        """Whose turn it is, or nobody's."""


@define
class Pile:
    """The stones, the limit on taking them, and whose turn it is."""

    names: tuple[str, str]
    left: int
    init_max: int
    resets: list[int]
    emit: Callable[[State], None]
    limit: int = field(default=Factory(lambda pile: pile.init_max, takes_self=True))
    stored: int | None = None
    mover: int = 0


def remove(pile: Pile, stones: int) -> None:
    """Take stones away and let the limit grow."""
    pile.left -= min(stones, pile.left)
    if pile.stored is not None:
        pile.limit, pile.stored = pile.stored, None
    pile.limit = max(pile.limit, stones + 1)


def put_back(pile: Pile, seat: int) -> None:
    """Put the limit back to where it began, for one move."""
    pile.stored, pile.limit = pile.limit, pile.init_max
    pile.resets[seat] -= 1


def player(pile: Pile, seat: int) -> State:
    """Describe one player as the wire does."""
    return {"resets_left": pile.resets[seat], "time_taken": 0, "name": pile.names[seat]}


def state(pile: Pile, end: State, stones: int, reset: bool) -> State:
    """Describe the game after a move as the wire does; `end` goes in front."""
    return {
        **end,
        "current_max": pile.limit,
        "stones_left": pile.left,
        "stones_removed": stones,
        "reset_used": reset,
        "player_0": player(pile, 0),
        "player_1": player(pile, 1),
    }


def ending(pile: Pile, winner: int, seat: int, why: str) -> State:
    """Say who has won, and what `seat` did to end the game."""
    reason = f"Player {pile.names[seat]} {why}"
    return {"finished": True, "winner": pile.names[winner], "reason": reason}


GOES_ON: State = {"finished": False}


def _round_machine() -> TypeMachine[Round, Pile]:
    builder = TypeMachineBuilder(Round, Pile)
    moving = builder.state("moving")
    over = builder.state("over")

    over.upon(Round.to_move).loop().returns(None)

    @moving.upon(Round.to_move).loop()
    def name_mover(round: Round, pile: Pile) -> int | None:
        return pile.mover

    @moving.upon(Round.take).loop()
    def pass_turn(round: Round, pile: Pile, seat: int, stones: int, reset: bool) -> None:
        remove(pile, stones)
        if reset:
            put_back(pile, seat)
        pile.mover = 1 - seat
        pile.emit(state(pile, GOES_ON, stones, reset))

    @moving.upon(Round.take_last).to(over)
    def win(round: Round, pile: Pile, seat: int, stones: int, reset: bool) -> None:
        remove(pile, stones)
        if reset:
            put_back(pile, seat)
        end = ending(pile, seat, seat, "won the game! Congrats!")
        pile.emit(state(pile, end, stones, reset))

    @moving.upon(Round.overdraw).to(over)
    def lose_in_vain(round: Round, pile: Pile, seat: int, stones: int) -> None:
        remove(pile, stones)
        end = ending(pile, 1 - seat, seat, "used too many resets")
        pile.emit(state(pile, end, stones, True))

    @moving.upon(Round.fault).to(over)
    def lose(round: Round, pile: Pile, seat: int, stones: int, reset: bool, why: str) -> None:
        pile.emit(state(pile, ending(pile, 1 - seat, seat, why), stones, reset))

    return builder.build()


RoundMachine = _round_machine()


def play(round: Round, pile: Pile, seat: int, stones: int, reset: bool) -> None:
    """Check a move, then feed the one input that fits it."""
    mover = round.to_move()
    if mover is None:
        return
    if seat != mover:
        round.fault(seat, stones, reset, "moved out of turn")
    elif not 1 <= stones <= pile.limit:
        round.fault(seat, stones, reset, "made an illegal move")
    elif reset and not pile.resets[seat]:
        round.overdraw(seat, stones)
    elif stones >= pile.left:
        round.take_last(seat, stones, reset)
    else:
        round.take(seat, stones, reset)


# -- the wire -----------------------------------------------------------------


class NimLine(LineReceiver):
    """One player's link: a hello, then moves."""

    delimiter = b"\n"
    game: Game | None = None
    name = ""
    seat = 0

    def connectionMade(self) -> None:
        self.transport.setTcpNoDelay(True)

    def lineReceived(self, line: bytes) -> None:
        said = json.loads(line)
        if self.game is None:
            self.name, self.seat = said["name"], said["order"]
            self.factory.seek_opponent(self)
        else:
            self.game.play(self.seat, said["num_stones"], said["reset"])

    def connectionLost(self, reason: object = None) -> None:
        self.factory.forget(self)


class Game:
    """Two links and the round they play."""

    def __init__(self, lines: tuple[NimLine, NimLine], settings: Settings) -> None:
        self._lines = lines
        names = (lines[0].name, lines[1].name)
        resets = [settings.init_resets, settings.init_resets]
        self._pile = Pile(names, settings.init_stones, settings.init_max, resets, self._tell)
        self._round = RoundMachine(self._pile)
        self._send(
            {
                "init_stones": settings.init_stones,
                "init_resets": settings.init_resets,
                "game_time": settings.game_time,
                "init_max": settings.init_max,
            }
        )

    def play(self, seat: int, stones: int, reset: bool) -> None:
        """Let one player move."""
        play(self._round, self._pile, seat, stones, reset)

    def _tell(self, state: State) -> None:
        self._send(state)
        if state["finished"]:
            for line in self._lines:
                line.transport.loseConnection()

    def _send(self, message: State) -> None:
        data = json.dumps(message).encode() + b"\n"
        for line in self._lines:
            line.transport.write(data)


class NimFactory(ServerFactory):
    """Seat the oldest waiting first player with the oldest waiting second one."""

    protocol = NimLine
    noisy = False

    def __init__(
        self, settings: Settings, game: Callable[[tuple[NimLine, NimLine], Settings], Game] = Game
    ) -> None:
        self._settings = settings
        self._game = game
        self._waiting: tuple[deque[NimLine], deque[NimLine]] = (deque(), deque())

    def seek_opponent(self, line: NimLine) -> None:
        """Let a player wait, and start a game when there are two that fit."""
        self._waiting[line.seat].append(line)
        if all(self._waiting):
            first, second = (queue.popleft() for queue in self._waiting)
            first.game = second.game = self._game((first, second), self._settings)

    def forget(self, line: NimLine) -> None:
        """Stop looking for an opponent of a player who is gone."""
        if line in self._waiting[line.seat]:
            self._waiting[line.seat].remove(line)


def main() -> None:
    """Serve Expanding Nim on the port given, until told to stop."""
    from twisted.internet import reactor

    reactor.listenTCP(int(sys.argv[1]), NimFactory(Settings()), 512, "127.0.0.1")
    reactor.run()


if __name__ == "__main__":
    main()
