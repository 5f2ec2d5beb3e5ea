"""`parlour verify`: check a finished game, and say plainly what holds.

Exit status: 0 if nothing that could be checked fails, 1 if something does, 2 if there is nothing to check.
A file that was made anew as a whole fits itself: what its maker could not know, ``--promise`` and ``--last`` say.
"""

from __future__ import annotations

import argparse

from gamecore.record import Unreadable
from gamecore.rules import Registry, installed_rules
from gamecore.verification import verify
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
    parser.add_argument(
        "--promise",
        action="append",
        default=[],
        type=_hash,
        metavar="HEX",
        help="what you were told of a game's seed before it was played; may be given for each game",
    )
    parser.add_argument(
        "--last", type=_hash, metavar="HASH", help="what the file of somebody else ends with"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print every finding, one a line."""
    try:
        data = load_game(args.game, args.journal)
        findings = verify(data, Registry(installed_rules()), args.promise, args.last)
    except (Unavailable, Unreadable) as problem:
        return complain("verify", problem)
    for finding in findings:
        print_line(f"{_WORDS[finding.holds]}: {finding.check}: {finding.says}")
    return 1 if any(finding.holds is False for finding in findings) else 0


def _hash(text: str) -> str:
    digits = text.strip().lower()
    if len(digits) != 64 or not set(digits) <= set("0123456789abcdef"):
        raise argparse.ArgumentTypeError("that is a hash of 64 digits from 0 to f")
    return digits
