"""Castle Wars in words: what happens, what may be done, what was typed, and the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.games.castle import CastleView
from gamecore.rules import Move, View
from gamecore.table_view import TableView
from protocols.castle import drawn, phrases, told
from protocols.castle.bench import Bench
from protocols.castle.cards import look_up
from protocols.speech import Say, mark


class CastleText:
    """How Castle Wars is told, read and drawn."""

    package = "protocols.castle"
    verbs = phrases.VERBS
    asides: ClassVar[Mapping[str, str]] = {
        "card": mark("CARD name"),
        "deck": mark("DECK NEW, SAMPLE, ADD, DROP, SHOW, LOAD or SAVE"),
    }
    refusals = {
        "ability-used": mark("That ability was used already."),
        "accept-hand-first": mark("Say first whether you KEEP your hand, or MULLIGAN."),
        "already-attacked": mark("That card has attacked already this turn."),
        "already-levelled": mark("That mage has risen already this turn."),
        "answer-first": mark("Answer first what the enemy does, or ALLOW it."),
        "bad-target": mark("That cannot be attacked now."),
        "cannot-attack": mark("Only soldiers and mages attack."),
        "card-stunned": mark("That card is stunned."),
        "cost-unpayable": mark("You cannot pay for that card."),
        "deck-no-castle": mark("The last number of a deck is that of a castle."),
        "deck-size": mark("A deck has {wanted} cards and a castle; there are {cards}."),
        "deck-too-many-copies": mark("Card {card} may be in a deck {most} times at most."),
        "deck-too-many-decrees": mark("A deck has {most} decrees at most."),
        "deck-unknown-card": mark("Card {card} cannot be in a deck."),
        "draw-first": mark("DRAW first: that begins your turn."),
        "enemy-answers": mark("The enemy may answer that first."),
        "hand-accepted": mark("You have kept your hand; wait for the enemy."),
        "hand-too-small": mark("A hand of one card must be kept."),
        "just-arrived": mark("That mage has only just come; it can rise in your next turn."),
        "level-too-low": mark("That mage has not the level for it."),
        "no-attack-on-first-turn": mark("Nobody attacks in the first turn of the game."),
        "no-draw-now": mark("There is nothing to draw now."),
        "no-such-ability": mark("That card has no such ability."),
        "no-such-card": mark("There is no such card."),
        "no-such-slot": mark("There is no such place."),
        "not-by-choice": mark("That ability cannot be used at will."),
        "not-offered": mark("That is none of the choices."),
        "nothing-to-do": mark("There is nothing that could be done by it now."),
        "one-mage-a-turn": mark("You have played a mage this turn."),
        "one-soldier-a-turn": mark("You have played a soldier this turn."),
        "slot-taken": mark("A card lies there already."),
        "top-level": mark("That mage cannot rise any higher."),
        "wrong-cost": mark("That is not what the card costs."),
    }

    def describe(self, event: Event, names: Sequence[str], say: Say) -> str | None:
        """Say in one line what happened in the game; None for what is not the game's own affair."""
        return told.describe(event, names, say)

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Say
    ) -> Move:
        """Read a number of what was offered, or its words; raises Malformed."""
        if not isinstance(board, CastleView):
            raise Malformed(say("It is not your turn."))
        return phrases.read(words, moves, board, say)

    def ask(self, moves: Sequence[Move], board: View, say: Say) -> str:
        """Number what may be done."""
        return phrases.ask(moves, board, say) if isinstance(board, CastleView) else ""

    def board(self, view: TableView, say: Say) -> Sequence[str]:
        """Draw both sides, and the viewer's hand."""
        if not isinstance(view.board, CastleView):
            return []
        return list(drawn.draw(view.board, view.names, say))

    def new_bench(self) -> Bench:
        """Give one player a place to build a deck."""
        return Bench()

    def aside(self, words: Sequence[str], bench: Bench, say: Say) -> Sequence[str]:
        """Explain a card, or go on with a deck."""
        word, *rest = words
        return look_up(rest, say) if word.lower() == "card" else bench.obey(rest, say)


TEXT = CastleText()
