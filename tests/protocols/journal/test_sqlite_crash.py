"""A crash at any moment leaves what was acknowledged, in order, and never half a batch."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocols.journal import worker as worker
from tests.processes import start
from tests.protocols.journal.media import only_sqlite

pytestmark = only_sqlite

BATCHES = 12
TABLES = ("AAAAA", "BBBBB", "CCCCC")


def batches(chain, count=BATCHES, size=8):
    """Batches over three tables that take turns, with one more of the first."""
    chains = [iter(chain(table, count * size)) for table in TABLES]
    return [[next(chains[(row * row + n) % 3]) for n in range(size)] for row in range(count)]


def found(rig, path):
    """Open what a crash has left and read all tables."""
    journal = rig.open(str(path))
    tables = {table: rig.wait(journal.read(table)) for table in TABLES}
    rig.close(journal)
    return {table: lines for table, lines in tables.items() if lines}


def after(batches):
    """What is to be found after so many batches."""
    tables = {}
    for record in (record for batch in batches for record in batch):
        tables.setdefault(record.table, []).append(record.line)
    return tables


@pytest.fixture
def wreck(rig, chain, tmp_path):
    """Copy the files of a journal in the middle of its life; all batches are acknowledged."""
    journal = rig.open()
    for batch in batches(chain):
        for record in batch[:1]:
            journal.note(record.table, "nim", "playing", False, 0.0)
        rig.keep(journal, *batch)
    return Path(rig.path).read_bytes(), Path(f"{rig.path}-wal").read_bytes()


def put(path, database, log):
    Path(path).write_bytes(database)
    Path(f"{path}-wal").write_bytes(log)
    Path(f"{path}-shm").unlink(missing_ok=True)


def test_everything_acknowledged_is_there(rig, chain, wreck, tmp_path):
    put(tmp_path / "copy.db", *wreck)
    assert found(rig, tmp_path / "copy.db") == after(batches(chain))


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(share=st.floats(0, 1), torn=st.binary(max_size=40))
def test_a_log_cut_at_any_byte_leaves_whole_batches_in_order(
    rig, chain, wreck, tmp_path, share, torn
):
    database, log = wreck
    put(tmp_path / "copy.db", database, log[: int(share * len(log))] + torn)
    every = batches(chain)
    possible = [after(every[:count]) for count in range(BATCHES + 1)]
    assert found(rig, tmp_path / "copy.db") in possible


def test_a_crash_between_any_two_statements_loses_nothing_acknowledged(
    rig, chain, tmp_path, monkeypatch
):
    """Filing and emptying the log included, which happens here after every batch."""
    monkeypatch.setattr(worker, "_HEAVY", 1)
    journal = rig.open()
    every = batches(chain, 6)
    acknowledged = 0
    copies = []

    def copy(statement):
        path = tmp_path / f"copy{len(copies)}.db"
        known = acknowledged
        for end in ("", "-wal"):
            shutil.copyfile(f"{rig.path}{end}", f"{path}{end}")
        copies.append((path, known))

    rig.disk.watch = copy
    for batch in every:
        rig.keep(journal, *batch)
        acknowledged += 1
        rig.wait(journal.claim("AAAAA"))
    rig.disk.watch = None
    rig.close(journal)
    possible = [after(every[:count]) for count in range(len(every) + 1)]
    assert len(copies) > 8 * len(every)
    for path, known in copies:
        assert found(rig, path) in possible[known:]


def test_a_log_that_is_half_carried_over_does_no_harm(rig, chain, wreck, tmp_path):
    database, log = wreck
    put(tmp_path / "whole.db", *wreck)
    other = sqlite3.connect(tmp_path / "whole.db")
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    other.close()
    carried = (tmp_path / "whole.db").read_bytes()
    for cut in range(0, len(carried), 4096):
        put(tmp_path / "copy.db", carried[:cut] + database[cut:], log)
        assert found(rig, tmp_path / "copy.db") == after(batches(chain))


CHILD = """
import sys
from hashlib import sha256
from gamecore.record import Record
from protocols.journal.durable import DurableJournal
from tests.protocols.journal.turns import Turns

turns = Turns()
journal = DurableJournal(sys.argv[1], turns)
journal.on_lost = lambda problem: sys.exit("the writer is gone")
journal.open()
sequence = 0
while True:
    batch = []
    for _ in range(7):
        line = b'{"sequence":%d}' % sequence
        batch.append(Record("AAAAA", sequence, 0.0, line, sha256(line).hexdigest()))
        sequence += 1
    done = journal.append(batch)
    turns.turn_until(lambda: done.called)
    print(sequence, flush=True)
"""


@pytest.fixture
def child(tmp_path):
    """Another process that appends for ever and says how far it is."""
    command = [sys.executable, "-c", CHILD, str(tmp_path / "games.db")]
    root = Path(__file__).parents[4]
    pipe = subprocess.PIPE
    with start(command, stdout=pipe, stderr=pipe, cwd=root) as child:
        yield child
        child.kill()


@pytest.mark.parametrize("who", ["the daemon", "its writer", "both"])
def test_whoever_is_killed_what_was_acknowledged_is_kept(rig, child, who):
    said = [child.stdout.readline() for _ in range(700)]
    if who != "the daemon":
        pids = Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text()
        os.kill(int(pids), signal.SIGKILL)
    if who != "its writer":
        child.send_signal(signal.SIGKILL)
    said += child.stdout.readlines()
    assert child.wait() == (1 if who == "its writer" else -signal.SIGKILL)
    acknowledged = int(said[-1])
    lines = rig.wait(rig.open().read("AAAAA"))
    assert len(lines) in (acknowledged, acknowledged + 7)
    assert [json.loads(line)["sequence"] for line in lines] == list(range(len(lines)))
    assert os.path.exists(rig.path)


def test_a_journal_is_for_one_daemon_at_a_time(rig, child):
    assert child.stdout.readline()
    with pytest.raises(Exception, match=rf"is held by another daemon, process {child.pid}$"):
        rig.open()
    child.kill()
    child.wait()
    assert rig.wait(rig.open().read("AAAAA"))
