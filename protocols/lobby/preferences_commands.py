"""Commands for how things are told: language, colours, suits."""

from __future__ import annotations

from attrs import evolve

from gamecore.errors import Malformed
from protocols.i18n.translate import languages, translator_of
from protocols.lobby.session import Session

_ON = ("on", "yes", "1")
_OFF = ("off", "no", "0")


def language(session: Session, rest: str) -> None:
    """Choose a language; raises Refused ``no-such-language``."""
    if rest:
        session.say = translator_of(rest[:2])
    known = ", ".join(languages())
    session.tell(
        session.say(
            "You are spoken to in {name} (of {known}).", name=session.say.language, known=known
        )
    )


def colour(session: Session, rest: str) -> None:
    """Turn colours on or off; raises Malformed."""
    if rest.lower() not in _ON + _OFF:
        raise Malformed(session.say("Say COLOUR on or COLOUR off."))
    session.style = evolve(session.style, colour=rest.lower() in _ON)
    state = session.say("on") if session.style.colour else session.say("off")
    session.tell(session.say("Colours are {state}.", state=state))


def suits(session: Session, rest: str) -> None:
    """Choose how suits are written; raises Malformed."""
    word = rest.lower()
    if not word or not any(each.startswith(word) for each in ("signs", "letters")):
        raise Malformed(session.say("Say SUITS signs or SUITS letters."))
    session.style = evolve(session.style, letters="letters".startswith(word))
    session.tell(session.say("Suits are written so: {suits}", suits="10♠ 10♥ 10♦ 10♣"))
