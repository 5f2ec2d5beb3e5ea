"""The one ear of tests: a face by no wire, that writes down all it hears."""

from __future__ import annotations

from typing import Any

from gamecore.errors import Refused
from gamecore.table_view import TableView
from protocols.host.face import News
from protocols.host.place import Place


class Ear:
    """Somebody who sits at a table or looks on; ``heard`` is everything, in order.

    There an event is itself, a View too; an answer is its tag and the key of the refusal or None; a pause is
    ``("paused", trouble)``, a token is the word ``given``, and a parting its reason.
    """

    def __init__(self) -> None:
        self.place: Place | None = None
        self.heard: list[Any] = []
        self.token: str | None = None

    def shown(self, view: TableView) -> None:
        self.heard.append(view)

    def told(self, news: News) -> None:
        self.heard.extend(news.events)

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        self.heard.append((tag, None if refusal is None else refusal.key))

    def given(self, token: str) -> None:
        self.token = token
        self.heard.append("given")

    def paused(self, trouble: str | None) -> None:
        self.heard.append(("paused", trouble))

    def parted(self, reason: str) -> None:
        self.heard.append(reason)

    def names(self) -> list[Any]:
        """Name all that was heard, in order: events and Views by their class."""
        plain = (str, tuple)
        return [each if isinstance(each, plain) else type(each).__name__ for each in self.heard]

    @property
    def views(self) -> list[TableView]:
        """The Views among it."""
        return [each for each in self.heard if isinstance(each, TableView)]

    @property
    def answers(self) -> list[tuple[Any, str | None]]:
        """The answers among it: what was asked for by this tag, and the key of the refusal or None."""
        return [each for each in self.heard if isinstance(each, tuple) and each[:1] != ("paused",)]
