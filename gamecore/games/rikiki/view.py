"""What a seat, or a watcher, may know of a game of Rikiki."""

from __future__ import annotations

from attrs import frozen

from gamecore.cards import Card
from gamecore.games.rikiki.events import Laid, Result, Trick
from gamecore.games.rikiki.game import RikikiCore
from gamecore.games.rikiki.options import RikikiOptions
from gamecore.games.rikiki.round import Phase, RoundCore
from gamecore.rules import View


@frozen
class RikikiView(View):
    """One seat's own hand, and all that everybody has seen.

    ``bids``, ``won``, ``held`` (cards in hand) and ``totals`` are by seat; ``table`` holds the trick under way or,
    between tricks and at the end, the last one; ``tricks`` are those taken in this round, ``results`` those of the
    rounds before and, once it is done, of this one; ``since`` is the table time from which the decision under way,
    or the pause, is counted; ``next_cards`` are those of the next round's hands, told in a pause,
    when another number can be chosen.
    """

    options: RikikiOptions
    seat: int | None
    number: int
    rounds: int
    cards: int
    order: tuple[int, ...]
    turned: Card | None
    phase: Phase
    turn: int | None
    since: float
    hand: tuple[Card, ...]
    bids: tuple[int | None, ...]
    won: tuple[int, ...]
    held: tuple[int, ...]
    table: tuple[Laid, ...]
    tricks: tuple[Trick, ...]
    totals: tuple[int, ...]
    results: tuple[tuple[Result, ...], ...]
    gone: tuple[int, ...]
    over: bool
    next_cards: int | None = None

    @property
    def trump(self) -> str | None:
        """The suit that is trump, if one is."""
        return None if self.turned is None else self.turned.suit

    @property
    def led(self) -> Card | None:
        """The card that is to be followed, if a trick is under way."""
        return self.table[0].card if self.phase == "playing" and self.table else None


def view_of(game: RikikiCore, core: RoundCore, seat: int | None) -> RikikiView:
    """Show a seat its own hand, and what is public, of a game and its round."""
    seats = range(game.players)
    return RikikiView(
        options=game.options,
        seat=seat,
        number=game.number,
        rounds=len(game.sizes),
        cards=core.cards,
        order=core.order,
        turned=core.turned,
        phase=core.phase,
        turn=core.turn if core.to_move else None,
        since=game.since,
        hand=() if seat is None else tuple(core.hands[seat]),
        bids=tuple([core.bids[each][0] if each in core.bids else None for each in seats]),
        won=tuple([core.won[each] for each in seats]),
        held=tuple([len(core.hands[each]) for each in seats]),
        table=tuple(core.table),
        tricks=tuple(core.tricks),
        totals=tuple(game.totals),
        results=tuple(game.results),
        gone=tuple(sorted(game.gone)),
        over=game.outcome is not None,
        next_cards=game.next_size() if core.phase == "done" and game.outcome is None else None,
    )
