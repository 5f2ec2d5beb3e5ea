"""Games that are over, move by move, with all hands; and what a reader needs to deal again."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from gamecore.fairness import Deal, commitment
from gamecore.rules import installed_rules
from tests.protocols.web.conftest import part

KINDS = [each.kind for each in installed_rules()]


def checked(answer):
    """Read what the page gives its reader to deal again."""
    found = dict(re.findall(r'data-(\w+)="([^"]*)"', answer.text.partition('id="check"')[2]))
    return {name: unescape(text) for name, text in found.items()}


@pytest.fixture
def ended(party):
    """A game that is over, in a house where everybody might look on."""

    def play(kind, *names, **form):
        table = party(*(names or ("Ann", "Ben")), kind=kind, **form).come().start()
        for _ in range(40):
            if table.table.stage.value != "playing":
                break
            table.move()
        else:
            table.wish("abandon")
        while table.table.stage.value == "between-rounds":
            table.wish("next")
            while table.table.stage.value == "playing":
                table.move()
        return table

    return play


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_shown_move_by_move_from_its_beginning_to_its_end(ended, house, kind):
    table = ended(kind)
    reader = house.browser()
    answer = reader.get(f"/replay/{table.code}")
    assert answer.status == 200, answer.words
    last = int(re.search(r"<b>1 of (\d+)</b>", answer.text)[1])
    assert last > 3
    pages = {answer.words}
    for at in (2, last // 2, last):
        answer = reader.get(f"/replay/{table.code}?game=1&at={at}")
        assert answer.shows(f"{at} of {last}")
        assert len(set(re.findall(r'\bid="([^"]+)"', answer.text))) == len(
            re.findall(r'\bid="([^"]+)"', answer.text)
        ), "no id stands twice"
        pages.add(answer.words)
    assert len(pages) == 4
    assert reader.get(f"/replay/{table.code}?at=99999").shows(f"{last} of {last}")
    assert reader.get(f"/replay/{table.code}?at=x&game=-1").status == 200


@pytest.mark.parametrize("kind", ["gops", "rikiki", "pass123", "castle"])
def test_all_hands_are_seen(ended, house, kind):
    table = ended(kind)
    answer = house.browser().get(f"/replay/{table.code}?at=2")
    for name in ("Ann", "Ben"):
        assert f"What {name} held" in answer.text


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_reads_it_can_deal_again(ended, house, kind):
    table = ended(kind)
    given = checked(house.browser().get(f"/replay/{table.code}"))
    assert commitment(given["code"], int(given["game"]), given["seed"]) == given["promise"]
    deal = Deal(given["seed"], json.loads(given["words"]))
    shuffles = json.loads(given["shuffles"])
    assert bool(shuffles) == (kind != "nim")
    for label, use, pack, cards in shuffles:
        dealt = deal.shuffle(label, pack)
        assert deal._used[label] == use
        assert dealt == cards


def test_a_game_that_is_played_is_shown_to_nobody(party, house):
    table = party("Ann", "Ben", kind="gops").come().start()
    table.move()
    answer = house.browser().get(f"/replay/{table.code}")
    assert (answer.status, answer.shows("No game that is over")) == (404, True)
    ann = table.players["Ann"]
    assert ann.get(f"{ann.at}replay").status == 404
    assert 'id="replay"' not in part(ann.get(ann.at.removesuffix("replay")).text, "dock")


def test_a_private_game_is_shown_to_those_who_were_there_alone(ended, house):
    table = ended("gops", **{"house.private": "yes"})
    assert house.browser().get(f"/replay/{table.code}").status == 404
    ann = table.players["Ann"]
    assert 'href="replay"' in part(ann.get(ann.at).text, "dock")
    assert ann.get(f"{ann.at}replay").shows("played again")
    assert table.organizer.get(f"{table.page}replay").shows("played again")
    stranger = house.browser()
    assert stranger.get(f"{table.page}replay").status == 403


def test_each_game_of_a_table_is_shown_by_its_number(ended, house):
    table = ended("gops")
    table.wish("rematch")
    table.start()
    while table.table.stage.value == "playing":
        table.move()
    reader = house.browser()
    first, second = (reader.get(f"/replay/{table.code}?game={n}") for n in (1, 2))
    assert checked(first)["seed"] != checked(second)["seed"]
    assert checked(reader.get(f"/replay/{table.code}"))["game"] == "2"
    assert reader.get(f"/replay/{table.code}?game=3").status == 404


def test_who_looks_on_is_led_to_the_game_that_is_over(ended, house):
    table = ended("nim")
    watcher = house.browser()
    assert 'href="replay"' in watcher.get(f"/t/{table.code}/").text
    assert watcher.get(f"/t/{table.code}/replay").shows("played again")
