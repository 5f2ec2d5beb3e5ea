"""The journal is written by a process of its own: it may be killed, stopped, orphaned, and is never waited for."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import zlib
from functools import partial
from pathlib import Path
from threading import Timer

import pytest

from gamecore import commands
from gamecore.games.nim import RULES, Take
from gamecore.record import FIRST, write_record
from gamecore.replay import write_game
from gamecore.rules import Registry
from gamecore.settings import plain_settings
from gamecore.table import Table
from gamecore.table_options import TableOptions
from protocols.journal import worker as worker
from protocols.journal.compaction import compact_game
from protocols.journal.errors import JournalLost, JournalRefused, JournalUndone
from protocols.journal.frames import frame
from protocols.journal.packing import unpack
from tests.patience import SECONDS
from tests.processes import start
from tests.protocols.journal.media import only_sqlite

ROOT = Path(__file__).parents[4]

DAEMON = """
import os, signal, sys
from hashlib import sha256
from gamecore.record import Record
from protocols.journal.durable import DurableJournal
from tests.protocols.journal.turns import Turns

def wait(done):
    turns.turn_until(lambda: done.called)

def keep(sequence):
    line = b'%d' % sequence
    wait(journal.append([Record("AAAAA", sequence, 0.0, line, sha256(line).hexdigest())]))
    print(sequence, flush=True)

asked = []
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, lambda number, frame: asked.append(number))
turns = Turns()
journal = DurableJournal(sys.argv[1], turns)
journal.open()
sequence = 0
while not asked:
    keep(sequence)
    sequence += 1
if sys.argv[2:]:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
for _ in range(3):
    keep(sequence)
    sequence += 1
if sys.argv[2:]:
    input()
wait(journal.close())
print("closed", flush=True)
"""


def lines(records):
    return [record.line for record in records]


def parent_of(process):
    """Give the parent of a process if it runs; a zombie does not."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    state, parent, *_ = stat.rpartition(")")[2].split()
    return None if state in "ZX" else int(parent)


def children(process=None):
    """List the processes that another has started."""
    every = [int(each.name) for each in Path("/proc").glob("[0-9]*")]
    return [each for each in every if parent_of(each) == (process or os.getpid())]


def ends(process):
    """Wait until a process, which has let go of everything, is no more."""
    deadline = time.monotonic() + SECONDS
    while parent_of(process) is not None and time.monotonic() < deadline:
        time.sleep(0)
    return parent_of(process) is None


def start_daemon(path, *more):
    """Start a process that keeps one record after the other, until asked to end; it leads a group."""
    command = [sys.executable, "-c", DAEMON, str(path), *more]
    return start(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        start_new_session=True,
        text=True,
    )


@pytest.fixture
def daemon(rig):
    """A daemon that has kept some records, with a writer."""
    with start_daemon(rig.path) as daemon:
        assert [daemon.stdout.readline() for _ in range(100)]
        yield daemon
        daemon.kill()


@pytest.fixture
def writer(daemon):
    """The number of the process that writes for that daemon."""
    (writer,) = children(daemon.pid)
    yield writer
    if os.path.exists(f"/proc/{writer}"):
        os.kill(writer, signal.SIGCONT)


# -- a writer that is killed ----------------------------------------------------------


def test_a_killed_writer_is_noticed_and_ends_the_journal(rig, chain):
    before = children()
    journal = rig.open_real()
    (writer,) = set(children()) - set(before)
    a = chain("AAAAA", 5)
    rig.keep(journal, *a[:3])
    os.kill(writer, signal.SIGSTOP)
    done = journal.append(a[3:])
    os.kill(writer, signal.SIGKILL)
    rig.turns.turn_until(lambda: rig.lost)
    (lost,) = rig.lost
    assert isinstance(lost, JournalLost)
    assert str(lost) == f"the journal's writer is gone: process {writer} was killed by signal 9"
    assert not done.called and journal.pending == 2
    journal.append([])
    journal.beat(1.0, True)
    with pytest.raises(JournalLost):
        rig.wait(journal.read("AAAAA"))
    with pytest.raises(JournalUndone):
        rig.close(journal)
    assert rig.wait(rig.open_real().read("AAAAA")) == lines(a[:3])


def test_a_writer_that_is_killed_while_it_closes_is_noticed_too(rig, chain):
    before = children()
    journal = rig.open_real()
    (writer,) = set(children()) - set(before)
    os.kill(writer, signal.SIGSTOP)
    journal.append(chain("AAAAA", 2))
    closed = journal.close()
    os.kill(writer, signal.SIGKILL)
    with pytest.raises(JournalUndone):
        rig.wait(closed)


# -- a daemon that is killed ----------------------------------------------------------


def test_with_the_daemon_its_writer_ends_and_the_journal_is_free(rig, daemon, writer):
    daemon.kill()
    acknowledged = int(["99", *daemon.stdout.read().split()][-1])  # a hundred were heard before
    daemon.wait()
    began = time.monotonic()
    journal = rig.open()
    assert ends(writer)
    assert time.monotonic() - began < SECONDS / 4
    kept = len(rig.wait(journal.read("AAAAA")))
    assert kept in (acknowledged + 1, acknowledged + 2)


def test_nobody_else_writes_before_the_writer_of_a_dead_daemon_has_finished(rig, daemon, writer):
    os.kill(writer, signal.SIGSTOP)
    daemon.kill()
    daemon.wait()
    goes_on = Timer(0.2, os.kill, (writer, signal.SIGCONT))
    goes_on.start()
    rig.open()
    assert goes_on.finished.is_set()
    assert ends(writer)
    goes_on.join()


def test_a_writer_whose_daemon_is_gone_does_not_try_for_ever(rig, chain):
    """Nobody was told of what it tries to write, and the disk may be full for weeks."""
    theirs = []

    def start(sock, lock):
        theirs.append(sock.dup())
        return rig.start_thread(sock, lock, waits=(3600.0,))

    journal = rig.open_with(start)
    rig.disk.fail_before = 10**9
    journal.append(chain("AAAAA", 1))
    rig.turns.turn_until(lambda: rig.troubles)
    theirs[0].shutdown(socket.SHUT_RD)  # what the writer sees if the daemon is killed
    theirs[0].close()
    rig.turns.turn_until(lambda: rig.lost or not rig.turns.listens)
    assert rig.lost == [] and journal.pending == 1


# -- signals, and privileges ----------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_all_of_us_is_not_for_the_writer(rig, daemon, writer, number):
    os.killpg(daemon.pid, number)
    said, complaints = daemon.communicate(timeout=SECONDS)
    *acknowledged, last = said.split()
    assert (last, daemon.returncode, complaints) == ("closed", 0, "")
    assert len(rig.wait(rig.open().read("AAAAA"))) == int(acknowledged[-1]) + 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has privileges to give up")
def test_a_daemon_that_gives_up_privileges_has_a_writer_without_them(rig):
    with start_daemon(rig.path, "become nobody") as daemon:
        assert daemon.stdout.readline() == "0\n"
        (writer,) = children(daemon.pid)
        daemon.terminate()
        while (said := daemon.stdout.readline()) and os.stat(f"/proc/{daemon.pid}").st_uid == 0:
            pass
        while os.stat(f"/proc/{writer}").st_uid == 0 and (said := daemon.stdout.readline()):
            pass
        status = Path(f"/proc/{writer}/status").read_text()
        assert said
        assert "\nUid:" + "\t65534" * 4 + "\nGid:" + "\t65534" * 4 + "\nFDSize" in status
        assert "\nGroups:\t \n" in status
        assert daemon.communicate("\n", timeout=SECONDS)[0].endswith("closed\n")


# -- a writer that is slow ------------------------------------------------------------


def test_a_slow_writer_keeps_nobody_waiting(rig, chain):
    before = children()
    journal = rig.open_real()
    (writer,) = set(children()) - set(before)
    a = chain("AAAAA", 20_000)
    os.kill(writer, signal.SIGSTOP)
    began = time.monotonic()
    done = [journal.append(a[begin : begin + 1000]) for begin in range(0, 20_000, 1000)]
    took = time.monotonic() - began
    assert not any(each.called for each in done) and journal.pending == 20_000
    os.kill(writer, signal.SIGCONT)
    assert took < SECONDS / 4  # far more than a socket holds; it would be for ever
    order = []
    for number, each in enumerate(done):
        each.addCallback(lambda _, number=number: order.append(number))
    assert rig.wait(journal.read("AAAAA")) == lines(a)
    assert order == list(range(20)) and journal.pending == 0


def test_what_the_reactor_drops_when_it_stops_is_closed_all_the_same(rig, chain):
    journal = rig.open_real()
    rig.turns.drop_all()
    done = journal.append(chain("AAAAA", 1))
    rig.close(journal)
    assert done.called and rig.lost == []


# -- how it is started ----------------------------------------------------------------


def test_it_starts_wherever_we_are(rig, chain, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protocols").mkdir()
    (tmp_path / "protocols" / "__init__.py").write_text("raise ImportError('not this one')")
    journal = rig.open_real()
    rig.keep(journal, *chain("AAAAA", 1))


def test_it_brings_neither_twisted_nor_any_game():
    code = "import sys, protocols.journal.worker_process; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    packages = {name.partition(".")[0] for name in done.stdout.split()}
    assert "protocols" in packages
    assert packages.isdisjoint({"twisted", "zope", "attr", "attrs", "automat", "gamecore"})


@pytest.mark.parametrize(
    ("python", "why"),
    [
        (shutil.which("false"), "the journal's writer did not start: process"),
        ("/no/python", "cannot be used: [Errno 2]"),
    ],
)
def test_a_writer_that_cannot_start_is_a_refusal(rig, monkeypatch, python, why):
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", python)
        with pytest.raises(JournalRefused) as refused:
            rig.open_real()
    assert why in str(refused.value) and "\n" not in str(refused.value)
    rig.open_real()  # and whoever can may have it


@only_sqlite
def test_a_refusal_of_the_writer_is_that_of_the_journal(rig):
    Path(rig.path).write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(JournalRefused) as refused:
        rig.open_real()
    assert str(refused.value) == f"the journal {rig.path} cannot be used: file is not a database"


# -- finished tables ------------------------------------------------------------------


def game(code):
    """A game of Nim that has ended."""
    house = {**plain_settings(TableOptions()), "start": "full"}
    options = {**plain_settings(RULES.options()), "stones": 2}
    opened = commands.Open(code, RULES.kind, 1, 1, 1, "", "00" * 32, options, house)
    table = Table(opened, RULES)
    records = [write_record(code, 0, 0.0, 1e9, opened, FIRST)]
    for command in (
        commands.Sit(0, "north", "h"),
        commands.Sit(1, "south", "h"),
        commands.Play(0, Take(2)),
    ):
        table.apply(command, 1.0)
        records.append(write_record(code, table.sequence, 1.0, 1e9, command, records[-1].hash))
    return records


def test_a_finished_game_is_made_compact_by_the_rules_installed(rig, chain):
    registry = Registry([RULES])
    journal = rig.open_real(compact=partial(compact_game, registry=registry))
    records = game("AAAAA")
    rig.keep(journal, *records)
    journal.retire("AAAAA")
    record = rig.wait(journal.read_finished("AAAAA"))
    assert zlib.decompress(record) == write_game(lines(records), registry)


def test_what_the_rules_cannot_read_is_kept_as_it_is(rig, chain, logged_failures):
    journal = rig.open_real(compact=compact_game)
    rig.keep(journal, *chain("AAAAA", 3))
    journal.retire("AAAAA")
    assert unpack(rig.wait(journal.read_finished("AAAAA"))) == lines(chain("AAAAA", 3))
    assert "Unreadable" in str(logged_failures.pop().value)


def test_closing_does_not_wait_until_thousands_are_retired(rig, chain, monkeypatch):
    monkeypatch.setattr(worker, "_AT_THE_END", 0.0)
    journal = rig.open()
    journal.note("AAAAA", "nim", "over", False, 0.0)
    rig.keep(journal, *chain("AAAAA", 3))
    journal.retire("AAAAA")
    rig.close(journal)
    journal = rig.open()
    assert [each.table for each in rig.wait(journal.index())] == ["AAAAA"]
    assert rig.wait(journal.read("AAAAA")) == lines(chain("AAAAA", 3))


def test_reading_a_table_does_not_wait_for_others_to_be_retired(rig, chain):
    compacted = []
    journal = rig.open(compact=lambda lines: compacted.append(len(lines)) or b"compact")
    for size, table in enumerate(("AAAAA", "BBBBB", "CCCCC"), start=1):
        rig.keep(journal, *chain(table, size))
    journal.retire("AAAAA")
    journal.retire("BBBBB")
    assert rig.wait(journal.read("CCCCC")) == lines(chain("CCCCC", 3))
    assert compacted == []
    assert rig.wait(journal.read("BBBBB")) == []
    assert compacted == [2]
    assert rig.wait(journal.read_finished("AAAAA")) == b"compact"
    assert compacted == [2, 1]


@pytest.mark.parametrize("opens", [False, True])
def test_a_writer_whose_daemon_is_gone_before_it_is_ready_ends_without_a_word(tmp_path, opens):
    path = tmp_path / "kept.db"
    path.touch()
    ours, theirs = socket.socketpair()
    with theirs:
        child = subprocess.Popen(
            [sys.executable, "-m", "protocols.journal.worker_process", str(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            stderr=subprocess.PIPE,
        )
    if opens:
        ours.sendall(frame(("open", str(path), None)))
    ours.close()
    _, said = child.communicate(timeout=SECONDS)
    assert (child.returncode, said) == (0, b"")
