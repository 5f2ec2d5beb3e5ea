"""Codes for new tables are reserved in the journal ahead, and asked for in blocks."""

from __future__ import annotations

from itertools import count

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from gamecore.errors import Refused
from protocols.host.code_pool import BLOCK, CodePool
from protocols.journal.errors import JournalFailed
from protocols.journal.interface import Claimed
from protocols.journal.memory import MemoryJournal


class Reserving(MemoryJournal):
    """A journal that answers when it is told to, with all but every third of what was drawn."""

    codes_ahead = 4 * BLOCK

    def __init__(self):
        super().__init__(Clock())
        self.asked = []

    def reserve(self, draw, count):
        self.asked.append(count)
        self.codes = [draw() for _ in range(count)]
        self.answer = Deferred()
        return self.answer

    def give(self):
        self.answer.callback([each for each in self.codes if int(each) % 3])


def build():
    journal, numbers = Reserving(), count()
    return journal, CodePool(journal, lambda: str(next(numbers)))


def fill(journal, pool):
    filled = []
    pool.fill().addCallback(filled.append)
    assert filled == []
    journal.give()
    assert filled == [None]


def test_no_code_is_given_twice_nor_one_that_was_not_reserved():
    journal, pool = build()
    fill(journal, pool)
    taken = []
    for _ in range(1000):
        taken.append(pool.take())
        if not journal.answer.called and len(taken) % 7 == 0:
            journal.give()
    assert len(set(taken)) == 1000 and all(int(each) % 3 for each in taken)


def test_codes_are_asked_for_in_blocks_and_one_question_at_a_time():
    journal, pool = build()
    fill(journal, pool)
    for _ in range(2 * BLOCK):
        pool.take()
    assert len(journal.asked) == 2 and journal.asked[0] == 4 * BLOCK
    journal.give()
    for _ in range(3 * BLOCK):
        pool.take()
        if not journal.answer.called:
            journal.give()
    assert all(each % BLOCK == 0 for each in journal.asked)


def test_where_none_is_left_a_table_is_refused_for_now():
    journal, pool = build()
    with pytest.raises(Refused, match="too-fast"):
        pool.take()
    with pytest.raises(Refused, match="too-fast"):
        pool.take()
    assert len(journal.asked) == 1
    journal.give()
    assert pool.take()


def test_a_journal_that_cannot_answer_is_asked_again():
    journal, pool = build()
    begun = []
    pool.fill().addCallback(begun.append)
    journal.answer.errback(JournalFailed("the disk"))
    assert begun == [None]  # the house opens all the same
    with pytest.raises(Refused, match="too-fast"):
        pool.take()
    journal.give()
    assert pool.take()


def test_a_table_that_another_run_has_is_not_woken(room, monkeypatch):
    home = room("nim")
    home.kill()
    monkeypatch.setattr(home.journal, "run", 7)
    claim, home.journal.claim = home.journal.claim, lambda code: claim_of(home, 8)
    refused = home.come_back("player 0")
    assert (refused.heard, refused.place) == ([("back", "table-away")], None)
    home.journal.claim = claim
    assert home.come_back("player 0").names() == [("back", None), "TableView"]


def claim_of(home, run):
    return MemoryJournal.read(home.journal, "").addCallback(lambda _: Claimed(run))
