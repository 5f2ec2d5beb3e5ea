"""Passwords of tables: sealed with scrypt in another thread, compared in constant time, and slow to guess.

They are worked at one by one, and few may wait; an address that asked too often is refused before that.  What is
journalled of a password is its seal; the word itself is kept nowhere.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Any, TypeVar

from twisted.internet.defer import Deferred, fail, succeed
from twisted.python.failure import Failure

from gamecore.errors import Refused
from protocols.net.admission import SEAL, Admission
from protocols.net.limits import AddressBuckets

LONGEST = 100  # characters
_N, _R, _P = 2**14, 8, 1  # 16 MiB and some 40 ms a guess
_SALT_BYTES = 16
_GUESSES_AT_ONCE = 5.0
_GUESSES_A_SECOND = 0.1
_TABLES_REMEMBERED = 4096
MOST_UNDER_WAY = 8

T = TypeVar("T")
InThread = Callable[..., "Deferred[Any]"]


class Passwords:
    """Seals passwords, and lets in who knows one."""

    def __init__(
        self, in_thread: InThread, seconds: Callable[[], float], admission: Admission
    ) -> None:
        """``in_thread`` calls a function elsewhere and fires with what it gives."""
        self._in_thread = in_thread
        self._seconds = seconds
        self._admission = admission
        self._under_way = 0
        self._guesses = AddressBuckets(_GUESSES_A_SECOND, _GUESSES_AT_ONCE, _TABLES_REMEMBERED)

    def seal(self, password: str, by: str | None = None) -> Deferred[str]:
        """Make of a password what may be written down, for somebody at an address.

        Fails with Refused ``password-too-long``, ``too-many-passwords``.
        """
        if len(password) > LONGEST:
            return fail(Refused("password-too-long", most=LONGEST))
        try:
            self._count(by)
        except Refused as refusal:
            return fail(refusal)
        return self._work(_seal, password, secrets.token_bytes(_SALT_BYTES))

    def check(self, code: str, sealed: str, password: str, by: str | None = None) -> Deferred[None]:
        """Fire if a table is open to who says this at an address.

        Fails with Refused: ``password-needed``, ``wrong-password``, ``too-many-guesses``, ``too-many-passwords``.
        """
        if not sealed:
            return succeed(None)
        if not password:
            return fail(Refused("password-needed"))
        try:
            self._count(by)
        except Refused as refusal:
            return fail(refusal)
        # Whoever knows the word takes from the bucket as well: else an answer in time would tell of a right one.
        if not self._guesses.take(code, self._seconds()):
            return fail(Refused("too-many-guesses"))
        opened: Deferred[bool] = self._work(_opens, sealed, password[: LONGEST + 1])
        return opened.addCallback(_insist)

    def _count(self, by: str | None) -> None:
        """Count one more for an address; raises Refused ``too-many-passwords``."""
        if self._under_way >= MOST_UNDER_WAY:
            self._admission.refuse(SEAL)
        self._admission.spend(by, SEAL)

    def _work(self, work: Callable[..., object], *what: object) -> Deferred[Any]:
        self._under_way += 1
        return self._in_thread(work, *what).addBoth(self._done)

    def _done(self, result: T) -> T:
        self._under_way -= 1
        return result


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
