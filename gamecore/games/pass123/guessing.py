"""What a seat cannot know of a game of 1-2-3 Pass, drawn anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from gamecore.cards import PACK, RANKS, Card
from gamecore.events import tell_nobody
from gamecore.games.pass123.events import Hand, Hands
from gamecore.games.pass123.past import Away, Past, remember
from gamecore.games.pass123.round import RoundCore
from gamecore.rules import Chance

_LONG_AGO = 4  # passes for each player, after which a card may be in any other hand

Roles = dict[Card, Card]
"""Which card each card is in an imagined game."""


def draw_anew(core: RoundCore, seat: int | None, chance: Chance) -> RoundCore:
    """Draw anew all that ``seat`` cannot know, so that it would have seen the same.

    The true game is told again with other cards in it, from the deal on, or as far back as is kept. A card that
    the seat has never seen may be any that it has never seen. Whenever cards are together in somebody else's hand,
    those that the seat will not see again may change roles: so what it has passed on may be wherever it can be.
    """
    past = core.past
    seen = _last_seen(core, seat)
    moments = past.moments()
    roles = _first_roles(moments[0], seen, chance)
    if past.forgotten:
        _scatter(past, seat, seen, roles, chance)
    told = Past(
        past.direction,
        [[roles[card] for card in hand] for hand in past.hands],
        [_away(past.away[each], roles, each == seat) for each in range(len(past.hands))],
        forgotten=past.forgotten,
    )
    away = [dict(each) for each in told.away]
    for moment, hands in enumerate(moments):
        _change_roles(hands, moment, seat, seen, roles, chance)
        if moment < len(past.passes):
            told.passes.append(tuple(roles[card] for card in past.passes[moment]))
            remember(away, told.passes[-1], past.direction, told.count)
    return evolve(
        core,
        emit=tell_nobody,
        past=told,
        hands=[[roles[card] for card in hand] for hand in core.hands],
        places=list(core.places),
        away=away,
        named={each: roles[card] for each, card in core.named.items()},
    )


def _last_seen(core: RoundCore, seat: int | None) -> Mapping[Card, int]:
    """Say for each card that a seat has seen at which of the moments that was the last time, or how long before."""
    last = len(core.past.passes)
    seen: dict[Card, int] = {}
    if seat is not None:
        for each in core.away[seat].values():
            seen[each.card] = each.number - 1 - core.past.forgotten
        named = [core.named[seat]] if seat in core.named else []
        seen.update(dict.fromkeys([*core.hands[seat], *named], last))
    seen.update(dict.fromkeys(core.shown, last + 1))
    return seen


def _first_roles(hands: Hands, seen: Mapping[Card, int], chance: Chance) -> Roles:
    """Say for each card which one it is in an imagined game: those that were seen are themselves."""
    known = {card.rank for card in seen}
    others = chance.sample([rank for rank in RANKS if rank not in known], len(hands) - len(known))
    unseen = [card for hand in hands for card in hand if card not in seen]
    ranks = known.union(others)
    parts = [card for card in PACK if card.rank in ranks and card not in seen]
    chance.shuffle(parts)
    return {card: card for card in seen} | dict(zip(unseen, parts, strict=True))


def _scatter(
    past: Past, seat: int | None, seen: Mapping[Card, int], roles: Roles, chance: Chance
) -> None:
    """Put what the seat had not seen for long, when what is kept begins, into any other hands."""
    before = -_LONG_AGO * len(past.hands)
    hands = [hand for owner, hand in enumerate(past.hands) if owner != seat]
    _shuffle_roles(
        [card for hand in hands for card in hand if seen.get(card, before) <= before], roles, chance
    )


def _change_roles(
    hands: Sequence[Hand],
    moment: int,
    seat: int | None,
    seen: Mapping[Card, int],
    roles: Roles,
    chance: Chance,
) -> None:
    """Let cards in one hand of another change roles that the seat does not see again from a moment on."""
    for owner, hand in enumerate(hands):
        if owner != seat:
            free = [card for card in hand if seen.get(card, moment - 1) < moment]
            _shuffle_roles(free, roles, chance)


def _shuffle_roles(cards: Sequence[Card], roles: Roles, chance: Chance) -> None:
    parts = [roles[card] for card in cards]
    chance.shuffle(parts)
    roles.update(zip(cards, parts, strict=True))


def _away(away: Mapping[Card, Away], roles: Roles, own: bool) -> dict[Card, Away]:
    """Tell again what a seat had passed on when what is kept begins; one's own cards one has seen."""
    if own:
        return dict(away)
    return {roles[card]: Away(roles[card], each.number) for card, each in away.items()}
