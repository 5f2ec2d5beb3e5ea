"""Cards in words: how they are found by what people type, and what is printed on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from gamecore.games.castle import CARDS
from gamecore.games.castle.card_definitions import CardDefinition
from gamecore.games.castle.effect_schema import Item
from protocols.i18n.translate import N_, Translator

WIDTH = 79
_KINDS = {
    "castle": N_("castle"),
    "decree": N_("decree"),
    "soldier": N_("soldier"),
    "trickster": N_("trickster"),
    "mage": N_("mage"),
}
_PREFIXES = ("decree - ", "mage - ", "soldier - ", "trickster - ", "the ")


def _plain(name: str) -> str:
    name = " ".join(name.lower().replace("'", "").replace("â", "a").split())
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


_NAMES = [_plain(definition.name) for definition in CARDS]
TITLES: Sequence[str] = tuple(dict.fromkeys(definition.name for definition in CARDS))


def find_cards(typed: Sequence[str]) -> list[CardDefinition]:
    """Find the cards whose number or name was typed, or the beginnings of whose words were."""
    words = _plain(" ".join(typed)).split()
    if len(words) == 1 and words[0].isascii() and words[0].isdigit():
        return [definition for definition in CARDS if definition.id == int(words[0][:4])]
    kinds = [word for word in words if word in _KINDS]
    whole = [CARDS[at] for at, name in enumerate(_NAMES) if name.split() == words]
    if whole or not words:
        return whole
    return [
        definition
        for definition, name in zip(CARDS, _NAMES, strict=True)
        if all(word in kinds or _begins(word, name.split()) for word in words)
        and all(definition.type == kind for kind in kinds)
    ]


def _begins(word: str, names: Iterable[str]) -> bool:
    return any(each.startswith(word) for each in names)


def facts_of(definition: CardDefinition, say: Translator) -> str:
    """Say of which type a card is, its worth and its cost: ``soldier, 20 points, costs a trickster``."""
    worth = []
    if definition.points or definition.type in ("soldier", "mage"):
        worth.append(say("{points} points", points=definition.points))
    if definition.health:
        worth.append(say("{health} health", health=definition.health))
    worth.append(say("costs {cost}", cost=cost_of(definition, say)) if definition.cost else "")
    return ", ".join([say(_KINDS[definition.type]), *filter(None, worth)])


def page(definition: CardDefinition, say: Translator) -> Iterator[str]:
    """Say all that is printed on a card."""
    head = f"{definition.name} ({definition.id}): {facts_of(definition, say)}."
    yield from wrap(head, WIDTH, subsequent_indent="  ")
    for ability in definition.abilities:
        yield from wrap(say(ability.text), WIDTH - 2, initial_indent="  ", subsequent_indent="  ")


def brief(definition: CardDefinition, say: Translator) -> str:
    """Say in a line what a card is worth, costs and does; the line may be long."""
    name = definition.name.removeprefix("Trickster - ").removeprefix("Mage - ")
    worth = [say(_KINDS[definition.type])]
    if definition.points:
        worth.append(str(definition.points))
    facts = " ".join(worth)
    if definition.cost:
        facts = f"{facts}, {say('costs {cost}', cost=cost_of(definition, say))}"
    return f"{name} ({facts}): {' / '.join(say(each.text) for each in definition.abilities)}"


def briefest(definition: CardDefinition, say: Translator) -> str:
    """Say the same with kinds as the letters that places begin with: ``Centaur s25, costs s+t+m: Enters: ...``."""
    name = definition.name.removeprefix("Trickster - ").removeprefix("Mage - ")
    worth = f"{name} {definition.type[:1]}{definition.points or ''}"
    if definition.cost:
        ways = ("+".join(_letters(item, say) for item in way) for way in definition.cost)
        worth = f"{worth}, {say('costs {cost}', cost=say(' or ').join(ways))}"
    return f"{worth}: {' / '.join(say(each.text) for each in definition.abilities)}"


def _letters(item: Item, say: Translator) -> str:
    if item.pay == "castle_health" or item.card_id is not None or item.min_level:
        return _part(item, say)
    return "+".join((item.card_type or "soldier")[:1] * item.count)


def cost_of(definition: CardDefinition, say: Translator) -> str:
    """Say what a card costs."""
    ways = (say(" and ").join(_part(item, say) for item in way) for way in definition.cost)
    return say(" or ").join(ways)


def _part(item: Item, say: Translator) -> str:
    if item.pay == "castle_health":
        return say("{amount} health of your castle", amount=item.amount)
    if item.card_id is not None:
        return CARDS[item.card_id].name
    kind = say(_KINDS[item.card_type or "soldier"])
    if item.min_level:
        return say("a {kind} of level {level} or more", kind=kind, level=item.min_level)
    return say.several("a {kind}", "{n} {kind}s", item.count, kind=kind)


def look_up(typed: Sequence[str], say: Translator) -> Sequence[str]:
    """Explain the card that was named, or list those that it could be."""
    if not typed:
        return [say("Say CARD and the name or the number of a card, like CARD warlock.")]
    found = find_cards(typed)
    if not found:
        return [say("There is no card called {name}.", name=" ".join(typed)[:40])]
    if len(found) > 3:
        names = ", ".join(f"{definition.id} {definition.name}" for definition in found)
        return wrap(names, WIDTH)
    return [line for definition in found for line in page(definition, say)]
