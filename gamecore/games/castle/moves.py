"""Where cards lie, and what a player may want to do with them."""

from __future__ import annotations

from attrs import frozen

from gamecore.games.castle.effect_schema import Zone
from gamecore.rules import Move


@frozen
class Spot:
    """One place of one side; slots count from 0, castles and decrees have the slot 0 only."""

    seat: int
    zone: Zone
    slot: int


Spots = tuple[Spot, ...]


# -- before the first turn ------------------------------------------------------------


@frozen
class Keep(Move):
    """Accept the first hand."""


@frozen
class Mulligan(Move):
    """Shuffle the whole hand back and draw one card fewer."""


# -- in one's own turn ----------------------------------------------------------------


@frozen
class DrawCard(Move):
    """Take the draw of the turn, which comes before anything else."""


@frozen
class PlayCard(Move):
    """Put the card at a place in the hand into a slot of its type, giving up the cards at ``pay`` for it.

    What is given up is a set: it may be named in any order.  A slot may be taken if the card in it is among them.
    """

    hand: int
    slot: int
    pay: Spots = ()


@frozen
class LevelMage(Move):
    """Raise the mage in a slot by one level."""

    slot: int


@frozen
class UseAbility(Move):
    """Use an ability, by its place on its card's face: in one's turn, or to cancel a trickster."""

    source: Spot
    ability: int


@frozen
class Attack(Move):
    """Attack with one of one's own cards."""

    attacker: Spot
    target: Spot


@frozen
class EndTurn(Move):
    """Let the turn pass."""


# -- in answer to an action -----------------------------------------------------------


@frozen
class ActivateTrickster(Move):
    """Turn up the trickster in a slot in answer to an action."""

    slot: int


@frozen
class AllowAction(Move):
    """Let the action happen."""


# -- in answer to a question ----------------------------------------------------------


@frozen
class Choose(Move):
    """Choose the card at a place."""

    spot: Spot


@frozen
class TakeCard(Move):
    """Choose a card out of one's own deck, by its number."""

    card: int


@frozen
class PutCard(Move):
    """Put a card out of one's own deck or hand into play, giving up the cards at ``pay`` for it, in any order."""

    card: int
    source: Zone
    slot: int
    pay: Spots = ()


@frozen
class Accept(Move):
    """Say yes to what may be done."""


@frozen
class Decline(Move):
    """Say no to it, or that enough has been chosen."""


Reply = Choose | TakeCard | PutCard | Accept | Decline

MOVES: tuple[type[Move], ...] = (
    Keep,
    Mulligan,
    DrawCard,
    PlayCard,
    LevelMage,
    UseAbility,
    Attack,
    EndTurn,
    ActivateTrickster,
    AllowAction,
    Choose,
    TakeCard,
    PutCard,
    Accept,
    Decline,
)
