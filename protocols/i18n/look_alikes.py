"""What a name is drawn like: the skeleton of Unicode Technical Standard 39, made for names that people read.

Two texts are confusable if their skeletons are one.  What is drawn like what depends on the case, and people take
no notice of the case: a Greek capital Nu is drawn like an N, a small one like a v.  So a name has the skeletons
of how it is written and of how it would be in small letters and in capitals; and again with the digits of all
scripts taken for what they count, since a figure may be taken for its value or for a letter it resembles.

Blanks of all kinds, and whatever else does not show, are no part of a skeleton.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar

from confusable_homoglyphs.utils import path

T = TypeVar("T")

# What does not show, though its category does not say so: fillers, selectors, a blank pattern, a note of silence.
_UNSEEN = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x16FE4, 0x1D159}
_UNSEEN |= {*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
_UNSEEN |= {*range(0x13441, 0x13443)}
_WITHOUT_A_LOOK = (
    "C",
    "Z",
)  # the categories of what is not drawn: controls and formats, separators


@lru_cache(maxsize=1024)  # those who come meanwhile
def skeleton(name: str) -> frozenset[str]:
    """Reduce a name to what people tell it apart by: names that share one of these texts are alike."""
    if not name.isascii():
        return skeleton_of_any(name)
    # As most are, a guest's too: there no character looks otherwise beside another, and each was looked up before.
    shown = name.translate(_HIDDEN_IN_ASCII)
    return frozenset(
        [each.translate(_DRAWN_IN_ASCII) for each in (shown, shown.lower(), shown.upper())]
    )


def skeleton_of_any(name: str) -> frozenset[str]:
    """Reduce a name in any letters as ``skeleton`` does."""
    shown = "".join(filter(_is_seen, name))
    counted = "".join(map(_counted, shown))
    cases = {
        form
        for text in (shown, counted)
        for form in (text, text.casefold(), text.upper())
    }  # fmt: skip
    return frozenset(map(_drawn, cases))


def alike(name: str, others: Iterable[str]) -> bool:
    """Say whether people would take a name for one of others."""
    looks = skeleton(name)
    return any(not looks.isdisjoint(skeleton(each)) for each in others)


class NameIndex(Generic[T]):
    """Who has which name, found by any name that people would take for it."""

    def __init__(self) -> None:
        self._owners: dict[str, T] = {}

    def find(self, name: str) -> T | None:
        """Give whoever has this name, or one like it."""
        found = (self._owners[each] for each in skeleton(name) if each in self._owners)
        return next(found, None)

    def may_have(self, name: str, owner: T) -> bool:
        """Say whether nobody else has this name, or one like it."""
        return all(self._owners.get(each, owner) is owner for each in skeleton(name))

    def add(self, name: str, owner: T) -> None:
        """Note whose name it is; nobody else may have one like it."""
        self._owners.update(dict.fromkeys(skeleton(name), owner))

    def remove(self, name: str, owner: T) -> None:
        """Forget a name, if it is this owner's."""
        for each in skeleton(name):
            if self._owners.get(each) is owner:
                del self._owners[each]


def _is_seen(char: str) -> bool:
    return unicodedata.category(char)[0] not in _WITHOUT_A_LOOK and ord(char) not in _UNSEEN


def _counted(char: str) -> str:
    value = unicodedata.digit(char, None)
    return char if value is None else str(value)


def _drawn(text: str) -> str:
    """Write each character by the one that stands for all that are drawn like it."""
    # First as it is drawn: some letters are compatible with one that looks otherwise.
    for form in ("NFD", "NFKD"):
        parts = unicodedata.normalize(form, text).replace("i\u0307", "i")
        text = "".join(_PROTOTYPES.get(char, char) for char in map(_plain_dash, parts))
    return unicodedata.normalize("NFD", text).casefold().replace(_LONG_DASH, "-")


def _plain_dash(char: str) -> str:
    return "-" if unicodedata.category(char) == "Pd" else char


def _prototypes() -> Mapping[str, str]:
    """Find, for each character that is drawn like others, the text that stands for all of them.

    The library lists pairs in both directions; each of its groups is a star around what stands for it.
    """
    links: dict[str, set[str]] = {}
    for one, other in _pairs():
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    standing: dict[str, str] = {}
    for char in links:
        if char not in standing:
            group = _group(char, links)
            standing.update(dict.fromkeys(group, _middle(group, links)))
    return {
        char: "".join(standing.get(each, each) for each in unicodedata.normalize("NFD", text))
        for char, text in standing.items()
        if len(char) == 1
    }


def _pairs() -> Iterator[tuple[str, str]]:
    # The library's own module keeps all of its table, with the names of characters: that is ten times as much.
    with open(path("confusables.json"), encoding="utf-8") as file:
        table = json.load(file, object_hook=_without_names)
    for char, twins in table.items():
        for twin in twins:
            yield char.strip("\u200e"), twin.strip("\u200e")  # as it keeps those written leftwards


def _without_names(entry: dict[str, Any]) -> Any:
    """Keep of one character in the library's table the character alone."""
    return entry["c"] if entry.keys() == {"c", "n"} else entry


def _group(char: str, links: Mapping[str, set[str]]) -> set[str]:
    group, found = set(), {char}
    while found:
        group |= found
        found = {each for one in found for each in links[one]} - group
    return group


def _middle(group: set[str], links: Mapping[str, set[str]]) -> str:
    """Choose what stands for a group: the text of several characters, or what most are drawn like."""
    return max(group, key=lambda each: (len(each) > 1, len(links[each]), each.isascii(), each))


_PROTOTYPES = _prototypes()
_LONG_DASH = _PROTOTYPES["\u2014"]
_ASCII = list(map(chr, range(128)))
_HIDDEN_IN_ASCII = {ord(char): "" for char in _ASCII if not _is_seen(char)}
_DRAWN_IN_ASCII = {ord(char): _drawn(char) for char in _ASCII}
