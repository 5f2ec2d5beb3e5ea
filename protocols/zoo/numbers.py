"""Moves of any game as numbers, which mean the same at every table of the game.

Each class of move has a block of numbers, in the order in which the game names them.  Within it whole numbers
and yes or no count on, as in GOPS, where a bid of 5 is number 5; whatever else a move says is hashed.  Where
two moves that may be made at once claim one number, the later has the next that is free.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar
from zlib import crc32

from gamecore.codec import TAG, Plain

M = TypeVar("M")
BLOCK = 64  # numbers of each class of move, if nothing else is said


class MoveNumbers(Generic[M]):
    """The numbers of a game's moves; ``count`` is how many there are, from 0 on.

    ``kinds`` are the names of the game's classes of moves, as ``Rules.moves`` has them.
    """

    def __init__(self, kinds: Sequence[str], block: int = BLOCK) -> None:
        if block < 1:
            raise ValueError("a block has at least one number")
        self.count = block * len(kinds)
        self._block = block
        self._first = {kind: block * number for number, kind in enumerate(kinds)}

    def assign(self, moves: Sequence[M], written: Sequence[Mapping[str, Plain]]) -> Mapping[int, M]:
        """Give each legal move its number; ``written`` has each as plain data with its class as ``is``.

        Raises ValueError if there are more moves than numbers.
        """
        if len(moves) > self.count:
            raise ValueError(f"{len(moves)} moves want a block of more than {self._block} numbers")
        taken: dict[int, M] = {}
        texts = [json.dumps(each, sort_keys=True) for each in written]
        for at in sorted(range(len(moves)), key=texts.__getitem__):
            number = self._claim(written[at])
            while number in taken:
                number = (number + 1) % self.count
            taken[number] = moves[at]
        return taken

    def _claim(self, written: Mapping[str, Plain]) -> int:
        """Say which number a move has, if no other is there."""
        within = 0
        for name, value in written.items():
            if name == TAG:
                continue
            if isinstance(value, bool):
                within = 2 * within + value
            elif isinstance(value, int):
                within = self._block * within + value
            else:
                within = self._block * within + crc32(json.dumps(value, sort_keys=True).encode())
        return self._first[str(written[TAG])] + within % self._block
