"""Castle Wars: a duel of two decks, castles, soldiers, mages, tricksters and decrees.

Cards are data (``cards.json``) read into a vocabulary (``words``); whatever is done is a list of small steps
(``core``, ``engine``) that other modules know how to do: ``dealing``, ``abilities``, ``castles``, ``destroying``,
``playing``, ``striking``, ``answering`` and ``acting``.
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
