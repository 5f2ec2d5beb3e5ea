"""A real PostgreSQL of our own, where its programs are to be had; each journal in it is a schema of its own.

``PARLOUR_TEST_POSTGRES`` names a database that is used instead: as a URL, of somebody who may make schemas there.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from glob import glob
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.patience import SECONDS

GIVEN = os.environ.get("PARLOUR_TEST_POSTGRES")
_PROGRAMS = "/usr/lib/postgresql/*/bin"  # where Debian has them; elsewhere they are on the path
_ROOM = "/dev/shm"  # a disk in memory: what is synced there is synced at once
_SET_DEATH_SIGNAL = 1  # of prctl, which is told what to send when the parent dies
_numbers = count()
_AT_ONCE = 20
_made: dict[str, list[str]] = {}  # schemas that nobody has used yet, by the database


def find_programs() -> Path | None:
    """Find the newest programs of PostgreSQL; None if there are none, or nobody who could run them."""
    found = sorted(glob(_PROGRAMS), key=lambda path: int(path.split("/")[4]), reverse=True)
    on_path = shutil.which("initdb")
    folders = [*found, *([os.path.dirname(on_path)] if on_path else [])]
    return next((Path(each) for each in folders if os.path.exists(f"{each}/initdb")), None)


def why_not() -> str | None:
    """Say in a line why there can be no PostgreSQL here; None if there can."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed: the journal in PostgreSQL is not tested"
    if GIVEN is None and find_programs() is None:
        return "no PostgreSQL here: the journal in it is not tested"
    return None


class Server:
    """A PostgreSQL on a Unix socket in a folder of its own; it ends with the process that started it."""

    def __init__(self, room: str | None = _ROOM) -> None:
        """Make it in a folder of ``room``, or where all temporary files are."""
        programs = find_programs()
        assert programs is not None
        self._programs = programs
        self.folder = tempfile.mkdtemp(
            prefix="parlour-pg-", dir=room if room is not None and os.path.isdir(room) else None
        )
        self._who: dict[str, object] = {}
        if os.getuid() == 0:  # as whom PostgreSQL refuses to run
            self._who = {"user": "nobody", "group": 65534, "extra_groups": []}
            shutil.chown(self.folder, "nobody", 65534)
        self._data = f"{self.folder}/data"
        self._log = f"{self.folder}/log"
        self._process: subprocess.Popen[bytes] | None = None
        self._make()
        self.start()

    def _make(self) -> None:
        command = [f"{self._programs}/initdb", "--pgdata", self._data, "--username", "parlour"]
        command += ["--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync"]
        command += ["--wal-segsize", "1"]
        done = subprocess.run(command, capture_output=True, cwd="/", check=False, **self._who)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stderr

    @property
    def runs(self) -> bool:
        """Whether it has been started and not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self, *settings: str) -> None:
        """Start it, perhaps with more settings for this time, and wait until it answers."""
        given = [
            "listen_addresses=",
            "min_wal_size=2MB",
            "max_wal_size=64MB",
            "shared_buffers=16MB",
        ]
        command = [f"{self._programs}/postgres", "-D", self._data, "-k", self.folder]
        for each in (*given, *settings):
            command += ["-c", each]
        with open(self._log, "ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd="/", preexec_fn=_end_with_parent, **self._who
            )  # type: ignore[call-overload]
        import psycopg

        deadline = time.monotonic() + SECONDS
        while True:
            try:
                psycopg.connect(self.url).close()
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None and time.monotonic() < deadline, self.log
                time.sleep(0.02)  # it tells nobody when it is ready

    def do(self, statement: str) -> None:
        """Do something as who may do anything."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute(statement)

    @property
    def url(self) -> str:
        """Where its one database is."""
        return f"postgresql://parlour@/postgres?host={quote(self.folder, safe='')}"

    @property
    def pid(self) -> int:
        """Which process it is; the back ends are its children."""
        assert self._process is not None
        return self._process.pid

    @property
    def socket(self) -> str:
        """The Unix socket on which it listens, and nowhere else."""
        return f"{self.folder}/.s.PGSQL.5432"

    @property
    def log(self) -> str:
        """All that it has said."""
        return Path(self._log).read_text(errors="replace")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT puts everything away first, SIGQUIT does not."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(SECONDS)

    def remove(self) -> None:
        """End it, and leave nothing of it."""
        if self.runs:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)


def _end_with_parent() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGQUIT)


def through(port: int) -> str:
    """Give the URL of our server's database for who comes by a TCP port that leads there."""
    return f"postgresql://parlour@127.0.0.1:{port}/postgres"


def new_journal(url: str) -> str:
    """Make a schema in a database, and give the URL of a journal in it."""
    import psycopg

    made = _made.setdefault(url, [])
    if not made:  # some at once: to connect costs far more than a schema
        made += [f"journal_{os.getpid()}_{next(_numbers)}" for _ in range(_AT_ONCE)]
        with psycopg.connect(url) as db:
            db.execute(";".join(f"CREATE SCHEMA {name}" for name in made))
    name = made.pop()
    return f"{url}{'&' if '?' in url else '?'}options={quote(f'-csearch_path={name}', safe='')}"


def require() -> None:
    """Leave a test out where there can be no PostgreSQL."""
    why = why_not()
    if why is not None:
        pytest.skip(why)
