"""What all faces have in common, and which way the arrows point."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamecore.events import RoundBegan
from protocols import face
from protocols.daemon.host import Host
from protocols.face import News

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*ROOT.glob("protocols/**/*.py"), *ROOT.glob("gamecore/**/*.py")])
ABOVE_THE_FACES = {"daemon", "cli"}


def test_what_is_drawn_from_news_is_drawn_once_for_all_who_draw_alike():
    calls = []

    def loud(events, names):
        calls.append(events)
        return b"LOUD"

    def soft(events, names):
        return names[0].encode()

    news = News((RoundBegan(1),), ("north",))
    assert [news.drawn(loud), news.drawn(loud), news.drawn(soft)] == [b"LOUD", b"LOUD", b"north"]
    assert calls == [(RoundBegan(1),)]


def test_even_nothing_is_drawn_once():
    calls = []
    news = News((), ())
    for _ in range(3):
        assert news.drawn(lambda events, names: b"") == b""  # three renderers, each its own
    render = lambda events, names: calls.append(1) or b""  # noqa: E731
    assert news.drawn(render) == news.drawn(render) == b""
    assert calls == [1]


@pytest.mark.parametrize(
    "name",
    [name for name, _ in inspect.getmembers(face.Host, inspect.isfunction) if name[0] != "_"],
)
def test_the_daemons_host_is_asked_as_faces_ask(name):
    promised = inspect.signature(getattr(face.Host, name))
    assert inspect.signature(getattr(Host, name)) == promised


def imported(path: Path) -> Iterator[str]:
    """Name every module that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports by dots"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(module: str) -> str | None:
    """Name the room of ``protocols`` that a module is in: a folder's name, or none."""
    parts = module.split(".")
    folder = len(parts) > 1 and (ROOT / "protocols" / parts[1]).is_dir()
    return parts[1] if parts[0] == "protocols" and folder else None


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_arrows_point_one_way(path):
    own = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    modules = set(imported(path))
    if own.startswith("gamecore"):
        assert not [each for each in modules if each.split(".")[0] in ("protocols", "twisted")]
        return
    rooms = {room(each) for each in modules} - {None, room(own)}
    if room(own) not in ABOVE_THE_FACES:
        assert not rooms & ABOVE_THE_FACES
    if room(own) is None:
        assert rooms == set(), "what all faces share knows none of them"
    if room(own) == "daemon":
        assert "cli" not in rooms
