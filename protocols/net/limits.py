"""How much one peer may do, and how many peers one address may be; time is always given."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import AddressValueError, IPv6Address

# Forgives the rounding of a clock: whoever waits as long as told to is let through.
_DUST = 1e-4


class TokenBucket:
    """Lets `burst` things happen at once, and `rate` of them a second in the long run."""

    __slots__ = ("_at", "_tokens", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._tokens = burst
        self._at = float("-inf")

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take what is asked for, or nothing at all."""
        elapsed = now - self._at
        self._at = now
        # A clock that was set back refills nothing, and locks nobody out either.
        if elapsed > 0:
            tokens = self._tokens + elapsed * self.rate
            self._tokens = tokens if tokens < self.burst else self.burst
        if self._tokens + _DUST < amount:
            return False
        self._tokens -= amount
        return True

    def wait(self, now: float, amount: float = 1.0) -> float:
        """Say in how many seconds that much could be taken."""
        missing = amount - self._level(now)
        return missing / self.rate if missing > _DUST else 0.0

    def full(self, now: float) -> bool:
        """Say whether nothing taken from it is remembered any more."""
        return self._level(now) + _DUST >= self.burst

    def _level(self, now: float) -> float:
        return min(self.burst, self._tokens + max(0.0, now - self._at) * self.rate)


def counted_as(host: str) -> str:
    """Name what a host is counted under: an IPv6 customer has a /64, not one address."""
    if ":" not in host:
        return host
    try:
        address = IPv6Address(host.partition("%")[0])
    except AddressValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"


class AddressBuckets:
    """A bucket for each address heard of lately; forged addresses cannot make them more than that.

    What an address is counted under is for the caller to say.
    """

    __slots__ = ("_buckets", "burst", "rate", "remembered")

    def __init__(self, rate: float, burst: float, remembered: int) -> None:
        self.rate = rate
        self.burst = burst
        self.remembered = remembered
        # The one longest silent stands first: its bucket is the likeliest to be full again.
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        """Say how many are remembered."""
        return len(self._buckets)

    def take(self, key: str, now: float) -> bool:
        """Take one from an address's bucket, if it holds one."""
        bucket = self._buckets.get(key)
        if bucket is None:
            self._forget_some(now)
            bucket = self._buckets[key] = TokenBucket(self.rate, self.burst)
        else:
            self._buckets.move_to_end(key)
        return bucket.take(now)

    def _forget_some(self, now: float) -> None:
        """Forget two of the oldest for each newcomer: so it shrinks, and never at one go."""
        for _ in range(2):
            if not self._buckets:
                return
            oldest = next(iter(self._buckets.values()))
            if len(self._buckets) < self.remembered and not oldest.full(now):
                return
            self._buckets.popitem(last=False)


class AddressLimit:
    """How fast, and how many at a time, connections may come from one address.

    A whole class may sit behind one address, so the defaults stop a flood and nothing smaller.
    """

    __slots__ = ("_buckets", "_living", "most")

    def __init__(
        self,
        rate: float = 50.0,
        burst: float = 1000.0,
        most: int = 1000,
        remembered: int = 4096,
    ) -> None:
        self.most = most
        self._living: dict[str, int] = {}
        self._buckets = AddressBuckets(rate, burst, remembered)

    def enter(self, address: str, now: float) -> bool:
        """Count one more connection from there, unless it is one too many."""
        key = counted_as(address)
        living = self._living.get(key, 0)
        if living >= self.most or not self._buckets.take(key, now):
            return False
        self._living[key] = living + 1
        return True

    def leave(self, address: str) -> None:
        """Count one less; only for one that was let in."""
        key = counted_as(address)
        living = self._living.get(key, 0) - 1
        if living > 0:
            self._living[key] = living
        else:
            self._living.pop(key, None)
