"""1-2-3 Pass in words: one self-contained line for each thing that happens, and how a move is typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gamecore.cards import Card, read_card
from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.games.pass123 import (
    TAP,
    TIME,
    Begun,
    Dealt,
    Finish,
    Finished,
    Named,
    Pass,
    Passed,
    PassView,
    Ready,
    Received,
    TakenBack,
    Tap,
    Tapped,
    Voided,
    taker,
)
from gamecore.rules import Move, View
from gamecore.table_view import TableView
from protocols.i18n.game_text import TIE
from protocols.i18n.sanitize import fitting
from protocols.i18n.translate import N_, Translator

_RACE = re.compile(r"(F|FINISH|T|TAP)([0-9]{1,2})?")
_SEED = re.compile(r"P([0-9]{1,2})((?:10|[2-9JQKA]).)")
_WIDE = 79  # columns, for which there is room for all
_MOST_NAME, _LEAST_NAME = 24, 4
_WENT = {
    "left": N_("{name} left; the game is void."),
    "disconnected": N_("{name} lost the connection; the game is void."),
    "absent": N_("{name} did not come back; the game is void."),
}
_PLACED = {
    TAP: N_("{name} taps and has place {place}."),
    TIME: N_("{name} did not tap in time and has place {place}."),
    "left": N_("{name} left and has place {place}."),
    "disconnected": N_("{name} lost the connection and has place {place}."),
    "absent": N_("{name} did not come back and has place {place}."),
}


class PassText:
    """How 1-2-3 Pass is told, read and drawn."""

    package = "protocols.pass123"
    verbs = {"pass": "PASS card", "finish": "FINISH", "tap": "TAP"}
    refusals = {
        "already-named": N_("You have named a card already; wait for the others."),
        "already-tapped": N_("You have your place already."),
        "no-set": N_("That is no set: you need four cards of one rank."),
        "nobody-finished": N_("Nobody has finished yet, so there is nothing to tap for."),
        "not-held": N_("You do not hold {card}."),
        "somebody-finished": N_("Somebody has finished: TAP, and be quick."),
    }

    reasons = {"set": N_("a set")}

    def describe(self, event: Event, names: Sequence[str], say: Translator) -> str | None:
        """Say in one line what happened in the game; None for what is not the game's own affair."""
        match event:
            case Begun():
                return _describe_beginning(event, say)
            case Dealt(seat, hand):
                return say("{name} is dealt {cards}.", name=names[seat], cards=_signed(hand))
            case Named() | Ready():
                return _describe_choice(event, names, say)
            case Passed(number):
                return say("1, 2, 3, pass! All cards have moved (pass {number}).", number=number)
            case Received() | TakenBack():
                return _describe_card(event, names, say)
            case Finished(seat, cards):
                sentence = N_("{name} has finished with {cards}; everybody else, TAP!")
                return say(sentence, name=names[seat], cards=_signed(cards))
            case Tapped():
                return _describe_place(event, names, say)
            case Voided(seat, why):
                return say(_WENT.get(why, _WENT["left"]), name=names[seat])
        return None

    def once(self, events: Sequence[Event], drawn: bool) -> Sequence[Event]:
        """Leave to the board who is ready, unless the clock made them so, and the hand where it is drawn next."""
        named = {event.seat for event in events if isinstance(event, Named)}
        return [
            event
            for event in events
            if not (isinstance(event, Ready) and (not event.late or event.seat in named))
            and not (drawn and isinstance(event, Dealt))
        ]

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Translator
    ) -> Pass | Finish | Tap:
        """Read ``pass ah``, ``AH``, ``finish``, ``t``, or the seed's ``P1AH``, ``F1``; raises Malformed."""
        typed = [word.upper() for word in words]
        if len(typed) > 1 and typed[0] in ("P", "PASS"):
            typed = typed[1:]
        if len(typed) != 1:
            raise Malformed(say("Say PASS and a card, like PASS 10H, or FINISH, or TAP."))
        race = _RACE.fullmatch(typed[0])
        if race is not None:
            _check_number(race[2], board, say)
            return Finish() if race[1].startswith("F") else Tap()
        seed = _SEED.fullmatch(typed[0])
        if seed is not None:
            _check_number(seed[1], board, say)
        try:
            return Pass(read_card(typed[0] if seed is None else seed[2]))
        except ValueError:
            raise Malformed(say("Say which card, rank and suit, like 10H or QS.")) from None

    def typed(self, move: Move, board: View | None) -> str:
        """Write a card by rank and suit, ``finish``, or ``tap``."""
        return str(move.card) if isinstance(move, Pass) else type(move).__name__.lower()

    def ask(self, moves: Sequence[Move], board: View, say: Translator) -> str:
        """Say which cards may be passed, or that it is time to finish, or to tap."""
        cards = _signed(move.card for move in moves if isinstance(move, Pass))
        if not cards:
            return say("Somebody has finished: TAP!")
        if any(isinstance(move, Finish) for move in moves):
            return say("You have a set: FINISH! (Or pass one of {cards}: PASS card.)", cards=cards)
        typed = f"PASS{TIE}{self.typed(moves[0], board)}"
        return say("Pass one of {cards}, like {typed}.", cards=cards, typed=typed)

    def board(self, view: TableView, say: Translator) -> Sequence[str]:
        """Draw who is ready or has which place, the viewer's hand, and the set of who has finished."""
        return _drawn(view, say, _WIDE)

    def narrow_board(self, view: TableView, say: Translator, columns: int) -> Sequence[str]:
        """Draw the same, the names as short as it takes."""
        return _drawn(view, say, columns)


TEXT = PassText()


def _signed(cards: Iterable[Card]) -> str:
    return " ".join(card.signed for card in cards)


def _check_number(digits: str | None, board: View | None, say: Translator) -> None:
    """See that the number in a code of the seed's is the player's own, which counts from 1."""
    own = board.seat if isinstance(board, PassView) else None
    if digits is not None and own is not None and int(digits) != own + 1:
        raise Malformed(say("You are player {number} here.", number=own + 1))


# -- what happened --------------------------------------------------------------------


def _describe_beginning(event: Begun, say: Translator) -> str:
    sentence = (
        N_("Cards of {ranks} ranks are dealt, and will be passed to the next player.")
        if event.options.direction == "up"
        else N_("Cards of {ranks} ranks are dealt, and will be passed to the player before.")
    )
    return say(sentence, ranks=event.players)


def _describe_choice(event: Named | Ready, names: Sequence[str], say: Translator) -> str:
    name = names[event.seat]
    if isinstance(event, Ready):
        late = N_("{name} took too long, and is ready now all the same.")
        return say(late if event.late else N_("{name} is ready."), name=name)
    late = N_("{name} took too long, and will pass {card}.")
    sentence = late if event.late else N_("{name} will pass {card}.")
    return say(sentence, name=name, card=event.card.signed)


def _describe_card(event: Received | TakenBack, names: Sequence[str], say: Translator) -> str:
    name, card = names[event.seat], event.card.signed
    if isinstance(event, TakenBack):
        return say("{name} takes {card} back.", name=name, card=card)
    return say("{name} gets {card} from {giver}.", name=name, card=card, giver=names[event.giver])


def _describe_place(event: Tapped, names: Sequence[str], say: Translator) -> str:
    name = names[event.seat]
    if event.how == TAP and event.place == len(event.places):
        return say("{name} taps last, and loses.", name=name)
    sentence = _PLACED.get(event.how, _PLACED["left"])
    return say(sentence, name=name, place=event.place)


# -- how it stands --------------------------------------------------------------------


def _standing(board: PassView, seat: int, say: Translator) -> str:
    if board.voided is not None:
        return say("has gone") if board.voided.seat == seat else ""
    place = board.places[seat]
    if place == 1:
        return say("has finished")
    if place:
        return say("place {place}", place=place)
    if board.shown:
        return say("has to tap")
    return say("is ready") if seat in board.ready else say("chooses a card")


def _drawn(view: TableView, say: Translator, columns: int) -> Sequence[str]:
    board = view.board
    if not isinstance(board, PassView):
        return []
    standings = [_standing(board, seat, say) for seat in range(len(view.names))]
    longest = max(map(len, standings), default=0)
    room = max(_LEAST_NAME, min(_MOST_NAME, columns - longest - 1))
    moved = say.several("Cards have moved once.", "Cards have moved {n} times.", board.passes)
    return [
        moved if board.passes else say("No card has moved yet."),
        *(
            f"{fitting(name, room):{room}} {standing}".rstrip()
            for name, standing in zip(view.names, standings, strict=True)
        ),
        *_draw_cards(board, view.names, say),
    ]


def _draw_cards(board: PassView, names: Sequence[str], say: Translator) -> Iterator[str]:
    if board.shown:
        name = names[board.places.index(1)]
        yield say("The set of {name}: {cards}", name=name, cards=_signed(board.shown))
    if board.hand:
        yield say("Your hand: {cards}", cards=_signed(board.hand))
    if board.named is not None:
        yield say("You will pass {card}.", card=board.named.signed)
    elif board.hand and board.seat is not None and not board.shown:
        to = taker(board.seat, board.players, board.options.direction)
        yield say("You pass to {name}.", name=names[to])
