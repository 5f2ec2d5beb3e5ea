"""A house of bots is killed again and again: as many results are kept as games had ended, each rated once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from random import Random

import pytest

from gamecore.contest.rating import Formula
from gamecore.record_file import read_game
from gamecore.rules import Registry, installed_rules
from protocols.journal.compaction import compact_game, expand_game
from protocols.journal.ladder import fold_all
from protocols.journal.offline import held
from tests.processes import start

KILLS = 6
HOUSE = "tests.protocols.host.house_of_bots"
REGISTRY = Registry(installed_rules())


def live_for(where, games):
    """Let a house play so many games, and more, and kill it with its writer."""
    with start([sys.executable, "-m", HOUSE, where], stdout=subprocess.PIPE) as child:
        heard = [child.stdout.readline() for _ in range(games)]
        os.killpg(child.pid, signal.SIGKILL)
    return heard.count(b"over\n") == games


def ended_games(store):
    """Count by the records alone the games that have ended."""
    files = [expand_game(store.read_finished(row.table), REGISTRY) for row in store.finished()]
    after = ""
    while rows := store.index(after):
        files += [
            expand_game(compact_game(store.read(row.table), REGISTRY), REGISTRY) for row in rows
        ]
        after = rows[-1].table
    events = [event["is"] for file in files for each in read_game(file).events for event in each]
    return events.count("GameOver")


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_no_game_that_ended_is_lost_or_counted_twice(engine, request, tmp_path):
    where = str(tmp_path / "games.db")
    if engine == "postgres":
        where = request.getfixturevalue("database")
    chance = Random(engine)
    heard = 0
    for _ in range(KILLS):
        games = chance.randint(1, 25)
        assert live_for(where, games)
        heard += games
    with held(where) as store:
        store.settle()
        results = store.results.due(0, 100_000)
        assert len(results) == ended_games(store) >= heard
        while store.fold(Formula()):
            pass
        upto, _ = store.results.watermark()
        assert upto == results[-1].id
        assert fold_all(store.results, upto) == (
            dict(store.results.all_ratings()),
            store.results.all_met(),
        )
