"""What one who sits at a table may wish for beside the moves of its game: each becomes a command, or is refused."""

from __future__ import annotations

from collections.abc import Callable

from gamecore import commands as c
from gamecore.bots import find_bot
from gamecore.errors import Refused
from gamecore.player import Presence
from gamecore.table import Table

Wish = Callable[[Table, int, Callable[[], str]], c.Command]
"""Takes the table, the wisher's seat and what draws a seed; gives the command, or raises Refused."""


def start(table: Table, seat: int, draw_seed: Callable[[], str]) -> c.Command:
    """Begin the game with those who are seated."""
    return c.Start()


def rematch(table: Table, seat: int, draw_seed: Callable[[], str]) -> c.Command:
    """Gather the players of a game that is over for another."""
    return c.Rematch(draw_seed())


def mix(words: str) -> Wish:
    """Add words of one's own to the shuffle of the game to come."""
    return lambda table, seat, draw_seed: c.Mix(seat, words)


def add_bot(level: str) -> Wish:
    """Let a bot take a free seat; refused ``no-such-level``, ``table-full``."""

    def sit(table: Table, seat: int, draw_seed: Callable[[], str]) -> c.Command:
        find_bot(table.rules.kind, level)
        free = table.free_seats()
        if not free:
            raise Refused("table-full")
        brings = table.rules.brings
        brought = None if brings is None else brings()
        return c.Sit(free[0], table.name_for_bot(level), level=level, brought=brought)

    return sit


def replace(seat: int, level: str) -> Wish:
    """Let a bot play on for a player who is away; refused ``no-such-level``, ``not-away``."""

    def put(table: Table, own: int, draw_seed: Callable[[], str]) -> c.Command:
        find_bot(table.rules.kind, level)
        if table.presence(seat) is not Presence.AWAY:
            raise Refused("not-away", seat=seat)
        return c.Replace(seat, table.name_for_bot(level), level)

    return put


def abandon(table: Table, seat: int, draw_seed: Callable[[], str]) -> c.Command:
    """Give up a table where one sits alone, or among bots; refused ``others-play``."""
    others = (core for each, core in table.seated().items() if each != seat)
    if any(core.level is None for core in others):
        raise Refused("others-play")
    return c.Abandon("left")
