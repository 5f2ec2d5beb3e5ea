"""Every wire speaks for who comes by it, and a leak in what it says, or in the log, would be seen."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from gamecore.rules import installed_rules
from protocols.host.door import installed_doors
from protocols.testing.guest import Way, ways
from protocols.testing.secrecy.byte_pairs import Pair, Result
from protocols.testing.secrecy.pairs import Leak
from tests.secrecy import leaky_doors, sealed
from tests.secrecy.leaky_doors import door_of
from tests.secrecy.wires import WIRES

GAMES = {rules.kind: rules for rules in installed_rules()}
DOORS = {door.kind: door for door in installed_doors()}


def looking_on(kind: str) -> Sequence[Way]:
    return [each for each in ways(kind, GAMES, DOORS.values(), WIRES) if each.wire.watch]


WAYS = [
    way
    for kind in GAMES
    for way in ways(kind, GAMES, DOORS.values(), WIRES)
    if way.wire.sit is not None
]


@pytest.mark.parametrize("kind", DOORS)
def test_every_door_is_looked_at(kind):
    assert WIRES.get(kind), (
        f"say in tests/secrecy/wires.py how a client of the door {kind!r} comes in"
    )


# -- it is not idle -------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_wire_speaks_for_its_player(way):
    pair = Pair.open(GAMES[way.game], Random(5), way, looking_on(way.game)[0])
    pair.look_on()
    house, seat = pair.one, pair.viewer
    guest, watcher = house.guests
    while seat not in house.playing.to_move():
        other = min(house.playing.to_move())
        pair.play(house, other, house.playing.legal_moves(other)[0])
    count = len(house.playing.heard)
    pair.play(house, seat, house.playing.legal_moves(seat)[0])
    assert len(house.playing.heard) > count, "the move did not arrive"
    assert guest.bytes_sent() and watcher.bytes_sent()
    for ask in guest.wire.asks:
        said = guest.bytes_sent()
        guest.say(ask)
        assert guest.bytes_sent() != said, f"nothing answers {ask}"


@pytest.mark.parametrize("way", [way for way in WAYS if way.wire.back], ids=str)
def test_every_wire_brings_its_player_back(way):
    pair = Pair.open(GAMES[way.game], Random(6), way, looking_on(way.game)[0])
    said = pair.one.guests[0].bytes_sent()
    pair.return_by_token()
    assert pair.result.returned and not pair.one.guests[0].gone
    assert pair.one.guests[0].bytes_sent() != said


# -- it bites -------------------------------------------------------------------------

JSON = Way("sealed", DOORS["json"], WIRES["json"][0])
LOBBY = Way("sealed", DOORS["lobby"], WIRES["lobby"][0])
PLAIN = Way("sealed", door_of(leaky_doors.Plain), leaky_doors.WIRE)


def search(position, visit: Way, player: bool, seeds: int = 100) -> list[Result]:
    """Check many pairs of the sealed game, one visit playing or looking on."""
    rules = sealed.SealedRules(position)
    visits = (visit, PLAIN) if player else (None, visit)
    return [Pair.open(rules, Random(seed), *visits).check() for seed in range(seeds)]


@pytest.mark.parametrize("position", [sealed.Sealed, sealed.Musing])
@pytest.mark.parametrize("player", [True, False], ids=["playing", "looking-on"])
@pytest.mark.parametrize("visit", [JSON, LOBBY, PLAIN], ids=str)
def test_doors_that_keep_secrets_pass(position, player, visit):
    results = search(position, visit, player, seeds=12)
    assert sum(each.drew for each in results) > 5
    assert sum(each.steps for each in results) > 5


@pytest.mark.parametrize(
    "leaky", [*sealed.LEAKY, sealed.LeakyLog], ids=lambda leaky: leaky.__name__
)
def test_a_leak_of_a_game_is_seen_in_the_bytes(leaky):
    with pytest.raises(Leak):
        search(leaky, JSON, player=True)


@pytest.mark.parametrize("player", [True, False], ids=["playing", "looking-on"])
@pytest.mark.parametrize(
    "leaky",
    [
        leaky_doors.LongLines,
        leaky_doors.ManyWrites,
        leaky_doors.LateLines,
        leaky_doors.Numbers,
        leaky_doors.LeakyLook,
        leaky_doors.Gossip,
    ],
    ids=lambda leaky: leaky.__name__,
)
def test_a_leak_of_a_door_is_seen_in_the_bytes(leaky, player):
    with pytest.raises(Leak):
        search(sealed.Musing, Way("sealed", door_of(leaky), leaky_doors.WIRE), player)
