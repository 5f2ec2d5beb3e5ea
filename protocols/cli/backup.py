"""`parlour backup`: a copy of the journal in one file, also while the daemon writes it.

It is put back by a plain copy, while no daemon runs and with nothing of the old journal beside it.
"""

from __future__ import annotations

import argparse
from contextlib import closing

from protocols.cli.finished import Unavailable, add_journal, open_finished
from protocols.cli.output import complain


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``backup`` to the commands of ``parlour``."""
    parser = commands.add_parser(
        "backup",
        help="copy the journal into one file, also while the daemon runs",
        description="Copy the journal, as it stands at this moment, into one file. The daemon may run.",
        epilog="Back: end the daemon, remove the journal's files that end in -wal and -shm, and copy"
        " FILE to where the journal was.",
    )
    parser.add_argument("file", metavar="FILE", help="the copy; what was there is replaced")
    add_journal(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the copy; 2 if there is no journal, or no place for it."""
    try:
        with closing(open_finished(args.journal)) as finished:
            finished.copy_to(args.file)
    except Unavailable as problem:
        return complain("backup", problem)
    return 0
