"""The contract between a game and the house, and the registry of games.

A game is one object with its constant facts (:class:`Rules`) that begins :class:`Position`\\ s.  A position
is the only thing that knows whose decision is awaited: several seats at once where moves are simultaneous
and secret, the one seat that may respond where a window is open.  It never asks for the time or for
chance: both are given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from importlib.metadata import entry_points
from random import Random
from typing import Protocol, Self, runtime_checkable

import attrs
from attrs import frozen

from gamecore.errors import Refused
from gamecore.events import Emit, Event, tell_nobody
from gamecore.fairness import Deal
from gamecore.settings import O

Chance = Random  # always somebody's own generator, never the module's global one
DEPARTURES = ("left", "disconnected", "absent")  # how a player may have gone for good


class Move:
    """What a player wants to do; games derive frozen attrs classes from it.

    All that is in one can be hashed, and is of the type that its field says: equal moves are written down once.
    """

    __slots__ = ()


class View:
    """All that one seat, or a watcher, may know at this moment; games derive frozen attrs classes."""

    __slots__ = ()


class OrganizerMove(Move):
    """What it is for a table's organizer to say; at a table that has none, for whoever the game lets.

    It is nobody's turn: ``Position.play`` never sees one, and no list of legal moves has one.
    """

    __slots__ = ()


@runtime_checkable
class OrganizedPosition(Protocol):
    """A position of a game that an organizer has a say in."""

    def organize(self, seat: int | None, move: OrganizerMove) -> None:
        """Do what the organizer says, or, where there is none, a ``seat``: emits, or raises Refused."""


@frozen
class NextRound(Move):
    """Go on, where a game pauses between rounds and everybody is to move."""


@frozen
class Seat:
    """Who sits in one seat when a game begins, and what they laid down there (a deck), if anything."""

    name: str
    brought: object = None


@frozen
class Outcome:
    """How a game ended: a place for each seat, 1 the best, shared by seats that are equal."""

    places: tuple[int, ...]
    scores: tuple[int, ...] | None = None
    reason: str = ""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in the first place: one, or several where the game is drawn."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def departure(why: str) -> str:
    """Name how a player has gone, by one of ``DEPARTURES``: whatever is none of them counts as ``left``."""
    return why if why in DEPARTURES else DEPARTURES[0]


class Position(Protocol):
    """Where one playing of a game stands; only ``play``, ``time_up`` and ``leave`` change it."""

    def to_move(self) -> frozenset[int]:
        """Whose decisions are awaited; empty once the game is over."""

    def due(self) -> Mapping[int, float]:
        """The table time by which each seat must have moved, for those that have a limit."""

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """What the rules let ``seat`` do now, in an order that follows from its View alone."""

    def play(self, seat: int, move: Move, now: float) -> None:
        """Play a move at table time ``now``: emits, or raises Refused and has changed nothing."""

    def time_up(self, seat: int, now: float) -> None:
        """Do to ``seat`` what the rules do to one who has not moved in time."""

    def leave(self, seat: int, why: str, now: float) -> None:
        """Take note that ``seat`` is gone for good; never refused."""

    def seen_by(self, seat: int | None) -> View:
        """Tell all that ``seat`` may know; None is a watcher."""

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> Position:
        """Make a position that shows ``seat`` the same, with all that it cannot know drawn anew.

        It goes on by itself, and tells ``emit`` what happens in it.
        """

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""


class OpenPosition(Position):
    """A position that hides nothing: what a game without secrets need not write itself.

    It begins without a limit of time and without an outcome.  A game that derives from it keeps all that changes
    in attributes of plain data, beside ``emit``.
    """

    emit: Emit
    outcome: Outcome | None = None

    def due(self) -> Mapping[int, float]:
        """Set nobody a limit."""
        return {}

    def time_up(self, seat: int, now: float) -> None:
        """Let whoever has not moved in time be gone, by the reason ``time``."""
        self.leave(seat, "time", now)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> Self:
        """Copy the position: there is nothing to guess in it."""
        return deepcopy(self, {id(self.emit): emit})


class Rules(Protocol[O]):
    """The constant facts of one game in one version, and how to begin it."""

    @property
    def kind(self) -> str:
        """The name of the game on every wire: a short lower-case word."""

    @property
    def title(self) -> str:
        """The name of the game for people."""

    @property
    def version(self) -> int:
        """Raised whenever the same commands would give other events."""

    @property
    def seats(self) -> range:
        """How many may play."""

    @property
    def options(self) -> type[O]:
        """The attrs class of the game's settings, each declared with ``settings.setting``.

        One called ``players`` is how many seats a table of the game has.
        """

    @property
    def brings(self) -> type[attrs.AttrsInstance] | None:
        """What a player lays down at Sit (a deck), or None; made without arguments it is a sample."""

    @property
    def moves(self) -> Sequence[type[Move]]:
        """Every class of move the game knows; their names are their names in the record."""

    @property
    def events(self) -> Sequence[type[Event]]:
        """Every class of event the game emits."""

    def begin(
        self, seats: Sequence[Seat], options: O, deal: Deal, emit: Emit, now: float
    ) -> Position:
        """Begin a game at table time ``now``; emits what the first round shows."""


AnyRules = Rules[attrs.AttrsInstance]


def sample(rules: AnyRules) -> attrs.AttrsInstance | None:
    """Make what is laid down for one who brought nothing of their own, if the game asks for anything."""
    return None if rules.brings is None else rules.brings()


class Registry:
    """The games a daemon knows, by kind and version.

    A game whose rules have changed names those that older tables were opened with in ``earlier``, a sequence.
    """

    __slots__ = ("_latest", "_versions")

    def __init__(self, rules: Iterable[AnyRules]) -> None:
        known = [every for each in rules for every in _versions_of(each)]
        self._versions = {(each.kind, each.version): each for each in known}
        self._latest: dict[str, AnyRules] = {}
        for kind, version in sorted(self._versions):
            self._latest[kind] = self._versions[kind, version]

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of all games, in alphabetical order."""
        return list(self._latest)

    def latest(self, kind: str) -> AnyRules:
        """Find the rules that new tables play by; raises Refused ``no-such-game``."""
        try:
            return self._latest[kind]
        except KeyError:
            raise Refused("no-such-game", kind=kind, known=", ".join(self._latest)) from None

    def exactly(self, kind: str, version: int) -> AnyRules:
        """Find the rules a stored table was opened with; raises KeyError if they are gone."""
        return self._versions[kind, version]


def _versions_of(rules: AnyRules) -> Sequence[AnyRules]:
    earlier: Sequence[AnyRules] = getattr(rules, "earlier", ())
    return [rules, *earlier]


@cache
def installed_rules() -> Sequence[AnyRules]:
    """Load every game that an installed package names in the entry point group ``parlour.rules``."""
    return tuple(point.load() for point in sorted(entry_points(group="parlour.rules")))
