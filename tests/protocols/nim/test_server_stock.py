"""What unmodified clients need, which take whatever one read gives for one message."""

from __future__ import annotations

import json
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

GAP = 0.05


def gaps(peer):
    return [later - earlier for (earlier, _), (later, _) in pairwise(peer.writes)]


def test_two_objects_never_come_nearer_than_the_gap(nim_door):
    with nim_door(stones=20, early_moves="keep") as door:
        north, south = door.connect("north", 0), door.connect("south", 1, b"\n")
        for each in (north, south):
            for _ in range(4):
                each.take(1)
        door.pass_time(1)
        assert len(north.objects()) == 9
        assert all(gap >= GAP - 1e-9 for gap in gaps(north))
        assert gaps(south) == [0] * 8  # who reads lines need not wait


def test_one_object_is_one_write_ended_by_lf(nim_door):
    with nim_door(stones=20) as door:
        for peer in door.pair():
            peer.take(1)
            door.pass_time(1)
            for _, data in peer.writes:
                assert json.loads(data) and data.endswith(b"}\n") and data.count(b"\n") == 1


@pytest.mark.parametrize("tail", [b"\n", b"\r\n", b" \n"])
def test_a_line_client_waits_for_nothing(nim_door, tail):
    with nim_door(stones=20) as door:
        north, south = door.pair(tail)
        north.say(b'{"num_stones": 1}{"num_stones": 1}')
        door.settle()
        assert len(north.objects()) == len(south.objects()) == 3
        assert north.closed and south.closed


def test_a_line_end_that_comes_later_makes_a_line_client_all_the_same(nim_door):
    with nim_door(stones=20) as door:
        north = door.connect("north", 0)
        north.say(b"\n")
        door.connect("south", 1)
        north.say(b'{"num_stones": 1}{"num_stones": 1}')
        door.settle()
        assert len(north.objects()) == 3 and north.closed


def test_the_gap_is_a_setting(nim_door):
    with nim_door(stones=20, gap=2) as door:
        north, _ = door.pair()
        north.take(1)
        door.pass_time(1.9)
        assert len(north.objects()) == 1
        door.pass_time(0.2)
        assert len(north.objects()) == 2


def test_padded_objects_fill_one_read_each_and_need_no_time(nim_door):
    with nim_door(stones=20, pad=True) as door:
        north, south = door.connect("north", 0), door.connect("south", 1)
        for each in (north, south):
            each.take(1)
        door.settle()
        north.say(b"nonsense")
        door.settle()
        for each in (north, south):
            assert len(each.writes) >= 3
            assert {len(data) for _, data in each.writes} == {1024}
            assert all(data.endswith(b" \n") and json.loads(data) for _, data in each.writes)
            assert each.last()["finished"] is True


def test_padding_is_not_for_those_who_read_lines(nim_door):
    with nim_door(stones=20, pad=True) as door:
        stock, lines = door.connect("north", 0), door.connect("south", 1, b"\n")
        stock.take(1)
        door.settle()
        assert [len(data) for _, data in stock.writes] == [1024, 1024]
        assert all(len(data) < 400 for _, data in lines.writes)
        assert stock.objects() == lines.objects()


def test_a_padded_refusal_is_two_whole_reads(nim_door):
    with nim_door(most=1, pad=True) as door:
        door.connect("north", 0)
        late = door.connect("late", 0)
        door.settle()
        assert [len(data) for _, data in late.writes] == [1024, 1024]
        assert late.last()["finished"] is True


@pytest.mark.parametrize("pad", [False, True])
def test_a_stock_client_may_look_at_the_final_state_for_thirty_seconds(nim_door, pad):
    with nim_door(stones=3, pad=pad) as door:
        north, south = door.pair()
        north.take(3)
        door.pass_time(0.1)
        for _ in range(29):
            south.take(1)  # it sat at its prompt, and only reads after its next input
            door.clock.advance(1)
        assert not north.closed and not south.closed
        door.clock.advance(1.5)
        assert north.closed and south.closed
        assert len(north.objects()) == len(south.objects()) == 2


def test_who_comes_back_for_another_game_need_not_wait_for_those_thirty_seconds(nim_door):
    with nim_door(stones=3) as door:
        for _ in range(3):
            north, south = door.pair()
            north.take(3)
            door.pass_time(0.1)
            assert south.last()["finished"] is True


# A model of the client itself


class Stock:
    """The public client: it reads once for each message it expects, and parses the whole read."""

    def __init__(self, peer, order):
        self.peer = peer
        self.order = order
        self.seen = 0
        self.ready = 0.0  # when it came from its prompt to read
        self.over = False
        self.expects = ["start"] if order == 0 else ["start", "other"]

    def reads(self):
        """Give what each read would give: all that is there already, then what comes at one instant."""
        unread = self.peer.writes[self.seen :]
        together = groupby(unread, key=lambda write: max(write[0], self.ready))
        return [b"".join(data for _, data in writes) for _, writes in together]

    def read_on(self):
        """Read as long as it would, and say whether it sits at its prompt."""
        for data in self.reads():
            if not self.expects or self.over:
                break
            self.seen += 1
            kind = self.expects.pop(0)
            message = json.loads(data)  # two objects in one read are the end of it
            if kind == "start":
                assert message["init_stones"] >= 0 and message["init_resets"] >= 0
            elif message["finished"]:
                assert message["winner"] is not None and message["reason"]
                self.over = True
        return not self.expects and not self.over

    def move(self, stones, reset):
        self.peer.take(stones, reset)
        self.ready = self.peer.clock.seconds()
        self.expects = ["own", "other"]


def check_whole_reads(peer):
    for _, writes in groupby(peer.writes, key=lambda write: write[0]):
        assert len(list(writes)) == 1


MOVE = st.tuples(st.integers(1, 12), st.sampled_from([False] * 5 + [True]))


@given(
    moves=st.lists(MOVE, max_size=40),
    stones=st.integers(1, 60),
    think=st.sampled_from([0, 0.001, 0.04, 0.2]),
    quits=st.integers(0, 60),
)
def test_stock_clients_play_whole_games_read_by_read(nim_door, moves, stones, think, quits):
    with nim_door(stones=stones, resets=2, maximum=5) as door:
        north, south = door.pair()
        clients = [Stock(north, 0), Stock(south, 1)]
        for turn in range(3000):
            for client in clients:
                if not client.peer.link.connected or not client.read_on():
                    continue
                if turn == quits:
                    client.peer.hang_up()
                elif moves:
                    door.clock.advance(think)
                    client.move(*moves.pop())
            door.clock.advance(0.01)
            if all(client.over for client in clients) or not moves:
                break
        door.pass_time(0.3)
        for client in clients:
            check_whole_reads(client.peer)
            while client.peer.link.connected and not client.over and client.read_on():
                client.move(1, False)  # from its prompt it sees the end behind its next input
                if not client.reads():
                    break


def test_the_stock_client_at_its_prompt_sees_the_end_after_its_next_input(nim_door):
    with nim_door(stones=20, seconds=5) as door:
        north, _ = door.pair()
        client = Stock(north, 0)
        assert client.read_on()
        door.pass_time(6)
        assert client.read_on() and not client.over
        client.move(1, False)
        client.read_on()
        assert client.over


@pytest.mark.parametrize("order", [0, 1])
def test_a_refused_stock_client_ends_by_itself(nim_door, order):
    with nim_door(most=1) as door:
        door.host.open("nim", "", {}, {"private": True, "expiry": 60})
        peer = door.connect("late", order)
        door.pass_time(1)
        client = Stock(peer, order)
        if client.read_on():
            client.move(1, False)
            client.read_on()
        assert client.over
        check_whole_reads(peer)
        door.clock.advance(60)
