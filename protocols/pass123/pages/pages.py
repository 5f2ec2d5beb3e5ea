"""What the pages know of 1-2-3 Pass: the entry point of the group ``parlour.pages``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from gamecore.cards import Card
from gamecore.events import Event
from gamecore.games.pass123 import Finish, Pass, Passed, PassView, Tap
from gamecore.games.pass123.past import taker
from protocols.i18n.translate import N_
from protocols.web.sight import Sight

PASSED_SECONDS = 0.8
_PASS = N_("Choose a card to pass to {name}.")
_SET = N_("You have a set: lay it down! Or choose a card to pass to {name}.")
_RACE = N_("{name} has a set: hand on the table!")


@frozen
class Way:
    """To whom a seat passes; ``place`` counts from the viewer's own, ``back`` is true against the clock."""

    seat: int
    place: int
    taker: int
    back: bool


@frozen
class LaidCard:
    """A card on its way from its seat to who will get it; ``card`` is None if the viewer does not know it."""

    seat: int
    place: int
    name: str
    card: Card | None
    taker: int


@frozen
class HeldCard:
    """A card of the viewer's hand, the move that passes it, and the seat it came from if it has just come."""

    card: Card
    move: Pass | None
    giver: int | None


class PassPages:
    """1-2-3 Pass in the browser."""

    package = "protocols.pass123"

    def facts(self, sight: Sight, at: Event | None) -> Mapping[str, object]:
        """Give who passes to whom, who is ready or has which place, the viewer's hand and the set."""
        board = sight.view.board
        assert isinstance(board, PassView)
        moment = isinstance(at, Passed)
        seats = range(board.players)
        ready = tuple(seats) if moment else board.ready
        tap = next((move for move in sight.moves if isinstance(move, Tap)), None)
        finish = next((move for move in sight.moves if isinstance(move, Finish)), None)
        return {
            "passes": board.passes,
            "up": board.options.direction == "up",
            "ways": [_way(sight, board, seat) for seat in seats],
            "standing": [_standing(sight, board, seat, seat in ready) for seat in seats],
            "ready": ready,
            "names_to": [sight.names[_taker(board, seat)] for seat in seats],
            "places": board.places,
            "laid": [_laid(sight, board, seat, moment) for seat in ready],
            "hand": _hand(sight, board, moment),
            "shown": board.shown,
            "finisher": board.places.index(1) if board.shown else None,
            "tap": tap,
            "finish": finish,
            "urgent": bool(board.shown),
            "ask": _ask(sight, board),
        }

    def rest(self, event: Event) -> float:
        """Let it be seen that all cards lie ready before they move."""
        return PASSED_SECONDS if isinstance(event, Passed) else 0.0


PAGES = PassPages()


def _place(sight: Sight, board: PassView, seat: int) -> int:
    return (seat - (sight.me or 0)) % board.players


def _taker(board: PassView, seat: int) -> int:
    return taker(seat, board.players, board.options.direction)


def _way(sight: Sight, board: PassView, seat: int) -> Way:
    place = _place(sight, board, seat)
    back = board.options.direction != "up"
    return Way(seat, place, _taker(board, seat), back)


def _standing(sight: Sight, board: PassView, seat: int, ready: bool) -> str:
    """Say in a word or two what a seat does, or which place it has."""
    say, place = sight.say, board.places[seat]
    if board.voided is not None:
        return say("has gone") if board.voided.seat == seat else ""
    if place:
        return say("a set!") if place == 1 else say("place {place}", place=place)
    if board.shown:
        return say("to tap")
    return say("ready") if ready else say("choosing…")


def _laid(sight: Sight, board: PassView, seat: int, moment: bool) -> LaidCard:
    """Lay out the card that a seat has named; at the moment in which all move, the one that it had."""
    card = board.named
    if moment:
        card = next((each.card for each in board.away if each.number == board.passes), None)
    own = card if seat == sight.me else None
    place = _place(sight, board, seat)
    return LaidCard(seat, place, sight.names[seat], own, _taker(board, seat))


def _hand(sight: Sight, board: PassView, moment: bool) -> Sequence[HeldCard]:
    """Give the hand, without the card that has only just come at the moment before it does."""
    if sight.me is None or board.places[sight.me] == 1:  # whose set lies on the table
        return ()
    moves = {move.card: move for move in sight.moves if isinstance(move, Pass)}
    giver = next(seat for seat in range(board.players) if _taker(board, seat) == sight.me)
    hand = board.hand[:-1] if moment else board.hand
    return [
        HeldCard(card, moves.get(card), giver if board.passes and card == board.hand[-1] else None)
        for card in hand
    ]


def _ask(sight: Sight, board: PassView) -> str:
    if not sight.mine or sight.me is None:
        return ""
    if board.shown:
        return sight.say(_RACE, name=sight.names[board.places.index(1)])
    sentence = _SET if any(isinstance(move, Finish) for move in sight.moves) else _PASS
    return sight.say(sentence, name=sight.names[_taker(board, sight.me)])
