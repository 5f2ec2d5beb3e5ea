"""Games that the original server and its clients played, played again card by card."""

from __future__ import annotations

import pytest

from gamecore.games.gops import RULES, Bid, GopsOptions, Revealed
from gamecore.rules import Seat
from tests.recorded import files, read

VALUES = {"A": 1, "J": 11, "Q": 12, "K": 13, **{str(n): n for n in range(2, 11)}}


class Stacked:
    """A deal that gives the cards in the order wanted."""

    def __init__(self, cards):
        self.cards = cards

    def shuffle(self, label, pack):
        assert sorted(pack) == sorted(self.cards)
        return list(self.cards)


def games():
    for path in files("gops"):
        for number, game in enumerate(read(path)[0]["games"]):
            yield pytest.param(game, id=f"{path.stem}-{number}")


def test_every_recorded_game_is_here():
    assert len(list(games())) == 5


@pytest.mark.parametrize("game", list(games()))
def test_a_recorded_game_comes_out_as_it_did(game):
    order, heard = [VALUES[card[:-1]] for card in game["draw_order"]], []
    position = RULES.begin([Seat("a"), Seat("b")], GopsOptions(), Stacked(order), heard.append, 0.0)
    for first, second in zip(game["moves_client0"], game["moves_client1"], strict=True):
        position.play(1, Bid(second), 0.0)
        position.play(0, Bid(first), 0.0)
    assert [each.prize for each in heard if isinstance(each, Revealed)] == order
    assert list(position.outcome.scores) == game["final_points"]
