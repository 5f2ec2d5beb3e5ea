"""What the pages know of Rikiki: the entry point of the group ``parlour.pages``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from gamecore.cards import read_card
from gamecore.errors import Refused
from gamecore.games.rikiki import Bid, PlayCard
from gamecore.rules import Move
from protocols.rikiki.pages.model import RikikiModel
from protocols.rikiki.pages.setup_form import REFUSALS, RikikiForm
from protocols.rikiki.text import TEXT
from protocols.web.game_pages import FormField

_NUMBER = re.compile(r"-?[0-9]{1,6}")


def _read_bid(field: FormField) -> Move:
    tricks = field("tricks").strip()
    if not _NUMBER.fullmatch(tricks):
        raise Refused("not-a-number")
    return Bid(int(tricks))


def _read_card(field: FormField) -> Move:
    given = field("card")[:20]
    try:
        return PlayCard(read_card(given))
    except ValueError:
        raise Refused("not-your-card", card=given) from None


class RikikiPages:
    """Rikiki in the browser."""

    package = "protocols.rikiki.pages"
    text = TEXT
    model = RikikiModel
    bot = "counting"
    moves: Mapping[str, Callable[[FormField], Move]] = {"bid": _read_bid, "play": _read_card}
    refusals = REFUSALS

    def form(self, field: FormField) -> RikikiForm:
        """Read the form for a new game."""
        return RikikiForm.of(field)


PAGES = RikikiPages()
