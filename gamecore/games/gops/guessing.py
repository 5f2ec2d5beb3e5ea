"""What a seat cannot know of a game of GOPS, drawn anew."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from gamecore.events import tell_nobody
from gamecore.games.gops.round import RoundCore
from gamecore.rules import Chance


def draw_anew(core: RoundCore, chance: Chance) -> RoundCore:
    """Draw the prizes to come, however they lay, and go back to before the prize that is bid for was turned up."""
    prizes = core.prizes
    if core.options.order == "shuffled":
        prizes = tuple(chance.sample(sorted(prizes), len(prizes)))
    twin = evolve(core, emit=tell_nobody, prizes=prizes, laid={}, to_move=frozenset())
    if core.to_move:
        *before, prize = core.pot
        twin.prizes, twin.pot, twin.number = (prize, *prizes), tuple(before), core.number - 1
    return twin


def draw_laid(core: RoundCore, seat: int | None, chance: Chance) -> Mapping[int, int]:
    """Draw the cards that all but ``seat`` have laid."""
    return {
        other: card if other == seat else chance.choice(core.hands[other])
        for other, card in core.laid.items()
    }
