"""Rikiki in words: one self-contained line for each thing that happens, and how bids and cards are typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gamecore.cards import SIGNS, Card, read_card
from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.games.rikiki import (
    Bid,
    BidPlaced,
    CardPlayed,
    CardsChosen,
    ChooseCards,
    Dealt,
    HandDealt,
    PlayCard,
    Result,
    RikikiOptions,
    RikikiView,
    RoundScored,
    TrickTaken,
    TrumpTurned,
)
from gamecore.rules import Move, NextRound, View
from gamecore.settings import Value
from gamecore.table_view import TableView
from protocols.i18n.game_text import TIE, time_to_read
from protocols.i18n.sanitize import fitting
from protocols.i18n.translate import N_, Translator

_NUMBER = re.compile(r"-?[0-9]{1,6}")
_BIDS = {
    "": N_("{name} bids {tricks}; {total} of {cards} tricks bid so far."),
    "time": N_(
        "The time of {name} is up: a bid of {tricks}; {total} of {cards} tricks bid so far."
    ),
    "left": N_(
        "The house bids {tricks} for {name}, who left; {total} of {cards} tricks bid so far."
    ),
}
_LEADS = {
    "": N_("{name} leads {card}."),
    "time": N_("The time of {name} is up: {card} is led."),
    "left": N_("The house leads {card} for {name}, who left."),
}
_PLAYS = {
    "": N_("{name} plays {card}."),
    "time": N_("The time of {name} is up: {card} is played."),
    "left": N_("The house plays {card} for {name}, who left."),
}
WIDE = 79  # columns, from which there is room for all
_CELL = 8
_FEW = 5  # bids that are listed one by one
_MOST_NAME, _LEAST_NAME = 24, 4


class RikikiText:
    """How Rikiki is told, read and drawn."""

    package = "protocols.rikiki"
    verbs = {"bid": "BID tricks", "play": "PLAY card", "next": "NEXT", "cards": "CARDS number"}
    refusals = {
        "wrong-state": N_("That is not to be done now."),
        "bad-token": N_("That token opens nothing here; only who opened a table may start it."),
        "not-your-turn": N_("It is not your turn."),
        "not-a-number": N_("A bid is a whole number."),
        "bid-range": N_("A bid is a number from 0 to {most}."),
        "cards-range": N_("A round can deal 1 to {most} cards to each."),
        "bid-hook": N_("The last to bid may not bid {bid}: the bids would come out."),
        "not-your-card": N_("You do not hold {card}."),
        "follow-suit": N_("{led} was led and you hold {held}: follow suit."),
    }

    def quick_options(self, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """Deal seven cards at most where nobody says how many, and leave time to read."""
        short = {} if options["first"] or options["max"] else {"max": 7}
        return {**time_to_read(options, RikikiOptions(), "seconds", "pause"), **short}

    def describe(self, event: Event, names: Sequence[str], say: Translator) -> str | None:
        """Say in one line what happened in the game; None for what is not the game's own affair."""
        match event:
            case Dealt():
                return _describe_deal(event, names, say)
            case HandDealt():
                return say("Your cards: {cards}.", cards=signed(event.cards))
            case TrumpTurned(None):
                return say("There is no trump in this round.")
            case TrumpTurned(Card() as turned):
                facts = {"card": turned.signed, "suit": SIGNS[turned.suit]}
                return say("{card} is turned: {suit} is trump.", **facts)
            case BidPlaced(seat, tricks, forced, total, cards):
                counts = {"tricks": tricks, "total": total, "cards": cards}
                return say(_BIDS[forced], name=names[seat], **counts)
            case CardPlayed(seat, card, forced, leads):
                sentence = (_LEADS if leads else _PLAYS)[forced]
                return say(sentence, name=names[seat], card=card.signed)
            case TrickTaken(seat, card, won):
                sentence = N_("{name} takes the trick with {card}, and has {won}.")
                return say(sentence, name=names[seat], card=card.signed, won=won)
            case RoundScored():
                return _describe_score(event, names, say)
            case CardsChosen(cards):
                return _describe_choice(cards, say)
        return None

    def once(self, events: Sequence[Event], drawn: bool) -> Sequence[Event]:
        """Leave what is dealt, the hand and the trump to the board where that is drawn next."""
        if not drawn:
            return events
        return [event for event in events if not isinstance(event, Dealt | HandDealt | TrumpTurned)]

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Translator
    ) -> Move:
        """Read ``bid 2``, ``play 10h``, ``next``, or a bare number or card; raises Malformed."""
        match [word.lower() for word in words]:
            case ["next"]:
                return NextRound()
            case ["cards", number] if _NUMBER.fullmatch(number):
                return ChooseCards(int(number))
            case [number] if _NUMBER.fullmatch(number) and _are_cards(moves):
                raise Malformed(say("Say which card, rank and suit, like 10H or QS."))
            case ["bid", number] | [number] if _NUMBER.fullmatch(number):
                return Bid(int(number))
            case ["play", card] | [card]:
                try:
                    return PlayCard(read_card(card))
                except ValueError:
                    pass
        raise Malformed(say("Say BID and a number, PLAY and a card like 10H, or NEXT."))

    def typed(self, move: Move, board: View | None) -> str:
        """Write a bid as a number, a card by rank and suit, ``next``, or ``cards 3``."""
        match move:
            case Bid(tricks):
                return str(tricks)
            case PlayCard(card):
                return str(card)
            case ChooseCards(cards):
                return f"cards {cards}"
        return "next"

    def ask(self, moves: Sequence[Move], board: View, say: Translator) -> str:
        """Say which bids may be made, or which cards may be played."""
        bids = [move.tricks for move in moves if isinstance(move, Bid)]
        if bids:
            listed = _in_short(bids, say) if isinstance(board, RikikiView) else _listed(bids)
            return _with_state(say("Your bid (BID n): {bids}.", bids=listed), board, say)
        cards = [move.card for move in moves if isinstance(move, PlayCard)]
        if cards:
            sentence = N_("Your card (PLAY card): {cards}.")
            if isinstance(board, RikikiView):
                sentence = N_("Your card, like {typed}: {cards}.")
            asked = say(sentence, typed=f"PLAY{TIE}{cards[0]}", cards=signed(cards))
            return _with_state(asked, board, say)
        return say("NEXT begins the next round.")

    def board(self, view: TableView, say: Translator) -> Sequence[str]:
        """Draw the round, the trick on the table, everybody's tricks and points, and the own hand."""
        board = view.board
        if not isinstance(board, RikikiView):
            return []
        return _drawn(board, view, say, WIDE)

    def narrow_board(self, view: TableView, say: Translator, columns: int) -> Sequence[str]:
        """Draw the same, the numbers as close together as they can be read."""
        board = view.board
        if not isinstance(board, RikikiView):
            return []
        return _drawn(board, view, say, columns)


TEXT = RikikiText()


def signed(cards: Sequence[Card]) -> str:
    """Write cards as people read them."""
    return " ".join(card.signed for card in cards)


def _are_cards(moves: Sequence[Move]) -> bool:
    return any(isinstance(each, PlayCard) for each in moves)


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _in_short(numbers: Sequence[int], say: Translator) -> str:
    """Write numbers that follow one another, but for one at most, as people say them; few as they are."""
    low, high = numbers[0], numbers[-1]
    gaps = set(range(low, high)) - set(numbers)
    if len(numbers) <= _FEW or len(gaps) > 1:
        return _listed(numbers)
    if not gaps:
        return say("{low} to {high}", low=low, high=high)
    return say("{low} to {high}, but not {gap}", low=low, high=high, gap=gaps.pop())


def _with_state(asked: str, board: View, say: Translator) -> str:
    """Say before a question what is to be known for its answer."""
    return " ".join([*_state(board, say), asked]) if isinstance(board, RikikiView) else asked


def _state(board: RikikiView, say: Translator) -> Iterator[str]:
    if board.turned is None:
        yield say("No trump.")
    else:
        yield say("Trump {suit}.", suit=SIGNS[board.turned.suit])
    if board.phase == "bidding":
        total = sum(bid for bid in board.bids if bid is not None)
        yield say("{total} of {cards} tricks bid so far.", total=total, cards=board.cards)
    elif board.seat is not None:
        if board.led is not None:
            laid = signed([each.card for each in board.table])
            yield say("On the table: {cards}.", cards=laid)
        bid, won = board.bids[board.seat], board.won[board.seat]
        yield say("You bid {bid} and took {won}.", bid=bid, won=won)


def _describe_deal(event: Dealt, names: Sequence[str], say: Translator) -> str:
    dealt = say.several("{n} card each", "{n} cards each", event.cards)
    facts = {"number": event.number, "rounds": event.rounds, "first": names[event.order[0]]}
    return say("Round {number} of {rounds}: {dealt}; {first} bids first.", **facts, dealt=dealt)


def _describe_choice(cards: int, say: Translator) -> str:
    return say.several(
        "The next round deals {n} card to each.", "The next round deals {n} cards to each.", cards
    )


def _describe_score(event: RoundScored, names: Sequence[str], say: Translator) -> str:
    results = "; ".join(_describe_result(each, names, say) for each in event.results)
    facts = {"number": event.number, "rounds": event.rounds, "results": results}
    return say("Round {number} of {rounds} is over: {results}.", **facts)


def _describe_result(result: Result, names: Sequence[str], say: Translator) -> str:
    facts = {"name": names[result.seat], "bid": result.bid, "won": result.won}
    points = say.several("{n} point", "{n} points", result.points)
    sentence = N_("{name} bid {bid}, took {won}: {points}, {total} in all")
    return say(sentence, **facts, points=points, total=result.total)


def _head(board: RikikiView, say: Translator, columns: int) -> str:
    facts = {"number": board.number, "rounds": board.rounds, "cards": board.cards}
    if board.turned is None:
        return say("Round {number} of {rounds}, {cards} a hand, no trump.", **facts)
    sentence = N_("Round {number} of {rounds}, {cards} a hand, trump {suit}.")
    if columns >= WIDE:
        sentence = N_(
            "Round {number} of {rounds}, {cards} a hand, trump {suit} ({card} was turned)."
        )
    turned = board.turned
    return say(sentence, **facts, suit=SIGNS[turned.suit], card=turned.signed)


def _drawn(board: RikikiView, view: TableView, say: Translator, columns: int) -> Sequence[str]:
    lines = [_head(board, say, columns)]
    if board.table:
        laid = (f"{view.names[each.seat]} {each.card.signed}" for each in board.table)
        lines += _wrapped(say("On the table:"), list(laid), columns)
    lines += _scores(board, view.names, say, columns)
    if view.seat is not None:
        lines += _wrapped(say("Your cards:"), [card.signed for card in board.hand], columns)
    return lines


def _scores(
    board: RikikiView, names: Sequence[str], say: Translator, columns: int
) -> Sequence[str]:
    """Write a table of everybody's tricks and points, with shorter names where there is no room for long ones."""
    heads = [say("bid"), say("won"), say("cards"), say("points")]
    widths = [len(head) if columns < WIDE else max(len(head), _CELL) for head in heads]
    room = min(_MOST_NAME, max(_LEAST_NAME, columns - sum(widths) - len(widths) + 1 - len("> ")))

    # Where cells are as wide as what is in them, a blank parts them from the name.
    longest = room - (columns < WIDE)

    def row(name: str, cells: Sequence[object]) -> str:
        return name + " ".join(f"{cell:>{n}}" for cell, n in zip(cells, widths, strict=True))

    lines = [row(" " * (len("> ") + room), heads)]
    for seat in board.order:
        bid = board.bids[seat]
        facts = ["-" if bid is None else bid, board.won[seat], board.held[seat], board.totals[seat]]
        mark_of_turn = ">" if seat == board.turn else " "
        lines.append(
            row(f"{mark_of_turn} {fitting(names[seat], longest):<{room}}"[: room + 2], facts)
        )
    return lines


def _wrapped(head: str, words: Sequence[str], columns: int) -> Sequence[str]:
    """Write words behind a head, in as many lines as it takes."""
    lines = [head]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > columns:
            lines.append(" ")
        lines[-1] += f" {word}"
    return lines
