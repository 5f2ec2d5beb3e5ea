"""A deal that anyone can check afterwards.

Before a game begins its daemon draws a seed of 256 bits and announces a **commitment** to it.  Until the
game starts, seated players may add words of their own.  Every shuffle follows from the seed and the words;
when the game has ended, however it ended, the seed is told and everyone can do the shuffles again.

In all of this ``canonical(x)`` is JSON in ASCII, without blanks, keys sorted, encoded as bytes:

* commitment = hex of SHA-256 over ``canonical([table code, game number, seed in hex])``
* key = HMAC-SHA-256 with the seed's 32 bytes as key, over ``canonical([word, word, ...])``
* the n-th shuffle (from 1) under a label reads a stream of blocks, block i (from 0) being HMAC-SHA-256 with
  ``key`` over ``canonical([label, n, i])``; each block gives four numbers of 64 bits, big-endian
* a number below ``bound``: take the next number of the stream, and take another for as long as it is not
  below the largest multiple of ``bound`` that 64 bits hold; its remainder by ``bound`` is the result
* a shuffle, from the pack in its canonical order: for i from the last index down to 1, exchange the
  cards i and j, where j is a number below i + 1
"""

from __future__ import annotations

import hmac
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from itertools import count
from random import Random
from struct import Struct
from typing import NamedTuple, TypeVar

T = TypeVar("T")

DEAL_VERSION = 1
SEED_BYTES = 32
_WORDS = Struct(">4Q")  # four numbers of 64 bits, big-endian: one block
_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
_SPAN = 1 << 64


def canonical(value: object) -> bytes:
    """Write plain data as the one JSON text that hashes are made over."""
    return _ENCODE(value).encode()


def commitment(code: str, game: int, seed: str) -> str:
    """Name a seed (in hex) without telling it, bound to one game of one table."""
    return sha256(canonical([code, game, seed])).hexdigest()


def keeps_promise(promised: str, code: str, game: int, seed: str) -> bool:
    """Tell whether a revealed seed is the one that was committed to."""
    return hmac.compare_digest(promised.encode(), commitment(code, game, seed).encode())


class Shuffle(NamedTuple):
    """One shuffle that was watched: the ``use``-th under its label, from 1, of which pack, and what came of it."""

    label: str
    use: int
    pack: Sequence[object]
    cards: Sequence[object]


_watched: ContextVar[list[Deal] | None] = ContextVar("watched deals", default=None)


@contextmanager
def watched_deals() -> Iterator[list[Deal]]:
    """Give a list of all deals that are made here from now on; each of them keeps its shuffles."""
    deals: list[Deal] = []
    token = _watched.set(deals)
    try:
        yield deals
    finally:
        _watched.reset(token)


class Deal:
    """All the chance of one game, from its seed and the players' words.

    One that is watched keeps its shuffles.
    """

    __slots__ = ("_key", "_used", "seed", "shuffled", "words")

    def __init__(self, seed: str, words: Sequence[str] = ()) -> None:
        """Take the seed in hex (64 digits; ValueError if it is not) and the words in their order."""
        self.seed, self.words = seed, tuple(words)
        self.shuffled: list[Shuffle] | None = None
        deals = _watched.get()
        if deals is not None:
            self.shuffled = []
            deals.append(self)
        secret = bytes.fromhex(seed)
        if len(secret) != SEED_BYTES or len(seed) != 2 * SEED_BYTES:  # fromhex overlooks blanks
            raise ValueError(f"a seed has {2 * SEED_BYTES} digits")
        self._key = _digest(secret, list(words))
        self._used: Counter[str] = Counter()

    @classmethod
    def by_chance(cls, chance: Random) -> Deal:
        """Make a deal that nothing was promised about, for positions that are only guessed."""
        return cls(chance.randbytes(SEED_BYTES).hex())

    def shuffle(self, label: str, pack: Sequence[T]) -> list[T]:
        """Shuffle a pack, given in its canonical order; no two shuffles of a game share a stream."""
        self._used[label] += 1
        numbers = _numbers(self._key, label, self._used[label])
        cards = list(pack)
        for last in range(len(cards) - 1, 0, -1):
            other = _below(last + 1, numbers)
            cards[last], cards[other] = cards[other], cards[last]
        if self.shuffled is not None:
            self.shuffled.append(Shuffle(label, self._used[label], list(pack), list(cards)))
        return cards


def _digest(key: bytes, value: object) -> bytes:
    return hmac.digest(key, canonical(value), "sha256")


def _numbers(key: bytes, label: str, use: int) -> Iterator[int]:
    begins = canonical([label, use])[:-1]  # of what names each block; the rest is its number
    for block in count():
        yield from _WORDS.unpack(hmac.digest(key, b"%b,%d]" % (begins, block), "sha256"))


def _below(bound: int, numbers: Iterator[int]) -> int:
    """Draw evenly below ``bound``: what would favour the low numbers is thrown away."""
    fair = _SPAN - _SPAN % bound
    while (number := next(numbers)) >= fair:
        pass
    return number % bound
