"""How the commands speak: plain lines that any terminal can show, each out at once."""

from __future__ import annotations

import sys

from protocols.i18n.sanitize import clean, printable


def say(line: str) -> None:
    """Print a line; what the terminal cannot show is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    print(printable(line).encode(encoding, "backslashreplace").decode(encoding), flush=True)


def complain(command: str, problem: object) -> int:
    """Say in one line on standard error why a command cannot do its work; gives the exit status."""
    print(f"parlour {command}: {clean(str(problem))}", file=sys.stderr)
    return 2
