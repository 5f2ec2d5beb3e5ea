"""The house keeps its shape: every module has a room, and the arrows between rooms point one way."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from gamecore.rules import installed_rules

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*ROOT.glob("protocols/**/*.py"), *ROOT.glob("gamecore/**/*.py")])

# What each room of ``protocols`` may know, beside itself and ``gamecore``.
BASE = {"net", "i18n"}
FACE = {*BASE, "host"}
GAME = {*FACE, "clients", "lobby", "web"}
MAY_KNOW = {
    "i18n": set(),
    "net": {"i18n"},
    "journal": set(),
    "clients": BASE,
    "discovery": BASE,
    "host": {*BASE, "journal"},
    "jsonlines": FACE,
    "lobby": {*FACE, "clients"},
    "web": FACE,
    **{rules.kind: GAME for rules in installed_rules()},
    "house": {*BASE, "host", "journal"},
    "daemon": {*BASE, "host", "house", "journal", "discovery"},
    "tournament": {*BASE, "host", "journal"},
    "zoo": set(),
    "testing": {*FACE, "house", "journal", "jsonlines", "lobby", "web"},
    "cli": {*BASE, "host", "journal", "discovery", "tournament"},
}


@cache
def imports(path: Path) -> Sequence[ast.Import | ast.ImportFrom]:
    """Find every statement of a file that imports, wherever in it."""
    tree = ast.walk(ast.parse(path.read_text()))
    return [node for node in tree if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(path: Path) -> Iterator[str]:
    """Name every module that a file imports."""
    for node in imports(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            assert not node.level, f"{path} imports by dots"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(module: str) -> str | None:
    """Name the room of ``protocols`` that a module is in, if it is in one."""
    parts = module.split(".")
    return parts[1] if parts[0] == "protocols" and len(parts) > 1 else None


def test_every_module_has_a_room():
    assert [each.name for each in ROOT.glob("protocols/*.py")] == ["__init__.py"]


def unseemly(path: Path) -> set[str | None]:
    """Name what a file knows and may not: modules of one in ``gamecore``, rooms of one in ``protocols``."""
    modules = set(imported(path))
    parts = path.relative_to(ROOT).parts
    if parts[0] == "gamecore":
        return {each for each in modules if each.split(".")[0] in ("protocols", "twisted")}
    if len(parts) == 2:
        return set()
    return {room(each) for each in modules} - {None, parts[1]} - MAY_KNOW[parts[1]]


def test_arrows_point_one_way():
    assert {str(path): known for path in SOURCES if (known := unseemly(path))} == {}


def test_the_pages_name_no_game():
    """What is drawn of a game lives with the game; the house's own pages do for any."""
    names = {name for rules in installed_rules() for name in (rules.kind, rules.title)}
    words = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
    pages = [*ROOT.glob("protocols/web/**/*.py"), *ROOT.glob("protocols/web/templates/*")]
    assert pages
    assert {each.name: words.findall(each.read_text()) for each in pages} == {
        each.name: [] for each in pages
    }


def module_of(path: Path) -> str:
    """Name the module that a file is."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def known(path: Path, modules: Container[str]) -> Iterator[str]:
    """Name the modules of ours that a file knows: of a package, not more than the module it takes from it."""
    for node in imports(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            wholes = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [each if each in modules else str(node.module) for each in wholes]
        yield from (name for name in names if name in modules)


def test_no_imports_go_in_a_circle():
    """Also those that only a type checker follows: who knows whom is one question."""
    modules = {module_of(path): path for path in SOURCES}
    graph = {name: set(known(path, modules)) - {name} for name, path in modules.items()}
    TopologicalSorter(graph).prepare()  # its CycleError names the circle


def test_no_module_goes_by_one_letter():
    for path in SOURCES:
        names = {alias.asname or alias.name for node in imports(path) for alias in node.names}
        assert not [each for each in names if len(each) == 1 and each != "O"], path
