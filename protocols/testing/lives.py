"""What tables live through: bots, kills, people who come and go, and bytes that mean nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from twisted.logger import LogEvent, globalLogPublisher

from gamecore.codec import plain
from gamecore.events import heard_by
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.record import read_records
from gamecore.replay import play_back
from gamecore.rules import AnyRules
from gamecore.settings import plain_settings
from gamecore.table import Table
from protocols.host.door import installed_doors
from protocols.testing.ear import Ear
from protocols.testing.guest import Guest, Way
from protocols.testing.house import House
from protocols.testing.journals import KeptJournal
from protocols.testing.playing import draw_options
from protocols.testing.program import Program

KILLS = 4
STEPS = 60
CHECK_EVERY = 5  # steps
HOURS = 24 * 3600.0
GARBAGE = (
    b"\x00\xff\xfe\r\n",
    b"{]\n",
    b"}{" * 40 + b"\n",
    b"\xe2\x82\n",
    b"~~~~$$$\n",
    b"-1\n",
    b"\r\r\n\n",
    b"999999999999999999999 x\n",
    b'{"do": "play", "id": 1, "move": {"is": "Nothing"}}\n',
    b'{"do": "play", "id": 1, "move": null}\n',
    b"\x1b[2J\x07\n",
    b"A" * 1500 + b"\n",
)


def open_table(house: House, rules: AnyRules, chance: Random, **how: bool | float | str) -> Table:
    """Open a table with options by chance, for as few as may play."""
    options = plain_settings(draw_options(rules, chance, rules.seats[0]))
    return house.open(rules.kind, options, **how)


def check_record(house: House, table: Table) -> None:
    """See that a table is, for everybody, what its record in the journal gives."""
    live = house.host.service.live.find(table.code)
    assert live is not None
    now = house.host.service.clocks.now(live)
    twin = Hall(house.registry).replay(read_records(house.journal._lines[table.code]))
    for seat in (None, *table.seated()):
        here, there = table.seen_by(seat, now), twin.seen_by(seat, now)
        assert here == there, f"seat {seat} sees {here}, the record gives {there}"
    assert twin.alarm() == table.alarm(), f"{table.alarm()}, the record gives {twin.alarm()}"


def check_bots(rules: AnyRules, level: str, seed: int) -> None:
    """Let bots play a game to its end; whoever looks on is told what its record gives, and nothing else."""
    with House([rules], [], seed=seed) as house:
        table = open_table(house, rules, Random(seed))
        for seat in range(rules.seats[0]):
            house.host.seat_bot(table, seat, f"bot {seat}", level)
        watcher = house.watch(table)
        before = table.watched
        house.start(table)
        house.pass_time(HOURS, until=lambda: table.stage is Stage.OVER)
        assert table.stage is Stage.OVER, "bots never end it"
        check_record(house, table)
        steps = play_back(house.journal._lines[table.code], house.registry)
        given = [plain(event) for step in steps for event in heard_by(None, step.events)]
        told = [plain(event) for event in watcher.heard[1:]]  # behind the View
        assert told == given[before:], "what was told is not what the record gives"


# -- kills ----------------------------------------------------------------------------


def check_kills(rules: AnyRules, seed: int) -> None:
    """Kill a daemon now and then, with a move under way or none; all that was told stands when it is back."""
    chance = Random(seed)
    with House([rules], [], seed=seed, journal=KeptJournal) as house:
        table = open_table(house, rules, chance, grace=1000)
        ears = [house.sit(table) for _ in range(rules.seats[0])]
        house.start(table)
        tokens = [str(ear.token) for ear in ears]
        for _ in range(KILLS):
            house.play(table, chance, chance.randrange(8))
            seen = _boards(house, table)
            heard = [len(ear.heard) for ear in ears]
            if table.awaited() and chance.random() < 0.5:
                seat = chance.choice(sorted(table.awaited()))
                house.host.submit(ears[seat], chance.choice(table.legal_moves(seat)))
            assert heard == [len(ear.heard) for ear in ears], "a move was told before its commit"
            house.restart(down=chance.choice((0.0, 5.0, 100.0)))
            ears = [house.come_back(token) for token in tokens]
            assert [ear.answers for ear in ears] == [[("back", None)]] * len(ears)
            table = house.hall.find(table.code)
            assert _boards(house, table) == seen, "what was told is lost, or what nobody was told"
            check_record(house, table)
        _play_on(house, table, chance)


def _boards(house: House, table: Table) -> list[object]:
    live = house.host.service.live.find(table.code)
    now = 0.0 if live is None else house.host.service.clocks.now(live)
    return [table.seen_by(seat, now).board for seat in (None, *table.seated())]


def _play_on(house: House, table: Table, chance: Random) -> None:
    for _ in range(20_000):
        if not house.play(table, chance, 1):
            break
    assert table.stage is Stage.OVER, f"it stops, and is {table.stage}"


# -- people who come and go -----------------------------------------------------------


class Storm:
    """A table of programs, some of which are gone for a while or for good."""

    def __init__(self, house: House, rules: AnyRules, chance: Random) -> None:
        self.house, self.rules, self.chance = house, rules, chance
        self.programs = [Program(house, f"program {n}") for n in range(rules.seats[0])]
        options = plain_settings(draw_options(rules, chance, rules.seats[0]))
        absent = chance.choice(("forfeit", "bot", "wait"))
        table = {"start": "asked", "absent": absent, "grace": chance.choice((2, 20, 60))}
        first = self.programs[0]
        opened = first.ask("open", game=rules.kind, options=options, house=table)
        self.code = opened["table"]
        for seat, program in enumerate(self.programs):
            assert "error" not in program.ask("join", table=self.code, seat=seat)
            program.hear()
        assert "error" not in first.ask("start")

    def step(self) -> None:
        """Let one thing happen."""
        dice, one = self.chance.random(), self.chance.choice(self.programs)
        if dice < 0.7:
            any(each.play(self.chance) for each in self._in_any_order())
        elif dice < 0.78:
            one.hang_up()
        elif dice < 0.9:
            self._come_back(one)
        elif dice < 0.97:
            self.house.pass_time(self.chance.choice((0.5, 3.0, 30.0)))
        else:
            self.check()  # now, as a table that is made from its record agrees with it
            self.house.restart(down=self.chance.choice((0.0, 5.0)))

    def check(self) -> None:
        """Compare the table with its record, played from its beginning: what differs goes on to differ."""
        live = self.house.host.service.live.find(self.code)
        if live is not None and not live.recovering:
            check_record(self.house, live.table)

    def _in_any_order(self) -> list[Program]:
        return self.chance.sample(self.programs, len(self.programs))

    def _come_back(self, one: Program) -> None:
        """Let one return, though its older link may still stand."""
        again = Program(self.house, f"{one.name} again")
        again.token = one.token
        if one.token is not None:
            again.ask("return", token=one.token)
        self.programs[self.programs.index(one)] = again

    def end(self) -> None:
        """Let everybody come back once more, and leave."""
        for one in list(self.programs):
            self._come_back(one)
        for one in self.programs:
            one.ask("leave")


def check_storm(rules: AnyRules, seed: int) -> None:
    """Let programs come, play, go and come back while the daemon is killed now and then."""
    chance = Random(seed)
    doors = [door for door in installed_doors() if door.kind == "json"]
    with no_failures(), House([rules], doors, seed=seed, journal=KeptJournal) as house:
        storm = Storm(house, rules, chance)
        for number in range(1, STEPS + 1):
            storm.step()
            if number % CHECK_EVERY == 0:
                storm.check()
        storm.end()


# -- bytes ----------------------------------------------------------------------------


def check_garbage(rules: AnyRules, way: Way) -> None:
    """Say what makes no sense at a table where a game is played: it goes on as it stood."""
    chance = Random(str(way))
    settings = {way.door.kind: way.wire.settings}
    with no_failures(), House([rules], [way.door], settings=settings) as house:
        table = open_table(house, rules, chance, grace=1000)
        guest = Guest(house, way, table, 0)
        guest.come()
        others: list[Ear] = [house.sit(table) for _ in table.free_seats()]
        house.start(table)
        for garbage in GARBAGE:
            seen = _boards(house, table)
            guest.peer.say(garbage)
            house.pass_time(1.0)
            if way.door.kind != rules.kind:  # a game's own wire may make a losing move of it
                assert _boards(house, table) == seen, f"{garbage!r} changed the game"
            if guest.peer.ended and guest.token is not None:
                guest.come(way.wire.back)
        assert len(others) == rules.seats[0] - 1


@contextmanager
def no_failures() -> Iterator[None]:
    """See that no failure is logged in a ``with``: that would be a bug met by whoever plays."""
    failures: list[str] = []

    def watch(event: LogEvent) -> None:
        if "log_failure" in event:
            failures.append(event["log_failure"].getTraceback())

    globalLogPublisher.addObserver(watch)  # type: ignore[arg-type]
    try:
        yield
    finally:
        globalLogPublisher.removeObserver(watch)  # type: ignore[arg-type]
    assert not failures, failures[0]
