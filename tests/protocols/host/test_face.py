"""What all faces have in common."""

from __future__ import annotations

import inspect

import pytest

from gamecore.events import RoundBegan
from protocols.host import face
from protocols.host.face import News
from protocols.host.host import Host


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
