"""How a journal is, as somebody finds it who looks after a house; a look changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

LONG_SECONDS = 3600.0  # for so long no transaction is to be open beside a house


@frozen
class RunHealth:
    """A run that has not ended: its daemon, and how many tables it has awake.

    ``left`` is for how many seconds it is believed to live, None where nobody looks for its signs of life;
    ``connected`` is whether its writer is; ``draining`` for how many seconds it may wait for its players, since
    it was asked to end, else None; ``link`` is where other daemons find it, empty where none is to.
    """

    run: int
    name: str
    tables: int
    left: float | None
    connected: bool
    draining: float | None = None
    link: str = ""


@frozen
class OpenTransaction:
    """What holds up a database: who has it open, in words, and for how many seconds."""

    who: str
    seconds: float


@frozen
class ServerHealth:
    """The server of a database: its version in words, whether that will do, and what it promises.

    ``commit`` is what it has commits wait for by itself; ``standbys`` are the replicas that they wait for, as the
    server names them, ``replicas`` how many are connected. ``is_replica`` is whether it is one itself, which cannot
    be written.
    """

    version: str
    will_do: bool
    fsync: str
    commit: str
    standbys: str
    replicas: int
    is_replica: bool

    def troubles(self) -> Iterator[str]:
        """Say what somebody should see to, a sentence each."""
        if not self.will_do:
            yield f"PostgreSQL {self.version} is too old for this Parlour"
        if self.fsync != "on":
            yield "the server has fsync = off: what it said was kept may be lost with its power"
        if self.is_replica:
            yield "this server is a replica, which cannot be written: name the one that it copies"


@frozen
class Health:
    """What is in a journal and who is at it.

    ``schema`` is its version, ``known`` the one that is known here, ``age`` the seconds that the house has lived.
    ``oldest`` is the transaction in the database that is open for longest, None where there is none,
    ``server`` that of the database, None where the journal is in a file. ``set_aside`` are the codes of the tables
    that have killed who replayed them too often.
    """

    schema: int
    known: int
    age: float
    awake: int
    resting: int
    finished: int
    runs: Sequence[RunHealth] = ()
    oldest: OpenTransaction | None = None
    server: ServerHealth | None = None
    set_aside: Sequence[str] = ()

    def troubles(self) -> Sequence[str]:
        """Say what somebody should see to, a sentence each."""
        of_the_server = () if self.server is None else self.server.troubles()
        return [
            *(*self._of_the_schema(), *of_the_server),
            *(*self._of_the_runs(), *self._of_the_database()),
            *map(_of_a_table, self.set_aside),
        ]

    def _of_the_schema(self) -> Sequence[str]:
        if self.schema < self.known:
            return [
                "the journal is of an older Parlour: the next start of a daemon brings it up to date"
            ]
        if self.schema > self.known:
            return ["the journal was written by a newer Parlour: this one cannot use it"]
        return []

    def _of_the_runs(self) -> Sequence[str]:
        troubles = [
            f"run {each.run} has no connection to the database, and {each.tables} tables awake:"
            " another daemon, or the next start of one, takes them over"
            for each in self.runs
            if not each.connected
        ]
        alone = [str(each.run) for each in self.runs if not each.link]
        if 0 < len(alone) < len(self.runs):
            troubles.append(
                f"run {', '.join(alone)} has no --link, and others have: who is there meets nobody of theirs"
            )
        if self.runs and all(each.draining is not None for each in self.runs):
            troubles.append("all daemons of this house were asked to end: nobody can begin a game")
        return troubles

    def _of_the_database(self) -> Sequence[str]:
        if self.oldest is None or self.oldest.seconds < LONG_SECONDS:
            return []
        return [
            f"a transaction in the database is open for {self.oldest.seconds / 3600:.1f} hours,"
            f" of {self.oldest.who}: nothing that was written over since then can be cleared away"
        ]


def _of_a_table(code: str) -> str:
    return (
        f"table {code} is set aside: one daemon after the other has ended while it replayed it; once that is"
        f" mended, bring it back: parlour doctor --bring-back {code}"
    )
