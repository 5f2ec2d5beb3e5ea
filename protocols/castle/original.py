"""The manner of an original client: what our wire says, in the commands that such a client knows.

It is one that asks for nothing beyond the seed's table.  It dies of a command that it does not know, of the number
of a card that it may not see and of a place that it has no name for; it shows a text only with a question, and
moves only cards that it was given.  So:

* a card that it may not see is moved by ``MOVE_CARD``;
* a card that it may see from now on is given to it by ``DRAW_CARD_RESP``, at the place where it lies;
* whatever is a text for people, a refusal above all, and how the castles stand, is a ``DIAG_OFFER``, and so is
  what it may choose to do;
* what the enemy may answer is told when it has happened.

Source: the Castle Wars specification, sections 4.4 to 4.9 and 8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from gamecore.games.castle import CastleView
from gamecore.games.castle.moves import AllowAction, Keep
from gamecore.rules import Move
from protocols.castle.original_dialogue import Dialogue
from protocols.castle.wire import NO_CARD, Message, Request

_UNNAMED = re.compile(r"(HAND_(1[1-9]|[2-9]\d)|(DISCARD|DECK)_(5[1-9]|[6-9]\d|\d{3}))$")
MOST_MISSED = 2
_ANSWERED_FOR_IT = ("ALLOW_ACTION", "GAME_START_ACCEPT")  # or sent without being asked


def is_original(request: Request) -> bool:
    """Tell by its JOIN_GAME whether a client is an original one."""
    beyond = request.fields.keys() & {"ROOM", "SOLO", "EXTENSIONS"}
    return request.command == "JOIN_GAME" and not beyond


def is_nameless(message: Message) -> bool:
    """Tell whether a question is about places alone that such a client has no names for."""
    region = message.get("VALID_REGION", [])
    return bool(region) and all(map(_UNNAMED.search, region))


class OriginalManner:
    """Says to one client what there is to say."""

    def __init__(self, castle_damage: bool) -> None:
        """With ``castle_damage`` castles are told of as by the original server, beyond the seed's table."""
        self.dialogue = Dialogue()
        self.missed = 0
        """How many decisions the clock has made since the client said anything."""
        self._castle_damage = castle_damage
        self._seat = 0
        self._names = {0: "", 1: ""}
        self._given: dict[str, int] = {}  # the cards that the client has, by their places
        self._health: dict[str, int] = {}
        self._told_health: dict[str, int] = {}

    def answer_for_it(self, board: CastleView, moves: Sequence[Move]) -> Move | None:
        """Give the answer that is given for the client, which waits for no leave and gives none.

        It is given for one who plays: the clock decides for whoever has let it decide before, again and again.
        """
        if self.missed >= MOST_MISSED:
            return None
        if board.stage == "window":
            return AllowAction()
        return Keep() if list(moves) == [Keep()] else None

    def translate(self, messages: Sequence[Message]) -> list[Message]:
        """Say the same in the commands that the client knows."""
        said = [each for message in messages for each in self._say(message)]
        return [*said, *self._tell_health()]

    def _say(self, message: Message) -> list[Message]:
        if message.get("SUCCESS") is False and message["COMMAND"] != "JOIN_GAME_RESP":
            return self.dialogue.tell(message["MESSAGE"])
        say = _SAYS.get(message["COMMAND"])
        held = message.get("PENDING") is True and say is not OriginalManner._activated
        return [] if say is None or held else say(self, message)

    # -- joining, and the beginning -------------------------------------------------------

    def _as_it_is(self, message: Message) -> list[Message]:
        return [message]

    def _joined(self, message: Message) -> list[Message]:
        if message["SUCCESS"]:
            self._seat = message["PLAYER_ID"]
        return [message]

    def _started(self, message: Message) -> list[Message]:
        """Give the first hand, behind taking back the one before."""
        self._names = {self._seat: message["MY_NAME"], 1 - self._seat: message["THEIR_NAME"]}
        top = message["MY_DECK_COUNT"] + len(message["DECK"])
        back = {place: f"MY_DECK_{top - at}" for at, place in enumerate(reversed(self._given))}
        self._given = dict(message["DECK"])
        return [*_moved(back), message]

    def _mulligan_offered(self, message: Message) -> list[Message]:
        text = f"Do you want another hand, of {message['HAND_SIZE']} cards?"
        return self.dialogue.ask(message["COMMAND"], text)

    def _castles_shown(self, message: Message) -> list[Message]:
        self._health = {side: message[f"{side}_HEALTH"] for side in ("MY", "THEIR")}
        if self._castle_damage:
            return [message]
        castles = {f"{side}_CASTLE": message[f"{side}_CASTLE"] for side in ("MY", "THEIR")}
        return self._give(castles)

    def _stands(self, message: Message) -> list[Message]:
        """Give all cards that there are to be seen, where something was left out."""
        hand = {f"MY_HAND_{at}": card for at, card in enumerate(message.get("MY_HAND", ()), 1)}
        field = {place: card["CARD_ID"] for place, card in message.get("FIELD", {}).items()}
        for side in ("MY", "THEIR"):
            self._health[side] = message.get(f"{side}_HEALTH", self._health.get(side, 0))
        return self._give({**hand, **field})

    # -- cards ----------------------------------------------------------------------------

    def _give(self, cards: Mapping[str, int], **marks: object) -> list[Message]:
        """Give cards that the client has not got, each at its place; one message for each owner."""
        given: list[Message] = []
        for side, seat in (("MY", self._seat), ("THEIR", 1 - self._seat)):
            drawn = [
                {"cardPos": place, "card": card}
                for place, card in cards.items()
                if place.startswith(side) and self._may_give(place, card)
            ]
            if drawn:
                given.append({"COMMAND": "DRAW_CARD_RESP", "USER_ID": seat, "DRAWN_CARDS": drawn})
        self._given.update({place: card for place, card in cards.items() if card != NO_CARD})
        return given

    def _may_give(self, place: str, card: int) -> bool:
        known = card != NO_CARD and not _UNNAMED.search(place)
        return known and self._given.get(place) != card

    def _drew(self, message: Message) -> list[Message]:
        drawn = message["DRAWN_CARDS"]
        hidden = {each["oldPos"]: each["cardPos"] for each in drawn if each["card"] == NO_CARD}
        seen = [each for each in drawn if each["card"] != NO_CARD]
        self._given.update({each["cardPos"]: each["card"] for each in seen})
        seen = [each for each in seen if not _UNNAMED.search(each["cardPos"])]
        told = [{**message, "DRAWN_CARDS": seen}] if seen else []
        return [*_moved(hidden), *told]

    def _played(self, message: Message) -> list[Message]:
        start, end, card = message["START_POS"], message["END_POS"], message["CARD_ID"]
        if card == NO_CARD:
            return _moved({start: end})
        if _UNNAMED.search(start):
            self._given.pop(start, None)
            return self._give({end: card})
        given = self._give({start: card})
        self._given[end] = self._given.pop(start)
        return [*given, message]

    def _moved_cards(self, message: Message) -> list[Message]:
        movements = message["CARD_MOVEMENTS"]
        cards = {target: self._given.pop(start, NO_CARD) for start, target in movements.items()}
        unnamed = [start for start in movements if _UNNAMED.search(start)]
        arrived = {movements[start]: cards[movements[start]] for start in unnamed}
        self._given.update(
            {
                place: card
                for place, card in cards.items()
                if card != NO_CARD and place not in arrived
            }
        )
        return [*_moved(movements), *self._give(arrived)]

    def _destroyed(self, message: Message) -> list[Message]:
        """Tell of one card at a time: a client lays all that are told together on one place."""
        said: list[Message] = []
        cards = [message[key] for key in ("CARD_LOCATIONS", "GRAVE_LOCATIONS", "CARD_IDS")]
        for place, grave, card in zip(*cards, strict=True):
            said += self._give({place: card})
            self._given.pop(place, None)
            self._given[grave] = card
            one = {"CARD_LOCATIONS": [place], "GRAVE_LOCATIONS": [grave], "CARD_IDS": [card]}
            said.append({**message, **one})
        return said

    def _activated(self, message: Message) -> list[Message]:
        """Give the card that is turned up; nothing else is to be told before it has done something."""
        return self._give({message["TRICKSTER_POS"]: message["CARD_ID"]})

    # -- what is chosen and what is told ---------------------------------------------------

    def _asked_for_card(self, message: Message) -> list[Message]:
        options = [each for each in message.get("OPTIONS", ()) if each["card"] != NO_CARD]
        region = [place for place in message["VALID_REGION"] if not _UNNAMED.search(place)]
        trigger = message["TRIGGER_POS"]
        if _UNNAMED.search(trigger):
            trigger = next(iter(region), "MY_CASTLE")
        asked = {**message, "VALID_REGION": region, "TRIGGER_POS": trigger, "OPTIONS": options}
        looked_at = {each["cardPos"]: each["card"] for each in options}
        # The places of a deck that is searched only tell the choices apart: no card lies there.
        return [*self._give({p: c for p, c in looked_at.items() if "_DECK_" not in p}), asked]

    def _asked(self, message: Message) -> list[Message]:
        return self.dialogue.ask(message["COMMAND"], message["MSG"])

    def _draw_offered(self, message: Message) -> list[Message]:
        return self.dialogue.ask(message["COMMAND"], "Do you want to draw a card?")

    def _attacked(self, message: Message) -> list[Message]:
        if message.get("RESULT") != "VOID" or message["PLAYER_ID"] != self._seat:
            return []
        return self.dialogue.tell("The attack was answered: it counts as not made.")

    def _levelled(self, message: Message) -> list[Message]:
        return [message] if "NEW_LEVEL" in message else []  # else the mage was gone before it rose

    def _castle_hit(self, message: Message) -> list[Message]:
        side = message["TARGET_POS"].partition("_")[0]
        self._health[side] = message["NEW_HEALTH"]
        return []

    def _castle_changed(self, message: Message) -> list[Message]:
        for side in ("MY", "THEIR"):
            self._health[side] = message.get(f"{side}_HEALTH", self._health.get(side, 0))
        return [message] if self._castle_damage else []

    def _tell_health(self) -> list[Message]:
        """Tell how the castles stand, where that has changed."""
        if self._castle_damage or self._health == self._told_health:
            return []
        first, self._told_health = not self._told_health, dict(self._health)
        if first:
            return []  # it is printed on them
        mine, theirs = self._health["MY"], self._health["THEIR"]
        enemy = self._names[1 - self._seat]
        return self.dialogue.tell(f"Your castle has {mine} left, that of {enemy} {theirs}.")

    def _over(self, message: Message) -> list[Message]:
        winner = message["WINNER_ID"]
        self._given, self._health, self._told_health = {}, {}, {}
        self.dialogue.start_anew()  # nothing that is answered from here on counts
        if winner == NO_CARD:
            ended = {key: value for key, value in message.items() if key != "WINNER_ID"}
            return [*self.dialogue.tell("The game is over: nobody has won."), ended]
        return [*self.dialogue.tell(f"The game is over: {self._names[winner]} has won."), message]

    def _failed(self, message: Message) -> list[Message]:
        if message["IN_REPLY_TO"] in _ANSWERED_FOR_IT:
            return []
        return self.dialogue.tell(message["MESSAGE"])


def _moved(movements: Mapping[str, str]) -> list[Message]:
    named = {
        start: target
        for start, target in movements.items()
        if not _UNNAMED.search(start) and not _UNNAMED.search(target)
    }
    return [{"COMMAND": "MOVE_CARD", "CARD_MOVEMENTS": named}] if named else []


_SAYS: Mapping[str, Callable[[OriginalManner, Message], list[Message]]] = {
    "JOIN_GAME_RESP": OriginalManner._joined,
    "PLAYER_JOINED": OriginalManner._as_it_is,
    "GAME_START": OriginalManner._started,
    "MULLIGAN_OFFER": OriginalManner._mulligan_offered,
    "SPAWN_CASTLES": OriginalManner._castles_shown,
    "STATE": OriginalManner._stands,
    "TURN_START": OriginalManner._as_it_is,
    "DRAW_CARD_RESP": OriginalManner._drew,
    "PLAY_CARD_RESP": OriginalManner._played,
    "MOVE_CARD": OriginalManner._moved_cards,
    "DESTROY_CARD_RESP": OriginalManner._destroyed,
    "SHUFFLE_DECK": OriginalManner._as_it_is,
    "LEVEL_MAGE_RESP": OriginalManner._levelled,
    "ACTIVATE_TRICKSTER_RESP": OriginalManner._activated,
    "ATTACK_CARD_RESP": OriginalManner._attacked,
    "CASTLE_ATTACK": OriginalManner._castle_hit,
    "CASTLE_DAMAGE": OriginalManner._castle_changed,
    "TARGET_CARD": OriginalManner._asked_for_card,
    "DIAG_OFFER": OriginalManner._asked,
    "DRAW_CARD_OFFER": OriginalManner._draw_offered,
    "GAME_END": OriginalManner._over,
    "ERROR": OriginalManner._failed,
}
