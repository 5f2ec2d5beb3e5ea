"""Codes are reserved for the run that lives: no two runs, and no two tables, can have the same."""

from __future__ import annotations

from itertools import cycle

import pytest

from protocols.journal.errors import JournalFailed


def drawing(*codes):
    """Give what draws these codes, again and again."""
    return cycle(codes).__next__


def reserve(rig, journal, *codes):
    return rig.wait(journal.reserve(drawing(*codes), len(codes)))


def test_a_code_is_reserved_once(rig):
    journal = rig.open()
    assert reserve(rig, journal, "AAAAA", "BBBBB") == ["AAAAA", "BBBBB"]
    assert reserve(rig, journal, "BBBBB", "CCCCC", "CCCCC") == ["CCCCC"]


def test_no_code_is_given_that_a_table_has_or_had(rig, chain):
    journal = rig.open(idle=0.001)
    for code in ("AAAAA", "BBBBB"):
        journal.note(code, "nim", "gathering", False, 0.0)
        rig.keep(journal, *chain(code, 2))
    journal.retire("BBBBB")
    rig.wait(journal.finished())  # which puts it away first
    assert reserve(rig, journal, "AAAAA", "BBBBB", "CCCCC") == ["CCCCC"]


def test_what_was_reserved_is_a_table_s_once_that_is_opened(rig, chain):
    journal = rig.open()
    reserve(rig, journal, "AAAAA", "BBBBB")
    journal.note("AAAAA", "nim", "gathering", False, 0.0)
    rig.keep(journal, *chain("AAAAA", 3))
    rig.close(journal)
    journal = rig.open()
    assert reserve(rig, journal, "AAAAA", "BBBBB") == ["BBBBB"]


def test_a_house_that_begins_anew_has_what_the_one_before_did_not_use(rig):
    journal = rig.open()
    reserve(rig, journal, "AAAAA")
    rig.close(journal)
    journal = rig.open()
    assert (journal.run, reserve(rig, journal, "AAAAA")) == (2, ["AAAAA"])


@pytest.mark.parametrize("fails", ["fail_before", "fail_after"])
def test_a_disk_that_fails_once_is_asked_again(rig, fails):
    journal = rig.open()
    setattr(rig.disk, fails, 1)
    given = reserve(rig, journal, "AAAAA", "BBBBB")
    assert given == (["AAAAA", "BBBBB"] if fails == "fail_before" else [])  # they may be another's
    assert reserve(rig, journal, "CCCCC") == ["CCCCC"]


def test_a_disk_that_goes_on_failing_gives_none(rig):
    journal = rig.open()
    rig.disk.fail_before = 2
    with pytest.raises(JournalFailed):
        reserve(rig, journal, "AAAAA")
    assert reserve(rig, journal, "AAAAA") == ["AAAAA"]


def test_what_is_claimed_belongs_to_the_run_that_asks(rig):
    for run in (1, 2):
        journal = rig.open()
        journal.note("AAAAA", "nim", "gathering", False, 0.0)
        rig.keep(journal)
        assert (journal.run, rig.wait(journal.claim("AAAAA")).run) == (run, run)
        rig.close(journal)
