"""How much a peer, or all of one address, may do in a time; the time is always given."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import AddressValueError, IPv6Address

# Forgives the rounding of a clock: whoever waits as long as told to is let through.
_DUST = 1e-4
_FORGOTTEN_AT_ONCE = 50


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

    def in_debt(self, now: float) -> bool:
        """Say whether more than half of what it holds was taken."""
        return self._level(now) * 2 < self.burst

    def _level(self, now: float) -> float:
        return min(self.burst, self._tokens + max(0.0, now - self._at) * self.rate)


def counted_as(host: str) -> str:
    """Name what a host is counted under: an IPv6 customer has a /64, not one address.

    A link-local address is one of a network of ours, so the scope tells one such network from another.
    """
    if ":" not in host:
        return host
    plain, _, scope = host.partition("%")
    try:
        address = IPv6Address(plain)
    except AddressValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    network = f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return f"{network}%{scope}" if scope and address.is_link_local else network


class AddressBuckets:
    """A bucket for each address heard of lately; forged addresses cannot make them more than that.

    What an address is counted under is for the caller to say. Where there is no room for another, those go first
    that have taken little and were silent longest: a crowd of new ones makes nobody forget who has taken much.
    """

    __slots__ = ("_in_debt", "_others", "burst", "rate", "remembered")

    def __init__(self, rate: float, burst: float, remembered: int) -> None:
        self.rate = rate
        self.burst = burst
        self.remembered = remembered
        # In both, the one longest silent stands first: its bucket is the likeliest to be full again.
        self._others: OrderedDict[str, TokenBucket] = OrderedDict()
        self._in_debt: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        """Say how many are remembered."""
        return len(self._others) + len(self._in_debt)

    def take(self, key: str, now: float, amount: float = 1.0) -> bool:
        """Take so much from an address's bucket, or nothing at all."""
        bucket = self._others.pop(key, None) or self._in_debt.pop(key, None)
        if bucket is None:
            bucket = TokenBucket(self.rate, self.burst)
        self._forget_some(now)
        taken = bucket.take(now, amount)
        (self._in_debt if bucket.in_debt(now) else self._others)[key] = bucket
        return taken

    def wait(self, key: str, now: float, amount: float = 1.0) -> float:
        """Say in how many seconds an address could take so much."""
        bucket = self._others.get(key) or self._in_debt.get(key)
        return 0.0 if bucket is None else bucket.wait(now, amount)

    def _forget_some(self, now: float) -> None:
        """Forget those that are full again, a few at a time, and one that is not where there is no room."""
        for some in (self._others, self._in_debt):
            for _ in range(_FORGOTTEN_AT_ONCE):
                if not some or not next(iter(some.values())).full(now):
                    break
                some.popitem(last=False)
        if len(self) >= self.remembered:
            (self._others or self._in_debt).popitem(last=False)
