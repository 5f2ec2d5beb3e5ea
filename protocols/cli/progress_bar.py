"""How far a tournament is, as a bar in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from protocols.i18n.sanitize import clean
from protocols.tournament.games import Result


class _Bar:
    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=None)

    def went_on(self, done: int, total: int, last: Result | None) -> None:
        """Draw the bar anew."""
        names = "" if last is None else clean(" - ".join(last.entrants))
        self._bar.update(self._task, completed=done, total=total, description=names)


@contextmanager
def progress_bar() -> Iterator[_Bar]:
    """Draw a bar on standard error while this lasts."""
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield _Bar(bar)
