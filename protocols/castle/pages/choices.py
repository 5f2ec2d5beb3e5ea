"""What may be pressed: each move at the card that makes it, at the card that it is about, or by itself.

A card that is picked (a radio button, so that it works without script) shows its **menu**, and the **hits**:
rings on the places that its moves are about.  Both bear its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from gamecore.games.castle import CARDS, CastleView
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.moves import Spot, Spots
from gamecore.rules import Move
from protocols.castle.pages.faces import Face, print_card
from protocols.castle.text_places import place_name, short_name
from protocols.castle.text_typed import typed
from protocols.castle.visible_cards import card_at
from protocols.i18n.translate import N_, Translator

_USED_AT_WILL = ("in_play", "special")
_PLAIN: Mapping[
    type[Move], tuple[str, str]
] = {  # what is said of a move, and the key that presses it
    castle_moves.Keep: (N_("Keep this hand"), "k"),
    castle_moves.Mulligan: (N_("Shuffle it back, and draw one card fewer"), "m"),
    castle_moves.DrawCard: (N_("Draw a card"), "d"),
    castle_moves.EndTurn: (N_("End the turn"), "e"),
    castle_moves.AllowAction: (N_("Let it happen"), "a"),
    castle_moves.Accept: (N_("Yes"), "y"),
    castle_moves.Decline: (N_("No more"), "n"),
}


@frozen
class Press:
    """A button: a move in words, and the key that presses it, if there is one."""

    id: str
    move: Move
    words: str
    key: str = ""


@frozen
class Hit:
    """A ring on a place; ``pick`` is the number of the card that must be picked to see it, None if none must be."""

    press: Press
    pick: int | None


@frozen
class Offer:
    """A card that lies nowhere on the field, and the one move that takes it."""

    face: Face
    press: Press


@frozen
class Choices:
    """All that may be pressed: by itself, at the card that does it, at the place it is about, or as an offer."""

    plain: Sequence[Press]
    menus: Mapping[Spot, Sequence[Press]]
    hits: Mapping[Spot, Sequence[Hit]]
    offers: Sequence[Offer]


def choices(
    moves: Sequence[Move], board: CastleView, numbers: Mapping[Spot, int], say: Translator
) -> Choices:
    """Sort the legal moves by where they are pressed; ``numbers`` are those of the cards that can be picked."""
    plain: list[Press] = []
    menus: dict[Spot, list[Press]] = {}
    hits: dict[Spot, list[Hit]] = {}
    offers: list[Offer] = []
    for move in moves:
        press = _press(move, board, say)
        source, target = _source(move, board), _target(move, board)
        if type(move) in _PLAIN:
            plain.append(press)
        elif source is not None and source in numbers:
            menus.setdefault(source, []).append(press)
            if target is not None:
                hits.setdefault(target, []).append(Hit(_ring(press), numbers[source]))
        elif target is not None and target in numbers:
            hits.setdefault(target, []).append(Hit(press, None))
        else:
            offers.append(Offer(_offered(move, board, say), press))
    return Choices(plain, menus, hits, offers)


def _press(move: Move, board: CastleView, say: Translator) -> Press:
    name = f"m-{typed(move, board).replace(' ', '-').replace(',', '')}"
    if type(move) in _PLAIN:
        words, key = _PLAIN[type(move)]
        return Press(name, move, say(words), key)
    return Press(name, move, _words(move, board, say))


def _ring(press: Press) -> Press:
    return Press(f"r{press.id[1:]}", press.move, press.words)


def _source(move: Move, board: CastleView) -> Spot | None:
    """Say which card makes a move."""
    seat = board.seat or 0
    match move:
        case castle_moves.PlayCard(hand):
            return Spot(seat, "hand", hand)
        case castle_moves.LevelMage(slot):
            return Spot(seat, "mage", slot)
        case castle_moves.UseAbility(source):
            return source
        case castle_moves.Attack(attacker):
            return attacker
        case castle_moves.ActivateTrickster(slot):
            return Spot(seat, "trickster", slot)
    return None


def _target(move: Move, board: CastleView) -> Spot | None:
    """Say which place a move is about: whom it attacks, what it chooses, or the free slot that it fills."""
    seat = board.seat or 0
    match move:
        case castle_moves.Attack(_, target):
            return target
        case castle_moves.Choose(spot):
            return spot
        case castle_moves.PlayCard(hand, slot, ()):
            card = card_at(board, Spot(seat, "hand", hand))
            return None if card is None else _slot_of(board, card, slot)
    return None


def _offered(move: Move, board: CastleView, say: Translator) -> Face:
    """Show the card that a move would take."""
    match move:
        case castle_moves.TakeCard(card) | castle_moves.PutCard(card):
            return print_card(card, say)
        case castle_moves.Choose(spot):
            chosen = card_at(board, spot)
            return Face(say("a card")) if chosen is None else print_card(chosen, say)
    return Face("")


def _words(move: Move, board: CastleView, say: Translator) -> str:
    seat = board.seat or 0
    match move:
        case castle_moves.PlayCard(hand, slot, pay):
            held = card_at(board, Spot(seat, "hand", hand))
            return _put(board, 0 if held is None else held, slot, pay, say)
        case castle_moves.PutCard(put, _, slot, pay):
            return _put(board, put, slot, pay, say)
        case castle_moves.LevelMage():
            return say("Raise it by a level")
        case castle_moves.UseAbility(source, ability):
            return _use(card_at(board, source), ability, say)
        case castle_moves.Attack(_, target):
            return say("Attack {card}", card=named(board, target, say))
        case castle_moves.ActivateTrickster():
            return say("Turn it up")
        case castle_moves.Choose(spot):
            return say("Choose {card}", card=named(board, spot, say))
        case castle_moves.TakeCard(taken):
            return say("Take {card}", card=short_name(taken, say))
    return typed(move, board)


def _use(card: int | None, ability: int, say: Translator) -> str:
    """Say which ability is used, where a card has several that can be."""
    abilities = () if card is None else CARDS[card].abilities
    several = len([each for each in abilities if each.trigger in _USED_AT_WILL]) > 1
    return say("Use it: {text}", text=say(abilities[ability].text)) if several else say("Use it")


def named(board: CastleView, spot: Spot, say: Translator) -> str:
    """Name the card at a place, and one that is not known, or not alone of its name, by the place."""
    if spot.zone == "castle":
        return say("your castle") if spot.seat == board.seat else say("the enemy castle")
    card = card_at(board, spot)
    place = place_name(spot, say)
    if card is None:
        return say("the card face down ({place})", place=place)
    return say("{card} ({place})", card=short_name(card, say), place=place)


def _put(board: CastleView, card: int, slot: int, pay: Spots, say: Translator) -> str:
    spot = _slot_of(board, card, slot)
    facts: dict[str, object] = {"place": place_name(spot, say)}
    if pay:
        given = ", ".join(named(board, each, say) for each in pay)
        return say("Play it as {place}, giving up {cards}", cards=given, **facts)
    if spot.zone == "trickster":
        return say("Set it face down, as {place}", **facts)
    return say("Play it as {place}", **facts)


def _slot_of(board: CastleView, card: int, slot: int) -> Spot:
    """Say where a card of the viewer's own goes: a castle stands where it stands."""
    return Spot(board.seat or 0, CARDS[card].type, slot)
