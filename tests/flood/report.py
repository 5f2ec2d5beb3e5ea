"""The table of all floods, and what of it is not as it should be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from tests.bench.report import table

from .canary import Felt
from .trial import Trial

# Under a flood a canary's p99 may be so many times its quiet one of the same trial, or so many seconds.
TIMES_QUIET = 10.0
ALLOWED = 0.02
FUZZ_ALLOWED = 0.075
MORE_FILES = 5
HEAD = (
    "flood",
    "journal",
    "quiet p50/p99/max ms",
    "flood p50/p99/max ms",
    "timed out",
    "tracebacks",
    "RSS MB before/in/after",
    "files before/in/after",
    "sent",
    "links",
    "closed",
    "wrong",
)


def wrong(trials: Sequence[Trial]) -> list[str]:
    """Name what is over its bound in the trials of one kind: the middle one of the times, the sum of failures."""
    found = []
    quiet, flood = (_middle(trials, which, "p99") for which in ("quiet", "flood"))
    allowed = FUZZ_ALLOWED if trials[0].kind == "fuzz" else ALLOWED
    if flood > max(quiet * TIMES_QUIET, allowed):
        found.append("p99")
    if any(trial.quiet.timed_out or trial.flood.timed_out for trial in trials):
        found.append("time-out")
    if any(trial.tracebacks for trial in trials):
        found.append("traceback")
    if any(trial.after.resident > 2 * trial.before.resident for trial in trials):
        found.append("RSS")
    if any(abs(trial.after.files - trial.before.files) > MORE_FILES for trial in trials):
        found.append("files")
    return found


def _middle(trials: Iterable[Trial], which: str, figure: str) -> float:
    return float(median(getattr(getattr(trial, which), figure) for trial in trials))


def _times(trials: Sequence[Trial], which: str) -> str:
    figures = (_middle(trials, which, name) * 1e3 for name in ("p50", "p99", "most"))
    return "/".join(f"{figure:.1f}" for figure in figures)


def _seen(trials: Sequence[Trial], name: str, unit: float) -> str:
    stages = ("before", "within", "after")
    return "/".join(f"{_middle(trials, stage, name) / unit:.0f}" for stage in stages)


def row(trials: Sequence[Trial]) -> tuple[str, ...]:
    """Show the trials of one kind on one journal as a line."""
    felt: list[Felt] = [each for trial in trials for each in (trial.quiet, trial.flood)]
    return (
        trials[0].kind,
        trials[0].journal,
        _times(trials, "quiet"),
        _times(trials, "flood"),
        str(sum(each.timed_out for each in felt)),
        str(sum(trial.tracebacks for trial in trials)),
        _seen(trials, "resident", 1e6),
        _seen(trials, "files", 1),
        *(f"{_middle(trials, 'done', name):.0f}" for name in ("sent", "links", "closed")),
        ", ".join(wrong(trials)) or "-",
    )


def group(run: Iterable[Trial]) -> list[list[Trial]]:
    """Put the rounds of each kind and journal together."""
    rounds: dict[tuple[str, str], list[Trial]] = {}
    for trial in run:
        rounds.setdefault((trial.kind, trial.journal), []).append(trial)
    return list(rounds.values())


def show(run: Iterable[Trial]) -> str:
    """Show everything as one table, each figure the middle one of its rounds."""
    return table(HEAD, [row(trials) for trials in group(run)])
