"""Secrets of the pages, and what follows from them: invitations, the names of pages, the tokens of forms.

Invitations follow from the organizer's secret, so that the organizer is shown them again, also after a restart, and
only their hashes need be kept.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

from protocols.host.secrets import hash_token

LONGEST = 100  # characters; ours are shorter


def new_secret() -> str:
    """Draw 192 bits, written in letters, digits, ``-`` and ``_``."""
    return secrets.token_urlsafe(24)


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
    return hmac.compare_digest(hash_token(one), hash_token(other))
