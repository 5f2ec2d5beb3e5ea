"""What becomes of cards and castles in a duel, in one line each that stands for itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gamecore.games.castle import card_events, events
from gamecore.games.castle.moves import Spots
from protocols.castle.text_places import place_name, short_name
from protocols.i18n.translate import N_, Translator

Names = Sequence[str]
Describer = Callable[[Any, Names, Translator], str | None]

_FOUGHT = {
    "win": N_("{card} ({points}) beats {other} ({theirs})."),
    "lose": N_("{card} ({points}) loses to {other} ({theirs})."),
    "both": N_("{card} ({points}) and {other} ({theirs}) are even."),
    "castle": N_("{card} hits the castle of {name} with {points} points."),
}
_LOST = {
    "castle": N_("The castle of {name} has fallen."),
    "deck-out": N_("{name} has no card left to draw."),
}


def paid_with(event: events.Announced | card_events.PutDown, say: Translator) -> str:
    parts = [place_name(spot, say) for spot in event.paid]
    if event.health:
        parts.append(say("{n} health", n=event.health))
    return say(" and ").join(parts)


def _drew(event: card_events.Drew, names: Names, say: Translator) -> str:
    name = names[event.seat]
    if event.card is None:
        return say.several(
            "{name} draws a card; {n} is left in the deck.",
            "{name} draws a card; {n} are left in the deck.",
            event.left,
            name=name,
        )
    return say("{name} draws {card}.", name=name, card=short_name(event.card, say))


def _fetched(event: card_events.Fetched, names: Names, say: Translator) -> str:
    sentence = N_("{name} takes {card} out of the deck.")
    return say(sentence, name=names[event.seat], card=short_name(event.card, say))


def _overflowed(event: card_events.Overflowed, names: Names, say: Translator) -> str:
    sentence = N_("The hand of {name} is full: {card} is laid on the discard pile.")
    return say(sentence, name=names[event.seat], card=short_name(event.card, say))


def _shuffled(event: card_events.Shuffled, names: Names, say: Translator) -> str:
    return say.several(
        "The deck of {name} is shuffled; it has {n} card.",
        "The deck of {name} is shuffled; it has {n} cards.",
        event.left,
        name=names[event.seat],
    )


def _discarded(event: card_events.Discarded, names: Names, say: Translator) -> str:
    sentence = N_("{name} discards {card}.")
    return say(sentence, name=names[event.seat], card=short_name(event.card, say))


def _revealed(event: card_events.Revealed, names: Names, say: Translator) -> str:
    shown = ", ".join(
        f"{short_name(card, say)} ({place_name(spot, say)})"
        for card, spot in zip(event.cards, event.spots, strict=True)
    )
    return say("{name} is shown {cards}.", name=names[event.viewer], cards=shown)


def _inspected(event: card_events.Inspected, names: Names, say: Translator) -> str:
    places = _places(event.spots, say)
    return say("{name} looks at {places}.", name=names[event.viewer], places=places)


def _places(spots: Spots, say: Translator) -> str:
    return ", ".join(dict.fromkeys(place_name(spot, say) for spot in spots))


def _put_down(event: card_events.PutDown, names: Names, say: Translator) -> str:
    sentence = N_("{name} puts {card} into play, as {place}.")
    if event.paid or event.health:
        sentence = N_("{name} puts {card} into play, as {place}, and pays for it with {paid}.")
    facts = {"name": names[event.seat], "card": short_name(event.card, say)}
    return say(sentence, **facts, place=place_name(event.spot, say), paid=paid_with(event, say))


def _entered(event: card_events.Entered, names: Names, say: Translator) -> str:
    place, name = place_name(event.spot, say), names[event.seat]
    if event.spot.zone == "trickster":
        return say("A card lies face down now, as {place} of {name}.", place=place, name=name)
    card = short_name(event.card, say)
    return say("{card} of {name} is {place} now.", name=name, card=card, place=place)


def _about(event: Any, names: Names, say: Translator) -> dict[str, object]:
    """Name a card by itself, its place and the one on whose side it lies."""
    place, card = place_name(event.spot, say), short_name(event.card, say)
    return {"name": names[event.spot.seat], "card": card, "place": place}


def _destroyed(event: card_events.Destroyed, names: Names, say: Translator) -> str:
    return say("{card} of {name} ({place}) is destroyed.", **_about(event, names, say))


def _spent(event: card_events.Spent, names: Names, say: Translator) -> str:
    return say("{card} of {name} is laid on the discard pile.", **_about(event, names, say))


def _saved(event: card_events.Saved, names: Names, say: Translator) -> str:
    return say("{card} of {name} ({place}) is saved.", **_about(event, names, say))


def _shielded(event: card_events.Shielded, names: Names, say: Translator) -> str:
    return say("No card of {name} can be destroyed this turn.", name=names[event.seat])


def _stunned(event: card_events.Stunned, names: Names, say: Translator) -> str:
    return say("{card} of {name} ({place}) is stunned.", **_about(event, names, say))


def _stun_ended(event: card_events.StunEnded, names: Names, say: Translator) -> str:
    name, places = names[event.spots[0].seat], _places(event.spots, say)
    return say("Stunned no longer, for {name}: {places}.", name=name, places=places)


def _levelled(event: card_events.Levelled, names: Names, say: Translator) -> str:
    about = _about(event, names, say)
    return say("{card} of {name} is at level {level}.", **about, level=event.level)


def _points(event: card_events.PointsChanged, names: Names, say: Translator) -> str:
    about = _about(event, names, say)
    return say("{card} of {name} has {points} points.", **about, points=event.points)


def _attacks(event: card_events.AttacksGranted, names: Names, say: Translator) -> str:
    if event.any_level:
        return say("{card} of {name} may attack this turn.", **_about(event, names, say))
    about = _about(event, names, say)
    return say.several(
        "{card} of {name} may attack {n} time this turn.",
        "{card} of {name} may attack {n} times this turn.",
        event.attacks,
        **about,
    )


def _cheaper(event: card_events.CostReduced, names: Names, say: Translator) -> str:
    name = names[event.seat]
    if event.fetched:
        return say.several(
            "The card that {name} took costs {n} card less.",
            "The card that {name} took costs {n} cards less.",
            event.items,
            name=name,
        )
    return say.several(
        "One card that {name} plays this turn costs {n} card less.",
        "One card that {name} plays this turn costs {n} cards less.",
        event.items,
        name=name,
    )


def _changed_sides(event: card_events.ControlChanged, names: Names, say: Translator) -> str:
    card = short_name(event.card, say)
    if event.target is None:
        sentence = N_("There is no room for {card}: it goes to the discard pile of {name}.")
        return say(sentence, card=card, name=names[event.owner])
    return say("{card} fights for {name} now.", card=card, name=names[event.target.seat])


def _scheduled(event: card_events.Scheduled, names: Names, say: Translator) -> str:
    return say.several(
        "For {name}: {place} will be destroyed at the end of the turn.",
        "For {name}: {place} will be destroyed at the end of {n} turns, this one counted.",
        event.turns,
        place=place_name(event.spot, say),
        name=names[event.spot.seat],
    )


def _redirected(event: card_events.Redirected, names: Names, say: Translator) -> str:
    place = place_name(event.target, say)
    sentence = N_("The attack goes at {place} of {name} instead.")
    return say(sentence, place=place, name=names[event.target.seat])


def _fought(event: card_events.Fought, names: Names, say: Translator) -> str:
    sentence = N_("{place} of {name}")
    card, other = (
        say(sentence, place=place_name(spot, say), name=names[spot.seat])
        for spot in (event.attacker, event.target)
    )
    return say(
        _FOUGHT[event.result],
        name=names[event.target.seat],
        card=f"{card[:1].upper()}{card[1:]}",
        other=other,
        points=event.points[0],
        theirs=event.points[1],
    )


def _castle(event: card_events.CastleChanged, names: Names, say: Translator) -> str:
    sentence = N_("The castle of {name} has {health} health.")
    if event.change:
        sentence = N_("The castle of {name} gains {points} and has {health} health.")
    if event.change < 0:
        sentence = N_("The castle of {name} loses {points} and has {health} health.")
    points = abs(event.change)
    return say(sentence, name=names[event.seat], health=event.health, points=points)


def _lost(event: card_events.DuelLost, names: Names, say: Translator) -> str:
    sentence = _LOST.get(event.why, N_("{name} has gone."))
    return say(sentence, name=names[event.seat])


CARD_EVENTS: Mapping[type, Describer] = {
    card_events.Drew: _drew,
    card_events.Fetched: _fetched,
    card_events.Overflowed: _overflowed,
    card_events.Shuffled: _shuffled,
    card_events.Discarded: _discarded,
    card_events.Revealed: _revealed,
    card_events.Inspected: _inspected,
    card_events.PutDown: _put_down,
    card_events.Entered: _entered,
    card_events.Destroyed: _destroyed,
    card_events.Spent: _spent,
    card_events.Saved: _saved,
    card_events.Shielded: _shielded,
    card_events.Stunned: _stunned,
    card_events.StunEnded: _stun_ended,
    card_events.Levelled: _levelled,
    card_events.PointsChanged: _points,
    card_events.AttacksGranted: _attacks,
    card_events.CostReduced: _cheaper,
    card_events.ControlChanged: _changed_sides,
    card_events.Scheduled: _scheduled,
    card_events.Redirected: _redirected,
    card_events.Fought: _fought,
    card_events.CastleChanged: _castle,
    card_events.DuelLost: _lost,
}
