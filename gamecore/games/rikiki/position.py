"""A whole game of Rikiki: checks every move, then feeds the round the one input that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import Factory, define, evolve

from gamecore.cards import PACK, Card
from gamecore.errors import Refused
from gamecore.events import Emit, Event, RoundBegan, RoundOver, tell_nobody
from gamecore.fairness import Deal
from gamecore.games.rikiki.guessing import draw_hands
from gamecore.games.rikiki.options import RikikiOptions, hand_sizes, turns_trump
from gamecore.games.rikiki.round import (
    Round,
    RoundCore,
    RoundMachine,
    begin_round,
    place_bid,
    play_card,
    replay,
)
from gamecore.games.rikiki.scoring import points
from gamecore.games.rikiki.tricks import allowed_bids, barred_bid, playable
from gamecore.games.rikiki.vocabulary import (
    Asked,
    Awaited,
    Bid,
    BidPlaced,
    CardPlayed,
    Dealt,
    Forced,
    HandDealt,
    Phase,
    PlayCard,
    Result,
    RikikiView,
    RoundScored,
    TrickTaken,
    TrumpTurned,
)
from gamecore.rules import Chance, Move, NextRound, Outcome, Seat

_PLAYING: tuple[Phase, ...] = ("playing", "between-tricks")
_TURNS: tuple[Phase, ...] = ("bidding", *_PLAYING)


@define
class RikikiCore:
    """What outlives the rounds of a game; ``gone`` are the seats that the house plays on for."""

    options: RikikiOptions
    players: int
    deal: Deal
    emit: Emit
    sizes: tuple[int, ...]
    number: int = 0
    since: float = 0.0
    totals: list[int] = Factory(list)
    results: list[tuple[Result, ...]] = Factory(list)
    gone: set[int] = Factory(set)
    outcome: Outcome | None = None

    def present(self) -> list[int]:
        """List the seats of those who have not gone for good."""
        return [seat for seat in range(self.players) if seat not in self.gone]

    def next_hand(self) -> RoundCore:
        """Deal the next round; its first seat is one further on than that of the round before."""
        first, cards = self.number % self.players, self.sizes[self.number]
        self.number += 1
        order = [(first + place) % self.players for place in range(self.players)]
        pack = self.deal.shuffle("pack", PACK)
        trump = turns_trump(cards, self.players, self.options)
        return begin_round(pack, order, cards, trump, self.emit)

    def score(self, hand: RoundCore) -> None:
        """Write down what a round that is done has brought."""
        for seat in hand.order:
            bid = hand.bids[seat][0]
            self.totals[seat] += points(self.options.scoring, bid, hand.won[seat])
        self.results.append(tuple(self._result(hand, seat) for seat in hand.order))
        self.emit(RoundScored(self.number, len(self.sizes), self.results[-1]))

    def _result(self, hand: RoundCore, seat: int) -> Result:
        bid, won = hand.bids[seat][0], hand.won[seat]
        return Result(seat, bid, won, points(self.options.scoring, bid, won), self.totals[seat])

    def finish(self, reason: str = "") -> None:
        """Give the places: those with the most points first, those who left behind all others."""
        scored = self.options.scoring != "none"
        marks = [
            (seat not in self.gone, self.totals[seat] if scored else 0)
            for seat in range(self.players)
        ]
        places = tuple(1 + sum(other > mark for other in marks) for mark in marks)
        self.outcome = Outcome(places, tuple(self.totals) if scored else None, reason)


class RikikiPosition:
    """Where one game of Rikiki stands."""

    __slots__ = ("_core", "_hand", "_round")

    def __init__(self, core: RikikiCore, hand: RoundCore, round: Round) -> None:
        self._core = core
        self._hand = hand
        self._round = round

    # -- questions --------------------------------------------------------------------

    def to_move(self) -> frozenset[int]:
        """Name the seat whose turn it is; between rounds all who may begin the next."""
        core = self._core
        if core.outcome is not None:
            return frozenset()
        if self._round.phase() in _TURNS:
            return frozenset((self._hand.turn,))
        present = core.present()
        return frozenset(present[:1] if core.options.next == "opener" else present)

    def due(self) -> Mapping[int, float]:
        """Give the seat whose turn it is its seconds, and a pause between rounds its own."""
        options = self._core.options
        limit = options.seconds if self._round.phase() in _TURNS else options.pause
        return dict.fromkeys(sorted(self.to_move()), self._core.since + limit)

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """List the bids from the lowest, or the cards as a hand is held."""
        if seat not in self.to_move():
            return []
        phase = self._round.phase()
        if phase == "bidding":
            return [Bid(tricks) for tricks in self._bids()]
        return [PlayCard(card) for card in self._cards()] if phase in _PLAYING else [NextRound()]

    def _bids(self) -> list[int]:
        hand, core = self._hand, self._core
        return allowed_bids(hand.cards, hand.bids_made(), core.players, core.options)

    def _cards(self) -> list[Card]:
        return playable(self._hand.hands[self._hand.turn], self._hand.led)

    @property
    def outcome(self) -> Outcome | None:
        """Say how the game ended, once it has."""
        return self._core.outcome

    # -- moves ------------------------------------------------------------------------

    def play(self, seat: int, move: Move, now: float) -> None:
        """Bid, play a card or begin the next round.

        Refused: ``wrong-state``, ``not-your-turn``, ``not-a-number``, ``bid-range``, ``bid-hook``,
        ``not-your-card``, ``follow-suit``, ``no-such-move``; the first that fits.
        """
        match move:
            case Bid(tricks):
                self._check_turn(seat, ("bidding",))
                self._check_bid(tricks)
                place_bid(self._round, self._hand, tricks)
                self._pass_turn(now)
            case PlayCard(card):
                self._check_turn(seat, _PLAYING)
                self._check_card(card)
                play_card(self._round, self._hand, card)
                self._pass_turn(now)
            case NextRound():
                self._check_turn(seat, ("done",))
                self._begin_next(now)
            case _:
                raise Refused("no-such-move")

    def _check_turn(self, seat: int, phases: Sequence[Phase]) -> None:
        if self._core.outcome is not None or self._round.phase() not in phases:
            raise Refused("wrong-state")
        if seat not in self.to_move():
            raise Refused("not-your-turn")

    def _check_bid(self, tricks: object) -> None:
        hand, core = self._hand, self._core
        if type(tricks) is not int:
            raise Refused("not-a-number")
        if not 0 <= tricks <= hand.cards:
            raise Refused("bid-range", most=hand.cards)
        if tricks == barred_bid(hand.cards, hand.bids_made(), core.players, core.options):
            raise Refused("bid-hook", bid=tricks)

    def _check_card(self, card: Card) -> None:
        held = self._hand.hands[self._hand.turn]
        if card not in held:
            raise Refused("not-your-card", card=str(card))
        fitting = playable(held, self._hand.led)
        if card not in fitting:
            raise Refused("follow-suit", led=str(self._hand.led), held=str(fitting[0]))

    def time_up(self, seat: int, now: float) -> None:
        """Decide for one who has not: the lowest bid, the first card that fits, the next round."""
        if seat not in self.to_move():
            return
        if self._round.phase() in _TURNS:
            self._decide("time")
            self._pass_turn(now)
        else:
            self._begin_next(now)

    def leave(self, seat: int, why: str, now: float) -> None:
        """Play on for one who has left; the game ends when only one player has not."""
        core = self._core
        if core.outcome is not None or seat in core.gone:
            return
        core.gone.add(seat)
        phase = self._round.phase()
        if len(core.present()) < 2:
            if phase in _TURNS:
                self._round.break_off()
                core.emit(RoundOver(core.number))
            core.finish("left")
        elif phase in _TURNS and seat == self._hand.turn:
            self._pass_turn(now)

    # -- what follows -----------------------------------------------------------------

    def _decide(self, forced: Forced) -> None:
        """Make the decision that takes no thought, for the seat whose turn it is."""
        if self._round.phase() == "bidding":
            place_bid(self._round, self._hand, self._bids()[0], forced)
        else:
            play_card(self._round, self._hand, self._cards()[0], forced)

    def _pass_turn(self, now: float) -> None:
        """Ask whoever is next, deciding at once for those who have gone; or end the round."""
        core = self._core
        core.since = now
        while self._round.phase() in _TURNS:
            if self._hand.turn not in core.gone:
                self._ask()
                return
            self._decide("left")
        core.score(self._hand)
        core.emit(RoundOver(core.number))
        if core.number == len(core.sizes):
            core.finish()

    def _ask(self) -> None:
        seat = self._hand.turn
        if self._round.phase() == "bidding":
            self._core.emit(Awaited(seat, "bid"))
            self._core.emit(Asked(seat, tuple(self._bids()), ()))
        else:
            self._core.emit(Awaited(seat, "play"))
            self._core.emit(Asked(seat, (), tuple(self._cards())))

    def _begin_next(self, now: float) -> None:
        self._hand = self._core.next_hand()
        self._round = RoundMachine(self._hand)
        self.show_deal(now)

    def show_deal(self, now: float) -> None:
        """Tell what was dealt, and ask for the first bid."""
        core, hand = self._core, self._hand
        core.emit(RoundBegan(core.number))
        core.emit(Dealt(core.number, len(core.sizes), hand.cards, hand.order))
        for seat, cards in sorted(hand.hands.items()):
            core.emit(HandDealt(seat, tuple(cards)))
        core.emit(TrumpTurned(hand.turned))
        self._pass_turn(now)

    # -- what a seat may know ---------------------------------------------------------

    def seen_by(self, seat: int | None) -> RikikiView:
        """Show a seat its own hand, and what is public."""
        core, hand = self._core, self._hand
        phase = self._round.phase()
        seats = range(core.players)
        return RikikiView(
            options=core.options,
            seat=seat,
            number=core.number,
            rounds=len(core.sizes),
            cards=hand.cards,
            order=hand.order,
            turned=hand.turned,
            phase=phase,
            turn=hand.turn if phase in _TURNS else None,
            since=core.since,
            hand=() if seat is None else tuple(hand.hands[seat]),
            bids=tuple(hand.bids[each][0] if each in hand.bids else None for each in seats),
            won=tuple(hand.won[each] for each in seats),
            held=tuple(len(hand.hands[each]) for each in seats),
            table=tuple(hand.table),
            tricks=tuple(hand.tricks),
            totals=tuple(core.totals),
            results=tuple(core.results),
            gone=tuple(sorted(core.gone)),
            over=core.outcome is not None,
        )

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> RikikiPosition:
        """Draw the other hands anew, and all deals to come."""
        core = self._core
        hands = draw_hands(self._hand, seat, chance)
        round, hand = replay(self._hand, hands, tell_nobody)
        if self._round.phase() == "done" and round.phase() != "done":
            round.break_off()
        hand.emit = emit
        twin = evolve(
            core,
            deal=Deal.by_chance(chance),
            emit=emit,
            totals=list(core.totals),
            results=list(core.results),
            gone=set(core.gone),
        )
        return RikikiPosition(twin, hand, round)


class RikikiRules:
    """The constant facts of Rikiki, and how a game begins."""

    kind = "rikiki"
    title = "Rikiki"
    version = 1
    seats = range(2, 27)
    options = RikikiOptions
    brings = None
    moves: Sequence[type[Move]] = (Bid, PlayCard, NextRound)
    events: Sequence[type[Event]] = (
        RoundBegan,
        Dealt,
        HandDealt,
        TrumpTurned,
        Awaited,
        Asked,
        BidPlaced,
        CardPlayed,
        TrickTaken,
        RoundScored,
        RoundOver,
    )

    def begin(
        self, seats: Sequence[Seat], options: RikikiOptions, deal: Deal, emit: Emit, now: float
    ) -> RikikiPosition:
        """Deal the first round; seat 0 bids first."""
        players = len(seats)
        core = RikikiCore(options, players, deal, emit, hand_sizes(players, options))
        core.totals = [0] * players
        hand = core.next_hand()
        position = RikikiPosition(core, hand, RoundMachine(hand))
        position.show_deal(now)
        return position


RULES = RikikiRules()
