"""Words of a game that are no moves of it, as for what is brought to a table; good anywhere in the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from gamecore.rules import AnyRules, Registry, sample
from protocols.i18n.game_text import Asides, find_text

if TYPE_CHECKING:
    from protocols.lobby.visitor import Visitor


def asides(registry: Registry) -> Mapping[str, tuple[str, Asides]]:
    """List such words of all games: the kind of the game, and its text."""
    found: dict[str, tuple[str, Asides]] = {}
    for kind in registry.kinds:
        text: object = find_text(kind)
        if isinstance(text, Asides):
            found.update(dict.fromkeys(text.asides, (kind, text)))
    return found


def speak_aside(visitor: Visitor, words: Sequence[str]) -> None:
    """Do what such a word says."""
    kind, text = asides(visitor.host.hall.registry)[words[0].lower()]
    if visitor.benches is None:
        visitor.benches = {}
    bench = visitor.benches.setdefault(kind, text.new_bench())
    visitor.send_lines(text.aside(words, bench, visitor.say))


def brought(visitor: Visitor, rules: AnyRules) -> attrs.AttrsInstance | None:
    """Give what a visitor brings to a game: what was made ready for it, or else what is usual."""
    bench = (visitor.benches or {}).get(rules.kind)
    ready = None if bench is None else bench.brought
    return sample(rules) if ready is None else ready
