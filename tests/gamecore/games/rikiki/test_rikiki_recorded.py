"""What the original did, done again: its schedules, a whole game, and six hundred tricks."""

from __future__ import annotations

from gamecore.games.rikiki import Bid, PlayCard, RikikiOptions, hand_sizes, turns_trump
from gamecore.games.rikiki.tricks import best, playable
from gamecore.rules import NextRound

EDITIONS = {
    "seed": RikikiOptions(),
    "later": RikikiOptions(schedule="down-up", top_trump="never"),
}


def test_fifty_schedules_are_those_of_the_original(vectors):
    schedules = vectors("schedules")
    assert len(schedules) == 50
    for each in schedules:
        options, players = EDITIONS[each["version"]], each["players"]
        sizes = hand_sizes(players, options)
        assert list(sizes) == each["cards"]
        assert len(sizes) == each["rounds"]
        turned = (turns_trump(size, players, options) for size in sizes)
        assert "".join("-T"[each] for each in turned) == each["trump"]


def test_the_first_seat_of_each_round_is_that_of_the_original(vectors, game):
    for each in vectors("schedules"):
        table = game(each["players"], first=min(each["max_cards"], len(each["first_seat"])))
        firsts = [table.view.order[0]]
        while len(firsts) < min(len(each["first_seat"]), each["max_cards"]):
            table.play_round()
            table.do(0, NextRound())
            firsts.append(table.view.order[0])
        assert firsts == each["first_seat"][: len(firsts)]


def test_six_hundred_tricks_have_the_same_legal_cards_and_winners(vectors, numbered):
    tricks = vectors("tricks")
    assert len(tricks) == 600
    for each in tricks:
        hands = [sorted(map(numbered, hand), key=str) for hand in each["hands"]]
        trump = None if each["trump"] is None else numbered(each["trump"]).suit
        table = list(map(numbered, each["table"]))
        for place, (hand, legal) in enumerate(zip(hands, each["legal"], strict=True)):
            allowed = set(playable(hand, table[0] if place else None))
            assert allowed == set(map(numbered, legal))
        assert best(table, trump) == each["winner"]


def test_a_recorded_game_of_33_rounds_comes_out_as_it_did(vectors, numbered, game, stacked):
    rounds = vectors("game_rounds")
    assert len(rounds) == 33
    packs = []
    for each in rounds:
        pack = [numbered(card) for name in each["order"] for card in each["hands"][name]]
        packs.append(pack if each["trump"] is None else [*pack, numbered(each["trump"])])
    names = rounds[0]["order"]
    seat_of = names.index
    table = game(3, deal=stacked(*packs), schedule="down-up", top_trump="never")
    for each in rounds:
        if each["round"] > 1:
            table.do(each["round"] % 3, NextRound())
        view = table.view
        assert [names[seat] for seat in view.order] == each["order"]
        assert (view.cards, view.turned) == (
            each["cards"],
            None if each["trump"] is None else numbered(each["trump"]),
        )
        for name in each["order"]:
            table.do(seat_of(name), Bid(each["bids"][name]))
        for trick in each["tricks"]:
            for name, card in trick["cards"]:
                table.do(seat_of(name), PlayCard(numbered(card)))
            assert names[table.view.tricks[-1].winner] == trick["winner"]
        assert dict(zip(names, table.view.won, strict=True)) == each["won"]
    assert table.position.outcome is not None
