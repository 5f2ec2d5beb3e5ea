"""Observers hear of tables, commands and results; what goes wrong in one hurts nobody."""

from __future__ import annotations

import pytest

from gamecore.commands import Leave, Open, Play, Sit


class Notes:
    """An observer that writes everything down."""

    def __init__(self):
        self.tables, self.commands, self.results = [], [], []

    def on_table(self, table, awake):
        self.tables.append((table.code, awake))

    def on_command(self, table, command, events):
        self.commands.append((type(command), len(events)))

    def on_game_over(self, table, over):
        self.results.append((table.code, over.number, over.outcome.winners))


class Broken:
    """An observer that can do nothing until it is mended."""

    mended = False

    def on_table(self, *what):
        if not self.mended:
            raise RuntimeError("a bug of an observer")

    on_command = on_game_over = on_table


@pytest.fixture
def notes(scene):
    notes = Notes()
    scene.host.observers.add(notes)
    return notes


def test_an_observer_hears_of_every_table_and_command(scene, whispers, notes):
    table, faces = scene.open()
    assert notes.tables == [(table.code, True)]
    assert notes.commands == [(Open, 0), (Sit, 1), (Sit, 1), (Sit, 2)]
    notes.commands.clear()
    scene.host.submit(faces[0], whispers.Whisper(""))
    scene.host.submit(faces[0], whispers.Whisper("ace"))
    assert notes.commands == [(Play, 3)], "what is refused is no command that was done"
    for face in faces:
        scene.host.leave(face)
    scene.settle()
    assert [each for each, _ in notes.commands[1:]] == [Leave, Leave, Leave]
    assert notes.tables == [(table.code, True), (table.code, False)]


def test_a_result_is_told_once_it_is_in_the_journal(scene, whispers, notes):
    scene.host.submit(scene.faces[0], whispers.End())
    assert notes.commands and not notes.results
    scene.settle()
    scene.settle()
    assert notes.results == [(scene.table.code, 1, (0, 1, 2))]


def test_an_observer_that_fails_hurts_nobody(scene, whispers, logged_failures):
    broken = Broken()
    scene.host.observers.add(broken)
    notes = Notes()
    scene.host.observers.add(notes)
    scene.host.submit(scene.faces[0], whispers.End(), "end")
    scene.settle()
    scene.settle()
    assert ("end", None) in scene.hear()[0]
    assert notes.commands and notes.results
    broken.mended = True
    failed = [logged_failures.pop() for _ in range(2)]
    assert all(each.check(RuntimeError) for each in failed)
