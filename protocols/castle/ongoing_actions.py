"""The action under way and its answers: what was announced, and what belongs to it.

Source: the Castle Wars specification, section 4.9.
"""

from __future__ import annotations

from attrs import define

from gamecore.games.castle.view import ActionView, AnswerView
from protocols.castle.wire import Message
from protocols.castle.wire_positions import position_of


@define
class OngoingAction:
    """An action or an answer: how it is announced, whether it is held, whether its result was told."""

    number: int
    announcement: Message
    held: bool = False
    told: bool = False

    def announce_held(self, awaited: int, in_response: bool) -> Message:
        """Announce what is held until the one in seat ``awaited`` has answered or allowed it."""
        marks = {"IN_RESPONSE": in_response, "PENDING": True, "ACTION_ID": self.number}
        return {**self.announcement, **marks, "AWAITED": awaited}


def ability_used(position: str, card: int, asked: int) -> Message:
    """Say that a card is turned up for its ability, and which seat may answer."""
    return {
        "COMMAND": "ACTIVATE_TRICKSTER_RESP",
        "TRICKSTER_POS": position,
        "TARGET": position,
        "CARD_ID": card,
        "RESPONSE_USER_ID": asked,
    }


class OngoingActions:
    """The one action under way, and the answers to it, the last of which is carried out first."""

    def __init__(self) -> None:
        self._action: OngoingAction | None = None
        self._answers: list[OngoingAction] = []

    def see(self, action: ActionView | None, reader: int) -> None:
        """Go on from a View that the one in seat ``reader`` was just shown."""
        self._action, self._answers = None, []
        if action is not None:
            announcement = {"COMMAND": "ACTIVATE_TRICKSTER_RESP", "PLAYER_ID": action.seat}
            self._action = OngoingAction(action.number, announcement, held=True)
            self._answers = [_answer_seen(each, reader) for each in action.answers]

    def begin(self, number: int, announcement: Message) -> None:
        """Begin an action."""
        self._action, self._answers = OngoingAction(number, announcement), []

    def hold(self, awaited: int, reader: int) -> list[Message]:
        """Announce what is held: to both when it is new, to who is asked again when it is not."""
        action = self._action
        if action is None:
            return []
        known, action.held = action.held, True
        if known and awaited != reader:
            return []
        return [action.announce_held(awaited, in_response=False)]

    def answer(self, number: int, announcement: Message, awaited: int) -> Message:
        """Begin an answer, which is held at once."""
        answer = OngoingAction(number, announcement, held=True)
        self._answers.append(answer)
        return answer.announce_held(awaited, in_response=True)

    def result_marks(self) -> Message:
        """Say what a result belongs to: the answer being carried out, or an action that was held."""
        action = self._answers[-1] if self._answers else self._action
        if action is None or not (self._answers or action.held):
            return {}
        action.told = True
        return {
            "IN_RESPONSE": bool(self._answers),
            "PENDING": False,
            "ACTION_ID": action.number,
        }

    def end(self, number: int, result: str) -> list[Message]:
        """End an action or the last answer; say how, if none of its results did."""
        action = self._action
        if self._answers and self._answers[-1].number == number:
            action = self._answers.pop()
        if action is None or action.number != number:
            return []
        ended = self._say_how(action, result)
        if action is self._action:
            self._action = None
        return ended

    def _say_how(self, action: OngoingAction, result: str) -> list[Message]:
        announcement = action.announcement
        if announcement["COMMAND"] == "ATTACK_CARD_RESP":
            if result == "void":
                return [{**announcement, "RESULT": "VOID", **self.result_marks()}]
        elif action.held and not action.told:
            marks = {"PENDING": False, "ACTION_ID": action.number, "RESULT": result.upper()}
            return [{**announcement, **marks}]
        return []


def _answer_seen(answer: AnswerView, reader: int) -> OngoingAction:
    position = position_of(answer.source, reader) if answer.source else ""
    announcement = ability_used(position, answer.card, 1 - answer.seat)
    return OngoingAction(answer.number, announcement)
