"""Pages of how games ended and who is the strongest, and what a table's page says of whether its game is rated."""

from __future__ import annotations

import csv
import io
import json

import pytest

from gamecore.contest.result import GameResult, SeatResult
from gamecore.games.nim import Take
from protocols.journal.results import written


def play(house, *games, why=None, left=False):
    """Let games of Nim have ended: of each the names or levels from the best to the worst."""
    results = [
        GameResult(
            f"{number} {why}",
            "" if why == "private" else "K7QX2",
            1,
            "nim",
            tuple(
                SeatResult(
                    each, None if why == "guest" else f"bot:{each}", place, left and place > 1
                )
                for place, each in enumerate(players, 1)
            ),
            why,
            "nim",
        )
        for number, players in enumerate(games)
    ]
    house.host.service.journal._results.put([written(each, 1e9) for each in results], 0.0)


def test_a_player_s_page_has_the_games_with_who_played_and_the_ratings(house):
    play(house, ("perfect", "random"), ("random", "perfect"))
    play(house, ("ann", "ben"), why="guest", left=True)
    browser = house.browser()
    page = browser.get("/players/perfect")
    assert page.status == 200 and page.shows("Expanding Nim : 1") and page.shows("after 2 games")
    assert page.words.count("2001-09-09 01:46 UTC · rated") == 2
    page = browser.get("/players/Ann")
    assert page.shows("not rated: a guest plays") and page.shows("1. ann , 2. ben has left")
    assert page.shows("Ann has no rating: only the levels of bots are rated so far.")
    assert 'href="/players/ben"' in page.text
    assert browser.get("/players/nobody").shows("No game of nobody has ended here.")


@pytest.mark.parametrize("name", ["a/b", "<b>x</b>", "50%", "ça va?", "a.json", "&", "#1"])
def test_a_name_of_any_letters_is_found_by_its_link(house, name):
    play(house, (name, "ben"), why="guest")
    browser = house.browser()
    page = browser.get("/players/ben")
    (link,) = [
        each.partition('"')[0]
        for each in page.text.split('href="')
        if each.startswith("/players/") and not each.startswith("/players/ben")
    ]
    assert "<b>" not in page.text.partition('class="row"')[2].replace("<b>Expanding Nim</b>", "")
    page = browser.get(link)
    assert page.status == 200 and page.shows(f"1. {name} , 2. ben")


def test_a_name_that_was_typed_leads_to_its_page(house):
    play(house, ("ann", "ben"), why="guest")
    browser = house.browser()
    assert browser.get("/players?name=ann").shows("1. ann , 2. ben")
    assert browser.at == "/players/ann"
    assert browser.ask("GET", "/players").status == browser.ask("GET", "/players?name=+").status
    assert browser.ask("GET", "/players").status == 404


def test_the_strongest_at_a_game_are_listed(house):
    play(house, *[("perfect", "random"), ("perfect", "random"), ("random", "perfect")] * 30)
    browser = house.browser()
    page = browser.get("/")
    assert 'href="/top/nim"' in page.text
    page = browser.get("/top/nim")
    assert page.shows("The strongest at Expanding Nim")
    assert page.words.index("perfect") < page.words.index("random")
    assert page.shows("after 90 games") and 'href="/players/perfect"' in page.text
    none = "Nobody has played enough rated games of Expanding Nim to be listed."
    assert browser.get("/top/nim?who=people").shows(none)
    assert browser.get("/top/nim?who=bots").shows("after 90 games")


@pytest.mark.parametrize("path", ["/top/chess", "/top/nim?who=cats"])
def test_what_there_is_not_is_refused_with_a_sentence(house, path):
    answer = house.browser().ask("GET", path)
    assert answer.status in (404, 409) and answer.shows("This does not go on")


def test_a_house_without_openskill_shows_games_and_says_how_to_get_ratings(house, monkeypatch):
    monkeypatch.setattr("protocols.host.ladder.can_rate", lambda: False)
    play(house, ("ann", "ben"), why="guest")
    browser = house.browser()
    assert browser.get("/players/ann").shows("1. ann , 2. ben")
    assert browser.get("/top/nim").shows("it has no openskill")


def test_the_pages_of_results_are_in_french(house):
    play(house, ("ann", "ben"), why="guest")
    browser = house.browser(language="fr")
    assert browser.get("/players/ann").shows("non classée : un invité joue")
    assert browser.get("/top/nim").shows("Les plus forts à Expanding Nim")


def test_a_table_s_page_says_whether_its_game_is_rated(house):
    browser = house.organizer()
    browser.get("/")
    assert browser.post("/play", game="nim", level="perfect").shows(
        "Game 1 is not rated: the table is private."
    )
    table = house.open("nim", {"stones": 2})
    watcher = house.browser()
    page = watcher.get(f"/t/{table.code}/?watch=yes")
    assert not page.shows("Game 1 is")
    for seat in (0, 1):
        house.sit(table, seat)
    house.start(table)
    assert watcher.get(f"/t/{table.code}/?watch=yes").shows("Game 1 is not rated: a guest plays.")
    house.move(table, 0, Take(2, False))
    assert watcher.get(f"/t/{table.code}/?watch=yes").shows("Game 1 is not rated: a guest plays.")


# -- as files


def test_what_a_player_s_page_shows_is_a_file_as_well(house):
    play(house, ("perfect", "=1+1", "ça"), why="guest", left=True)
    browser = house.browser()
    for kind in ("json", "csv"):
        assert f'href="?as={kind}"' in browser.get("/players/perfect").text
    told = browser.ask("GET", "/players/perfect?as=json")
    assert told.headers["content-type"] == "application/json"
    facts = json.loads(told.text)
    assert (facts["name"], facts["ratings"]) == ("perfect", {})
    (game,) = facts["results"]
    assert [each["name"] for each in game["seats"]] == ["perfect", "=1+1", "ça"]
    told = browser.ask("GET", "/players/perfect?as=csv")
    assert told.headers["content-type"] == "text/csv; charset=utf-8"
    first, *rows = csv.reader(io.StringIO(told.text))
    assert first == [
        "number",
        "table",
        "game",
        "ended",
        "rated",
        "why",
        "name",
        "bot",
        "place",
        "left",
    ]
    row = ["1", "K7QX2", "nim", "1000000000.0", "False", "guest"]
    assert rows == [
        [*row, "perfect", "", "1", "False"],
        [*row, "'=1+1", "", "2", "True"],
        [*row, "ça", "", "3", "True"],
    ]


def test_the_list_of_the_strongest_is_a_file_as_well(house):
    play(house, *[("perfect", "random"), ("perfect", "random"), ("random", "perfect")] * 30)
    browser = house.browser()
    assert 'href="?who=all&amp;as=csv"' in browser.get("/top/nim").text
    told = json.loads(browser.ask("GET", "/top/nim?who=bots&as=json").text)
    assert (told["game"], [each["name"] for each in told["top"]]) == ("nim", ["perfect", "random"])
    rows = list(csv.DictReader(io.StringIO(browser.ask("GET", "/top/nim?as=csv").text)))
    assert [(each["name"], each["games"]) for each in rows] == [("perfect", "90"), ("random", "90")]
    assert browser.ask("GET", "/top/nim?who=people&as=csv").text == ""


@pytest.mark.parametrize("page", ["/players/ann", "/top/nim"])
def test_a_file_of_another_kind_is_no_page(house, page):
    assert house.browser().ask("GET", f"{page}?as=xls").status == 404
