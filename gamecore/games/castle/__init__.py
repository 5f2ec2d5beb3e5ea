"""Castle Wars: a duel of two decks, castles, soldiers, mages, tricksters and decrees.

The rules are those of the Castle Wars specification, section 1.  Cards are data (``cards.json``) with a schema in
``effect_schema``, ``operations`` and ``card_definitions``.  Whatever is done is a list of small steps (``core``,
``engine``) that other modules know how to do: ``abilities``, ``answering``, ``castles``, ``dealing``,
``destroying``, ``discarding``, ``entering``, ``targeting`` and ``turns``.
"""

from gamecore.games.castle.decks import CARDS, SAMPLE_DECKS, Deck
from gamecore.games.castle.options import CastleOptions
from gamecore.games.castle.position import CastlePosition
from gamecore.games.castle.rules import RULES
from gamecore.games.castle.view import CastleView

__all__ = [
    "CARDS",
    "RULES",
    "SAMPLE_DECKS",
    "CastleOptions",
    "CastlePosition",
    "CastleView",
    "Deck",
]
