"""The journal that lives in memory keeps the promises of every journal."""

from __future__ import annotations

import pytest
from twisted.internet.task import Clock

from gamecore.record import Record
from protocols.journal.memory import MemoryJournal


def record(table: str, sequence: int) -> Record:
    line = f"{table}{sequence}".encode()
    return Record(table, sequence, 0.0, line, line.hex())


@pytest.fixture
def journal(clock: Clock) -> MemoryJournal:
    return MemoryJournal(clock)


def lines(journal: MemoryJournal, clock: Clock, table: str) -> list[bytes]:
    read: list[list[bytes]] = []
    journal.read(table).addCallback(read.append)
    clock.advance(0)
    return read[0]


def test_a_batch_is_never_kept_before_append_has_returned(journal, clock):
    done = journal.append([record("A", 0)])
    assert not done.called
    clock.advance(0)
    assert done.called


def test_a_table_is_read_in_order_and_without_the_others(journal, clock):
    journal.append([record("A", 0), record("B", 0), record("A", 1)])
    journal.append([record("A", 2)])
    clock.advance(0)
    assert lines(journal, clock, "A") == [b"A0", b"A1", b"A2"]
    assert lines(journal, clock, "B") == [b"B0"]


def test_reading_comes_behind_what_was_handed_over_before(journal, clock):
    journal.append([record("A", 0)])
    assert lines(journal, clock, "A") == [b"A0"]


def test_a_reader_cannot_change_the_record(journal, clock):
    journal.append([record("A", 0)])
    lines(journal, clock, "A").clear()
    assert lines(journal, clock, "A") == [b"A0"]


def test_a_retired_table_is_forgotten(journal, clock):
    journal.append([record("A", 0)])
    clock.advance(0)
    journal.retire("A")
    journal.retire("never was")
    assert lines(journal, clock, "A") == []


def test_closing_comes_in_a_later_turn(journal, clock):
    closed = journal.close()
    assert not closed.called
    clock.advance(0)
    assert closed.called
