"""One table of another daemon that is shown here, and what was asked of that daemon."""

from __future__ import annotations

import json
from collections.abc import Callable

import attrs
from attrs import Factory, define

from gamecore.commands import Agree, Command, Drop, GiveToken, Leave, Mix, Organize, Play
from gamecore.player import PlayerCore
from gamecore.record import write_command
from gamecore.rules import NextRound
from gamecore.table import Table
from protocols.host.live_table import LiveTable
from protocols.host.owner import Asking
from protocols.house.wire import NO_COUNT

_OWN = Agree, Drop, GiveToken, Leave, Mix, Organize

Early = tuple[
    str, bytes
]  # a record that has come too early: by whom it was asked for, and its line


@define(eq=False)
class Ask:
    """A command that was asked for: by whom, in which game, and for which player if it is of a seat.

    Without a command it is that the player be held here; without either, that all be seen here.

    ``most`` is of a move: how many its player may have made before it, else they have moved elsewhere meanwhile.
    """

    command: Command | None
    asking: Asking
    number: int
    player: PlayerCore | None
    most: int | None = None

    def in_game(self, table: Table) -> Command | None:
        """Give the command as it is to be done now, in another seat perhaps; None for a move that is late."""
        if self.player is not None and self.most is not None and self.player.played > self.most:
            return None
        if table.number == self.number or self.player is None:
            return self.command
        if self.command is None or isinstance(self.command, Play):
            return None
        changed: Command = attrs.evolve(self.command, seat=self.player.seat)  # type: ignore[arg-type]
        return changed


@define(eq=False)
class Mirror:
    """The owner of a table that is mirrored here; ``run`` is which run that is, ``say`` says it a line.

    ``at`` is the table time that is known to have passed there. ``early`` are the records that have come before
    all that was written before them is read, None once it is. ``linked`` is whether what is asked can be said to
    it now, and is done.
    """

    run: int
    live: LiveTable
    name: Callable[[], str]
    say: Callable[..., None]
    at: float = 0.0
    early: list[Early] | None = None
    linked: bool = True
    asked: dict[str, Ask] = Factory(dict)

    @property
    def may_go(self) -> bool:
        """Whether the mirror may be let go: all is settled, and the table is not about to be ours."""
        return self.linked and not self.asked

    def ask(self, command: Command, asking: Asking) -> None:
        """Have a command done there, now or once we are linked again."""
        table = self.live.table
        seat = getattr(command, "seat", None)
        player = None if seat is None else table.seated().get(seat)
        self._ask(Ask(command, asking, table.number, player, self._most(command, player)))

    def hold(self, player: PlayerCore, asking: Asking) -> None:
        """Have a player held here and nowhere else."""
        self._ask(Ask(None, asking, self.live.table.number, player))

    def catch_up(self, asking: Asking) -> None:
        """Have all seen here that was done there until now."""
        self._ask(Ask(None, asking, self.live.table.number, None))

    def _ask(self, ask: Ask) -> None:
        name = self.name()
        self.asked[name] = ask
        if self.linked:
            self._send(name, ask)

    def _send(self, name: str, ask: Ask) -> None:
        code = self.live.table.code
        if ask.command is not None:
            self.say(self.run, "c", name, code, _written(ask, ask.command))
        elif ask.player is not None:
            self.say(self.run, "o", code, name, json.dumps(ask.player.name))
        else:
            self.say(self.run, "q", code, name)

    def _most(self, command: Command, player: PlayerCore | None) -> int | None:
        """Count the moves that a player has made before one, with those of which it is not known yet."""
        if player is None or not _is_own_move(command):
            return None
        asked = (each.most is not None and each.player is player for each in self.asked.values())
        return player.played + sum(asked)

    def resend(self) -> None:
        """Say once more what was asked and is not in the record: by its name it is done once."""
        for name, ask in list(self.asked.items()):
            self._send(name, ask)


def _written(ask: Ask, command: Command) -> bytes:
    """Write what is asked as a line has it: the number of the game, the moves before it, the command."""
    most = NO_COUNT if ask.most is None else str(ask.most)
    return b"%d %s %s" % (ask.number, most.encode(), write_command(command))


def is_own(command: Command) -> bool:
    """Say whether only who sits there may do something for a seat."""
    return isinstance(command, _OWN) or _is_own_move(command)


def _is_own_move(command: Command) -> bool:
    """Say whether a command is a move that only its player may make; an organizer may go on to the next round."""
    return isinstance(command, Play) and not isinstance(command.move, NextRound)
