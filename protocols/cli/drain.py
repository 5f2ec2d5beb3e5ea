"""`parlour drain`: let a daemon end once nobody plays there who could not come back."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from functools import partial

from protocols.cli.finished import Unavailable, add_journal, open_finished
from protocols.cli.output import complain, print_line
from protocols.journal.archive import Archive
from protocols.journal.health import RunHealth
from protocols.journal.location import shown
from protocols.journal.paths import default_journal

_MINUTES = 15.0
_MOST_MINUTES = 24 * 60.0


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``drain`` to the commands of ``parlour``."""
    parser = commands.add_parser(
        "drain",
        help="let a daemon end once nobody plays there who could not come back",
        description="Ask a daemon to end, as by SIGTERM, once nobody plays there without a token, and within some"
        " minutes in any case. Until then games go on, and none begins. It hears of it within a second or two."
        " Asked again with other minutes, it waits for so many from then on. The exit status is 2 if nobody could"
        " be asked.",
    )
    parser.add_argument(
        "runs",
        metavar="RUN",
        nargs="*",
        type=_number,
        help="its number, as parlour doctor tells it; needed where there are several",
    )
    parser.add_argument("--all", action="store_true", help="all daemons of the house")
    parser.add_argument(
        "--minutes",
        metavar="MINUTES",
        type=_minutes,
        default=_MINUTES,
        help=f"for how long to wait for players without a token ({_MINUTES:g})",
    )
    add_journal(parser)
    parser.set_defaults(run=run)


def _number(text: str) -> int:
    """Read which run is meant."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a run")
    return int(text)


def _minutes(text: str) -> float:
    """Read for how long to wait."""
    try:
        minutes = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of minutes") from None
    if not 0 <= minutes <= _MOST_MINUTES:
        raise argparse.ArgumentTypeError(f"between 0 and {_MOST_MINUTES:g} minutes")
    return minutes


def run(args: argparse.Namespace) -> int:
    """Ask, and say what was asked; 2 if nobody could be asked."""
    try:
        with closing(open_finished(args.journal)) as finished:
            runs = [each for each in finished.look(_at_the_journal) if each.connected]
            chosen = _choose(runs, args.runs, args.all, shown(args.journal or default_journal()))
            for each in chosen:
                if not finished.look(partial(_drain, each.run, args.minutes)):
                    raise Unavailable(f"run {each.run} has ended meanwhile")
                print_line(_said(each, args.minutes))
            left = [each for each in finished.look(_at_the_journal) if each.connected]
    except Unavailable as problem:
        return complain("drain", problem)
    if all(each.draining is not None for each in left):
        print_line("nobody else lets people in: once it has ended, nobody can play here")
    return 0


def _drain(run: int, minutes: float, archive: Archive) -> bool:
    return archive.drain(run, 60 * minutes)


def _at_the_journal(archive: Archive) -> Sequence[RunHealth]:
    return archive.examine().runs


def _choose(
    runs: Sequence[RunHealth], named: Sequence[int], everyone: bool, where: str
) -> Sequence[RunHealth]:
    """Choose whom to ask; raises Unavailable where that is not clear."""
    if everyone and named:
        raise Unavailable("say which daemons, or --all, and not both")
    if not runs:
        raise Unavailable(f"no daemon is at the journal {where}")
    unknown = sorted(set(named) - {each.run for each in runs})
    if unknown:
        raise Unavailable(f"no daemon is run {unknown[0]}; there {_listed(runs)}")
    if everyone or len(runs) == 1:
        return runs
    if not named:
        raise Unavailable(f"say which daemon, or --all: there {_listed(runs)}")
    return [each for each in runs if each.run in named]


def _listed(runs: Sequence[RunHealth]) -> str:
    verb = "is" if len(runs) == 1 else "are"
    return f"{verb} {', '.join(f'{each.run} ({each.name})' for each in runs)}"


def _said(run: RunHealth, minutes: float) -> str:
    again = "" if run.draining is None else "; it was asked before"
    return (
        f"run {run.run}, {run.name}, is asked to end: it begins no game any more, and waits for"
        f" players without a token for {minutes:g} minutes at most{again}"
    )
