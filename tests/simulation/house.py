"""A whole daemon in one process: a Host on a clock that is moved by hand, and a factory for each door."""

from __future__ import annotations

from random import Random

from twisted.internet.task import Clock

from gamecore.errors import Refused
from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from gamecore.settings import settings_of
from protocols.host.door import DoorFactory, installed_doors, read_defaults
from protocols.host.host import Host
from tests.simulation.cable import Cable
from tests.simulation.stormy import Disk, StormyJournal

BEAT_SECONDS = 1.0
CLOSING_SECONDS = 60.0
EPOCH = 1e9
MOST_CALLS = 20_000  # in one turn of the clock: more of them is a loop without an end


class PlantedBug(Exception):
    """Raised where a game would have one of its own."""


class BuggyHall(Hall):
    """A hall where the next command, once ``armed``, is half done and then meets a bug."""

    __slots__ = ("armed",)

    def apply(self, table, command, now):
        armed, self.armed = getattr(self, "armed", False), False
        events = super().apply(table, command, now)
        if armed:
            raise PlantedBug
        return events


class House:
    """One daemon after the other on the same disk and the same clock."""

    def __init__(self, chance):
        self.chance = chance
        self.clock = Clock()
        self.epoch = EPOCH  # what the clock on the wall shows at second 0 of the other
        self.disk = Disk()
        self.registry = Registry(installed_rules())
        self.doors = {each.kind: each for each in installed_doors()}
        self.given = {kind: self._settings_of(kind) for kind in self.doors}
        self.cables = []
        self._connected = 0
        self.opened = self.restarts = 0
        self.open()

    def _settings_of(self, kind):
        """Choose how this house has its tables."""
        if kind not in self.registry.kinds:
            return {}
        return {
            "absent": self.chance.choice(("forfeit", "bot", "wait")),
            "grace": self.chance.choice((2, 20, 60)),
            "expiry": self.chance.choice((60, 600)),
        }

    # -- the life of a daemon ---------------------------------------------------------

    def open(self):
        """Begin, and learn from the disk which tables there are."""
        self.opened += 1
        self.journal = StormyJournal(self.clock, self.disk, self._draw())
        self.hall = BuggyHall(self.registry)
        defaults = {kind: self._defaults(kind) for kind in self.registry.kinds}
        self.host = Host(
            self.hall,
            self.journal,
            self.clock,
            lambda: self.epoch + self.clock.seconds(),
            self._draw(),
            defaults=defaults,
        )
        built = {kind: door.build(self.host, self._defaults(kind)) for kind, door in self._doors()}
        self.factories = {k: each for k, each in built.items() if isinstance(each, DoorFactory)}
        begun = []
        self.host.begin().addBoth(begun.append)
        self.pass_time(CLOSING_SECONDS, until=lambda: begun)  # nobody is let in before
        assert begun == [None], begun
        self.clock.callLater(BEAT_SECONDS, self._beat)

    def _draw(self):
        return Random(self.chance.getrandbits(64))

    def _doors(self):
        return [(kind, door) for kind, door in self.doors.items() if kind != "web"]

    def _defaults(self, kind):
        rules = self.registry.latest(kind) if kind in self.registry.kinds else None
        return read_defaults(rules, self.doors.get(kind), self.given.get(kind, {}))

    def _beat(self):
        self.host.beat()
        self.clock.callLater(BEAT_SECONDS, self._beat)

    def crash(self, lucky):
        """Let the process be gone, with the batch under way written or not, and another begin after a while."""
        self.journal.crash(lucky)
        self._begin_anew()

    def close(self):
        """End as told to, and begin anew."""
        closed = []
        self.host.close().addBoth(closed.append)
        self.pass_time(CLOSING_SECONDS, until=lambda: closed)
        assert closed, "the Host never closed"
        for factory in self.factories.values():
            factory.dismiss_all("closing")
        self.pass_time(0.5)
        self._begin_anew()

    def _begin_anew(self):
        self.restarts += 1
        for cable in self.cables:
            cable.cut()
        self.cables = []
        self.clock.calls.clear()
        self.clock.advance(self.chance.choice((0.1, 5, 1000)))
        self.open()

    # -- what goes on in it -----------------------------------------------------------

    def connect(self, kind, room=64 * 1024, backlog=None):
        """Connect to a door."""
        self._connected += 1
        cable = Cable(self.clock, self.factories[kind], self._connected, room)
        if backlog is not None and cable.link is not None:
            cable.link.backlog = backlog
        self.cables.append(cable)
        return cable

    def settle(self):
        """Let everything happen that needs no time."""
        calls = 0
        while self.clock.calls and self.clock.calls[0].getTime() <= self.clock.seconds():
            self.clock.advance(0)
            calls += 1
            assert calls < MOST_CALLS, f"no end: {self.clock.calls}"
        self.cables = [each for each in self.cables if not each.closed]

    def pass_time(self, seconds, until=lambda: False):
        """Let time pass from one call to the next, as a reactor does."""
        end = self.clock.seconds() + seconds
        self.settle()
        while not until() and self.clock.calls and self.clock.calls[0].getTime() <= end:
            self.clock.advance(max(0.0, self.clock.calls[0].getTime() - self.clock.seconds()))
            self.settle()
        if not until():
            self.clock.advance(max(0.0, end - self.clock.seconds()))

    def leap(self, seconds):
        """Set the clock on the wall, which nothing goes by."""
        self.epoch += seconds

    # -- looking on -------------------------------------------------------------------

    def live(self):
        """Give what the daemon keeps of each table that is awake."""
        return list(self.host.service.live)

    def tables(self, kind=None):
        """List the tables that are awake, of one kind or of all."""
        tables = [each.table for each in self.live() if not each.recovering]
        return [each for each in tables if kind in (None, each.rules.kind)]

    def joinable(self, kind=None):
        """List the public tables with a free seat, without those that ask for a password."""
        return [
            each
            for each in self.host.directory.joinable(kind)
            if each.free and not each.locked and each.code in self.hall
        ]

    def random_options(self, kind):
        """Choose options of a game at random; gives none that its rules refuse."""
        rules = self.registry.latest(kind)
        given = choose_settings(rules.options, self.chance)
        try:
            read_defaults(rules, self.doors.get(kind), given)
        except Refused:
            return {}
        return given


def choose_settings(options, chance):
    """Choose a few settings of an options class at random."""
    given = {}
    for each in settings_of(options):
        if chance.random() < 0.6:
            continue
        bounds = each.bounds
        if bounds.choices:
            given[each.name] = chance.choice(list(bounds.choices))
        elif isinstance(each.default, bool):
            given[each.name] = chance.random() < 0.5
        elif isinstance(each.default, int) and bounds.low is not None:
            most = bounds.low + 8 if bounds.high is None else min(bounds.high, bounds.low + 8)
            given[each.name] = chance.randint(int(bounds.low), int(most))
    return given
