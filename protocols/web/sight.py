"""What one viewer sees of a table at one moment, in one language: all that a page is drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from gamecore.events import Event
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.rules import Move, NextRound
from gamecore.table_view import TableView
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import Translator

Role = Literal["player", "watcher", "organizer"]

LONGEST_SHORT_NAME = 15  # characters
MOST_AT_A_TABLE = 8  # more are drawn as a list


@frozen
class Chair:
    """A seat as it is drawn: ``place`` counts from the viewer's own, or from the first seat for one without.

    ``left`` is the seconds it may still take, None if nobody counts them.
    """

    seat: int
    place: int
    name: str
    short: str
    bot: bool
    away: bool
    gone: bool
    turn: bool
    left: float | None
    here: bool = True
    expected: bool = False


@frozen
class Sight:
    """What one viewer sees: ``names`` are by seat, distinct, and short; ``moves`` are the viewer's own.

    ``lately`` are the last events, oldest first, with the names by seat as they stood.
    """

    view: TableView
    moves: tuple[Move, ...]
    say: Translator
    role: Role
    names: tuple[str, ...]
    lately: Sequence[tuple[Event, tuple[str, ...]]] = ()
    frozen: bool = False  # the picture of a moment before the View: nobody may move in it
    agreed: frozenset[int] = frozenset()  # who wants another game, while one is gathered for

    @property
    def me(self) -> int | None:
        """The viewer's own seat."""
        return self.view.seat

    @property
    def mine(self) -> bool:
        """Whether a decision of the viewer's is awaited."""
        return bool(self.moves)

    @property
    def may_go_on(self) -> bool:
        """Whether the viewer may begin the next round."""
        return any(isinstance(move, NextRound) for move in self.moves)

    @property
    def playing(self) -> bool:
        """Whether there is a game to look at, be it over."""
        return self.view.board is not None and self.view.stage is not Stage.GATHERING

    @property
    def asked_again(self) -> frozenset[int]:
        """The seats of the people whose yes another game waits for; none before the first."""
        if self.view.number < 2 or self.view.stage is not Stage.GATHERING:
            return frozenset()
        people = (each.seat for each in self.view.seats if each.level is None)
        return frozenset(people) - self.agreed

    def left(self, seat: int) -> float | None:
        """Say how many seconds a seat may still take."""
        due = self.view.due.get(seat)
        return None if due is None else max(0.0, due - self.view.at)

    @property
    def chairs(self) -> Sequence[Chair]:
        """All who play, or who are here or expected before a game, in the order of the seats."""
        view = self.view
        seated = {each.seat: each for each in view.seats}
        invited = {each.seat: each.name for each in view.invited}
        many = len(view.names) if self.playing else view.most_players
        first = view.seat or 0
        chairs = []
        for seat in range(many):
            sits = seated.get(seat)
            if sits is None and seat not in invited and not self.playing:
                continue
            name = invited.get(seat, "") if sits is None else sits.name
            name = clean(name or (view.names[seat] if seat < len(view.names) else ""))
            chairs.append(
                Chair(
                    seat=seat,
                    place=(seat - first) % many,
                    name=name,
                    short=self.names[seat] if seat < len(self.names) and self.playing else name,
                    bot=sits is not None and sits.level is not None,
                    away=sits is not None and sits.presence is Presence.AWAY,
                    gone=seat not in invited and (sits is None or sits.presence is Presence.GONE),
                    turn=view.stage is Stage.PLAYING and seat in view.to_move,
                    left=self.left(seat) if seat in view.to_move else None,
                    here=sits is not None and sits.presence is Presence.HERE,
                    expected=sits is None and seat in invited,
                )
            )
        return chairs


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """Shorten names so that they fit under a card and stay distinct."""
    cleaned = [clean(each) for each in names]
    short = [_shortened(each) for each in cleaned]
    for each in {each for each in short if short.count(each) > 1}:
        twins = [seat for seat, other in enumerate(short) if other == each]
        for seat in twins:
            short[seat] = _by_its_end(cleaned[seat])
    if len(set(short)) < len(set(cleaned)):
        return tuple(cleaned)
    return tuple(short)


def _shortened(name: str) -> str:
    return (
        name if len(name) <= LONGEST_SHORT_NAME else name[: LONGEST_SHORT_NAME - 1].rstrip() + "…"
    )


def _by_its_end(name: str) -> str:
    """Leave out what is in the middle: names that begin alike differ at their ends, if anywhere."""
    if len(name) <= LONGEST_SHORT_NAME:
        return name
    return f"{name[:8].rstrip()}…{name[-6:].lstrip()}"
