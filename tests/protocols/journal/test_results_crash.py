"""A crash at any moment leaves as many results as games that ended, and ratings that count each of them once."""

from __future__ import annotations

import shutil
from random import Random

from gamecore.contest.rating import Formula
from protocols.journal.ladder import fold_all
from protocols.journal.offline import held
from tests.protocols.journal.media import only_sqlite
from tests.protocols.journal.test_results import ended, night

GAMES = 24
AT_ONCE = 4


@only_sqlite
def test_a_crash_between_any_two_statements_counts_every_game_once(rig, chain, tmp_path):
    journal = rig.open()
    results = night(GAMES, Random(8))
    rated = sum(len(each.seats) for each in results if each.why is None)
    copies = []

    def copy(statement):
        path = tmp_path / f"copy{len(copies)}.db"
        for end in ("", "-wal"):
            shutil.copyfile(f"{rig.path}{end}", f"{path}{end}")
        copies.append(path)

    rig.disk.watch = copy
    for start in range(0, GAMES, AT_ONCE):
        rig.keep(journal, *ended(chain, *results[start : start + AT_ONCE]))
        rig.wait(journal.ratings("bot:easy"))  # which rates some
    rig.disk.watch = None
    rig.close(journal)

    before_and_after = set()
    for path in copies[::2]:
        with held(str(path)) as store:
            store.settle()
            there = [each for each in results if len(store.read(each.code)) == 2]
            listed = store.results.due(0, 1000)
            assert [each.id for each in listed] == list(range(1, len(there) + 1))
            before_and_after.add(len(listed) - store.results.watermark()[0])
            while store.fold(Formula()):
                pass
            upto, _ = store.results.watermark()
            assert upto == len(there)
            ratings = dict(store.results.all_ratings())
            assert fold_all(store.results, upto) == (ratings, store.results.all_met())
    assert before_and_after == {0, AT_ONCE}  # some were killed between the record and the fold
    assert sum(games for _, _, games, _ in ratings.values()) == rated
