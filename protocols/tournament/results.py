"""The results of a run as a house keeps them: each of its games, rated by the same rules.

A game of a run is named by the tournament, its own id and its moves, so that the same run adds nothing twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from gamecore.contest.rating import Formula, can_rate
from gamecore.contest.result import GameResult, seat_results
from gamecore.fairness import canonical
from gamecore.lineup import Seated
from gamecore.rated import is_usual, why_unrated
from protocols.journal.interface import Store
from protocols.journal.results import written
from protocols.tournament.games import VOID, Result
from protocols.tournament.games_file import DamagedFile, read_line
from protocols.tournament.plan import Plan

_AT_ONCE = 1000  # results in one transaction


def add_results(plan: Plan, path: Path, store: Store, wall: float) -> tuple[int, int]:
    """Add the results in a file of games to a journal and rate them; gives how many there are, and were new.

    Raises DamagedFile, OSError, and what the engine of the journal raises.
    """
    results = [written(each, wall) for each in game_results(plan, path)]
    new = 0
    for start in range(0, len(results), _AT_ONCE):
        new += store.add_results(results[start : start + _AT_ONCE])
    formula = Formula()
    while can_rate() and store.fold(formula):
        pass
    return len(results), new


def game_results(plan: Plan, path: Path) -> Iterator[GameResult]:
    """Read the results of a run; raises DamagedFile, OSError."""
    digest = plan.digest
    with open(path, "rb") as file:
        for line in file:
            yield game_result(plan, digest, read_line(line))


def game_result(plan: Plan, digest: str, result: Result) -> GameResult:
    """Make the result of one game; ``digest`` is the plan's.  Raises DamagedFile."""
    try:
        commands = json.loads(result.record)
        moved = {each["seat"] for each in commands if each["is"] == "Play"}
        code = str(commands[0]["code"]) if commands else ""
    except (ValueError, LookupError, TypeError) as problem:
        raise DamagedFile(f"games.jsonl: {problem}") from problem
    lineup = tuple(
        Seated(name, plan.entrant(name).level, seat in moved, name == result.culprit)
        for seat, name in enumerate(result.entrants)
    )
    void = result.reason == VOID
    moves = sha256(result.record).hexdigest()
    return GameResult(
        game=sha256(canonical([digest, result.id, moves])).hexdigest(),
        code=code,
        number=1,
        kind=plan.rules.kind,
        seats=seat_results(lineup, None if void else result.places),
        why=why_unrated(lineup, is_usual(plan.rules, plan.options), void=void),
        pool=plan.rules.kind,
    )
