"""A record played again, and the record file of what has ended made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from gamecore import commands
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.record import Entry, Unreadable, read_command, read_open, read_records
from gamecore.record_file import without_seal, write_line
from gamecore.rules import Registry
from gamecore.table import Table

__all__ = ["RulesGone", "Step", "Unreadable", "play", "play_back", "write_ended", "write_game"]


class RulesGone(Unreadable):
    """The record was made by rules in a version that is not installed here."""


# -- playing again --------------------------------------------------------------------


@frozen
class Step:
    """One record played again: the command, what it made happen, and the table as it then stands."""

    entry: Entry
    command: commands.Command
    events: Sequence[Event]
    table: Table


def play_back(lines: Iterable[bytes], registry: Registry) -> Iterator[Step]:
    """Play the records of one table again; raises Unreadable, and RulesGone where only those are missing."""
    return play(read_records(lines), registry)


def play(entries: Sequence[Entry], registry: Registry) -> Iterator[Step]:
    """Play again what was read, whatever its chain is worth; raises Unreadable, RulesGone."""
    if not entries:
        raise Unreadable("there is no record")
    try:
        opened = read_open(entries[0].command)
    except Unreadable as problem:
        raise Unreadable(f"record 0 opens no table: {problem}") from problem
    table = _open(opened, registry)
    yield Step(entries[0], opened, (), table)
    for number, entry in enumerate(entries[1:], 1):
        yield _apply(table, entry, number)


def _open(opened: commands.Open, registry: Registry) -> Table:
    try:
        return Hall(registry).open(opened)
    except KeyError:
        versions = f"rules {opened.rules}, table {opened.table}, deal {opened.deal}"
        raise RulesGone(f"{opened.kind} ({versions}) is not installed here") from None
    except Exception as problem:  # a forged Open may hold what no options class has thought of
        raise Unreadable(f"record 0 opens no table: {_named(problem)}") from problem


def _apply(table: Table, entry: Entry, number: int) -> Step:
    try:
        command = read_command(entry.command, table.rules)
        return Step(entry, command, table.apply(command, entry.at), table)
    except Unreadable as problem:
        raise Unreadable(f"record {number}: {problem}") from problem
    except Refused as refusal:  # what was accepted once must be accepted again
        raise Unreadable(f"record {number} is refused by the rules: {refusal}") from refusal
    except Exception as problem:  # a forged record may lead the rules to where no game gets
        raise Unreadable(f"record {number} breaks the rules: {_named(problem)}") from problem


def _named(problem: Exception) -> str:
    return str(problem) if isinstance(problem, Refused) else type(problem).__name__


# -- writing ---------------------------------------------------------------------------


def write_game(lines: Sequence[bytes], registry: Registry) -> bytes:
    """Write the record file of a table from its lines in the journal; raises Unreadable."""
    return b"".join(_write(lines, registry)[0])


def write_ended(lines: Sequence[bytes], registry: Registry) -> bytes | None:
    """Write the record file of the games of a table that are over, while it may go on.

    What came after the end of the last of them is left out; None if none is over.  Raises Unreadable.
    """
    written, ended = _write(lines, registry)
    return b"".join(written[:ended]) or None


def _write(lines: Sequence[bytes], registry: Registry) -> tuple[list[bytes], int]:
    """Write each line of the file, and count those up to where no game was under way for the last time."""
    steps = play_back(lines, registry)
    written, ended = [], 0
    for number, (line, step) in enumerate(zip(without_seal(lines), steps, strict=True), 1):
        written.append(write_line(line, step.events))
        if step.table.stage in (Stage.OVER, Stage.ABANDONED):
            ended = number
    return written, ended
