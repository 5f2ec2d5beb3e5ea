"""The button that asks what one might play, in every game, with and without script."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from gamecore.rules import NextRound, installed_rules
from protocols.host.thinking import NotThought
from protocols.i18n.game_text import find_text
from protocols.testing import Ponder
from tests.protocols.web.conftest import read_answer

KINDS = [each.kind for each in installed_rules()]


@pytest.fixture
def ponder(house):
    house.host.service.thinking = Ponder()
    return house.host.service.thinking


def sit_down(house, kind="nim", **given):
    """Play against bots, to where there is something to choose."""
    card = house.host.open(kind, "", {}, {"start": "asked", **given})
    house.settle()
    browser = house.browser()
    browser.get(f"/t/{card.code}/")
    browser.post(f"/t/{card.code}/sit", name="Ann")
    table = house.hall.find(card.code)
    while len(table.seated()) < min(table.rules.seats):
        browser.post(f"{browser.at}wish", wish="bot", level="random")
    browser.post(f"{browser.at}wish", wish="start")
    for _ in range(200):
        moves = table.legal_moves(0)
        if len(moves) > 1 and NextRound() not in moves:
            break
        if moves:
            live = house.host.service.live.find(card.code)
            house.host.submit(live.holder(table.player(0)), moves[0])
        house.settle()
    browser.get(browser.at)
    return browser, table


def ask(browser, ponder, move):
    """Press the button, and let a move be found."""
    form = urlencode({"csrf": browser.csrf, "hint": "yes"}).encode()
    wire = browser.request("POST", f"{browser.at}hint", form, {"Accept": "application/json"})
    if isinstance(move, Exception):
        ponder.of(0)[-1].errback(move)
    else:
        ponder.of(0)[-1].callback(move)
    browser.house.settle()
    return json.loads(read_answer(wire.value()).text)


@pytest.mark.parametrize("kind", KINDS)
def test_one_who_plays_against_bots_is_told_what_to_play(house, ponder, kind):
    browser, table = sit_down(house, kind)
    assert "What might I play?" in browser.page.text
    move = table.legal_moves(0)[-1]
    typed = find_text(kind).typed(move, table.seen_by(0, 0.0).board)
    assert ask(browser, ponder, move) == {"said": f"You might play: {typed}", "to": ""}


def test_a_page_without_script_shows_it(house, ponder):
    browser, table = sit_down(house)
    form = urlencode({"csrf": browser.csrf, "hint": "yes"}).encode()
    wire = browser.request("POST", f"{browser.at}hint", form)
    ponder.of(0)[-1].callback(table.legal_moves(0)[1])
    house.settle()
    answer = read_answer(wire.value())
    assert answer.status == 200
    assert answer.shows("You might play: 2")


def test_that_nobody_could_think_is_said(house, ponder):
    browser, _ = sit_down(house)
    assert ask(browser, ponder, NotThought())["said"].startswith("Nobody could think about that")


def test_where_no_hints_are_given_there_is_no_button_and_a_press_is_refused(house, ponder):
    browser, _ = sit_down(house, hints="nobody")
    assert "What might I play?" not in browser.page.text
    assert browser.post(f"{browser.at}hint").shows("No hints are given at this table.")
    assert ponder.asked == []


def test_a_press_from_elsewhere_is_none_of_ours(house, ponder):
    browser, _ = sit_down(house)
    assert browser.send(f"{browser.at}hint", csrf="0" * 32).status == 403
    assert house.browser().post(f"{browser.at}hint").status == 403
    assert ponder.asked == []
