"""What a seat, or a watcher, may know of a game of 1-2-3 Pass."""

from __future__ import annotations

from attrs import frozen

from gamecore.cards import Card
from gamecore.games.pass123.events import Hand, Voided
from gamecore.games.pass123.options import PassOptions
from gamecore.games.pass123.past import Away
from gamecore.games.pass123.round import RoundCore
from gamecore.rules import View


@frozen
class PassView(View):
    """What one seat may know; a watcher has no hand.

    ``hand`` is without ``named``, the card this seat will pass; ``ready`` are the seats that have named one;
    ``passes`` is how often cards have moved; ``since`` the table time from which the clock runs; ``places`` are 0
    for those that have none yet; ``shown`` is the set of the finisher; ``away`` is what the seat has passed on.
    """

    options: PassOptions
    seat: int | None
    players: int
    hand: Hand
    named: Card | None
    ready: tuple[int, ...]
    passes: int
    since: float
    places: tuple[int, ...]
    shown: Hand
    away: tuple[Away, ...]
    voided: Voided | None


def view_of(core: RoundCore, seat: int | None) -> PassView:
    """Show a seat its hand, and everybody who is ready and who has which place."""
    away = {} if seat is None else core.away[seat]
    return PassView(
        options=core.options,
        seat=seat,
        players=len(core.hands),
        hand=() if seat is None else tuple(core.hands[seat]),
        named=None if seat is None else core.named.get(seat),
        ready=tuple(sorted(core.named)),
        passes=core.past.count,
        since=core.since,
        places=tuple(core.places),
        shown=core.shown,
        away=tuple(away.values()),
        voided=core.voided,
    )
