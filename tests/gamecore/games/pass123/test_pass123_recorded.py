"""Games that the original server and its clients played, played again code by code."""

from __future__ import annotations

import pytest

from gamecore.cards import read_card
from gamecore.errors import Refused
from gamecore.games.pass123 import Finish, Pass, PassOptions, PassPosition, Tap, begin_with
from tests.recorded import files, read

RECORDED = files("pass123")


def move_of(text):
    match text.upper():
        case "F":
            return Finish()
        case "T":
            return Tap()
        case code:
            return Pass(read_card(code))


def board_in(text):
    """Read the places and the hand that a board shows."""
    rows = text.split("\n")
    return tuple(map(int, rows[2].split())), tuple(map(read_card, rows[6].split()))


def test_every_recorded_game_is_here():
    assert [path.stem for path in RECORDED] == ["2p", "2p_errors", "3p", "4p"]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_game_comes_out_as_it_did(path):
    meta, messages = read(path)
    hands = [tuple(map(read_card, hand)) for hand in meta["hands"].values()]
    core = begin_with(tuple(hands), PassOptions(direction="down"), lambda event: None, 0.0)
    position = PassPosition(core)
    last = {}
    for number, message in enumerate(messages, 1):
        if message["to"] != "server":
            if message["data"].startswith("Quit|"):
                last[message["to"]] = board_in(message["data"])
            continue
        if message["data"] in ("QUIT", "P12D"):  # the seed's form is read by the wire
            continue
        seat = int(message["from"].removeprefix("client"))
        reply = next(each["data"] for each in messages[number:] if each["to"] == message["from"])
        try:
            position.play(seat, move_of(message["data"]), 0.0)
            assert reply.startswith("True|")
        except (Refused, ValueError):
            assert reply.startswith("False|")
    assert len(last) == len(hands)
    for client, (places, hand) in last.items():
        assert position.outcome.places == places
        assert position.seen_by(int(client[-1])).hand == hand
