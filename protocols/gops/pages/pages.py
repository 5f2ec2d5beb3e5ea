"""What the pages know of GOPS: the entry point of the group ``parlour.pages``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from gamecore.cards import Card
from gamecore.events import Event
from gamecore.games.gops import Bid, GopsView, Revealed
from protocols.gops.text import RANKS
from protocols.web.sight import Sight

REVEALED_SECONDS = 1.5
_PRIZES = "D"
_SUITS = ("S", "C")  # by seat


@frozen
class LaidCard:
    """What a seat has laid: a card, one face down, or nothing yet.

    ``id`` is the card's own only if the viewer knows it, else that of its place.
    """

    seat: int
    name: str
    card: Card | None
    face_down: bool
    id: str
    best: bool


@frozen
class HeldCard:
    """A card of the viewer's hand, and the move that lays it."""

    card: Card
    move: Bid


class GopsPages:
    """GOPS in the browser."""

    package = "protocols.gops"

    def facts(self, sight: Sight, at: Event | None) -> Mapping[str, object]:
        """Give the prize, what is laid for it, the viewer's hand and what was won."""
        board = sight.view.board
        assert isinstance(board, GopsView)
        shown = at if isinstance(at, Revealed) else None
        pot = board.pot if shown is None else shown.pot
        hand = [] if sight.me is None else board.hands[sight.me]
        return {
            "number": board.number if shown is None else shown.number,
            "rounds": board.options.cards,
            "pot": [_card(prize, _PRIZES) for prize in pot],
            "stake": sum(pot),
            "winner": None if shown is None else shown.winner,
            "laid": _laid(sight, board, shown),
            "hand": [
                HeldCard(_card(card, _SUITS[sight.me or 0]), Bid(card))
                for card in hand
                if card != board.own
            ],
            "scores": board.scores if shown is None else shown.scores,
            "rounds_shown": board.shown[::-1],
            "ranks": RANKS,
            "ask": _ask(sight, board, shown),
        }

    def rest(self, event: Event) -> float:
        """Let both cards be seen."""
        return REVEALED_SECONDS if isinstance(event, Revealed) else 0.0


PAGES = GopsPages()


def _card(value: int, suit: str) -> Card:
    return Card(RANKS[value], suit)


def _laid(sight: Sight, board: GopsView, shown: Revealed | None) -> Sequence[LaidCard]:
    laid = []
    for seat in (0, 1):
        value = None
        if shown is not None:
            value = shown.bids[seat]
        elif seat == sight.me:
            value = board.own
        card = None if value is None else _card(value, _SUITS[seat])
        face_down = shown is None and value is None and seat in board.laid
        place = f"laid-{seat}"
        best = shown is not None and shown.winner == seat
        laid.append(LaidCard(seat, sight.names[seat], card, face_down, str(card or place), best))
    return laid


def _ask(sight: Sight, board: GopsView, shown: Revealed | None) -> str:
    say = sight.say
    if shown is not None:
        if shown.winner is None:
            return say("Equal cards: the prize stays.") if shown.left else say("Equal cards.")
        points = say.several("{n} point", "{n} points", sum(shown.pot))
        return say("{name} takes {points}.", name=sight.names[shown.winner], points=points)
    return say("Lay a card for the prize.") if sight.mine else ""
