"""The Host's one timer a table, and what is left of a table, or of the daemon, in the end: nothing."""

from __future__ import annotations

from random import Random

import pytest
from twisted.internet.defer import Deferred

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.nim import Take
from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal

# Clocks


@pytest.fixture
def nim(clock, ear):
    """A Host, and a game of Nim in which each has ten seconds."""
    journal = MemoryJournal(clock)
    host = Host(Hall(Registry(installed_rules())), journal, clock, lambda: 1e9, Random(1))
    table = host.hall.find(host.open("nim", "", {"seconds": 10, "lag": 0}, {"expiry": 100}).code)
    faces = [ear(), ear()]
    yield host, table, faces
    for face in faces:
        host.leave(face)
    clock.advance(0)
    assert (len(host.hall), journal._lines) == (0, {})


def rings_at(clock):
    return [call.getTime() for call in clock.getDelayedCalls()]


def test_a_table_has_one_timer_that_moves_only_when_the_alarm_comes_nearer(nim, clock):
    host, table, faces = nim
    clock.advance(0)
    assert rings_at(clock) == [100]
    clock.advance(5)
    host.sit(faces[0], table.code, 0, "north")
    clock.advance(0)
    assert rings_at(clock) == [100]  # it expires at 105 now; that is found out when it rings
    host.sit(faces[1], table.code, 1, "south")
    clock.advance(0)
    assert rings_at(clock) == [pytest.approx(15)]
    (timer,) = clock.getDelayedCalls()
    for number in range(20):
        clock.advance(0.125)
        host.submit(faces[number % 2], Take(1))
        clock.advance(0)
        assert clock.getDelayedCalls() == [timer]
    assert rings_at(clock) == [pytest.approx(15)]
    clock.advance(7.625)  # it rings too early and asks again
    assert rings_at(clock) == [pytest.approx(7.5 + 10 - 1.25)]


def test_an_illegal_move_re_arms_nothing(nim, clock):
    host, table, faces = nim
    host.sit(faces[0], table.code, 0, "north")
    clock.advance(99)
    host.sit(faces[0], table.code, 0, "north")
    host.command(faces[0], table, commands.Start())
    clock.advance(1)
    clock.advance(0)
    assert faces[0].names()[-2:] == ["Abandoned", "SeedRevealed"]


def test_a_table_to_which_nobody_comes_is_closed_and_forgotten(nim, clock):
    host, table, _ = nim
    clock.advance(99)
    assert table.code in host.hall
    clock.advance(1.1)
    assert table.code not in host.hall


# The end of a table, and of the daemon


def test_a_table_is_retired_only_behind_its_last_record(hand_journal, ear, clock):
    journal = hand_journal(clock)
    retired = []
    journal.retire = lambda code: retired.append((code, journal.kept))
    host = Host(Hall(Registry(installed_rules())), journal, clock, lambda: 1e9, Random(1))
    table = host.hall.find(host.open("nim", "", {}, {}).code)
    faces = [ear(), ear()]
    for seat, face in enumerate(faces):
        host.sit(face, table.code, seat, f"player {seat}")
    clock.advance(0)
    journal.commit()
    host.drop(faces[0])
    clock.advance(0)  # this record is on its way to the journal
    host.drop(faces[1])
    journal.commit()
    assert retired == []
    clock.advance(0)
    journal.commit()
    assert retired == [(table.code, 5)]
    assert len(host.hall) == 0


def test_closing_down_parts_with_everybody_and_journals_no_drop(scene, whispers):
    table, before = scene.table, len(scene.lines(scene.table))
    closed = scene.host.close()
    assert not closed.called
    with pytest.raises(Refused, match="closing"):
        scene.host.open("whispers", "", {}, {})
    scene.host.submit(scene.faces[0], whispers.Whisper("late"), "late")
    scene.settle()
    assert closed.called
    assert [face.heard[0] for face in scene.everybody()] == ["closing"] * 4
    assert scene.faces[0].heard[1] == ("late", "closing")
    for face in scene.everybody():
        scene.host.drop(face)
    assert len(scene.lines(table)) == before
    assert scene.clock.getDelayedCalls() == []
    scene.host.service.live._by_code.clear()  # the records of live tables outlast the daemon: nothing to check
    scene.host.hall.forget(table)
    scene.journal.retire(table.code)


def test_a_table_read_again_while_the_house_closes_is_shown_to_nobody(
    clock, ear, hand_journal, whispers, logged_failures
):
    journal, faces = hand_journal(clock), [ear(), ear()]
    host = Host(whispers.hall(), journal, clock, lambda: 1e9, Random(1))
    table = host.hall.find(host.open("whispers", "", {}, {"start": "asked"}).code)
    for seat, face in enumerate(faces):
        host.sit(face, table.code, seat, f"player {seat}")
    host.command(None, table, commands.Start())
    clock.advance(0)
    journal.commit()
    lines, reading = list(journal._lines[table.code]), Deferred()
    journal.read = lambda code: reading
    host.submit(faces[0], whispers.Break())
    clock.advance(0)
    assert logged_failures.pop().check(RuntimeError)
    host.open("whispers", "", {}, {})
    clock.advance(0)  # its record is on its way to the journal, and all that follows waits for it
    host.close()
    reading.callback(lines)
    journal.commit()
    clock.advance(0)
    assert [face.heard[-1] for face in faces] == ["closing", "closing"]
    assert clock.getDelayedCalls() == []


def test_bots_do_not_keep_a_daemon_from_closing(clock):
    journal = MemoryJournal(clock)
    host = Host(Hall(Registry(installed_rules())), journal, clock, lambda: 1e9, Random(1))
    table = host.hall.find(host.open("nim", "", {"stones": 100_000}, {}).code)
    for seat in (0, 1):
        host.seat_bot(table, seat, f"bot {seat}", "random")
    closed = host.close()
    clock.advance(0)
    assert closed.called
    assert table.stage is Stage.PLAYING
