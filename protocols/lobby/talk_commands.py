"""Words for talking, and for who is here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from gamecore.errors import Malformed, Refused
from protocols.host.face import Place
from protocols.i18n.translate import Translator

if TYPE_CHECKING:
    from protocols.lobby.visitor import Visitor

MOST_LISTED = 40
_MOST_NAME_WORDS = 8


def say_aloud(visitor: Visitor, rest: str) -> None:
    """Say something to everybody at the same table, or in the hall."""
    visitor.host.people.say(visitor, rest)


def tell_one(visitor: Visitor, rest: str) -> None:
    """Say something to one person alone, whose name may have several words."""
    words = rest.split(" ")
    if len(words) < 2:
        raise Malformed(visitor.say("Say to whom and what, like TELL guest-1 hello."))
    for count in range(min(len(words) - 1, _MOST_NAME_WORDS), 0, -1):
        name, message = " ".join(words[:count]).rstrip(":,"), " ".join(words[count:])
        try:
            told = visitor.host.people.tell(visitor, name, message)
        except Refused as refusal:
            if refusal.key != "nobody-called" or count == 1:
                raise
        else:
            visitor.tell(visitor.say("You tell {name}: {words}", name=told, words=message))
            return


def who(visitor: Visitor, rest: str) -> None:
    """List the people in the hall, and where they are."""
    people, say = visitor.host.people, visitor.say
    lines = [_one(visitor, name, place) for name, place in islice(people.who(), MOST_LISTED)]
    if len(people) > MOST_LISTED:
        more = len(people) - MOST_LISTED
        lines.append(say.several("And {n} other.", "And {n} others.", more))
    visitor.send_lines(lines)


def _one(visitor: Visitor, name: str, place: Place | None) -> str:
    where = " ".join(_where(visitor, place, visitor.say))
    you = visitor.say(" (you)") if name == visitor.name else ""
    return f"{name}{you}, {where}."


def _where(visitor: Visitor, place: Place | None, say: Translator) -> Iterator[str]:
    hall = visitor.host.hall
    if place is None or place.code not in hall:
        yield say("in the hall")
        return
    table = hall.find(place.code)
    yield say("looking on at") if place.player is None else say("playing at")
    yield table.rules.kind
    own = visitor.place is not None and visitor.place.code == place.code
    yield place.code if own or not table.house.private else say("(a private table)")
