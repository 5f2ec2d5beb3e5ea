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
        self._ended: list[str] = []
        self._asking = False

    def begin(self, table: str) -> Deferred[bool]:
        """Count that a table is about to be replayed, and clear those before; False if it is set aside."""
        done: Deferred[bool] = Deferred()
        self._begun.append((table, done))
        self._go_on()
        return done

    def end(self, table: str) -> None:
        """Take note that a table was replayed."""
        self._ended.append(table)

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
        if isinstance(answer, Failure):
            self._ended[:0] = ended
        for table, done in begun:
            if isinstance(answer, Failure):
                done.errback(answer)
            else:
                done.callback(table not in answer)
        if self._begun:
            self._go_on()
