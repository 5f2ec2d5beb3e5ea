"""The ``parlour`` command: everything but the daemon itself, which is ``twistd parlour``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from protocols.cli import export, find, play, replay, start, verify


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is that command's."""
    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader has had enough, and python would complain of it at exit
        return 1
    except OSError as problem:  # a full disk behind standard output, say
        print(f"parlour: {problem.strerror or problem}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour",
        description="Games for people and programs. The daemon is started with `twistd parlour`.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (find, play, start, replay, export, verify):
        command.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
