"""What happens in a duel, in one line each that stands for itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gamecore.events import Event
from gamecore.games.castle import FACES
from gamecore.games.castle import changes as n
from gamecore.games.castle import events as e
from gamecore.games.castle.moves import Spots
from protocols.castle.spots import short, told_place
from protocols.speech import Say, mark

Names = Sequence[str]
Teller = Callable[[Any, Names, Say], str | None]

_DOING = {
    "draw": mark("{name} draws for the turn."),
    "level": mark("{name} raises {card} by a level."),
    "ability": mark("{name} uses {card}: {text}"),
}
_ASKED = {
    "target": mark("{name} chooses a card for {card}."),
    "take": mark("{name} searches the deck for {card}."),
    "discard": mark("{name} chooses what to discard for {card}."),
    "put": mark("{name} chooses a card to put into play for {card}."),
    "may": mark("{name} may use {card}."),
    "save": mark("{name} may save a card by {card}."),
}
_FOUGHT = {
    "win": mark("{card} ({points}) destroys {other} ({theirs})."),
    "lose": mark("{card} ({points}) falls to {other} ({theirs})."),
    "both": mark("{card} ({points}) and {other} ({theirs}) destroy each other."),
    "castle": mark("{card} hits the castle of {name} with {points} points."),
}
_LOST = {
    "castle": mark("The castle of {name} has fallen."),
    "deck-out": mark("{name} has no card left to draw."),
}
_RESULTS = {
    "cancelled": mark("What {name} wanted to do is cancelled."),
    "void": mark("The attack of {name} is void, and may be made again."),
}


def describe(event: Event, names: Names, say: Say) -> str | None:
    """Say in one line what happened; None for what needs no line, or is not this game's."""
    tell = _TELLERS.get(type(event))
    return None if tell is None else tell(event, names, say)


def _began(event: e.DuelBegan, names: Names, say: Say) -> str:
    return say("Both decks are shuffled. {name} will begin.", name=names[event.first])


def _hand(event: e.HandDealt, names: Names, say: Say) -> str:
    cards = ", ".join(short(card, say) for card in event.cards)
    return say("{name} holds {cards}.", name=names[event.seat], cards=cards)


def _redrawn(event: e.HandRedrawn, names: Names, say: Say) -> str:
    return say("{name} takes another hand, of {n}.", name=names[event.seat], n=event.count)


def _kept(event: e.HandKept, names: Names, say: Say) -> str:
    return say("{name} keeps the hand.", name=names[event.seat])


def _castles(event: e.CastlesShown, names: Names, say: Say) -> str:
    sentence = mark("{name} has {castle} ({health})")
    told = (
        say(sentence, name=name, castle=FACES[castle].name, health=health)
        for name, castle, health in zip(names, event.castles, event.healths, strict=False)
    )
    return say("The castles are shown: {castles}.", castles="; ".join(told))


def _turn(event: e.TurnBegan, names: Names, say: Say) -> str:
    return say("Turn {n}: it is the turn of {name}.", n=event.number, name=names[event.seat])


def _announced(event: e.Announced, names: Names, say: Say) -> str | None:
    name, card = names[event.seat], short(event.card, say)
    if event.doing == "play":
        return _announced_play(event, name, say)
    if event.doing == "attack":
        return _announced_attack(event, name, say)
    text = ""
    if event.card is not None and event.ability is not None:
        text = FACES[event.card].abilities[event.ability].text
    return say(_DOING[event.doing], name=name, card=card, text=text)


def _announced_play(event: e.Announced, name: str, say: Say) -> str:
    if event.target is not None and event.target.zone == "trickster":
        sentence = mark("{name} sets {card} face down.")
        return say(sentence, name=name, card=short(event.card, say))
    sentence = mark("{name} plays {card}.")
    if event.paid or event.health:
        sentence = mark("{name} plays {card}, and pays for it with {paid}.")
    return say(sentence, name=name, card=short(event.card, say), paid=_paid(event, say))


def _paid(event: e.Announced | n.PutDown, say: Say) -> str:
    parts = [told_place(spot, say) for spot in event.paid]
    if event.health:
        parts.append(say("{n} health", n=event.health))
    return say(" and ").join(parts)


def _announced_attack(event: e.Announced, name: str, say: Say) -> str:
    card, target = short(event.card, say), event.target
    if target is None or target.zone == "castle":
        return say("{name} attacks the enemy's castle with {card}.", name=name, card=card)
    sentence = mark("{name} attacks the enemy's {target} with {card}.")
    return say(sentence, name=name, target=told_place(target, say), card=card)


def _awaited(event: e.AnswerAwaited, names: Names, say: Say) -> str:
    return say("{name} may answer.", name=names[event.seat])


def _answered(event: e.Answered, names: Names, say: Say) -> str:
    text = FACES[event.card].abilities[event.ability].text
    sentence = mark("{name} answers with {card}: {text}")
    return say(sentence, name=names[event.seat], card=short(event.card, say), text=text)


def _allowed(event: e.Allowed, names: Names, say: Say) -> str:
    return say("{name} lets it happen.", name=names[event.seat])


def _over(event: e.ActionOver, names: Names, say: Say) -> str | None:
    sentence = _RESULTS.get(event.result)
    return None if sentence is None else say(sentence, name=names[event.seat])


def _choice(event: e.ChoiceAwaited, names: Names, say: Say) -> str:
    return say(_ASKED[event.why], name=names[event.seat], card=short(event.card, say))


def _declined(event: e.Declined, names: Names, say: Say) -> str:
    sentence = mark("{name} wants no more of {card}.")
    return say(sentence, name=names[event.seat], card=short(event.card, say))


def _skipped(event: e.Skipped, names: Names, say: Say) -> str:
    sentence = mark("{card} of {name} finds nothing to do in part.")
    return say(sentence, name=names[event.seat], card=short(event.card, say))


def _timed_out(event: e.TimedOut, names: Names, say: Say) -> str:
    return say("The time of {name} is up.", name=names[event.seat])


# -- cards ----------------------------------------------------------------------------


def _drew(event: n.Drew, names: Names, say: Say) -> str:
    card = short(event.card, say)
    return say("{name} draws {card}.", name=names[event.seat], card=card)


def _fetched(event: n.Fetched, names: Names, say: Say) -> str:
    sentence = mark("{name} takes {card} out of the deck.")
    return say(sentence, name=names[event.seat], card=short(event.card, say))


def _overflowed(event: n.Overflowed, names: Names, say: Say) -> str:
    sentence = mark("The hand of {name} is full: {card} is laid on the discard pile.")
    return say(sentence, name=names[event.seat], card=short(event.card, say))


def _shuffled(event: n.Shuffled, names: Names, say: Say) -> str:
    return say.several(
        "The deck of {name} is shuffled; it has {n} card.",
        "The deck of {name} is shuffled; it has {n} cards.",
        event.left,
        name=names[event.seat],
    )


def _discarded(event: n.Discarded, names: Names, say: Say) -> str:
    sentence = mark("{name} discards {card}.")
    return say(sentence, name=names[event.seat], card=short(event.card, say))


def _revealed(event: n.Revealed, names: Names, say: Say) -> str:
    shown = ", ".join(
        f"{short(card, say)} ({told_place(spot, say)})"
        for card, spot in zip(event.cards, event.spots, strict=True)
    )
    return say("{name} is shown {cards}.", name=names[event.viewer], cards=shown)


def _inspected(event: n.Inspected, names: Names, say: Say) -> str:
    places = _places(event.spots, say)
    return say("{name} looks at {places}.", name=names[event.viewer], places=places)


def _places(spots: Spots, say: Say) -> str:
    return ", ".join(dict.fromkeys(told_place(spot, say) for spot in spots))


def _put_down(event: n.PutDown, names: Names, say: Say) -> str:
    sentence = mark("{name} puts {card} into play.")
    if event.paid or event.health:
        sentence = mark("{name} puts {card} into play, and pays for it with {paid}.")
    facts = {"name": names[event.seat], "card": short(event.card, say)}
    return say(sentence, **facts, paid=_paid(event, say))


def _entered(event: n.Entered, names: Names, say: Say) -> str:
    place, name = told_place(event.spot, say), names[event.seat]
    if event.spot.zone == "trickster":
        return say("It is {place} of {name}.", place=place, name=name)
    card = short(event.card, say)
    return say("{card} of {name} is {place} now.", name=name, card=card, place=place)


def _about(event: Any, names: Names, say: Say) -> dict[str, object]:
    """Name a card by itself, its place and the one on whose side it lies."""
    place, card = told_place(event.spot, say), short(event.card, say)
    return {"name": names[event.spot.seat], "card": card, "place": place}


def _destroyed(event: n.Destroyed, names: Names, say: Say) -> str:
    return say("{card} of {name} ({place}) is destroyed.", **_about(event, names, say))


def _spent(event: n.Spent, names: Names, say: Say) -> str:
    return say("{card} of {name} is laid on the discard pile.", **_about(event, names, say))


def _saved(event: n.Saved, names: Names, say: Say) -> str:
    return say("{card} of {name} ({place}) is saved.", **_about(event, names, say))


def _shielded(event: n.Shielded, names: Names, say: Say) -> str:
    return say("No card of {name} can be destroyed this turn.", name=names[event.seat])


def _stunned(event: n.Stunned, names: Names, say: Say) -> str:
    return say("{card} of {name} ({place}) is stunned.", **_about(event, names, say))


def _stun_ended(event: n.StunEnded, names: Names, say: Say) -> str:
    name, places = names[event.spots[0].seat], _places(event.spots, say)
    return say("Stunned no longer, for {name}: {places}.", name=name, places=places)


def _levelled(event: n.Levelled, names: Names, say: Say) -> str:
    about = _about(event, names, say)
    return say("{card} of {name} is at level {level}.", **about, level=event.level)


def _points(event: n.PointsChanged, names: Names, say: Say) -> str:
    about = _about(event, names, say)
    return say("{card} of {name} has {points} points.", **about, points=event.points)


def _attacks(event: n.AttacksGranted, names: Names, say: Say) -> str:
    if event.any_level:
        return say("{card} of {name} may attack this turn.", **_about(event, names, say))
    about = _about(event, names, say)
    return say.several(
        "{card} of {name} may attack {n} time this turn.",
        "{card} of {name} may attack {n} times this turn.",
        event.attacks,
        **about,
    )


def _cheaper(event: n.CostReduced, names: Names, say: Say) -> str:
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


def _changed_sides(event: n.ControlChanged, names: Names, say: Say) -> str:
    card = short(event.card, say)
    if event.target is None:
        sentence = mark("There is no room for {card}: it goes to the discard pile of {name}.")
        return say(sentence, card=card, name=names[event.owner])
    return say("{card} fights for {name} now.", card=card, name=names[event.target.seat])


def _scheduled(event: n.Scheduled, names: Names, say: Say) -> str:
    return say.several(
        "For {name}: {place} will be destroyed at the end of the turn.",
        "For {name}: {place} will be destroyed at the end of {n} turns, this one counted.",
        event.turns,
        place=told_place(event.spot, say),
        name=names[event.spot.seat],
    )


def _redirected(event: n.Redirected, names: Names, say: Say) -> str:
    place = told_place(event.target, say)
    sentence = mark("The attack goes at {place} of {name} instead.")
    return say(sentence, place=place, name=names[event.target.seat])


def _fought(event: n.Fought, names: Names, say: Say) -> str:
    sentence = mark("{place} of {name}")
    card, other = (
        say(sentence, place=told_place(spot, say), name=names[spot.seat])
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


def _castle(event: n.CastleChanged, names: Names, say: Say) -> str:
    sentence = mark("The castle of {name} has {health} health.")
    return say(sentence, name=names[event.seat], health=event.health)


def _lost(event: n.DuelLost, names: Names, say: Say) -> str:
    sentence = _LOST.get(event.why, mark("{name} has gone."))
    return say(sentence, name=names[event.seat])


_TELLERS: Mapping[type, Teller] = {
    e.DuelBegan: _began,
    e.HandDealt: _hand,
    e.HandRedrawn: _redrawn,
    e.HandKept: _kept,
    e.CastlesShown: _castles,
    e.TurnBegan: _turn,
    e.Announced: _announced,
    e.AnswerAwaited: _awaited,
    e.Answered: _answered,
    e.Allowed: _allowed,
    e.ActionOver: _over,
    e.ChoiceAwaited: _choice,
    e.Declined: _declined,
    e.Skipped: _skipped,
    e.TimedOut: _timed_out,
    n.Drew: _drew,
    n.Fetched: _fetched,
    n.Overflowed: _overflowed,
    n.Shuffled: _shuffled,
    n.Discarded: _discarded,
    n.Revealed: _revealed,
    n.Inspected: _inspected,
    n.PutDown: _put_down,
    n.Entered: _entered,
    n.Destroyed: _destroyed,
    n.Spent: _spent,
    n.Saved: _saved,
    n.Shielded: _shielded,
    n.Stunned: _stunned,
    n.StunEnded: _stun_ended,
    n.Levelled: _levelled,
    n.PointsChanged: _points,
    n.AttacksGranted: _attacks,
    n.CostReduced: _cheaper,
    n.ControlChanged: _changed_sides,
    n.Scheduled: _scheduled,
    n.Redirected: _redirected,
    n.Fought: _fought,
    n.CastleChanged: _castle,
    n.DuelLost: _lost,
}
