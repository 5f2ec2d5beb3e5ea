"""The journal cannot be written for a while: play is paused, and nothing is lost, told early or charged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.defer import Deferred
from twisted.internet.task import deferLater
from twisted.logger import formatEvent, globalLogPublisher

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.record import read_records
from protocols.journal.errors import JournalUndone
from protocols.journal.memory import MemoryJournal

FULL = "the journal cannot be written: the disk is full"


class FullDisk(MemoryJournal):
    """A journal that fails as often as it is told to, and tries the same batch again each second."""

    def __init__(self, clock):
        super().__init__(clock)
        self.fails = 0
        self.in_trouble = self.closing = False
        self._next_try = None

    def append(self, batch):
        self.pending += len(batch)
        done = Deferred()
        self._next_try = self._clock.callLater(0, self._try, batch, done)
        return done

    def _try(self, batch, done):
        self._next_try = None
        if self.fails:
            self.fails -= 1
            self._trouble(FULL)
            if not self.closing:
                self._next_try = self._clock.callLater(1, self._try, batch, done)
            return
        self._trouble(None)
        self._keep(batch)
        done.callback(None)

    def _trouble(self, trouble):
        if self.in_trouble != (trouble is not None):
            self.in_trouble = not self.in_trouble
            self.on_trouble(trouble)

    def close(self):
        """Try only once more, and then end with what is there."""
        self.closing = True
        if self._next_try is not None:
            self._next_try.reset(0)
        return deferLater(self._clock, 0, self._end)

    def _end(self):
        if self._next_try is not None:
            self._next_try.cancel()
        if self.pending:
            raise JournalUndone(self.pending)


@pytest.fixture
def home(room):
    return room("nim", journal=FullDisk, options={"seconds": 100})


def fill(home, tries):
    """Let so many commits fail, of which the next move's is the first."""
    home.journal.fails = tries


def pauses(face):
    return [each for each in face.heard if each in (("paused", FULL), ("paused", None))]


# Nothing is lost

STEP = st.one_of(
    st.sampled_from(["move"] * 4 + ["wrong token", "refused"]),
    st.tuples(st.sampled_from(["drop", "return"]), st.integers(0, 2)),
    st.integers(1, 60).map(lambda quarters: quarters / 4),
)
TROUBLED = st.tuples(STEP, st.sampled_from([0, 0, 1, 2, 5]), st.booleans())


@pytest.mark.parametrize("kind", ["nim", "high"])
@given(steps=st.lists(TROUBLED, max_size=25))
def test_everybody_hears_just_what_they_would_have_heard_without_the_trouble(
    lone_room, kind, steps
):
    runs = []
    for disturbed in (False, True):
        home = lone_room(kind, journal=FullDisk, seed=9, options={"seconds": 200})
        home.do(commands.Start())
        faces = [home.watcher, *home.faces.values()]
        for step, tries, waits in steps:
            if disturbed:
                home.journal.fails += tries
            faces += take(home, step)
            if waits or isinstance(step, float):
                recover(home)
        recover(home)
        for face in faces:
            told = [why for _, why in pauses(face)]
            assert told == ([FULL, None] * len(told))[: len(told)]
            assert face.place is None or not told or told[-1] is None
        lines = read_records(home.journal._lines.get(home.code, ()))
        runs.append(([(each.at, each.command) for each in lines], list(map(transcript, faces))))
        home.end()
    (smooth_record, smooth), (record, troubled) = runs
    assert record == smooth_record
    for (stayed, heard), (_, reference) in zip(troubled, smooth, strict=True):
        # A link that was lost in the pause has missed what could not be told before.
        assert heard == reference if stayed else heard == reference[: len(heard)]


def transcript(face):
    """Give whether a face still has its place, and what it has heard of the game."""
    apart = [*pauses(face), "taken-over"]
    return face.place is not None, [each for each in face.heard if each not in apart]


def take(home, step):
    """Let one thing happen; gives the face that came by it, if one did."""
    table = home.table if home.code in home.host.hall else None
    match step:
        case "move" if table is not None and table.awaited():
            home.move()
        case "refused" if table is not None:
            home.host.command(home.watcher, table, commands.Start(), "again")
        case "wrong token":
            return [home.ask_back(f"{home.code}.00")]
        case ("drop", number):
            home.drop(f"player {number % len(home.faces)}")
        case ("return", number):
            name = f"player {number % len(home.faces)}"
            home.faces[name] = home.ask_back(home.tokens[name])
            return [home.faces[name]]
        case float():
            recover(home)
            home.clock.advance(step)
    home.settle()
    return []


def recover(home):
    while home.journal.in_trouble:
        home.clock.advance(1)
    home.journal.fails = 0
    home.settle()


def test_nobody_is_told_anything_while_it_cannot_be_written(home):
    fill(home, 3)
    home.move()
    home.move()
    back = home.ask_back(home.tokens["player 0"])
    wrong = home.ask_back("nonsense")
    home.host.command(home.watcher, home.table, commands.Start(), "again")
    home.clock.pump([1] * 2)
    for face in (home.watcher, home.faces["player 1"]):
        assert face.heard == [("paused", FULL)]
    assert back.heard == wrong.heard == [("paused", FULL)], "and why no answer comes"
    home.clock.advance(1)
    assert home.watcher.names() == [
        ("paused", FULL),
        ("paused", None),
        "Taken",
        "Taken",
        ("again", "game-began"),
    ]
    pause = [("paused", FULL), ("paused", None)]
    assert back.names() == [*pause, ("back", None), "TableView"]
    assert back.heard[-1].board.board.left == 98
    assert wrong.heard == [*pause, ("back", "unknown-token")]
    home.faces["player 0"] = back


def test_everybody_hears_once_of_the_pause_and_once_of_its_end(home):
    other, ear = home.host.open("nim", "", {}, {}), home.ear()
    home.host.watch(ear, other.code)
    home.settle()
    for _ in range(2):
        fill(home, 4)
        home.move()
        home.clock.pump([0.5] * 9)
    for face in (ear, home.watcher, *home.faces.values()):
        assert pauses(face) == [("paused", FULL), ("paused", None)] * 2
    home.host.leave(ear)


def test_a_face_that_cannot_hear_of_the_pause_keeps_it_from_nobody(home, logged_failures):
    def stumble(trouble):
        raise KeyError("a bug of the face")

    home.watcher.paused = stumble
    fill(home, 1)
    home.move()
    home.clock.advance(1)
    assert logged_failures.pop().check(KeyError)
    assert home.watcher.place is None
    assert [pauses(face) for face in home.faces.values()] == [
        [("paused", FULL), ("paused", None)]
    ] * 2


# Clocks


def test_clocks_stand_and_go_on_later_by_as_much(home):
    home.clock.advance(40)
    fill(home, 500)
    home.move()
    assert [call.func.__name__ for call in home.clock.getDelayedCalls()] == ["_try"]
    home.clock.pump([1] * 499)
    assert home.table.stage is Stage.PLAYING
    home.clock.advance(1)
    assert home.watcher.names()[-1] == "Taken"
    view = home.view("player 1")
    assert (view.at, view.due[1]) == (pytest.approx(40), pytest.approx(140))
    home.clock.advance(99.9)
    assert home.watcher.names()[-1] == "Taken"
    home.clock.advance(0.2)
    assert "Faulted" in home.watcher.names()
    assert home.table.seen_by(None, 0).board.last.board.used == pytest.approx((40, 100), rel=0.01)


def test_the_grace_stands_too(home):
    fill(home, 500)
    home.drop("player 1")
    home.clock.pump([1] * 500)
    assert home.hear("player 1") == ["Dropped"]
    home.clock.advance(59.9)
    assert home.hear("player 1") == []
    home.clock.advance(0.2)
    assert home.hear("player 1")[0] == "Left"


def test_one_who_returns_in_the_pause_is_in_time(home):
    home.drop("player 1")
    home.clock.advance(59)
    fill(home, 50)
    home.move()
    home.clock.pump([1] * 40)
    home.come_back("player 1")
    home.clock.pump([1] * 60)
    assert home.hear("player 1") == ["Dropped", "Taken", "Returned"]


def test_bots_wait_in_the_pause(home):
    home.do(commands.Replace(1, "bot", "random"))
    fill(home, 5)
    home.move()
    home.clock.pump([1] * 4)
    assert home.journal.pending == 1
    home.clock.advance(1)
    assert home.watcher.names()[-2:] == ["Taken", "Taken"]


def test_a_nim_client_is_not_read_in_the_pause_and_is_read_again_after_it(nim_door):
    with nim_door(journal=FullDisk, stones=20) as door:
        north, south = door.pair(b"\n")
        door.journal.fails = 3
        north.take(1)
        door.settle()
        assert north.producerState == south.producerState == "paused"
        assert len(north.objects()) == 1
        door.pass_time(4)
        assert north.producerState == south.producerState == "producing"
        assert len(north.objects()) == len(south.objects()) == 2
        south.take(1)
        door.settle()
        assert len(north.objects()) == 3


# The end


def close(home):
    ended = []
    home.host.close().addBoth(ended.append)
    home.settle()
    return ended


def check_end(home):
    """See that everybody was parted with just once, and heard nothing after."""
    for face in (home.watcher, *home.faces.values()):
        assert face.heard.count("closing") == 1
        assert face.heard[-1] == "closing"
    assert home.clock.getDelayedCalls() == []


def test_closing_in_trouble_fails_with_the_number_that_nobody_was_told_of(home):
    fill(home, 10)
    for _ in range(3):
        home.move()
    home.clock.pump([1] * 2)
    assert home.host.untold == 3
    (failure,) = close(home)
    assert failure.check(JournalUndone)
    assert failure.value.commands + home.host.service.queue.waiting == home.host.untold == 3
    check_end(home)
    assert [face.names().count("Taken") for face in home.faces.values()] == [0, 0]


def test_trouble_that_comes_while_it_closes_keeps_it_from_nothing_but_success(home):
    fill(home, 10)
    home.host.command(None, home.table, commands.Play(0, home.table.legal_moves(0)[0]))
    (failure,) = close(home)
    assert failure.check(JournalUndone)
    assert home.host.untold == 1
    check_end(home)


def test_closing_in_trouble_succeeds_if_the_last_try_does_and_no_clock_goes_on(home):
    fill(home, 1)
    home.move()
    assert home.host.untold == 1
    ended = close(home)
    assert ended == [None]
    assert (home.host.untold, home.commands()[-1]) == (0, "Play")
    check_end(home)


def test_nobody_comes_back_to_a_daemon_that_closes(home):
    home.drop("player 0")
    closed = []
    home.host.close().addBoth(closed.append)
    faces = [home.ask_back(token) for token in home.tokens.values()]
    home.settle()
    assert [face.heard for face in faces] == [[("back", "closing")]] * 2
    with pytest.raises(Refused, match="closing"):
        home.host.open("nim", "", {}, {})
    assert closed == [None]


def test_who_was_just_being_seated_is_parted_with_as_well(home):
    table, late = home.host.hall.find(home.host.open("nim", "", {}, {}).code), home.ear()
    home.host.sit(late, table.code, 0, "late", keep=True)
    assert close(home) == [None]
    assert late.names() == [(None, None), "given", "TableView", "closing"]


def test_a_journal_that_is_lost_is_told_of_once(home, logged_failures):
    logged = []
    globalLogPublisher.addObserver(logged.append)
    home.journal.on_lost(OSError("taken over"))
    globalLogPublisher.removeObserver(logged.append)
    assert [formatEvent(each) for each in logged] == [
        "nothing is written or told any more: taken over"
    ]
    lost = []
    home.host.on_lost = lost.append
    home.journal.on_lost(problem := OSError("taken over"))
    assert lost == [problem]
