"""Games that are over, move by move, with all hands; and what a reader needs to deal again."""

from __future__ import annotations

import json
import re
from functools import cache, partial
from html import unescape

import pytest

from gamecore.fairness import Deal, commitment
from gamecore.rules import installed_rules
from protocols.host import records
from protocols.web import replay_steps
from tests.protocols.web.conftest import House, Party, part

KINDS = [each.kind for each in installed_rules()]


def checked(answer):
    """Read what the page gives its reader to deal again."""
    found = dict(re.findall(r'data-(\w+)="([^"]*)"', answer.text.partition('id="check"')[2]))
    return {name: unescape(text) for name, text in found.items()}


def play_to_its_end(party, kind, *names, **form):
    """Play a game until it is over, or abandon it behind 40 moves."""
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


@pytest.fixture
def ended(party):
    """A game that is over, in a house where everybody might look on."""
    return partial(play_to_its_end, party)


@pytest.fixture(scope="module")
def archive():
    """Give a game of a kind that is over, the same to all who only read it."""
    house = House()
    give = cache(lambda kind: play_to_its_end(partial(Party, house), kind))
    yield give
    house.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_shown_move_by_move_from_its_beginning_to_its_end(archive, kind):
    table = archive(kind)
    reader = table.house.browser()
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
def test_all_hands_are_seen(archive, kind):
    table = archive(kind)
    answer = table.house.browser().get(f"/replay/{table.code}?at=2")
    for name in ("Ann", "Ben"):
        assert f"What {name} held" in answer.text


def test_the_health_of_castles_is_drawn_as_it_was(archive):
    table = archive("castle")
    page = table.house.browser().get(f"/replay/{table.code}?game=1&at=9")
    assert re.findall(r'<progress value="(\d+)" max="80"', page.text) == ["80", "80"]


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_reads_it_can_deal_again(archive, kind):
    table = archive(kind)
    given = checked(table.house.browser().get(f"/replay/{table.code}"))
    assert commitment(given["code"], int(given["game"]), given["seed"]) == given["promise"]
    deal = Deal(given["seed"], json.loads(given["words"]))
    shuffles = json.loads(given["shuffles"])
    assert bool(shuffles) == (kind != "nim")
    assert all("(" not in each for each in json.loads(given["cards"])), "cards are named"
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


def counted(monkeypatch, module, name):
    """Count the calls of a function."""
    calls, real = [], getattr(module, name)
    monkeypatch.setattr(module, name, lambda *given: calls.append(name) or real(*given))
    return calls


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_read_once_for_all_its_moments_and_each_is_drawn_as_by_itself(
    ended, house, monkeypatch, kind
):
    table = ended(kind)
    written = counted(monkeypatch, records, "write_ended")
    played = counted(monkeypatch, replay_steps, "play")
    reader = house.browser()

    def at(number):
        return reader.get(f"/replay/{table.code}?game=1&at={number}").text

    last = int(re.search(r"<b>1 of (\d+)</b>", at(1))[1])
    middle = last // 2
    pages = {number: at(number) for number in (1, 2, middle, last)}
    assert (len(written), len(played)) == (1, 2), "to see what was dealt, and to be shown"
    assert {number: at(number) for number in reversed(pages)} == pages
    assert (len(written), len(played)) == (1, 2), "what was drawn is kept"
    at(middle - 1)
    assert (len(written), len(played)) == (1, 3), "from the beginning, to what lies behind"
    for number, page in pages.items():
        house.host._records._lately = records._LatelyRead()
        assert at(number) == page


def test_a_table_that_went_on_is_read_again(ended, house, monkeypatch):
    table = ended("gops")
    written = counted(monkeypatch, records, "write_ended")
    reader = house.browser()
    assert not reader.get(f"/replay/{table.code}").shows("Games of this table")
    table.wish("rematch")
    table.start()
    while table.table.stage.value == "playing":
        table.move()
    assert checked(reader.get(f"/replay/{table.code}"))["game"] == "2"
    assert len(written) == 2


def test_few_moments_are_kept_of_a_game_and_few_games(ended, house, monkeypatch):
    monkeypatch.setattr(replay_steps, "MOST_DRAWN", 3)
    monkeypatch.setattr(records, "MOST_READ", 1)
    tables = [ended("gops"), ended("gops")]
    reader = house.browser()
    for table in tables:
        for number in range(1, 9):
            assert reader.get(f"/replay/{table.code}?game=1&at={number}").status == 200
    ((_, record),) = house.host._records._lately._records.values()
    (replay,) = record._made.values()
    assert list(replay._drawn) == [6, 7, 8]
