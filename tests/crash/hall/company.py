"""Everybody who plays in one hall, in one loop: they come, play, lose their links, come back, go for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from gamecore.rules import AnyRules
from tests.crash.ears import PATIENCE, Ears, connect
from tests.crash.hall.links import Link
from tests.crash.hall.parties import Party, plan_party
from tests.crash.hall.people import Person
from tests.daemons.daemon import Daemon
from tests.daemons.wrong import Wrong

_TAKEN_OVER, _CLOSING = "taken-over", "closing"


class HallCompany:
    """The parties of one trial, and the loop that hears them and the daemon."""

    def __init__(
        self, house: Daemon, chance: Random, games: Sequence[AnyRules], short: bool = False
    ) -> None:
        self.parties: list[Party] = []
        self.events = 0  # messages heard and moves made
        self.returns = 0
        self.closing = False
        self._house = house
        self._chance = chance
        self._games = games
        self._short = short
        self._ears = Ears[Link](house)
        self._people: dict[Link, Person] = {}  # by the links that are open
        self._at_work: list[Party] = []  # those that are not done, and some that are

    @property
    def playing(self) -> bool:
        """Whether somebody is there from whom something is still to be expected."""
        self._at_work = [party for party in self._at_work if not _is_done(party)]
        return bool(self._at_work)

    def __str__(self) -> str:
        waiting = [each for party in self._at_work for each in party.members if not each.done]
        last = {each.name: (each.party, each.requests[-3:], each.open_links) for each in waiting}
        return f"there wait {last}"

    # -- the loop ---------------------------------------------------------------------

    def listen(self) -> None:
        """Hear what a new process of the daemon says."""
        self._ears.listen()

    @property
    def listening(self) -> bool:
        """Whether the daemon can still say something."""
        return self._ears.listening

    def turn(self) -> None:
        """Take in what is there, from whoever has something to say."""
        ready = self._ears.wait()
        if ready is None:
            raise Wrong(f"nobody says a word any more: {self}")
        for link in ready:
            if not link.ended:
                self._attend(link)

    def _attend(self, link: Link) -> None:
        person = self._people[link]
        self.events += person.hear(link)
        if link.ended:
            self._see_off(person, link)
        elif self._chance.random() < 0.005 and self._may_come(person) and link.arrived:
            self._disturb(person, link)
        for each in person.party.members:
            self.events += each.act()

    # -- coming -----------------------------------------------------------------------

    def invite(self, tables: int) -> None:
        """Let a party come for each table that is missing, of each game in its turn."""
        while not self.playing or len(self._at_work) < tables:
            self._invite_to(self._games[len(self.parties) % len(self._games)])

    def invite_last(self) -> None:
        """Let one more party come for each game."""
        for rules in self._games:
            self._invite_to(rules)

    def _invite_to(self, rules: AnyRules) -> None:
        party = plan_party(rules, self._chance, self._short)
        number = len(self.parties)
        self.parties.append(party)
        self._at_work.append(party)
        watchers = int(self._chance.random() < 0.4)
        for member in range(party.people + watchers):
            chance = Random(self._chance.random())
            person = Person(f"p{number}x{member}", party, chance, opens=member == 0)
            person.watches = member >= party.people
            _draw_fate(person)
            party.members.append(person)
        for person in party.members:
            self._connect(person)

    def come_back(self, most: int | None = None) -> None:
        """Let those come who are expected, a few of them by two links at once."""
        expected = [each for party in self._at_work for each in party.members]
        waiting = [each for each in expected if self._may_come(each) and not each.open_links]
        for person in self._chance.sample(waiting, len(waiting))[:most]:
            self._connect(person)
            if person.token is not None and self._chance.random() < 0.05:
                self._connect(person)

    def _may_come(self, person: Person) -> bool:
        return person.gone is None and not self.closing

    def _connect(self, person: Person) -> None:
        sock = connect(self._house.address)
        link = Link(person.seen, sock, self._forget)
        self._people[link] = person
        self._ears.follow(sock, link)
        self.returns += person.token is not None
        person.greet(link)

    # -- going ------------------------------------------------------------------------

    def _forget(self, link: Link) -> None:
        self._ears.forget(link.sock)
        del self._people[link]

    def _disturb(self, person: Person, link: Link) -> None:
        """Lose a link, or part in good order, and come back, once or twice; or come back without all that."""
        dice = self._chance.random()
        if person.watches or dice < 0.5:
            link.close()
            person.lose_link()
        elif dice < 0.6 and len(person.open_links) == 1:
            link.quits = True
            link.ask("quit")
            return
        if self._may_come(person):
            for _ in range(1 if person.watches else self._chance.choice((1, 1, 2))):
                self._connect(person)

    def _see_off(self, person: Person, link: Link) -> None:
        """Check that a link had a reason to end while the daemon was up."""
        self._check_word(person, link)
        person.lose_link()
        if link.quits and self._may_come(person):
            self._connect(person)
        elif self._may_come(person) and not person.open_links:
            raise Wrong(f"{person} was cut off: {link}")

    def _check_word(self, person: Person, link: Link) -> None:
        """Check what was said last: to one who was taken over, or of the end of the daemon."""
        fits = {None: True, _TAKEN_OVER: len(person.links) > 1, _CLOSING: self.closing}
        if not fits.get(link.word, False) or link.parted not in (None, _CLOSING):
            raise Wrong(f"{person} was turned away: {link}")

    # -- the end of a process ---------------------------------------------------------

    def note_end(self) -> Callable[[], None]:
        """Take note of who is at a table; they must be told of the end."""
        there = [link for link in self._people if link.arrived and not link.quits]
        people = dict(self._people)

        def check() -> None:
            for link in there:
                told = link.parted or link.word
                if not (told or people[link].gone):
                    raise Wrong(f"{people[link]} was told nothing of the end: {link}")

        return check

    def lose_links(self) -> None:
        """Read what the daemon had sent before it went: what was read is acknowledged."""
        self._ears.stop_listening()
        for link, person in list(self._people.items()):
            link.sock.settimeout(PATIENCE)
            while not link.ended:
                person.hear(link)
            person.lose_link()
        for party in self._at_work:
            party.awake = False

    def close(self) -> None:
        """Part with everybody."""
        for link in list(self._people):
            link.close()
        self._ears.close()


def _is_done(party: Party) -> bool:
    return all(each.done for each in party.members)


def _draw_fate(person: Person) -> None:
    """Let a few go for good in the middle of a game, and everybody after very many moves."""
    chance = person.chance
    dice = chance.random()
    person.leaves_after = chance.randrange(40) if dice < 0.05 else chance.randint(300, 1000)
    person.cut_after = chance.randrange(40) if 0.05 < dice < 0.1 else None
