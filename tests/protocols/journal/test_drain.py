"""Who asks a run to end is heard by its daemon with the next sign of life, in either engine."""

from __future__ import annotations

from contextlib import closing

from protocols.journal.engines import open_archive


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
