"""What a seat may know as a vector of numbers, by feature hashing.

Source: Weinberger and others, *Feature Hashing for Large Scale Multitask Learning* (2009).  Each fact of a View
has the path of its fields for a name; the name chooses the place in the vector, and its sign.  A number counts
by its logarithm, so that scores do not drown cards; text, yes or no, and nothing count one, with the value in
the name.  What stands in a list is told twice: by its place, and as a member of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import copysign, log1p
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gamecore.codec import Plain

SIZE = 512

Vector = NDArray[np.float32]


class Features:
    """Draws vectors of ``size`` numbers from Views as plain data, as ``gamecore.codec`` writes them."""

    def __init__(self, size: int = SIZE) -> None:
        if size < 1:
            raise ValueError("a vector has at least one number")
        self.size = size

    def draw(self, view: Plain) -> Vector:
        """Give the vector of a View."""
        vector = np.zeros(self.size, dtype=np.float32)
        for name, worth in _facts("", view):
            place = crc32(name.encode())
            # The sign lets facts that share a place cancel out rather than add up.
            vector[place % self.size] += worth if place & 1 << 31 else -worth
        return vector


def _facts(path: str, value: Plain) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _facts(f"{path}.{key}", each)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _facts(f"{path}.{number}", each)
            if not isinstance(each, dict | list):
                yield f"{path}[]={each}", 1.0
    elif isinstance(value, bool | str) or value is None:
        yield f"{path}={value}", 1.0
    else:
        yield path, copysign(log1p(abs(value)), value)
