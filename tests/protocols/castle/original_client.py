"""A client like the original one: it knows those commands of the seed's table that it reads, and dies of others."""

from __future__ import annotations

from gamecore.games.castle import CARDS, moves
from protocols.castle.wire import write_request

READ = {
    *("JOIN_GAME_RESP", "PLAYER_JOINED", "GAME_START", "DIAG_OFFER", "GAME_END", "TURN_START"),
    *("PLAY_CARD_RESP", "TARGET_CARD", "LEVEL_MAGE_RESP", "SHUFFLE_DECK", "DRAW_CARD_RESP"),
    *("DESTROY_CARD_RESP", "MOVE_CARD"),
}  # the rest of that table it does not know
ZONES = {"HAND": 10, "MAGE": 2, "SOLDIER": 2, "TRICKSTER": 2, "DISCARD": 50, "DECK": 50}
PLACES = {
    f"{side}_{place}"
    for side in ("MY", "THEIR")
    for place in (
        "CASTLE",
        "DECREE",
        *(f"{zone}_{number + 1}" for zone, count in ZONES.items() for number in range(count)),
    )
}


class Died(Exception):
    """The client was told what it cannot read."""


class OriginalClient:
    """One client at a door, with the cards that it shows."""

    def __init__(self, door, name, deck, chance, **more):
        self.peer, self.chance = door.connect(), chance
        self.cards, self.asked, self.boxes, self.over, self.hurried = {}, None, [], False, False
        self.say("JOIN_GAME", USERNAME=name, DECK_DATA=deck, PASSWORD="", **more)

    def say(self, command, **fields):
        self.peer.say(write_request(command, **fields))
        self.read()

    def read(self):
        """Read all that came, and answer what asks by itself."""
        for message in self.peer.news():
            self.read_one(message)

    def read_one(self, message):
        if message["COMMAND"] not in READ:
            raise Died(message)
        if has_no_number(message):
            raise Died(message)
        reader = getattr(self, f"read_{message['COMMAND'].lower()}", None)
        if reader is not None:
            reader(message)

    def at(self, place):
        if place not in PLACES:
            raise Died(place)
        return place

    def read_game_start(self, message):
        self.cards.update({self.at(place): card for place, card in message["DECK"].items()})

    def read_draw_card_resp(self, message):
        for drawn in message["DRAWN_CARDS"]:
            self.cards[self.at(drawn["cardPos"])] = drawn["card"]
        if not self.hurried:  # the original accepts its hand whenever it draws for the first time
            self.hurried = True
            self.say("GAME_START_ACCEPT")

    def read_play_card_resp(self, message):
        if self.cards.pop(self.at(message["START_POS"]), None) != message["CARD_ID"]:
            raise Died(message)  # it moves what it has there
        self.cards[self.at(message["END_POS"])] = message["CARD_ID"]

    def read_move_card(self, message):
        movements = message["CARD_MOVEMENTS"]
        cards = {self.at(end): self.cards.get(self.at(start)) for start, end in movements.items()}
        for start in movements:
            self.cards.pop(start, None)
        self.cards.update({end: card for end, card in cards.items() if card is not None})

    def read_destroy_card_resp(self, message):
        ((place, grave),) = zip(message["CARD_LOCATIONS"], message["GRAVE_LOCATIONS"], strict=True)
        self.cards[self.at(grave)] = self.cards.pop(self.at(place))

    def read_target_card(self, message):
        self.asked = [self.at(place) for place in message["VALID_REGION"]]
        self.at(message["TRIGGER_POS"])

    def read_diag_offer(self, message):
        self.boxes.append(message["MSG"])

    def read_game_end(self, message):
        self.over = True

    # -- what it does ---------------------------------------------------------------------

    def answer(self):
        """Close a box or choose a card; False if there is nothing to answer."""
        if self.boxes:
            self.boxes.pop()
            self.say("DIAG_RESP", BOOL=self.chance.random() < 0.5)
            return True
        if self.asked is not None:
            region, self.asked = self.asked, None
            self.say("TARGET_CARD_RESP", CARD_POS=self.chance.choice(region))
            return True
        return False

    def do(self, move):
        """Do in one's turn what a client can do."""
        match move:
            case moves.PlayCard(hand, slot):
                place = f"MY_HAND_{hand + 1}"
                card = self.cards[place]
                end = end_of(card, slot)
                play = {"START_POS": place, "END_POS": end, "CARD_ID": card}
                self.say("PLAY_CARD", **play, ABILITY_TRIGGERED=False)
            case moves.LevelMage(slot):
                self.say("LEVEL_MAGE_RESP", TARGET=f"MY_MAGE_{slot + 1}")
            case moves.Attack(attacker, target):
                places = {"ATTACKER": named(attacker, "MY"), "TARGET": named(target, "THEIR")}
                self.say("ATTACK_CARD", **places, PLAYER=0)
            case moves.EndTurn():
                self.say("TURN_END")


def end_of(card, slot):
    kind = CARDS[card].type.upper()
    return "MY_DECREE" if kind == "DECREE" else f"MY_{kind}_{slot + 1}"


def named(spot, side):
    zone = spot.zone.upper()
    return f"{side}_{zone}" if zone in ("CASTLE", "DECREE") else f"{side}_{zone}_{spot.slot + 1}"


def has_no_number(value):
    """Tell whether there is a -1 anywhere."""
    if isinstance(value, dict):
        return any(map(has_no_number, value.values()))
    return any(map(has_no_number, value)) if isinstance(value, list) else value == -1
