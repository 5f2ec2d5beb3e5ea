"""The figures of a run as a plain table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from attrs import frozen

HEAD = (
    "contender",
    "games",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "rate/spike",
    "p99/spike",
    "rate/nim",
    "p99/nim",
    "server us/move",
    "load cpu",
)


@frozen
class Figures:
    """What one contender did with so many games at once; times in seconds."""

    contender: str
    games: int
    rate: float
    p50: float
    p99: float
    load_share: float
    server_per_move: float | None = None


def medians(run: Iterable[Figures]) -> list[Figures]:
    """Merge several rounds: each figure is the middle one of what was measured."""
    rounds: dict[tuple[str, int], list[Figures]] = {}
    for figures in run:
        rounds.setdefault((figures.contender, figures.games), []).append(figures)
    return [_middle(same) for same in rounds.values()]


def _middle(same: Sequence[Figures]) -> Figures:
    servers = [each.server_per_move for each in same if each.server_per_move is not None]
    return Figures(
        same[0].contender,
        same[0].games,
        median(each.rate for each in same),
        median(each.p50 for each in same),
        median(each.p99 for each in same),
        median(each.load_share for each in same),
        median(servers) if servers else None,
    )


def ratio(value: float, base: float | None) -> str:
    """Show a value as a multiple of another, if there is one."""
    return f"{value / base:.2f}" if base else "-"


def row(figures: Figures, spike: Figures | None, nim: Figures | None) -> tuple[str, ...]:
    """Show one contender's figures beside those of the spike, and of Parlour on Nim's own wire."""
    server = figures.server_per_move
    return (
        figures.contender,
        str(figures.games),
        f"{figures.rate:.0f}",
        f"{figures.p50 * 1e3:.2f}",
        f"{figures.p99 * 1e3:.2f}",
        ratio(figures.rate, spike.rate if spike else None),
        ratio(figures.p99, spike.p99 if spike else None),
        ratio(figures.rate, nim.rate if nim else None),
        ratio(figures.p99, nim.p99 if nim else None),
        f"{server * 1e6:.1f}" if server is not None else "-",
        f"{figures.load_share:.0%}",
    )


def rows(run: Iterable[Figures]) -> list[tuple[str, ...]]:
    """Show a whole run, each line against those that do as much with as many games."""
    run = list(run)
    known = {(figures.contender, figures.games): figures for figures in run}
    return [
        row(figures, *(known.get((other, figures.games)) for other in beside(figures.contender)))
        for figures in run
    ]


def beside(contender: str) -> tuple[str, str]:
    """Name the spike and the daemon to measure against: those that commit to a disk for whoever does so too."""
    ours, _, journal = contender.partition(" ")
    spike = "spike sqlite" if journal == "sqlite" and ours != "spike" else "spike"
    return spike, f"parlour {journal}" if journal and ours != "spike" else ""


def compare(run: Iterable[Figures], one: str, other: str) -> list[str]:
    """Say in a line each what a door does with one journal, as a multiple of what it does with another."""
    rates = {(figures.contender, figures.games): figures.rate for figures in run}
    lines = []
    for (contender, games), rate in rates.items():
        door, _, journal = contender.partition(" ")
        base = rates.get((f"{door} {other}", games))
        if journal == one and base:
            lines.append(f"{door}, {games} games, {one} / {other}: {ratio(rate, base)}\n")
    return lines


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Align words to the left in the first column, figures to the right in all others."""
    lines = [head, *body]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            [line[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        )
        for line in lines
    )
