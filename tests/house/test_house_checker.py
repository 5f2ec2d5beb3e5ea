"""The checker finds what is wrong: a history that is forged in any one way is no history of a house."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from attrs import evolve

from tests.daemons.wrong import Wrong
from tests.house import honest
from tests.house.checker import check_player
from tests.house.diary import JSON, NIM, Line
from tests.house.honest import CODE, REGISTRY, SEED, History
from tests.house.loss_checker import check_charges, check_nobody_lost
from tests.house.owner_checker import check_kept, check_owners
from tests.house.secret_checker import check_secrets, check_views
from tests.house.witness import Seen

KINDS = REGISTRY.kinds


def judge(history: History, linked: bool = False) -> int:
    """Let every checker see a history; gives how many moves were acknowledged."""
    kept = history.kept
    check_owners(history.seen)
    check_kept(kept, history.seen)
    check_charges(kept, history.seen)
    check_nobody_lost(kept)
    done = sum(check_player(each, kept, linked) for each in history.diaries)
    check_secrets(kept, history.diaries)
    check_views(kept, history.diaries, REGISTRY)
    return done


def find(history: History, fits: Callable[[dict], bool], sent: bool = False) -> int:
    """Find the last of ann's lines that fits."""
    lines = history.diaries[0].lines
    return max(
        at for at, each in enumerate(lines) if each.sent == sent and fits(json.loads(each.data))
    )


def change(history: History, at: int, **fields: object) -> None:
    """Forge one of ann's lines."""
    line = history.diaries[0].lines[at]
    forged = json.dumps({**json.loads(line.data), **fields}).encode()
    history.diaries[0].lines[at] = evolve(line, data=forged)


def say(history: History, link: int, sent: bool, **message: object) -> None:
    """Add a line to ann's diary."""
    history.diaries[0].lines.append(Line(link, sent, json.dumps(message).encode()))


def is_event(message: dict) -> bool:
    return "event" in message


@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_history_of_any_game_holds(kind):
    assert judge(honest.play(kind)) > 5


def test_an_honest_history_on_the_wire_of_nim_holds():
    assert judge(honest.play("nim", NIM)) > 5


# -- moves ----------------------------------------------------------------------------


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("wire", [JSON, NIM])
def test_a_move_that_was_acknowledged_and_lost_is_found(wire, linked):
    history = honest.play("nim", wire)
    del history.lines[-1], history.seen[-1]
    with pytest.raises(Wrong, match=r"not in the record|knew of|was told"):
        judge(history, linked)


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("wire", [JSON, NIM])
def test_a_move_that_was_played_twice_is_found(wire, linked):
    history = honest.play("nim", wire)
    lines = history.diaries[0].lines
    sent = [at for at, each in enumerate(lines) if each.sent and b'"n": ' in each.data]
    del lines[sent[-1]]  # so that the record has one more than was sent
    with pytest.raises(Wrong, match="sent"):
        judge(history, linked)


def test_a_move_that_is_recorded_as_another_is_found():
    history = honest.play("gops")
    at = find(history, lambda each: each["do"] == "play", sent=True)
    other = json.loads(history.diaries[0].lines[at].data)["move"]
    change(history, at, move={**other, "card": 99})
    with pytest.raises(Wrong, match="is done, recorded is"):
        judge(history)


def test_a_move_that_was_refused_and_is_recorded_is_found():
    history = honest.play("gops")
    at = find(history, lambda each: "played" in each)
    forged = {"reply": honest.retold(history, at)["reply"], "error": "not-now"}
    history.diaries[0].lines[at] = Line(1, False, json.dumps(forged).encode())
    with pytest.raises(Wrong, match="recorded as"):
        judge(history)


@pytest.mark.parametrize("linked", [False, True])
def test_a_move_that_comes_to_be_although_one_who_came_back_was_told_it_had_not_is_found(linked):
    history = honest.play("gops")
    count = max(json.loads(each.data).get("played", 0) for each in history.diaries[0].lines)
    at = find(history, lambda each: "played" in each)
    del history.diaries[0].lines[at]
    say(history, 2, True, do="return", id=1, token="?")
    say(history, 2, False, reply=1, ok=True, played=count - 1)
    with pytest.raises(Wrong, match="recorded as"):
        judge(history, linked)


@pytest.mark.parametrize("linked", [False, True])
def test_a_count_of_moves_that_is_less_than_was_acknowledged_is_found(linked):
    history = honest.play("gops")
    say(history, 2, True, do="return", id=1, token="?")
    say(history, 2, False, reply=1, ok=True, played=0)
    with pytest.raises(Wrong, match="was told of 0 moves"):
        judge(history, linked)


# -- what was told --------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_that_is_left_out_is_found(kind):
    history = honest.play(kind)
    events = [at for at, each in enumerate(history.diaries[0].lines) if b'"event"' in each.data]
    del history.diaries[0].lines[events[len(events) // 2]]
    with pytest.raises(Wrong, match="was told after event"):
        judge(history)


@pytest.mark.parametrize("linked", [False, True])
def test_an_event_that_is_told_twice_is_found(linked):
    history = honest.play("gops")
    at = find(history, is_event)
    history.diaries[0].lines.insert(at, history.diaries[0].lines[at])
    with pytest.raises(Wrong, match="was told after event"):
        judge(history, linked)


def test_a_move_that_nobody_could_tell_of_is_not_a_refusal_where_daemons_are_linked():
    history = honest.play("gops")
    at = find(history, lambda each: "played" in each)
    forged = {"reply": honest.retold(history, at)["reply"], "error": "table-away"}
    history.diaries[0].lines[at] = Line(1, False, json.dumps(forged).encode())
    assert judge(history, linked=True)
    with pytest.raises(Wrong, match="recorded as"):
        judge(history)


def test_two_who_are_told_different_things_are_found():
    history = honest.play("gops")
    at = find(history, lambda each: each.get("event") == "GameOver")
    change(history, at, why="resignation")
    with pytest.raises(Wrong, match="recorded is"):
        judge(history)


@pytest.mark.parametrize("linked", [False, True])
def test_a_view_of_before_what_was_told_is_found(linked):
    history = honest.play("gops")
    view = next(each for each in history.diaries[0].lines if b'"view"' in each.data)
    history.diaries[0].lines.append(evolve(view, link=2))
    with pytest.raises(Wrong, match="then saw"):
        judge(history, linked)


@pytest.mark.parametrize("place", [1, 3])
def test_a_state_of_nim_that_is_left_out_or_told_twice_is_found(place):
    history = honest.play("nim", NIM)
    lines = history.diaries[0].lines
    states = [at for at, each in enumerate(lines) if b"stones_left" in each.data]
    lines[states[2]] = lines[states[place]]
    with pytest.raises(Wrong, match="was told state"):
        judge(history)


# -- secrets --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["rikiki", "pass123", "castle", "gops"])
def test_a_view_of_anothers_seat_is_found(kind):
    """The commands are as they were, and the view is another's in what only that seat may know."""
    history = honest.play(kind)
    ann, bob = history.diaries
    other = next(each for each in bob.lines if b'"view"' in each.data)
    at = find(history, lambda each: "view" in each)
    number = honest.retold(history, at)["n"]
    forged = {**json.loads(other.data), "n": number}
    ann.lines[at] = evolve(ann.lines[at], data=json.dumps(forged).encode())
    with pytest.raises(Wrong, match="not theirs"):
        judge(history)


def test_an_event_that_is_for_another_is_found():
    history = honest.play("rikiki")
    mine = {each.data for each in history.diaries[0].lines}
    other = next(
        json.loads(each.data)
        for each in history.diaries[1].lines
        if b'"event"' in each.data and b"Dealt" in each.data and each.data not in mine
    )
    at = find(history, lambda each: each.get("event") == other["event"])
    change(history, at, **{**other, "n": honest.retold(history, at)["n"]})
    with pytest.raises(Wrong, match="recorded is"):
        judge(history)


@pytest.mark.parametrize("wire", [JSON, NIM])
def test_a_token_of_anothers_is_found(wire):
    history = honest.play("nim", wire)
    say(history, 1, False, said=f"{CODE}.{'y' * 32}", finished=False)
    with pytest.raises(Wrong, match="was told a secret"):
        check_secrets(history.kept, history.diaries)


def test_a_seed_that_is_told_before_the_end_is_found_and_none_that_is_told_then():
    history = honest.play("gops")
    check_secrets(history.kept, history.diaries)
    change(history, find(history, lambda each: each.get("played") == 3), seed=SEED)
    with pytest.raises(Wrong, match="was told a secret"):
        check_secrets(history.kept, history.diaries)


# -- whose it is ----------------------------------------------------------------------


def hand_over(history: History, *between: tuple[str, int]) -> None:
    """Let run 2 write the second half, and let the database see this between the two."""
    half = len(history.seen) // 2
    first, second = history.seen[:half], [evolve(each, run=2) for each in history.seen[half:]]
    events = [
        Seen(0, f"between {number}", second[0].at, what, CODE, 0, run)
        for number, (what, run) in enumerate(between)
    ]
    history.seen = [evolve(each, id=at) for at, each in enumerate([*first, *events, *second])]


@pytest.mark.parametrize(
    ("between", "wrong"),
    [
        ([("dead", 1), ("owner", 2)], None),
        ([("owner", 0), ("owner", 2)], None),
        ([], "while AAAAA belonged to run 1"),
        ([("owner", 2)], "while AAAAA belonged to run 1"),
        ([("dead", 1)], "had not claimed"),
        ([("owner", 0)], "had not claimed"),
    ],
)
def test_a_table_changes_hands_only_when_it_was_let_go_or_its_run_is_dead(between, wrong):
    history = honest.play("gops")
    hand_over(history, *between)
    if wrong is None:
        assert check_owners(history.seen) == 1
        judge(history)
        return
    with pytest.raises(Wrong, match=wrong):
        judge(history)


def test_two_who_write_at_one_time_are_found():
    history = honest.play("gops")
    hand_over(history, ("owner", 0), ("owner", 2))
    history.seen[-1] = evolve(history.seen[-1], run=1)
    with pytest.raises(Wrong, match="belonged to run 2"):
        judge(history)


def test_a_run_that_writes_although_it_is_dead_is_found():
    history = honest.play("gops")
    history.seen.insert(5, Seen(0, "death", 4.0, "dead", "", 0, 1))
    with pytest.raises(Wrong, match="was dead and has written"):
        judge(history)


def test_a_gap_in_what_was_written_is_found():
    history = honest.play("gops")
    del history.seen[9]
    with pytest.raises(Wrong, match="behind record"):
        judge(history)


def test_a_record_that_was_changed_behind_its_commit_is_found():
    history = honest.play("gops")
    history.seen[9] = evolve(history.seen[9], line=b"{}")
    with pytest.raises(Wrong, match="were written"):
        judge(history)


# -- what a fault costs ---------------------------------------------------------------


def test_time_that_was_charged_and_has_not_passed_is_found():
    history = honest.play("gops")
    history.seen = [evolve(each, at=each.at / 10) for each in history.seen]
    check_charges(history.kept, history.seen)
    history.seen = [evolve(each, at=0.0) for each in history.seen]
    check_charges(history.kept, history.seen)
    kept = history.kept
    kept.records = [evolve(each, at=each.at * 10) for each in kept.records]
    with pytest.raises(Wrong, match="were charged"):
        check_charges(kept, history.seen)


@pytest.mark.parametrize(
    "command",
    [
        {"is": "TimeUp", "clock": "turn", "seat": 0},
        {"is": "TimeUp", "clock": "grace", "seat": 1},
        {"is": "Abandon", "why": "restarted"},
        {"is": "Drop", "seat": 0, "absence": "forfeit"},
    ],
)
def test_a_seat_or_a_game_that_is_lost_by_a_fault_is_found(command):
    kept = honest.play("gops").kept
    kept.records = [*kept.records, evolve(kept.records[-1], command=command)]
    with pytest.raises(Wrong, match="has lost by a fault"):
        check_nobody_lost(kept)


def test_a_token_that_nobody_knows_any_more_in_the_midst_of_a_game_is_found():
    history = honest.play("gops")
    at = find(history, lambda each: each.get("played") == 3)
    refused = {"reply": 1, "error": "unknown-token"}
    asked = {"do": "return", "id": 1, "token": "?"}
    lines = history.diaries[0].lines
    lines[at + 1 :] = [
        Line(2, True, json.dumps(asked).encode()),
        Line(2, False, json.dumps(refused).encode()),
    ]
    with pytest.raises(Wrong, match="has lost the seat"):
        judge(history)


def test_one_who_is_sent_away_for_a_moment_on_the_wire_of_nim_has_lost_nothing():
    history = honest.play("nim", NIM)
    say(history, 2, False, init_stones=0, init_resets=0, game_time=0, init_max=0)
    away = "That table is at another server of this house; please try again in a moment"
    say(history, 2, False, finished=True, winner="", reason=away, stones_left=0)
    assert judge(history) > 5


def test_a_token_that_nobody_knows_any_more_on_the_wire_of_nim_is_found():
    history = honest.play("nim", NIM)
    lines = history.diaries[0].lines
    del lines[-3:]
    say(history, 2, False, finished=True, winner=None, reason="Nobody is known by that token")
    with pytest.raises(Wrong, match="has lost the seat"):
        judge(history)
