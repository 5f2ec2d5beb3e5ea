"""Whole games by chance, told to clients that know nothing but the wire: their boards are what the server says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.games.castle import CARDS, SAMPLE_DECKS
from gamecore.games.castle import moves as castle_moves
from gamecore.table_view import Detail
from protocols.castle.wire import write_request
from protocols.castle.wire_positions import position_of

HIDDEN = -1


class Follower:
    """Keeps a board by the messages of one player."""

    def __init__(self, peer):
        self.peer = peer
        peer.read_to = 0
        self.board = {}
        self.health = {}
        self.decks = {}
        self.seat = None
        self.target = None
        self.ended = None
        self.errors = []

    def say(self, command, **fields):
        self.peer.put_only(command, **fields)

    def listen(self):
        """Take in all that came."""
        heard = self.peer.news()
        for message in heard:
            act = getattr(self, f"on_{message['COMMAND'].lower()}", None)
            if act is not None and not message.get("PENDING") and message.get("SUCCESS", True):
                act(message)
            if message["COMMAND"] == "ERROR" or message.get("SUCCESS") is False:
                self.errors.append(message)
            place = message.get("TRICKSTER_POS", "")
            if "TRICKSTER" in place and place in self.board:
                self.board[place] = message["CARD_ID"]
        return heard

    def on_game_start(self, message):
        self.seat = message["PLAYER_ID"]
        self.board = dict(message["DECK"])
        self.decks = {"MY": message["MY_DECK_COUNT"], "THEIR": message["THEIR_DECK_COUNT"]}

    def on_spawn_castles(self, message):
        self.health = {"MY": message["MY_HEALTH"], "THEIR": message["THEIR_HEALTH"]}
        count = message["THEIR_HAND_COUNT"]
        self.decks["THEIR"] = 50 - count
        self.board |= {f"THEIR_HAND_{at}": HIDDEN for at in range(1, count + 1)}

    def on_draw_card_resp(self, message):
        for drawn in message["DRAWN_CARDS"]:
            assert drawn["cardPos"] not in self.board, message
            self.board[drawn["cardPos"]] = drawn["card"]
            self.take_from_deck(drawn["oldPos"])

    def take_from_deck(self, place):
        side, _, number = place.split("_")
        assert int(number) == self.decks[side], place
        self.decks[side] -= 1

    def on_play_card_resp(self, message):
        start, end = message["START_POS"], message["END_POS"]
        assert end not in self.board
        if "DECK" in start:
            self.take_from_deck(start)
        else:
            was = self.board.pop(start)
            assert was in (HIDDEN, message["CARD_ID"]) or message["CARD_ID"] == HIDDEN
        self.board[end] = message["CARD_ID"]

    def on_move_card(self, message):
        moves = message["CARD_MOVEMENTS"]
        moved = {end: self.board.pop(start) for start, end in moves.items()}
        assert not moved.keys() & self.board.keys()
        self.board |= moved

    def on_destroy_card_resp(self, message):
        for place, grave, card in zip(
            message["CARD_LOCATIONS"], message["GRAVE_LOCATIONS"], message["CARD_IDS"], strict=True
        ):
            if "DECK" in place:
                self.take_from_deck(place)
            else:
                assert self.board.pop(place) in (HIDDEN, card)
            assert grave not in self.board
            self.board[grave] = card

    def on_shuffle_deck(self, message):
        side = "MY" if message["USER_ID"] == self.seat else "THEIR"
        assert self.decks[side] == message["DECK"]["COUNT"]

    def on_castle_damage(self, message):
        for side in ("MY", "THEIR"):
            self.health[side] = message.get(f"{side}_HEALTH", self.health[side])

    def on_castle_attack(self, message):
        self.health[message["TARGET_POS"].split("_")[0]] = message["NEW_HEALTH"]

    def on_target_card(self, message):
        assert message["VALID_REGION"] and message["TRIGGER_POS"]
        self.target = message

    def on_game_end(self, message):
        self.ended = message

    # -- compared with what the server says it is ---------------------------------------

    def check(self, state):
        """Compare the board with STATE."""
        hand = self.hand("MY")
        assert hand == state["MY_HAND"], (hand, state["MY_HAND"])
        assert len(self.hand("THEIR")) == len(state["THEIR_HAND"])
        for side in ("MY", "THEIR"):
            assert self.health[side] == state[f"{side}_HEALTH"]
            assert self.decks[side] == state[f"{side}_DECK_COUNT"]
            pile = [
                self.board[f"{side}_DISCARD_{at + 1}"]
                for at in range(len(state[f"{side}_DISCARD"]))
            ]
            assert pile == state[f"{side}_DISCARD"]
        field = {place: card for place, card in self.board.items() if place.split("_")[1] in FIELD}
        known = {place: each["CARD_ID"] for place, each in state["FIELD"].items()}
        assert field.keys() == known.keys()
        for place, card in field.items():
            assert card in (HIDDEN, known[place]) or known[place] == HIDDEN

    def hand(self, side):
        """List a hand, which has no gaps."""
        count = sum(place.startswith(f"{side}_HAND_") for place in self.board)
        return [self.board[f"{side}_HAND_{at}"] for at in range(1, count + 1)]


FIELD = ("SOLDIER", "MAGE", "TRICKSTER", "DECREE")


def name_move(follower, move):
    """Say a move as a client does, with the positions that it was told; gives what it names one by one."""
    seat = follower.seat

    def at(spot):
        return position_of(spot, seat)

    match move:
        case castle_moves.Keep():
            return [("GAME_START_ACCEPT", {})]
        case castle_moves.Mulligan():
            return [("GAME_START_MULLIGAN", {})]
        case castle_moves.DrawCard():
            return [("DRAW_CARD", {})]
        case castle_moves.EndTurn():
            return [("TURN_END", {})]
        case castle_moves.AllowAction():
            return [("ALLOW_ACTION", {})]
        case castle_moves.Accept() | castle_moves.Decline() if follower.target is None:
            return [("DIAG_RESP", {"BOOL": move == castle_moves.Accept()})]
        case castle_moves.Decline():
            return [("TARGET_CARD_RESP", {})]
        case castle_moves.LevelMage(slot):
            return [("LEVEL_MAGE", {"TARGET": f"MY_MAGE_{slot + 1}"})]
        case castle_moves.UseAbility(source, ability):
            return [("ACTIVATE_ABILITY", {"TARGET": at(source), "INDEX": ability})]
        case castle_moves.Attack(attacker, target):
            return [("ATTACK_CARD", {"ATTACKER": at(attacker), "TARGET": at(target)})]
        case castle_moves.ActivateTrickster(slot):
            return [("ACTIVATE_TRICKSTER", {"TARGET": f"MY_TRICKSTER_{slot + 1}"})]
        case castle_moves.Choose(spot):
            return [("TARGET_CARD_RESP", {"CARD_POS": at(spot)})]
        case castle_moves.TakeCard(card):
            return [("TARGET_CARD_RESP", {"CARD_POS": offered(follower, card)})]
    return None


def offered(follower, card):
    """Find where a card lies that is offered by its number."""
    for option in follower.target["OPTIONS"]:
        if option["card"] == card:
            return option["cardPos"]
    raise AssertionError(f"{card} is not offered: {follower.target}")


# -- two of them, and a chance that plays for both ---------------------------------------

DECKS = [[*deck.cards, deck.castle] for deck in SAMPLE_DECKS.values()]
ENOUGH = 250


class Game:
    """Two clients, and a chance that plays for both through their wires."""

    def __init__(self, door, chance):
        self.door, self.chance = door, chance
        decks = [chance.choice(DECKS) for _ in range(2)]
        self.sides = [
            Follower(door.join(name, deck))
            for name, deck in zip(("red", "blue"), decks, strict=True)
        ]
        for each in self.sides:
            each.peer.put_only = lambda command, peer=each.peer, **fields: say(
                peer, command, fields
            )
            each.listen()
        (live,) = door.host.service.live
        self.table = live.table

    def board(self, seat):
        return self.table.turn_of(seat, 0.0, Detail.BOARD).board

    def step(self):
        """Let somebody do something; False once the game is over."""
        waiting = sorted(self.table.awaited())
        if not waiting:
            return False
        seat = self.chance.choice(waiting)
        moves = list(self.table.legal_moves(seat))
        acts = [
            each
            for each in moves
            if not isinstance(each, castle_moves.EndTurn | castle_moves.Mulligan)
        ]
        move = self.chance.choice(acts if acts and self.chance.random() < 0.85 else moves)
        before = self.board(seat)
        self.play(self.sides[seat], move, before)
        assert self.board(seat) != before, f"{move} was not played"
        return True

    def play(self, side, move, board):
        if isinstance(move, castle_moves.PlayCard):
            card = board.sides[side.seat].hand[move.hand].card
            place = f"MY_{CARDS[card].type.upper()}" + (
                "" if CARDS[card].type == "decree" else f"_{move.slot + 1}"
            )
            self.say(
                side,
                "PLAY_CARD",
                START_POS=f"MY_HAND_{move.hand + 1}",
                END_POS=place,
                CARD_ID=card,
                ABILITY_TRIGGERED=False,
            )
            self.pay(side, move)
        elif isinstance(move, castle_moves.PutCard):
            start = offered(side, move.card)
            kind = CARDS[move.card].type
            place = f"MY_{kind.upper()}" + ("" if kind == "decree" else f"_{move.slot + 1}")
            if self.chance.random() < 0.5:
                self.say(
                    side,
                    "PLAY_CARD",
                    START_POS=start,
                    END_POS=place,
                    CARD_ID=move.card,
                    ABILITY_TRIGGERED=True,
                )
            else:
                self.say(side, "TARGET_CARD_RESP", CARD_POS=start)
            self.pay(side, move)
        else:
            for command, fields in name_move(side, move):
                side.target = None
                self.say(side, command, **fields)

    def pay(self, side, move):
        left = [position_of(spot, side.seat) for spot in move.pay]
        while left and side.target is not None and not side.target.get("OPTIONS"):
            given = next((each for each in left if each in side.target["VALID_REGION"]), None)
            if given is None:
                return
            left.remove(given)
            self.say(side, "TARGET_CARD_RESP", CARD_POS=given)

    def say(self, side, command, **fields):
        side.target = None
        say(side.peer, command, fields)
        for each in self.sides:
            each.listen()

    def check(self):
        """Compare both boards with what the server says they are."""
        for side in self.sides:
            assert side.errors == []
            say(side.peer, "STATE_REQUEST", {})
            for message in side.listen():
                if (
                    message["COMMAND"] == "STATE"
                    and message["ACTION_ID"] is None
                    and message["STAGE"] == "TURN"
                ):
                    side.check(message)


def say(peer, command, fields):
    peer.link._bucket.burst = peer.link._bucket._tokens = 1e9
    peer.say(write_request(command, **fields))


def play_game(castle_door, seed):
    with castle_door(begins="random") as door:
        game = Game(door, Random(seed))
        for _ in range(ENOUGH):
            if not game.step():
                break
            if game.board(0).stage == "turn" and game.board(0).action is None:
                game.check()
        over = not game.table.awaited()
        ends = [side.ended for side in game.sides]
        assert ends[0] == ends[1] and bool(ends[0]) == over


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_a_client_that_only_listens_knows_where_every_card_lies(castle_door, seed):
    play_game(castle_door, seed)


@pytest.mark.parametrize("seed", range(4))
def test_it_does_so_in_games_that_were_seen_before(castle_door, seed):
    play_game(castle_door, seed)
