"""Moves: several at once, refused ones, and whose is awaited (C37, C38, C54)."""

from __future__ import annotations

import json
from itertools import permutations
from random import Random

import pytest

from gamecore.games.castle import moves as castle
from gamecore.rules import NextRound
from tests.cases.customs import GAMES, WAYS
from tests.cases.house import Guest, House
from tests.simulation.lobby_robot import typed

STEPS = 25
# What a client sends unasked, and what is answered for it where it sends nothing: no refusal of it is told.
UNTOLD = {("castle", "original"): (castle.Keep, castle.AllowAction)}


def spoken(way, move):
    """Say a move in the words of a wire; None if it has none."""
    said = way.wire.move(move)
    if said is None and way.door.kind == "lobby":
        said = typed(move)
    return None if said == "board" else said


def sitting_at(house, table, seat):
    return table.seen_by(seat, 0.0).board


# -- at once --------------------------------------------------------------------------


def at_once(game, order, seed=3):
    """Let everybody who is to move do so in one turn of the loop, in an order; gives what all are shown."""
    way = next(way for way in WAYS if way.game == game and way.door.kind == "json")
    with House() as house:
        guest, _, table = house.begin(way, players=max(2, len(order)))
        chance = Random(seed)
        moves = {seat: chance.choice(table.legal_moves(seat)) for seat in sorted(table.awaited())}
        watcher = Guest(
            house, next(w for w in WAYS if w.game == game and w.door.kind == "lobby"), table, None
        )
        watcher.come(watcher.wire.watch)
        before = table.sequence
        for seat in order:
            if seat == 0:
                guest.peer.say(guest.encoded(spoken(way, moves[0])))
            else:
                house.host.submit(house.face_in(table, seat), moves[seat])
        house.pass_time(1.0)
        accepted = table.sequence - before
        boards = [repr(sitting_at(house, table, seat)) for seat in (None, *range(len(order)))]
        replies = [json.loads(line) for line in guest.peer.got().splitlines()]
        assert {"reply": "move"}.items() <= [r for r in replies if "reply" in r][-1].items()
        assert not any("error" in reply for reply in replies)
        return accepted, boards


def together(game):
    """Say who is to move at once when a game begins."""
    way = next(way for way in WAYS if way.game == game and way.door.kind == "json")
    with House() as house:
        players = min(4, GAMES[game].seats[-1])
        _, _, table = house.begin(way, players=players)
        return sorted(table.awaited())


@pytest.mark.parametrize("game", GAMES)
def test_moves_in_one_turn_of_the_loop_are_all_taken_in_whatever_order(game):
    """C37: none is lost, and what comes of them is the same."""
    seats = together(game)
    if len(seats) < 2:
        pytest.skip("nobody moves at once in this game")
    results = [at_once(game, order) for order in permutations(seats)]
    assert {accepted for accepted, _ in results} == {len(seats)}
    assert all(boards == results[0][1] for _, boards in results)


# -- refused --------------------------------------------------------------------------


def unfit_moves(table, seat):
    """Find moves that the wire has words for and the seat may not make now."""
    mine = list(table.legal_moves(seat))
    others = [m for s in table.seated() if s != seat for m in table.legal_moves(s)]
    return [move for move in dict.fromkeys(others) if move not in mine][:3]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_who_is_refused_hears_of_it_once_and_nobody_else_at_all(way):
    """C38: and how things stand is the same after it."""
    if way.game == "nim" and way.door.kind != "lobby":
        pytest.skip("a move that is none loses in Nim, but in the lobby: by specification")
    with House() as house:
        guest, sitters, table = house.begin(way)
        watchers = [
            Guest(house, each, table, None)
            for each in WAYS
            if each.game == way.game and each.wire.watch
        ]
        for each in watchers:
            each.come(each.wire.watch)
        chance, tried = Random(5), 0
        for _ in range(STEPS):
            for move in unfit_moves(table, 0):
                tried += refuse(house, guest, sitters, watchers, table, move)
            if not house.play(table, chance, 1):
                break
        if not tried:
            pytest.skip("there are no words for a move that could be refused")


def close_notices(guest):
    """Close the boxes that only tell something, as people do: the next is shown behind that."""
    while boxes := [each for each in guest.peer.got().splitlines() if b"DIAG_OFFER" in each]:
        if json.loads(boxes[-1])["MSG"].endswith("?"):
            return
        guest.peer.forget()
        guest.say('{"COMMAND": "DIAG_RESP", "BOOL": true}')


def refuse(house, guest, sitters, watchers, table, move):
    said = spoken(guest.way, move)
    if said is None or (isinstance(move, NextRound)):
        return 0
    if guest.wire.name == "original":
        close_notices(guest)
    told = [len(sitter.heard) for sitter in sitters.values()]
    before = (
        table.sequence,
        [repr(sitting_at(house, table, seat)) for seat in sorted(table.seated())],
    )
    others = [guest.peer, *(watcher.peer for watcher in watchers)]
    for peer in others:
        peer.forget()
    house.pass_time(2.0)  # a budget of moves is no part of this
    for peer in others:
        peer.forget()
    guest.peer.say(guest.encoded(said))
    house.settle()
    house.pass_time(0.5)
    after = (
        table.sequence,
        [repr(sitting_at(house, table, seat)) for seat in sorted(table.seated())],
    )
    assert after == before, f"{move} changed something"
    assert [len(sitter.heard) for sitter in sitters.values()] == told
    assert all(watcher.peer.got() == b"" for watcher in watchers), move
    answer = guest.peer.got()
    if isinstance(move, UNTOLD.get((guest.way.door.kind, guest.wire.name), ())):
        assert answer == b"", f"{move} was answered"
        return 1
    assert answer, f"{move} was not answered"
    if guest.wire.name == "original":
        (box,) = [json.loads(line) for line in answer.splitlines()]
        assert box["COMMAND"] == "DIAG_OFFER" and box["MSG"]
    if guest.way.door.kind == "json":
        (reply,) = [json.loads(line) for line in answer.splitlines()]
        assert reply["reply"] == "move"
        assert reply["error"]
        assert reply["says"]
    return 1


# -- who is awaited -------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_it_is_always_said_whose_decision_is_awaited_and_until_when(game, seed):
    """C54: WHY in the lobby and the turn of JSON, for a player and for one who looks on, at every prompt."""
    by_door = {
        way.door.kind: way for way in reversed(WAYS) if way.game == game
    }  # the first, plain one
    with House() as house:
        lobby, _, table = house.begin(by_door["lobby"])
        program = Guest(house, by_door["json"], table, None)
        program.come(program.wire.watch)
        chance = Random(seed)
        for _ in range(STEPS):
            awaited = table.awaited()
            if not awaited:
                break
            lobby.peer.forget()
            lobby.say("WHY")
            why = lobby.peer.got().decode().partition(f"[{game} ")[0]  # without the line at its end
            for seat in awaited:
                name = "you" if seat == 0 else table.names[seat]
                assert f"Waiting for {name}" in why, why
            assert why.count("Waiting for") == len(awaited), why
            due = table.turn_of(None, 0.0).due
            assert all((seat in due) == ("without a time limit" not in why) for seat in awaited), (
                why
            )
            turn = [json.loads(line) for line in program.peer.got().splitlines()]
            turn = [each for each in turn if "turn" in each and "event" not in each][-1]
            assert sorted(turn["turn"]) == sorted(awaited), turn
            house.play(table, chance, 1)
