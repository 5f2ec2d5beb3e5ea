"""
Kill the daemon again and again while people play, and check that nothing they were told is lost.

    python -m tests.crash [--kills 1000] [--seed S] [--tables 12] [--games nim,gops] [--flood] [--postgres]

Every fourth trial is of Expanding Nim on its own wire, all others are of every game, or of those named by
``--games``, at the door of JSON lines.  Meanwhile the daemon's clock on the wall leaps by hours, both ways, and
by a hundred days before some of its starts: no table may be charged or forgotten for it.  With ``--flood`` all
trials are at the door of JSON lines, and a crowd floods it all the while.  Each trial of up to
25 kills has a journal and a seed of its own: S, S + 1 and so on; with ``--postgres`` the journals are in a
PostgreSQL of the tests.  A seed draws the same people and the same numbers again, not the same instants: those
are for the machine to say.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from gamecore.rules import installed_rules
from tests import postgres
from tests.crash.hall.trial import hall_scene
from tests.crash.nim.trial import NIM_WIRE
from tests.crash.trial import TABLES, Figures, Scene, run_trial

KILLS_A_TRIAL = 25
FLOOD = "programs"
_OWN_WIRE_EACH = 4  # trials


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    kinds = sorted({each.kind for each in installed_rules()})
    parser = argparse.ArgumentParser(
        prog="python -m tests.crash", description="Kill the daemon while people play."
    )
    parser.add_argument("--kills", type=int, default=1000, help="how often [%(default)s]")
    parser.add_argument("--seed", type=int, help="of the first trial [drawn]")
    parser.add_argument("--tables", type=int, default=TABLES, help="at once [%(default)s]")
    parser.add_argument("--minutes", type=float, help="begin no trial after so many [no limit]")
    parser.add_argument(
        "--games",
        type=lambda text: text.split(","),
        help=f"some of {','.join(kinds)}, and no wire of a game's own [all, and that of nim]",
    )
    parser.add_argument("--flood", action="store_true", help="flood the door of JSON lines")
    parser.add_argument("--postgres", action="store_true", help="keep the journals in PostgreSQL")
    options = parser.parse_args()
    unknown = set(options.games or ()) - set(kinds)
    if unknown:
        parser.error(f"there is no game {', '.join(unknown)}; there are: {', '.join(kinds)}")
    return options


def choose_scene(seed: int, games: list[str] | None, flood: str | None) -> Scene:
    """Choose what is played in the trial of a seed."""
    own = games is None and flood is None and seed % _OWN_WIRE_EACH == 0
    return NIM_WIRE if own else hall_scene(games)


def main() -> int:
    """Run trial after trial until there were enough kills, and print what was counted."""
    options = parse_options()
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    totals: dict[str, Figures] = {}
    server = postgres.Server() if options.postgres else None
    flood = FLOOD if options.flood else None
    began, kills, seconds = time.monotonic(), 0, 0.0
    while kills < options.kills and not (options.minutes and seconds > 60 * options.minutes):
        scene = choose_scene(seed, options.games, flood)
        wanted = min(KILLS_A_TRIAL, options.kills - kills)
        journal = postgres.new_journal(server.url) if server else None
        figures = run_trial(scene, seed, wanted, options.tables, journal=journal, flood=flood)
        totals.setdefault(scene.door, Figures()).add(figures)
        kills += figures.kills
        seconds = time.monotonic() - began
        print(
            f"{kills}/{options.kills} kills, {seconds:.0f} s, {scene.door}: seed {seed} holds",
            flush=True,
        )
        seed += 1
    if server:
        server.remove()
    for door, total in totals.items():
        print(f"{door}: {total}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
