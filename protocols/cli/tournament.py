"""``parlour tournament``: programs and house bots play one another, and a report says who is the strongest."""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, cast

from twisted.internet.base import ReactorBase
from twisted.python.failure import Failure

from gamecore.contest import Standing
from gamecore.replay import write_game
from gamecore.rules import Registry, installed_rules
from protocols.cli.output import complain, print_line
from protocols.journal.errors import JournalFailed, JournalLost, JournalRefused
from protocols.journal.location import shown
from protocols.journal.offline import held
from protocols.tournament.games import Result
from protocols.tournament.games_file import DamagedFile, find_game, journal_lines
from protocols.tournament.plan import Plan
from protocols.tournament.plan_file import WrongPlan, read_plan
from protocols.tournament.report import write_reports
from protocols.tournament.results import add_results
from protocols.tournament.run import GAMES, Finished, Progress, Run, RunFailed, read_times
from protocols.tournament.schedule import OtherTournament
from protocols.tournament.sprt import Sprt

SUSPENDED = 3
INTERRUPTED = 130
_ABOUT = "tournament.json"


class _Unusable(Exception):
    """What was asked for cannot be done; the text says why."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``tournament`` to the commands of ``parlour``."""
    parser = commands.add_parser(
        "tournament",
        help="let programs and bots play one another",
        description="Let programs in any language, original clients of Expanding Nim and bots play one another.",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    run = actions.add_parser(
        "run",
        help="play the tournament that a file describes, or go on with it",
        description="Play the tournament that a file describes, or go on where it was interrupted; a report is"
        " written in the end.",
        epilog="Exit status: 0 played, 3 somebody was suspended, 2 it cannot be played,"
        " 130 interrupted: the same command goes on.",
    )
    run.add_argument("file", type=Path, help="what is played, by whom; etc/tournaments has samples")
    run.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", help="where all is kept (FILE.run)"
    )
    run.add_argument(
        "--results",
        metavar="JOURNAL",
        help="add the results, in the end, to a journal that no daemon holds: a file, or the URL of a database",
    )
    run.add_argument(
        "--sprt",
        nargs=4,
        metavar=("A", "B", "ELO0", "ELO1"),
        help="only A and B play, until it is clear whether A is ELO1 stronger or only ELO0",
    )
    run.set_defaults(run=_run)
    game = actions.add_parser(
        "game",
        help="give the record of one game, for replay and verify",
        description="Give the record file of one game of a tournament, for parlour replay and parlour verify.",
    )
    game.add_argument("folder", type=Path, help="the folder of a run")
    game.add_argument("id", help="which game, as 1.2.3")
    game.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a file, not standard output"
    )
    game.set_defaults(run=_give_game)


# -- run ------------------------------------------------------------------------------


def _run(args: argparse.Namespace) -> int:
    registry = Registry(installed_rules())
    folder = args.output or args.file.with_suffix(".run")
    try:
        plan = read_plan(args.file, registry)
        sprt = None if args.sprt is None else _sprt(*args.sprt)
        if sprt is not None:
            plan = plan.only([sprt.one, sprt.other])
        _claim(folder, plan)
        if args.results is not None:
            with held(args.results):  # to hear now, and not after hours, that this cannot be done
                pass
        with _progress() as progress:
            ended = _play(lambda reactor: Run(plan, folder, registry, reactor, progress, sprt))
    except KeyError as problem:
        return complain("tournament", f"{args.file}: no [bot {problem.args[0]}]")
    except BlockingIOError:
        return complain("tournament", f"{folder}: another run is under way there")
    except (JournalFailed, JournalRefused) as problem:
        return complain("tournament", problem)
    except (WrongPlan, _Unusable, DamagedFile, OtherTournament, RunFailed) as problem:
        return complain("tournament", f"{args.file}: {problem}")
    if ended is None:
        print("interrupted; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    write_reports(folder, plan, ended, read_times(folder))
    _tell(plan, ended, folder)
    if args.results is not None:
        try:
            _keep_results(plan, folder, args.results)
        except (JournalFailed, JournalLost, JournalRefused, DamagedFile) as problem:
            return complain("tournament", f"{problem}; the same command adds the results")
    return SUSPENDED if ended.suspended else 0


def _keep_results(plan: Plan, folder: Path, where: str) -> None:
    with held(where) as store:
        games, new = add_results(plan, folder / GAMES, store, time.time())
    print_line(f"results: {new} of {games} games added to {shown(where)}, the others were there")


def _sprt(one: str, other: str, low: str, high: str) -> Sprt:
    try:
        test = Sprt(one, other, float(low), float(high))
    except ValueError as problem:
        raise _Unusable(str(problem)) from problem
    if one == other or test.elo0 >= test.elo1:
        raise _Unusable("--sprt takes two names, and a lower and a higher difference in Elo")
    return test


def _claim(folder: Path, plan: Plan) -> None:
    """Make the folder of a run, or see that it is of the same tournament."""
    folder.mkdir(parents=True, exist_ok=True)
    about = folder / _ABOUT
    digest = plan.digest
    if about.exists() and (folder / GAMES).exists():
        if json.loads(about.read_text(encoding="utf-8")).get("digest") != digest:
            raise _Unusable(
                f"{folder} has the games of another tournament; name a new folder with -o"
            )
    else:
        about.write_text(json.dumps({"digest": digest}), encoding="utf-8")


def _play(make: Callable[[Any], Run]) -> Finished | None:
    """Run the reactor until the tournament is over; None if it was interrupted."""
    from twisted.internet import reactor as installed

    reactor = cast(ReactorBase, installed)
    run = make(reactor)
    gc.freeze()  # or a full collection looks at all that was loaded, for as long as a dozen moves take
    ended: list[Finished | Failure] = []

    def end(result: Finished | Failure) -> None:
        ended.append(result)
        reactor.stop()

    reactor.callWhenRunning(lambda: run.begin().addBoth(end))
    reactor.addSystemEventTrigger("before", "shutdown", lambda: None if ended else run.stop())
    reactor.run()
    if ended and isinstance(ended[0], Failure):
        ended[0].raiseException()
    return cast(Finished, ended[0]) if ended else None


def _tell(plan: Plan, ended: Finished, folder: Path) -> None:
    rows: list[Standing] = ended.schedule.table()
    for row in rows:
        print_line(f"{row.place:3} {row.entrant:24} {float(row.points):7.2f}")
    if ended.sprt is not None:
        print_line(
            f"log likelihood ratio {ended.sprt.ratio:.2f}: {ended.sprt.decision or 'undecided'}"
        )
    late = sum(each.reason == "move" for each in ended.results)
    if late * 100 > len(ended.results):
        print_line(
            f"warning: {late} of {len(ended.results)} games were lost by time: too many at once?"
        )
    for name in ended.suspended:
        print_line(f"suspended: {name}")
    print_line(f"report: {folder / 'report.html'}")


class _Quiet:
    """Where there is no terminal, nobody watches a bar."""

    def went_on(self, done: int, total: int, last: Result | None) -> None:
        """Say nothing."""


def _progress() -> AbstractContextManager[Progress]:
    if not sys.stderr.isatty():
        return nullcontext(_Quiet())
    try:
        from protocols.cli.progress_bar import progress_bar
    except ImportError:  # rich is an extra
        return nullcontext(_Quiet())
    return progress_bar()


# -- game -----------------------------------------------------------------------------


def _give_game(args: argparse.Namespace) -> int:
    try:
        found = find_game(args.folder / GAMES, args.id)
        if found is None or found.record == b"[]":
            raise _Unusable(f"there is no record of a game {args.id}")
        registry = Registry(installed_rules())
        kind = json.loads(found.record)[0]["kind"]
        lines = journal_lines(found, registry.latest(kind))
        data = write_game(lines, registry)
    except (DamagedFile, _Unusable) as problem:
        return complain("tournament", f"{args.folder}: {problem}")
    if args.output is None:
        sys.stdout.buffer.write(data)
    else:
        args.output.write_bytes(data)
    return 0
