"""The runs of a house in PostgreSQL: one for each start of a daemon, several of which may live side by side.

A run that others live beside has a *lease*, which every sign of life renews. A run that is *fenced*, which is
declared dead by another, writes nothing any more: the row of a run is locked for sharing by all that it writes,
and so is declared dead behind its batch under way and before the next. All time is the database's.

A run is fenced when its lease is over, as soon as somebody comes to a table that it has, or at the next sign of
life of another. It is sooner if its daemon was on this host, is no more, and has no writer that is connected. Its
own writer declares it dead as it ends. After an outage every lease is over; so only who has given signs of life for
the whole time of a lease judges others.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from psycopg import Connection

from protocols.journal.age import Age
from protocols.journal.house import LEASE, PeerRow
from protocols.journal.postgres.beats import AGE, Beats, latest
from protocols.journal.postgres.connection import ask, own_name, transaction
from protocols.journal.postgres.lock import (
    await_writer,
    connected,
    end_writer,
    hold_run,
    is_dead,
)
from protocols.journal.postgres.schema import LOCK_OF_STARTS

# The same for a run that begins: many tables are listed before its first sign of life.
FIRST_LEASE = 60.0
_SECOND_LOOK = 0.5  # seconds behind the first
_RENEWED = 1.0  # seconds after which a lease is renewed within what takes long

OURS = "SELECT run FROM runs WHERE run = %(run)s AND key = %(key)s AND NOT dead FOR SHARE"
_ALIVE = """
SELECT run, key, name, age, coalesce(extract(epoch FROM lease - clock_timestamp())::float8, 0),
    pg_current_snapshot()::text, link, link_key, draining
FROM runs LEFT JOIN {} AS beat ON true WHERE NOT dead ORDER BY run
""".format(latest("runs.run"))
_BEGIN = "INSERT INTO runs (run, key, name) VALUES (%s, %s, %s)"
_OVER = f"coalesce((SELECT lease < clock_timestamp() FROM {latest('runs.run')} AS beat), true)"
_IS_OVER = f"SELECT {_OVER} FROM runs WHERE run = %s AND NOT dead"
_LINK = "UPDATE runs SET link = %s, link_key = %s WHERE run = %s AND key = %s"
_END = "UPDATE runs SET dead = true WHERE run = %s AND key = %s"
# Not while its writer writes: a row that is locked is left for the next sign of life.
_FENCE = f"""
UPDATE runs SET dead = true WHERE run = (
    SELECT run FROM runs WHERE run = %s AND NOT dead AND (%s OR {_OVER}) FOR UPDATE SKIP LOCKED
)
"""


class Alive(NamedTuple):
    """A run that lives, as its row has it; ``left`` are the seconds of its lease, none if that is over."""

    run: int
    key: str
    name: str
    age: float
    left: float
    snapshot: str
    link: str
    link_key: str
    draining: float | None


class Runs:
    """Our run, and what it knows of the others; ``others`` are those that live, ``peers`` those to be linked to.

    ``heard`` is the snapshot behind which what others have committed is news; ``draining`` is for how many seconds
    our run may wait for its players, if it was asked to end.
    """

    def __init__(self) -> None:
        self.run = 0
        self.others: set[int] = set()
        self.peers: list[PeerRow] = []
        self.heard = self._seen = "1:1:"
        self.draining: float | None = None
        self._key = secrets.token_hex(16)
        self._age = Age()
        self._beats = Beats(OURS)
        self._beats_since = self._beaten = 0.0
        self._renewed = 0.0
        self._absent: dict[int, float] = {}  # whose daemon is no more, as it seems, since when
        self._locked: set[int] = set()  # could not be fenced while their writers wrote

    @property
    def age(self) -> float:
        """How many seconds the house has lived."""
        return self._age.seconds

    @property
    def me(self) -> dict[str, Any]:
        """What ``OURS`` is asked with."""
        return {"run": self.run, "key": self._key}

    def begin(self, db: Connection[Any], alone: bool) -> None:
        """Begin a run; who is known to be dead is declared so, and all others if we are ``alone``."""
        with transaction(db):
            db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK_OF_STARTS,))
            for other in self._alive(db):
                if alone or _has_ended(db, other):
                    db.execute("UPDATE runs SET dead = true WHERE run = %s", (other.run,))
            self.run = ask(db, "SELECT coalesce(max(run), 0) + 1 FROM runs")
            self._age.begin(ask(db, AGE))
            db.execute(_BEGIN, (self.run, self._key, own_name()))
            self._beats.write(db, self.me, None, self.age, FIRST_LEASE)
            hold_run(db, self.run)
        self._look(self._alive(db))
        self.hear()  # the index, which tells all of that, is read behind this

    def end(self, db: Connection[Any]) -> None:
        """Let nobody wait for us: we write no more."""
        db.execute(_END, (self.run, self._key))

    def reconnected(self) -> None:
        """Take note that the database was out of reach: it may have been so for others as well."""
        self._beats_since = self._beaten = 0.0

    def beat(self, db: Connection[Any], lived: float, matters: bool) -> bool:
        """Give a sign of life, and fence who gives none; says whether our run lives.

        It is written down where somebody lives who looks for it, where it ``matters``, once in a minute, and as
        the first, which ends the lease of one that begins.
        """
        self._age.live(lived)
        alive = self._alive(db)
        if not self._look(alive):
            return False
        self._age.catch_up(max(each.age for each in alive))
        if self.others or matters or self._age.is_due() or not self._renewed:
            if not self._beats.write(db, self.me, lived, self.age, LEASE):
                return False
            self._age.keep()
            self._renewed = time.monotonic()
        self._judge(db, [each for each in alive if each.run != self.run])
        return True

    def link(self, db: Connection[Any], where: str, key: str) -> None:
        """Write down where our run is found, and what it proves itself by."""
        db.execute(_LINK, (where, key, self.run, self._key))

    def judge(self, db: Connection[Any], run: int) -> float:
        """Say for how many seconds another run may be believed to live, and fence one that is dead: 0 for that."""
        alive = self._alive(db)
        now = time.monotonic()
        self._look(alive)
        found = next((each for each in alive if each.run == run), None)
        if found is not None:
            self._fence_dead(db, found, now)
        if found is None or run not in self.others:
            return 0.0
        return found.left or -1.0

    def renew_lease(self, db: Connection[Any]) -> None:
        """Renew our lease, if somebody looks for it, in the midst of what takes long."""
        if self.others and time.monotonic() >= self._renewed + _RENEWED:
            self._beats.renew(db, self.run, LEASE)
            self._renewed = time.monotonic()

    def _alive(self, db: Connection[Any]) -> list[Alive]:
        return [Alive(*row) for row in db.execute(_ALIVE)]

    def hear(self) -> None:
        """Take note that all was read that others had changed before our latest sign of life."""
        self.heard = self._seen

    def _look(self, alive: Sequence[Alive]) -> bool:
        """Take note of who lives, and say whether we do."""
        others = [each for each in alive if each.run != self.run]
        self.others = {each.run for each in others}
        self.peers = [PeerRow(each.run, each.link, each.link_key) for each in others if each.link]
        if alive:
            self._seen = alive[0].snapshot
        ours = [each for each in alive if (each.run, each.key) == (self.run, self._key)]
        self.draining = ours[0].draining if ours else None
        return bool(ours)

    def fence_if_over(self, db: Connection[Any], run: int) -> bool:
        """Fence a run whose lease is over, for somebody who waits for a table of its; says whether it was.

        The next sign of life would do it, in up to a second.
        """
        judges = self._may_judge(time.monotonic()) and run in self.others
        return judges and bool(ask(db, _IS_OVER, (run,))) and self._fence(db, run, False)

    def _may_judge(self, now: float) -> bool:
        """Say whether we have given signs of life for the whole time of a lease, and still do."""
        return now < self._beaten + LEASE / 2 and now >= self._beats_since + LEASE

    def _judge(self, db: Connection[Any], others: Sequence[Alive]) -> None:
        now = time.monotonic()
        if now >= self._beaten + LEASE / 2:
            self._beats_since = now
        self._beaten = now
        for other in others:
            self._fence_dead(db, other, now)

    def _fence_dead(self, db: Connection[Any], other: Alive, now: float) -> None:
        """Fence another run if it is dead, and we may judge that."""
        dead = self._is_absent(db, other, now)
        if self._may_judge(now) and (dead or other.left <= 0):
            self._fence(db, other.run, dead)

    def _is_absent(self, db: Connection[Any], other: Alive, now: float) -> bool:
        """Say whether a daemon is no more, at a second look: processes of another container are not seen here."""
        if not is_dead(other.name) or connected(db, [other.run]):
            self._absent.pop(other.run, None)
            return False
        return now >= self._absent.setdefault(other.run, now) + _SECOND_LOOK

    def _fence(self, db: Connection[Any], run: int, dead: bool) -> bool:
        if db.execute(_FENCE, (run, dead)).rowcount:
            self.others.discard(run)
            self.peers = [each for each in self.peers if each.run != run]
            self._locked.discard(run)
            return True
        if run in self._locked:
            end_writer(db, run)  # it was stopped in the midst of writing, and locks what it wrote
        else:
            self._locked.add(run)
        return False


def _has_ended(db: Connection[Any], other: Alive) -> bool:
    """Say whether the daemon of a run is no more, as far as can be known at once."""
    if not other.name:
        return True  # of an older Parlour, which would not let us in
    if is_dead(other.name):
        return await_writer(db, other.run)
    return other.name == own_name() and not connected(db, [other.run])


def is_ours(db: Connection[Any], runs: Runs) -> bool:
    """Say whether our run may write, and let nobody change that within this transaction."""
    return ask(db, OURS, runs.me) is not None
