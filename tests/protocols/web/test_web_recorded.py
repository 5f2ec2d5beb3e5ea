"""The recorded game of the original, played again on our pages.

What agrees: every bid, card and press of the whole game is taken in the same order, and what each person saw (own
cards, trump, sum of bids, whose turn, the table, who took the trick, what may be played, all bids and tricks, the
results) is on our pages.  What differs, on purpose:

* the secrets are in cookies, not in addresses and forms, so addresses differ, and forms carry a token;
* forms are answered with 303 (or a page that says why not), not with JSON; nothing is polled;
* players sit round the table in the order of the seats in all rounds, not in that of the bids, and the viewer's own
  bid and tricks stand below with the hand;
* the hand is sorted from the lowest card up within a suit;
* after the last round the game is over by itself, so the 33rd press has nothing left to do;
* a press that comes late is sent to the page instead of answered ok;
* a wrong secret never reaches 500: bids and cards that are none are refused with a reason.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gamecore.cards import PACK, Card, read_card
from gamecore.codec import plain
from gamecore.fairness import Deal
from gamecore.games.rikiki import Bid, PlayCard
from gamecore.rules import NextRound
from tests.protocols.web.conftest import cards_in, part

HERE = Path(__file__).parent
FILES = {
    "http_game": HERE / "recorded" / "http_game.jsonl",
    "http_errors": HERE / "recorded" / "http_errors.jsonl",
    "game_rounds": HERE.parents[1] / "wire" / "rikiki" / "game_rounds.jsonl",
}


def vectors(name: str) -> list[dict]:
    return [json.loads(line) for line in FILES[name].read_text().splitlines()]


def card(number: int) -> Card:
    return PACK[number]


def shown_in(text: str) -> list[Card]:
    return [read_card(each.replace("T", "10")) for each in cards_in(text)]


@pytest.fixture
def dealt(monkeypatch):
    """Let every round deal what was dealt then."""
    rounds = iter(vectors("game_rounds"))

    def shuffle(self, label, pack):
        dealt = next(rounds)
        cards = [card(n) for name in dealt["order"] for n in dealt["hands"][name]]
        if dealt["trump"] is not None:
            cards.append(card(dealt["trump"]))
        return [*cards, *(each for each in pack if each not in cards)]

    monkeypatch.setattr(Deal, "shuffle", shuffle)


def check_page(text: str, words: str, facts: dict, actor: str) -> None:
    """Compare a page with what was seen then."""
    board, felt, dock = part(text, "facts"), part(text, "felt"), part(text, "dock")
    if "hand" in facts:
        assert sorted(map(str, shown_in(part(text, "hand")))) == sorted(
            str(card(n)) for n in facts["hand"]
        )
    if "cards" in facts:
        assert re.search(rf"{facts['bids_total']} bid of \d+", board)
    trick = shown_in(felt)
    if "trump" in facts:
        if facts["trump"] is None:
            assert "No trump" in board
        elif not re.search('id="results"', felt):
            assert trick.pop() == card(facts["trump"])
    if "table" in facts:
        assert trick == [card(n) for n in facts["table"]]
    if "playable" in facts:
        moves = re.findall(r"name=\"move\" value='([^']+)'", part(text, "hand"))
        playable = [json.loads(each)["card"] for each in moves]
        assert sorted(each["rank"] + each["suit"] for each in playable) == sorted(
            str(card(n)) for n in facts["playable"]
        )
    if "trick_won_by" in facts and facts.get("says") == "playing":
        taken = re.search(r'class="lay [^"]* best">.*?<span class="by">(\w+)<', felt)
        assert taken[1] == facts["trick_won_by"]
    for person in facts["players"]:
        check_person(felt, dock, person, actor)
        for sign, key in (("-", "under"), ("+", "over")):
            if key in person and 'id="results"' in felt:
                won, bid = re.search(rf"{person['name']}</b> <span>(\d+) of (\d+)", felt).groups()
                assert (int(won) - int(bid)) * (1 if sign == "+" else -1) == person[key]


def check_person(felt: str, dock: str, person: dict, actor: str) -> None:
    if person["name"].lower() == actor:
        found = re.search(r"you: (\d+) of (\d+)", dock)
        numbers = [] if found is None else list(found.groups())
        if 'id="results"' in felt:
            return
        assert ("ask mine" in dock) == ("current_player" in person["css"])
    else:
        line = next(each for each in felt.split('<div id="seat-')[1:] if person["name"] in each)
        line = line.partition("</div>")[0]
        assert ("to move" in line) == ("current_player" in person["css"])
        numbers = re.findall(r"<b[^>]*>(\d+)</b>", line)
    if person.get("bid") is None:
        assert numbers == []
    else:
        assert numbers == [str(person.get("won", 0)), str(person["bid"])]


def test_the_recorded_game_is_played_again_on_our_pages(party, dealt):
    table = party(
        "Alice",
        "Bob",
        "Carol",
        **{"game.schedule": "down-up", "game.top_trump": "never", "game.scoring": "none"},
    ).come()
    browsers = {name.lower(): browser for name, browser in table.players.items()}
    rows = [row for row in vectors("http_game") if row["actor"] in browsers]
    begun = next(n for n, row in enumerate(rows) if row.get("facts", {}).get("says") == "bidding")
    table.start()
    taken = looked = 0
    for row in rows[begun:]:
        browser = browsers[row["actor"]]
        table.house.clock.advance(0.05)  # so many connections in no time are turned away
        facts = row.get("facts", {})
        if row["method"] == "POST":
            form = row.get("form", {})
            move = {
                "/player/place/bid/": lambda form=form: Bid(int(form["bidInput"])),
                "/player/play/card/": lambda form=form: PlayCard(card(int(form["card"]))),
                "/player/finish/round/": lambda form=form: NextRound(),
            }[row["path"]]()
            press = table.press if taken % 7 else table.play  # now and then on the page itself
            press(row["actor"].capitalize(), move)
            assert facts == {"ok": True}
            taken += 1
        elif facts.get("says") in ("bidding", "playing", "round_finished") and "players" in facts:
            if table.table.stage.value == "over" and facts["says"] == "playing":
                continue  # after the last press: it says that it plays on, with no cards
            answer = browser.get(browser.at)
            check_page(answer.text, answer.words, facts, row["actor"])
            assert browser.decision == table.house.decision_of(browser)
            looked += 1
    assert (taken, looked >= 70) == (99 + 915 + 38, True), (taken, looked)
    assert table.table.stage.value == "over"
    assert browsers["alice"].get(browsers["alice"].at).shows("The game is over")
    assert table.wish("rematch").shows("Who is here")
    assert table.table.names != ("Alice", "Bob", "Carol")
    assert set(table.table.names) == {"Alice", "Bob", "Carol"}


def test_seven_people_play_every_round_down_and_up(party):
    names = [f"p{n}" for n in range(7)]
    table = party(*names, **{"game.first": 2, "game.schedule": "down-up"}).come().start()
    rounds = 0
    while table.table.stage.value != "over":
        while table.table.stage.value == "playing":
            table.move()
        rounds += 1
        for name in names:
            assert table.play(name, NextRound()).status == 200
    assert rounds == 3
    assert table.organizer.get(table.page).shows("The game is over")


ANSWERS = {  # what we answer where the original answered with a status, or with the key of an error
    "ok": 303,
    "bid_out_of_range": 409,
    "out_of_turn_bid": 409,
    "out_of_turn_play": 409,
    "EMPTY_TEXT": 409,  # card not held, or suit not followed: with a sentence here
    "wrong_game_state": 303,  # a press out of time: on to the page
    404: 409,  # the wrong phase: with a sentence here
    500: 409,  # no number, no card: with a sentence here
}


def test_what_was_illegal_then_is_illegal_here_and_changes_nothing(party, monkeypatch):
    rows = [row for row in vectors("http_errors") if row.get("state", "").startswith("playing/")]
    hands = {
        row["actor"]: row["facts"]["hand"] for row in rows[::-1] if "hand" in row.get("facts", {})
    }
    first = {row["actor"]: row["facts"]["hand"] for row in rows if "hand" in row.get("facts", {})}
    assert len(hands["ann"]) == 26
    pack = [card(n) for n in (*hands["ann"], *hands["ben"])]
    assert {actor: len(hand) for actor, hand in first.items()} == {"ann": 25, "ben": 25}
    monkeypatch.setattr(Deal, "shuffle", lambda self, label, pack_: pack)
    table = party("Ann", "Ben", "Cat").come("Ann", "Ben").start()
    tried = 0
    for row in rows:
        browser = table.players.get(row["actor"].capitalize())
        if browser is None or row["method"] != "POST" or "confirm" in row["path"]:
            continue
        form = row.get("form", {})
        if "bid" in row["path"]:
            move: dict[str, object] = {"is": "Bid"}
            if "bidInput" in form:
                number = form["bidInput"]
                whole = re.fullmatch("-?[0-9]{1,9}", number)
                move["tricks"] = int(number) if whole else number
        elif "card" in row["path"]:
            number = form["card"]
            known = number.isdecimal() and int(number) < 52
            move = (
                plain(PlayCard(card(int(number)))) if known else {"is": "PlayCard", "card": number}
            )
        else:
            move = plain(NextRound())
        facts = row.get("facts") or {}
        then = "ok" if facts.get("ok") else facts.get("error", row["status"])
        browser.get(browser.at)
        sent = {"decision": browser.decision, "move": json.dumps(move)}
        answer = browser.send(f"{browser.at}move", **sent)
        assert answer.status == ANSWERS[then], row
        if answer.status != 303:
            assert re.search(r'id="said"[^>]* role="alert">[^<]{5,}', answer.text), row
        tried += 1
    assert tried == 27
    board = table.table.seen_by(None, 0.0).board
    assert board.bids == (26, 26), "no refused bid was kept"
    assert [len(trick.cards) for trick in board.tricks] == [2]
