"""Records are read one after the other, also where those who asked for them have gone."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred, succeed

from gamecore.errors import Refused
from gamecore.rules import Registry, installed_rules
from protocols.host.records import MOST_WAITING, Records


class Library:
    """A journal with something at every table, and a thread that ends what it does when it is told to."""

    def __init__(self):
        self.under_way = []
        self.set_aside = set()

    def read(self, code):
        return succeed([b"a line"])

    def in_thread(self, work, *what):
        self.under_way.append(Deferred())
        return self.under_way[-1]

    def end(self):
        """End what is under way, as where nothing can be read."""
        self.under_way.pop(0).errback(Refused("table-unreadable"))


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def ask(library):
    """Ask for the record of a table; gives the Deferred, and the keys that askers are refused with."""
    records = Records(
        library, Registry(installed_rules()), library.in_thread, library.set_aside.__contains__
    )
    refused = []

    def ask(code="ABCDE"):
        asking = records.read(code, None, lambda record: record)
        asking.addErrback(
            lambda failure: refused.append(failure.trap(Refused) and failure.value.key)
        )
        return asking

    ask.refused = refused
    return ask


def test_who_asks_and_goes_lets_nobody_begin_beside_what_is_under_way(library, ask):
    for _ in range(10):
        ask().cancel()
    assert len(library.under_way) == 1, "one thread at a time, whoever goes"
    last = ask()
    library.end()
    assert len(library.under_way) == 1, "nothing is read for who has gone"
    library.end()
    assert last.called and ask.refused[-1] == "table-unreadable"
    assert library.under_way == []


def test_who_has_gone_takes_no_place_in_the_line(library, ask):
    ask()
    for _ in range(5 * MOST_WAITING):
        ask().cancel()
    assert "too-fast" not in ask.refused
    for _ in range(MOST_WAITING + 1):
        ask()
    assert ask.refused.count("too-fast") == 1
    for _ in range(MOST_WAITING + 1):
        library.end()
    assert library.under_way == []


def test_what_is_set_aside_is_not_read(library, ask):
    library.set_aside.add("ABCDE")
    ask("abcde.token")
    assert ask.refused == ["table-unreadable"] and not library.under_way
    ask("FGHIJ")
    assert len(library.under_way) == 1
