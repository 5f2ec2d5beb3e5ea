"""When the writer of the journal rates the games that have ended: a few at a time, between what cannot wait."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from protocols.journal.errors import JournalLost
from protocols.journal.interface import Store

if TYPE_CHECKING:
    from gamecore.contest.rating import Formula

EVERY = 1.0  # seconds between two pieces of it, as long as there is something else to do


class Rating:
    """The rating of games in a store; ``due`` is whether there may be some that are not rated yet.

    ``elsewhere`` is whether another run rated at the last look.
    """

    def __init__(self, store: Store) -> None:
        self.due = store.unrated
        self.elsewhere = False
        self._store = store
        self._broken = False
        self._formula: Formula | None = None
        self._last = time.monotonic()

    @property
    def rested(self) -> bool:
        """Whether the last piece is long enough ago for another before all else is done."""
        return time.monotonic() >= self._last + EVERY

    def hear(self) -> None:
        """Hear that games have ended."""
        self.due = not self._broken

    def go_on(self) -> Exception | None:
        """Rate some games, if that can be done here: else the results wait for it.

        Raises errors of the engine that may pass, and gives any other: nothing is rated any more then.
        """
        self._last = time.monotonic()
        if not self.due:
            return None
        try:
            formula = self._find_formula()
            more = formula is not None and self._store.fold(formula)
            self.due, self.elsewhere = more is not False, more is None
        except JournalLost:
            raise
        except Exception as problem:
            if isinstance(problem, self._store.errors) and self._store.may_pass(problem):
                raise
            self.due, self._broken = False, True
            return problem
        return None

    def _find_formula(self) -> Formula | None:
        """Give what rates; None if there is no library for it."""
        if self._formula is None:
            # Here, since it brings the games' own rooms along, which a writer starts without.
            from gamecore.contest.rating import Formula, can_rate

            self._formula = Formula() if can_rate() else None
        return self._formula
