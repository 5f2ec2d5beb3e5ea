"""What the daemon draws by chance for a table: its code, the seeds of its games, the tokens of its players."""

from __future__ import annotations

from collections.abc import Container
from hashlib import sha256
from random import Random

from gamecore.fairness import SEED_BYTES
from gamecore.hall import CODE_LENGTH, CODE_LETTERS

TOKEN_BYTES = 16


class SecretSource:
    """One source of chance; for anything but a test it is the system's."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    @property
    def chance(self) -> Random:
        """What is drawn from."""
        return self._chance

    def code(self, taken: tuple[Container[object], ...]) -> str:
        """Draw a code that is in none of those that are taken."""
        while True:
            code = "".join(self._chance.choices(CODE_LETTERS, k=CODE_LENGTH))
            if not any(code in each for each in taken):
                return code

    def seed(self) -> str:
        """Draw a seed for one game, in hex."""
        return self._chance.randbytes(SEED_BYTES).hex()

    def token(self, code: str) -> str:
        """Draw a token that brings a player back to the table of this code."""
        return f"{code}.{self._chance.randbytes(TOKEN_BYTES).hex()}"


def hash_token(token: str) -> str:
    """Reduce a token to what may be journalled of it."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
