"""Why something is refused in a duel, or of a deck, as people are told."""

from __future__ import annotations

from collections.abc import Mapping

from protocols.i18n.translate import N_

REFUSALS: Mapping[str, str] = {
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
