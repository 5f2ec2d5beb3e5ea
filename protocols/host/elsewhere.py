"""The people who are in the hall at other daemons of the house, as those daemons tell of them.

Nothing of it is kept: who is there is told anew whenever two daemons meet, and gone with the other daemon.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from attrs import define, frozen

from protocols.i18n.look_alikes import NameIndex


@frozen
class Whereabouts:
    """Where somebody is: at which table, None for the hall, and in which seat, None for one who looks on."""

    code: str | None = None
    seat: int | None = None


@define(eq=False)
class RemotePerson:
    """One who is at another daemon: ``name`` is what that one is called there, ``called`` what all say here.

    ``run`` is the daemon's run, ``key`` the number by which it tells of this person.
    """

    run: int
    key: int
    name: str
    called: str
    where: Whereabouts


class NameHolder(Protocol):
    """Says whether somebody who is here has a name."""

    def __call__(self, name: str) -> bool: ...


class Elsewhere:
    """The people of the house's other daemons, each under a name that nobody could take for another's.

    Where somebody has a name already the one who is told of later is called by it and by the run: ``Ann@7``.
    """

    def __init__(self, is_taken: NameHolder) -> None:
        self._is_taken = is_taken
        self._by_key: dict[tuple[int, int], RemotePerson] = {}
        self._by_name: NameIndex[RemotePerson] = NameIndex()

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[RemotePerson]:
        return iter(self._by_key.values())

    def find(self, name: str) -> RemotePerson | None:
        """Find one by the name that is said here, or one like it."""
        return self._by_name.find(name)

    def get(self, run: int, key: int) -> RemotePerson | None:
        """Find one by what the other daemon tells of: its run, and the number there."""
        return self._by_key.get((run, key))

    def put(self, run: int, key: int, name: str, where: Whereabouts) -> None:
        """Note that somebody is at another daemon, is called otherwise now, or is somewhere else."""
        known = self._by_key.get((run, key))
        if known is not None and known.name == name:
            known.where = where
            return
        self.remove(run, key)
        called = name
        while self._is_taken(called) or self._by_name.find(called) is not None:
            called += f"@{run}"
        person = self._by_key[run, key] = RemotePerson(run, key, name, called, where)
        self._by_name.add(called, person)

    def remove(self, run: int, key: int) -> None:
        """Forget somebody who is there no more."""
        person = self._by_key.pop((run, key), None)
        if person is not None:
            self._by_name.remove(person.called, person)

    def lose(self, run: int) -> None:
        """Forget everybody of a daemon."""
        for key in [key for key in self._by_key if key[0] == run]:
            self.remove(*key)
