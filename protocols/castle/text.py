"""Castle Wars in words: what happens, what may be done, what was typed, and the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.games.castle import CastleOptions, CastleView
from gamecore.rules import Move, View
from gamecore.settings import Value
from gamecore.table_view import TableView
from protocols.castle import text_board, text_events, text_moves, text_once, text_typed
from protocols.castle.deck_builder import DeckBuilder
from protocols.castle.text_cards import look_up
from protocols.castle.text_refusals import REFUSALS
from protocols.i18n.game_text import ALWAYS, time_to_read
from protocols.i18n.translate import N_, Translator


class CastleText:
    """How Castle Wars is told, read and drawn."""

    package = "protocols.castle"
    verbs = text_moves.VERBS
    extra_commands: ClassVar[Mapping[str, str]] = {
        "card": N_("CARD name: what a card is worth, costs and does"),
        "deck": N_("DECK NEW, SAMPLE, ADD, DROP, SHOW, LOAD, SAVE: build a deck"),
    }
    refusals = REFUSALS
    reasons: ClassVar[Mapping[str, str]] = {
        "castle": N_("the castle has fallen"),
        "deck-out": N_("no cards left"),
    }
    board_shown = ALWAYS

    def quick_options(self, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """Leave time to read the rules, the cards of the first hand too."""
        return time_to_read(options, CastleOptions(), "seconds", "response_seconds")

    def describe(self, event: Event, names: Sequence[str], say: Translator) -> str | None:
        """Say in one line what happened in the game; None for what is not the game's own affair."""
        return text_events.describe(event, names, say)

    def once(self, events: Sequence[Event], drawn: bool) -> Sequence[Event]:
        """Leave out what follows from another event, as a card's place from its being played."""
        return text_once.once(events, drawn)

    def narrow_board(self, view: TableView, say: Translator, columns: int) -> Sequence[str]:
        """Draw what lies there and the hand alone, a line for each card of it."""
        if not isinstance(view.board, CastleView):
            return []
        return list(text_board.draw_narrow(view.board, view.names, say, columns))

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Translator
    ) -> Move:
        """Read a number of what was offered, or its words; raises Malformed."""
        if not isinstance(board, CastleView):
            raise Malformed(say("It is not your turn."))
        return text_moves.read(words, moves, board, say)

    def typed(self, move: Move, board: View | None) -> str:
        """Write a move with all the places it is about: ``attack s1 es2``; raises TypeError without the board."""
        if not isinstance(board, CastleView):
            raise TypeError("what a move of Castle Wars is called depends on where the cards lie")
        return text_typed.typed(move, board)

    def ask(self, moves: Sequence[Move], board: View, say: Translator) -> str:
        """Number what may be done, a line for each word that begins it."""
        return text_moves.ask(moves, board, say) if isinstance(board, CastleView) else ""

    def board(self, view: TableView, say: Translator) -> Sequence[str]:
        """Draw both sides, and the viewer's hand."""
        if not isinstance(view.board, CastleView):
            return []
        return list(text_board.draw(view.board, view.names, say))

    def prepare(self) -> DeckBuilder:
        """Give one player a place to build a deck."""
        return DeckBuilder()

    def obey_extra(
        self, words: Sequence[str], preparation: DeckBuilder, say: Translator
    ) -> Sequence[str]:
        """Explain a card, or go on with a deck."""
        word, *rest = words
        return look_up(rest, say) if word.lower() == "card" else preparation.obey(rest, say)


TEXT = CastleText()
