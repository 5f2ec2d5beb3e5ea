"""The settings of a table of GOPS."""

from __future__ import annotations

from attrs import frozen

from gamecore.settings import setting

MOST_CARDS = 13


@frozen
class GopsOptions:
    """What a table of GOPS can choose (GOPS specification, section 1); times are in seconds."""

    cards: int = setting(MOST_CARDS, "cards in each suit, from the ace up", low=2, high=MOST_CARDS)
    ties: str = setting(
        "carry",
        "what becomes of the prizes after equal cards: they stay, or nobody gets them",
        choices={"carry": "they stay", "discard": "nobody gets them"},
    )
    order: str = setting(
        "shuffled",
        "the order in which the prizes come",
        choices={
            "shuffled": "by chance",
            "ascending": "from the lowest up",
            "descending": "from the highest down",
        },
    )
    seconds: int = setting(300, "seconds to lay a card", low=1, high=86_400)
