"""Pages of help: a folder beside a package's code, one short text a word, in a language or else in English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=256)
def read_page(package: str, language: str, topic: str) -> Sequence[str]:
    """Read the lines of a page that lies beside a package's code; nothing if there is none."""
    if not topic.isalnum():
        return ()
    for each in dict.fromkeys((language, "en")):
        page = files(package) / "help" / each / f"{topic}.txt"
        if page.is_file():
            return tuple(page.read_text(encoding="utf-8").splitlines())
    return ()
