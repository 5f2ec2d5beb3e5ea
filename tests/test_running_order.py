"""The order in which tests are run: no test is lost, and none of the slow ones begins late."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from attrs import frozen

from tests.running_order import SLOW, TESTS, shuffled, slow_first


@frozen
class Item:
    path: Path
    number: int


def items_in(*folders: str, each: int = 4) -> list[Item]:
    paths = [TESTS / folder / "test_it.py" for folder in folders]
    return [Item(path, number) for path in paths for number in range(each)]


ALL = items_in("bench", *SLOW, "wire", each=4) + items_in("zoo", each=60)


@pytest.mark.parametrize("workers", [1, 2, 3, 4, 16, 500])
def test_each_test_is_run_once_however_many_workers_there_are(workers):
    assert Counter(slow_first(ALL, workers)) == Counter(ALL)
    assert list(slow_first([], workers)) == []


@pytest.mark.parametrize("workers", [2, 3])
def test_each_worker_begins_with_whole_slow_folders(workers):
    order, begin = list(slow_first(ALL, workers)), 0
    found: list[Path] = []
    for number in range(workers):
        share = order[begin : begin + (len(ALL) - begin) // (workers - number)]
        begin += len(share)
        folders = [each.path for each in share]
        slow = [each for each in folders if str(each.parent.relative_to(TESTS)) in SLOW]
        assert slow and folders[: len(slow)] == slow
        found += dict.fromkeys(slow)
    assert sorted(found) == sorted(TESTS / folder / "test_it.py" for folder in SLOW)
    assert order[0].path.parent == TESTS / max(SLOW, key=lambda each: SLOW[each])


def test_the_tests_of_a_file_stay_in_their_order():
    for path in {each.path for each in ALL}:
        assert [each.number for each in slow_first(ALL, 3) if each.path == path] == sorted(
            each.number for each in ALL if each.path == path
        )


def test_what_is_called_slow_is_there():
    assert [folder for folder in SLOW if not (TESTS / folder).is_dir()] == []


def test_a_number_gives_one_order_and_another_another():
    first = list(shuffled(ALL, 7))
    assert first == list(shuffled(ALL, 7)) != list(shuffled(ALL, 8))
    assert Counter(first) == Counter(ALL)
    paths = [each.path for each in first]
    assert all(
        paths.index(path) + paths.count(path) - 1 == len(paths) - 1 - paths[::-1].index(path)
        for path in paths
    )
