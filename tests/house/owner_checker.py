"""Whose each table was, as the database saw it: one run's at every record, until that let it go or was dead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from tests.daemons.wrong import Wrong
from tests.house.records import Kept
from tests.house.witness import Seen


def check_owners(seen: Sequence[Seen]) -> int:
    """Check that each record was written by the one run that had the table; gives how often it changed hands.

    A run that was declared dead writes no more; another has a table only once that happened, or it was let go.
    """
    dead: dict[int, Seen] = {}
    owners: dict[str, list[Seen]] = {}
    records: dict[str, list[Seen]] = {}
    for each in seen:
        if each.what == "dead":
            dead[each.run] = each
        elif each.what == "owner":
            owners.setdefault(each.code, []).append(each)
        else:
            if each.run in dead:
                raise Wrong(f"run {each.run} was dead and has written {each}")
            records.setdefault(each.code, []).append(each)
    return sum(
        _check_hands(one, other, owners.get(code, []), dead)
        for code, written in records.items()
        for one, other in pairwise(written)
    )


def _check_hands(one: Seen, other: Seen, owners: Sequence[Seen], dead: Mapping[int, Seen]) -> bool:
    """Check what lies between two records of a table; says whether it changed hands."""
    if other.sequence != one.sequence + 1:
        raise Wrong(f"behind record {one.sequence} of {one.code} comes {other.sequence}")
    if one.run == other.run:
        return False
    between = [
        each
        for each in owners
        if one.id < each.id < other.id or each.xact in (one.xact, other.xact)
    ]
    died = one.run in dead and dead[one.run].id < other.id
    if not died and not any(each.run == 0 for each in between):
        raise Wrong(f"{other} was written while {one.code} belonged to run {one.run}")
    if not any(each.run == other.run for each in between):
        raise Wrong(f"{other} was written by a run that had not claimed the table")
    return True


def check_kept(kept: Kept, seen: Sequence[Seen]) -> None:
    """Check that what is in the record is what was written, in that order, and nothing else."""
    written = [each.line for each in seen if each.what == "record" and each.code == kept.code]
    if written != list(kept.lines):
        raise Wrong(f"of {kept.code} were written {len(written)} records, kept {len(kept.lines)}")
