"""Secret links: an organizer's, one for each who is invited, and passes to another device.

A link is exchanged once for a cookie, by a form and not by looking at it, so that the previews of a chat program
harm nothing; then it is dead.  Invitations follow from the organizer's secret, so that the organizer is shown them
again, also after a restart, and only their hashes need be kept.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from hashlib import sha256

from attrs import field, frozen

LONGEST = 100  # characters; ours are shorter
PASS_SECONDS = 600.0
MOST_PASSES = 1000


def new_secret() -> str:
    """Draw 192 bits, written in letters, digits, ``-`` and ``_``."""
    return secrets.token_urlsafe(24)


def hash_of(secret: str) -> str:
    """Reduce a secret to what may be kept."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def derived(secret: str, purpose: str) -> str:
    """Make of one secret another, which does not give the first away: 128 bits in hexadecimal."""
    key = secret.encode(errors="surrogatepass")
    return hmac.new(key, purpose.encode(), sha256).hexdigest()[:32]


def invitation(code: str, owner: str, name: str) -> str:
    """Write the token with which one is invited to a table under a name."""
    return f"{code}.{derived(owner, f'invite {name}')}"


def key_of(token: str) -> str:
    """Name the pages of one player: found from the invitation, and no help to whoever sees it."""
    return derived(token, "pages")[:12]


def same(one: str, other: str) -> bool:
    """Compare two secrets in a time that tells nothing."""
    return hmac.compare_digest(hash_of(one), hash_of(other))


class OrganizerLink:
    """The secret of the link by which somebody becomes an organizer; used once, it is another."""

    def __init__(self) -> None:
        self.secret = new_secret()

    def use(self, given: str) -> bool:
        """Exchange the link, if it is the one."""
        if not same(given, self.secret):
            return False
        self.secret = new_secret()
        return True


@frozen
class Pass:
    """What a pass is worth: a cookie, and the page that it opens."""

    cookie: str
    value: str = field(repr=False)
    page: str


class Passes:
    """Links that take somebody's place along to another device: good for ten minutes, and once."""

    def __init__(self) -> None:
        self._issued: OrderedDict[str, tuple[float, Pass]] = OrderedDict()

    def issue(self, worth: Pass, now: float) -> str:
        """Write a pass."""
        self._forget(now)
        secret = new_secret()
        self._issued[hash_of(secret)] = (now + PASS_SECONDS, worth)
        return secret

    def find(self, secret: str, now: float) -> Pass | None:
        """Say what a pass is worth, if it is still good."""
        self._forget(now)
        _, worth = self._issued.get(hash_of(secret), (0.0, None))
        return worth

    def use(self, secret: str, now: float) -> Pass | None:
        """Take a pass in; it is dead then."""
        worth = self.find(secret, now)
        self._issued.pop(hash_of(secret), None)
        return worth

    def _forget(self, now: float) -> None:
        while self._issued:
            oldest, (until, _) = next(iter(self._issued.items()))
            if until > now and len(self._issued) < MOST_PASSES:
                return
            del self._issued[oldest]
