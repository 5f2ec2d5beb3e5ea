"""A process is killed, and the next one goes on with its tables from the same journal."""

from __future__ import annotations

from random import Random

import attrs
import pytest
from attrs import define
from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.internet.defer import fail
from twisted.internet.task import Clock
from twisted.logger import LogLevel, formatEvent, globalLogPublisher

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.player import Presence
from gamecore.rules import Registry
from gamecore.table_clocks import Alarm
from gamecore.table_view import TableView
from protocols.host.host import Host
from protocols.host.secrets import hash_token
from protocols.journal.errors import JournalFailed, JournalLost

WALL = 1e9
LIVED = 3.5  # seconds from the last record to the last sign of life


@define
class Moment:
    """What could be seen of a table when a command had been applied to it."""

    command: commands.Command
    at: float
    views: dict[int | None, TableView]
    moves: dict[int, list]
    here: list[str]
    back: list[tuple[str, int]]  # who may come back, by name and seat
    waited_for: frozenset[int]
    alarm: Alarm | None
    bot: bool

    @classmethod
    def of(cls, table, command, now):
        cores = table.seated()
        people = [each for each in cores.values() if each.level is None]
        return cls(
            command,
            now,
            {seat: table.seen_by(seat, now) for seat in (None, *cores)},
            {seat: list(table.legal_moves(seat)) for seat in cores},
            [each.name for each in people if table.presence(each.seat) is Presence.HERE],
            [(e.name, e.seat) for e in people if table.presence(e.seat) is not Presence.GONE],
            table._roster.waited_for(),
            table.alarm(),
            any(cores[seat].level is not None for seat in table.awaited()),
        )


def watch_closely(home):
    """Write down what can be seen after every command from now on."""
    moments, record = [], home.host.service._record

    def watched(live, command, now, *result):
        record(live, command, now, *result)
        moments.append(Moment.of(live.table, command, now))

    home.host.service._record = watched
    return moments


def let_happen(home, steps):
    for step in steps:
        if home.code not in home.host.hall and home.code not in home.host.service.dormant:
            return  # it has ended
        match step:
            case ("drop", number):
                home.drop(f"player {number % len(home.faces)}")
            case ("return", number):
                home.come_back(f"player {number % len(home.faces)}")
            case float():
                home.clock.pump([step, 0.01, 0.01])
            case "rest":
                for name in home.faces:
                    home.drop(name)
                home.clock.pump([20] * 4)
            case _ if home.code not in home.host.hall:
                pass
            case "move" if home.table.awaited():
                home.move()
            case "again" if home.table.stage is Stage.OVER:
                home.do(commands.Rematch("cd" * 32))
                home.do(commands.Start())


STEP = st.one_of(
    st.sampled_from(["move"] * 6 + ["again", "rest"]),
    st.tuples(st.sampled_from(["drop", "return"]), st.integers(0, 2)),
    st.floats(0.5, 40),
)
SCRIPT = ["move", 7.0, ("drop", 0), "move", 5.0, ("return", 0), "move", 70.0, "rest", ("return", 0)]


@pytest.mark.parametrize("kind", ["nim", "high"])
@given(steps=st.lists(STEP, max_size=15), absent=st.sampled_from(["forfeit", "bot", "wait"]))
@settings(max_examples=12)
def test_every_prefix_of_a_record_wakes_as_the_table_that_wrote_it(lone_room, kind, steps, absent):
    home = lone_room(kind, absent=absent, options={"seconds": 100})
    lines = home.lines()  # the very list, which outlasts the table
    begun = len(lines)
    moments = watch_closely(home)
    home.host.leave(home.watcher)
    home.do(commands.Start())
    let_happen(home, SCRIPT + steps)
    assert len(lines) == begun + len(moments)
    for number, moment in enumerate(moments):
        check_prefix(home, lines[: begun + number + 1], moment)
    home.end()


def check_prefix(home, lines, moment):
    """Let another process begin with these lines, and somebody come back to it."""
    table = moment.views[None]
    noted = {home.code: (home.kind, table.stage.value, moment.bot, 0.0, "")}
    clock = Clock()
    journal = type(home.journal)(clock, {home.code: lines}, noted, moment.at + LIVED)
    host = Host(Hall(home.registry), journal, clock, lambda: WALL + 5e6, Random(3))
    host.begin()
    clock.advance(0)
    kept = journal._lines.get(home.code, [])
    if moment.bot:  # it has gone on by itself, perhaps to its end
        assert home.code not in host.service.dormant
        assert not kept or b'"is":"Wake"' in kept[len(lines)]
        return
    ended = table.stage is Stage.ABANDONED  # and is out of the way now
    assert (len(host.hall), kept, clock.getDelayedCalls()) == (0, [] if ended else lines, [])
    if ended:
        return
    for name, seat in moment.back[:1]:
        face = home.ear()
        host.come_back(face, home.tokens[name], "back")
        clock.advance(0)
        woken = host.hall.find(home.code)
        kept = journal._lines[home.code]
        assert kept[: len(lines)] == lines
        assert [b'"is":"Wake"' in line for line in kept[len(lines) :]] == [True, False]
        assert face.heard[0] == ("back", None)
        compare(moment, woken, name, seat, face.heard[1])


def compare(moment, woken, name, seat, shown):
    before = moment.views[seat]
    now = before.at + LIVED
    assert shown.at == pytest.approx(now)
    told = before.told + len(moment.here) + 1
    same = {"at": 0, "seats": (), "due": {}, "told": told}
    assert attrs.evolve(shown, **same) == attrs.evolve(before, **same)
    assert shown.told == told
    for each, view in moment.views.items():
        then = woken.seen_by(each, now)
        assert attrs.evolve(then, **same) == attrs.evolve(view, **same)
        if seat not in moment.waited_for:
            assert then.due == view.due
    assert {each: list(woken.legal_moves(each)) for each in moment.moves} == moment.moves
    for each in moment.here:
        (there,) = [core.seat for core in woken.seated().values() if core.name == each]
        assert woken.presence(there) is (Presence.HERE if each == name else Presence.AWAY)


# Clocks


def think(home, seconds):
    """Let somebody think, with a sign of life each second as the daemon gives it."""
    for _ in range(seconds):
        home.clock.advance(1)
        home.host.beat()


def test_what_was_thought_is_charged_and_the_time_between_the_processes_is_not(room):
    home = room("nim", options={"seconds": 100})
    home.move()
    think(home, 90)
    home.clock.advance(0.9)  # since the last sign of life: nobody knows of it
    home.kill(down=100_000)
    view = home.come_back("player 1").heard[1]
    assert view.due[1] - view.at == pytest.approx(10, abs=0.01)
    home.forget()
    home.clock.advance(9.9)
    assert home.table.stage is Stage.PLAYING
    home.clock.pump([0.2] * 10)
    ends = [each for each in home.faces["player 1"].names() if each == "Faulted"]
    assert ends == ["Faulted"]


def test_a_clock_is_charged_up_to_the_last_record_if_there_was_no_later_sign_of_life(room):
    home = room("nim", options={"seconds": 100})
    home.clock.advance(30)
    home.move()
    home.clock.advance(50)
    home.kill()
    view = home.come_back("player 1").heard[1]
    assert (view.at, view.due[1] - view.at) == (pytest.approx(30), pytest.approx(100))


def test_the_grace_of_the_others_begins_when_the_table_wakes(room):
    home = room("high")
    home.kill(down=100_000)
    home.come_back("player 0")
    assert [home.presence(name) for name in home.tokens] == [
        Presence.HERE,
        Presence.AWAY,
        Presence.AWAY,
    ]
    home.clock.advance(59)
    home.come_back("player 1")
    home.clock.advance(2)
    assert [home.presence(f"player {seat}") for seat in (0, 1)] == [Presence.HERE] * 2
    assert home.presence("player 2") is Presence.GONE


def test_a_choice_half_made_is_kept_and_kept_secret(room):
    home = room("high")
    home.move()
    hands = [home.view(name).board.hand for name in home.tokens]
    laid = home.view("player 0").board.own
    home.kill()
    views = [home.come_back(name).heard[1].board for name in home.tokens]
    assert [each.hand for each in views] == hands
    assert [each.own for each in views] == [laid, None, None]
    assert all(each.laid == {0} for each in views)


def test_a_process_may_be_killed_again_and_again(room):
    home = room("nim", options={"seconds": 100})
    for _ in range(5):
        home.move()
        think(home, 10)
        home.kill(down=500)
        for name in home.tokens:
            home.come_back(name)
        home.check_record()
    used = home.view("player 0").board.board.used
    assert sum(used) == pytest.approx(40)
    assert home.commands().count("Wake") == 5


# Bots


def test_a_table_where_a_bot_is_to_move_wakes_by_itself_and_plays_on_with_nobody_there(room):
    home = room("nim", absent="bot", options={"stones": 30})
    home.do(commands.Replace(1, "bot", "random"))
    home.host.leave(home.faces.pop("player 1"))
    lines = home.lines()
    home.move()
    del lines[-1]  # the answer of the bot had not reached the disk
    home.journal.note(home.code, "nim", "playing", True, 0.0)
    home.kill()
    assert home.commands()[-2:] == ["Wake", "Play"]
    assert home.table.awaited() == {0}
    home.clock.pump([1] * 70)
    assert home.code not in home.host.hall  # two bots have played it to its end
    assert home.journal._lines == {}


def test_a_table_where_a_bot_has_moved_already_stays_where_it_is(room):
    home = room("nim")
    home.do(commands.Replace(1, "bot", "random"))
    home.host.leave(home.faces.pop("player 1"))
    home.move()
    home.kill()
    assert len(home.host.hall) == 0
    home.come_back("player 0")
    home.move()
    assert home.commands()[-4:] == ["Wake", "Return", "Play", "Play"]


# What cannot be read


def cut_short(home):
    home.lines()[2] = home.lines()[2][:-20]


def changed(home):
    home.lines()[2] = home.lines()[2].replace(b'"seat":1', b'"seat":0')


def without_rules(home):
    home.registry = Registry([rules for rules in (home.registry.latest("nim"),)])


@pytest.mark.parametrize("harm", [cut_short, changed, without_rules])
def test_a_table_that_cannot_be_read_is_refused_in_one_line_and_harms_no_other(ear, room, harm):
    home = room("high")
    other = home.host.hall.find(home.host.open("nim", "", {}, {}).code)
    face = ear()
    home.host.sit(face, other.code, 0, "other", keep=True)
    home.settle()
    harm(home)
    before = list(home.lines())
    home.kill()
    logged = []
    globalLogPublisher.addObserver(logged.append)
    try:
        refused = home.come_back("player 0")
        (line,) = [formatEvent(each) for each in logged if each["log_level"] > LogLevel.info]
    finally:
        globalLogPublisher.removeObserver(logged.append)
    assert (refused.heard, refused.place) == ([("back", "table-unreadable")], None)
    assert home.code in line and "\n" not in line
    assert home.lines() == before
    back = home.ask_back(face.token)
    home.settle()
    assert back.names() == [("back", None), "TableView"]
    home.host.leave(back)
    home.journal.retire(home.code)
    home.host.service.dormant._resting.pop(home.code)
    home.faces = {}


def test_who_may_have_stood_in_what_is_damaged_is_not_called_unknown(room):
    home = room("high")
    for number, line in enumerate(home.lines()):
        home.lines()[number] = line.replace(hash_token(home.tokens["player 1"]).encode(), b"?")
    home.kill()
    for name in home.tokens:
        assert home.come_back(name).heard == [("back", "table-unreadable")]
    home.journal.retire(home.code)
    home.host.service.dormant._resting.pop(home.code)
    home.faces = {}


@pytest.mark.parametrize(
    ("problem", "key"),
    [
        (OSError("the disk"), "table-resting"),
        (JournalFailed("the server is gone"), "table-resting"),
        (JournalLost("the writer is gone"), "closing"),
    ],
)
def test_a_token_stays_good_while_the_journal_cannot_be_read(room, logged_failures, problem, key):
    home = room("nim")
    home.kill()
    read, home.journal.read = home.journal.read, lambda code: fail(problem)
    refused = home.come_back("player 0")
    assert (refused.heard, refused.place) == ([("back", key)], None)
    assert len(logged_failures) == (type(problem) is OSError)
    logged_failures.clear()
    home.journal.read = read
    assert home.come_back("player 0").names() == [("back", None), "TableView"]


def test_who_comes_to_what_was_brought_into_memory_by_another_way_meanwhile_is_let_in(
    room, monkeypatch
):
    home = room("nim")
    home.kill()
    wake = home.host._waking.wake

    def be_second(code):
        return wake(code).addCallback(lambda _: fail(Refused("no-such-table")))

    monkeypatch.setattr(home.host._waking, "wake", be_second)
    assert home.come_back("player 0").names() == [("back", None), "TableView"]


def test_a_token_of_what_has_ended_is_not_called_unknown_while_the_journal_cannot_be_read(room):
    home = room("nim")
    home.kill()
    home.journal.retire(home.code)
    home.host.service.dormant._resting.pop(home.code)
    home.journal.read_finished = lambda code: fail(JournalFailed("the server is gone"))
    assert home.come_back("player 0").heard == [("back", "table-resting")]
    home.faces = {}


def test_a_table_that_was_given_up_but_not_yet_retired_is_retired_by_the_next_process(room):
    home = room("nim")
    home.do(commands.Abandon("bug"))
    home.kill()
    assert (len(home.host.service.dormant), home.journal._lines) == (0, {})


def test_a_table_of_the_last_process_keeps_its_code(room):
    home = room("nim")
    home.kill()
    codes = iter([home.code, "FRESH"])
    home.host._secrets._chance.choices = lambda letters, k: next(codes)
    assert home.host.open("nim", "", {}, {"expiry": 10}).code == "FRESH"
