"""Games of the original programs, each file of ``tests/wire`` a head and then one message a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def files(game: str) -> list[Path]:
    """Find the files of one game."""
    return sorted((Path(__file__).parent / "wire" / game).glob("*.jsonl"))


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Give what is said of a game at its head, and its messages: ``from``, ``to`` and ``data``."""
    head, *messages = map(json.loads, path.read_text("utf-8").splitlines())
    return head["meta"], messages


def messages(game: str) -> list[dict[str, str]]:
    """Give the messages of all files of one game."""
    return [message for path in files(game) for message in read(path)[1]]
