"""Results and ratings as files, for programs and spreadsheets: what the pages show, as JSON or as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from protocols.web.replies import PageRefused, Reply

_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet would work out


def write_file(wanted: str, told: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> Reply:
    """Answer with what is ``told`` as ``json``, or with its ``rows`` as ``csv``, the names of columns ahead.

    Raises PageRefused ``no-such-page`` for anything else.
    """
    if wanted == "json":
        return Reply(json.dumps(told).encode(), headers={"Content-Type": "application/json"})
    if wanted == "csv":
        return Reply(_as_csv(list(rows)), headers={"Content-Type": "text/csv; charset=utf-8"})
    raise PageRefused(404, "no-such-page")


def flatten_results(told: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Give one row for each seat of each game of a history."""
    for number, game in enumerate(told["results"], 1):
        facts = {"number": number, **game}
        seats = facts.pop("seats")
        for seat in seats:
            yield {**facts, **seat}


def _as_csv(rows: list[Mapping[str, Any]]) -> bytes:
    file = io.StringIO(newline="")
    if rows:
        table = csv.writer(file)
        table.writerow(rows[0])
        table.writerows([_cell(value) for value in row.values()] for row in rows)
    return file.getvalue().encode()


def _cell(value: object) -> object:
    """Write a text as a text, also where it begins as a formula does."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
