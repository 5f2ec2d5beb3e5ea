"""Commands for talking, and for who is here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from gamecore.errors import Malformed, Refused
from protocols.host.elsewhere import Whereabouts
from protocols.i18n.translate import Translator
from protocols.lobby.session import Session

MOST_LISTED = 40
_MOST_NAME_WORDS = 8


def say_aloud(session: Session, rest: str) -> None:
    """Say something to everybody at the same table, or in the hall; raises Refused as ``People.say``."""
    session.host.people.say(session, rest)


def tell_one(session: Session, rest: str) -> None:
    """Say something to one person alone, whose name may have several words.

    Raises Malformed; Refused as ``People.tell``.
    """
    words = rest.split(" ")
    if len(words) < 2:
        raise Malformed(session.say("Say to whom and what, like TELL guest-1 hello."))
    for count in range(min(len(words) - 1, _MOST_NAME_WORDS), 0, -1):
        name, message = " ".join(words[:count]).rstrip(":,"), " ".join(words[count:])
        try:
            told = session.host.people.tell(session, name, message)
        except Refused as refusal:
            if refusal.key != "nobody-called" or count == 1:
                raise
        else:
            session.tell(session.say("You tell {name}: {words}", name=told, words=message))
            return


def who(session: Session, rest: str) -> None:
    """List the people in the hall, and where they are."""
    people, say = session.host.people, session.say
    lines = [_one(session, name, where) for name, where in islice(people.who(), MOST_LISTED)]
    if len(people) > MOST_LISTED:
        more = len(people) - MOST_LISTED
        lines.append(say.several("And {n} other.", "And {n} others.", more))
    session.show_page(lines)


def _one(session: Session, name: str, whereabouts: Whereabouts) -> str:
    where = " ".join(_where(session, whereabouts, session.say))
    you = session.say(" (you)") if name == session.name else ""
    return f"{name}{you}, {where}."


def _where(session: Session, whereabouts: Whereabouts, say: Translator) -> Iterator[str]:
    code, directory = whereabouts.code, session.host.directory
    if code is None or code not in directory:
        yield say("in the hall")
        return
    table = directory.find(code)
    yield say("looking on at") if whereabouts.seat is None else say("playing at")
    yield table.kind
    own = session.place is not None and session.place.code == code
    yield code if own or not table.private else say("(a private table)")
