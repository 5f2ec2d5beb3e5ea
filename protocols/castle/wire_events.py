"""What happens in a duel, as messages to one of the players.

Source: the Castle Wars specification, sections 4.4 to 4.10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gamecore.events import Event
from gamecore.games.castle import CastleView, card_events, events
from gamecore.games.castle.moves import Spot
from gamecore.table_events import GameBegan, GameOver, Sat
from protocols.castle.followed_board import FollowedBoard
from protocols.castle.ongoing_actions import OngoingActions, ability_used
from protocols.castle.wire import NO_CARD, Message
from protocols.castle.wire_messages import (
    attack_made,
    card_number,
    card_played,
    castles_shown,
    game_ended,
    player_list,
    turn_began,
)
from protocols.i18n.sanitize import clean


class EventWriter:
    """Writes what happens for the one in a seat, who hears it message by message and knows nothing else."""

    def __init__(self, seat: int, legacy_castle_damage: bool = False) -> None:
        """With ``legacy_castle_damage`` a hit on a castle is told in the older way too."""
        self.seat = seat
        self._legacy_castle_damage = legacy_castle_damage
        self._board = FollowedBoard(seat)
        self._actions = OngoingActions()
        self._to_shuffle = [
            False,
            False,
        ]  # decks to be told of once what was found in them is there
        self._names: Sequence[str] = ()
        self._before: type | None = None  # the kind of the event before this one
        self._next: Event | None = None
        self._written: list[Message] = []

    def see(self, board: CastleView) -> None:
        """Go on from a View that the reader was just shown."""
        self._board.see(board)
        self._actions.see(board.action, self.seat)

    def remember_hand(self, board: CastleView) -> None:
        """Keep in mind what is in the reader's own hand."""
        self._board.remember_hand(board)

    def write(self, happened: Sequence[Event], names: Sequence[str]) -> Sequence[Message]:
        """Write the events of one command; ``names`` are those of the seats."""
        self._written, self._names, self._before = [], names, None
        for event, following in zip(happened, [*happened[1:], None], strict=True):
            self._next = following
            write = _WRITERS.get(type(event))
            if write is not None:
                write(self, event)
            self._before = type(event)
        return self._written

    # -- messages -----------------------------------------------------------------------

    def _add(self, command: str, **fields: object) -> None:
        self._written.append({"COMMAND": command, **fields})

    @property
    def _last(self) -> Message:
        return self._written[-1] if self._written else {}

    def _move(self, movements: Mapping[str, str]) -> None:
        self._add("MOVE_CARD", CARD_MOVEMENTS=dict(movements))

    def _close_gap(self, seat: int, hand: int) -> None:
        movements = self._board.moved_down(seat, hand)
        if movements:
            self._move(movements)

    def _destroy(self, position: str, grave: str, card: int) -> None:
        """Say that a card is destroyed, together with those that were just before it."""
        marks, last = self._actions.result_marks(), self._last
        together = self._before is card_events.Destroyed and last["COMMAND"] == "DESTROY_CARD_RESP"
        if together and last.get("ACTION_ID") == marks.get("ACTION_ID"):
            last["CARD_LOCATIONS"].append(position)
            last["GRAVE_LOCATIONS"].append(grave)
            last["CARD_IDS"].append(card)
            return
        cards = {"CARD_LOCATIONS": [position], "GRAVE_LOCATIONS": [grave], "CARD_IDS": [card]}
        self._add("DESTROY_CARD_RESP", **{**cards, "IN_RESPONSE": False, **marks})

    # -- the table, and the turns of the game ---------------------------------------------

    def _sat(self, event: Sat) -> None:
        if event.seat != self.seat:
            self._add("PLAYER_JOINED", USERNAME=clean(event.name), PLAYER_ID=event.seat)

    def _game_began(self, event: GameBegan) -> None:
        self._add("GAME_INIT", PLAYER_LIST=player_list(event.names))

    def _game_over(self, event: GameOver) -> None:
        self._written.append(game_ended(event.outcome))

    def _duel_began(self, event: events.DuelBegan) -> None:
        self._board.deal(event.hands, event.decks)

    def _hand_redrawn(self, event: events.HandRedrawn) -> None:
        self._board.redraw(event.seat, event.count)

    def _hand_dealt(self, event: events.HandDealt) -> None:
        self._written += self.first_hand(event.cards, self._names)

    def first_hand(self, cards: Sequence[int], names: Sequence[str]) -> Sequence[Message]:
        """Show the hand that a player begins with, and offer another one if there may be one."""
        board, seat = self._board, self.seat
        hand = {board.place(seat, "hand", slot): card for slot, card in enumerate(cards)}
        start: Message = {
            "COMMAND": "GAME_START",
            "PLAYER_ID": seat,
            "MY_NAME": clean(names[seat]),
            "THEIR_NAME": clean(names[1 - seat]),
            "DECK": hand,
            "MY_DECK_COUNT": board.decks[seat],
            "THEIR_DECK_COUNT": board.decks[1 - seat],
            "THEIR_HAND_COUNT": board.hands[1 - seat],
        }
        offer = {"COMMAND": "MULLIGAN_OFFER", "HAND_SIZE": len(cards) - 1}
        return [start, offer] if len(cards) > 1 else [start]

    def _castles_shown(self, event: events.CastlesShown) -> None:
        shown = castles_shown(event.castles, event.healths, event.hands, self.seat)
        self._written.append(shown)

    def _turn_began(self, event: events.TurnBegan) -> None:
        self._written.append(turn_began(event.number, event.seat, self._names))

    # -- actions and answers --------------------------------------------------------------

    def _announced(self, event: events.Announced) -> None:
        announcement = self._announcement(event)
        self._actions.begin(event.number, announcement)
        if event.doing == "play" and event.source is not None:
            self._board.take_from_hand(event.seat, event.source.slot)
        elif event.doing == "ability" and not isinstance(self._next, events.AnswerAwaited):
            self._written.append(announcement)

    def _announcement(self, event: events.Announced) -> Message:
        source = "" if event.source is None else self._board.position(event.source)
        target = "" if event.target is None else self._board.position(event.target)
        match event.doing:
            case "draw":
                return {"COMMAND": "DRAW_CARD_RESP", "USER_ID": event.seat, "DRAWN_CARDS": []}
            case "play":
                return card_played(event.seat, event.card, source, target)
            case "level":
                return {"COMMAND": "LEVEL_MAGE_RESP", "SUCCESS": True, "TARGET": source}
            case "attack":
                return {**attack_made(event.seat, source, target), "RESULT": "PENDING"}
        return {
            "COMMAND": "ACTIVATE_TRICKSTER_RESP",
            "TRICKSTER_POS": source,
            "TARGET": source,
            "CARD_ID": card_number(event.card),
            "PLAYER_ID": event.seat,
            "RESPONSE_USER_ID": event.seat,
            "ABILITY": event.ability,
        }

    def _answer_awaited(self, event: events.AnswerAwaited) -> None:
        if self._before is not events.Answered:  # which named who is asked
            self._written += self._actions.hold(event.seat, self.seat)

    def _answered(self, event: events.Answered) -> None:
        asked = self._next.seat if isinstance(self._next, events.AnswerAwaited) else NO_CARD
        used = ability_used(self._board.position(event.source), event.card, 1 - event.seat)
        if event.source.zone != "trickster":
            used["ABILITY"] = event.ability
        self._written.append(self._actions.answer(event.number, used, asked))

    def _action_over(self, event: events.ActionOver) -> None:
        self._written += self._actions.end(event.number, event.result)

    # -- hands and decks ------------------------------------------------------------------

    def _drew(self, event: card_events.Drew | card_events.Fetched) -> None:
        board, seat = self._board, event.seat
        board.hands[seat], board.decks[seat] = event.hand + 1, event.left
        drawn = {
            "cardPos": board.place(seat, "hand", event.hand),
            "oldPos": board.place(seat, "deck", event.left),
            "card": card_number(event.card),
        }
        last = self._last
        if self._before is type(event) is card_events.Drew and last.get("USER_ID") == seat:
            last["DRAWN_CARDS"].append(drawn)
        else:
            marks = self._actions.result_marks()
            self._add("DRAW_CARD_RESP", USER_ID=seat, DRAWN_CARDS=[drawn], **marks)

    def _overflowed(self, event: card_events.Overflowed) -> None:
        board = self._board
        board.decks[event.seat] = event.left
        grave = board.place(event.seat, "discard", event.discard)
        self._destroy(board.place(event.seat, "deck", event.left), grave, event.card)

    def _shuffled(self, event: card_events.Shuffled) -> None:
        self._board.decks[event.seat] = event.left
        self._tell_of_shuffle(event.seat)

    def _tell_of_shuffle(self, seat: int) -> None:
        """Say that a deck was shuffled, once what was found in it has arrived."""
        self._to_shuffle[seat] = self._board.awaits_arrival(seat)
        if not self._to_shuffle[seat]:
            self._add("SHUFFLE_DECK", DECK={"COUNT": self._board.decks[seat]}, USER_ID=seat)

    def _discarded(self, event: card_events.Discarded) -> None:
        board, seat = self._board, event.seat
        position = board.place(seat, "hand", event.hand)
        grave = board.place(seat, "discard", event.discard)
        if seat == self.seat:
            self._move({position: grave})
        else:
            self._destroy(position, grave, event.card)
        board.hands[seat] -= 1
        self._close_gap(seat, event.hand)

    # -- the field ------------------------------------------------------------------------

    def _put_down(self, event: card_events.PutDown) -> None:
        self._board.put_down(event)

    def _entered(self, event: card_events.Entered) -> None:
        board, seat, gap = self._board, event.seat, None
        if event.source == "deck":
            start = board.arrive_from_deck(seat)
        else:
            start, gap = board.arrive_from_hand(seat)
        entry = card_played(seat, event.card, start, board.position(event.spot))
        self._written.append({**entry, **self._actions.result_marks()})
        if gap is not None:
            self._close_gap(seat, gap)
        if self._to_shuffle[seat]:
            self._tell_of_shuffle(seat)

    def _destroyed(self, event: card_events.Destroyed) -> None:
        grave = self._board.place(event.owner, "discard", event.discard)
        self._destroy(self._board.position(event.spot), grave, event.card)

    def _spent(self, event: card_events.Spent) -> None:
        grave = self._board.place(event.spot.seat, "discard", event.discard)
        self._move({self._board.position(event.spot): grave})

    def _changed_sides(self, event: card_events.ControlChanged) -> None:
        target = event.target
        if target is None:
            target = Spot(event.owner, "discard", event.discard or 0)
        movement = {self._board.position(event.source): self._board.position(target)}
        if self._before is card_events.ControlChanged:
            self._last["CARD_MOVEMENTS"].update(movement)
        else:
            self._move(movement)

    # -- battles and castles --------------------------------------------------------------

    def _levelled(self, event: card_events.Levelled) -> None:
        target = self._board.position(event.spot)
        level = {"SUCCESS": True, "NEW_LEVEL": event.level, "TARGET": target}
        self._add("LEVEL_MAGE_RESP", **level, **self._actions.result_marks())

    def _fought(self, event: card_events.Fought) -> None:
        attacker, target = map(self._board.position, (event.attacker, event.target))
        attack = attack_made(event.attacker.seat, attacker, target)
        result = {"RESULT": event.result.upper(), **self._actions.result_marks()}
        self._written.append({**attack, **result})

    def _castle_changed(self, event: card_events.CastleChanged) -> None:
        source = event.source if event.cause == "attack" else None
        if source is not None:
            castle = self._board.place(event.seat, "castle")
            attack = {"TRIGGER_POS": self._board.position(source), "TARGET_POS": castle}
            self._add("CASTLE_ATTACK", **attack, NEW_HEALTH=event.health)
        if source is None or self._legacy_castle_damage:
            whose = "MY_HEALTH" if event.seat == self.seat else "THEIR_HEALTH"
            self._add("CASTLE_DAMAGE", **{whose: event.health})


_WRITERS: Mapping[type, Callable[[EventWriter, Any], None]] = {
    Sat: EventWriter._sat,
    GameBegan: EventWriter._game_began,
    GameOver: EventWriter._game_over,
    events.DuelBegan: EventWriter._duel_began,
    events.HandRedrawn: EventWriter._hand_redrawn,
    events.HandDealt: EventWriter._hand_dealt,
    events.CastlesShown: EventWriter._castles_shown,
    events.TurnBegan: EventWriter._turn_began,
    events.Announced: EventWriter._announced,
    events.AnswerAwaited: EventWriter._answer_awaited,
    events.Answered: EventWriter._answered,
    events.ActionOver: EventWriter._action_over,
    card_events.Drew: EventWriter._drew,
    card_events.Fetched: EventWriter._drew,
    card_events.Overflowed: EventWriter._overflowed,
    card_events.Shuffled: EventWriter._shuffled,
    card_events.Discarded: EventWriter._discarded,
    card_events.PutDown: EventWriter._put_down,
    card_events.Entered: EventWriter._entered,
    card_events.Destroyed: EventWriter._destroyed,
    card_events.Spent: EventWriter._spent,
    card_events.ControlChanged: EventWriter._changed_sides,
    card_events.Levelled: EventWriter._levelled,
    card_events.Fought: EventWriter._fought,
    card_events.CastleChanged: EventWriter._castle_changed,
}
