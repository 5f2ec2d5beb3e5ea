"""Who hears of what: audiences, the shape of an event, and the two events that all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, TypeVar

from attrs import frozen


@frozen
class Everyone:
    """Every seat and every watcher."""

    def reaches(self, seat: int | None) -> bool:
        """Tell whether ``seat`` (None is a watcher) hears an event with this audience."""
        return True


@frozen
class Only:
    """One seat and nobody else."""

    seat: int

    def reaches(self, seat: int | None) -> bool:
        """Tell whether ``seat`` (None is a watcher) hears an event with this audience."""
        return seat == self.seat


@frozen
class AllBut:
    """Every seat but one, and every watcher."""

    seat: int

    def reaches(self, seat: int | None) -> bool:
        """Tell whether ``seat`` (None is a watcher) hears an event with this audience."""
        return seat != self.seat


Audience = Everyone | Only | AllBut
EVERYONE = Everyone()


class Event(Protocol):
    """What happened: a frozen attrs class of facts that states who may hear of it."""

    @property
    def audience(self) -> Audience:
        """Who hears of this event."""


class Emit(Protocol):
    """What a game calls to say that something happened."""

    def __call__(self, event: Event, /) -> None: ...


def tell_nobody(event: Event, /) -> None:
    """Let what happens in a position that is only guessed reach no one."""


E = TypeVar("E", bound=Event)


def heard_by(seat: int | None, events: Sequence[E]) -> Sequence[E]:
    """Pick the events that ``seat`` (None is a watcher) hears, in their order."""
    if all(event.audience is EVERYONE for event in events):
        return events
    return [event for event in events if event.audience.reaches(seat)]


@frozen
class RoundBegan:
    """A round has begun; ``number`` counts from 1 within its game."""

    number: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class RoundOver:
    """A round has ended; ``number`` counts from 1 within its game."""

    number: int
    audience: ClassVar[Audience] = EVERYONE
