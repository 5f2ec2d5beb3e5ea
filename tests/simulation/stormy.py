"""A journal in memory that outlives its daemon, takes its time, and can be in trouble for a while."""

from __future__ import annotations

import zlib
from collections import deque
from functools import partial

from twisted.internet.defer import Deferred, fail, succeed
from twisted.python.failure import Failure

from protocols.journal.age import aged
from protocols.journal.errors import JournalFailed
from protocols.journal.interface import MOST_ROWS, Claimed, IndexRow

RETRY_SECONDS = 1.0
FAILS = 0.05  # of the questions about a table


class Unanswered(JournalFailed):
    """What a journal says that cannot read just now."""


class Disk:
    """What is left when a daemon is gone: the lines of each table, its index, and the last sign of life."""

    def __init__(self):
        self.lines = {}  # of the tables that have not ended
        self.retired = {}
        self.index = {}
        self.age = 0.0
        self.lived = None
        self.log = []  # every record, in the order of the commits

    def begin_run(self):
        """Take note of how far each table had come in the run before."""
        for row in self.index.values():
            if row["began"] is not None and self.lived is not None:
                row["lasted"] = self.lived - row["began"]
            row["began"] = None
        self.lived = None

    def keep(self, batch, notes):
        """Write a batch down."""
        for record in batch:
            assert record.table not in self.retired, "a record of a table that was retired"
            self.lines.setdefault(record.table, []).append(record.line)
            self.log.append((record.table, record.line))
        self.index.update(notes)


class StormyJournal:
    """One daemon's hold on a disk; like a writer behind a pipe, it does one thing after the other, in order."""

    run, codes_ahead, shared = 1, 0, False

    def __init__(self, clock, disk, chance):
        self.on_trouble = lambda trouble: None
        self.on_lost = lambda problem: None
        self.clock = clock
        self.disk = disk
        self.chance = chance
        self.troubled = 0  # how many more attempts to write will fail
        self.under_way = []  # the records of the batch that is not written yet
        self._in_trouble = False
        self._notes = {}  # for the next batch
        self._with_them = {}  # for the one under way
        self._jobs = deque()
        self._closed = False
        self._lived = None
        disk.begin_run()

    @property
    def age(self):
        return self.disk.age

    @property
    def pending(self):
        return len(self.under_way)

    @property
    def waits(self):
        """Whether something is to be written, and cannot be."""
        return self._in_trouble

    def append(self, batch):
        assert not self.under_way, "a batch was handed over while another was under way"
        self._with_them, self._notes = self._notes, {}
        self.under_way = list(batch)
        return self._queue(self._write)

    def _write(self):
        batch, self.under_way = self.under_way, []
        self.disk.keep(batch, self._with_them)

    def _queue(self, work):
        done = Deferred()
        self._jobs.append((work, done))
        if len(self._jobs) == 1:
            self._work_soon()
        return done

    def _ask(self, question):
        """Answer when all is done that came before, or now and then not at all."""
        fails = self.chance.random() < FAILS

        def answer():
            return Failure(Unanswered()) if fails else question()

        return self._queue(answer)

    def _work_soon(self):
        self.clock.callLater(self.chance.choice((0, 0, 0, 0.002, 0.05)), self._work)

    def _work(self):
        """Do what comes next, if that can be done."""
        if self._closed:
            return
        if self.troubled > 0 and self.under_way:
            self.troubled -= 1
            self.clock.callLater(RETRY_SECONDS, self._work)
            self._say(True)
            return
        work, done = self._jobs.popleft()
        answer = work()
        if not self.under_way:
            self._say(False)
        if self._jobs:
            self._work_soon()
        done.callback(answer)

    def _say(self, troubled):
        if troubled != self._in_trouble:
            self._in_trouble = troubled
            self.on_trouble("the disk is full" if troubled else None)

    def crash(self, lucky):
        """Be gone, with the batch under way written or not."""
        self._closed = True
        if lucky and self.under_way:
            self._write()

    def note(self, table, kind, stage, bot, began, card):
        self._notes[table] = {
            "kind": kind,
            "stage": stage,
            "bot": bot,
            "began": began,
            "lasted": 0.0,
            "rested": self.age,
            "card": card,
        }

    def release(self, table):
        for rows in (self._notes, self._with_them, self.disk.index):
            if table in rows:
                rows[table].update(began=None, lasted=0.0, rested=self.age)

    def read(self, table):
        return self._ask(lambda: list(self.disk.lines.get(table, ())))

    def read_finished(self, table):
        return self._ask(lambda: self._compacted(table))

    def _compacted(self, table):
        lines = self.disk.retired.get(table)
        return None if lines is None else zlib.compress(b"\n".join(lines))

    def index(self, after=""):
        return self._queue(lambda: self._list_live(after))

    def _list_live(self, after):
        codes = sorted(code for code in self.disk.index if code in self.disk.lines and code > after)
        return [self._live(code) for code in codes[:MOST_ROWS]]

    def _live(self, code):
        row = dict(self.disk.index[code])
        del row["began"]
        return IndexRow(code, **row)

    def claim(self, table):
        return self._ask(lambda: Claimed(self.run))

    def give_back(self, table):
        pass

    def reserve(self, draw, count):
        return succeed([draw()])

    def retire(self, table, before=None):
        self._queue(partial(self._retire, table))

    def _retire(self, table):
        lines = self.disk.lines.pop(table, None)
        if lines is not None:
            self.disk.retired[table] = lines
        self.disk.index.pop(table, None)

    def beat(self, lived, matters):
        self.disk.age += aged(self._lived, lived)
        self._lived = lived
        if matters:
            self.disk.lived = lived

    def forget(self, age):
        """What has ended is kept by the disk for those who check it."""

    def close(self):
        self._closed = True
        return fail(OSError("not all is written")) if self.under_way else succeed(None)
