"""What is written when a run is over: ``results.json``, ``crosstable.csv``, ``games.csv`` and ``report.html``."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

from protocols.tournament.games import Result
from protocols.tournament.plan import Plan
from protocols.tournament.report_facts import Report, Times, make_report
from protocols.tournament.report_page import draw_page
from protocols.tournament.run import Finished


def write_reports(folder: Path, plan: Plan, ended: Finished, times: Times) -> None:
    """Write all files of the report into the folder of the run; raises OSError."""
    report = make_report(plan, ended, times)
    (folder / "report.html").write_text(draw_page(report), encoding="utf-8")
    (folder / "results.json").write_text(_json(report), encoding="utf-8")
    _write_crosstable(folder / "crosstable.csv", report)
    _write_games(folder / "games.csv", ended.results)


def _json(report: Report) -> str:
    rows = [
        {
            "name": row.standing.entrant,
            "place": row.standing.place,
            "points": float(row.standing.points),
            "buchholz": float(row.standing.buchholz),
            "sonneborn_berger": float(row.standing.sonneborn),
            "score": row.score,
            "interval": [row.low, row.high],
            "elo": round(row.elo, 1),
        }
        for row in report.rows
    ]
    faults = [
        {"name": name, "reason": reason, "games": count}
        for (name, reason), count in sorted(report.tally.faults.items())
    ]
    written = {
        "title": report.title,
        "entrants": rows,
        "endings": dict(sorted(report.tally.reasons.items())),
        "faults": faults,
        "suspended": list(report.suspended),
        "sprt": report.sprt or None,
    }
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def _write_crosstable(path: Path, report: Report) -> None:
    names = [row.standing.entrant for row in report.rows]
    sums = report.tally
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["place", "name", "points", "elo", *names])
        for row in report.rows:
            name = row.standing.entrant
            cells = [
                f"{sums.points[name, other]:g}/{sums.games[name, other]}"
                if sums.games[name, other]
                else ""
                for other in names
            ]
            points = f"{float(row.standing.points):.3f}"
            table.writerow([row.standing.place, name, points, round(row.elo), *cells])


def _write_games(path: Path, results: Sequence[Result]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "entrants", "places", "reason", "culprit", "outcome", "moves"])
        for each in results:
            places = " ".join(map(str, each.places))
            table.writerow(
                [
                    *(each.id, " | ".join(each.entrants), places),
                    *(each.reason, each.culprit or "", each.outcome, each.moves),
                ]
            )
