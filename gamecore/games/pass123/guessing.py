"""What a seat cannot know of a game of 1-2-3 Pass, drawn anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from gamecore.cards import PACK, RANKS, Card
from gamecore.events import tell_nobody
from gamecore.games.pass123.events import Hand
from gamecore.games.pass123.round import Away, RoundCore, remember, taker
from gamecore.rules import Chance


def draw_anew(core: RoundCore, seat: int | None, chance: Chance) -> RoundCore:
    """Draw anew all that ``seat`` cannot know, so that it would have seen the same from the deal on.

    The true game is told again with other cards in it. A card that the seat has never seen may be any that it has
    never seen. Whenever cards are together in somebody else's hand, those that the seat will not see again may
    change roles: so what it has passed on may be anywhere it can have got to.
    """
    seen = _last_seen(core, seat)
    roles = _first_roles(core, seen, chance)
    dealt = tuple(tuple(roles[card] for card in hand) for hand in core.dealt)
    passes: list[Hand] = []
    away: list[dict[Card, Away]] = [{} for _ in core.dealt]
    for moment, hands in enumerate(_told_again(core)):
        for hand in (hand for owner, hand in enumerate(hands) if owner != seat):
            free = [card for card in hand if seen.get(card, -1) < moment]
            parts = [roles[card] for card in free]
            chance.shuffle(parts)
            roles.update(zip(free, parts, strict=True))
        if moment < len(core.passes):
            passes.append(tuple(roles[card] for card in core.passes[moment]))
            remember(away, passes[-1], core.options.direction, moment + 1)
    return evolve(
        core,
        emit=tell_nobody,
        dealt=dealt,
        hands=[[roles[card] for card in hand] for hand in core.hands],
        places=list(core.places),
        away=away,
        named={each: roles[card] for each, card in core.named.items()},
        passes=passes,
    )


def _told_again(core: RoundCore) -> Sequence[Sequence[Sequence[Card]]]:
    """List the hands after the deal and after each pass, what was named still among them."""
    hands = [list(hand) for hand in core.dealt]
    moments = [core.dealt]
    for cards in core.passes:
        for giver, card in enumerate(cards):
            hands[giver].remove(card)
        for giver, card in enumerate(cards):
            hands[taker(giver, len(cards), core.options.direction)].append(card)
        moments.append(tuple(map(tuple, hands)))
    return moments


def _last_seen(core: RoundCore, seat: int | None) -> dict[Card, int]:
    """Say for each card that a seat has seen after how many passes that was, the last time."""
    seen: dict[Card, int] = {}
    moments = _told_again(core)
    if seat is not None:
        for moment, hands in enumerate(moments):
            seen.update(dict.fromkeys(hands[seat], moment))
    seen.update(dict.fromkeys(core.shown, len(moments)))
    return seen


def _first_roles(core: RoundCore, seen: Mapping[Card, int], chance: Chance) -> dict[Card, Card]:
    """Say for each card which one it is in an imagined game: those that were seen are themselves."""
    known = {card.rank for card in seen}
    others = chance.sample(
        [rank for rank in RANKS if rank not in known], len(core.dealt) - len(known)
    )
    unseen = [card for hand in core.dealt for card in hand if card not in seen]
    parts = [card for card in PACK if card.rank in known.union(others) and card not in seen]
    chance.shuffle(parts)
    return {card: card for card in seen} | dict(zip(unseen, parts, strict=True))
