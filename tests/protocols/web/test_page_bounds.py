"""What the pages weigh: all that a browser asks for to draw each of them, and its cards."""

from __future__ import annotations

import re

import pytest

from gamecore.rules import installed_rules
from protocols.i18n.translate import languages
from protocols.web.static_files import FILES, sprite_of

KINDS = [each.kind for each in installed_rules()]
LARGEST_PAGE, LARGEST_CARDS = 100_000, 60_000  # bytes, as they are unpacked
_FILE = re.compile(r'(?:href|src)="/static/[0-9a-f]+/([^"#]+)')


def weigh(answer):
    """Weigh a page with all that it asks for, but for the cards."""
    assert answer.status == 200
    asked = {each for each in _FILE.findall(answer.text) if not each.startswith("c-")}
    assert asked >= {"parlour.css", "parlour.js"}
    return len(answer.text.encode()) + sum(len(FILES[each].body) for each in asked)


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_of_a_game_weighs_more_than_it_may(party, house, kind):
    many = {"game.players": 8} if kind in ("pass123", "rikiki") else {}
    table = party(*(f"Player {n}" for n in range(8 if many else 2)), kind=kind, **many)
    table.come().start()
    while table.table.stage.value == "playing" and table.table.sequence < 60:
        table.move()
    table.wish("abandon")
    reader = house.browser()
    seat = table.players["Player 0"]
    pages = [
        *(seat.get(address) for address in (seat.at, f"{seat.at}replay")),
        *(reader.get(f"/{each}") for each in (f"t/{table.code}/", f"rules/{kind}", f"open/{kind}")),
        reader.get("/"),
        table.organizer.get(table.page),
    ]
    assert max(map(weigh, pages)) < LARGEST_PAGE


def test_no_cards_weigh_more_than_they_may():
    sizes = {each: len(FILES[sprite_of(each)].body) for each in languages()}
    assert len(sizes) >= 2
    assert max(sizes.values()) < LARGEST_CARDS, sizes
