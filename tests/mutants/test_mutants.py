"""The bugs can still be planted, and finding one is really found by what runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.__main__ import ROOT, plant, run_tests, write
from tests.mutants.planted import PLANTED, Mutant


@pytest.mark.parametrize("mutant", PLANTED, ids=lambda each: each.name)
def test_each_bug_has_its_place_and_tests_to_find_it(mutant: Mutant) -> None:
    assert (ROOT / mutant.path).read_text().count(mutant.before) == 1
    assert mutant.before != mutant.after
    assert mutant.tests
    assert all((ROOT / each).exists() for each in mutant.tests)


def test_a_planted_bug_is_found(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text("TWO = 1 + 1\n")
    (tmp_path / "test_sums.py").write_text(
        "import sums\n\ndef test_two():\n    assert sums.TWO == 2\n"
    )
    assert run_tests(["test_sums.py"], tmp_path) == 0
    bug = Mutant("sums", "sums.py", "1 + 1", "1 + 2", ("test_sums.py",))
    before = plant(bug, tmp_path)
    assert run_tests(bug.tests, tmp_path) == 1
    write(tmp_path / "sums.py", before)
    assert run_tests(bug.tests, tmp_path) == 0


def test_a_place_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text("TWO = 1 + 1\n")
    with pytest.raises(ValueError, match=r"old place: 0 such places in sums\.py"):
        plant(Mutant("old place", "sums.py", "2 + 2", "5", ()), tmp_path)
