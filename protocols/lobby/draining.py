"""What people are told at a daemon that was asked to end: what will happen, and what they can do."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.i18n.refusals import ABOUT_TO_END
from protocols.i18n.translate import N_
from protocols.lobby.session import Session

_COME_AGAIN = N_("To begin one, leave and come again by the same address in a moment.")
_KEPT = N_("Your seat is kept meanwhile: the token you were given brings you back to it.")


def tell_of_drain(session: Session) -> None:
    """Tell somebody who is here."""
    session.send_lines(lines_of_drain(session))


def lines_of_drain(session: Session) -> Iterator[str]:
    """Give the lines that somebody is told who is here, or comes."""
    yield session.say(ABOUT_TO_END)
    yield session.say(_COME_AGAIN)
    if session.place is not None and session.place.may_return:
        yield session.say(_KEPT)
