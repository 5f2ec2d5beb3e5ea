"""`parlour verify`: check a finished game, and say plainly what holds.

Exit status: 0 if nothing that could be checked fails, 1 if something does, 2 if there is nothing to check.
"""

from __future__ import annotations

import argparse

from gamecore.record import Unreadable
from gamecore.replay import verify
from gamecore.rules import Registry, installed_rules
from protocols.cli.finished import Unavailable, add_game, load_game
from protocols.cli.output import complain, print_line

_WORDS = {True: "holds", False: "FAILS", None: "not checked"}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``verify`` to the commands of ``parlour``."""
    parser = commands.add_parser(
        "verify",
        help="check a finished game",
        description="Check a finished game, and say plainly what holds.",
        epilog="Exit status: 0 if nothing that was checked fails, 1 if something does, 2 if there is no game.",
    )
    add_game(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print every finding, one a line."""
    try:
        findings = verify(load_game(args.game, args.journal), Registry(installed_rules()))
    except (Unavailable, Unreadable) as problem:
        return complain("verify", problem)
    for finding in findings:
        print_line(f"{_WORDS[finding.holds]}: {finding.check}: {finding.says}")
    return 1 if any(finding.holds is False for finding in findings) else 0
