"""What the commands print: plain lines that any terminal can show, each out at once."""

from __future__ import annotations

import sys

from protocols.i18n.sanitize import clean, printable_in


def print_line(line: str) -> None:
    """Print a line; what the terminal cannot show is written as an escape."""
    print(printable_in(line, sys.stdout.encoding), flush=True)


def complain(command: str, problem: object) -> int:
    """Say in one line on standard error why a command cannot do its work; gives the exit status."""
    print(f"parlour {command}: {clean(str(problem))}", file=sys.stderr)
    return 2
