"""What a fault may cost nobody: the time that it lasted, a seat, a game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tests.daemons.wrong import Wrong
from tests.house.records import Kept
from tests.house.witness import Seen

# Seconds more than have passed that a table may count: that the journal does not answer is noticed in its time.
CHARGED = 4.0
_LOSSES = ("TimeUp", "Abandon")


def check_charges(kept: Kept, seen: Sequence[Seen]) -> None:
    """Check that no table counted more time than there was, and that no clock of anybody's ran out."""
    written = [each.at for each in seen if each.what == "record" and each.code == kept.code]
    for number, (one, other) in enumerate(pairwise(zip(kept.records, written, strict=True)), 1):
        charged, passed = other[0].at - one[0].at, other[1] - one[1]
        if not 0 <= charged <= max(passed, 0) + CHARGED:
            raise Wrong(f"{kept.code}: {charged} s were charged up to {number}, {passed} s passed")


def check_nobody_lost(kept: Kept) -> None:
    """Check that nothing was lost by a clock or an absence: all came back with their tokens, and moved at once."""
    for each in kept.records:
        command = each.command
        if command["is"] in _LOSSES or command.get("absence", "grace") != "grace":
            raise Wrong(f"{kept.code}: somebody has lost by a fault: {command}")
