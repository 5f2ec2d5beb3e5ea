"""A table in whose replay runs end is counted, and set aside at the third, in every engine."""

from __future__ import annotations

import pytest

from protocols.journal.engines import open_archive
from protocols.journal.errors import JournalFailed
from protocols.journal.interface import SET_ASIDE

CODES = ("AAAAA", "BBBBB")


@pytest.fixture
def left(rig, chain):
    """A journal whose run before has left two tables awake, and one at rest."""
    journal = rig.open()
    for code in (*CODES, "RESTS"):
        journal.note(code, "nim", "playing", False, 100.0)
        rig.keep(journal, *chain(code, 1))
    journal.release("RESTS")
    return restarted(rig, journal)


def restarted(rig, journal):
    """Let a daemon end, and give the journal of the next."""
    rig.close(journal)
    return rig.open()


def deaths(rig, journal):
    return {row.table: row.deaths for row in rig.wait(journal.index())}


def adopt(rig, journal, *codes):
    """Have tables counted at once; says of each whether it may be replayed."""
    asked = [journal.adopt(code) for code in codes]
    return [rig.wait(each) for each in asked]


def test_it_is_counted_before_and_cleared_by_the_next_that_begins(rig, left):
    assert deaths(rig, left) == {"AAAAA": 0, "BBBBB": 0, "RESTS": None}
    assert adopt(rig, left, *CODES) == [True, True]
    assert deaths(rig, left) == {"AAAAA": 1, "BBBBB": 1, "RESTS": None}
    left.adopted("AAAAA")
    assert adopt(rig, left, "BBBBB") == [True]
    assert deaths(rig, left) == {"AAAAA": 0, "BBBBB": 2, "RESTS": None}


def test_it_is_cleared_with_the_first_that_is_done_there(rig, left, chain):
    adopt(rig, left, *CODES)
    left.note("BBBBB", "nim", "playing", False, 5.0)
    rig.keep(left, *chain("BBBBB", 2)[1:])
    assert deaths(rig, left) == {"AAAAA": 1, "BBBBB": 0, "RESTS": None}


def test_all_are_cleared_as_soon_as_none_is_replayed_any_more(rig, left):
    adopt(rig, left, *CODES)
    left.adopted("BBBBB")
    assert deaths(rig, left) == {"AAAAA": 1, "BBBBB": 1, "RESTS": None}
    left.adopted("AAAAA")
    assert deaths(rig, left) == {"AAAAA": 0, "BBBBB": 0, "RESTS": None}


@pytest.mark.parametrize("by", ["beat", "close"])
def test_it_is_cleared_though_no_other_begins(rig, left, by):
    adopt(rig, left, *CODES)
    left.adopted("BBBBB")
    if by == "beat":
        left.beat(1.0, False)
        assert deaths(rig, left)["BBBBB"] == 0
    assert deaths(rig, restarted(rig, left)) == {"AAAAA": 1, "BBBBB": 0, "RESTS": None}


def test_one_that_rests_is_not_counted(rig, left):
    for _ in range(SET_ASIDE + 1):
        assert adopt(rig, left, "RESTS") == [True]
    left.note("RESTS", "nim", "playing", False, 100.0)
    rig.keep(left)
    assert deaths(rig, left)["RESTS"] == 0


def test_at_the_third_it_is_set_aside_until_it_is_brought_back(rig, left):
    for _ in range(SET_ASIDE):
        assert adopt(rig, left, "AAAAA") == [True]
        left = restarted(rig, left)
    assert adopt(rig, left, *CODES) == [False, True]
    left.adopted("BBBBB")
    assert deaths(rig, left)["AAAAA"] == SET_ASIDE
    archive = open_archive(rig.path)
    assert list(archive.examine().set_aside) == ["AAAAA"]
    assert [archive.bring_back(code) for code in ("BBBBB", "NONE", "AAAAA")] == [False, False, True]
    assert list(archive.examine().set_aside) == []
    archive.close()
    assert adopt(rig, left, "AAAAA") == [True]  # the daemon that lives finds it, too


def test_a_count_that_cannot_be_written_fails_and_is_not_taken_for_done(rig, left):
    adopt(rig, left, *CODES)
    left.adopted("BBBBB")
    rig.disk.fail_before = 2  # a question is asked twice
    asked = left.adopt("RESTS")
    with pytest.raises(JournalFailed):
        rig.wait(asked)
    left.beat(1.0, False)
    assert deaths(rig, left) == {"AAAAA": 1, "BBBBB": 0, "RESTS": None}


def test_many_are_counted_by_few_commits(rig, left):
    before = rig.disk.commits
    asked = [left.adopt(CODES[number % 2]) for number in range(200)]
    for each in asked:
        rig.wait(each)
    assert rig.disk.commits - before == 2
