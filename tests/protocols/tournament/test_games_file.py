"""The file of games: what was written is there, what was cut off is not, and two runs never write one."""

from __future__ import annotations

import pytest
from attrs import evolve

from protocols.tournament.games import Result, blame, games_of
from protocols.tournament.games_file import (
    DamagedFile,
    GamesFile,
    find_game,
    journal_lines,
    read_line,
    write_line,
)
from protocols.tournament.house_games import HouseBots

from .conftest import house


@pytest.fixture
def results(desk) -> list[Result]:
    desk.write(house({'a "record":': "random", "b": "easy"}, game="nim", games=4, stones=10))
    plan = desk.plan()
    player = HouseBots(plan)
    return [player.play(each) for each in games_of(plan, "1.1", ('a "record":', "b"))]


def bare(results):
    return [evolve(each, record=b"", at=()) for each in results]


def test_a_line_is_read_as_it_was_written(results):
    for each in results:
        assert read_line(write_line(each)) == each


def test_wherever_the_file_is_cut_whole_lines_are_left(results, tmp_path):
    path = tmp_path / "games.jsonl"
    with GamesFile(path) as file:
        file.append(results)
    data = path.read_bytes()
    first = len(write_line(results[0]))
    for cut in (0, 1, first - 1, first, first + 1, len(data) - 1):
        path.write_bytes(data[:cut])
        with GamesFile(path) as file:
            whole = len(file.results)
            assert file.results == bare(results[:whole])
            file.append(results[whole:])
        assert path.read_bytes() == data


def test_damage_in_the_middle_is_said(results, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(write_line(results[0]) + b"{\n" + write_line(results[1]))
    with pytest.raises(DamagedFile):
        GamesFile(path)


def test_two_runs_do_not_write_one_file(tmp_path):
    path = tmp_path / "games.jsonl"
    with GamesFile(path), pytest.raises(BlockingIOError):
        GamesFile(path)
    with GamesFile(path) as file:
        assert file.results == []


def test_a_game_is_found_with_its_record(results, tmp_path, desk):
    path = tmp_path / "games.jsonl"
    with GamesFile(path) as file:
        file.append(results)
    assert find_game(path, "1.1.3") == results[2]
    assert find_game(path, "9.9.9") is None
    assert len(journal_lines(results[2], desk.plan().rules)) == results[2].moves + 3


def test_a_forged_record_is_said(results, desk):
    for forged in (b"[", b"[]", b"{}", b'[{"is":"Open"}]', b"[1,2]"):
        with pytest.raises(DamagedFile):
            journal_lines(evolve(results[0], record=forged), desk.plan().rules)


def test_who_spoils_a_game_is_last_and_all_others_level(desk):
    desk.write(
        house({"a": "random", "b": "random", "c": "random"}, game="rikiki", seats=3, games=3)
    )
    game = games_of(desk.plan(), "1.1", ("a", "b", "c"))[1]
    result = blame(game, "crash", "b")
    assert dict(zip(result.entrants, result.places, strict=True)) == {"a": 1, "b": 3, "c": 1}
