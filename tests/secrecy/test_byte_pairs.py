"""No byte that anybody is sent, and no line of the log, follows from what they may not know; a leak is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.rules import installed_rules
from protocols.host.door import installed_doors
from tests.secrecy import leaky_doors, sealed
from tests.secrecy.byte_pairs import Pair, Result, Visit
from tests.secrecy.leaky_doors import door_of
from tests.secrecy.pairs import Leak
from tests.secrecy.wires import WIRES

GAMES = {rules.kind: rules for rules in installed_rules()}
DOORS = {door.kind: door for door in installed_doors()}
SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module", autouse=True)
def entry_points_read_once() -> Iterator[None]:
    """Spare each of some thousand visits a look at what is installed: most of the time otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("protocols.i18n.game_text.entry_points", cache(entry_points))
        yield


def wires_for(kind: str) -> Iterator[Visit]:
    """Give every way to come to a game: by its own door, and by those to the whole hall."""
    for door in DOORS.values():
        if door.kind == kind or door.kind not in GAMES:
            yield from ((door, wire) for wire in WIRES.get(door.kind, ()) if wire.plays(kind))


def seated(kind: str) -> Sequence[Visit]:
    return [each for each in wires_for(kind) if each[1].sit is not None]


def looking_on(kind: str) -> Sequence[Visit]:
    return [each for each in wires_for(kind) if each[1].watch is not None]


WAYS = [
    pytest.param(kind, visit, id=f"{kind}-{visit[0].kind}-{visit[1].name}")
    for kind in GAMES
    for visit in seated(kind)
]


def check(kind: str, visit: Visit | None, seed: int) -> Result:
    chance = Random(seed)
    watcher = chance.choice(looking_on(kind))
    return Pair.open(GAMES[kind], chance, visit, watcher).check()


@pytest.mark.parametrize("kind", DOORS)
def test_every_door_is_looked_at(kind):
    assert WIRES.get(kind), (
        f"say in tests/secrecy/wires.py how a client of the door {kind!r} comes in"
    )


@pytest.mark.parametrize(("kind", "visit"), WAYS)
@settings(max_examples=6)
@given(seed=SEEDS)
def test_no_byte_to_a_player_follows_from_what_it_may_not_know(kind, visit, seed):
    check(kind, visit, seed)


@pytest.mark.parametrize("kind", GAMES)
@settings(max_examples=6)
@given(seed=SEEDS)
def test_no_byte_to_one_who_looks_on_follows_from_what_is_hidden(kind, seed):
    check(kind, None, seed)


# -- it is not idle -------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "visit"), WAYS)
def test_every_wire_speaks_for_its_player(kind, visit):
    pair = Pair.open(GAMES[kind], Random(5), visit, looking_on(kind)[0])
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


@pytest.mark.parametrize(("kind", "visit"), [way for way in WAYS if way.values[1][1].back])
def test_every_wire_brings_its_player_back(kind, visit):
    pair = Pair.open(GAMES[kind], Random(6), visit, looking_on(kind)[0])
    said = pair.one.guests[0].bytes_sent()
    pair.return_by_token()
    assert pair.result.returned and not pair.one.guests[0].gone
    assert pair.one.guests[0].bytes_sent() != said


# -- it bites -------------------------------------------------------------------------

JSON = (DOORS["json"], WIRES["json"][0])
LOBBY = (DOORS["lobby"], WIRES["lobby"][0])
PLAIN = (door_of(leaky_doors.Plain), leaky_doors.WIRE)


def search(position, visit: Visit, player: bool, seeds: int = 100) -> list[Result]:
    """Check many pairs of the sealed game, one visit playing or looking on."""
    rules = sealed.SealedRules(position)
    visits = (visit, PLAIN) if player else (None, visit)
    return [Pair.open(rules, Random(seed), *visits).check() for seed in range(seeds)]


@pytest.mark.parametrize("position", [sealed.Sealed, sealed.Musing])
@pytest.mark.parametrize("player", [True, False], ids=["playing", "looking-on"])
@pytest.mark.parametrize("visit", [JSON, LOBBY, PLAIN], ids=lambda visit: visit[0].kind)
def test_doors_that_keep_secrets_pass(position, player, visit):
    results = search(position, visit, player, seeds=30)
    assert sum(each.drew for each in results) > 15
    assert sum(each.steps for each in results) > 15


@pytest.mark.parametrize(
    "leaky",
    [
        sealed.LeakyView,
        sealed.LeakyEvent,
        sealed.LeakyOrder,
        sealed.LeakyNumber,
        sealed.LeakyRefusal,
        sealed.LeakyTurn,
        sealed.LeakyLog,
    ],
    ids=lambda leaky: leaky.__name__,
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
        search(sealed.Musing, (door_of(leaky), leaky_doors.WIRE), player)
