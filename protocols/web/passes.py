"""Passes: links that take somebody's place at a table along to another device.

A pass is exchanged once for a cookie, by a form and not by looking at it, so that the previews of a chat program
harm nothing; then it is dead.
"""

from __future__ import annotations

from collections import OrderedDict

from attrs import field, frozen

from protocols.host.secrets import hash_token
from protocols.web.tokens import new_secret

PASS_SECONDS = 600.0
MOST_PASSES = 1000
MOST_DEVICES = 10_000


@frozen
class Pass:
    """What a pass is worth: the token of a place at a table, and the key of its page."""

    code: str
    key: str
    token: str = field(repr=False)


class Passes:
    """Links that take somebody's place along to another device: good for ten minutes, and once."""

    def __init__(self) -> None:
        self._issued: OrderedDict[str, tuple[float, Pass]] = OrderedDict()

    def issue(self, worth: Pass, now: float) -> str:
        """Write a pass."""
        self._forget(now)
        secret = new_secret()
        self._issued[hash_token(secret)] = (now + PASS_SECONDS, worth)
        return secret

    def find(self, secret: str, now: float) -> Pass | None:
        """Say what a pass is worth, if it is still good."""
        self._forget(now)
        _, worth = self._issued.get(hash_token(secret), (0.0, None))
        return worth

    def use(self, secret: str, now: float) -> Pass | None:
        """Take a pass in; it is dead then."""
        worth = self.find(secret, now)
        self._issued.pop(hash_token(secret), None)
        return worth

    def _forget(self, now: float) -> None:
        while self._issued:
            oldest, (until, _) = next(iter(self._issued.items()))
            if until > now and len(self._issued) < MOST_PASSES:
                return
            del self._issued[oldest]


class Devices:
    """Which device has a place that was taken along: the one that used the pass last, and no other.

    It is forgotten when the daemon ends: then every device that had the place may come back to it.
    """

    def __init__(self) -> None:
        self._having: OrderedDict[str, str] = OrderedDict()

    def move(self, token: str) -> str:
        """Let another device have a place from now on; gives what it is known by."""
        device = new_secret()
        self._having[hash_token(token)] = hash_token(device)
        self._having.move_to_end(hash_token(token))
        if len(self._having) > MOST_DEVICES:
            self._having.popitem(last=False)
        return device

    def has(self, token: str, device: str | None) -> bool:
        """Say whether a device has a place, as any has one that was never taken along."""
        having = self._having.get(hash_token(token))
        return having is None or (device is not None and hash_token(device) == having)
