"""Coming back, on each wire that has tokens: taking over, the last moment of a grace, and closes at every prompt.

C18, C19, C23 and, in process, C29.
"""

from __future__ import annotations

import gc
import re
import weakref

import pytest

from gamecore.player import Presence
from gamecore.table_events import Dropped, Left, Returned
from protocols.i18n.game_text import find_text
from tests.cases.customs import LINES, WAYS, custom_of
from tests.cases.house import Guest, House

GRACE = 30.0
_TIME = re.compile(rb"\d[\d.:]*( min| s\b| seconds)")
BACK = [way for way in WAYS if way.wire.back is not None]
BACK_LINES = [way for way in LINES if way.wire.back is not None]


def kinds(heard):
    return [type(each) for each in heard if type(each) in (Dropped, Returned, Left)]


def twin_of(guest):
    """Another client of the same person, who knows the token."""
    twin = Guest(guest.house, guest.way, guest.table, guest.seat)
    twin.token = guest.token
    return twin


@pytest.mark.parametrize("way", BACK, ids=str)
def test_whoever_shows_the_token_takes_over_before_the_daemon_noticed(way):
    """C18: the new link has the seat, the old one is told why and closed, and nobody else hears of it."""
    with House() as house:
        guest, sitters, table = house.begin(way)
        assert guest.token, guest.peer.got()
        for sitter in sitters.values():
            sitter.heard.clear()
        guest.peer.forget()
        twin = twin_of(guest)
        twin.come(way.wire.back)
        house.pass_time(6.0)  # a last look at why
        if custom_of(way).reads != "http":  # pages of one player share one face
            assert guest.peer.ended, "the older link stays"
            assert guest.peer.got(), "the older link is not told why"
            assert house.face_in(table, 0) is twin.peer.face
        assert table.presence(0) is Presence.HERE
        assert all(kinds(sitter.heard) == [] for sitter in sitters.values())


@pytest.mark.parametrize("way", BACK_LINES, ids=str)
def test_a_client_that_was_killed_is_back_ten_milliseconds_later(way):
    """C18: noticed or not, and as often as it likes."""
    with House() as house:
        guest, sitters, table = house.begin(way)
        for sitter in sitters.values():
            sitter.heard.clear()
        for _ in range(3):
            guest.peer.hang_up()
            house.pass_time(0.01)
            twin = twin_of(guest)
            twin.come(way.wire.back)
            assert table.presence(0) is Presence.HERE
            guest = twin
        for sitter in sitters.values():
            told = kinds(sitter.heard)
            assert told in ([], [Dropped, Returned] * 3)


@pytest.mark.parametrize("way", BACK_LINES, ids=str)
def test_without_the_token_nobody_is_let_in_and_nobody_put_out(way):
    """C18: neither with a token that is nearly right nor with none."""
    with House() as house:
        guest, sitters, table = house.begin(way)
        for sitter in sitters.values():
            sitter.heard.clear()
        face = house.face_in(table, 0)
        for wrong in (guest.token[:-1] + ("0" if guest.token[-1] != "0" else "1"), "x", table.code):
            thief = twin_of(guest)
            thief.token = wrong
            thief.come(way.wire.back)
            assert thief.peer.got() or thief.peer.ended
            assert house.face_in(table, 0) is face
        if custom_of(way).reads != "http":
            assert not guest.peer.ended
        assert all(kinds(sitter.heard) == [] for sitter in sitters.values())


@pytest.mark.parametrize("first", ["bytes", "clock"])
@pytest.mark.parametrize("late", [-0.001, 0.0, 0.001])
@pytest.mark.parametrize("way", BACK_LINES, ids=str)
def test_at_the_end_of_a_grace_one_is_seated_or_gone_and_everybody_agrees(way, late, first):
    """C19: a millisecond before, at the very moment and one after, whether bytes or clock come first."""
    if custom_of(way).reads == "http":
        pytest.skip("a page that is not asked for is kept for minutes: tests/protocols/web")
    with House() as house:
        guest, sitters, table = house.begin(way, grace=GRACE)
        other = next(iter(sitters.values()))
        other.heard.clear()
        guest.peer.hang_up()
        house.settle()
        dropped = house.clock.seconds()
        twin = twin_of(guest)
        *before, last = way.wire.back
        house.pass_time(GRACE - 0.1)  # some doors wait only so long for what one says first
        twin.connect()
        for text in before:
            twin.peer.say(twin.encoded(text))
        house.pass_time(dropped + GRACE + late - house.clock.seconds() - 0.0005)
        assert table.presence(0) is (Presence.AWAY if late < 0.0005 else Presence.GONE)
        if first == "clock":
            house.pass_time(0.0005)
            twin.peer.say(twin.encoded(last))
        else:
            house.clock.rightNow += 0.0005
            twin.peer.say(twin.encoded(last))
        house.pass_time(1.0)
        here = table.presence(0) is Presence.HERE
        face = house.face_in(table, 0)
        assert here == (face is twin.peer.face), "seated and gone at once"
        assert kinds(other.heard) == ([Dropped, Returned] if here else [Dropped, Left])
        assert here or late >= 0
        assert not (here and late > 0)
        assert twin.peer.got()
        seen = {each.seat: each.presence for each in table.seen_by(None, 0.0).seats}
        assert seen.get(0) is (Presence.HERE if here else None)


@pytest.mark.parametrize(
    "kind", [way.game for way in WAYS if way.door.kind == "lobby" and way.wire.name == "plain"]
)
def test_the_board_is_the_same_line_for_line_before_and_after(kind):
    """C23: what a person sees of the game does not depend on having been away."""
    way = next(w for w in WAYS if (w.game, w.door.kind, w.wire.name) == (kind, "lobby", "plain"))
    with House() as house:
        guest, _, _ = house.begin(way)
        guest.peer.forget()
        guest.say("BOARD")
        before = guest.peer.got()
        guest.peer.hang_up()
        house.pass_time(5.0)
        twin = twin_of(guest)
        twin.come(way.wire.back)
        twin.peer.forget()
        twin.say("BOARD")
        assert before.count(b"\n") > 1 or find_text(kind) is None
        assert _TIME.sub(b"", twin.peer.got()) == _TIME.sub(b"", before)


# -- closes at every prompt -----------------------------------------------------------

CLOSES = 200  # at each; thousands are tried on a real daemon


@pytest.mark.parametrize("way", LINES, ids=str)
def test_closes_at_the_prompts_of_a_door_leave_nothing(way):
    """C29: whatever was said before; every link, timer, name and table is let go of."""
    with House() as house:
        steps = [*way.wire.sit, *way.wire.asks[:2]]
        table = None
        old = []
        for number in range(CLOSES if custom_of(way).reads != "http" else CLOSES // 10):
            table = house.open(way.game) if number % 50 == 0 else table
            guest = Guest(house, way, table, 0)
            guest.connect(f"192.0.2.{number % 200}")
            for text in steps[: number % (len(steps) + 1)]:
                guest.peer.say(guest.encoded(text))
                house.settle()
            if number % 3 == 0 and custom_of(way).reads != "http":
                guest.peer.link.readConnectionLost()
            guest.peer.hang_up()
            house.settle()
            old.append(weakref.ref(guest.peer.link))
            house.peers.clear()
            guest.peer = None
            if number % 50 == 49:
                house.pass_time(200.0)
                house.factories = {
                    k: f for k, f in house.factories.items() if k[1] is None or f.links
                }
        house.pass_time(7200.0)
        del guest
        gc.collect()
        alive = [each for each in old if each() is not None]
        assert not alive, f"{len(alive)} links are kept: {alive[0]()}"


@pytest.mark.parametrize("way", [way for way in WAYS if custom_of(way).reads != "http"], ids=str)
def test_one_who_will_say_no_more_is_let_go_whatever_happens_at_the_table(way):
    """C29: the end of input is heard, then the others leave; the link is closed in seconds, not in minutes."""
    with House() as house:
        guest, sitters, _ = house.begin(way)
        guest.peer.link.readConnectionLost()
        house.pass_time(0.5)
        for sitter in sitters.values():
            house.host.leave(sitter)
        house.pass_time(10.0)
        assert guest.peer.ended
