"""`parlour export`: write the record file of a table that has ended, for anyone to replay and verify."""

from __future__ import annotations

import argparse
import sys

from protocols.cli.finished import Unavailable, add_journal, load_table
from protocols.cli.output import complain


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``export`` to the commands of ``parlour``."""
    parser = commands.add_parser(
        "export",
        help="write the record file of a finished game",
        description="Write the record file of a finished game, for anyone to replay and verify.",
    )
    parser.add_argument("table", metavar="TABLE", help="the code of a table that has ended")
    add_journal(parser)
    parser.add_argument("-o", dest="output", metavar="FILE", help="default: standard output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file; 2 if there is no such game, or no place for it."""
    try:
        data = load_table(args.table, args.journal)
    except Unavailable as problem:
        return complain("export", problem)
    if args.output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    try:
        with open(args.output, "wb") as file:
            file.write(data)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        return complain("export", f"{args.output}: {reason}")
    return 0
