"""One game in words: what a text face needs of a game, and how it finds it.

A game joins every text face by naming one object of this shape in the entry point group ``parlour.texts``.  Suits
are written as signs (``10♥``); a face whose reader wants letters, or colours, changes them on the way out.

What is said goes through ``say``, or is marked by ``N_`` where it is only kept for later, and is translated by the
game's own catalogues, which lie beside the module that the entry point names (see ``translate``).  Pages of help
lie in a folder ``help`` beside the code of the game's ``package``, one folder a language: ``help/en/rules.txt``
explains the game, ``help/en/take.txt`` the word TAKE; a language that lacks a page has it in English.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol, runtime_checkable

import attrs

from gamecore.events import Event
from gamecore.rules import Move, View
from gamecore.settings import Value
from gamecore.table_view import TableView
from protocols.i18n import wrapping
from protocols.i18n.translate import Translator


class Preparation(Protocol):
    """Where one player makes ready what is brought to a game."""

    @property
    def brought(self) -> attrs.AttrsInstance | None:
        """What is brought, of the class that the rules say; None until it is ready."""


@runtime_checkable
class ExtraCommands(Protocol):
    """What the text of a game has besides, if there are words for it that are no moves."""

    @property
    def package(self) -> str:
        """The package beside whose code the pages lie."""

    @property
    def extra_commands(self) -> Mapping[str, str]:
        """Each such word, in lower case, how it is typed and what it does: ``DECK ADD card: ...``."""

    def prepare(self) -> Preparation:
        """Begin one player's preparation."""

    def obey_extra(self, words: Sequence[str], preparation: Any, say: Translator) -> Sequence[str]:
        """Do what such words say to a player's own ``preparation``, and tell what has become of it."""


@runtime_checkable
class QuickGame(Protocol):
    """What the text of a game has besides, if a person alone with bots plays by other settings than usual."""

    def quick_options(self, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """Give what makes a game fit ten minutes and leaves time to read, where ``options`` leave that open."""


ALWAYS, ROUND, NEVER = SHOWN = ("always", "round", "never")
"""When a board is shown by itself: before each decision, when a round begins, or not at all."""


@runtime_checkable
class ShownBoard(Protocol):
    """What the text of a game has besides, if its board is not shown just each round."""

    @property
    def board_shown(self) -> str:
        """One of ``SHOWN``: ``always`` where nobody can choose without seeing the board."""


@runtime_checkable
class WarningText(Protocol):
    """What the text of a game has besides, if its rules take moves that nobody makes on purpose."""

    def warn(self, move: Move, board: View | None, say: Translator) -> str | None:
        """Say what a move would cost, before it is made, to be said again if it is meant; None for any other."""


@runtime_checkable
class OnceTold(Protocol):
    """What the text of a game has besides, if several events tell one and the same thing that happens."""

    def once(self, events: Sequence[Event], drawn: bool) -> Sequence[Event]:
        """Leave out of the events of one command what others of them tell, or the board if it is ``drawn`` next."""


@runtime_checkable
class NarrowBoard(Protocol):
    """What the text of a game has besides, if its board is drawn otherwise where the screen is narrow."""

    def narrow_board(self, view: TableView, say: Translator, columns: int) -> Sequence[str]:
        """Draw the board in lines of at most ``columns``, 20 or more, as well as that can be done."""


@runtime_checkable
class OutcomeReasons(Protocol):
    """What the text of a game has besides, if its games end for reasons of their own."""

    @property
    def reasons(self) -> Mapping[str, str]:
        """A few words (marked) for each ``Outcome.reason`` that the rules give: ``won (four in a row)``."""


TIE = wrapping.TIE
"""The blank of a text at which no line is broken where that can be helped."""


class GameText(Protocol):
    """How one game is told, read and drawn."""

    @property
    def package(self) -> str:
        """The package beside whose code the folder ``help`` with the game's pages lies."""

    @property
    def verbs(self) -> Mapping[str, str]:
        """Each word, in lower case, that begins a move, and how the move is typed: ``TAKE stones [RESET]``."""

    @property
    def refusals(self) -> Mapping[str, str]:
        """A sentence (marked, its facts in braces) for each key of the game's own that a move is refused with."""

    def describe(self, event: Event, names: Sequence[str], say: Translator) -> str | None:
        """Say in one self-contained line what happened; None for what is not the game's own affair."""

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Translator
    ) -> Move:
        """Make a move of what a person typed, as far as the words are one; raises Malformed.

        ``moves`` are those that are legal now, ``board`` what the player sees; both may be missing when it
        is not their turn. Whether the move is legal is for the rules to say.
        """

    def typed(self, move: Move, board: View | None) -> str:
        """Write a move in the fewest words that ``read`` makes the same move of, whatever the language.

        ``board`` is what the player sees; it may be missing where the game does not need it. No two legal moves
        are typed alike.
        """

    def ask(self, moves: Sequence[Move], board: View, say: Translator) -> str:
        """Say what the player may do now, and what to type for it: in one line, or in a few."""

    def board(self, view: TableView, say: Translator) -> Sequence[str]:
        """Draw, in lines of at most 79 characters, all that the viewer may know."""


@cache
def find_text(kind: str) -> GameText | None:
    """Load the words of one game, if an installed package brings them."""
    points = entry_points(group="parlour.texts", name=kind)
    text: GameText | None = next((point.load() for point in points), None)
    return text


def text_kinds() -> Sequence[str]:
    """List the kinds of all games whose words an installed package brings."""
    return sorted({point.name for point in entry_points(group="parlour.texts")})


# The text of a game is one object for good, and to ask it for an interface is slow.
@cache
def board_shown(text: Hashable) -> str:
    """Say, of the text of a game or None, when the board is shown to people who have not chosen."""
    return text.board_shown if isinstance(text, ShownBoard) else ROUND


@cache
def warning_text(text: Hashable) -> WarningText | None:
    """Give the text of a game again if it warns of moves."""
    return text if isinstance(text, WarningText) else None


READING_SECONDS = 600
"""How long a person alone with bots may take for anything: the rules are read then, and nobody waits."""


def time_to_read(
    options: Mapping[str, Value], usual: attrs.AttrsInstance, *names: str
) -> Mapping[str, Value]:
    """Give ``READING_SECONDS`` for those of some settings that stand in ``options`` as they are ``usual``."""
    return {name: READING_SECONDS for name in names if options[name] == getattr(usual, name)}


@cache
def reasons_of(text: Hashable) -> Mapping[str, str]:
    """Give, of the text of a game or None, the game's own words for how its games end."""
    return text.reasons if isinstance(text, OutcomeReasons) else {}


def quick_options(kind: str, options: Mapping[str, Value]) -> Mapping[str, Value]:
    """Give the options that make a game of one person against bots a short one."""
    text = find_text(kind)
    return text.quick_options(options) if isinstance(text, QuickGame) else {}
