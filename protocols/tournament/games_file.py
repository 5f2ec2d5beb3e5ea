"""``games.jsonl``: one line a game that is over, in the order of the pairings, on the disk before it counts.

A line that was cut off by a crash is no line: it is taken away, and its game is played again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import attrs

from gamecore.fairness import canonical
from gamecore.record import FIRST, read_command, read_open, write_record
from gamecore.rules import AnyRules
from protocols.tournament.games import Result

_NAMES = [each.name for each in attrs.fields(Result) if each.name != "record"]


class DamagedFile(ValueError):
    """A line in the middle of the file is none that was written there."""


class GamesFile:
    """The results of a run, appended and never changed; ``results`` are all of them, without their records."""

    def __init__(self, path: Path) -> None:
        """Open the file, or begin it; raises DamagedFile, BlockingIOError while another run has it, OSError."""
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.results = self._read()
        except BaseException:
            self.close()
            raise

    def _read(self) -> list[Result]:
        with open(self._descriptor, "rb", closefd=False) as file:
            data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._descriptor, whole)
        os.lseek(self._descriptor, whole, os.SEEK_SET)
        return [_without_record(read_line(each)) for each in data[:whole].splitlines()]

    def append(self, results: Sequence[Result]) -> None:
        """Write results, and wait until they are on the disk; raises OSError."""
        data = b"".join(map(write_line, results))
        while data:
            data = data[os.write(self._descriptor, data) :]
        os.fsync(self._descriptor)
        self.results += map(_without_record, results)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


_RECORD = b',"record":'  # the last key, in canonical order too; no name can hold it, for quotes are escaped


def write_line(result: Result) -> bytes:
    """Write a result as its line: canonical JSON, its record last."""
    written = {name: getattr(result, name) for name in _NAMES}
    return canonical(written)[:-1] + _RECORD + result.record + b"}\n"


def read_line(line: bytes) -> Result:
    """Read a result from its line; what is in its record is not looked at.  Raises DamagedFile."""
    head, found, record = line.partition(_RECORD)
    try:
        if not found:
            raise ValueError("there is no record")
        written = json.loads(head + b"}")
        facts: dict[str, Any] = {
            name: tuple(each) if type(each) is list else each for name, each in written.items()
        }
        return Result(**facts, record=record.rstrip()[:-1])
    except (ValueError, TypeError, AttributeError) as problem:
        raise DamagedFile(f"games.jsonl: {problem}") from problem


def journal_lines(result: Result, rules: AnyRules) -> list[bytes]:
    """Give the lines that the journal of a house would have of a game; raises DamagedFile."""
    lines: list[bytes] = []
    previous = FIRST
    try:
        commands = json.loads(result.record)
        code = str(commands[0]["code"])
        for sequence, written in enumerate(commands):
            at = result.at[sequence] if result.at else 0.0
            command = read_command(written, rules) if sequence else read_open(written)
            record = write_record(code, sequence, at, 0.0, command, previous)
            previous = record.hash
            lines.append(record.line)
    except (ValueError, LookupError, TypeError) as problem:
        raise DamagedFile(f"games.jsonl: {problem}") from problem
    return lines


def find_game(path: Path, id: str) -> Result | None:
    """Find a game in the file, with its record; raises DamagedFile, OSError."""
    for line in path.read_bytes().splitlines():
        result = read_line(line)
        if result.id == id:
            return result
    return None


def _without_record(result: Result) -> Result:
    return Result(
        result.id,
        result.pairing,
        result.group,
        result.entrants,
        result.places,
        result.reason,
        result.culprit,
        result.outcome,
        result.moves,
        record=b"",
    )
