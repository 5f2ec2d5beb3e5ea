"""Games that the original server and its clients played, played again move by move."""

from __future__ import annotations

import json

import pytest

from gamecore.fairness import Deal
from gamecore.games.nim import RULES, Faulted, NimOptions, Take, Taken
from gamecore.rules import Seat
from tests import recorded

RECORDED = recorded.files("nim")
REASONS = {
    "exceeded time limit": "time",
    "moved out of turn": "turn",
    "made an illegal move": "take",
    "used too many resets": "reset",
    "won the game! Congrats!": "last-stone",
}


def read(path):
    """Give the settings, the seat of each client, the moves, and the state after each move."""
    meta, messages = recorded.read(path)
    order = {client: player["order"] for client, player in meta["players"].items()}
    names = {player["order"]: player["name"] for player in meta["players"].values()}
    told = [json.loads(each["data"]) for each in messages if each["to"] == "client0"]
    return meta, order, names, [state for state in told if "finished" in state]


def test_every_recorded_game_is_here():
    assert len(RECORDED) == 13


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_game_comes_out_as_it_did(path):
    meta, order, names, states = read(path)
    given, heard, now = meta["settings"], [], 0.0
    options = NimOptions(
        given["init_stones"],
        given["init_resets"],
        given["init_max"],
        given["game_time"],
        lazy_clock=True,
    )
    seats = [Seat(names[0]), Seat(names[1])]
    position = RULES.begin(seats, options, Deal("00" * 32), heard.append, now)
    assert len(states) == len(meta["moves"])
    used = {0: 0.0, 1: 0.0}
    for (client, stones, reset), state in zip(meta["moves"], states, strict=True):
        seat = order[client]
        total = state[f"player_{seat}"]["time_taken"]
        now, used[seat] = now + total - used[seat], total
        position.play(seat, Take(stones, reset), now)
        event = next(each for each in reversed(heard) if isinstance(each, Taken | Faulted))
        shown = {
            "finished": position.outcome is not None,
            "current_max": event.board.limit,
            "stones_left": event.board.left,
            "stones_removed": event.stones,
            "reset_used": event.reset,
            "resets": event.board.resets,
        }
        resets = tuple(state[f"player_{each}"]["resets_left"] for each in (0, 1))
        assert shown == {name: state.get(name, resets) for name in shown}
        assert event.board.used == pytest.approx((used[0], used[1]))
        assert position.seen_by(None).board == event.board
    reason = states[-1]["reason"].removeprefix(f"Player {names[seat]} ")
    assert position.outcome.reason == REASONS[reason]
    assert [names[each] for each in position.outcome.winners] == [states[-1]["winner"]]
