"""What a seat cannot see, drawn anew: hands that fit all that everybody has seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gamecore.cards import PACK, Card, in_order
from gamecore.games.rikiki.events import Laid
from gamecore.games.rikiki.round import RoundCore
from gamecore.rules import Chance

_STOCK = -1  # stands for the cards that were not dealt


def draw_hands(core: RoundCore, seat: int | None, chance: Chance) -> dict[int, list[Card]]:
    """Draw hands for all seats but one, which keeps its own; each could have led to what was played."""
    hands: dict[int, list[Card]] = {each: [] for each in core.order}
    if seat is not None:
        hands[seat] = list(core.hands[seat])
    known = {core.turned, *(laid.card for laid, _ in _laid(core))}
    known.update(*hands.values())
    unseen = [card for card in PACK if card not in known]
    owners = [each for each in core.order if each != seat for _ in core.hands[each]]
    owners += [_STOCK] * (len(unseen) - len(owners))
    chance.shuffle(unseen)
    chance.shuffle(owners)
    for owner, card in _match(unseen, owners, _ruled_out(core)):
        if owner != _STOCK:
            hands[owner].append(card)
    return {each: in_order(hand) for each, hand in hands.items()}


def _laid(core: RoundCore) -> Iterator[tuple[Laid, Card | None]]:
    """Go through the cards played in this round, each with the one it had to follow."""
    tricks = [trick.cards for trick in core.tricks]
    if len(core.table) < len(core.order):
        tricks.append(tuple(core.table))
    for trick in tricks:
        for place, laid in enumerate(trick):
            yield laid, trick[0].card if place else None


def _ruled_out(core: RoundCore) -> Mapping[int, set[Card]]:
    """Name for each seat the cards that it cannot hold, from what it has played."""
    ruled_out: dict[int, set[Card]] = {_STOCK: set(), **{seat: set() for seat in core.order}}
    for laid, led in _laid(core):
        ruled_out[laid.seat] |= _not_held(laid, led)
    return ruled_out


def _not_held(laid: Laid, led: Card | None) -> set[Card]:
    """Name the cards that a seat cannot have held when it played one."""
    suit = [card for card in PACK if led is not None and card.suit == led.suit]
    followed = led is not None and laid.card.suit == led.suit
    void = set() if followed else set(suit)
    if not laid.forced:
        return void
    choice = suit if followed else PACK  # and this was the first that could be played
    return void | set(choice[: choice.index(laid.card)])


def _match(
    cards: Sequence[Card], owners: Sequence[int], ruled_out: Mapping[int, set[Card]]
) -> Iterator[tuple[int, Card]]:
    """Give each card to an owner who can have it; what was given before makes way where it must."""
    given: dict[int, Card] = {}  # by place among the owners

    def give(card: Card, tried: set[int]) -> bool:
        barred = {owner for owner, never in ruled_out.items() if card in never}
        fitting = [at for at, owner in enumerate(owners) if owner not in barred]
        for at in fitting:
            if at not in given:
                given[at] = card
                return True
        for at in fitting:
            if at not in tried:
                tried.add(at)
                if give(given[at], tried):
                    given[at] = card
                    return True
        return False

    def ease(card: Card) -> int:
        return -sum(card in barred for barred in ruled_out.values())

    for card in sorted(cards, key=ease):  # the hardest to place first
        if not give(card, set()):
            raise AssertionError("no hands fit what was played")
    return ((owners[at], card) for at, card in given.items())
