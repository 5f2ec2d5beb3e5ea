"""What a game brings to be played in the browser with looks of its own, and how it is found.

Every game is played in the browser: its board is drawn in lines, and each legal move is a button (``any_game``).
One that is to look better names one object of the shape ``GamePages`` in the entry point group ``parlour.pages``,
under its kind.  In a folder ``pages`` beside the code of its ``package`` lie:

* ``table.html``, which extends the house's ``frame.html`` and fills at most the blocks ``facts``, ``seat``,
  ``middle``, ``choices``, ``hand`` and ``score`` from what ``facts`` gives;
* ``table.css``, if there is one, which is added to the looks of all pages;
* ``front.html`` and ``rules.html``, if there are any: the picture of the game on the first page, and those beside
  its rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol, runtime_checkable

from gamecore.events import Event
from protocols.i18n.translate import Translator
from protocols.web.sight import Sight


class GamePages(Protocol):
    """What the pages know of one game."""

    @property
    def package(self) -> str:
        """The package beside whose code the folder ``pages`` lies."""

    def facts(self, sight: Sight, at: Event | None) -> Mapping[str, object]:
        """Give what ``table.html`` names, from what the viewer may know alone.

        With ``at`` it is the picture of that moment, which the View after it may not show any more.  An ``ask``
        among the facts is said in the place of the house's own line, if it is not empty; where ``urgent`` is true
        among them, no moment before is rested on.
        """

    def rest(self, event: Event) -> float:
        """Say for how many seconds a moment wants to be seen before the next, 0 for most."""


@runtime_checkable
class MovedPages(Protocol):
    """What the pages of a game have besides, if people may still hold addresses of other pages for it."""

    @property
    def moved(self) -> Mapping[str, str]:
        """Each such address, as a route is written, and the address here of what there was."""


@runtime_checkable
class PrintedPages(Protocol):
    """What the pages of a game have besides, if its ``rules.html`` shows what is printed on its cards."""

    def printed(self, say: Translator) -> Mapping[str, object]:
        """Give what ``rules.html`` names."""


@cache
def installed_pages() -> Mapping[str, GamePages]:
    """Load the pages of every game that an installed package brings, by kind."""
    return {point.name: point.load() for point in sorted(entry_points(group="parlour.pages"))}
