"""One round of Rikiki: bidding, then playing and pausing between tricks in turn, then done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from attrs import Factory, define, field
from automat import TypeMachine, TypeMachineBuilder

from gamecore.cards import Card, in_order
from gamecore.events import Emit
from gamecore.games.rikiki.events import BidPlaced, CardPlayed, Forced, Laid, Trick, TrickTaken
from gamecore.games.rikiki.options import MOST_PLAYERS
from gamecore.games.rikiki.tricks import best

Phase = Literal["bidding", "playing", "between-tricks", "done"]

_ONLY = tuple(frozenset((seat,)) for seat in range(MOST_PLAYERS))


class Round(Protocol):
    """What may happen to a round."""

    def bid(self, seat: int, tricks: int, forced: Forced) -> None:
        """Bid, with others still to bid."""

    def last_bid(self, seat: int, tricks: int, forced: Forced) -> None:
        """Bid last; the first bidder leads."""

    def card(self, seat: int, card: Card, forced: Forced) -> None:
        """Play a card that ends no trick."""

    def card_ends_trick(self, seat: int, card: Card, forced: Forced) -> None:
        """Play the last card of a trick, with cards left in the hands."""

    def card_ends_round(self, seat: int, card: Card, forced: Forced) -> None:
        """Play the last card of all."""

    def break_off(self) -> None:
        """Stop where the round stands: too few are left to play it."""


@define
class RoundCore:
    """The cards, the bids and the tricks: what outlives the states of a round.

    ``turn`` is the seat that decides, as long as ``phase`` is not ``done``; ``table`` keeps a full trick until the
    next card is played.  Raises ValueError if the hands are not of ``cards`` each.
    """

    order: tuple[int, ...]
    cards: int
    turned: Card | None
    hands: dict[int, list[Card]]
    emit: Emit
    phase: Phase = "bidding"
    turn: int = field(init=False)
    bids: dict[int, tuple[int, Forced]] = Factory(dict)
    table: list[Laid] = Factory(list)
    tricks: list[Trick] = Factory(list)
    won: dict[int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        if {len(hand) for hand in self.hands.values()} != {self.cards}:
            raise ValueError("all hands have the same number of cards")
        self.turn = self.order[0]
        self.won = dict.fromkeys(self.order, 0)

    @property
    def to_move(self) -> frozenset[int]:
        """The seat whose turn it is, and no more once the round is done."""
        return frozenset() if self.phase == "done" else _ONLY[self.turn]

    @property
    def trump(self) -> str | None:
        """The suit that is trump, if one is."""
        return None if self.turned is None else self.turned.suit

    @property
    def led(self) -> Card | None:
        """The card that is to be followed; a full trick asks for nothing more."""
        under_way = 0 < len(self.table) < len(self.order)
        return self.table[0].card if under_way else None

    def bids_made(self) -> list[int]:
        """List the bids in the order in which they were made."""
        return [tricks for tricks, _ in self.bids.values()]

    def pass_turn(self) -> None:
        """Let the next in order decide."""
        place = self.order.index(self.turn) + 1
        self.turn = self.order[place % len(self.order)]

    def place_bid(self, seat: int, tricks: int, forced: Forced) -> None:
        """Write a bid down and tell it."""
        self.bids[seat] = tricks, forced
        total = sum(self.bids_made())
        self.emit(BidPlaced(seat, tricks, forced, total, self.cards))

    def lay(self, seat: int, card: Card, forced: Forced) -> None:
        """Put a card on the table, which a full trick leaves first."""
        if len(self.table) == len(self.order):
            self.table = []
        self.hands[seat].remove(card)
        self.table.append(Laid(seat, card, forced))
        self.emit(CardPlayed(seat, card, forced, leads=len(self.table) == 1))

    def take_trick(self) -> None:
        """Give the full trick to its winner, who is next."""
        taking = self.table[best([laid.card for laid in self.table], self.trump)]
        self.turn = taking.seat
        self.won[taking.seat] += 1
        self.tricks.append(Trick(tuple(self.table), taking.seat))
        self.emit(TrickTaken(taking.seat, taking.card, self.won[taking.seat]))


def _round_machine() -> TypeMachine[Round, RoundCore]:
    builder = TypeMachineBuilder(Round, RoundCore)
    bidding = builder.state("bidding")
    playing = builder.state("playing")
    between_tricks = builder.state("between_tricks")
    done = builder.state("done")

    @bidding.upon(Round.break_off).to(done)
    @playing.upon(Round.break_off).to(done)
    @between_tricks.upon(Round.break_off).to(done)
    def stop(round: Round, core: RoundCore) -> None:
        core.phase = "done"

    @bidding.upon(Round.bid).loop()
    def hear_bid(round: Round, core: RoundCore, seat: int, tricks: int, forced: Forced) -> None:
        core.place_bid(seat, tricks, forced)
        core.pass_turn()

    @bidding.upon(Round.last_bid).to(playing)
    def hear_last_bid(
        round: Round, core: RoundCore, seat: int, tricks: int, forced: Forced
    ) -> None:
        core.place_bid(seat, tricks, forced)
        core.turn, core.phase = core.order[0], "playing"

    @playing.upon(Round.card).loop()
    @between_tricks.upon(Round.card).to(playing)
    def lay_card(round: Round, core: RoundCore, seat: int, card: Card, forced: Forced) -> None:
        core.phase = "playing"
        core.lay(seat, card, forced)
        core.pass_turn()

    @playing.upon(Round.card_ends_trick).to(between_tricks)
    def end_trick(round: Round, core: RoundCore, seat: int, card: Card, forced: Forced) -> None:
        core.phase = "between-tricks"
        core.lay(seat, card, forced)
        core.take_trick()

    @playing.upon(Round.card_ends_round).to(done)
    def end_round(round: Round, core: RoundCore, seat: int, card: Card, forced: Forced) -> None:
        core.phase = "done"
        core.lay(seat, card, forced)
        core.take_trick()

    return builder.build()


RoundMachine = _round_machine()


# -- plain code that feeds the one input that fits ------------------------------------


def begin_round(
    pack: Sequence[Card], order: Sequence[int], cards: int, trump: bool, emit: Emit
) -> RoundCore:
    """Deal a shuffled pack: each in order gets a block of cards; the next card is turned for trump.

    Raises ValueError for what cannot be dealt.
    """
    dealt = cards * len(order)
    if len(order) < 2 or cards < 1 or dealt + trump > len(pack):
        raise ValueError(f"{cards} cards cannot be dealt to {len(order)} players")
    blocks = [pack[at : at + cards] for at in range(0, dealt, cards)]
    hands = {seat: in_order(block) for seat, block in zip(order, blocks, strict=True)}
    return RoundCore(tuple(order), cards, pack[dealt] if trump else None, hands, emit)


def place_bid(round: Round, core: RoundCore, tricks: int, forced: Forced = "") -> None:
    """Make a bid, which was found to be legal, for the seat whose turn it is."""
    last = len(core.bids) == len(core.order) - 1
    (round.last_bid if last else round.bid)(core.turn, tricks, forced)


def play_card(round: Round, core: RoundCore, card: Card, forced: Forced = "") -> None:
    """Play a card, which was found to be legal, for the seat whose turn it is."""
    seat = core.turn
    if len(core.table) != len(core.order) - 1:
        round.card(seat, card, forced)
    elif len(core.hands[seat]) > 1:
        round.card_ends_trick(seat, card, forced)
    else:
        round.card_ends_round(seat, card, forced)


def replay(
    played: RoundCore, hands: Mapping[int, Sequence[Card]], emit: Emit
) -> tuple[Round, RoundCore]:
    """Make a round that has come just as far, from other hands with which it could have."""
    gone_by = [laid for trick in played.tricks for laid in trick.cards]
    if len(played.table) < len(played.order):
        gone_by += played.table
    dealt = {seat: list(hand) for seat, hand in hands.items()}
    for laid in gone_by:
        dealt[laid.seat].append(laid.card)
    dealt = {seat: in_order(hand) for seat, hand in dealt.items()}
    core = RoundCore(played.order, played.cards, played.turned, dealt, emit)
    round = RoundMachine(core)
    for tricks, forced in played.bids.values():
        place_bid(round, core, tricks, forced)
    for laid in gone_by:
        play_card(round, core, laid.card, laid.forced)
    return round, core
