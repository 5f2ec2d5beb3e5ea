"""The form for a new game of Rikiki: who plays, with how many cards, and how."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import fields, frozen

from gamecore.cards import PACK
from gamecore.errors import Refused
from gamecore.games.rikiki.options import MOST_PLAYERS
from gamecore.settings import Value
from protocols.i18n.translate import N_
from protocols.web.game_pages import FormField
from protocols.web.name_list import LARGEST

REFUSALS: Mapping[str, str] = {
    "too-many-cards": N_(
        "There are not so many cards: with {players} players, at most {most} each."
    ),
}


@frozen
class RikikiForm:
    """What was filled in, as it was filled in."""

    names: str = ""
    title: str = ""
    first: str = ""
    more: str = "0"
    schedule: str = "down"
    hook: str = "off"
    top_trump: str = "if-left"
    scoring: str = "tricks10"
    seconds: str = "120"
    private: str = ""

    @staticmethod
    def of(field: FormField) -> RikikiForm:
        """Read it from what a browser sent; what is left empty is as it was proposed."""
        given = {each.name: field(each.name)[:LARGEST] for each in fields(RikikiForm)}
        return RikikiForm(**{name: text for name, text in given.items() if text.strip()})

    def options(self, names: int) -> dict[str, Value]:
        """Make the options of the game of it, for so many who are invited.

        Raises Refused ``too-many-names`` or ``too-many-cards``.
        """
        more = self.more.strip()
        players = names + (int(more) if more.isdecimal() and len(more) < 4 else 0)
        if players > MOST_PLAYERS:
            raise Refused("too-many-names", most=MOST_PLAYERS)
        first = self.first.strip() or "0"
        most = len(PACK) // players
        if first.isdecimal() and len(first) < 6 and int(first) > most:
            raise Refused("too-many-cards", players=players, most=most)
        return {
            "players": players,
            "first": first,
            "schedule": self.schedule,
            "hook": self.hook,
            "top_trump": self.top_trump,
            "scoring": self.scoring,
            "seconds": self.seconds.strip(),
        }

    def house(self) -> dict[str, Value]:
        """Make of it what the house asks of every table."""
        return {"private": bool(self.private)}
