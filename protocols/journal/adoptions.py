"""Which tables that dead runs left awake are replayed now, and which of them have killed who did that.

A replay may end its process without a word, as where memory runs out. So it is counted in the journal before it
begins, and the count is cleared when it is over: what remains is how many runs have ended meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

Ask = Callable[..., Deferred[Sequence[str]]]


class Adoptions:
    """Counts with one commit whatever has come to be counted since the one before was asked for."""

    def __init__(self, ask: Ask) -> None:
        """Ask the writer by ``ask``, which is given the name of a question and its values."""
        self._ask = ask
        self._begun: list[tuple[str, Deferred[bool]]] = []
        self._under_way = 0  # that are counted, or about to be, and not replayed yet
        self._ended: list[str] = []
        self._asking = False

    def begin(self, table: str) -> Deferred[bool]:
        """Count that a table is about to be replayed, and clear those before; False if it is set aside."""
        done: Deferred[bool] = Deferred()
        self._begun.append((table, done))
        self._under_way += 1
        self._go_on()
        return done

    def end(self, table: str) -> None:
        """Take note that a table was replayed; it is cleared at once, or with those that are still replayed.

        Else whoever is killed soon behind it, and again, would have it set aside that did nothing.
        """
        self._ended.append(table)
        self._under_way -= 1
        if not self._under_way:
            self._go_on()

    def flush(self) -> None:
        """Have cleared what was replayed, though no other is about to be."""
        if self._ended:
            self._go_on()

    def _go_on(self) -> None:
        if self._asking:
            return
        self._asking = True
        begun, self._begun = self._begun, []
        ended, self._ended = self._ended, []
        asked = self._ask("adopt", [table for table, _ in begun], ended)
        asked.addBoth(self._answered, begun, ended)

    def _answered(
        self,
        answer: Sequence[str] | Failure,
        begun: Sequence[tuple[str, Deferred[bool]]],
        ended: Sequence[str],
    ) -> None:
        self._asking = False
        failed = isinstance(answer, Failure)
        if failed:
            self._ended[:0] = ended
        for table, done in begun:
            if isinstance(answer, Failure):
                self._under_way -= 1
                done.errback(answer)
            else:
                self._under_way -= table in answer
                done.callback(table not in answer)
        # What could not be cleared waits for the next sign of life.
        if self._begun or (self._ended and not self._under_way and not failed):
            self._go_on()
