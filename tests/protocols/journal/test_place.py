"""A journal has one name, and a file that was removed or replaced under it is noticed at once."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import attrs
import pytest

from protocols.journal.errors import JournalRefused
from protocols.journal.sqlite import store
from tests.protocols.journal.media import only_sqlite
from tests.protocols.journal.test_worker_process import start_daemon

pytestmark = only_sqlite


def lines(records):
    return [record.line for record in records]


# -- one daemon, by whatever name -------------------------------------------------------


def test_a_file_with_several_names_is_refused_by_each(rig, tmp_path):
    rig.close(rig.open())
    other = tmp_path / "other.db"
    other.hardlink_to(rig.path)
    for path in (rig.path, str(other)):
        with pytest.raises(JournalRefused) as refused:
            rig.open(path)
        assert str(refused.value) == (
            f"the journal {path} has several names (hard links); leave it one"
        )
    other.unlink()
    rig.open()


def test_a_file_that_is_held_is_refused_by_another_name_too(rig, tmp_path):
    """As through a bind mount: the lock beside the other name is free."""
    with start_daemon(rig.path) as daemon:
        assert daemon.stdout.readline() == "0\n"
        other = tmp_path / "elsewhere"
        other.mkdir()
        os.rename(rig.path, other / "games.db")
        with pytest.raises(JournalRefused) as refused:
            rig.open(str(other / "games.db"))
        daemon.kill()
    assert str(refused.value) == (
        f"the journal {other / 'games.db'} is held by another daemon, by another name"
    )


def test_a_refused_journal_leaves_no_lock_behind(rig, tmp_path):
    rig.close(rig.open())
    other = tmp_path / "other.db"
    other.hardlink_to(rig.path)
    with pytest.raises(JournalRefused):
        rig.open()
    other.unlink()
    rig.open()


# -- removed, replaced, put back ----------------------------------------------------------


@pytest.fixture
def journal(rig, chain, advice, monkeypatch):
    """A journal with three records of a table, which looks before each batch; what it advises is kept."""
    monkeypatch.setattr(store, "_CHECK_EVERY", 0.0)
    journal = rig.open()
    journal._advise = advice.append
    callbacks = attrs.evolve(journal._writer._callbacks, advise=advice.append)
    monkeypatch.setattr(journal._writer, "_callbacks", callbacks)
    rig.keep(journal, *chain("AAAAA", 3))
    return journal


@pytest.fixture
def advice():
    return []


def in_trouble(rig):
    rig.turns.turn_until(lambda: rig.troubles)
    assert rig.troubles == ["the journal cannot be written: its file is not where it was"]


def test_nothing_is_acknowledged_any_more_until_the_file_is_back(rig, chain, journal, tmp_path):
    os.rename(rig.path, tmp_path / "aside.db")
    done = journal.append(chain("AAAAA", 5)[3:])
    in_trouble(rig)
    assert not done.called
    os.rename(tmp_path / "aside.db", rig.path)
    rig.wait(done)
    assert rig.troubles[1:] == [None]
    assert rig.wait(journal.read("AAAAA")) == lines(chain("AAAAA", 5))


def test_a_sign_of_life_notices_it_even_if_no_clock_runs(rig, journal, tmp_path):
    os.rename(rig.path, tmp_path / "aside.db")
    journal.beat(1.0, False)
    in_trouble(rig)
    os.rename(tmp_path / "aside.db", rig.path)


def test_another_file_in_its_place_is_never_written(rig, journal, advice, chain, tmp_path):
    os.rename(rig.path, tmp_path / "aside.db")
    shutil.copyfile(tmp_path / "aside.db", rig.path)
    before = Path(rig.path).read_bytes()
    journal.append(chain("AAAAA", 5)[3:])
    in_trouble(rig)
    rig.turns.turn_until(lambda: advice)
    assert f"another file is at {rig.path}: " in advice[0]
    assert Path(rig.path).read_bytes() == before
    os.replace(tmp_path / "aside.db", rig.path)


def test_what_was_removed_can_be_saved_while_the_daemon_lives(
    rig, journal, advice, chain, tmp_path
):
    os.unlink(rig.path)
    journal.beat(1.0, True)
    in_trouble(rig)
    rig.turns.turn_until(lambda: advice)
    assert f"{rig.path} is gone: " in advice[0]
    saved = re.search(r"can be copied from (/proc/\d+/fd/\d+) before it ends", advice[0])[1]
    shutil.copyfile(saved, tmp_path / "saved.db")
    assert rig.wait(rig.open(str(tmp_path / "saved.db")).read("AAAAA")) == lines(chain("AAAAA", 3))


def test_a_log_that_was_removed_is_written_anew(rig, journal, advice, chain):
    os.unlink(f"{rig.path}-wal")
    rig.keep(journal, *chain("AAAAA", 5)[3:])
    assert rig.troubles == ["the journal cannot be written: its log is not where it was", None]
    assert "the journal goes on with a new one" in advice[0]
    rig.keep(journal, *chain("BBBBB", 1))
    assert len(rig.troubles) == 2
    rig.close(journal)
    journal = rig.open()
    assert rig.wait(journal.read("AAAAA")) == lines(chain("AAAAA", 5))
    assert rig.wait(journal.read("BBBBB")) == lines(chain("BBBBB", 1))
