"""GOPS, the Game of Pure Strategy: bid a card for each prize, and the higher card takes it.

The rules are those of the GOPS specification, section 1.  Both players hold a suit of their own; a third suit
is the prizes, turned up one at a time.  Both lay a card face down; once both have, the higher takes all that
lies on the table.  Equal cards take nothing: the prizes stay (or are put away, where ``ties`` says so).  An ace
counts 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from attrs import Factory, define, evolve, frozen
from automat import TypeMachine, TypeMachineBuilder

from gamecore.errors import Refused
from gamecore.events import (
    EVERYONE,
    Audience,
    Emit,
    Event,
    RoundBegan,
    RoundOver,
    tell_nobody,
)
from gamecore.fairness import Deal
from gamecore.rules import Chance, Move, Outcome, Seat, View
from gamecore.settings import setting

Pair = tuple[int, int]
Cards = tuple[int, ...]

MOST_CARDS = 13
SEATS = frozenset((0, 1))
GOINGS = ("left", "disconnected", "absent")  # why a player may have gone


@frozen
class GopsOptions:
    """The settings of a table of GOPS."""

    cards: int = setting(MOST_CARDS, "cards in each suit, from the ace up", low=2, high=MOST_CARDS)
    ties: str = setting(
        "carry",
        "what becomes of the prizes after equal cards: they stay, or nobody gets them",
        choices=("carry", "discard"),
    )
    order: str = setting(
        "shuffled",
        "the order in which the prizes come",
        choices=("shuffled", "ascending", "descending"),
    )
    seconds: int = setting(300, "seconds to lay a card", low=1, high=86_400)


@frozen
class Bid(Move):
    """Lay a card face down: 1 is the ace, 11 to 13 are jack, queen and king."""

    card: int


@frozen
class PrizeTurned:
    """A prize has been added to the ``pot``; ``hands`` and ``scores`` by seat, as the round begins."""

    number: int
    prize: int
    pot: Cards
    hands: tuple[Cards, Cards]
    scores: Pair
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Laid:
    """``seat`` has laid a card; which one, is told to nobody yet."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Revealed:
    """Both cards are face up.

    ``pot`` is what was played for, oldest first, ``prize`` the last of it; ``winner`` is None after equal cards,
    ``scores`` stand as they are now, and ``left`` is what still lies on the table.
    """

    number: int
    prize: int
    pot: Cards
    bids: Pair
    winner: int | None
    scores: Pair
    left: Cards
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Forfeited:
    """The game ends here: ``why`` is ``time`` or how they went; both seats if both let the time run out."""

    seats: tuple[int, ...]
    why: str
    scores: Pair
    audience: ClassVar[Audience] = EVERYONE


@frozen
class GopsView(View):
    """All but a card laid face down by somebody else, and the prizes to come.

    ``seat`` is the viewer's and ``own`` the card that it has laid; ``laid`` the seats that have laid one, in
    order; ``shown`` all that was revealed before; ``since`` the table time at which the round began; ``over``
    whether the game is.
    """

    options: GopsOptions
    seat: int | None
    number: int
    pot: Cards
    hands: tuple[Cards, Cards]
    scores: Pair
    laid: tuple[int, ...]
    own: int | None
    shown: tuple[Revealed, ...]
    forfeit: Forfeited | None
    since: float
    over: bool


# -- the round: revealed -> collecting -> revealed, or over ---------------------------


class Round(Protocol):
    """What may happen to a round of GOPS, and what it answers."""

    def open(self, now: float) -> None:
        """Turn up the next prize."""

    def bid(self, seat: int, card: int) -> None:
        """Lay a card while the other has yet to lay one."""

    def last_bid(self, seat: int, card: int) -> None:
        """Lay the card that was waited for, and turn both up."""

    def forfeit(self, seats: tuple[int, ...], why: str) -> None:
        """End the game by somebody's going, or silence."""

    def laid(self) -> Mapping[int, int] | None:
        """Give the cards laid so far, by seat, or None while no cards are awaited."""


@define
class RoundCore:
    """The table itself: what outlives one prize."""

    options: GopsOptions
    emit: Emit
    prizes: Cards  # those to come, the next one first
    hands: tuple[Cards, Cards]
    number: int = 0
    since: float = 0.0
    pot: Cards = ()
    scores: Pair = (0, 0)
    shown: tuple[Revealed, ...] = ()
    forfeit: Forfeited | None = None


@define
class Tray:
    """The cards laid for one prize: born with ``collecting``, forgotten after it."""

    laid: dict[int, int] = Factory(dict)


def better_bid(bids: Pair) -> int | None:
    """Name the seat with the higher card, or nobody if they are equal."""
    return None if bids[0] == bids[1] else int(bids[1] > bids[0])


def _round_machine() -> TypeMachine[Round, RoundCore]:
    def empty_tray(round: Round, core: RoundCore, now: float) -> Tray:
        return Tray()

    builder = TypeMachineBuilder(Round, RoundCore)
    revealed = builder.state("revealed")
    collecting = builder.state("collecting", empty_tray)
    over = builder.state("over")

    revealed.upon(Round.laid).loop().returns(None)
    over.upon(Round.laid).loop().returns(None)

    @revealed.upon(Round.open).to(collecting)
    def turn_prize(round: Round, core: RoundCore, now: float) -> None:
        prize, *rest = core.prizes
        core.prizes, core.pot = tuple(rest), (*core.pot, prize)
        core.number += 1
        core.since = now
        core.emit(RoundBegan(core.number))
        core.emit(PrizeTurned(core.number, prize, core.pot, core.hands, core.scores))

    @collecting.upon(Round.laid).loop()
    def look(round: Round, core: RoundCore, tray: Tray) -> Mapping[int, int]:
        return tray.laid

    @collecting.upon(Round.bid).loop()
    def lay(round: Round, core: RoundCore, tray: Tray, seat: int, card: int) -> None:
        tray.laid[seat] = card
        core.emit(Laid(seat))

    @collecting.upon(Round.last_bid).to(revealed)
    def turn_up(round: Round, core: RoundCore, tray: Tray, seat: int, card: int) -> None:
        core.emit(Laid(seat))
        laid = {**tray.laid, seat: card}
        _award(core, (laid[0], laid[1]))
        core.emit(core.shown[-1])
        core.emit(RoundOver(core.number))

    @collecting.upon(Round.forfeit).to(over)
    def give_up(
        round: Round, core: RoundCore, tray: Tray, seats: tuple[int, ...], why: str
    ) -> None:
        core.forfeit = Forfeited(seats, why, core.scores)
        core.emit(core.forfeit)
        core.emit(RoundOver(core.number))

    return builder.build()


def _award(core: RoundCore, bids: Pair) -> None:
    """Take both cards from the hands, and give what lies on the table to the higher one."""
    pot, winner = core.pot, better_bid(bids)
    if winner is not None:
        first, second = core.scores
        won = sum(pot)
        core.scores = (first, second + won) if winner else (first + won, second)
    if winner is not None or core.options.ties == "discard":
        core.pot = ()
    first_hand, second_hand = core.hands
    core.hands = (_without(first_hand, bids[0]), _without(second_hand, bids[1]))
    told = Revealed(core.number, pot[-1], pot, bids, winner, core.scores, core.pot)
    core.shown = (*core.shown, told)


def _without(hand: Cards, card: int) -> Cards:
    return tuple(each for each in hand if each != card)


RoundMachine = _round_machine()


# -- the position: checks, then feeds the one input that fits -------------------------


class GopsPosition:
    """Where one game of GOPS stands."""

    __slots__ = ("_core", "_round")

    def __init__(self, core: RoundCore) -> None:
        """Take a core that stands before a prize is turned, or after the end."""
        self._core = core
        self._round = RoundMachine(core)

    def to_move(self) -> frozenset[int]:
        """Name the seats that have yet to lay a card."""
        laid = self._round.laid()
        return frozenset() if laid is None else SEATS - laid.keys()

    def due(self) -> Mapping[int, float]:
        """Give whoever has yet to lay a card the same time, from when the prize was turned up."""
        until = self._core.since + self._core.options.seconds
        return {seat: until for seat in sorted(self.to_move())}

    def legal_moves(self, seat: int) -> Sequence[Bid]:
        """List the cards in the hand, the lowest first."""
        if seat not in self.to_move():
            return ()
        return [Bid(card) for card in self._core.hands[seat]]

    def play(self, seat: int, move: Move, now: float) -> None:
        """Lay a card, and once both have, go on to the next prize.

        Refused: ``game-over``, ``no-such-move``, ``already-laid``, ``no-such-card``, ``card-played``.
        """
        laid = self._round.laid()
        if laid is None:
            raise Refused("game-over")
        card = self._check(seat, move, laid)
        if not laid:
            self._round.bid(seat, card)
            return
        self._round.last_bid(seat, card)
        if self._core.prizes:
            self._round.open(now)

    def _check(self, seat: int, move: Move, laid: Mapping[int, int]) -> int:
        if not isinstance(move, Bid):
            raise Refused("no-such-move")
        if seat in laid:
            raise Refused("already-laid")
        if not 1 <= move.card <= self._core.options.cards:
            raise Refused("no-such-card", most=self._core.options.cards)
        if move.card not in self._core.hands[seat]:
            raise Refused("card-played", card=move.card)
        return move.card

    def time_up(self, seat: int, now: float) -> None:
        """End the game: whoever has not laid a card has lost it, and nobody has won if that is both."""
        self._forfeit(tuple(sorted(self.to_move())), "time")

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game: whoever leaves has lost."""
        self._forfeit((seat,), why if why in GOINGS else "left")

    def _forfeit(self, seats: tuple[int, ...], why: str) -> None:
        if self._round.laid() is not None:
            self._round.forfeit(seats, why)

    def begin(self, now: float) -> None:
        """Turn up the first prize."""
        self._round.open(now)

    def seen_by(self, seat: int | None) -> GopsView:
        """Show everything but the other's laid card and the prizes to come."""
        core = self._core
        laid = self._round.laid()
        return GopsView(
            options=core.options,
            seat=seat,
            number=core.number,
            pot=core.pot,
            hands=core.hands,
            scores=core.scores,
            laid=tuple(sorted(laid or ())),
            own=None if seat is None or laid is None else laid.get(seat),
            shown=core.shown,
            forfeit=core.forfeit,
            since=core.since,
            over=laid is None,
        )

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> GopsPosition:
        """Draw anew the order of the prizes to come, and the cards that others have laid."""
        core, laid = self._core, self._round.laid()
        prizes = core.prizes
        if core.options.order == "shuffled":
            prizes = tuple(chance.sample(prizes, len(prizes)))
        if laid is None:
            return GopsPosition(evolve(core, emit=emit, prizes=prizes))
        *before, prize = core.pot
        prizes, pot, number = (prize, *prizes), tuple(before), core.number - 1
        twin = GopsPosition(evolve(core, emit=tell_nobody, prizes=prizes, pot=pot, number=number))
        twin.begin(core.since)
        for other, card in laid.items():
            drawn = card if other == seat else chance.choice(core.hands[other])
            twin._round.bid(other, drawn)
        twin._core.emit = emit
        return twin

    @property
    def outcome(self) -> Outcome | None:
        """Say who has won: more points, or the one who did not go."""
        core = self._core
        if core.forfeit is not None:
            lost = core.forfeit.seats
            places = (1, 1) if len(lost) > 1 else ((2, 1) if lost == (0,) else (1, 2))
            return Outcome(places, core.scores, core.forfeit.why)
        if self._round.laid() is not None:
            return None
        first, second = core.scores
        return Outcome((1 + (second > first), 1 + (first > second)), core.scores, "points")


class GopsRules:
    """The constant facts of GOPS, and how a game begins."""

    kind = "gops"
    title = "Game of Pure Strategy"
    version = 1
    seats = range(2, 3)
    options = GopsOptions
    brings = None
    moves: Sequence[type[Move]] = (Bid,)
    events: Sequence[type[Event]] = (
        PrizeTurned,
        Laid,
        Revealed,
        Forfeited,
        RoundBegan,
        RoundOver,
    )

    def begin(
        self, seats: Sequence[Seat], options: GopsOptions, deal: Deal, emit: Emit, now: float
    ) -> GopsPosition:
        """Lay out the prizes, and turn up the first."""
        suit = tuple(range(1, options.cards + 1))
        core = RoundCore(options, emit, _in_order(suit, options.order, deal), (suit, suit))
        position = GopsPosition(core)
        position.begin(now)
        return position


def _in_order(suit: Cards, order: str, deal: Deal) -> Cards:
    match order:
        case "ascending":
            return suit
        case "descending":
            return suit[::-1]
    return tuple(deal.shuffle("prizes", suit))


RULES = GopsRules()
