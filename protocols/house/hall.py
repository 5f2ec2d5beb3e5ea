"""One hall for the people of all linked daemons: who is where, and what is said, goes over the links.

Nothing of it is kept. Each daemon tells the others of its own people, by a number for each: all of them when two
are linked, and from then on once a second what has changed. Whoever says something is told of first. What is said
counts where it is said.

=============================  ======================================================================
``p number {name, code, seat}``  this one is in the hall, or at this table, in this seat
``p number``                     this one is gone
``m {by, words, code, to}``      this was said: by whom, at which table or in the hall, or to whom alone
=============================  ======================================================================
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any, Protocol

from attrs import asdict, define

from protocols.host.elsewhere import Whereabouts
from protocols.host.people import People, Person, Remark, whereabouts
from protocols.host.slices import Slices, Work

_AT_ONCE = 100  # people who are looked at in one piece of work


class Lines(Protocol):
    """The links of this daemon, as far as people need them; see ``links``."""

    on_linked: list[Callable[[int], None]]
    on_lost: list[Callable[[int], None]]

    @property
    def runs(self) -> Collection[int]:
        """The runs that we are linked to."""

    def hear(self, letter: str, hear: Callable[[int, bytes], None]) -> None:
        """Let somebody hear all lines of a letter."""

    def say(self, run: int, letter: str, *rest: object) -> None:
        """Say a line to one run."""

    def say_all(self, letter: str, *rest: object) -> None:
        """Say a line to every run that we are linked to."""


@define(eq=False)
class _Told:
    """One of our people, as the others were told."""

    number: int
    facts: tuple[str, Whereabouts]

    @property
    def line(self) -> tuple[int, str]:
        """What is said of this one."""
        name, where = self.facts
        return self.number, _write(name=name, **asdict(where))


class Hall:
    """Tells the people of the linked daemons of ours, and ours of them; a ``Relay`` of what is said."""

    def __init__(self, people: People, links: Lines, slices: Slices) -> None:
        self._people = people
        self._links = links
        self._slices = slices
        self._told: dict[Person, _Told] = {}
        self._numbered: dict[int, Person] = {}
        self._numbers = 0
        self._looking = False
        people.relay = self
        links.hear("p", self._hear_of)
        links.hear("m", self._hear)
        links.on_linked.append(self._meet)
        links.on_lost.append(people.elsewhere.lose)

    # -- who is here ------------------------------------------------------------------

    def beat(self) -> None:
        """Tell the others, some people a turn, what has changed; once a second."""
        if self._links.runs and not self._looking:
            self._looking = True
            self._slices.run(self._look_at_all())

    def _look_at_all(self) -> Work[None]:
        present: set[Person] = set()
        for count, (person, name) in enumerate(list(self._people.persons()), 1):
            present.add(person)
            if person in self._people:
                self._look(person, name)
            if count % _AT_ONCE == 0:
                yield
        for person in [each for each in self._told if each not in present]:
            self._forget(person)
        self._looking = False

    def _look(self, person: Person, name: str) -> int:
        """Tell the others of somebody, if that is new; gives the number."""
        facts, told = (name, whereabouts(person)), self._told.get(person)
        if told is None:
            self._numbers += 1
            told = self._told[person] = _Told(self._numbers, facts)
            self._numbered[told.number] = person
        elif told.facts == facts:
            return told.number
        told.facts = facts
        self._links.say_all("p", *told.line)
        return told.number

    def _forget(self, person: Person) -> None:
        number = self._told.pop(person).number
        del self._numbered[number]
        self._links.say_all("p", number)

    def _meet(self, run: int) -> None:
        """Tell a daemon that we are linked to now of everybody."""
        self._slices.run(self._introduce(run, list(self._told.values())))
        self.beat()

    def _introduce(self, run: int, told: list[_Told]) -> Work[None]:
        for count, each in enumerate(told, 1):
            self._links.say(run, "p", *each.line)
            if count % _AT_ONCE == 0:
                yield

    def _hear_of(self, run: int, rest: bytes) -> None:
        number, _, written = rest.partition(b" ")
        if written:
            facts = json.loads(written)
            where = Whereabouts(facts["code"], facts["seat"])
            self._people.elsewhere.put(run, int(number), facts["name"], where)
        else:
            self._people.elsewhere.remove(run, int(number))

    # -- what is said -----------------------------------------------------------------

    def say(self, person: Person, remark: Remark) -> None:
        """Let those hear it who are at the same table at other daemons, or in the hall."""
        if self._links.runs:
            by = self._look(person, remark.name)
            self._links.say_all("m", _write(by=by, words=remark.words, code=remark.where, to=None))

    def tell(self, person: Person, remark: Remark, run: int, key: int) -> None:
        """Let one person of another daemon alone hear it."""
        by = self._look(person, remark.name)
        self._links.say(run, "m", _write(by=by, words=remark.words, code=None, to=key))

    def _hear(self, run: int, rest: bytes) -> None:
        said = json.loads(rest)
        by = self._people.elsewhere.get(run, said["by"])
        if by is None:
            return  # who has gone meanwhile
        remark = Remark(by.called, said["words"], said["code"], said["to"] is not None)
        if not remark.private:
            self._people.hear(remark)
            return
        person = self._numbered.get(said["to"])
        if person is not None:
            self._people.hear_alone(person, remark)


def _write(**facts: Any) -> str:
    """Write facts in one line without control codes, as a link has it."""
    return json.dumps(facts, separators=(",", ":"))
