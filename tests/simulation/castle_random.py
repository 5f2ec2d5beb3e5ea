"""
Play random whole games of Castle Wars in process, and check after every command what must always be true.

    python -m tests.simulation.castle_random [--games 1000] [--seed 1] [--minutes 3] [--quick]

Each game follows from one integer, which is told with whatever goes wrong.  Decks are random ones and the samples.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from gamecore.events import Event
from gamecore.fairness import Deal
from gamecore.games.castle import RULES, SAMPLE_DECKS, CastleOptions, CastlePosition, Deck
from gamecore.games.castle.decks import CASTLES, DECK_RULES, DECKABLE
from gamecore.rules import Seat
from tests.simulation.castle_checks import check, check_guess

MOST_MOVES = 20_000


class Stuck(Exception):
    """A game that does not end, or in which nobody can do anything."""


def some_deck(chance: Random) -> Deck:
    """Take a sample deck, or build one at random."""
    if chance.random() < 0.2:
        return chance.choice([*SAMPLE_DECKS.values()])
    pool = [face.id for face in DECKABLE for _ in range(face.limit)]
    castle = chance.choice(CASTLES).id
    return Deck(tuple(chance.sample(pool, DECK_RULES.cards)), castle)


def begin(seed: int, events: list[Event]) -> tuple[CastlePosition, tuple[Deck, Deck], Random]:
    """Begin the game that follows from one integer."""
    chance = Random(seed)
    decks = some_deck(chance), some_deck(chance)
    seats = [Seat(f"seat {at}", deck) for at, deck in enumerate(decks)]
    deal = Deal(chance.randbytes(32).hex())
    return RULES.begin(seats, CastleOptions(), deal, events.append, 0.0), decks, chance


def command(position: CastlePosition, chance: Random, now: float) -> None:
    """Let one of those who are awaited do anything; now and then a clock runs out, or somebody leaves."""
    seat = chance.choice(sorted(position.to_move()))
    fate = chance.random()
    if fate < 0.0002:
        position.leave(seat, "left", now)
    elif fate < 0.01:
        position.time_up(seat, now)
    else:
        position.play(seat, chance.choice(position.legal_moves(seat)), now)


def play(seed: int, quick: bool, tally: Counter[str]) -> None:
    """Play one game to its end."""
    events: list[Event] = []
    position, decks, chance = begin(seed, events)
    for number in range(MOST_MOVES):
        if position.outcome is not None:
            break
        if not position.to_move():
            raise Stuck("nobody is to move")
        command(position, chance, float(number))
        tally["commands"] += 1
        if not quick:
            check(position, decks)
            tally["guesses"] += _look_at_guess(position, chance)
    else:
        raise Stuck(f"{MOST_MOVES} commands")
    tally["games"] += 1
    tally["events"] += len(events)
    tally[f"ended by {position.outcome.reason}"] += 1


def _look_at_guess(position: CastlePosition, chance: Random) -> int:
    """Now and then check a guess, and rarely play it to its end."""
    if chance.random() >= 0.05:
        return 0
    twin = check_guess(position, chance.choice((0, 1, None)), chance)
    if chance.random() < 0.05:
        for number in range(MOST_MOVES):
            if twin.outcome is not None:
                break
            command(twin, chance, 1e6 + number)
    return 1


def main() -> int:
    """Play, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.castle_random")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so long")
    parser.add_argument("--quick", action="store_true", help="check only that games end")
    asked = parser.parse_args()
    tally: Counter[str] = Counter()
    began = time.perf_counter()
    for seed in range(asked.seed, asked.seed + asked.games):
        try:
            play(seed, asked.quick, tally)
        except BaseException:
            print(f"seed {seed} went wrong", file=sys.stderr)
            raise
        if time.perf_counter() - began > asked.minutes * 60:
            break
    spent = time.perf_counter() - began
    for name, count in sorted(tally.items()):
        print(f"{name:24} {count}")
    print(f"{'commands/s':24} {tally['commands'] / spent:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
