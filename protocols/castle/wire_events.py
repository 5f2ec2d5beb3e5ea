"""What happens in a duel, as messages to one of the players.

A reader follows the duel by positions, so what they are worth in between must be known here: how many cards each
hand and deck has, and which card is on its way from a hand to the field.  The reader sees that one in the hand
until it has arrived (specification, section 5.5); the rules have taken it out by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamecore.events import Event
from gamecore.games.castle import CastleView, card_events
from gamecore.games.castle import events as castle_events
from gamecore.games.castle.effect_schema import Zone
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import HandCard
from gamecore.table_events import GameBegan, GameOver, Sat
from protocols.castle.messages import (
    Held,
    announce,
    attacked,
    game_end,
    played,
    player_list,
    spawn_castles,
    turn_start,
)
from protocols.castle.places import name_of
from protocols.castle.wire import NO_CARD, Message
from protocols.i18n.sanitize import clean


class Teller:
    """Tells one player what happens."""

    def __init__(self, seat: int, both: bool = False) -> None:
        """With ``both`` a hit on a castle is told in the older way too."""
        self.seat = seat
        self._both = both
        self._hands = [0, 0]
        self._decks = [0, 0]
        self._whole = [0, 0]  # cards in hand and deck before the first turn
        self._leaving: list[int | None] = [None, None]  # the hand's place of a card on its way
        self._coming = [0, 0]  # cards on their way from a deck, which the reader sees there
        self._to_shuffle = [False, False]
        self._held: Sequence[HandCard] = ()  # the own hand when it was seen last
        self._action: Held | None = None
        self._answers: list[Held] = []
        self._out: list[Message] = []
        self._last: type | None = None

    def follow(self, board: CastleView) -> None:
        """Go on from a View that the reader was just shown."""
        for seat, side in enumerate(board.sides):
            self._hands[seat], self._decks[seat] = len(side.hand), side.deck_count
            self._whole[seat] = len(side.hand) + side.deck_count
        self._leaving, self._coming = [None, None], [0, 0]
        action = board.action
        self._action, self._answers = None, []
        if action is not None:
            news = {"COMMAND": "ACTIVATE_TRICKSTER_RESP", "PLAYER_ID": action.seat}
            self._action = Held(action.number, action.seat, news, True)
            for each in action.answers:
                where = name_of(each.source, self.seat) if each.source else ""
                self._answers.append(Held(each.number, each.seat, self._turned_up(where, each)))

    def hold(self, board: CastleView) -> None:
        """Keep in mind what is in the own hand."""
        self._held = board.sides[self.seat].hand

    def _turned_up(self, where: str, answer: Any) -> Message:
        return {
            "COMMAND": "ACTIVATE_TRICKSTER_RESP",
            "TRICKSTER_POS": where,
            "TARGET": where,
            "CARD_ID": answer.card,
            "RESPONSE_USER_ID": 1 - answer.seat,
        }

    def tell(self, events: Sequence[Event], names: Sequence[str]) -> Sequence[Message]:
        """Say what the events of one command say to this player."""
        self._out, self._last = [], None
        for at, event in enumerate(events):
            following = events[at + 1] if at + 1 < len(events) else None
            self._tell(event, names, following)
            self._last = type(event)
        return self._out

    # -- words and places -------------------------------------------------------------

    def _say(self, command: str, **fields: object) -> None:
        self._out.append({"COMMAND": command, **fields})

    def _at(self, spot: Spot) -> str:
        """Name a place, a hand's with the card counted that is still on its way."""
        leaving = self._leaving[spot.seat]
        if spot.zone == "hand" and leaving is not None and spot.slot >= leaving:
            spot = Spot(spot.seat, "hand", spot.slot + 1)
        elif spot.zone == "deck":
            spot = Spot(spot.seat, "deck", spot.slot + self._coming[spot.seat])
        return name_of(spot, self.seat)

    def _place(self, seat: int, zone: Zone, slot: int = 0) -> str:
        return self._at(Spot(seat, zone, slot))

    def _card(self, card: int | None) -> int:
        return NO_CARD if card is None else card

    def _marks(self) -> Message:
        """Say what a result belongs to: the answer being carried out, or an action that was held."""
        held = self._answers[-1] if self._answers else self._action
        if held is None or not (self._answers or held.pending):
            return {}
        held.told = True
        return {
            "IN_RESPONSE": bool(self._answers),
            "PENDING": False,
            "ACTION_ID": held.number,
        }

    # -- one event --------------------------------------------------------------------

    def _tell(self, event: Event, names: Sequence[str], following: Event | None) -> None:
        match event:
            case Sat() | GameBegan() | GameOver():
                self._tell_of_table(event, names)
            case (
                castle_events.DuelBegan()
                | castle_events.HandDealt()
                | castle_events.HandRedrawn()
                | castle_events.CastlesShown()
                | castle_events.TurnBegan()
            ):
                self._tell_of_turns(event, names)
            case (
                castle_events.Announced()
                | castle_events.AnswerAwaited()
                | castle_events.Answered()
                | castle_events.ActionOver()
            ):
                self._tell_of_actions(event, following)
            case (
                card_events.Drew()
                | card_events.Fetched()
                | card_events.Overflowed()
                | card_events.Shuffled()
                | card_events.Discarded()
            ):
                self._tell_of_hands(event)
            case (
                card_events.PutDown()
                | card_events.Entered()
                | card_events.Destroyed()
                | card_events.Spent()
                | card_events.ControlChanged()
            ):
                self._tell_of_field(event)
            case card_events.Levelled() | card_events.Fought() | card_events.CastleChanged():
                self._tell_of_fights(event)

    def _tell_of_table(self, event: Sat | GameBegan | GameOver, names: Sequence[str]) -> None:
        match event:
            case Sat(seat, name):
                if seat != self.seat:
                    self._say("PLAYER_JOINED", USERNAME=clean(name), PLAYER_ID=seat)
            case GameBegan(_, seated):
                self._say("GAME_INIT", PLAYER_LIST=player_list(seated))
            case GameOver(_, outcome):
                self._out.append(game_end(outcome))

    def _tell_of_turns(
        self,
        event: castle_events.DuelBegan
        | castle_events.HandDealt
        | castle_events.HandRedrawn
        | castle_events.CastlesShown
        | castle_events.TurnBegan,
        names: Sequence[str],
    ) -> None:
        match event:
            case castle_events.DuelBegan():
                self._hands, self._decks = [*event.hands], [*event.decks]
                self._whole = [sum(pair) for pair in zip(event.hands, event.decks, strict=True)]
            case castle_events.HandRedrawn(seat, count):
                self._hands[seat], self._decks[seat] = count, self._whole[seat] - count
            case castle_events.HandDealt(_, cards):
                self._out += self.first_hand(cards, names)
            case castle_events.CastlesShown(castles, healths, hands):
                self._out.append(spawn_castles(castles, healths, hands, self.seat))
            case castle_events.TurnBegan(turn, seat):
                self._out.append(turn_start(turn, seat, names))

    def first_hand(self, cards: Sequence[int], names: Sequence[str]) -> Sequence[Message]:
        """Show the hand that a player begins with, and offer another one if there may be one."""
        start: Message = {
            "COMMAND": "GAME_START",
            "PLAYER_ID": self.seat,
            "MY_NAME": clean(names[self.seat]),
            "THEIR_NAME": clean(names[1 - self.seat]),
            "DECK": {self._place(self.seat, "hand", at): card for at, card in enumerate(cards)},
            "MY_DECK_COUNT": self._decks[self.seat],
            "THEIR_DECK_COUNT": self._decks[1 - self.seat],
            "THEIR_HAND_COUNT": self._hands[1 - self.seat],
        }
        offer = {"COMMAND": "MULLIGAN_OFFER", "HAND_SIZE": len(cards) - 1}
        return [start, offer] if len(cards) > 1 else [start]

    # -- actions and answers ----------------------------------------------------------

    def _tell_of_actions(
        self,
        event: castle_events.Announced
        | castle_events.AnswerAwaited
        | castle_events.Answered
        | castle_events.ActionOver,
        following: Event | None,
    ) -> None:
        match event:
            case castle_events.Announced():
                self._announce(event, following)
            case castle_events.AnswerAwaited(seat):
                self._await(seat)
            case castle_events.Answered(number, seat, _, _, source, ability):
                asked = (
                    following.seat
                    if isinstance(following, castle_events.AnswerAwaited)
                    else NO_CARD
                )
                news = self._turned_up(self._at(source), event)
                if source.zone != "trickster":
                    news["ABILITY"] = ability
                held = Held(number, seat, news, pending=True)
                self._answers.append(held)
                self._out.append(announce(held, asked, in_response=True))
            case castle_events.ActionOver(number, _, result):
                self._close(number, result)

    def _announce(self, event: castle_events.Announced, following: Event | None) -> None:
        self._action = Held(event.number, event.seat, self._announcement(event))
        self._answers = []
        if event.doing == "play" and event.source is not None:
            self._hands[event.seat] -= 1
            self._leaving[event.seat] = event.source.slot
        elif event.doing == "ability" and not isinstance(following, castle_events.AnswerAwaited):
            self._out.append(self._action.news)

    def _announcement(self, event: castle_events.Announced) -> Message:
        source = "" if event.source is None else self._at(event.source)
        target = "" if event.target is None else self._at(event.target)
        match event.doing:
            case "draw":
                return {"COMMAND": "DRAW_CARD_RESP", "USER_ID": event.seat, "DRAWN_CARDS": []}
            case "play":
                return played(event.seat, event.card, source, target)
            case "level":
                return {"COMMAND": "LEVEL_MAGE_RESP", "SUCCESS": True, "TARGET": source}
            case "attack":
                return {**attacked(event.seat, source, target), "RESULT": "PENDING"}
        return {
            "COMMAND": "ACTIVATE_TRICKSTER_RESP",
            "TRICKSTER_POS": source,
            "TARGET": source,
            "CARD_ID": self._card(event.card),
            "PLAYER_ID": event.seat,
            "RESPONSE_USER_ID": event.seat,
            "ABILITY": event.ability,
        }

    def _await(self, seat: int) -> None:
        """Announce what is held: to both when it is new, to who is asked again when it is not."""
        action = self._action
        if action is None or self._last is castle_events.Answered:  # which named who is asked
            return
        if not action.pending or seat == self.seat:
            self._out.append(announce(action, seat, in_response=False))
        action.pending = True

    def _close(self, number: int, result: str) -> None:
        held = self._action
        if self._answers and self._answers[-1].number == number:
            held = self._answers.pop()
        if held is None or held.number != number:
            return
        news = held.news
        if news["COMMAND"] == "ATTACK_CARD_RESP":
            if result == "void":
                self._out.append({**news, "RESULT": "VOID", **self._marks()})
        elif held.pending and not held.told:
            marks = {"PENDING": False, "ACTION_ID": number, "RESULT": result.upper()}
            self._out.append({**news, **marks})
        if held is self._action:
            self._action = None

    # -- hands and decks --------------------------------------------------------------

    def _tell_of_hands(
        self,
        event: card_events.Drew
        | card_events.Fetched
        | card_events.Overflowed
        | card_events.Shuffled
        | card_events.Discarded,
    ) -> None:
        seat = event.seat
        match event:
            case card_events.Drew() | card_events.Fetched():
                self._draw(event)
            case card_events.Overflowed(_, card, left, discard):
                self._decks[seat] = left
                grave = self._place(seat, "discard", discard)
                self._destroy([self._place(seat, "deck", left)], [grave], [card])
            case card_events.Shuffled(_, left):
                self._decks[seat] = left
                self._shuffle(seat)
            case card_events.Discarded(_, card, hand, discard):
                place = self._place(seat, "hand", hand)
                grave = self._place(seat, "discard", discard)
                if seat == self.seat:
                    self._say("MOVE_CARD", CARD_MOVEMENTS={place: grave})
                else:
                    self._destroy([place], [grave], [card])
                self._hands[seat] -= 1
                self._close_gap(seat, hand)

    def _shuffle(self, seat: int) -> None:
        """Say that a deck was shuffled, once what was found in it has arrived."""
        self._to_shuffle[seat] = bool(self._coming[seat])
        if not self._coming[seat]:
            self._say("SHUFFLE_DECK", DECK={"COUNT": self._decks[seat]}, USER_ID=seat)

    def _draw(self, event: card_events.Drew | card_events.Fetched) -> None:
        self._hands[event.seat], self._decks[event.seat] = event.hand + 1, event.left
        drawn = {
            "cardPos": self._place(event.seat, "hand", event.hand),
            "oldPos": self._place(event.seat, "deck", event.left),
            "card": self._card(event.card),
        }
        last = self._out[-1] if self._out else {}
        if self._last is type(event) is card_events.Drew and last.get("USER_ID") == event.seat:
            last["DRAWN_CARDS"].append(drawn)
        else:
            self._say("DRAW_CARD_RESP", USER_ID=event.seat, DRAWN_CARDS=[drawn], **self._marks())

    def _close_gap(self, seat: int, hand: int) -> None:
        """Move the cards down that lie above one that has gone from a hand."""
        count = self._hands[seat] + (self._leaving[seat] is not None)
        moves = {
            self._place(seat, "hand", at + 1): self._place(seat, "hand", at)
            for at in range(hand, count)
        }
        if moves:
            self._say("MOVE_CARD", CARD_MOVEMENTS=moves)

    # -- the field --------------------------------------------------------------------

    def _tell_of_field(
        self,
        event: card_events.PutDown
        | card_events.Entered
        | card_events.Destroyed
        | card_events.Spent
        | card_events.ControlChanged,
    ) -> None:
        match event:
            case card_events.PutDown(seat, card, "hand"):
                self._hands[seat] -= 1
                self._leaving[seat] = self._find(event, seat, card)
            case card_events.PutDown(seat):
                self._decks[seat] -= 1
                self._coming[seat] += 1
            case card_events.Entered():
                self._enter(event)
            case card_events.Destroyed(spot, card, owner, discard):
                grave = self._place(owner, "discard", discard)
                self._destroy([self._at(spot)], [grave], [card])
            case card_events.Spent(spot, _, discard):
                grave = self._place(spot.seat, "discard", discard)
                self._say("MOVE_CARD", CARD_MOVEMENTS={self._at(spot): grave})
            case card_events.ControlChanged():
                self._change_sides(event)

    def _find(self, event: card_events.PutDown, seat: int, card: int | None) -> int:
        """Find at which place of a hand a card was that is put into play."""
        if event.hand is not None:
            return event.hand
        same = [at for at, each in enumerate(self._held) if each.card == card]
        if seat != self.seat or not same:
            return self._hands[seat]
        return max(same, key=lambda at: (self._held[at].discount, -at))

    def _enter(self, event: card_events.Entered) -> None:
        seat = event.seat
        leaving = None
        if event.source == "deck":
            self._coming[seat] = max(0, self._coming[seat] - 1)
            start = self._place(seat, "deck", self._decks[seat])
        else:
            leaving, self._leaving[seat] = self._leaving[seat], None
            start = self._place(seat, "hand", self._hands[seat] if leaving is None else leaving)
        news = played(seat, event.card, start, self._at(event.spot))
        self._out.append({**news, **self._marks()})
        if leaving is not None:
            self._close_gap(seat, leaving)
        if self._to_shuffle[seat]:
            self._shuffle(seat)

    def _destroy(self, places: list[str], graves: list[str], cards: list[int]) -> None:
        marks = self._marks()
        last = self._out[-1] if self._out else {}
        together = self._last is card_events.Destroyed and last["COMMAND"] == "DESTROY_CARD_RESP"
        if together and last.get("ACTION_ID") == marks.get("ACTION_ID"):
            last["CARD_LOCATIONS"] += places
            last["GRAVE_LOCATIONS"] += graves
            last["CARD_IDS"] += cards
            return
        found = {"CARD_LOCATIONS": places, "GRAVE_LOCATIONS": graves, "CARD_IDS": cards}
        self._say("DESTROY_CARD_RESP", **{**found, "IN_RESPONSE": False, **marks})

    def _change_sides(self, event: card_events.ControlChanged) -> None:
        target = event.target
        if target is None:
            target = Spot(event.owner, "discard", event.discard or 0)
        move = {self._at(event.source): self._at(target)}
        last = self._out[-1] if self._out else {}
        if self._last is card_events.ControlChanged:
            last["CARD_MOVEMENTS"].update(move)
        else:
            self._say("MOVE_CARD", CARD_MOVEMENTS=move)

    # -- battles and castles ----------------------------------------------------------

    def _tell_of_fights(
        self, event: card_events.Levelled | card_events.Fought | card_events.CastleChanged
    ) -> None:
        match event:
            case card_events.Levelled(spot, _, level):
                found = {"SUCCESS": True, "NEW_LEVEL": level, "TARGET": self._at(spot)}
                self._say("LEVEL_MAGE_RESP", **found, **self._marks())
            case card_events.Fought(_, attacker, target, _, result):
                news = attacked(attacker.seat, self._at(attacker), self._at(target))
                self._out.append({**news, "RESULT": result.upper(), **self._marks()})
            case card_events.CastleChanged(seat, health, _, "attack", Spot() as source):
                castle = self._place(seat, "castle")
                found = {"TRIGGER_POS": self._at(source), "TARGET_POS": castle}
                self._say("CASTLE_ATTACK", **found, NEW_HEALTH=health)
                if self._both:
                    self._say("CASTLE_DAMAGE", **self._health(seat, health))
            case card_events.CastleChanged(seat, health):
                self._say("CASTLE_DAMAGE", **self._health(seat, health))

    def _health(self, seat: int, health: int) -> Message:
        return {"MY_HEALTH" if seat == self.seat else "THEIR_HEALTH": health}
