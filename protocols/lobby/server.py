"""The door for people: telnet and netcat, every game.

What is typed is a command and what belongs to it (see ``commands``); what is told is plain lines that end in CRLF,
each of which says one thing, and for who negotiates telnet the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from attrs import frozen

from gamecore.settings import setting
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.i18n.game_text import GameText, find_text
from protocols.i18n.translate import ENGLISH, N_
from protocols.lobby import help_pages
from protocols.lobby.commands import ALL_GAMES
from protocols.lobby.face import LobbyFace
from protocols.lobby.session import Line, Session


@frozen
class LobbySettings:
    """How the lobby greets."""

    welcome: str = setting("", "a line of this house's own, told to everybody who comes")
    first_game: str = setting("", "the game that a newcomer is offered")


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

    @cached_property
    def first_game(self) -> str:
        """The game that a newcomer is offered: the one with the least to learn, if the house names none."""
        kinds = list(self.host.hall.registry.kinds)
        if self.settings.first_game in kinds:
            return self.settings.first_game
        texts = {kind: find_text(kind) for kind in kinds}
        told = {kind: text for kind, text in texts.items() if text is not None}
        return min(told, key=lambda kind: _size(told[kind]), default="")


def _size(text: GameText) -> tuple[int, int]:
    """Say how much there is to learn before a game can be played."""
    return len(text.verbs), len(help_pages.of_game(text, help_pages.RULES_PAGE, ENGLISH))


DOOR = Door(
    kind="lobby",
    title="The lobby",
    endpoint="tcp:4242",
    settings=LobbySettings,
    build=LobbyFactory,
    purpose=N_("people: telnet and netcat, every game"),
)
