"""What an organizer says over JSON: how many cards the next round deals, and that it begins."""

from __future__ import annotations

import pytest


def choose(cards):
    return {"is": "ChooseCards", "cards": cards}


@pytest.fixture
def paused(house):
    """Give two players of Rikiki between rounds, and an organizer if the table has one."""

    def bring(owner):
        options = {"players": 2, "first": 2}
        opened = house.host.open("rikiki", "", options, {}, "secret" if owner else None)
        table = house.host.hall.find(opened.code)
        players = [house.connect(name) for name in ("ann", "ben")]
        for each in players:
            assert each.ask("join", table=table.code)["ok"]
        while table.stage.value == "playing":
            (seat,) = table.awaited()
            moves = players[seat].of("moves")[-1]["moves"]
            assert players[seat].ask("play", move=moves[0])["ok"]
        organizer = house.connect("olga")
        if owner:
            assert organizer.ask("return", token=f"{table.code}.secret")["ok"]
        return organizer, players

    return bring


def test_an_organizer_without_a_seat_chooses_the_cards_and_begins_the_round(paused):
    organizer, players = paused(owner=True)
    assert organizer.of("view")[-1]["view"]["board"]["next_cards"] == 1
    assert players[0].ask("play", move=choose(3))["error"] == "not-organizer"
    assert organizer.ask("play", move=choose(99))["error"] == "cards-range"
    assert organizer.ask("play", move=choose(3))["ok"]
    assert organizer.ask("play", move={"is": "NextRound"})["ok"]
    events = players[1].of("event")
    assert [each["cards"] for each in events if each["event"] == "CardsChosen"] == [3]
    assert [each["cards"] for each in events if each["event"] == "Dealt"] == [3]
    assert organizer.ask("play", move={"is": "Bid", "tricks": 0})["error"] == "not-seated"


def test_where_nobody_organizes_a_player_says_it_and_it_counts_as_no_move(paused):
    _, (ann, ben) = paused(owner=False)
    assert ben.ask("play", move=choose(4))["ok"]
    assert ann.ask("play", move={"is": "NextRound"})["ok"]
    assert ann.of("event")[-1]["event"] in ("Awaited", "Asked")
    assert [each["cards"] for each in ben.of("event") if each["event"] == "Dealt"] == [4]
