"""
Measure Parlour beside a bare spike and a bare line echo, in one run.

    python -m tests.bench [--games 1,25,100] [--seconds 4] [--rounds 1]
                          [--only spike,spike_sqlite,parlour,lobby,json,echo,inprocess,games,idle]
                          [--journal memory,sqlite,postgres] [--moves 20000] [--visitors 5000]

A move lasts from its sending to the opponent's reading of the line that tells it (in the hall: that it is
the opponent's turn); an echoed line counts as a move.  `parlour` is Nim's own wire, `lobby` and `json` are the
same game in the hall.  Only figures of one run compare: machines have busy hours.  Where `load cpu` nears 100%,
the load was the limit and not the server.  `--journal sqlite,postgres` compares the engines, each on the disk where
temporary files are (TMPDIR): a server is started for it.

Beside these, one can ask for what a move costs `inprocess` over each door, for whole `games` of chance moves
of every game there is, and for the memory of `idle` visitors at each door.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys

from . import idle, whole_games, wires
from .contenders import ROOT, Contender, NoStart, Server, choose, running
from .inprocess import microseconds_a_move
from .load import WARM_UP
from .report import HEAD, Figures, compare, medians, rows, table
from .seating import TO_START

CONTENDERS = ["spike", "spike_sqlite", "parlour", "lobby", "json", "echo"]
MORE = ["inprocess", "games", "idle"]
MOST_SECONDS = 30.0  # the stones of a single game last longer than this


class NoFigures(Exception):
    """A server started but could not be measured."""


def names(text: str) -> list[str]:
    """Read a list of contenders, and of what else is to be measured."""
    chosen = text.split(",")
    known = CONTENDERS + MORE
    for name in chosen:
        if name not in known:
            raise argparse.ArgumentTypeError(f"nothing is called {name!r}: {', '.join(known)}")
    return chosen


def counts(text: str) -> list[int]:
    """Read a list of how many games to play at once."""
    chosen = [int(word) for word in text.split(",")]
    if not all(1 <= count <= 1000 for count in chosen):
        raise argparse.ArgumentTypeError("between 1 and 1000 games at once")
    return chosen


def duration(text: str) -> float:
    """Read how long to measure."""
    seconds = float(text)
    if not 1 <= seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"between 1 and {MOST_SECONDS:g} seconds")
    return seconds


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Measure Parlour beside a spike and an echo."
    )
    parser.add_argument("--games", type=counts, default="1,25,100")
    parser.add_argument("--seconds", type=duration, default="4")
    parser.add_argument("--only", type=names, default=",".join(CONTENDERS + MORE))
    parser.add_argument("--rounds", type=int, default=1, help="measure so often, show medians")
    parser.add_argument("--journal", type=lambda text: text.split(","), default="memory,sqlite")
    parser.add_argument("--moves", type=int, default=20_000, help="in process, of each game")
    parser.add_argument("--visitors", type=int, default=5000, help="idle ones, at each door")
    return parser.parse_args()


def cores() -> tuple[int | None, int | None]:
    """Choose a core for the server and one for the load, if there are two."""
    allowed = sorted(os.sched_getaffinity(0))
    return (allowed[0], allowed[1]) if len(allowed) > 1 else (None, None)


def load(
    contender: Contender, server: Server, games: int, seconds: float, core: int | None
) -> Figures:
    """Run the load against one server."""
    command = [sys.executable, "-m", f"{__package__}.load", str(server.port)]
    command += ["--wire", contender.wire, "--games", str(games), "--seconds", str(seconds)]
    command += ["--server", str(server.process.pid)]
    command += ["--core", str(core)] if core is not None else []
    limit = seconds + WARM_UP + 2 * TO_START
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise NoFigures(f"not done after {limit:g} s") from None
    if done.returncode:
        raise NoFigures(done.stderr.strip())
    return Figures(contender.name, games, **json.loads(done.stdout))


def measure(contender: Contender, games: int, seconds: float) -> Figures:
    """Start a server, load it and stop it."""
    server_core, load_core = cores()
    with running(contender, server_core) as server:
        try:
            return load(contender, server, games, seconds, load_core)
        except NoFigures as problem:
            if server.process.poll() is not None:
                said = f"{problem}; the server died:\n{server.last_words(20)}"
                raise NoFigures(said) from problem
            raise


def run(contenders: list[Contender], games: list[int], seconds: float) -> tuple[list[Figures], int]:
    """Measure everyone with so many games, then with more; say who could not be measured."""
    figures = []
    failed: list[Contender] = []
    for count in games:
        for contender in contenders:
            if contender in failed:
                continue
            print(f"{contender.name}, {count} games at once ...", file=sys.stderr)
            try:
                figures.append(measure(contender, count, seconds))
            except NoStart as problem:
                print(f"{contender.name} did not start: {problem}", file=sys.stderr)
                failed.append(contender)
            except NoFigures as problem:
                print(f"{contender.name}, {count} games: {problem}", file=sys.stderr)
                failed.append(contender)
    return figures, len(failed)


def contest(options: argparse.Namespace) -> int:
    """Measure the contenders asked for; say how many of them are missing from the table."""
    asked = [name for name in options.only if name in CONTENDERS]
    figures: list[Figures] = []
    failed = 0
    for _ in range(options.rounds if asked else 0):
        more, failures = run(choose(asked, options.journal), options.games, options.seconds)
        figures += more
        failed += failures
    if asked:
        print(table(HEAD, rows(medians(figures))))
        print(*compare(medians(figures), "postgres", "sqlite"), sep="\n", end="")
    return failed


def measure_in_process(moves: int) -> None:
    """Print what a move of Nim costs with no socket near."""
    print(f"\nin process, with rendering: {microseconds_a_move(2 * moves):.1f} us a move")
    print(wires.show(wires.microseconds(moves)))


def measure_idle(visitors: int) -> int:
    """Print the memory of idle visitors; say how many doors are missing from it."""
    crowds, problems = idle.measure_all(idle.doors(), max(visitors, idle.FIRST + 1))
    print(f"\n{idle.show(crowds)}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return len(problems)


def main() -> int:
    """Measure and print; fail if anyone asked for is missing from a table."""
    # So that the servers end with us whichever way we are stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = parse_options()
    failed = contest(options)
    if "inprocess" in options.only:
        measure_in_process(options.moves)
    if "games" in options.only:
        print(f"\n{whole_games.show(options.moves)}")
    if "idle" in options.only:
        failed += measure_idle(options.visitors)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
