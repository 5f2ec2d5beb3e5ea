"""A program as a child: what is refused of what it says is counted as it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from twisted.internet.protocol import Protocol
from twisted.internet.task import Clock

from protocols.tournament.child import Child


class Pipes:
    """The process of a child, which reads everything."""

    def __init__(self):
        self.pid = None
        self.pipes = {0: self}
        self.written = b""

    def write(self, data):
        self.written += data


@pytest.fixture
def link():
    """A link to a program of whose lines three in a row may be refused; ``junk`` lists that it was told."""
    link = Protocol()
    child = Child(link, Path("/nowhere"), Clock(), 3)
    link.child, link.junk = child, []
    child.on_junk = lambda: link.junk.append(pipes.written)
    pipes = Pipes()
    child.makeConnection(pipes)
    return link


REFUSED = [b"error what is that?\n", b'{"reply":null,"error":"not-json","says":"..."}\n']


@pytest.mark.parametrize("line", REFUSED)
def test_it_is_told_once_and_with_the_very_line_that_too_much_was_refused(link, line):
    link.transport.write(line)
    link.transport.write(b"state stones=3\n" + line)
    assert link.junk == []
    link.transport.write(line)
    assert link.junk == [link.child.transport.written]
    link.transport.writeSequence([line] * 5)
    assert len(link.junk) == 1


def test_many_lines_at_once_are_each_counted(link):
    link.transport.write(REFUSED[0] * 4)
    assert len(link.junk) == 1


def test_a_move_between_begins_the_count_anew(link):
    for _ in range(3):
        link.transport.write(REFUSED[0] * 2)
        link.child.forget_refused()
    assert link.junk == []


@pytest.mark.parametrize("line", [b"state error=no\n", b'{"event":"Said","words":"error "}\n'])
def test_what_only_speaks_of_errors_is_not_counted(link, line):
    link.transport.write(line * 9)
    assert link.junk == []
