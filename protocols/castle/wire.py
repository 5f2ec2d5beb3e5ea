"""The wire of Castle Wars: one JSON object a line, as the Castle Wars specification says in section 4.

Every object has a text ``COMMAND``; keys are upper case (lower case is accepted), positions are named as their
reader sees them (``wire_positions``), ids of cards that the reader may not know are -1.  A line that does not begin
with a brace is words: a connection whose first line is words speaks those of the lobby, with this one game.

A client whose JOIN_GAME has neither ROOM nor SOLO nor EXTENSIONS, and that has said nothing beyond the seed before,
is taken for an original one: it hears all this in the few commands that the original reads (see ``original``), is
asked and told in words by DIAG_OFFER alone, and lets every action happen at once.  ``"EXTENSIONS":false`` is enough
to be no such client.

From the client::

    {"COMMAND":"JOIN_GAME","USERNAME":"red","DECK_DATA":[10,10,...,3],"PASSWORD":""}
        also ROOM (the code of a room), SOLO (true, or easy, normal, hard: play against the computer),
        EXTENSIONS (true: keep my seat when the link breaks, and send CARD_STATE)
    {"COMMAND":"TERMINATE_CONN"}
    {"COMMAND":"GAME_START_ACCEPT"}     {"COMMAND":"GAME_START_MULLIGAN"}
    {"COMMAND":"DRAW_CARD"}             {"COMMAND":"DRAW_CARD_OFFER_IGNORE"}
    {"COMMAND":"PLAY_CARD","START_POS":"MY_HAND_2","END_POS":"MY_SOLDIER_1","CARD_ID":10,"ABILITY_TRIGGERED":false}
    {"COMMAND":"LEVEL_MAGE","TARGET":"MY_MAGE_1"}      or LEVEL_MAGE_RESP without OPT, or with OPT true
    {"COMMAND":"ATTACK_CARD","ATTACKER":"MY_SOLDIER_1","TARGET":"THEIR_CASTLE"}
    {"COMMAND":"TURN_END"}
    {"COMMAND":"ACTIVATE_TRICKSTER","TARGET":"MY_TRICKSTER_1"}      CARD_POS may name what it is to be about
    {"COMMAND":"DESTROY_CARD","CARD_POS":"THEIR_MAGE_1"}            SOURCE_POS says by which trickster
    {"COMMAND":"ALLOW_ACTION"}
    {"COMMAND":"TARGET_CARD_RESP","CARD_POS":"MY_SOLDIER_1"}        or CHOOSE_COST_RESP; without CARD_POS: no more
    {"COMMAND":"DIAG_RESP","BOOL":true}
    {"COMMAND":"RETURN_CARD","START_POS":"MY_HAND_1"}               always refused: no card does that

and beyond the seed::

    {"COMMAND":"ACTIVATE_ABILITY","TARGET":"MY_SOLDIER_1","INDEX":1}
    {"COMMAND":"STATE_REQUEST"}
    {"COMMAND":"ROOM_LIST"}             {"COMMAND":"ROOM_CREATE","GAME_NAME":"Friday","PASSWORD":"","PRIVATE":false}
    {"COMMAND":"REJOIN_GAME","TOKEN":"K7QX2.0a1b..."}

To the client::

    {"COMMAND":"JOIN_GAME_RESP","SUCCESS":true,"PLAYER_LIST":{},"PLAYER_ID":0,"ROOM":"K7QX2"}
        and a TOKEN where the seat is kept
    {"COMMAND":"JOIN_GAME_RESP","SUCCESS":false,"MESSAGE":"...","CODE":"BAD_DECK"}
        the link ends behind it
    {"COMMAND":"PLAYER_JOINED","USERNAME":"blue","PLAYER_ID":1}
    {"COMMAND":"GAME_INIT","PLAYER_LIST":{"0":"red","1":"blue"}}
    {"COMMAND":"GAME_START","PLAYER_ID":0,"MY_NAME":"red","THEIR_NAME":"blue","DECK":{"MY_HAND_1":24},
     "MY_DECK_COUNT":44,"THEIR_DECK_COUNT":44,"THEIR_HAND_COUNT":6}
    {"COMMAND":"MULLIGAN_OFFER","HAND_SIZE":5}
    {"COMMAND":"SPAWN_CASTLES","MY_CASTLE":3,"THEIR_CASTLE":4,"MY_HEALTH":140,"THEIR_HEALTH":75,"THEIR_HAND_COUNT":6}
    {"COMMAND":"TURN_START","PLAYER_ID":0,"USERNAME":"red","TURN":1}
    {"COMMAND":"DRAW_CARD_RESP","USER_ID":0,"DRAWN_CARDS":[{"cardPos":"MY_HAND_7","oldPos":"MY_DECK_44","card":33}]}
    {"COMMAND":"PLAY_CARD_RESP","PLAYER_ID":0,"CARD_ID":50,"START_POS":"MY_HAND_1","END_POS":"MY_MAGE_1","SUCCESS":true}
    {"COMMAND":"MOVE_CARD","CARD_MOVEMENTS":{"MY_TRICKSTER_2":"MY_DISCARD_1"}}
    {"COMMAND":"SHUFFLE_DECK","DECK":{"COUNT":43},"USER_ID":0}
    {"COMMAND":"ATTACK_CARD_RESP","ATTACKER":"MY_SOLDIER_1","TARGET":"THEIR_CASTLE","PLAYER_ID":0,"SUCCESS":true,
     "RESULT":"CASTLE"}                                  or WIN, LOSE, BOTH, VOID
    {"COMMAND":"CASTLE_ATTACK","TRIGGER_POS":"MY_SOLDIER_1","TARGET_POS":"THEIR_CASTLE","NEW_HEALTH":70}
    {"COMMAND":"CASTLE_DAMAGE","MY_HEALTH":125}          or THEIR_HEALTH
    {"COMMAND":"DESTROY_CARD_RESP","CARD_LOCATIONS":["MY_SOLDIER_1"],"GRAVE_LOCATIONS":["MY_DISCARD_1"],
     "CARD_IDS":[24],"IN_RESPONSE":false}
    {"COMMAND":"LEVEL_MAGE_RESP","SUCCESS":true,"NEW_LEVEL":2,"TARGET":"MY_MAGE_1"}
    {"COMMAND":"ACTIVATE_TRICKSTER_RESP","TRICKSTER_POS":"THEIR_TRICKSTER_2","TARGET":"THEIR_TRICKSTER_2",
     "CARD_ID":30,"RESPONSE_USER_ID":0,"IN_RESPONSE":true,"PENDING":true,"ACTION_ID":7,"AWAITED":0}
        of an ability too, with ABILITY, its number on the card
    {"COMMAND":"TARGET_CARD","TRIGGER_POS":"MY_HAND_1","VALID_REGION":["MY_SOLDIER_1"],"MSG":"...","CANCELLABLE":true}
        and OPTIONS, [{"cardPos":"MY_DECK_1","card":16}], where the cards do not lie there for all to see
    {"COMMAND":"DIAG_OFFER","MSG":"..."}
    {"COMMAND":"DRAW_CARD_OFFER","ID":7,"START_POS":"MY_DECK_44","END_POS":"MY_HAND_7"}
    {"COMMAND":"GAME_END","WINNER_ID":0,"REASON":"CASTLE"}
        or DECK_OUT, DRAW, LEFT, TIMEOUT (who was away for too long has lost), VOID; nobody wins: -1

and beyond the seed::

    {"COMMAND":"ERROR","CODE":"WRONG_PHASE","MESSAGE":"...","IN_REPLY_TO":"TURN_END"}
    {"COMMAND":"CARD_STATE","POS":"MY_SOLDIER_1","CARD_ID":24,"POINTS":5,"LEVEL":0,"STUNNED":false}
    {"COMMAND":"ROOM_LIST_RESP","ROOMS":[{"ROOM":"K7QX2","GAME_NAME":"Friday","PLAYER_COUNT":1,"MAX_PLAYERS":2,
     "IS_PASSWORDED":false}]}
    {"COMMAND":"ROOM_CREATE_RESP","SUCCESS":true,"ROOM":"K7QX2"}
    {"COMMAND":"STATE","ROOM":"K7QX2","STAGE":"TURN","PLAYER_ID":0,"PLAYER_LIST":{"0":"red","1":"blue"},"AWAITED":[0],
     "TURN":3,"ACTIVE_ID":0,"TO_DRAW":true,"SECONDS":90,"ACTION_ID":null,"MY_CASTLE":3,"MY_HEALTH":140,"MY_HAND":[24],
     "MY_DECK_COUNT":44,"MY_DISCARD":[],"THEIR_CASTLE":4,"THEIR_HEALTH":75,"THEIR_HAND":[-1],"THEIR_DECK_COUNT":44,
     "THEIR_DISCARD":[],"FIELD":{"MY_SOLDIER_1":{"CARD_ID":24,"POINTS":5,"LEVEL":0,"STUNNED":false}}}

What is held for an answer has PENDING true, its ACTION_ID, and AWAITED, the seat that may answer; its results have
PENDING false and the same ACTION_ID.  A move that is refused is told in the reply of its own command, with SUCCESS
false, CODE and MESSAGE, where that has such a reply, else by ERROR.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from gamecore.errors import Refused
from protocols.net.line_reader import LineReader

LIMIT = 16_384
MOST_TOLD = 256 * 1024  # bytes of a message to a client
NO_CARD = -1  # stands for a card that the reader may not know
TOKEN_LIMIT = 200

Message = dict[str, Any]


class Fault(Exception):
    """What was sent cannot even be tried; ``code`` is the wire's word for why."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@frozen
class Request:
    """One command of a client's, with the fields that it gave."""

    command: str
    fields: Mapping[str, Any]

    def text(self, key: str, default: str | None = None, most: int = 200) -> str:
        """Read a text; raises Fault."""
        value = self.fields.get(key, default)
        if not isinstance(value, str) or len(value) > most:
            raise Fault("MALFORMED", f"{key} is a text")
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Read a yes or no; raises Fault."""
        value = self.fields.get(key, default)
        if not isinstance(value, bool):
            raise Fault("MALFORMED", f"{key} is true or false")
        return value

    def number(self, key: str, default: int | None = None) -> int:
        """Read a whole number, also one written as 7.0; raises Fault."""
        number = whole(self.fields.get(key, default))
        if number is None:
            raise Fault("MALFORMED", f"{key} is a number")
        return number


def whole(value: object) -> int | None:
    """Read a whole number out of what JSON made of it."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def parse(line: str) -> Request | None:
    """Read one object; None for the empty one that stock clients send; raises Fault."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Fault("MALFORMED", "that is no JSON object") from None
    if not isinstance(found, dict):
        raise Fault("MALFORMED", "that is no JSON object")
    if not found:
        return None
    fields = {key.upper(): value for key, value in found.items()}
    command = fields.get("COMMAND")
    if not isinstance(command, str):
        raise Fault("MALFORMED", "an object has a COMMAND")
    return Request(command, fields)


def write_request(command: str, **fields: object) -> bytes:
    """Write one command of a client's, as `parse` reads it."""
    return render([{"COMMAND": command, **fields}])


def read(line: str) -> Message:
    """Read one message to a client, as `render` writes it; raises ValueError for what is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("that is no JSON object") from None
    if not isinstance(message, dict) or "COMMAND" not in message:
        raise ValueError("an object has a COMMAND")
    return message


class MessageReader(LineReader[Message]):
    """Cuts what a client is sent into messages."""

    def __init__(self) -> None:
        super().__init__(read, MOST_TOLD)


def read_deck(given: object) -> Sequence[int]:
    """Read the numbers of a deck, its castle last; raises Fault for what is none."""
    if not isinstance(given, list):
        raise Fault("MALFORMED", "DECK_DATA is a list of numbers")
    numbers = [whole(each) for each in given]
    if None in numbers:
        raise Fault("BAD_DECK", "DECK_DATA is a list of numbers")
    return [each for each in numbers if each is not None]


def render(messages: Sequence[Message]) -> bytes:
    """Write messages, one a line."""
    lines = [json.dumps(each, separators=(",", ":")) + "\n" for each in messages]
    return "".join(lines).encode("ascii")


# -- codes ----------------------------------------------------------------------------

JOIN_CODES: Mapping[str, str] = {
    "wrong-password": "BAD_PASSWORD",
    "password-needed": "BAD_PASSWORD",
    "no-password-wanted": "BAD_PASSWORD",
    "password-too-long": "BAD_PASSWORD",
    "too-many-guesses": "BAD_PASSWORD",
    "table-full": "LOBBY_FULL",
    "seat-taken": "LOBBY_FULL",
    "seat-kept": "LOBBY_FULL",
    "game-began": "LOBBY_FULL",
    "hall-full": "LOBBY_FULL",
    "draining": "LOBBY_FULL",
    "name-taken": "NAME_TAKEN",
    "no-name": "BAD_NAME",
    "name-too-long": "BAD_NAME",
    "name-in-brackets": "BAD_NAME",
    "no-such-table": "NO_SUCH_ROOM",
    "table-closed": "NO_SUCH_ROOM",
    "restarted": "GAME_VOID",
    "unknown-token": "BAD_TOKEN",
    "lost-by-absence": "BAD_TOKEN",
    "no-such-level": "MALFORMED",
    "too-fast": "TOO_FAST",
    "too-many-passwords": "TOO_FAST",
    "too-many-seats": "TOO_FAST",
    "too-many-tables": "TOO_FAST",
    "too-many-waiting": "TOO_FAST",
}
CODES: Mapping[str, str] = {
    "not-your-turn": "NOT_YOUR_TURN",
    "enemy-answers": "WINDOW_OPEN",
    "answer-first": "WINDOW_OPEN",
    "not-offered": "BAD_TARGET",
    "bad-target": "BAD_TARGET",
    "wrong-cost": "BAD_TARGET",
    "not-seated": "NOT_JOINED",
    "no-such-card": "EMPTY_POSITION",
    "no-such-slot": "BAD_POSITION",
    "one-soldier-a-turn": "LIMIT_REACHED",
    "one-mage-a-turn": "LIMIT_REACHED",
    "just-arrived": "LIMIT_REACHED",
    "already-levelled": "LIMIT_REACHED",
    "ability-used": "LIMIT_REACHED",
    "cost-unpayable": "COST_UNPAYABLE",
    "slot-taken": "SLOT_TAKEN",
    "level-too-low": "LEVEL_TOO_LOW",
    "card-stunned": "STUNNED",
    "cannot-attack": "WRONG_TYPE",
    "already-attacked": "ALREADY_ATTACKED",
    "hand-too-small": "NOT_ALLOWED",
    "nothing-to-do": "NOT_ALLOWED",
    "no-such-ability": "NOT_ALLOWED",
    "not-by-choice": "NOT_ALLOWED",
    "no-attack-on-first-turn": "NOT_ALLOWED",
    "top-level": "NOT_ALLOWED",
    "line-too-long": "LINE_TOO_LONG",
    "not-utf-8": "MALFORMED",
    "too-fast": "TOO_FAST",
    "too-many-passwords": "TOO_FAST",
    "too-many-tables": "TOO_FAST",
    "too-many-waiting": "TOO_FAST",
}


def code_of(refusal: Refused) -> str:
    """Find the wire's word for why something was refused in a game."""
    return CODES.get(refusal.key, "WRONG_PHASE")


def join_code(refusal: Refused) -> str:
    """Find the wire's word for why somebody may not join."""
    if refusal.key.startswith("deck-"):
        return "BAD_DECK"
    return JOIN_CODES.get(refusal.key, "NOT_ALLOWED")


def error(code: str, text: str, reply_to: str = "") -> Message:
    """Say that something was not taken."""
    return {"COMMAND": "ERROR", "CODE": code, "MESSAGE": text, "IN_REPLY_TO": reply_to}
