"""One simulated hall: a daemon, its robots, and a storm around them; all chance comes from one integer."""

from __future__ import annotations

from collections import Counter, deque
from contextlib import ExitStack
from hashlib import sha256
from random import Random
from unittest import mock

from attrs import define

from tests.simulation import checks
from tests.simulation.book import Book
from tests.simulation.house import House
from tests.simulation.json_robot import JsonRobot
from tests.simulation.lobby_robot import LobbyRobot
from tests.simulation.wire_robots import GopsRobot, NimRobot, PassRobot, RikikiRobot

MOST_ROBOTS = 30
CHECK_ALL_EVERY = 20
LEAPS = (3600.0, 5 * 3600.0, 86_400.0, 100 * 86_400.0)  # seconds
QUIET_SECONDS = 30 * 86_400.0  # by then every table that can end has ended
_ROOMS = ((64 * 1024, None), (500, 3000), (100, 1500))  # in the kernel, and in the link
_KINDS = {
    "json": lambda chance: (JsonRobot, ()),
    "lobby": lambda chance: (LobbyRobot, ()),
    "nim": lambda chance: (NimRobot, (chance.random() < 0.5, chance.random() < 0.5)),
    "gops": lambda chance: (GopsRobot, (chance.random() < 0.5,)),
    "pass123": lambda chance: (PassRobot, (chance.random() < 0.6,)),
    "rikiki": lambda chance: (RikikiRobot, ()),
}


class Broken(AssertionError):
    """Something was not as it must be; says how to see it again."""


@define
class Figures:
    """What was counted in one run or several."""

    seeds: int = 0
    steps: int = 0
    lines: int = 0
    events: int = 0
    views: int = 0
    games: int = 0
    restarts: int = 0
    troubles: int = 0
    links: int = 0
    tables: int = 0

    def add(self, other):
        """Add those of another run."""
        for name in self.__slots__:
            if name != "__weakref__":
                setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self):
        names = [name for name in self.__slots__ if name != "__weakref__"]
        return ", ".join(f"{getattr(self, name)} {name}" for name in names)


class World:
    """A hall that is stepped through time."""

    def __init__(self, seed):
        self.seed = seed
        self.chance = Random(seed)
        self.step_number = 0
        self.trail = deque(maxlen=25)
        self.robots = []
        self.named = 0
        self.done = Counter()
        self.house = House(self.chance)
        self.book = Book(self.house)

    # -- one step ---------------------------------------------------------------------

    def step(self):
        """Let one thing happen, and check everything that must be true then."""
        self.step_number += 1
        (deed,) = self.chance.choices(list(_DEEDS), list(_DEEDS.values()))
        self.done[deed] += 1
        self.trail.append(f"{self.step_number}: {deed}")
        getattr(self, f"_{deed}")()
        self._let_it_sink_in()
        self.check()

    def _let_it_sink_in(self):
        self.house.settle()
        for robot in self.robots:
            robot.listen()
        self.house.settle()
        self.book.read_on()

    def check(self, everything=False):
        """See that all holds; of tables, those where something happened, and now and then all."""
        live = self.house.live()
        if self.step_number % CHECK_ALL_EVERY and not everything:
            changed = self.book.changed
            some = self.chance.randrange(1 + len(live))
            chosen = [*live[some : some + 2]]
            chosen += [each for each in live if each.table.code in changed]
            live = chosen
        self.book.changed.clear()
        for each in live:
            checks.check_table(self.house, self.book, each)
        checks.check_timers(self.house)

    # -- what can happen --------------------------------------------------------------

    def _act(self):
        for _ in range(self.chance.randint(1, 6)):
            if self.robots:
                self._let_act(self.chance.choice(self.robots))

    def _let_act(self, robot):
        robot.act(self.chance)
        self.trail.append(f"   {robot}")
        cable = robot.cable
        if cable is not None:
            whole = self.chance.random() < 0.8
            cable.carry(cable.on_its_way if whole else self.chance.randrange(1 + cable.on_its_way))

    def _carry(self):
        for robot in self.robots:
            if robot.cable is not None:
                robot.cable.carry(robot.cable.on_its_way)

    def _wait(self):
        self.house.pass_time(self.chance.choice((0.01, 0.1, 0.3, 1.0)))

    def _wait_long(self):
        self.house.pass_time(self.chance.choice((3.0, 10.0, 70.0, 400.0)))

    def _come(self):
        if len(self.robots) < MOST_ROBOTS:
            kind = self.chance.choice(("json", "json", *_KINDS))
            self._add(*_KINDS[kind](self.chance))

    def _add(self, build, how):
        self.named += 1
        robot = build(self.house, self.book, f"r{self.named}", *how)
        self.robots.append(robot)
        self._connect(robot)
        return robot

    def _connect(self, robot):
        room, backlog = self.chance.choice(_ROOMS)
        if robot.kind == "json" and backlog is not None:
            backlog *= 10  # a View and the moves of the largest game must fit
        robot.connect(room=room, backlog=backlog)

    def _connect_again(self):
        for robot in self.robots:
            if robot.cable is None and self.chance.random() < 0.5:
                self._connect(robot)

    def _hang_up(self):
        robot = self._some(lambda robot: robot.connected)
        if robot is not None:
            robot.cable.hang_up()

    def _end_input(self):
        robot = self._some(lambda robot: robot.connected)
        if robot is not None:
            robot.cable.end()
            robot.cable.carry(robot.cable.on_its_way)

    def _stop_reading(self):
        robot = self._some(lambda robot: robot.connected)
        if robot is not None:
            robot.reads = False

    def _read_again(self):
        for robot in self.robots:
            robot.reads = robot.reads or self.chance.random() < 0.5

    def _take_over(self):
        """Come back by a token on a second link, while the first may still stand."""
        robot = self._some(lambda robot: robot.token and hasattr(robot, "come_back"))
        if robot is not None and len(self.robots) < MOST_ROBOTS + 10:
            lines = [robot.lines] if hasattr(robot, "lines") else []
            if hasattr(robot, "end"):
                lines = [robot.end == b"\n", *([True] if hasattr(robot, "resume") else [])]
            other = self._add(type(robot), lines)
            other.token = robot.token
            other.come_back()

    def _retire(self):
        """Let a robot go for good, with its link or without."""
        robot = self._some(lambda robot: len(self.robots) > 10)
        if robot is not None:
            self.robots.remove(robot)
            if robot.cable is not None:
                robot.cable.hang_up()

    def _trouble(self):
        self.house.journal.troubled = self.chance.randint(1, 4)

    def _bug(self):
        self.house.hall.armed = True

    def _leap(self):
        self.house.leap(self.chance.choice((1, -1)) * self.chance.choice(LEAPS))

    def _crash(self):
        self.house.crash(lucky=self.chance.random() < 0.5)

    def _close(self):
        self.house.close()

    def _some(self, fits):
        fitting = [robot for robot in self.robots if fits(robot)]
        return self.chance.choice(fitting) if fitting else None

    # -- the end ----------------------------------------------------------------------

    def calm_down(self, steps):
        """Let everybody read, come and play on in fair weather."""
        for _ in range(steps):
            self.step_number += 1
            for robot in self.robots:
                robot.reads = True
            self._connect_again()
            self._act()
            self._carry()
            self._wait()
            self._let_it_sink_in()
            self.check()

    def wind_down(self):
        """Let everybody go, and see that the house comes to rest with nothing left over."""
        for robot in self.robots:
            if robot.cable is not None:
                robot.cable.hang_up()
        self.robots.clear()
        self._let_it_sink_in()
        self.check(everything=True)
        self._sleep()
        self.book.read_on()
        left = [each.table.code for each in self.house.live()]
        assert not left, f"these tables outlive everybody: {left}"
        assert len(self.house.hall) == 0
        calls = self.house.clock.getDelayedCalls()
        assert len(calls) == 1, f"these timers outlive everybody: {calls}"
        for kind, factory in self.house.factories.items():
            assert not factory.links, f"these links outlive everybody at {kind}: {factory.links}"
        assert len(self.house.host.people) == 0, "somebody is in the hall, and gone"

    def _sleep(self):
        """Let so much time pass that whatever can happen by itself has happened."""
        end = self.house.clock.seconds() + QUIET_SECONDS
        while len(self.house.clock.calls) > 1 and self.house.clock.seconds() < end:
            calls = [c for c in self.house.clock.calls if c.func != self.house._beat]
            beat = [c for c in self.house.clock.calls if c.func == self.house._beat]
            soonest = min(c.getTime() for c in calls) - self.house.clock.seconds()
            beat[0].reset(max(0.0, soonest) + 1.0)  # nobody needs millions of signs of life
            self.house.pass_time(max(0.0, soonest))

    # -- what came of it --------------------------------------------------------------

    def figures(self):
        """Count what happened."""
        return Figures(
            seeds=1,
            steps=self.step_number,
            lines=self.book.lines,
            events=self.book.events,
            views=self.book.views,
            games=sum(twin.games for twin in self.book.twins.values()),
            restarts=self.house.restarts,
            troubles=self.done["trouble"],
            links=self.house._connected,
            tables=len(self.book.twins),
        )

    def digest(self):
        """Reduce all that was committed to one short text."""
        whole = sha256()
        for _, line in self.house.disk.log:
            whole.update(line)
        return whole.hexdigest()[:16]


_DEEDS = {
    "act": 60.0,
    "carry": 10.0,
    "wait": 14.0,
    "wait_long": 0.6,
    "come": 6.0,
    "connect_again": 5.0,
    "hang_up": 1.5,
    "end_input": 0.4,
    "stop_reading": 2.5,
    "read_again": 1.5,
    "take_over": 0.8,
    "retire": 0.8,
    "trouble": 0.6,
    "bug": 0.3,
    "leap": 0.8,
    "crash": 0.3,
    "close": 0.2,
}


def run(seed, steps, calm=60):
    """Run one hall; raises Broken, which says how to run it again. Gives the world as it ended."""
    world = None
    with ExitStack() as stack:
        log = stack.enter_context(checks.Log())
        # Salts and the tokens of owners are drawn from here, past the house's own chance.
        salt = Random(seed ^ 0x5A17)
        stack.enter_context(mock.patch("secrets.token_bytes", lambda n=32: salt.randbytes(n or 32)))
        # Nobody here guesses at a password: to seal one may be cheap.
        stack.enter_context(mock.patch("protocols.host.passwords._N", 2**8))
        try:
            world = World(seed)
            for _ in range(steps):
                world.step()
                log.check()
            world.calm_down(calm)
            log.check()
            world.wind_down()
            log.check()
        except Exception as problem:
            at = 0 if world is None else world.step_number
            trail = "" if world is None else "\n".join(world.trail)
            log_says = "\n".join(log.bugs[:1])
            again = f"python -m tests.simulation --seed {seed} --steps {steps}"
            told = f"seed {seed}, step {at}: {problem}\n{log_says}\n{trail}\nagain: {again}"
            raise Broken(told) from problem
    return world
