"""What a game brings to be played in the browser, and how it is found.

A game joins the pages by naming one object of this shape in the entry point group ``parlour.pages``, under its
kind.  Its templates lie in the folder ``templates`` beside the code of its ``package``:

* ``player_live.html``, ``watch_live.html`` and ``organizer_live.html`` extend those of the same name here, and fill
  the blocks ``status``, ``table``, ``ask`` (an organizer's is ``turn``), ``hand`` and ``scores``;
* ``setup.html`` is the form for a new game.

They draw from a ``model``, the game's own kind of ``TableModel``.  A folder ``static`` may hold ``pages.css`` and
``pages.js``, which are added to the looks and the script of all pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

from gamecore.rules import Move
from gamecore.settings import Value
from protocols.i18n.game_text import GameText
from protocols.web.table_model import TableModel

FormField = Callable[[str], str]
"""Takes the name of a field, gives what was filled in; an empty text if it is not there."""


class SetupForm(Protocol):
    """What an organizer filled in for a new game."""

    @property
    def names(self) -> str:
        """Who is invited, one on each line or with commas between."""

    @property
    def title(self) -> str:
        """What the table is to be called."""

    def options(self, names: int) -> Mapping[str, Value]:
        """Make the game's options of it, for so many who are invited; raises Refused."""

    def house(self) -> Mapping[str, Value]:
        """Make of it what the house asks of every table."""


class GamePages(Protocol):
    """What the pages know of one game."""

    @property
    def package(self) -> str:
        """The package beside whose code the folders ``templates`` and ``static`` lie."""

    @property
    def text(self) -> GameText:
        """The game in words."""

    @property
    def model(self) -> type[TableModel]:
        """What the templates draw from."""

    @property
    def bot(self) -> str:
        """The level of a bot that is asked for, or that plays on for somebody."""

    @property
    def moves(self) -> Mapping[str, Callable[[FormField], Move]]:
        """How the form of each kind of move is read, by the end of its address.

        Reading raises Refused if what was filled in is no move.
        """

    @property
    def refusals(self) -> Mapping[str, str]:
        """A sentence (marked, its facts in braces) for each key that a form for a new game is refused with."""

    def form(self, field: FormField) -> SetupForm:
        """Read the form for a new game."""


@cache
def installed_pages() -> Mapping[str, GamePages]:
    """Load the pages of every game that an installed package brings, by kind."""
    return {point.name: point.load() for point in sorted(entry_points(group="parlour.pages"))}
