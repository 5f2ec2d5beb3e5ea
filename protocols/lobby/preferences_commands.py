"""Words for how things are told, and for help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamecore.errors import Malformed, Refused
from protocols.i18n.game_text import GameText, find_text
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import languages, translator_of
from protocols.lobby import pages
from protocols.lobby.aside_commands import asides
from protocols.lobby.opening import find_game

if TYPE_CHECKING:
    from protocols.lobby.visitor import Visitor

_ON = ("on", "yes", "1")
_OFF = ("off", "no", "0")


def language(visitor: Visitor, rest: str) -> None:
    """Choose a language."""
    if rest:
        visitor.say = translator_of(rest[:2])
    known = ", ".join(languages())
    visitor.tell(
        visitor.say(
            "You are spoken to in {name} (of {known}).", name=visitor.say.language, known=known
        )
    )


def colour(visitor: Visitor, rest: str) -> None:
    """Turn colours on or off."""
    if rest.lower() not in _ON + _OFF:
        raise Malformed(visitor.say("Say COLOUR on or COLOUR off."))
    visitor.colour = rest.lower() in _ON
    state = visitor.say("on") if visitor.colour else visitor.say("off")
    visitor.tell(visitor.say("Colours are {state}.", state=state))


def suits(visitor: Visitor, rest: str) -> None:
    """Choose how suits are written."""
    word = rest.lower()
    if not word or not any(each.startswith(word) for each in ("signs", "letters")):
        raise Malformed(visitor.say("Say SUITS signs or SUITS letters."))
    visitor.letters = "letters".startswith(word)
    visitor.tell(visitor.say("Suits are written so: {suits}", suits="10♠ 10♥ 10♦ 10♣"))


def rules(visitor: Visitor, rest: str) -> None:
    """Explain a game."""
    kind = visitor.sight.kind if visitor.sight is not None and not rest else None
    if kind is None:
        registry = visitor.host.hall.registry
        if not rest:
            known = ", ".join(registry.kinds)
            raise Malformed(visitor.say("RULES of which game? There are: {known}.", known=known))
        kind = find_game(registry, rest).kind
    text = find_text(kind)
    page = () if text is None else pages.of_game(text, pages.RULES_PAGE, visitor.say)
    if not page:
        raise Refused("no-page", topic=kind)
    visitor.send_lines(page)


def explain_topic(visitor: Visitor, topic: str, known: Sequence[str]) -> None:
    """Show the help of one word, of our own or of a game's, or what can be chosen for a game."""
    page = list(pages.of_word(topic, visitor.say) if topic in known else ())
    text = _game_with(visitor, topic)
    aside = asides(visitor.host.hall.registry).get(topic)
    if aside is not None and not page:
        page = list(pages.read_page(aside[1].package, visitor.say.language, topic))
    if text is not None and (not page or visitor.sight is not None):
        page += [visitor.say(text.verbs[topic]), *pages.of_game(text, topic, visitor.say)]
    registry = visitor.host.hall.registry
    if not page and topic in registry.kinds:
        found = registry.latest(topic)
        page = [*_verbs(visitor, topic), *pages.of_options(found, visitor.say)]
    if not page:
        raise Refused("no-page", topic=clean(topic, 24))
    visitor.send_lines(page)


def _game_with(visitor: Visitor, verb: str) -> GameText | None:
    """Find the game that has a verb: the one at hand, or in the hall any."""
    kinds = visitor.host.hall.registry.kinds
    if visitor.sight is not None:
        kinds = [visitor.sight.kind]
    texts = (find_text(kind) for kind in kinds)
    return next((text for text in texts if text is not None and verb in text.verbs), None)


def _verbs(visitor: Visitor, kind: str) -> list[str]:
    text = find_text(kind)
    if text is None:
        return []
    forms = "; ".join(map(visitor.say, dict.fromkeys(text.verbs.values())))
    return [
        visitor.say(
            "Moves are typed so: {forms}. RULES {kind} explains the game.", forms=forms, kind=kind
        )
    ]
