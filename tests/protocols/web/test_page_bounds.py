"""What the pages weigh: all that a browser asks for to draw each of them, and its cards."""

from __future__ import annotations

import json
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


@pytest.mark.parametrize("kind", KINDS)
def test_a_phone_can_keep_every_page_as_a_thing_of_its_own(house, kind):
    """By a manifest that names where it begins and what it looks like; it asks nobody else for anything."""
    browser = house.browser()
    browser.get("/")
    pages = [browser.page, browser.get(f"/rules/{kind}"), browser.get("/nothing/")]
    browser.get("/")
    pages.append(browser.post("/play", game=kind, name="Ann"))
    addresses = {re.search(r'rel="manifest" href="([^"]+)"', each.text)[1] for each in pages}
    assert len(addresses) == 1
    answer = browser.get(addresses.pop())
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = json.loads(answer.text)
    assert (manifest["name"], manifest["display"]) == ("Parlour", "standalone")
    assert {manifest["start_url"], manifest["scope"], manifest["id"]} == {"/"}
    assert {each["purpose"] for each in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        assert FILES[icon["src"]].kind == icon["type"]
