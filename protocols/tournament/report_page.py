"""``report.html``: one file that shows a run by itself, with its plots in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from protocols.tournament.games import FAULTS
from protocols.tournament.report_facts import Report
from protocols.tournament.svg import bars, intervals

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fff; --soft: #e4e8ee; --own: #2f6f9f; --won: #2e7d4f;
  --drawn: #8a8f98; --lost: #b04a3a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ee; --paper: #14191f; --soft: #2c3641; --own: #6db1e0; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; } th, td { padding: .25rem .6rem; text-align: right; white-space: nowrap; }
th:nth-child(2), td:nth-child(2) { text-align: left; } tr:nth-child(even) td { background: var(--soft); }
td.none { color: var(--drawn); }
svg { width: 100%; height: auto; font-size: 13px; } svg text { fill: var(--ink); } svg text.on { fill: #fff; }
.grid { stroke: var(--soft); } .bar { stroke: var(--own); stroke-width: 3; } .dot { fill: var(--own); }
.won { fill: var(--won); } .drawn { fill: var(--drawn); } .lost { fill: var(--lost); }
.key span { margin-right: 1rem; }
.key i { display: inline-block; width: .8rem; height: .8rem; margin-right: .3rem; }
"""
_KINDS = ("won", "drawn", "lost")


def draw_page(report: Report) -> str:
    """Draw the page of a report."""
    parts = [
        f"<h1>{escape(report.title)}</h1>",
        _sentence(report.sprt),
        _sentence(_suspended(report)),
        "<h2>Table</h2>",
        _standings(report),
        "<h2>Score in all games, and where it lies in 95 of 100 runs</h2>",
        intervals("Scores", [(r.standing.entrant, r.low, r.score, r.high) for r in report.rows]),
        "<h2>Who made what against whom</h2>",
        _crosstable(report),
        "<h2>Won, drawn and lost, by seat</h2>",
        _key(),
        _by_seat(report),
        "<h2>How games ended</h2>",
        _table(["", "ending", "games"], _endings(report)),
    ]
    if report.tally.faults:
        parts += [
            "<h2>Who spoiled games</h2>",
            _table(["", "name", "why", "games"], _faults(report)),
        ]
    if report.slowest:
        parts += [
            "<h2>The longest thinks</h2>",
            _table(["", "name", "seconds", "game"], _thinks(report)),
        ]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(report.title)}</title><style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _sentence(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def _suspended(report: Report) -> str:
    return f"Suspended after crashes: {', '.join(report.suspended)}." if report.suspended else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    titles = "".join(f"<th>{escape(each)}</th>" for each in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(each))}</td>" for each in row) + "</tr>" for row in rows
    )
    return f'<div class="wide"><table><tr>{titles}</tr>{body}</table></div>'


def _standings(report: Report) -> str:
    rows = [
        (
            row.standing.place,
            row.standing.entrant,
            f"{float(row.standing.points):.2f}",
            f"{float(row.standing.buchholz):.2f}",
            f"{float(row.standing.sonneborn):.2f}",
            f"{row.score * 100:.1f} %",
            f"{row.low * 100:.1f} to {row.high * 100:.1f}",
            f"{row.elo:+.0f}",
        )
        for row in report.rows
    ]
    head = ["", "name", "points", "Buchholz", "Sonneborn-Berger", "score", "95 %", "Elo"]
    return _table(head, rows)


def _crosstable(report: Report) -> str:
    names = [row.standing.entrant for row in report.rows]
    sums = report.tally
    head = ["", "", *(str(number + 1) for number in range(len(names)))]
    rows = [
        (
            number + 1,
            name,
            *(
                f"{sums.points[name, other]:g}/{sums.games[name, other]}"
                if sums.games[name, other]
                else "·"
                for other in names
            ),
        )
        for number, name in enumerate(names)
    ]
    return _table(head, rows)


def _by_seat(report: Report) -> str:
    rows = [
        (f"{row.standing.entrant} ({seat + 1})", counts)
        for row in report.rows
        for seat, counts in sorted(report.tally.by_seat[row.standing.entrant].items())
    ]
    return bars("Won, drawn and lost by seat", rows, _KINDS)


def _key() -> str:
    parts = "".join(
        f'<span><i style="background: var(--{kind})"></i>{kind}</span>' for kind in _KINDS
    )
    return f'<p class="key">{parts} in brackets the seat</p>'


def _endings(report: Report) -> list[Sequence[object]]:
    return [("", each or "-", count) for each, count in report.tally.reasons.most_common()]


def _faults(report: Report) -> list[Sequence[object]]:
    return [
        ("", name, FAULTS[reason], count)
        for (name, reason), count in sorted(report.tally.faults.items())
    ]


def _thinks(report: Report) -> list[Sequence[object]]:
    return [("", name, f"{seconds:.3f}", game) for seconds, name, game in report.slowest]
