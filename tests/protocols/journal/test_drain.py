"""Who asks a run to end is heard by its daemon with the next sign of life, in either engine."""

from __future__ import annotations

from contextlib import closing
from urllib.parse import quote

import pytest

from protocols.journal.engines import open_archive
from tests import postgres
from tests.protocols.journal.media import only_postgres


def test_a_run_that_is_asked_to_end_hears_it_once_and_again_if_it_is_to_wait_otherwise(rig):
    journal, heard = rig.open(), []
    journal.on_drain = heard.append
    with closing(open_archive(rig.path)) as archive:
        for count, seconds in enumerate((60.0, 0.0, 0.0)):
            assert archive.drain(journal.run, seconds)
            for _ in range(2):
                journal.beat(count + 1.0, False)
                rig.turns.turn_until(lambda: not journal._beating)
        (run,) = archive.examine().runs
    assert heard == [60.0, 0.0]
    assert (run.run, run.draining) == (journal.run, 0.0)


def test_a_run_that_has_ended_cannot_be_asked_and_the_next_one_was_not(rig):
    first = rig.open()
    run = first.run
    rig.close(first)
    with closing(open_archive(rig.path)) as archive:
        assert not archive.drain(run, 60.0)
    journal, heard = rig.open(), []
    journal.on_drain = heard.append
    journal.beat(1.0, True)
    rig.turns.turn_until(lambda: not journal._beating)
    assert journal.run == run + 1 and heard == []


@only_postgres
def test_of_several_servers_the_one_is_asked_that_can_be_written(rig):
    """A second server is made for it, as one that was demoted, which is what takes its time."""
    if postgres.GIVEN:
        pytest.skip("a server beside the one that was given cannot be named with it")
    demoted = postgres.Server()
    try:
        demoted.stop()
        demoted.start("default_transaction_read_only=on")
        where = rig.path.replace("?host=", f"?host={quote(demoted.folder, safe='')},")
        run = rig.open(where).run
        with closing(open_archive(where)) as archive:
            assert archive.drain(run, 60.0)
    finally:
        demoted.remove()


@only_postgres
def test_a_server_that_can_only_be_read_is_looked_at_where_there_is_no_other(rig):
    run = rig.open().run
    where = f"{rig.path}%20-cdefault_transaction_read_only%3Don"
    with closing(open_archive(where)) as archive:
        assert [each.run for each in archive.examine().runs] == [run]
