"""Plots as SVG that stands in a page by itself: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, LEFT, RIGHT, ROW = 720, 180, 70, 26


def _frame(rows: int, title: str, parts: Sequence[str]) -> str:
    height = rows * ROW + 34
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _label(name: str) -> str:
    return name if len(name) <= 22 else name[:21] + "…"


def intervals(title: str, rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Draw a point and the interval about it for each row: a name, then low, middle, high from 0 to 1."""
    span = WIDTH - LEFT - RIGHT
    parts = []
    bottom = len(rows) * ROW
    for tenth in (0, 25, 50, 75, 100):
        x = LEFT + span * tenth / 100
        parts.append(f'<line class="grid" x1="{x}" y1="0" x2="{x}" y2="{bottom}"/>')
        parts.append(_text(x, bottom + 20, f"{tenth} %", "middle"))
    for number, (name, low, middle, high) in enumerate(rows):
        y = number * ROW + ROW / 2
        parts.append(_text(LEFT - 10, y + 5, _label(name), "end"))
        start, end = LEFT + span * low, LEFT + span * high
        parts.append(f'<line class="bar" x1="{start:.1f}" y1="{y}" x2="{end:.1f}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{LEFT + span * middle:.1f}" cy="{y}" r="5"/>')
        parts.append(_text(WIDTH - RIGHT + 12, y + 5, f"{middle * 100:.1f} %"))
    return _frame(len(rows), title, parts)


def bars(title: str, rows: Sequence[tuple[str, Sequence[int]]], classes: Sequence[str]) -> str:
    """Draw stacked bars, each as long as its share: a name, then a count for each of ``classes``."""
    span = WIDTH - LEFT - RIGHT
    parts = []
    for number, (name, counts) in enumerate(rows):
        y, x = number * ROW + 4, float(LEFT)
        parts.append(_text(LEFT - 10, y + ROW / 2 + 1, _label(name), "end"))
        whole = sum(counts) or 1
        for count, kind in zip(counts, classes, strict=True):
            width = span * count / whole
            if count:
                parts.append(
                    f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 8}"/>'
                )
            if width > 30:
                parts.append(
                    f'<text class="on" x="{x + width / 2:.1f}" y="{y + ROW / 2 + 1}"'
                    f' text-anchor="middle">{count}</text>'
                )
            x += width
        parts.append(_text(WIDTH - RIGHT + 12, y + ROW / 2 + 1, str(sum(counts))))
    return _frame(len(rows), title, parts)
