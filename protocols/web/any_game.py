"""The table of any game: its board in lines, and every legal move a button."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from attrs import frozen

from gamecore.events import Event, RoundBegan, RoundOver
from gamecore.rules import Move, installed_rules
from protocols.i18n.game_text import find_text
from protocols.web.sight import Sight

MOST_BUTTONS = 40
MOMENT_SECONDS = 0.7
TEMPLATE = "any_game.html"


@frozen
class Choice:
    """A move that may be made, as it is typed."""

    move: Move
    typed: str


class AnyGame:
    """What the pages know of a game that brings no looks of its own."""

    package = ""

    def facts(self, sight: Sight, at: Event | None) -> Mapping[str, object]:
        """Draw the board, and name the moves: none of them where there are too many to look through."""
        view, say = sight.view, sight.say
        text = find_text(view.kind)
        if text is None or view.board is None:
            return {"lines": [], "choices": [], "many": bool(sight.moves), "asked": []}
        asked = text.ask(sight.moves, view.board, say).splitlines() if sight.moves else []
        choices = [Choice(move, text.typed(move, view.board)) for move in sight.moves]
        many = len(choices) > MOST_BUTTONS
        return {
            "lines": text.board(view, say),
            "choices": [] if many else choices,
            "many": many,
            "asked": asked[1:] if many else [],
            "many_seats": True,  # in a row, for the board is in the middle
            "ask": asked[0] if asked else "",
        }

    def rest(self, event: Event) -> float:
        """Let what happens in a game be seen before what follows, as when bots move one after the other."""
        return MOMENT_SECONDS if isinstance(event, _game_events()) else 0.0


@cache
def _game_events() -> tuple[type[Event], ...]:
    """List the events of all games: those that not every game has."""
    listed = {each for rules in installed_rules() for each in rules.events}
    return tuple(listed - {RoundBegan, RoundOver})
