"""The code blocks of the pages: what is shown, and how it is run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.rst", *sorted((ROOT / "docs").glob("*.rst"))]
PAGES += sorted((ROOT / "docs" / "wires").glob("*.rst"))
_BLOCK = re.compile(
    r"^\.\. code-block:: (?P<language>\w+)\n(?:   :class: (?P<kind>\S+)\n)?\n(?P<text>(?:   .*\n|\n)+)",
    re.MULTILINE,
)
RUN = ("console", "python")


@define
class Command:
    """One command, what must be found in what it prints, and what is typed to it."""

    line: str
    shown: list[str] = field(factory=list)
    typed: str = ""

    @property
    def beside(self) -> bool:
        """Whether it runs beside those that follow it."""
        return self.line.endswith("&")

    @property
    def words(self) -> list[str]:
        """What the shell makes of it, less what is only a remark."""
        return shlex.split(self.line, comments=True)


@define
class Block:
    """One block of a page; ``kind`` is its class, if it has one."""

    page: str
    number: int
    language: str
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}-{self.number}"

    @property
    def commands(self) -> list[Command]:
        """Read the commands of a block of the console."""
        found: list[Command] = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                found.append(Command(line[2:]))
            elif line.strip():
                found[-1].shown.append(line)
        return found


def blocks() -> Iterator[Block]:
    """Find every block of every page, in order."""
    for page in PAGES:
        for number, found in enumerate(_BLOCK.finditer(page.read_text()), 1):
            text = "\n".join(line[3:] for line in found["text"].splitlines()).strip() + "\n"
            yield Block(page.name, number, found["language"], found["kind"] or "", text)


def sessions() -> Iterator[tuple[Block, list[Command]]]:
    """Give each block of the console that is run here, with what is typed to its last command."""
    found = list(blocks())
    for block, after in zip(found, [*found[1:], None], strict=True):
        if block.language == "console" and not block.kind:
            commands = block.commands
            if after is not None and after.kind == "typed" and after.page == block.page:
                commands[-1].typed = after.text
            yield block, commands
