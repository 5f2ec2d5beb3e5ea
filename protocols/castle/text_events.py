"""What happens in a duel, in one line each that stands for itself."""

from __future__ import annotations

from collections.abc import Mapping

from gamecore.events import Event
from gamecore.games.castle import CARDS, events
from gamecore.games.castle.operations import Stun
from gamecore.games.castle.view import ActionView
from protocols.castle.text_card_events import CARD_EVENTS, Describer, Names, paid_with
from protocols.castle.text_places import place_name, short_name
from protocols.i18n.translate import N_, Translator

_DOING = {
    "draw": N_("{name} is about to draw for the turn."),
    "level": N_("{name} raises {card} by a level."),
    "ability": N_("{name} uses {card}: {text}"),
}
_ASKED = {
    "target": N_("{name} chooses a card for {card}."),
    "take": N_("{name} searches the deck for {card}."),
    "discard": N_("{name} chooses what to discard for {card}."),
    "put": N_("{name} chooses a card to put into play for {card}."),
    "may": N_("{name} may use {card}."),
    "save": N_("{name} may save a card by {card}."),
}
_PLAYED = {  # by whether it is paid for, and whether its place is still known to be free
    (False, False): N_("{name} plays {card}."),
    (True, False): N_("{name} plays {card}, and pays for it with {paid}."),
    (False, True): N_("{name} plays {card}, as {place}."),
    (True, True): N_("{name} plays {card}, as {place}, and pays for it with {paid}."),
}
_RESULTS = {
    "cancelled": N_("What {name} wanted to do is cancelled."),
    "void": N_("The attack of {name} is void, and may be made again."),
}


def describe(event: Event, names: Names, say: Translator) -> str | None:
    """Say in one line what happened; None for what needs no line, or is not this game's."""
    write = _DESCRIBERS.get(type(event))
    return None if write is None else write(event, names, say)


def _began(event: events.DuelBegan, names: Names, say: Translator) -> str:
    return say("Both decks are shuffled. {name} will begin.", name=names[event.first])


def _hand(event: events.HandDealt, names: Names, say: Translator) -> str:
    cards = ", ".join(short_name(card, say) for card in event.cards)
    return say("{name} holds {cards}.", name=names[event.seat], cards=cards)


def _redrawn(event: events.HandRedrawn, names: Names, say: Translator) -> str:
    return say("{name} takes another hand, of {n}.", name=names[event.seat], n=event.count)


def _kept(event: events.HandKept, names: Names, say: Translator) -> str:
    return say("{name} keeps the hand.", name=names[event.seat])


def _castles(event: events.CastlesShown, names: Names, say: Translator) -> str:
    sentence = N_("{name} has {castle} ({health})")
    told = (
        say(sentence, name=name, castle=CARDS[castle].name, health=health)
        for name, castle, health in zip(names, event.castles, event.healths, strict=False)
    )
    return say("The castles are shown: {castles}.", castles="; ".join(told))


def _turn(event: events.TurnBegan, names: Names, say: Translator) -> str:
    return say("Turn {n}: it is the turn of {name}.", n=event.number, name=names[event.seat])


def _announced(event: events.Announced, names: Names, say: Translator) -> str:
    name, card = names[event.seat], short_name(event.card, say)
    if event.doing == "play":
        return _announced_play(event, name, say)
    if event.doing == "attack":
        return _announced_attack(event, names, say)
    text = ""
    if event.card is not None and event.ability is not None:
        text = CARDS[event.card].abilities[event.ability].text
    return say(_DOING[event.doing], name=name, card=card, text=say(text) if text else "")


def describe_action(action: ActionView, names: Names, say: Translator) -> str:
    """Say what is held for answers, as it was announced."""
    told = events.Announced(
        *(action.number, action.seat, action.doing, action.card),
        *(action.source, action.target, action.ability),
    )
    return _announced(told, names, say)


def _announced_play(event: events.Announced, name: str, say: Translator) -> str:
    if event.target is not None and event.target.zone == "trickster":
        sentence = N_("{name} sets {card} face down, as {place}.")
    else:
        sentence = _PLAYED[bool(event.paid or event.health), event.target is not None]
    card, target = short_name(event.card, say), event.target
    place = "" if target is None else place_name(target, say)
    return say(sentence, name=name, card=card, place=place, paid=paid_with(event, say))


def _announced_attack(event: events.Announced, names: Names, say: Translator) -> str:
    card, target = short_name(event.card, say), event.target
    who = {"name": names[event.seat], "enemy": names[1 - event.seat]}
    if target is None or target.zone == "castle":
        return say("{name} attacks the castle of {enemy} with {card}.", **who, card=card)
    sentence = N_("{name} attacks {target} of {enemy} with {card}.")
    return say(sentence, **who, target=place_name(target, say), card=card)


def _answered(event: events.Answered, names: Names, say: Translator) -> str:
    text = CARDS[event.card].abilities[event.ability].text
    sentence = N_("{name} answers with {card}: {text}")
    return say(sentence, name=names[event.seat], card=short_name(event.card, say), text=say(text))


def _allowed(event: events.Allowed, names: Names, say: Translator) -> str:
    return say("{name} lets it happen.", name=names[event.seat])


def _over(event: events.ActionOver, names: Names, say: Translator) -> str | None:
    sentence = _RESULTS.get(event.result)
    return None if sentence is None else say(sentence, name=names[event.seat])


def _choice(event: events.ChoiceAwaited, names: Names, say: Translator) -> str:
    return say(_ASKED[event.why], name=names[event.seat], card=short_name(event.card, say))


def _declined(event: events.Declined, names: Names, say: Translator) -> str:
    sentence = N_("{name} wants no more of {card}.")
    return say(sentence, name=names[event.seat], card=short_name(event.card, say))


def _skipped(event: events.Skipped, names: Names, say: Translator) -> str:
    sentence = N_("{card} of {name}: a part of its effect has nothing to act on.")
    if event.op == Stun.op:
        sentence = N_("{card} of {name} stuns nobody.")
    return say(sentence, name=names[event.seat], card=short_name(event.card, say))


def _timed_out(event: events.TimedOut, names: Names, say: Translator) -> str:
    return say("The time of {name} is up.", name=names[event.seat])


_DESCRIBERS: Mapping[type, Describer] = {
    events.DuelBegan: _began,
    events.HandDealt: _hand,
    events.HandRedrawn: _redrawn,
    events.HandKept: _kept,
    events.CastlesShown: _castles,
    events.TurnBegan: _turn,
    events.Announced: _announced,
    events.Answered: _answered,
    events.Allowed: _allowed,
    events.ActionOver: _over,
    events.ChoiceAwaited: _choice,
    events.Declined: _declined,
    events.Skipped: _skipped,
    events.TimedOut: _timed_out,
    **CARD_EVENTS,
}
