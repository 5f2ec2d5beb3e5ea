"""GOPS in words: one self-contained line for each thing that happens, and how a card is typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.games.gops import (
    Bid,
    Cards,
    Forfeited,
    GopsView,
    Laid,
    PrizeTurned,
    Revealed,
)
from gamecore.rules import Move, View
from gamecore.table_view import TableView
from protocols.i18n.translate import N_, Translator

RANKS = ("", "A", *map(str, range(2, 11)), "J", "Q", "K")
PRIZES = "♦"
SUITS = ("♠", "♣")  # by seat
_VALUES = {rank: value for value, rank in enumerate(RANKS) if value} | {
    "T": 10,
    **{str(value): value for value in range(1, 14)},
}
_ANY_SUIT = "SCDH♠♣♦♥"
_WENT = {
    "time": N_("{name} has not laid a card in time; {winner} wins."),
    "disconnected": N_("{name} lost the connection; {winner} wins."),
    "absent": N_("{name} did not come back; {winner} wins."),
    "left": N_("{name} left; {winner} wins."),
}


class GopsText:
    """How GOPS is told, read and drawn."""

    package = "protocols.gops"
    verbs = {"bid": "BID card"}
    refusals = {
        "already-laid": N_("You have laid a card already; the first choice stands."),
        "no-such-card": N_("There is no such card; the highest counts {most}."),
        "card-played": N_("You have played that card already."),
    }

    def describe(self, event: Event, names: Sequence[str], say: Translator) -> str | None:
        """Say in one line what happened in the game; None for what is not the game's own affair."""
        match event:
            case PrizeTurned():
                return _describe_prize(event, say)
            case Laid(seat):
                return say("{name} has laid a card.", name=names[seat])
            case Revealed():
                return _describe_bids(event, names, say)
            case Forfeited():
                return _describe_forfeit(event, names, say)
        return None

    def once(self, events: Sequence[Event], drawn: bool) -> Sequence[Event]:
        """Leave the prize to the board where that is drawn next, and who has laid a card to both cards."""
        shown = any(isinstance(event, Revealed) for event in events)
        return [
            event
            for event in events
            if not (drawn and isinstance(event, PrizeTurned))
            and not (shown and isinstance(event, Laid))
        ]

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Translator
    ) -> Bid:
        """Read a card: ``bid q``, ``Q``, ``12``, ``q♠``; raises Malformed."""
        typed = [word.upper() for word in words]
        if typed[:1] == ["BID"]:
            typed = typed[1:]
        value = read_value(typed[0]) if len(typed) == 1 else None
        if value is None:
            raise Malformed(say("Say which card, like BID Q or BID 12."))
        return Bid(value)

    def typed(self, move: Move, board: View | None) -> str:
        """Write a card by its rank: ``Q``."""
        assert isinstance(move, Bid)
        return RANKS[move.card]

    def ask(self, moves: Sequence[Move], board: View, say: Translator) -> str:
        """Say what is at stake, and which cards may be laid for it."""
        cards = " ".join(RANKS[move.card] for move in moves if isinstance(move, Bid))
        if not isinstance(board, GopsView):
            return say("Lay one of {cards}: BID card.", cards=cards)
        prizes, points = _prizes(board.pot), _points(sum(board.pot), say)
        sentence = N_("For {prizes} ({points}) lay one of {cards}: BID card.")
        if len(moves) == 1:
            sentence = N_("For {prizes} ({points}) lay your last card: BID {cards}.")
        return say(sentence, prizes=prizes, points=points, cards=cards)

    def board(self, view: TableView, say: Translator) -> Sequence[str]:
        """Draw the prizes at stake and to come, both hands, and who has laid a card."""
        board = view.board
        if not isinstance(board, GopsView):
            return []
        return [
            say("Round {number} of {cards}.", number=board.number, cards=board.options.cards),
            *_draw_pot(board, say),
            *_draw_hands(board, view.names, say),
            *_draw_laid(board, view.names, say),
        ]

    def narrow_board(self, view: TableView, say: Translator, columns: int) -> Sequence[str]:
        """Draw the same, each suit once before its ranks."""
        board = view.board
        if not isinstance(board, GopsView):
            return []
        return [
            say("Round {number} of {cards}.", number=board.number, cards=board.options.cards),
            *_draw_narrow(board, view.names, say, columns),
            *_draw_laid(board, view.names, say),
        ]


TEXT = GopsText()


def read_value(word: str) -> int | None:
    """Read a card, with its suit or without, as its value; None if it is no card."""
    word = word.upper()
    found = _VALUES.get(word)
    return _VALUES.get(word[:-1]) if found is None and word[-1:] in _ANY_SUIT else found


def cards_of(values: Iterable[int], suit: str) -> str:
    """Write cards of a suit: ``A♦ 10♦``."""
    return " ".join(RANKS[value] + suit for value in values)


def _prizes(pot: Cards) -> str:
    return cards_of(pot, PRIZES)


def _points(number: int, say: Translator) -> str:
    return say.several("{n} point", "{n} points", number)


def _describe_prize(event: PrizeTurned, say: Translator) -> str:
    sentence = (
        N_(
            "Round {number}: {prize} is turned up; with what lay there, {prizes}, {points} at stake."
        )
        if len(event.pot) > 1
        else N_("Round {number}: {prize} is turned up; {points} at stake.")
    )
    return say(
        sentence,
        number=event.number,
        prize=_prizes((event.prize,)),
        prizes=_prizes(event.pot[:-1]),
        points=_points(sum(event.pot), say),
    )


def _describe_bids(event: Revealed, names: Sequence[str], say: Translator) -> str:
    first, second = (cards_of((bid,), suit) for bid, suit in zip(event.bids, SUITS, strict=True))
    if event.winner is not None:
        result = N_("{winner} takes {prizes} ({points})")
    elif event.left:  # for the next card; that there is none behind the last nobody tells here
        result = N_("equal cards, and nobody takes {prizes} this time")
    else:
        result = N_("equal cards, and nobody gets {prizes}")
    won = say(
        result,
        winner=names[event.winner or 0],
        prizes=_prizes(event.pot),
        points=_points(sum(event.pot), say),
    )
    return say(
        "{one} lays {first}, {other} lays {second}: {won}. {one} has {here}, {other} {there}.",
        one=names[0],
        other=names[1],
        first=first,
        second=second,
        won=won,
        here=event.scores[0],
        there=event.scores[1],
    )


def _describe_forfeit(event: Forfeited, names: Sequence[str], say: Translator) -> str:
    if len(event.seats) > 1:
        return say("Nobody has laid a card in time; the game is drawn.")
    (lost,) = event.seats
    sentence = _WENT.get(event.why, _WENT["left"])
    return say(sentence, name=names[lost], winner=names[1 - lost])


def _coming(board: GopsView) -> Sequence[int]:
    """Give the prizes that will still be turned up."""
    gone = {each.prize for each in board.shown} | set(board.pot)
    every = range(1, board.options.cards + 1)
    return () if board.over else [each for each in every if each not in gone]


def _draw_pot(board: GopsView, say: Translator) -> list[str]:
    coming = _coming(board)
    lines = []
    if board.pot:
        points = _points(sum(board.pot), say)
        lines.append(say("At stake: {prizes} ({points})", prizes=_prizes(board.pot), points=points))
    if coming:
        lines.append(say("To come: {prizes}", prizes=cards_of(coming, PRIZES)))
    return lines


def _draw_narrow(
    board: GopsView, names: Sequence[str], say: Translator, columns: int
) -> Iterator[str]:
    coming = _coming(board)
    if board.pot:
        yield from _row(say("At stake:"), PRIZES, board.pot, columns)
    if coming:
        yield from _row(say("To come:"), PRIZES, coming, columns)
    for seat, (hand, suit) in enumerate(zip(board.hands, SUITS, strict=True)):
        head = say("{name} has {points}:", name=names[seat], points=board.scores[seat])
        yield from _row(head, suit, hand, columns)


def _row(head: str, suit: str, values: Sequence[int], columns: int) -> Iterator[str]:
    """Write a suit and its ranks behind a head, or below it where they do not fit."""
    cards = " ".join([suit, *(RANKS[value] for value in values)])
    if len(head) + 1 + len(cards) <= columns:
        yield f"{head} {cards}"
    else:
        yield from (head, f"  {cards}")


def _draw_hands(board: GopsView, names: Sequence[str], say: Translator) -> list[str]:
    hands = (cards_of(hand, suit) for hand, suit in zip(board.hands, SUITS, strict=True))
    return [
        say("{name} has {points}: {cards}", name=names[seat], points=board.scores[seat], cards=hand)
        for seat, hand in enumerate(hands)
    ]


def _draw_laid(board: GopsView, names: Sequence[str], say: Translator) -> list[str]:
    lines = []
    for seat in board.laid:
        if seat == board.seat and board.own is not None:
            lines.append(say("You have laid {card}.", card=cards_of((board.own,), SUITS[seat])))
        else:
            lines.append(say("{name} has laid a card.", name=names[seat]))
    if board.forfeit is not None:
        lines.append(_describe_forfeit(board.forfeit, names, say))
    return lines
