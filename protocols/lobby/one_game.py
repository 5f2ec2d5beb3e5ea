"""The lobby at the door of one game: the same commands, of which none names a game or leads to another.

A door that has bytes of its own and also speaks words gives each such link a session::

    self.session = open_session(self, self.factory.host, "castle", without=("suits",))
    self.session.line_received(line)

and hands on what the link hears from then on (see ``session``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from protocols.host.face import Host
from protocols.lobby.commands import Commands
from protocols.lobby.session import Session
from protocols.lobby.session_states import Line


def open_session(
    line: Line, host: Host, kind: str, without: Sequence[str] = (), password: str = ""
) -> Session:
    """Begin a session with one game alone, and greet whoever is at the other end of the line.

    ``kind`` is that of the game; the commands ``without`` (in lower case) say nothing there and are not known.
    With a ``password`` only who says it opens a table there, or sits down at one that has none of its own.
    Answers end in CRLF.  From here on all that the line hears is to be handed on to the session.
    """
    session = Session(line, host, _commands_of(kind, tuple(without), password))
    session.send_lines(_greeting(session, host.hall.registry.latest(kind).title))
    return session


@cache
def _commands_of(kind: str, without: tuple[str, ...], password: str) -> Commands:
    return Commands(kind, without, password)


def _greeting(session: Session, title: str) -> Iterator[str]:
    say = session.say
    yield say("Welcome to {title}. You are {name}.", title=title, name=session.name)
    yield say("Type {play} to play against a bot, or TABLES to find people.", play="PLAY")
    yield say("RULES explains the game, HELP the words, NAME gives you a name of your own.")
