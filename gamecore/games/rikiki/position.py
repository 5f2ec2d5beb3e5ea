"""A game of Rikiki from outside: checks a move, then feeds the round the one input that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from gamecore.cards import Card
from gamecore.errors import Refused
from gamecore.events import Emit, RoundBegan, RoundOver, tell_nobody
from gamecore.fairness import Deal
from gamecore.games.rikiki.events import (
    Asked,
    Awaited,
    CardsChosen,
    Dealt,
    Forced,
    HandDealt,
    TrumpTurned,
)
from gamecore.games.rikiki.game import RikikiCore
from gamecore.games.rikiki.guessing import draw_hands
from gamecore.games.rikiki.moves import BIDS, PLAYS, Bid, ChooseCards, PlayCard
from gamecore.games.rikiki.round import (
    Phase,
    Round,
    RoundCore,
    RoundMachine,
    place_bid,
    play_card,
    replay,
)
from gamecore.games.rikiki.tricks import allowed_bids, barred_bid, playable
from gamecore.games.rikiki.view import RikikiView, view_of
from gamecore.rules import Chance, Move, NextRound, OrganizerMove, Outcome

_PLAYING: tuple[Phase, ...] = ("playing", "between-tricks")


class RikikiPosition:
    """Where one game of Rikiki stands."""

    __slots__ = ("_core", "_game", "_round")

    def __init__(self, game: RikikiCore, core: RoundCore, round: Round) -> None:
        """Go on with a game in one of its rounds: its core, and the machine over it."""
        self._game = game
        self._core = core
        self._round = round

    # -- questions --------------------------------------------------------------------

    def to_move(self) -> frozenset[int]:
        """Name the seat whose turn it is; between rounds all who may begin the next."""
        if self._game.outcome is not None:
            return frozenset()
        return self._core.to_move or self._game.beginners()

    def due(self) -> Mapping[int, float]:
        """Give the seat whose turn it is its seconds, and a pause between rounds its own."""
        game = self._game
        limit = game.options.seconds if self._core.to_move else game.options.pause
        return dict.fromkeys(sorted(self.to_move()), game.since + limit)

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """List the bids from the lowest, or the cards as a hand is held."""
        if seat not in self.to_move():
            return []
        phase = self._core.phase
        if phase == "bidding":
            return [BIDS[tricks] for tricks in self._bids()]
        return [PLAYS[card] for card in self._cards()] if phase in _PLAYING else [NextRound()]

    def _bids(self) -> list[int]:
        core, game = self._core, self._game
        return allowed_bids(core.cards, core.bids_made(), game.players, game.options)

    def _cards(self) -> list[Card]:
        return playable(self._core.hands[self._core.turn], self._core.led)

    @property
    def outcome(self) -> Outcome | None:
        """Say how the game ended, once it has."""
        return self._game.outcome

    # -- moves ------------------------------------------------------------------------

    def play(self, seat: int, move: Move, now: float) -> None:
        """Bid, play a card or begin the next round (Rikiki specification, section a).

        Refused: ``wrong-state``, ``not-your-turn``, ``not-a-number``, ``bid-range``, ``bid-hook``,
        ``not-your-card``, ``follow-suit``, ``no-such-move``; the first that fits.
        """
        match move:
            case Bid(tricks):
                self._check_turn(seat, ("bidding",))
                self._check_bid(tricks)
                place_bid(self._round, self._core, tricks)
                self._ask_next(now)
            case PlayCard(card):
                self._check_turn(seat, _PLAYING)
                self._check_card(card)
                play_card(self._round, self._core, card)
                self._ask_next(now)
            case NextRound():
                self._check_turn(seat, ("done",))
                self._begin_next(now)
            case _:
                raise Refused("no-such-move")

    def organize(self, seat: int | None, move: OrganizerMove) -> None:
        """Take note of how many cards the next round deals; without anybody's word it is as scheduled.

        Refused: ``no-such-move``, ``wrong-state``, ``not-your-turn``, ``not-a-number``, ``cards-range``.
        """
        if not isinstance(move, ChooseCards):
            raise Refused("no-such-move")
        game = self._game
        if game.outcome is not None or self._core.phase != "done":
            raise Refused("wrong-state")
        if seat is not None and seat not in self.to_move():
            raise Refused("not-your-turn")
        if type(move.cards) is not int:
            raise Refused("not-a-number")
        if not 1 <= move.cards <= game.most:
            raise Refused("cards-range", most=game.most)
        game.chosen = move.cards
        game.emit(CardsChosen(move.cards))

    def _check_turn(self, seat: int, phases: Sequence[Phase]) -> None:
        if self._game.outcome is not None or self._core.phase not in phases:
            raise Refused("wrong-state")
        if seat not in self.to_move():
            raise Refused("not-your-turn")

    def _check_bid(self, tricks: object) -> None:
        core, game = self._core, self._game
        if type(tricks) is not int:
            raise Refused("not-a-number")
        if not 0 <= tricks <= core.cards:
            raise Refused("bid-range", most=core.cards)
        if tricks == barred_bid(core.cards, core.bids_made(), game.players, game.options):
            raise Refused("bid-hook", bid=tricks)

    def _check_card(self, card: Card) -> None:
        core = self._core
        held = core.hands[core.turn]
        if card not in held:
            raise Refused("not-your-card", card=card)
        fitting = playable(held, core.led)
        if card not in fitting:
            raise Refused("follow-suit", led=core.led, held=fitting[0])

    def time_up(self, seat: int, now: float) -> None:
        """Decide for one who has not: the lowest bid, the first card that fits, the next round."""
        if seat not in self.to_move():
            return
        if self._core.to_move:
            self._decide("time")
            self._ask_next(now)
        else:
            self._begin_next(now)

    def leave(self, seat: int, why: str, now: float) -> None:
        """Play on for one who has left; the game ends when only one player has not."""
        game = self._game
        if game.outcome is not None or seat in game.gone:
            return
        game.gone.add(seat)
        awaited = self._core.to_move
        if len(game.present()) < 2:
            if awaited:
                self._round.break_off()
                game.emit(RoundOver(game.number))
            game.finish("left")
        elif seat in awaited:
            self._ask_next(now)

    # -- what follows -----------------------------------------------------------------

    def _decide(self, forced: Forced) -> None:
        """Make the decision that takes no thought, for the seat whose turn it is."""
        if self._core.phase == "bidding":
            place_bid(self._round, self._core, self._bids()[0], forced)
        else:
            play_card(self._round, self._core, self._cards()[0], forced)

    def _ask_next(self, now: float) -> None:
        """Ask whoever is next, deciding at once for those who have gone; or end the round."""
        game, core = self._game, self._core
        game.since = now
        while core.phase != "done":
            if core.turn not in game.gone:
                self._ask()
                return
            self._decide("left")
        game.score(core)
        game.emit(RoundOver(game.number))
        if game.number == len(game.sizes):
            game.finish()

    def _ask(self) -> None:
        seat, emit = self._core.turn, self._game.emit
        if self._core.phase == "bidding":
            emit(Awaited(seat, "bid"))
            emit(Asked(seat, tuple(self._bids()), ()))
        else:
            emit(Awaited(seat, "play"))
            emit(Asked(seat, (), tuple(self._cards())))

    def _begin_next(self, now: float) -> None:
        self._core = self._game.next_round()
        self._round = RoundMachine(self._core)
        self.show_deal(now)

    def show_deal(self, now: float) -> None:
        """Tell what was dealt, and ask for the first bid."""
        game, core = self._game, self._core
        game.emit(RoundBegan(game.number))
        game.emit(Dealt(game.number, len(game.sizes), core.cards, core.order))
        for seat, cards in sorted(core.hands.items()):
            game.emit(HandDealt(seat, tuple(cards)))
        game.emit(TrumpTurned(core.turned))
        self._ask_next(now)

    # -- what a seat may know ---------------------------------------------------------

    def seen_by(self, seat: int | None) -> RikikiView:
        """Show a seat its own hand, and what is public."""
        return view_of(self._game, self._core, seat)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> RikikiPosition:
        """Draw the other hands anew, and all deals to come."""
        game = self._game
        round, core = replay(self._core, draw_hands(self._core, seat, chance), tell_nobody)
        if self._core.phase == "done" and core.phase != "done":
            round.break_off()
        core.emit = emit
        twin = evolve(
            game,
            deal=Deal.by_chance(chance),
            emit=emit,
            totals=list(game.totals),
            results=list(game.results),
            gone=set(game.gone),
        )
        return RikikiPosition(twin, core, round)
