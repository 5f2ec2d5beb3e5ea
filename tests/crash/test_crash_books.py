"""The books of the crash test find what is wrong: a check that can find nothing proves nothing."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from attrs import define, field

from gamecore.codec import plain
from gamecore.commands import RESTARTED, Abandon, Command, Open, Play, Sit, Wake
from gamecore.fairness import DEAL_VERSION
from gamecore.games.nim import Take
from gamecore.record import FIRST, write_record
from gamecore.rules import Registry, installed_rules
from gamecore.settings import plain_settings
from gamecore.table import TABLE_VERSION
from gamecore.table_options import TableOptions
from tests.crash.hall.links import Link, Request
from tests.crash.hall.record import Story, check_link, open_story, places_of
from tests.crash.hall.trial import explains
from tests.crash.journal import Kept
from tests.daemons.wall import A_DAY, HOUR, hang, lasted
from tests.daemons.wrong import Wrong

REGISTRY = Registry(installed_rules())
RULES = REGISTRY.latest("nim")


def moves(*outcomes: str | None) -> list[Request]:
    """Send the moves 1, 2 and so on, of which this became."""
    return [Request("play", {"move": at}, None, each) for at, each in enumerate(outcomes, 1)]


# -- which moves a record may hold ----------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "recorded"),
    [
        (moves("ok", "ok"), [1, 2]),
        (moves("ok", None), [1]),
        (moves("ok", None), [1, 2]),
        (moves(None, None, "ok"), [2, 3]),
        (moves("not-now", "ok"), [2]),
    ],
)
def test_a_record_holds_what_was_done_and_perhaps_what_nobody_knows_of(sent, recorded):
    assert explains(sent, recorded)


@pytest.mark.parametrize(
    ("sent", "recorded"),
    [
        (moves("ok", "ok"), [1]),  # lost
        (moves("ok", "ok"), [2]),
        (moves("ok", "ok"), [2, 1]),  # out of order
        (moves("ok"), [1, 1]),  # twice
        (moves("not-now"), [1]),  # refused, and played
        (moves("ok", None, "ok"), [1, 2]),
    ],
)
def test_no_record_explains_moves_that_are_lost_or_played_though_refused(sent, recorded):
    assert not explains(sent, recorded)


def test_a_move_that_was_lost_may_have_been_made_again():
    sent = [Request("play", {"move": 1}, None, each) for each in (None, None, "ok")]
    assert [explains(sent, [1] * times) for times in range(5)] == [False, True, True, True, False]


# -- one link -------------------------------------------------------------------------


@define
class Wire:
    """A link, and the daemon's end of it."""

    link: Link
    far: socket.socket = field(repr=False)

    def say(self, *messages: object) -> list[dict]:
        """Let the link hear something."""
        for message in messages:
            self.far.sendall(json.dumps(message).encode() + b"\n")
        return self.link.hear()


@pytest.fixture
def wire() -> Iterator[Wire]:
    near, far = socket.socketpair()
    near.setblocking(False)
    with near, far:
        yield Wire(Link(5, near, lambda link: None), far)


def come_back(wire: Wire, last: int | None) -> None:
    """Come back to a table, and hear that this was done."""
    wire.link.ask("return", token="T", **({} if last is None else {"last": last}))
    wire.say({"reply": 1, "ok": True})


def test_events_come_one_after_another(wire):
    come_back(wire, 5)
    wire.say({"n": 6, "event": "Sat"}, {"n": 7, "event": "Sat"})
    assert [number for number, _ in wire.link.told] == [6, 7]


@pytest.mark.parametrize("number", [5, 7])
def test_an_event_that_is_missing_or_told_twice_is_wrong(wire, number):
    come_back(wire, 5)
    with pytest.raises(Wrong, match="after number 5"):
        wire.say({"n": number, "event": "Sat"})


def test_a_view_of_before_what_was_told_is_wrong(wire):
    come_back(wire, None)
    with pytest.raises(Wrong, match="number 5 had been told"):
        wire.say({"view": {}, "n": 4})


def test_a_turn_without_anything_before_it_is_wrong(wire):
    come_back(wire, None)
    with pytest.raises(Wrong, match="before anything else"):
        wire.say({"turn": [0], "moves": []})


def test_a_move_that_was_offered_and_is_refused_is_wrong_unless_something_has_happened(wire):
    come_back(wire, 5)
    wire.link.ask("play", move=1)
    wire.say({"n": 6, "event": "Sat"}, {"reply": 2, "error": "not-now"})
    wire.link.ask("play", move=1)
    with pytest.raises(Wrong, match="a move that had been offered was refused"):
        wire.say({"reply": 3, "error": "not-now"})


# -- one table ------------------------------------------------------------------------


def records(*clocks: tuple[float, float]) -> list[bytes]:
    """Write the record of a short game, at a second of the table and of the day for each command."""
    commands: list[Command] = [
        *begun("1" * 64),
        Play(0, Take(3, False)),
        Play(1, Take(2, False)),
    ]
    return chain(commands, clocks or seconds(commands))


def begun(token: str | None, **house: str) -> list[Command]:
    """Let ann and bob sit down, bob with this token or none."""
    options = plain_settings(RULES.options(stones=5))
    chosen = plain_settings(TableOptions(**house))
    versions = RULES.version, TABLE_VERSION, DEAL_VERSION
    return [
        Open("AAAAA", "nim", *versions, "", "ab" * 32, options, chosen),
        Sit(0, "ann", "0" * 64),
        Sit(1, "bob", token),
    ]


def seconds(commands: Sequence[Command]) -> list[tuple[float, float]]:
    """Let one command come each second."""
    return [(float(at), float(at)) for at in range(len(commands))]


def chain(commands: Sequence[Command], clocks: Sequence[tuple[float, float]]) -> list[bytes]:
    lines, previous = [], FIRST
    for number, (command, (at, wall)) in enumerate(zip(commands, clocks, strict=True)):
        record = write_record("AAAAA", number, at, wall, command, previous)
        previous = record.hash
        lines.append(record.line)
    return lines


def retold(
    lines: list[bytes],
    link: Link | None = None,
    length: int | None = None,
    deaths: Sequence[float] = (),
) -> Story:
    """Play a record again, and hold against it what ann was told on a link."""
    kept = Kept("AAAAA", lines[:length], "playing", None)
    story = open_story(kept, REGISTRY)
    places = [] if link is None else list(places_of("ann", link))
    sights = story.go_on(kept, deaths, dict.fromkeys(places))
    if link is not None:
        check_link("ann", link, story, sights)
    return story


def told(wire: Wire, story: Story) -> Link:
    """Make a link on which all was told that the record gives."""
    wire.link.told = [(n, {**each, "n": n}) for n, each in enumerate(story.streams["ann"], 1)]
    return wire.link


def test_what_was_told_as_it_is_recorded_is_found_to_be_so(wire):
    lines = records()
    story = retold(lines)
    assert story.finished == 1
    assert story.moves == {
        "ann": [plain(Take(3, False))],
        "bob": [plain(Take(2, False))],
    }
    assert len(story.streams["ann"]) == story.table.player(0).told
    assert len(story.streams["bob"]) == story.table.player(1).told
    retold(lines, told(wire, story))


def test_an_event_that_is_told_otherwise_than_recorded_is_found(wire):
    lines = records()
    link = told(wire, retold(lines))
    number = next(n for n, each in link.told if each["event"] == "Taken")
    link.told[number - 1][1]["stones"] += 1
    with pytest.raises(Wrong, match="was told"):
        retold(lines, link)


def test_an_event_that_is_told_and_not_recorded_is_found(wire):
    lines = records()
    with pytest.raises(Wrong, match="in the record is nothing"):
        retold(lines, told(wire, retold(lines)), length=4)


def test_a_view_of_what_never_was_is_found(wire):
    lines = records()
    story = retold(lines)
    board = json.loads(json.dumps({"is": "TableView", "told": 1, "at": 1.0}))
    wire.link.views = [(1, board)]
    with pytest.raises(Wrong, match="this was shown"):
        retold(lines, wire.link)
    assert story.streams["ann"]


def test_a_record_that_was_shortened_or_changed_is_found():
    lines = records()
    story = retold(lines, length=4)
    with pytest.raises(Wrong, match="not what it was"):
        story.go_on(Kept("AAAAA", lines[:3], "playing", None), (), {})
    other = [*lines[:3], lines[4], *lines[4:]]
    with pytest.raises(Wrong, match="not what it was"):
        story.go_on(Kept("AAAAA", other, "playing", None), (), {})


def test_a_record_without_one_of_its_lines_is_found():
    lines = records()
    assert all(one != other for one, other in pairwise(lines))
    with pytest.raises(Wrong, match="the chain is broken"):
        retold([*lines[:3], *lines[4:]])


# -- the clocks -----------------------------------------------------------------------

HUNDRED_DAYS = 100 * A_DAY * HOUR


def test_how_long_a_trial_has_lasted_is_read_off_a_clock_that_leaps(tmp_path):
    wall = hang(tmp_path / "clock")
    before = wall.time()
    for hours in (5, -100 * A_DAY, 200 * A_DAY):
        wall.leap(hours)
        assert 0 <= lasted(wall.time()) < 60
    assert wall.time() - before == pytest.approx(HOUR * (5 + 100 * A_DAY), abs=60)


@pytest.mark.parametrize("leap", [5 * HOUR, -5 * HOUR, HUNDRED_DAYS])
def test_a_leap_of_the_clock_is_no_time_that_went_on(leap):
    start = HUNDRED_DAYS
    walls = [start, start + 1, start + leap + 2, start + 3, start + leap + 4]
    assert retold(records(*((at, wall) for at, wall in enumerate(map(float, walls))))).finished
    with pytest.raises(Wrong, match=r"were charged, up to record 2"):
        retold(records((0, start), (1, walls[1]), (HOUR, walls[2]), (HOUR, start), (HOUR, start)))


def test_a_death_after_which_nobody_woke_the_table_is_found():
    assert retold(records(), deaths=[4.5]).finished
    with pytest.raises(Wrong, match="record 3 is"):
        retold(records(), deaths=[2.5])


def test_time_that_goes_back_is_found():
    with pytest.raises(Wrong, match=r"-1.0 s were charged, up to record 4"):
        retold(records((0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (2.0, 4.0)))


# -- the house goes down --------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "absent", "woken", "wrong"),
    [
        ("1" * 64, "forfeit", Wake(), None),
        (None, "forfeit", Abandon(RESTARTED), None),
        (None, "wait", Abandon(RESTARTED), None),
        (None, "bot", Wake(), None),
        (None, "forfeit", Wake(), "somebody lost"),
        ("1" * 64, "forfeit", Abandon(RESTARTED), "could have gone on"),
        (None, "bot", Abandon(RESTARTED), "could have gone on"),
        (None, "forfeit", Abandon("left"), "record 3 is"),
    ],
)
def test_after_a_death_a_game_goes_on_or_is_void_and_nobody_loses_it(token, absent, woken, wrong):
    commands = [*begun(token, absent=absent), woken]
    lines = chain(commands, seconds(commands))
    if wrong is None:
        assert not retold(lines, deaths=[2.8]).finished
        return
    with pytest.raises(Wrong, match=wrong):
        retold(lines, deaths=[2.8])


def test_a_game_that_is_void_although_nobody_died_is_found():
    commands = [*begun(None), Abandon(RESTARTED)]
    with pytest.raises(Wrong, match="record 3 is"):
        retold(chain(commands, seconds(commands)))
