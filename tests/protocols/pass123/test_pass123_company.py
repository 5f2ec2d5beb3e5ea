"""Whole games at the door by chance: stock clients are never out of step, whatever the others and the clock do."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.cards import PACK, RANKS
from protocols.pass123 import wire

GAP = 0.2


class StockClient:
    """Takes turns as the unmodified client does, and fails where that one would hang or die (section 2)."""

    def __init__(self, peer, chance):
        self.peer, self.chance = peer, chance
        self.state, self.read, self.board, self.last_at = "start", 0, None, -1.0

    def hear(self):
        while self.read < len(self.peer.writes):
            at, text = self.peer.texts[self.read]
            self.read += 1
            assert at - self.last_at >= GAP - 1e-9, "two texts in one read"
            self.last_at = at
            self.take(text)

    def take(self, text):
        message = wire.read(text.encode())
        if self.state in ("start", "board"):
            assert message.is_prompt and not message.text, f"no board: {text}"
            self.see(message)
            self.state = "prompt"
        elif self.state in ("answer", "waiting"):
            assert message.prefix, f"no bar: {text}"
            if message.board is not None:
                self.see(message, cards=3 if self.state == "answer" else 4)
            if self.state == "answer":
                self.state = "waiting" if message.prefix == "True" else "board"
            else:
                self.state = "end" if message.is_last else "board"
        else:
            raise AssertionError(f"told at {self.state}: {text}")

    def see(self, message, cards=4):
        self.board = message.board
        assert len(self.board.hand) == cards, message

    def act(self):
        """Type something at the prompt, mostly what makes sense."""
        self.hear()
        if self.state == "end":
            self.peer.say("QUIT")
            self.state = "gone"
        elif self.state == "prompt" and self.chance.random() < 0.7:
            self.state = "answer"
            self.peer.say(code_for(self.board, self.chance))

    @property
    def done(self):
        return self.state == "gone" or self.peer.closed


class LineClient:
    """Reads lines, and answers the last board without a prefix."""

    def __init__(self, peer, chance):
        self.peer, self.chance = peer, chance
        self.board, self.over = None, False
        self.reader = wire.MessageReader()
        peer.say("\n")

    def hear(self):
        text = "".join(self.peer.news())
        assert text == "" or text.endswith("\n")
        for message in self.reader.feed(text.encode()):
            self.board = message.board if message.is_prompt else self.board
            self.over = self.over or message.is_last

    def act(self):
        self.hear()
        if self.board is not None and not self.over and self.chance.random() < 0.6:
            self.peer.say(code_for(self.board, self.chance) + "\n")

    @property
    def done(self):
        return self.over or self.peer.closed


def code_for(board, chance):
    """Choose a code: the sensible one, or now and then any."""
    if chance.random() < 0.15:
        return chance.choice(["F", "T", "ZZ", "AH", "P1AH", "F3", "é", str(chance.choice(PACK))])
    if any(board.places):
        return "T"
    ranks = [card.rank for card in board.hand]
    if len(set(ranks)) == 1:
        return "f"
    rarest = min(ranks.count(rank) for rank in ranks)
    return str(chance.choice([card for card in board.hand if ranks.count(card.rank) == rarest]))


def play(pass_door, seed, seconds=300, leaving=0.0):
    chance = Random(seed)
    players = chance.randint(2, 5)
    ranks = chance.sample(RANKS, players)
    pack = [card for card in PACK if card.rank in ranks]
    chance.shuffle(pack)
    hands = [" ".join(map(str, pack[4 * seat :][:4])) for seat in range(players)]
    kinds = [chance.choice([StockClient, StockClient, LineClient]) for _ in range(players)]
    way = chance.choice(["up", "down"])
    with pass_door(hands, direction=way, seconds=seconds, grace=5) as door:
        clients = []
        for kind in kinds:
            clients.append(kind(door.connect(), chance))
            door.pass_time(0.3)
        for _ in range(4000):
            door.pass_time(chance.choice([0.05, 0.1, 0.3, 1.0]))
            chance.choice(clients).act()
            for client in clients:
                if isinstance(client, StockClient):
                    client.hear()
            if chance.random() < leaving:
                chance.choice(clients).peer.hang_up()
            if all(each.done or not each.peer.link.connected for each in clients):
                break
        else:
            raise AssertionError(f"it never ended: {[vars(each) for each in clients]}")
        return clients


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_a_game_of_stock_and_line_clients_comes_to_its_end(pass_door, seed):
    clients = play(pass_door, seed)
    places = {client.board.places for client in clients if isinstance(client, StockClient)}
    assert len(places) <= 1
    for final in places:
        assert sorted(final) == list(range(1, len(clients) + 1))


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_nobody_is_out_of_step_when_the_clock_is_short(pass_door, seed):
    play(pass_door, seed, seconds=4)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_nobody_is_out_of_step_when_others_go(pass_door, seed):
    play(pass_door, seed, seconds=20, leaving=0.01)


PIECES = [
    b"\n",
    b"\r\n",
    b"AH",
    b"P1",
    b"F",
    b"T\n",
    b"QUIT",
    b"START",
    b"RETURN x\n",
    b"\xff",
    b"|",
]


@given(st.lists(st.binary(max_size=40) | st.sampled_from(PIECES), max_size=12), st.booleans())
def test_no_bytes_whatever_hurt_the_door(pass_door, segments, begun):
    with pass_door(("QH QS QD QC", "4H 4S 4D 4C")) as door:
        peer = door.connect()
        door.pass_time(0.3 if begun else 0.05)
        other = door.connect()
        door.pass_time(0.3)
        for segment in segments:
            if not peer.closed:
                peer.link.dataReceived(segment)
            door.pass_time(0.15)
        door.pass_time(1)
        assert all(
            text.endswith("\n") or text.startswith("False|The code") for _, text in peer.texts
        )
        assert len(other.writes) <= 4


@pytest.mark.parametrize("seed", range(3))
def test_thirteen_play_at_one_door(pass_door, seed):
    chance = Random(seed)
    pack = list(PACK)
    chance.shuffle(pack)
    hands = [" ".join(map(str, pack[4 * seat :][:4])) for seat in range(13)]
    with pass_door(hands) as door:
        clients = []
        for seat in range(13):
            kind = LineClient if seat % 3 else StockClient
            clients.append(kind(door.connect(), chance))
            door.pass_time(0.25)
        while not all(each.done for each in clients):
            for client in chance.sample(clients, 13):
                client.act()
            door.pass_time(0.5)
            assert door.clock.seconds() < 3000
