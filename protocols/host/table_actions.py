"""What one at a table may ask for beside the moves of its game: each becomes a command, or is refused.

A table that was opened for an organizer does what its organizer asks; at any other, all who sit there are alike.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count

from attrs import frozen

from gamecore import commands
from gamecore.bots import find_bot
from gamecore.errors import Refused
from gamecore.fairness import SEED_BYTES
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.rules import Chance, NextRound, OrganizerMove, sample
from gamecore.table import Table
from protocols.i18n.look_alikes import alike
from protocols.i18n.sanitize import clean


@frozen
class Requester:
    """Who asks: the seat, None for one who does not sit, and whether it is the organizer."""

    seat: int | None
    organizer: bool = False


TableAction = Callable[[Table, Requester, Chance], commands.Command]
"""Takes the table, the requester and the house's chance; gives the command, or raises Refused."""


def start(table: Table, requester: Requester, chance: Chance) -> commands.Command:
    """Begin the game with those who are seated; refused ``not-organizer``."""
    _check_organizer(table, requester)
    return commands.Start()


def rematch(table: Table, requester: Requester, chance: Chance) -> commands.Command:
    """Gather the players of a game that is over for another, or agree to it; whoever sits there may ask.

    They move on by one seat, or sit in another order, as the table has it.
    """
    if requester.seat is not None and table.stage is Stage.GATHERING and table.number > 1:
        return commands.Agree(requester.seat)
    seats = sorted(table.seated())
    order = _shuffled(seats, chance) if table.house.rematch == "shuffle" else None
    return commands.Rematch(chance.randbytes(SEED_BYTES).hex(), order, requester.seat)


def _shuffled(seats: list[int], chance: Chance) -> tuple[int, ...] | None:
    """Draw another order than the one that is (Rikiki specification, part a)."""
    order = list(seats)
    while len(seats) > 1 and order == seats:
        chance.shuffle(order)
    return tuple(order)


def mix(words: str) -> TableAction:
    """Add words of one's own, as far as they print, to the shuffle of the game to come; refused ``not-seated``."""

    def add(table: Table, requester: Requester, chance: Chance) -> commands.Command:
        if requester.seat is None:
            raise Refused("not-seated")
        return commands.Mix(requester.seat, clean(words))

    return add


def add_bot(level: str) -> TableAction:
    """Let a bot take a free seat; refused ``not-organizer``, ``no-such-level``, ``table-full``."""

    def sit(table: Table, requester: Requester, chance: Chance) -> commands.Command:
        _check_organizer(table, requester)
        find_bot(table.rules.kind, level)
        free = table.free_seats()
        if not free:
            raise Refused("table-full")
        return commands.Sit(
            free[0], _name_for_bot(table, level), level=level, brought=sample(table.rules)
        )

    return sit


def replace(seat: int, level: str) -> TableAction:
    """Let a bot play on for a player who is away; refused ``not-organizer``, ``no-such-level``, ``not-away``."""

    def put(table: Table, requester: Requester, chance: Chance) -> commands.Command:
        _check_organizer(table, requester)
        find_bot(table.rules.kind, level)
        if table.presence(seat) is not Presence.AWAY:
            raise Refused("not-away", seat=seat)
        return commands.Replace(seat, _name_for_bot(table, level), level)

    return put


def abandon(table: Table, requester: Requester, chance: Chance) -> commands.Command:
    """Give up the table, as its organizer, or where one sits alone or among bots; refused ``others-play``."""
    others = (core for each, core in table.seated().items() if each != requester.seat)
    if not requester.organizer and any(core.level is None for core in others):
        raise Refused("others-play")
    return commands.Abandon("left")


def invite(seat: int, name: str, hashed: str) -> TableAction:
    """Keep a seat for whoever shows what ``hashed`` is the hash of; refused ``not-organizer``."""

    def keep(table: Table, requester: Requester, chance: Chance) -> commands.Command:
        if not requester.organizer:
            raise Refused("not-organizer")
        return commands.Invite(seat, name, hashed)

    return keep


def next_round(table: Table, requester: Requester, chance: Chance) -> commands.Command:
    """Go on to the next round, as the organizer, in the place of those who were to say so.

    Refused ``not-organizer``, ``not-now``.
    """
    if not requester.organizer:
        raise Refused("not-organizer")
    for seat in sorted(table.awaited()):
        if NextRound() in table.legal_moves(seat):
            return commands.Play(seat, NextRound())
    raise Refused("not-now")


def organize(move: OrganizerMove) -> TableAction:
    """Say what is the organizer's to say; where there is none, as a player.

    Refused ``not-organizer``, ``not-seated``.
    """

    def say(table: Table, requester: Requester, chance: Chance) -> commands.Command:
        _check_organizer(table, requester)
        if table.opened.owner is not None:
            return commands.Organize(move)
        if requester.seat is None:
            raise Refused("not-seated")
        return commands.Organize(move, requester.seat)

    return say


def as_organizer(action: TableAction) -> TableAction:
    """Do something with an organizer's powers, for one of whom the face knows that they may."""

    def act(table: Table, requester: Requester, chance: Chance) -> commands.Command:
        return action(table, Requester(requester.seat, organizer=True), chance)

    return act


def _name_for_bot(table: Table, level: str) -> str:
    """Find a name for a bot that nobody could take for another's."""
    names = chain((f"{level} bot",), (f"{level} bot {number}" for number in count(2)))
    return next(each for each in names if not alike(each, table.called()))


def was_played(count: object, played: int) -> bool:
    """Say whether a move is one sent again: it came with a count of the seat's moves that is behind the record's.

    Raises Refused ``wrong-count`` for what is ahead of it, or no count.
    """
    if type(count) is not int or not 0 <= count <= played:
        raise Refused("wrong-count", played=played)
    return count < played


def _check_organizer(table: Table, requester: Requester) -> None:
    if table.opened.owner is not None and not requester.organizer:
        raise Refused("not-organizer")
