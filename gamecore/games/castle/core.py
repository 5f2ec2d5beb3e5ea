"""What a game of Castle Wars is made of while it goes on: cards, sides, and the one list of what is still to do.

Whatever a player does becomes a few **steps** on ``RoundCore.todo``.  A step may put further steps on top of the
list, or a **question** to a player, at which it rests until that is answered (see ``engine``).  So an ability may
stop and go on days later; and as both are plain data that name cards by number, a position can be copied.
"""

from __future__ import annotations

from operator import attrgetter
from typing import ClassVar, Literal

from attrs import Factory, define, evolve, fields

from gamecore.events import Emit
from gamecore.fairness import Deal
from gamecore.games.castle import card_events, events
from gamecore.games.castle.card_definitions import Ability, CardDefinition
from gamecore.games.castle.decks import CARDS
from gamecore.games.castle.effect_schema import Kind, Zone
from gamecore.games.castle.event_types import Asking, Doing
from gamecore.games.castle.moves import Spot, Spots
from gamecore.games.castle.options import CastleOptions

SLOTS: dict[Kind, int] = {"soldier": 2, "mage": 2, "trickster": 2, "decree": 1}
FIELD: tuple[Kind, ...] = tuple(SLOTS)
FACE_UP: tuple[Kind, ...] = ("soldier", "mage", "decree")
TOP_LEVEL = 3
_SPOTS = tuple(
    tuple(Spot(seat, kind, slot) for kind in FIELD for slot in range(SLOTS[kind]))
    for seat in (0, 1)
)  # of each seat, in the order of the field: it is gone through many times in every move
ONLY = (frozenset((0,)), frozenset((1,)))
EVERYBODY: frozenset[int | None] = frozenset((0, 1, None))
NOBODY: frozenset[int | None] = frozenset()  # one for all: Python makes another each time
_NONE: frozenset[int] = frozenset()

Stage = Literal["mulligan", "turn", "window", "question", "over"]


@define(eq=False, weakref_slot=False)
class Piece:
    """One card of one owner wherever it lies; all but the first three lines is forgotten off the field.

    Its sets are frozen: a table has a hundred cards, and nearly all sets are empty, or one of a few.
    """

    uid: int
    card: int
    owner: int
    discount: int = 0  # cards left out of its cost, for as long as it is in the hand
    held_since: int = 0  # how many cards had come to the hand when this one did
    known: frozenset[int | None] = NOBODY  # who beside its holder; None is every watcher
    hint: tuple[Kind, ...] = ()  # the types that everybody knows it to be of
    level: int = 0
    boost: int = 0
    arrived: int = 0
    stunned: bool = False
    shown: bool = False  # a trickster that has been turned up and waits for its effect
    attacks: int = 0
    attacks_allowed: int = 1
    any_level: bool = False
    levelled: bool = False
    used: frozenset[int] = _NONE  # abilities used this turn
    spent: frozenset[int] = _NONE  # abilities used for good
    held_by: int | None = None  # the card that stole it
    home: int | None = None  # the side it was stolen from

    def __deepcopy__(self, memo: dict[int, object]) -> Piece:
        """Copy the card for a copy of the whole position: most of what there is in one."""
        return Piece(*_all_of(self))

    @property
    def name(self) -> str:
        """What the card is called."""
        return self.definition.name

    @property
    def definition(self) -> CardDefinition:
        """What is printed on the card."""
        return CARDS[self.card]

    def forget(self) -> None:
        """Leave the field or the hand: nothing that was done to the card counts any more."""
        self.discount, self.level, self.boost, self.arrived = 0, 0, 0, 0
        self.stunned = self.shown = False
        self.held_by = self.home = None
        self.spent = _NONE
        self.refresh()

    def refresh(self) -> None:
        """Begin a turn: whatever may be done once a turn may be done again."""
        self.attacks, self.attacks_allowed = 0, 1
        self.any_level = self.levelled = False
        self.used = _NONE


_all_of = attrgetter(*(each.name for each in fields(Piece)))


@define(eq=False)
class Side:
    """All that belongs to one seat; the last card of the deck is its top."""

    seat: int
    castle: Piece
    deck: list[Piece]
    health: int
    hand: list[Piece] = Factory(list)
    discard: list[Piece] = Factory(list)
    field: dict[Kind, list[Piece | None]] = Factory(
        lambda: {kind: [None] * count for kind, count in SLOTS.items()}
    )
    played: set[str] = Factory(set)  # types played from the hand this turn
    discount: int = 0  # cards left out of the cost of one card played this turn
    shielded: bool = False
    mulligans: int = 0
    taken: int = 0  # cards that have come to the hand

    def take(self, piece: Piece) -> None:
        """Add a card to the hand."""
        piece.held_since, self.taken = self.taken, self.taken + 1
        self.hand.append(piece)

    def pieces(self) -> list[tuple[Spot, Piece]]:
        """List the cards on this side's field in the order of their spots."""
        soldiers, mages, tricksters, decrees = self.field.values()
        slots = soldiers + mages + tricksters + decrees
        return [
            (spot, piece)
            for spot, piece in zip(_SPOTS[self.seat], slots, strict=True)
            if piece is not None
        ]

    def face_up(self) -> list[Piece]:
        """List the cards on this side's field that are no tricksters, in the order of their spots."""
        soldiers, mages, _, decrees = self.field.values()
        return [piece for piece in soldiers + mages + decrees if piece is not None]


@define(eq=False)
class AbilityUse:
    """An ability at work: whose it is, what it belongs to, and what it has chosen so far."""

    seat: int
    source: int
    card: int
    ability: Ability
    index: int
    cancelled: bool = False
    chosen: int | None = None
    put: int | None = None
    fetched: int | None = None
    taken: tuple[int, ...] = ()
    destroyed: Kind | None = None

    @property
    def kinds(self) -> set[str]:
        """What kind of ability it is to one who answers."""
        decree = {"decree"} if CARDS[self.card].type == "decree" else set()
        return {self.ability.trigger, *decree}


@define(eq=False)
class Answer:
    """A trickster, or a card that cancels one, waiting on the stack."""

    number: int
    seat: int
    piece: int
    use: AbilityUse
    answers: int
    cancelled: bool = False


@define(eq=False)
class Action:
    """What the active player does, held until nobody answers any more."""

    number: int
    seat: int
    doing: Doing
    piece: int | None = None
    sort: Kind | None = None  # the type of an attacker, also when it is gone
    target: int | None = None
    use: AbilityUse | None = None
    answers: list[Answer] = Factory(list)
    void: bool = False


@define(eq=False)
class IncomingCard:
    """A card between two zones: its cost is being paid, or the enemy may still answer."""

    piece: Piece
    seat: int
    source: Zone
    slot: int

    @property
    def spot(self) -> Spot:
        """Where it is going."""
        return Spot(self.seat, kind_of(self.piece), self.slot)


@define(eq=False)
class ScheduledDestruction:
    """A card to be destroyed at the end of a turn: the ``left``-th from now of ``seat``'s, or of anybody's."""

    piece: int
    seat: int | None
    left: int
    giving_up: bool


@define(eq=False)
class Step:
    """Something still to do; each kind says how in ``engine.does``."""


@define(eq=False)
class Question:
    """Something a player has to choose; each kind says what is offered, and what follows, in ``engine``."""

    why: ClassVar[Asking] = "target"
    seat: int
    use: AbilityUse

    def about(self, core: RoundCore) -> Spot | None:
        """Say which card it is about, where that is not what is asked."""
        return None


@define(eq=False)
class Window:
    """The moment in which ``asked`` may answer the action under way."""

    asked: int
    passed: int = 0


@define
class Ending:
    """How the game has ended."""

    places: tuple[int, int]
    reason: str


@define(eq=False)
class RoundCore:
    """The whole game: what outlives every question and every turn.

    ``stop`` is the question or the window at which the list of steps rests, if a player is asked.
    """

    options: CastleOptions
    deal: Deal
    emit: Emit
    sides: tuple[Side, Side]
    first: int
    active: int
    stun_silences: bool = True  # see ``rules``
    tells_of_no_stun: bool = True  # see ``rules``
    choosing: set[int] = Factory(lambda: {0, 1})  # who has not accepted a hand yet
    turn: int = 0
    to_draw: bool = False
    todo: list[Step] = Factory(list)
    stop: Question | Window | None = None
    action: Action | None = None
    incoming: list[IncomingCard] = Factory(list)
    scheduled: list[ScheduledDestruction] = Factory(list)
    fallen: set[int] = Factory(set)
    ending: Ending | None = None
    actions: int = 0
    marks: list[Spot] = Factory(list)  # what the last action was about, for all to see
    ends: dict[int, float] = Factory(dict)  # until when each seat that is awaited may think
    left: float = 0.0  # what the active player has of the turn while somebody else is awaited

    # -- whom all wait for --------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        """What the duel is about, once nothing is left to do."""
        if self.ending is not None:
            return "over"
        if self.choosing:
            return "mulligan"
        if self.stop is None:
            return "turn"
        return "window" if isinstance(self.stop, Window) else "question"

    @property
    def to_move(self) -> frozenset[int]:
        """The seats whose decision is awaited: both in the mulligan, who is asked, or whose turn it is."""
        if self.ending is not None:
            return frozenset()
        if self.choosing:
            return frozenset(self.choosing)
        if self.stop is None:
            return ONLY[self.active]
        return ONLY[self.stop.asked if isinstance(self.stop, Window) else self.stop.seat]

    # -- what is still to do ----------------------------------------------------------

    def push(self, *steps: Step) -> None:
        """Put steps on top of the list, the first to be done first."""
        self.todo.extend(reversed(steps))

    def mark(self, *spots: Spot | None) -> None:
        """Remember which cards the action under way is about."""
        self.marks += [spot for spot in spots if spot is not None]

    def number(self) -> int:
        """Count one more action or answer."""
        self.actions += 1
        return self.actions

    # -- finding cards ----------------------------------------------------------------

    def spot_of(self, uid: int | None) -> Spot | None:
        """Find where on the field, or as whose castle, a card lies."""
        for side in self.sides:
            if side.castle.uid == uid:
                return Spot(side.seat, "castle", 0)
            for spot, piece in side.pieces():
                if piece.uid == uid:
                    return spot
        return None

    def on_field(self, spot: Spot) -> Piece | None:
        """Find the card in a slot of the field, if there is such a slot and a card in it."""
        if spot.seat not in (0, 1) or spot.zone not in SLOTS:
            return None
        slots = self.sides[spot.seat].field[spot.zone]
        return slots[spot.slot] if 0 <= spot.slot < len(slots) else None

    def find(self, uid: int | None) -> tuple[Spot, Piece] | None:
        """Find a card on the field with its spot."""
        spot = self.spot_of(uid)
        piece = None if spot is None else self.on_field(spot)
        return None if spot is None or piece is None else (spot, piece)

    def is_free(self, seat: int, kind: Kind, slot: int) -> bool:
        """Tell whether a slot is empty and no card is on its way there."""
        if self.sides[seat].field[kind][slot] is not None:
            return False
        wanted = Spot(seat, kind, slot)
        return all(incoming.spot != wanted for incoming in self.incoming)

    def free_slots(self, seat: int, kind: Kind) -> list[int]:
        """List the free slots of a type."""
        return [slot for slot in range(SLOTS[kind]) if self.is_free(seat, kind, slot)]

    # -- telling ----------------------------------------------------------------------

    def tell_one(self, seat: int, event: Secret) -> None:
        """Tell what happened to a card that only ``seat`` may know, and to the others without the card."""
        self.emit(evolve(event, only=seat))
        self.emit(evolve(event, card=None, but=seat))

    def tell_card(self, seat: int, piece: Piece, event: Secret) -> None:
        """Tell what happens to a card on its way into play: everything, unless it stays face down."""
        if piece.definition.type == "trickster":
            self.tell_one(seat, event)
        else:
            piece.known = EVERYBODY
            self.emit(event)

    def lose(self, *losers: tuple[int, str]) -> None:
        """End the game; where both lose, it is drawn."""
        for seat, why in losers:
            self.emit(card_events.DuelLost(seat, why))
        if len(losers) > 1:
            self.ending = Ending((1, 1), "draw")
        else:
            seat, why = losers[0]
            self.ending = Ending((2, 1) if seat == 0 else (1, 2), why)


Secret = (
    events.Announced
    | card_events.Drew
    | card_events.Fetched
    | card_events.PutDown
    | card_events.Entered
)


def kind_of(piece: Piece) -> Kind:
    """Say what type of slot a card goes to; raises ValueError for a castle."""
    kind = piece.definition.type
    if kind == "castle":
        raise ValueError("a castle stands where it stands")
    return kind


def spots_of(core: RoundCore, uids: tuple[int, ...]) -> Spots:
    """Find where several cards lie, those that are on the field."""
    spots = [core.spot_of(uid) for uid in uids]
    return tuple(spot for spot in spots if spot is not None)
