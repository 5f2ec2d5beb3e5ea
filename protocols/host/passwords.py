"""Passwords of tables: sealed with scrypt in another thread, compared in constant time, and slow to guess.

What is journalled of a password is its seal; the word itself is kept nowhere.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred, fail, succeed
from twisted.python.failure import Failure

from gamecore.errors import Refused
from protocols.net.limits import AddressBuckets

LONGEST = 100  # characters
_N, _R, _P = 2**14, 8, 1  # 16 MiB and some 40 ms a guess
_SALT_BYTES = 16
_GUESSES_AT_ONCE = 5.0
_GUESSES_A_SECOND = 0.1
_TABLES_REMEMBERED = 4096

InThread = Callable[..., "Deferred[Any]"]


class Passwords:
    """Seals passwords, and lets in who knows one."""

    def __init__(self, in_thread: InThread, seconds: Callable[[], float]) -> None:
        """``in_thread`` calls a function elsewhere and fires with what it gives."""
        self._in_thread = in_thread
        self._seconds = seconds
        self._guesses = AddressBuckets(_GUESSES_A_SECOND, _GUESSES_AT_ONCE, _TABLES_REMEMBERED)

    def seal(self, password: str) -> Deferred[str]:
        """Make of a password what may be written down; fails with Refused ``password-too-long``."""
        if len(password) > LONGEST:
            return fail(Refused("password-too-long", most=LONGEST))
        return self._in_thread(_seal, password, secrets.token_bytes(_SALT_BYTES))

    def check(self, code: str, sealed: str, password: str) -> Deferred[None]:
        """Fire if a table is open to who says this.

        Fails with Refused: ``password-needed``, ``wrong-password``, ``too-many-guesses``.
        """
        if not sealed:
            return succeed(None)
        if not password:
            return fail(Refused("password-needed"))
        # Whoever knows the word takes from the bucket as well: else an answer in time would tell of a right one.
        if not self._guesses.take(code, self._seconds()):
            return fail(Refused("too-many-guesses"))
        opened: Deferred[bool] = self._in_thread(_opens, sealed, password[: LONGEST + 1])
        return opened.addCallback(_insist)


def _insist(opens: bool) -> Failure | None:
    return None if opens else Failure(Refused("wrong-password"))


def _seal(password: str, salt: bytes) -> str:
    return f"scrypt-{_N}-{_R}-{_P}${salt.hex()}${_digest(password, salt, _N, _R, _P).hex()}"


def _opens(sealed: str, password: str) -> bool:
    try:
        costs, salt, digest = sealed.split("$")
        n, r, p = map(int, costs.removeprefix("scrypt-").split("-"))
        found = _digest(password, bytes.fromhex(salt), n, r, p)
        return hmac.compare_digest(found, bytes.fromhex(digest))
    except ValueError:  # sealed by nobody: it is in no record of ours
        return False


def _digest(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    secret = password.encode(errors="surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=n, r=r, p=p, maxmem=2 * 128 * n * r, dklen=32)
