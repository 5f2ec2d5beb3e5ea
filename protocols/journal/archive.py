"""A journal as those see it who only read: the results in it, and what has ended; perhaps beside its daemon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from protocols.journal.results import Due, Key, Meeting, Rated, RatingRow, ResultRow

if TYPE_CHECKING:
    from protocols.journal.health import Health

T = TypeVar("T")


class Results(Protocol):
    """The results in a journal, and the ratings that were made of them, as far as those have come."""

    def history(self, who: Sequence[str], most: int, hidden: bool) -> Sequence[ResultRow]:
        """List the latest games of some names or accounts, of all if there are none; ``hidden`` ones too."""

    def ratings(self, account: str) -> Sequence[RatingRow]:
        """List what an account is rated, by pool."""

    def top(self, pool: str, who: str, age: float, most: int) -> Sequence[RatingRow]:
        """List the best of a pool in a house of this age; ``who`` is ``people``, ``bots`` or ``all``."""

    def watermark(self) -> tuple[int, str]:
        """Give the watermark, and the formula by which the ratings were made."""

    def due(self, upto: int, most: int) -> Sequence[Due]:
        """List the results behind a watermark, in their order."""

    def all_ratings(self, pool: str | None = None) -> Mapping[Key, Rated]:
        """Give every rating, or those of one pool."""

    def all_met(self) -> set[Meeting]:
        """Give all who have met."""


class Archive(Protocol):
    """A journal for those who only look up what has ended; raises JournalFailed."""

    def look(self, question: Callable[[Results], T]) -> T:
        """Ask for results and ratings, all as they stand at one moment; raises JournalFailed."""

    @property
    def age(self) -> float:
        """How many seconds the house had lived at its last sign of life that was kept."""

    def read(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that has ended; None if there is none."""

    def lines(self, table: str) -> Sequence[bytes]:
        """Read the lines of a table that has not ended, in their order; none if there is none of that code."""

    def examine(self) -> Health:
        """Look how the journal is, and who is at it; raises JournalFailed."""

    def drain(self, run: int, seconds: float) -> bool:
        """Ask a run to end, and to wait for its players for so long; says whether it lives. Raises JournalFailed.

        This alone is written: its daemon finds it with its next sign of life.
        """

    def bring_back(self, table: str) -> bool:
        """Have a table that is set aside replayed again; False if there is none. Raises JournalFailed."""

    def copy_to(self, path: str) -> None:
        """Copy the whole journal, as it stands at one moment, to a path, in the place of what is there."""

    def close(self) -> None:
        """Let go of the journal."""
