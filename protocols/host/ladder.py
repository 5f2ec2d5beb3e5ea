"""How games ended and who is the strongest, for those at the doors who ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar

from twisted.internet.defer import Deferred, DeferredLock, fail
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.contest.rating import can_rate
from gamecore.contest.result import NAME
from gamecore.errors import Refused
from gamecore.rated import BOT, PASSWORD, PRIVATE
from gamecore.roster import looks
from gamecore.rules import Registry
from protocols.host.unread import log_unread
from protocols.i18n.sanitize import clean
from protocols.journal.errors import JournalLost
from protocols.journal.interface import Journal
from protocols.journal.results import ALL, BOTS, MOST_LISTED, PEOPLE, RatingRow, ResultRow

__all__ = ["ALL", "MOST_LISTED", "USUAL_ROWS", "WHO", "Ladder", "RatingRow", "ResultRow"]

T = TypeVar("T")

USUAL_ROWS = 10  # of a list, where nobody says how many
WHO = (PEOPLE, BOTS, ALL)
_MOST_WAITING = 20  # people; what they ask for is looked up one after the other
_LONGEST = 24  # characters of a name


class Ladder:
    """Asks the journal for results and ratings."""

    _log = Logger()

    def __init__(self, journal: Journal, registry: Registry) -> None:
        self._journal = journal
        self._registry = registry
        self._turn = DeferredLock()

    def history(self, name: str, most: int = USUAL_ROWS) -> Deferred[Sequence[ResultRow]]:
        """List the latest games of a name, or of the bots of that level, the latest first.

        A table that was private is not named. Fails with Refused ``wrong-length``, ``too-fast``,
        ``results-unread``.
        """
        name = clean(name, _LONGEST)
        who = [NAME + looks(name), BOT + name.lower()]
        return self._ask(most, lambda: self._journal.history(who, most)).addCallback(_without_codes)

    def ratings(self, name: str, kind: str | None = None) -> Deferred[Sequence[RatingRow]]:
        """List what somebody is rated, in all games or in one.

        Fails with Refused ``no-such-game``, ``no-ratings``, ``too-fast``, ``results-unread``.
        """
        account = BOT + clean(name, _LONGEST).lower()
        asking = self._rated(kind) or self._ask(1, lambda: self._journal.ratings(account))
        return asking.addCallback(lambda rows: [row for row in rows if kind in (None, row.pool)])

    def top(
        self, kind: str, who: str = ALL, most: int = USUAL_ROWS
    ) -> Deferred[Sequence[RatingRow]]:
        """List the best in a game: ``people``, ``bots`` or ``all``.

        Fails with Refused ``no-such-game``, ``no-such-group``, ``wrong-length``, ``no-ratings``, ``too-fast``,
        ``results-unread``.
        """
        if who not in WHO:
            return fail(Refused("no-such-group", known=", ".join(WHO)))
        return self._rated(kind) or self._ask(most, lambda: self._journal.top(kind, who, most))

    def _rated(self, kind: str | None) -> Deferred[Any] | None:
        """Refuse a game that there is not, and all of it where nothing is rated."""
        try:
            if kind is not None:
                self._registry.latest(kind)
        except Refused as refusal:
            return fail(refusal)
        return None if can_rate() else fail(Refused("no-ratings"))

    def _ask(self, most: int, question: Callable[[], Deferred[T]]) -> Deferred[T]:
        if not 1 <= most <= MOST_LISTED:
            return fail(Refused("wrong-length", most=MOST_LISTED))
        if len(self._turn.waiting) >= _MOST_WAITING:
            return fail(Refused("too-fast"))
        asking: Deferred[T] = self._turn.run(question)
        return asking.addErrback(self._cannot_read)

    def _cannot_read(self, failure: Failure) -> NoReturn:
        if not failure.check(JournalLost):  # else it is in the log already
            log_unread(self._log, "results cannot be read", failure)
        raise Refused("results-unread")


def _without_codes(rows: Sequence[ResultRow]) -> Sequence[ResultRow]:
    """Leave out the codes of tables that were in no list: who has one could go there."""
    return [row._replace(code="") if row.why in (PRIVATE, PASSWORD) else row for row in rows]
