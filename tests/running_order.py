"""In which order the tests are run: the slow ones first, or any that follows from a number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Protocol, TypeVar

TESTS = Path(__file__).parent
SLOW = {  # about how many seconds the tests of these folders take, most of which they wait for processes
    "browser": 170,
    "end_to_end": 200,
    "protocols/tournament": 80,
    "protocols/journal": 65,
    "protocols/web": 35,
    "cases": 45,
    "docs": 35,
    "games": 18,
    "flood": 21,
    "simulation": 12,
    "house": 16,
}


class InAFile(Protocol):
    """What is known of a test that is to be run."""

    @property
    def path(self) -> Path:
        """The file that it is in."""


T = TypeVar("T", bound=InAFile)


def shuffled(tests: Sequence[T], seed: int) -> Iterator[T]:
    """Give files, and the tests of each, in an order that follows from a number."""
    chance, files = Random(seed), defaultdict[Path, list[T]](list)
    for each in tests:
        files[each.path].append(each)
    for path in chance.sample(sorted(files), len(files)):
        chance.shuffle(files[path])
        yield from files[path]


def slow_first(tests: Sequence[T], workers: int) -> Iterator[T]:
    """Let each of so many workers begin with slow folders, and end with what others can take off it.

    Each worker gets a share of the same size from the sequence, one after the other, and whoever has nothing left
    to do takes over the end of what another has (``--dist worksteal``).
    """
    queues: list[list[T]] = [[] for _ in range(workers)]
    loads = [0] * workers
    rest = list(tests)
    for folder, seconds in sorted(SLOW.items(), key=lambda each: -each[1]):
        least = loads.index(min(loads))
        slow = [each for each in rest if each.path.is_relative_to(TESTS / folder)]
        rest = [each for each in rest if not each.path.is_relative_to(TESTS / folder)]
        queues[least] += slow
        loads[least] += seconds * bool(slow)
    left = len(tests)
    for number, queue in enumerate(queues):
        missing = max(0, left // (workers - number) - len(queue))
        yield from queue
        yield from rest[:missing]
        del rest[:missing]
        left -= len(queue) + missing
    yield from rest
