"""What the journal holds, read beside the daemon, and what must hold of any table in it."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen

from gamecore import commands
from gamecore.record_file import read_game
from gamecore.replay import Step, write_game
from gamecore.rules import Registry
from gamecore.table_events import GameOver
from gamecore.verification import verify
from protocols.journal.compaction import expand_game
from protocols.journal.location import is_url
from tests.daemons.wall import lasted
from tests.daemons.wrong import Wrong
from tests.patience import SECONDS

# A record is stamped with two clocks, one read after the other: seconds by which they may disagree.
_AWAKE = 5.0
_WOKEN = 0.25
_IS_WRITTEN = (
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 'house'::regclass::oid"
)


@frozen
class Kept:
    """One table as the file has it: its lines, and its row in the index, if it is live."""

    code: str
    lines: Sequence[bytes]
    stage: str | None
    file: bytes | None  # the record file of one that was retired


def read_copy(journal: str, registry: Registry, but: AbstractSet[str] = frozenset()) -> list[Kept]:
    """Read a journal, of a file a copy, so that what a crash has left is left to the daemon as it is.

    Tables whose codes are in ``but`` are left out.
    """
    tables = (_read_database if is_url(journal) else _read_file)(journal, registry, but)
    if len({table.code for table in tables}) < len(tables):
        raise Wrong("a table is kept twice")
    return tables


def _read_database(journal: str, registry: Registry, but: AbstractSet[str]) -> list[Kept]:
    """Read a journal in PostgreSQL, once the server knows that its writer is gone."""
    import psycopg

    deadline = time.monotonic() + SECONDS
    with psycopg.connect(journal, autocommit=True) as db:
        if db.execute("SELECT to_regclass('house')").fetchone() == (None,):
            return []
        while db.execute(_IS_WRITTEN).fetchone():
            if time.monotonic() > deadline:
                raise Wrong("the database still has a writer whose daemon is gone")
            time.sleep(0.01)  # the server tells nobody
        return [*_live(db, but), *_finished(db, registry, but)]


def _read_file(journal: str, registry: Registry, but: AbstractSet[str]) -> list[Kept]:
    with TemporaryDirectory(dir=Path(journal).parent) as folder:
        copy = Path(folder) / Path(journal).name
        for end in ("", "-wal"):
            if Path(f"{journal}{end}").exists():
                shutil.copy(f"{journal}{end}", f"{copy}{end}")
        db = sqlite3.connect(copy)
        try:
            made = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            return [*_live(db, but), *_finished(db, registry, but)] if made else []
        finally:
            db.close()


def _live(db: Any, but: AbstractSet[str]) -> Iterator[Kept]:
    tables: dict[str, list[bytes]] = {}
    for code, line in db.execute("SELECT code, line FROM records ORDER BY code, sequence"):
        tables.setdefault(code, []).append(line)
    stages = dict(db.execute("SELECT code, stage FROM tables"))
    if stages.keys() != tables.keys():
        raise Wrong(f"tables without a row or a record: {stages.keys() ^ tables.keys()}")
    for code, lines in tables.items():
        if code not in but:
            yield Kept(code, lines, stages[code], None)


def _finished(db: Any, registry: Registry, but: AbstractSet[str]) -> Iterator[Kept]:
    for code, blob in db.execute("SELECT code, record FROM finished"):
        if code not in but:
            file = expand_game(blob, registry)
            yield Kept(code, read_game(file).lines, None, file)


def check_time(before: Step, step: Step, deaths: Sequence[float]) -> None:
    """Check that table time went on while the daemon was up, and stood while it was down.

    ``deaths`` are seconds of the trial, as ``lasted`` reads them off a stamp.
    """
    code, went_on = step.entry.table, step.entry.at - before.entry.at
    began, ended = lasted(before.entry.wall), lasted(step.entry.wall)
    died = next((death for death in deaths if death > began), None)
    restarted = died is not None and died < ended
    void = step.command == commands.Abandon(commands.RESTARTED)
    woke = void or isinstance(step.command, commands.Wake)
    if woke != restarted:
        raise Wrong(f"{code}: record {step.entry.sequence} is {step.command}, died {died}")
    most = died - began + _WOKEN if died and woke else ended - began + _AWAKE
    if not 0 <= went_on <= most:
        raise Wrong(f"{code}: {went_on} s were charged, up to record {step.entry.sequence}")
    if woke:
        _check_loss(step, void)


def _check_loss(step: Step, void: bool) -> None:
    """Check that nobody lost by a death of the house, and that a game is void where one could not come back."""
    code, house = step.entry.table, step.table.house
    people = [each for each in step.table.seated().values() if each.level is None]
    if any(isinstance(event, GameOver) for event in step.events):
        raise Wrong(f"{code}: somebody lost as the house went down: {step.events}")
    if void and (house.absent == "bot" or all(each.token for each in people)):
        raise Wrong(f"{code}: a game is void that could have gone on: {people}")


def check_finished(kept: Kept, registry: Registry) -> None:
    """Verify a table that has ended."""
    file = kept.file if kept.file is not None else write_game(kept.lines, registry)
    failing = [each for each in verify(file, registry) if each.holds is False]
    if failing:
        raise Wrong(f"{kept.code}: {failing}")


def check_chain(kept: Kept) -> None:
    """Check the hash chain by itself, with nothing of ours but the line."""
    previous = "0" * 64
    for number, line in enumerate(kept.lines):
        entry = json.loads(line)
        if (entry["previous"], entry["sequence"]) != (previous, number):
            raise Wrong(f"{kept.code}: the chain is broken at record {number}")
        previous = sha256(line).hexdigest()
