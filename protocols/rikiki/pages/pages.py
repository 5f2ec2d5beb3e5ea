"""What the pages know of Rikiki: the entry point of the group ``parlour.pages``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from attrs import frozen

from gamecore.cards import PACK, Card
from gamecore.events import Event
from gamecore.games.rikiki import (
    Bid,
    BidPlaced,
    CardPlayed,
    ChooseCards,
    PlayCard,
    Result,
    RikikiView,
    TrickTaken,
)
from gamecore.games.rikiki.events import Trick
from protocols.i18n.translate import N_
from protocols.web.sight import Sight

_SECONDS: Mapping[type, float] = {BidPlaced: 0.5, CardPlayed: 0.6, TrickTaken: 1.4}
"""For how long each moment wants to be seen."""


@frozen
class LaidCard:
    """A card of the trick on the table: by whom, at which place from the viewer, and whether it takes the trick."""

    seat: int
    place: int
    name: str
    card: Card
    best: bool


@frozen
class BidChoice:
    """A number of tricks, and the move that bids it; None if the last to bid may not."""

    tricks: int
    move: Bid | None


@frozen
class HeldCard:
    """A card of the viewer's hand, and the move that plays it, if it may be played now."""

    card: Card
    move: PlayCard | None


class RikikiPages:
    """Rikiki in the browser."""

    package = "protocols.rikiki"
    moved: ClassVar[
        Mapping[str, str]
    ] = {  # the pages of the first server of the game (spec, part h)
        "/organizer/<secret>/setup/game/": "/open/rikiki",
        "/organizer/<secret>/wait_for_users/": "/",
        "/organizer/<secret>/dashboard/": "/",
        "/player/confirm/<secret>/": "/",
        "/player/restore/link/": "/",
        "/player/<secret>/": "/",
    }

    def facts(self, sight: Sight, at: Event | None) -> Mapping[str, object]:
        """Give the round, the trick, the bids, the viewer's hand and the points."""
        board = sight.view.board
        assert isinstance(board, RikikiView)
        taken = board.phase in ("between-tricks", "done") and not isinstance(at, CardPlayed)
        last = board.tricks[-1] if board.tricks else None
        taker = last.winner if last is not None and taken else None
        bids = _bids(sight)
        return {
            "board": board,
            "bid_sum": sum(bid or 0 for bid in board.bids),
            "laid": _laid(sight, board, taker),
            "taker": taker,
            "bids": bids,
            "hand": _hand(sight, board),
            "results": _results(board) if at is None else (),
            "all_results": [sorted(each, key=_seat) for each in board.results],
            "last_trick": None if last is None else _cards(last),
            "scored": board.options.scoring != "none",
            "choose_cards": _choose_cards(sight, board),
            "most_cards": len(PACK) // max(1, len(board.totals)),
            "ask": _ask(sight, board, bids, taker, at),
        }

    def rest(self, event: Event) -> float:
        """Let each bid, each card and above all each trick be seen."""
        return _SECONDS.get(type(event), 0.0)


PAGES = RikikiPages()


def _seat(result: Result) -> int:
    return result.seat


def _laid(sight: Sight, board: RikikiView, taker: int | None) -> Sequence[LaidCard]:
    many, first = len(board.totals), sight.me or 0
    return [
        LaidCard(
            each.seat,
            (each.seat - first) % many,
            sight.names[each.seat],
            each.card,
            each.seat == taker,
        )
        for each in board.table
    ]


def _bids(sight: Sight) -> Sequence[BidChoice]:
    """List all bids from 0 to the highest that may be made, the barred one among them without its move."""
    moves = {move.tricks: move for move in sight.moves if isinstance(move, Bid)}
    return [BidChoice(tricks, moves.get(tricks)) for tricks in range(max(moves, default=-1) + 1)]


def _hand(sight: Sight, board: RikikiView) -> Sequence[HeldCard]:
    moves = {move.card: move for move in sight.moves if isinstance(move, PlayCard)}
    return [HeldCard(card, moves.get(card)) for card in board.hand]


def _results(board: RikikiView) -> Sequence[Result]:
    """Give what the round that is over has brought, in the order of the seats."""
    if not board.results or board.phase != "done":
        return ()
    return sorted(board.results[-1], key=_seat)


def _cards(trick: Trick) -> Sequence[Card]:
    return [each.card for each in trick.cards]


def _choose_cards(sight: Sight, board: RikikiView) -> ChooseCards | None:
    """Give the move that says how many cards the next round deals, where that can be said."""
    return None if board.next_cards is None or sight.frozen else ChooseCards(board.next_cards)


def _ask(
    sight: Sight,
    board: RikikiView,
    bids: Sequence[BidChoice],
    taker: int | None,
    at: Event | None,
) -> str:
    say = sight.say
    if isinstance(at, TrickTaken) or (at is None and taker is not None and board.phase != "done"):
        took = say("{name} takes the trick.", name=sight.names[taker or 0])
        if not sight.mine:
            return took
    if bids:
        barred = [each.tricks for each in bids if each.move is None]
        total = sum(bid or 0 for bid in board.bids)
        sentence = _BARRED if barred else _BID
        return say(sentence, sum=total, cards=board.cards, barred=barred[0] if barred else "")
    if any(isinstance(move, PlayCard) for move in sight.moves):
        if board.led is None:
            return say("You lead: play a card.")
        return say("Your turn: play a card.")
    return ""


_BID = N_("How many tricks will you take? {sum} bid so far, of {cards}.")
_BARRED = N_("How many tricks will you take? {sum} bid so far, of {cards}; not {barred}.")
