"""What the journal's file holds, read beside the daemon, played again, and held against what was told."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import Factory, define, frozen

from gamecore import commands as c
from gamecore.games.nim import Board, Faulted, Taken
from gamecore.replay import Step, play_back, read_game, verify, write_game
from gamecore.rules import Registry
from protocols.daemon.finished import expand_game
from protocols.daemon.shelf import UNREACHABLE
from protocols.nim import wire
from tests.crash.players import Link, Message, Player, Wrong

# A record is stamped with two clocks, one read after the other: seconds by which they may disagree.
_AWAKE = 5.0
_WOKEN = 0.25


@frozen
class Kept:
    """One table as the file has it: its lines, and its row in the index, if it is live."""

    code: str
    lines: Sequence[bytes]
    stage: str | None
    file: bytes | None  # the record file of one that was retired


@define
class Story:
    """One table played again: who sat there, and every state there was to tell."""

    code: str
    names: tuple[str, ...] = ()
    states: list[Message] = Factory(list)
    moves: int = 0
    told: int = 0  # how many of the states somebody was told
    stage: str = ""
    put_away: bool = False  # among the finished


# -- reading --------------------------------------------------------------------------


def read_copy(journal: Path, registry: Registry) -> list[Kept]:
    """Read a copy of a journal, so that what a crash has left is left to the daemon as it is."""
    with TemporaryDirectory(dir=journal.parent) as folder:
        copy = Path(folder) / journal.name
        for end in ("", "-wal"):
            if Path(f"{journal}{end}").exists():
                shutil.copy(f"{journal}{end}", f"{copy}{end}")
        db = sqlite3.connect(copy)
        try:
            made = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            tables = [*_live(db), *_finished(db, registry)] if made else []
        finally:
            db.close()
    if len({table.code for table in tables}) < len(tables):
        raise Wrong("a table is kept twice")
    return tables


def _live(db: sqlite3.Connection) -> Iterator[Kept]:
    tables: dict[str, list[bytes]] = {}
    for code, line in db.execute("SELECT code, line FROM records ORDER BY code, sequence"):
        tables.setdefault(code, []).append(line)
    stages = dict(db.execute("SELECT code, stage FROM tables"))
    if stages.keys() != tables.keys():
        raise Wrong(f"tables without a row or a record: {stages.keys() ^ tables.keys()}")
    for code, lines in tables.items():
        yield Kept(code, lines, stages[code], None)


def _finished(db: sqlite3.Connection, registry: Registry) -> Iterator[Kept]:
    for code, blob in db.execute("SELECT code, record FROM finished"):
        file = expand_game(blob, registry)
        yield Kept(code, read_game(file).lines, None, file)


# -- playing again --------------------------------------------------------------------


def retell(kept: Kept, registry: Registry, deaths: Sequence[float]) -> Story:
    """Play a table again, and check its chain, its clocks and its row in the index."""
    story = Story(kept.code, put_away=kept.stage is None)
    before: Step | None = None
    board: Board | None = None
    for step in play_back(kept.lines, registry):
        if before is not None:
            _check_time(before, step, deaths)
        for event in step.events:
            if isinstance(event, Taken | Faulted):
                _check_clocks(board, event.board, kept.code)
                board = event.board
                written = wire.render_state(event, step.table.names)
                story.states.append(json.loads(written))
                story.moves += type(event) is Taken
        story.names = max(step.table.names, story.names, key=lambda names: len("".join(names)))
        story.stage = step.table.stage.value if step.table.reachable else UNREACHABLE
        before = step
    if kept.stage is not None and kept.stage != story.stage:
        raise Wrong(f"{kept.code}: the index says {kept.stage}, the record {story.stage}")
    return story


def _check_time(before: Step, step: Step, deaths: Sequence[float]) -> None:
    """Check that table time went on while the daemon was up, and stood while it was down."""
    code, went_on = step.entry.table, step.entry.at - before.entry.at
    died = next((death for death in deaths if death > before.entry.wall), None)
    restarted = died is not None and died < step.entry.wall
    woke = isinstance(step.command, c.Wake)
    if woke != restarted:
        raise Wrong(f"{code}: record {step.entry.sequence} is {step.command}, died {died}")
    most = died - before.entry.wall + _WOKEN if died and woke else _lasted(before, step) + _AWAKE
    if not 0 <= went_on <= most:
        raise Wrong(f"{code}: {went_on} s were charged, up to record {step.entry.sequence}")


def _lasted(before: Step, step: Step) -> float:
    return step.entry.wall - before.entry.wall


def _check_clocks(before: Board | None, after: Board, code: str) -> None:
    if before is not None and any(map(float.__gt__, map(float, before.used), after.used)):
        raise Wrong(f"{code}: used time went down from {before.used} to {after.used}")


# -- what was told --------------------------------------------------------------------


def check_told(player: Player, story: Story) -> int:
    """Check all that a player was told against the table's record; gives how far that goes."""
    furthest = 0
    for link in player.links:
        furthest = max(furthest, _check_link(link, story))
    return furthest


def _check_link(link: Link, story: Story) -> int:
    """Check that a link was told one stretch of the game, and nothing but that."""
    if not link.states:
        return 0
    first = link.states[0]
    if first not in story.states:
        raise Wrong(f"{link.player.name} was told what is not in {story.code}: {first}")
    start = story.states.index(first)
    if start and not link.returning:
        raise Wrong(f"{link.player.name} was told nothing of {story.states[0]}")
    stretch = story.states[start : start + len(link.states)]
    if link.states != stretch:
        raise Wrong(f"{link.player.name} was told {link.states}, in the record is {stretch}")
    if link.floor is not None and story.states.index(link.floor) > start:
        raise Wrong(f"{link.player.name} came back to {first}, and {link.floor} had been told")
    return start + len(stretch)


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
