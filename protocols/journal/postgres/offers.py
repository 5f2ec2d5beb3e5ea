"""Which open table waits for newcomers, where several daemons open some: asked and answered in one transaction.

Two newcomers at two daemons who want the same, neither of whom could know of the other's table yet, are not to
wait at a table each. So a table that is to be opened for newcomers is offered first: where another was offered
before, by a run that lives and in a game that has not begun, that is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from protocols.journal.postgres.connection import ask, transaction
from protocols.journal.postgres.runs import OURS

_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(%s, hashtext(%s))"
_LOCK_OF_OFFERS = 0x5061726D
# Of tables that surely gather no more, of runs that are dead, and those which newcomers have tried in vain.
_FORGET = """
DELETE FROM offers WHERE game = %(game)s AND (
    code = ANY (%(tried)s)
    OR NOT EXISTS (SELECT 1 FROM runs WHERE runs.run = offers.run AND NOT dead)
    OR EXISTS (SELECT 1 FROM tables WHERE tables.code = offers.code AND stage NOT IN ('gathering', 'unreachable'))
)
"""
_FIRST = "SELECT code FROM offers WHERE game = %(game)s ORDER BY number LIMIT 1"
_OFFER = f"""
WITH mine AS MATERIALIZED ({OURS})
INSERT INTO offers (game, code, run) SELECT %(game)s, %(code)s, mine.run FROM mine
ON CONFLICT (code) DO NOTHING
"""


def offer(
    db: Connection[Any], me: dict[str, Any], game: str, code: str, tried: Sequence[str]
) -> str:
    """Give the code of a table for newcomers to a game: one that was offered before, else this one.

    ``game`` says all of what is played; ``tried`` are codes of tables that had no seat.
    """
    values = {**me, "game": game, "code": code, "tried": list(tried)}
    with transaction(db):
        db.execute(_ONE_AT_A_TIME, (_LOCK_OF_OFFERS, game))
        db.execute(_FORGET, values)
        first: str | None = ask(db, _FIRST, values)
        if first is None:
            db.execute(_OFFER, values)
    return code if first is None else first
