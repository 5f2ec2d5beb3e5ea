"""The ``parlour`` command: everything but the daemon itself, which is ``twistd parlour``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from protocols.cli import (
    backup,
    doctor,
    drain,
    export,
    find,
    ladder,
    play,
    replay,
    results,
    start,
    tournament,
    verify,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is that command's."""
    args = build_parser().parse_args(argv)
    try:
        return int(args.run(args))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader has had enough, which is no error
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # for what is flushed at exit
        return 0
    except OSError as problem:  # a full disk behind standard output, say
        print(f"parlour: {problem.strerror or problem}", file=sys.stderr)
        return 1


def build_parser() -> argparse.ArgumentParser:
    """Build what reads the command line, with all commands."""
    parser = argparse.ArgumentParser(
        prog="parlour",
        description="Games for people and programs. The daemon is started with: twistd parlour",
    )
    parser.add_argument("--version", action="version", version=f"parlour {version('parlour')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (
        *(find, play, start, tournament, replay, export, verify, backup, doctor, drain),
        *(results, ladder),
    ):
        command.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
