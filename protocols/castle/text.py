"""Castle Wars in words: what happens, what may be done, what was typed, and the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.games.castle import CastleView
from gamecore.rules import Move, View
from gamecore.table_view import TableView
from protocols.castle import text_board, text_events, text_moves
from protocols.castle.deck_builder import DeckBuilder
from protocols.castle.text_cards import look_up
from protocols.i18n.translate import N_, Translator


class CastleText:
    """How Castle Wars is told, read and drawn."""

    package = "protocols.castle"
    verbs = text_moves.VERBS
    asides: ClassVar[Mapping[str, str]] = {
        "card": N_("CARD name"),
        "deck": N_("DECK NEW, SAMPLE, ADD, DROP, SHOW, LOAD or SAVE"),
    }
    refusals = {
        "ability-used": N_("That ability was used already."),
        "accept-hand-first": N_("Say first whether you KEEP your hand, or MULLIGAN."),
        "already-attacked": N_("That card has attacked already this turn."),
        "already-levelled": N_("That mage has risen already this turn."),
        "answer-first": N_("Answer first what the enemy does, or ALLOW it."),
        "bad-target": N_("That cannot be attacked now."),
        "cannot-attack": N_("Only soldiers and mages attack."),
        "card-stunned": N_("That card is stunned."),
        "cost-unpayable": N_("You cannot pay for that card."),
        "deck-no-castle": N_("The last number of a deck is that of a castle."),
        "deck-size": N_("A deck has {wanted} cards and a castle; there are {cards}."),
        "deck-too-many-copies": N_("Card {card} may be in a deck {most} times at most."),
        "deck-too-many-decrees": N_("A deck has {most} decrees at most."),
        "deck-unknown-card": N_("Card {card} cannot be in a deck."),
        "draw-first": N_("DRAW first: that begins your turn."),
        "enemy-answers": N_("The enemy may answer that first."),
        "hand-accepted": N_("You have kept your hand; wait for the enemy."),
        "hand-too-small": N_("A hand of one card must be kept."),
        "just-arrived": N_("That mage has only just come; it can rise in your next turn."),
        "level-too-low": N_("That mage has not the level for it."),
        "no-attack-on-first-turn": N_("Nobody attacks in the first turn of the game."),
        "no-draw-now": N_("There is nothing to draw now."),
        "no-such-ability": N_("That card has no such ability."),
        "no-such-card": N_("There is no such card."),
        "no-such-slot": N_("There is no such place."),
        "not-by-choice": N_("That ability cannot be used at will."),
        "not-offered": N_("That is none of the choices."),
        "nothing-to-do": N_("There is nothing that could be done by it now."),
        "one-mage-a-turn": N_("You have played a mage this turn."),
        "one-soldier-a-turn": N_("You have played a soldier this turn."),
        "slot-taken": N_("A card lies there already."),
        "top-level": N_("That mage cannot rise any higher."),
        "wrong-cost": N_("That is not what the card costs."),
    }

    def describe(self, event: Event, names: Sequence[str], say: Translator) -> str | None:
        """Say in one line what happened in the game; None for what is not the game's own affair."""
        return text_events.describe(event, names, say)

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Translator
    ) -> Move:
        """Read a number of what was offered, or its words; raises Malformed."""
        if not isinstance(board, CastleView):
            raise Malformed(say("It is not your turn."))
        return text_moves.read(words, moves, board, say)

    def ask(self, moves: Sequence[Move], board: View, say: Translator) -> str:
        """Number what may be done."""
        return text_moves.ask(moves, board, say) if isinstance(board, CastleView) else ""

    def board(self, view: TableView, say: Translator) -> Sequence[str]:
        """Draw both sides, and the viewer's hand."""
        if not isinstance(view.board, CastleView):
            return []
        return list(text_board.draw(view.board, view.names, say))

    def new_bench(self) -> DeckBuilder:
        """Give one player a place to build a deck."""
        return DeckBuilder()

    def aside(self, words: Sequence[str], bench: DeckBuilder, say: Translator) -> Sequence[str]:
        """Explain a card, or go on with a deck."""
        word, *rest = words
        return look_up(rest, say) if word.lower() == "card" else bench.obey(rest, say)


TEXT = CastleText()
