"""Work of strangers is done one piece at a time, in a thread that gives way to all others."""

from __future__ import annotations

import os
import sys
import threading
from queue import SimpleQueue

import pytest

from protocols.daemon.quiet_thread import NICE, QuietThread
from tests.patience import SECONDS


class Reactor:
    """Calls in this thread what another one hands over."""

    def __init__(self):
        self.calls = SimpleQueue()

    def callFromThread(self, call, *what):
        self.calls.put((call, what))

    def run(self, pieces):
        for _ in range(pieces):
            call, what = self.calls.get(timeout=SECONDS)
            call(*what)


@pytest.fixture
def reactor():
    return Reactor()


def test_all_is_done_in_one_thread_and_in_order(reactor):
    quiet, heard = QuietThread(reactor), []
    for number in range(5):
        quiet(lambda number: (number, threading.get_ident()), number).addCallback(heard.append)
    reactor.run(5)
    assert [number for number, _ in heard] == [0, 1, 2, 3, 4]
    assert {thread for _, thread in heard}.isdisjoint({threading.get_ident()})
    assert len({thread for _, thread in heard}) == 1
    quiet.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority for a thread")
def test_it_gives_way_and_nobody_else_does(reactor):
    quiet, heard = QuietThread(reactor), []
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    quiet(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id())).addCallback(
        heard.append
    )
    reactor.run(1)
    assert heard == [max(before, NICE)] or heard == [NICE]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
    quiet.stop()


def test_what_fails_fails_where_it_was_asked_for_and_the_next_is_done(reactor):
    quiet, heard = QuietThread(reactor), []
    quiet(lambda: 1 / 0).addErrback(lambda failure: heard.append(failure.type))
    quiet(lambda: "done").addCallback(heard.append)
    reactor.run(2)
    assert heard == [ZeroDivisionError, "done"]
    quiet.stop()


def test_the_thread_ends_when_it_is_told_to(reactor):
    quiet, heard = QuietThread(reactor), []
    quiet(threading.current_thread).addCallback(heard.append)
    reactor.run(1)
    quiet.stop()
    heard[0].join(SECONDS)
    assert not heard[0].is_alive()
