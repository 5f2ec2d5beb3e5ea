"""What is read and compiled when it is first needed, done beforehand: who comes first holds up nobody.

Words, bots and pages of games are of packages that anybody may install, and are loaded by their kinds as somebody
asks for them. All of them together take as long as a thousand moves, so a piece is done now and then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from twisted.internet.interfaces import IReactorTime

from gamecore.bots import bots_of
from protocols.daemon.again import Again
from protocols.host.door import DoorFactory
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import languages, translator_of

PAUSE = 0.02  # seconds between one piece and the next


def load_ahead(kinds: Iterable[str], doors: Iterable[DoorFactory]) -> Iterator[None]:
    """Load what games of these kinds and these doors need, a piece each time that the next is asked for."""
    for language in languages():
        translator_of(language)
        yield
    for kind in kinds:
        find_text(kind)
        yield
        bots_of(kind)
        yield
    for door in doors:
        yield from door.load_ahead()


class LoadAhead:
    """Does pieces of work until there are no more; what is wrong with one is logged, and ends it."""

    def __init__(self, pieces: Iterator[None], clock: IReactorTime) -> None:
        self._pieces = pieces
        self._loop = Again(PAUSE, self._do_a_piece, clock)

    def start(self) -> None:
        """Begin, in a while."""
        self._loop.start()

    def stop(self) -> None:
        """Leave the rest to whoever needs it."""
        self._loop.stop()

    def _do_a_piece(self) -> None:
        if next(self._pieces, self) is self:
            self.stop()
