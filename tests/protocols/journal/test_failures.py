"""A disk that fails delays the journal and changes nothing; what cannot be mended ends it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from attrs import evolve

from protocols.journal.durable import DurableJournal
from protocols.journal.errors import JournalFailed, JournalLost, JournalUndone
from tests.protocols.journal.media import only_postgres, only_sqlite


def lines(records):
    return [record.line for record in records]


# -- what passes ----------------------------------------------------------------------


@pytest.mark.parametrize("way", ["fail_before", "fail_after"])
@pytest.mark.parametrize("times", [1, 2, 7])
@pytest.mark.parametrize("noted", [False, True])
def test_commits_that_fail_are_made_in_the_end(rig, chain, way, times, noted):
    journal = rig.open()
    a = chain("AAAAA", 9)
    rig.keep(journal, *a[:3])
    setattr(rig.disk, way, times)
    if noted:
        journal.note("AAAAA", "nim", "playing", False, 0.0)
    done = [journal.append(a[3:6]), journal.append(a[6:])]
    rig.wait(done[0])
    assert rig.troubles == ["the journal cannot be written: disk I/O error", None]
    rig.wait(done[1])
    assert rig.wait(journal.read("AAAAA")) == lines(a)
    assert [row.table for row in rig.wait(journal.index())] == ["AAAAA"] * noted
    assert rig.lost == []


def test_nothing_fires_and_nothing_is_overtaken_while_commits_fail(rig, chain):
    journal = rig.open()
    a, b = chain("AAAAA", 2), chain("BBBBB", 1)
    rig.disk.fail_before = 10**9
    done = [journal.append(a), journal.append(b)]
    asked = journal.read("BBBBB")
    rig.turns.turn_until(lambda: rig.troubles)
    assert journal.pending == 3
    order = []
    for each, name in zip((*done, asked), ("a", "b", "read"), strict=True):
        each.addCallback(lambda _, name=name: order.append(name))
    rig.disk.fail_before = 0
    rig.turns.turn_until(lambda: len(order) == 3)
    assert order == ["a", "b", "read"]
    assert rig.troubles[1:] == [None]


def test_after_an_io_error_the_database_is_opened_anew(rig, chain):
    journal = rig.open()
    rig.disk.fail_before = 2
    rig.keep(journal, *chain("AAAAA", 1))
    assert rig.disk.opened == 3


def test_a_database_that_cannot_be_opened_anew_at_once_is_opened_later(rig, chain, monkeypatch):
    journal = rig.open()
    rig.disk.fail_before = 1
    opened = []

    def prepare(statement):
        if rig.medium.prepares in statement and len(opened) < 3:
            opened.append(statement)
            raise rig.medium.full()

    rig.disk.watch = prepare
    rig.keep(journal, *chain("AAAAA", 2))
    assert rig.disk.opened == 5
    assert rig.wait(journal.read("AAAAA")) == lines(chain("AAAAA", 2))


@only_sqlite
def test_a_full_disk_is_waited_for(rig, chain):
    journal = rig.open()
    a = chain("AAAAA", 2000)
    rig.keep(journal, *a[:1])
    rig.disk.most_pages = 1  # which SQLite takes for as many as there are
    done = journal.append(a[1:1000])
    rest = journal.append(a[1000:])
    rig.turns.turn_until(lambda: rig.troubles)
    assert rig.troubles == ["the journal cannot be written: database or disk is full"]
    assert not done.called
    rig.disk.most_pages = 100_000
    rig.wait(rest)
    assert done.called
    assert rig.disk.opened == 1
    assert rig.wait(journal.read("AAAAA")) == lines(a)


def test_a_sign_of_life_notices_the_trouble_too(rig):
    journal = rig.open()
    rig.disk.fail_before = 1
    journal.beat(1.0, True)
    rig.turns.turn_until(lambda: rig.troubles[1:])


def test_what_cannot_be_put_in_order_holds_up_nobody_and_is_said_in_a_line(rig, chain, monkeypatch):
    said = []
    monkeypatch.setattr(
        DurableJournal, "_log", SimpleNamespace(warn=lambda form, what: said.append(what))
    )
    journal = rig.open(idle=0.001)

    def fail(statement):
        if "INTO finished" in statement:
            raise rig.medium.full()

    rig.disk.watch = fail
    a = chain("AAAAA", 2)
    rig.keep(journal, a[0])
    rig.keep(journal, *chain("BBBBB", 1))
    journal.retire("BBBBB")
    rig.turns.turn_until(lambda: said)
    rig.keep(journal, a[1])
    assert rig.troubles == []
    rig.disk.watch = None
    assert rig.wait(journal.read_finished("BBBBB"))
    assert [each.partition(":")[0] for each in said] == ["the journal cannot be put in order now"]
    assert "Traceback" not in said[0]


def test_a_question_that_cannot_be_answered_fails_alone(rig, chain):
    journal = rig.open()
    rig.keep(journal, *chain("AAAAA", 1))

    def fail(statement):
        if statement.startswith("SELECT") and "wall" in statement:
            raise rig.medium.damaged()

    rig.disk.watch = fail
    with pytest.raises(JournalFailed):
        rig.wait(journal.read("AAAAA"))
    rig.disk.watch = None
    assert rig.wait(journal.read("AAAAA")) == lines(chain("AAAAA", 1))


QUESTIONS = {
    "read": ("AAAAA",),
    "claim": ("AAAAA",),
    "index": (),
    "finished": (),
    "read_finished": ("AAAAA",),
    "history": (["bot:random"], 3),
    "top": ("nim", "all", 3),
    "adopt": ("AAAAA",),
}
OF_LINKED = {
    "judge": (7,),
    "mirror": ("AAAAA",),
    "offer": ("nim", "BBBBB", ()),
    "hand_over": ("AAAAA",),
}


class Away:
    """An engine that is away for a few statements, behind so many that it has done."""

    def __init__(self, rig, done):
        self._rig = rig
        self._done = done
        self._left = 4
        rig.disk.watch = self._look

    def _look(self, statement):
        self._done -= 1
        if self._done < 0 and self._left:
            self._left -= 1
            raise self._rig.medium.busy()


def ask_while_away(rig, chain, question, given):
    """Ask the same with the engine away in each place in between, where it was answered before."""
    journal = rig.open()
    journal.note("AAAAA", "nim", "playing", False, 0.0)
    rig.keep(journal, *chain("AAAAA", 1))
    right = rig.wait(getattr(journal, question)(*given))
    for done in range(4):
        journal.adopted("AAAAA")  # or it would be set aside
        Away(rig, done)
        assert rig.wait(getattr(journal, question)(*given)) == right
    assert rig.troubles and rig.troubles == [rig.troubles[0], None] * (len(rig.troubles) // 2)
    assert rig.lost == []


@pytest.mark.parametrize(("question", "given"), QUESTIONS.items())
def test_a_question_waits_for_what_passes_wherever_that_comes_in_between(
    rig, chain, question, given
):
    ask_while_away(rig, chain, question, given)


@only_postgres
@pytest.mark.parametrize(("question", "given"), OF_LINKED.items())
def test_so_does_one_of_linked_daemons(rig, chain, question, given):
    ask_while_away(rig, chain, question, given)


def test_codes_are_reserved_behind_what_passes(rig):
    journal = rig.open()
    for done in range(4):
        Away(rig, done)
        assert rig.wait(journal.reserve(lambda done=done: f"CODE{done}", 1)) == [f"CODE{done}"]
    assert rig.lost == []


# -- what does not pass ---------------------------------------------------------------


def expect_loss(rig, journal, done, match):
    """See the journal lost once, its Deferred not fired, and nothing written any more."""
    rig.turns.turn_until(lambda: rig.lost)
    (lost,) = rig.lost
    assert isinstance(lost, JournalLost) and match in str(lost)
    assert not done.called
    commits = rig.disk.commits
    journal.append([])
    journal.beat(1.0, True)
    with pytest.raises(JournalLost):
        rig.wait(journal.read("AAAAA"))
    with pytest.raises(JournalUndone):
        rig.close(journal)
    assert rig.disk.commits == commits and len(rig.lost) == 1


def test_another_record_in_our_place_ends_it(rig, chain):
    journal = rig.open()
    a, other = chain("AAAAA", 3), chain("AAAAA", 3, wall=9.0)
    rig.keep(journal, *a)
    done = journal.append([other[2]])
    expect_loss(rig, journal, done, "another record 2 of table AAAAA is there")
    assert rig.wait(rig.open().read("AAAAA")) == lines(a)


@pytest.mark.parametrize("questions", [0, 1])
def test_the_same_record_again_counts_as_written(rig, chain, questions):
    journal = rig.open()
    a = chain("AAAAA", 3)
    rig.keep(journal, *a[:2])
    for _ in range(questions):
        rig.wait(journal.read("AAAAA"))
    rig.keep(journal, *a)
    assert rig.wait(journal.read("AAAAA")) == lines(a)


def test_another_record_from_an_earlier_run_is_noticed(rig, chain):
    journal = rig.open()
    rig.keep(journal, *chain("AAAAA", 3))
    rig.close(journal)
    journal = rig.open()
    done = journal.append([chain("AAAAA", 3, wall=9.0)[0]])
    expect_loss(rig, journal, done, "another record 0 of table AAAAA is there")


@pytest.mark.parametrize("missing", [0, 1])
def test_no_record_goes_in_without_its_predecessor(rig, chain, missing):
    journal = rig.open()
    a = chain("AAAAA", 3)
    rig.keep(journal, *a[:missing])
    done = journal.append([*chain("BBBBB", 1), *a[missing + 1 :]])
    expect_loss(rig, journal, done, f"record {missing + 1} of table AAAAA has no predecessor")
    assert rig.wait(rig.open().read("BBBBB")) == []


@pytest.mark.parametrize("size", [1, 2000])
def test_nothing_is_written_when_another_run_has_taken_over(rig, chain, size):
    journal = rig.open()
    a = chain("AAAAA", 1 + size)
    rig.keep(journal, *a[:1])
    rig.medium.take_over()
    done = journal.append(a[1:])
    expect_loss(rig, journal, done, "another daemon has taken over")
    assert rig.wait(rig.open().read("AAAAA")) == lines(a[:1])


@pytest.mark.parametrize("act", ["beat", "index", "retire", "close"])
def test_whatever_is_written_finds_out_about_a_lost_claim(rig, chain, act):
    journal = rig.open()
    rig.keep(journal, *chain("AAAAA", 1))
    rig.medium.take_over()
    given = {"beat": (1.0, True), "retire": ("AAAAA",)}.get(act, ())
    getattr(journal, act)(*given)
    if act == "retire":
        journal.index()
    rig.turns.turn_until(lambda: rig.lost)


def test_a_claim_that_was_lost_during_a_failure_is_noticed(rig, chain):
    journal = rig.open()
    rig.disk.fail_before = 10**9
    done = journal.append(chain("AAAAA", 1))
    rig.turns.turn_until(lambda: rig.troubles)
    rig.medium.take_over()
    expect_loss(rig, journal, done, "another daemon has taken over")


@pytest.mark.parametrize("of_engine", [False, True])
def test_the_writer_does_not_die_in_silence(rig, chain, of_engine):
    journal = rig.open()
    error = rig.medium.bug() if of_engine else RuntimeError("a bug")
    rig.disk.error = error
    rig.disk.fail_before = 1
    done = journal.append(chain("AAAAA", 1))
    expect_loss(rig, journal, done, "the journal's writer failed")
    assert repr(error) in str(rig.lost[0])
    assert "in commit" in str(rig.lost[0].__cause__)  # the traceback of the other side


# -- closing in trouble ---------------------------------------------------------------


def test_closing_in_trouble_fails_at_once_with_what_is_undone(rig, chain):
    journal = rig.open(waits=(3600.0,))
    a = chain("AAAAA", 5)
    rig.keep(journal, *a[:1])
    rig.disk.fail_before = 10**9
    done = [journal.append(a[1:3]), journal.append(a[3:])]
    rig.turns.turn_until(lambda: rig.troubles)
    with pytest.raises(JournalUndone) as undone:
        rig.close(journal)
    assert undone.value.commands == 4
    assert not any(each.called for each in done)
    assert rig.lost == []
    rig.disk.fail_before = 0
    assert rig.wait(rig.open().read("AAAAA")) == lines(a[:1])


def test_closing_tries_once_more(rig, chain):
    journal = rig.open(waits=(3600.0,))
    rig.disk.fail_before = 1
    done = journal.append(chain("AAAAA", 5))
    rig.turns.turn_until(lambda: rig.troubles)
    rig.close(journal)
    assert done.called


def test_damage_of_one_byte_in_a_record_is_told_by_its_hash(rig, chain):
    journal = rig.open()
    (a,) = chain("AAAAA", 1)
    rig.keep(journal, evolve(a, line=a.line.replace(b"left", b"lost")))
    done = journal.append([a])
    expect_loss(rig, journal, done, "another record 0")
