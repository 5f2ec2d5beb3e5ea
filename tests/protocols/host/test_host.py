"""The Host keeps secrets, and survives bugs of faces and of rules."""

from __future__ import annotations

from gamecore import commands
from gamecore.game import Stage

# Secrets


def test_a_secret_reaches_only_its_audience(scene, whispers):
    scene.host.submit(scene.faces[1], whispers.Whisper("ace"), "tag")
    scene.settle()
    assert scene.hear() == [
        ["Rumour", "Said"],
        ["Secret", "Said", ("tag", None)],
        ["Rumour", "Said"],
        ["Rumour", "Said"],
    ]


def test_a_secret_finds_its_owner_when_the_seats_rotate_before_it_is_told(scene, whispers):
    scene.host.submit(scene.faces[0], whispers.Whisper("ace"))
    scene.host.submit(scene.faces[0], whispers.End())
    scene.host.command(None, scene.table, commands.Rematch("cd" * 32))
    assert [face.place.player.seat for face in scene.faces] == [2, 0, 1]
    scene.settle()
    assert [each.count("Secret") for each in scene.hear()] == [1, 0, 0, 0]
    scene.host.submit(scene.faces[0], whispers.Whisper("king"))
    scene.host.command(None, scene.table, commands.Start())
    scene.host.submit(scene.faces[0], whispers.Whisper("queen"))
    scene.settle()
    secrets = [[getattr(e, "word", None) for e in face.heard] for face in scene.everybody()]
    assert [each.count("queen") for each in secrets] == [1, 0, 0, 0]


def test_who_leaves_a_seat_and_looks_on_hears_no_secret_of_it(scene, whispers):
    scene.host.submit(scene.faces[0], whispers.Whisper("ace"))
    scene.host.leave(scene.faces[0])
    scene.host.watch(scene.faces[0], scene.table.code)
    scene.settle()
    view, *rest = scene.faces[0].names()[1:]  # behind the answer to what it had asked
    assert (view, rest) == ("TableView", [])
    assert scene.faces[0].heard[1].board.words == ()


def test_a_watcher_who_sits_down_hears_nothing_twice(clock, ear, scene, whispers):
    table = scene.host.hall.find(scene.host.open("whispers", "", {}, {"start": "asked"}).code)
    face = ear()
    scene.host.watch(face, table.code)
    scene.settle()
    scene.host.sit(face, table.code, 0, "player")
    scene.settle()
    scene.host.command(None, table, commands.Mix(0, "words"))
    scene.settle()
    assert face.names()[-1:] == ["Mixed"]
    assert face.names().count("Mixed") == 1


def test_only_who_asked_hears_of_a_refusal_and_nothing_is_journalled(scene, whispers):
    before = scene.lines(scene.table)
    scene.host.submit(scene.faces[2], whispers.Whisper(""), "tag")
    scene.host.submit(scene.watcher, whispers.Whisper("ace"), "look")
    scene.settle()
    assert scene.hear() == [[], [], [("tag", "no-word")], [("look", "not-seated")]]
    assert scene.lines(scene.table) == before


# Faces that fail


def test_a_face_that_fails_is_parted_with_and_keeps_no_news_from_the_others(
    scene, whispers, logged_failures
):
    def fail(news):
        raise KeyError("a bug of the face")

    scene.faces[0].told = fail
    scene.host.submit(scene.faces[1], whispers.Whisper("ace"))
    scene.settle()
    assert logged_failures.pop().check(KeyError)
    assert scene.faces[0].names() == ["error"]
    assert scene.faces[0].place is None
    assert [face.names()[:2] for face in scene.everybody()[1:]] == [
        ["Secret", "Said"],
        ["Rumour", "Said"],
        ["Rumour", "Said"],
    ]
    assert all("Left" in face.names() for face in scene.everybody()[1:])


def test_a_face_that_fails_even_at_parting_is_gone_all_the_same(scene, whispers, logged_failures):
    def fail(*what):
        raise KeyError("a bug of the face")

    scene.watcher.told = scene.watcher.parted = fail
    scene.host.submit(scene.faces[1], whispers.Whisper("ace"))
    scene.settle()
    assert [each.check(KeyError) for each in logged_failures] == [KeyError, KeyError]
    logged_failures.clear()
    scene.host.submit(scene.faces[1], whispers.Whisper("ace"))
    scene.settle()


# Bugs in the rules


def test_a_table_that_met_a_bug_is_read_again_and_shown_afresh(scene, whispers, logged_failures):
    other, neighbours = scene.open()
    scene.host.submit(scene.faces[0], whispers.Whisper("ace"))
    scene.settle()
    scene.forget()
    before = scene.lines(scene.table)
    for face in neighbours:
        face.heard.clear()
    scene.host.submit(scene.faces[0], whispers.Break(), "tag")
    assert scene.table.code not in scene.host.hall
    scene.settle()
    assert logged_failures.pop().check(RuntimeError)
    views = [face.heard[-1] for face in scene.everybody()]
    assert scene.hear() == [[("tag", "table-resting"), "TableView"], *([["TableView"]] * 3)]
    assert [view.board.words for view in views] == [("ace",), (), (), ()]
    assert [view.seat for view in views] == [0, 1, 2, None]
    assert scene.host.hall.find(scene.table.code) is not scene.table
    assert scene.lines(scene.table) == before
    assert [face.heard for face in neighbours] == [[], [], []]
    assert scene.host.hall.find(other.code) is other


def test_play_goes_on_after_a_bug_as_if_it_had_not_been(scene, whispers, logged_failures):
    scene.host.submit(scene.faces[0], whispers.Break())
    scene.settle()
    logged_failures.clear()
    scene.forget()
    scene.host.submit(scene.faces[1], whispers.Whisper("king"))
    scene.settle()
    assert scene.hear()[1] == ["Secret", "Said", (None, None)]
    assert [each["is"] for each in scene.lines(scene.table)] == ["Open", *["Sit"] * 3, "Play"]


def test_what_was_asked_before_the_bug_is_told_before_the_new_view(
    scene, whispers, logged_failures
):
    scene.host.submit(scene.faces[0], whispers.Whisper("ace"), 1)
    scene.host.submit(scene.faces[0], whispers.Break(), 2)
    scene.host.submit(scene.faces[0], whispers.Whisper("lost"), 3)
    scene.settle()
    logged_failures.clear()
    assert scene.faces[0].names() == [
        "Secret",
        "Said",
        (1, None),
        (2, "table-resting"),
        (3, "table-resting"),
        "TableView",
    ]
    assert scene.faces[0].heard[-1].board.words == ("ace",)


def test_the_second_bug_at_a_table_abandons_it(scene, whispers, logged_failures):
    for _ in range(2):
        scene.host.submit(scene.faces[0], whispers.Break())
        scene.settle()
    assert [each.check(RuntimeError) for each in logged_failures] == [RuntimeError] * 2
    logged_failures.clear()
    assert scene.hear()[3] == ["TableView", "Abandoned", "SeedRevealed"]
    assert scene.host.hall.find(scene.table.code).stage is Stage.ABANDONED


def test_a_bug_that_has_moved_the_seats_gives_everybody_their_own_back(scene, ear, logged_failures):
    table = scene.host.hall.find(
        scene.host.open("whispers", "", {"broken_start": True}, {"start": "asked"}).code
    )
    faces = {0: ear(), 2: ear()}
    for seat, face in faces.items():
        scene.host.sit(face, table.code, seat, f"player {seat}")
    scene.host.command(faces[0], table, commands.Start())
    scene.settle()
    assert logged_failures.pop().check(RuntimeError)
    assert [face.heard[-1].seat for face in faces.values()] == [0, 2]
    assert [face.place.player.seat for face in faces.values()] == [0, 2]


def test_who_is_gone_while_a_table_is_read_again_has_left_it(scene, whispers, logged_failures):
    scene.host.submit(scene.faces[0], whispers.Break())
    scene.host.drop(scene.faces[1])
    scene.settle()
    logged_failures.clear()
    assert scene.faces[2].names() == ["TableView", "Left"]
    assert scene.faces[1].heard == []


def test_nobody_can_join_a_table_that_is_being_read_again(scene, ear, whispers, logged_failures):
    scene.host.submit(scene.faces[0], whispers.Break())
    late = [ear(), ear()]
    scene.host.watch(late[0], scene.table.code)
    scene.host.sit(late[1], scene.table.code, 0, "late", "tag")
    scene.settle()
    logged_failures.clear()
    assert late[0].heard == [(None, "table-resting")]
    assert late[1].heard == [("tag", "table-resting")]
    assert late[0].place is late[1].place is None


def test_a_table_that_cannot_be_read_again_is_lost_and_everybody_told(
    scene, whispers, logged_failures
):
    scene.host.submit(scene.faces[0], whispers.Break())
    scene.journal.retire(scene.table.code)
    scene.settle()
    assert [each.type.__name__ for each in logged_failures] == ["RuntimeError", "Unreadable"]
    logged_failures.clear()
    assert [each[-1] for each in scene.hear()] == ["table-lost"] * 4
    scene.host.submit(scene.faces[0], whispers.Whisper("ace"), "tag")
    scene.settle()
    assert scene.faces[0].heard == [("tag", "not-seated")]
