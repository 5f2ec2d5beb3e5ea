"""A journal in memory that one process leaves to the next."""

from __future__ import annotations

from twisted.internet.task import deferLater

from protocols.journal.interface import IndexRow
from protocols.journal.memory import MemoryJournal


class KeptJournal(MemoryJournal):
    """A journal in memory that outlasts its process, as a file would, with its index."""

    def __init__(self, clock, lines=(), noted=(), lived=None):
        super().__init__(clock)
        self._lines = {code: list(each) for code, each in dict(lines).items()}
        self.noted, self.lived, self.lasted = dict(noted), None, {}
        for code, (*_, began, _) in self.noted.items():  # of the process before
            self.lasted[code] = 0.0 if None in (began, lived) else lived - began

    def next(self):
        """Give the journal as the next process finds it."""
        return KeptJournal(self._clock, self._lines, self.noted, self.lived)

    def note(self, table, kind, stage, bot, began, card=""):
        self.noted[table] = (kind, stage, bot, began, card)

    def release(self, table):
        self.noted[table] = (*self.noted[table][:3], None, self.noted[table][4])

    def beat(self, lived, matters):
        super().beat(lived, matters)
        if matters:
            self.lived = lived

    def retire(self, table):
        super().retire(table)
        self.noted.pop(table, None)

    def index(self, after=""):
        codes = sorted(code for code in self.noted if code > after)
        return deferLater(self._clock, 0, lambda: list(map(self._row, codes)))

    def _row(self, code):
        kind, stage, bot, _, card = self.noted[code]
        return IndexRow(code, kind, stage, bot, self.lasted[code], self.age, card)
