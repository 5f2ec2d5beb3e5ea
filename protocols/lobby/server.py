"""The door for people: telnet and netcat, every game.

What is typed is a word and what belongs to it (see ``words``); what is told is plain lines that end in CRLF,
each of which says one thing, and for who negotiates telnet the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from attrs import frozen

from gamecore.settings import setting
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.i18n.game_text import GameText, find_text
from protocols.i18n.translate import ENGLISH, N_, Translator
from protocols.lobby import pages
from protocols.lobby.opening import Openings
from protocols.lobby.visitor import Visitor


@frozen
class LobbySettings:
    """How the lobby greets."""

    welcome: str = setting("", "a line of this house's own, told to everybody who comes")
    first_game: str = setting("", "the game that a newcomer is offered")


class LobbyFactory(DoorFactory):
    """Lets people in."""

    protocol = Visitor  # type: ignore[assignment]  # see LinkFactory
    settings: LobbySettings

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        given = defaults.door
        self.settings = given if isinstance(given, LobbySettings) else LobbySettings()
        self.openings = Openings(host.hall, host.clock.seconds)

    def greet(self, name: str, say: Translator) -> Sequence[str]:
        """Say to somebody who comes what to type next."""
        lines = [say("Welcome to Parlour. You are {name}.", name=name)]
        if self.settings.welcome:
            lines.append(self.settings.welcome)
        if self.first_game:
            play = f"PLAY {self.first_game}"
            lines.append(
                say("Type {play} to play against a bot, or TABLES to find people.", play=play)
            )
        lines.append(
            say("GAMES lists the games, HELP the words, NAME gives you a name of your own.")
        )
        return lines

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
    return len(text.verbs), len(pages.of_game(text, pages.RULES_PAGE, ENGLISH))


DOOR = Door(
    kind="lobby",
    title="The lobby",
    endpoint="tcp:4242",
    settings=LobbySettings,
    build=LobbyFactory,
    purpose=N_("people: telnet and netcat, every game"),
)
