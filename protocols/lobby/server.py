"""The door for people: telnet and netcat, every game.

What is typed is a command and what belongs to it (see ``commands``); what is told is plain lines that end in CRLF,
each of which says one thing, and for who negotiates telnet the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from gamecore.settings import setting
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.i18n.translate import N_
from protocols.lobby.commands import ALL_GAMES
from protocols.lobby.draining import lines_of_drain
from protocols.lobby.face import LobbyFace
from protocols.lobby.session import Session
from protocols.lobby.session_states import Line

# The one with the least to learn. Named, so that it stays the same whichever games are installed besides.
_FIRST_GAME = "nim"


@frozen
class LobbySettings:
    """How the lobby greets."""

    welcome: str = setting("", "a line of this house's own, told to everybody who comes")
    first_game: str = setting(_FIRST_GAME, "the game that a newcomer is offered")


class LobbyFactory(DoorFactory):
    """Lets people in."""

    protocol = LobbyFace  # type: ignore[assignment]  # see LinkFactory
    settings: LobbySettings

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        given = defaults.door
        self.settings = given if isinstance(given, LobbySettings) else LobbySettings()

    def welcome(self, line: Line) -> Session:
        """Begin a session: greet somebody who comes, and say what to type next."""
        session = Session(line, self.host, ALL_GAMES)
        session.send_lines(self._greeting(session))
        return session

    def _greeting(self, session: Session) -> Iterator[str]:
        say = session.say
        yield say("Welcome to Parlour. You are {name}.", name=session.name)
        if self.settings.welcome:
            yield self.settings.welcome
        if self.first_game:
            play = f"PLAY {self.first_game}"
            yield say("Type {play} to play against a bot, or TABLES to find people.", play=play)
        yield say("GAMES lists the games, HELP the words, NAME gives you a name of your own.")
        if self.host.draining:
            yield from lines_of_drain(session)
        yield say("Lines too wide? WIDTH 40, or WIDTH AUTO.")

    @property
    def first_game(self) -> str:
        """The game that a newcomer is offered: what the house names, else the usual one, else any; "" for none."""
        kinds = self.host.hall.registry.kinds
        named = (self.settings.first_game, _FIRST_GAME, *kinds)
        return next((kind for kind in named if kind in kinds), "")


DOOR = Door(
    kind="lobby",
    title="The lobby",
    endpoint="tcp:4242",
    settings=LobbySettings,
    build=LobbyFactory,
    purpose=N_("people: telnet and netcat, every game"),
)
