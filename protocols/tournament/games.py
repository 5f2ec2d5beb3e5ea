"""One game of a tournament: who sits where, what its deal follows from, and how it ended.

The seed of the i-th game of a pairing is HMAC-SHA-256, with the tournament's ``seed`` as key, over the canonical
JSON of the pairing's entrants, sorted, its id, and i divided by the number of seats: in one turn of the seats all
have the same deal.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from attrs import frozen

from gamecore import commands
from gamecore.contest.rounds import Places
from gamecore.fairness import DEAL_VERSION, canonical
from gamecore.hall import CODE_LENGTH, CODE_LETTERS
from gamecore.settings import choose_settings, plain_settings
from gamecore.table import TABLE_VERSION
from gamecore.table_options import TableOptions
from protocols.tournament.plan import Plan

PLAYED = "played"
FAULTS = {
    "start": "was not there in time",
    "crash": "ended before the game did",
    "move": "took too long for a move",
    "game": "was to move when the time of the game was up",
    "junk": "said too much that made no sense or was not allowed",
    "left": "left the game",
    "suspended": "plays no more after too many crashes",
}
VOID = "void"
_HOUSE = plain_settings(
    choose_settings(
        TableOptions, {"private": True, "absent": "forfeit", "idle": 0, "expiry": 604_800.0}
    )
)
REASONS = (PLAYED, *FAULTS, VOID)


@frozen
class Game:
    """What is to be played; ``id`` is that of the pairing, a full stop and the game's number from 1."""

    id: str
    pairing: str
    group: int  # the turn of the seats it belongs to
    entrants: tuple[str, ...]  # by seat
    code: str
    seed: str


@frozen
class Result:
    """How a game ended.

    ``reason`` is one of ``REASONS`` and ``culprit`` who is to blame, if anybody; ``outcome`` is what the rules say
    of the end.  ``record`` is a JSON array of all commands as a record has them, ``at`` the table time of each in
    seconds; without it time stood still.
    """

    id: str
    pairing: str
    group: int
    entrants: tuple[str, ...]
    places: Places
    reason: str
    culprit: str | None = None
    outcome: str = ""
    moves: int = 0
    at: tuple[float, ...] = ()
    record: bytes = b"[]"


def games_of(plan: Plan, pairing: str, entrants: Sequence[str]) -> list[Game]:
    """List the games of a pairing: the entrants move on by one seat each time."""
    seats = len(entrants)
    games = []
    for number in range(plan.settings.games):
        turn, group = number % seats, number // seats
        seated = tuple(entrants[(seat + turn) % seats] for seat in range(seats))
        draw = _draw(plan, [sorted(entrants), pairing, group])
        id = f"{pairing}.{number + 1}"
        games.append(Game(id, pairing, group, seated, _code(_draw(plan, id)), draw.hex()))
    return games


def _draw(plan: Plan, about: object) -> bytes:
    return hmac.digest(str(plan.settings.seed).encode(), canonical(about), sha256)


def _code(draw: bytes) -> str:
    return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in draw[:CODE_LENGTH])


def opening(plan: Plan, game: Game) -> commands.Open:
    """Make the command that opens the table of a game."""
    return commands.Open(
        code=game.code,
        kind=plan.rules.kind,
        rules=plan.rules.version,
        table=TABLE_VERSION,
        deal=DEAL_VERSION,
        name=game.id,
        seed=game.seed,
        options=plan.options,
        house=_HOUSE,
    )


def blame(game: Game, reason: str, culprit: str, **facts: Any) -> Result:
    """Make the result of a game that somebody has spoiled: last, all others level."""
    last = len(game.entrants)
    places = tuple(last if each == culprit else 1 for each in game.entrants)
    return result_of(game, places, reason, culprit=culprit, **facts)


def void(game: Game, **facts: Any) -> Result:
    """Make the result of a game that went wrong by nobody's fault: all level."""
    return result_of(game, (1,) * len(game.entrants), VOID, **facts)


def result_of(game: Game, places: Places, reason: str = PLAYED, **facts: Any) -> Result:
    """Make the result of a game; ``facts`` are whatever else is known of it."""
    return Result(game.id, game.pairing, game.group, game.entrants, ranked(places), reason, **facts)


def ranked(places: Places) -> Places:
    """Bring places to what a tournament counts by: 1 the best, the same for those who are level."""
    return tuple(1 + sum(other < own for other in places) for own in places)
