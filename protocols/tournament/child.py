"""A program that runs as a child: its pipes are its link, its end is heard as soon as it has ended.

It runs in a session of its own, so that all that it begins ends with it, with a limit of its memory; where the
system can say so, it is killed when the run is.  What it says on standard error is kept in a file, up to a size.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, cast

from twisted.internet.address import IPv4Address
from twisted.internet.interfaces import (
    IConsumer,
    IDelayedCall,
    IProcessTransport,
    IProducer,
    IPushProducer,
    ITransport,
)
from twisted.internet.protocol import ProcessProtocol, Protocol, connectionDone
from twisted.python.failure import Failure
from zope.interface import implementer

MOST_STDERR = 64 * 1024
SETTLING = 0.25  # seconds in which the last words of a program that has ended are still heard
_REFUSED = re.compile(rb'^error |"error":', re.MULTILINE)


@cache
def _wrapper() -> Sequence[str]:
    """Name what gives a program a session of its own, and its end with ours, as far as this system has it."""
    words: list[str] = []
    if shutil.which("setsid"):
        words.append("setsid")
    if shutil.which("setpriv"):
        words += ["setpriv", "--pdeathsig", "KILL", "--"]
    return words


def command_line(run: str, words: Mapping[str, str], memory: int, folder: Path) -> list[str]:
    """Make the arguments of a program in a folder: ``{name}`` and the like stand for words.

    A word that is empty is left out.  Raises ValueError for a command with a quotation mark that is not closed.
    """
    arguments = []
    for part in shlex.split(run):
        filled = part
        for name, word in words.items():
            filled = filled.replace("{" + name + "}", word)
        if filled or not part:
            arguments.append(filled)
    # It is the shell that goes to the folder: so the run need not be copied for it, as a fork would.
    limit = f'cd "$0" && ulimit -d {memory // 1024} && ulimit -c 0 && exec "$@"'
    return ["/bin/sh", "-c", limit, str(folder), *_wrapper(), *arguments]


@implementer(ITransport, IConsumer, IPushProducer)
class ChildTransport:
    """The pipes of a child as the transport of a link; tells of the lines that refuse what it said."""

    def __init__(
        self, process: Any, abort: Callable[[], None], refused: Callable[[int], None]
    ) -> None:
        """``refused`` hears how many there are in what is sent to it, if any."""
        self._process = process
        self._abort = abort
        self._refused = refused

    def write(self, data: bytes) -> None:
        """Send bytes to its standard input."""
        self._process.write(data)
        if b"error" in data and (count := len(_REFUSED.findall(data))):
            self._refused(count)

    def writeSequence(self, data: Iterable[bytes]) -> None:
        self.write(b"".join(data))

    def loseConnection(self) -> None:
        """End its input: it is to end by itself."""
        self._process.closeStdin()

    def abortConnection(self) -> None:
        """End it."""
        self._abort()

    def registerProducer(self, producer: IProducer, streaming: bool) -> None:
        if 0 in self._process.pipes:
            self._process.registerProducer(producer, streaming)

    def unregisterProducer(self) -> None:
        if 0 in self._process.pipes:
            self._process.unregisterProducer()

    def pauseProducing(self) -> None:
        self._process.pauseProducing()

    def resumeProducing(self) -> None:
        self._process.resumeProducing()

    def stopProducing(self) -> None:
        self.loseConnection()

    def getPeer(self) -> IPv4Address:
        """A child is of this host."""
        return IPv4Address("TCP", "127.0.0.1", 0)

    getHost = getPeer


class Child(ProcessProtocol):
    """One running program; ``link``, if given, speaks by its pipes.

    ``on_end`` hears once that it has ended, after its last words; ``on_junk`` that ``most_junk`` of its lines in a
    row were refused, while that is being told: nothing may be done at a table then.
    """

    def __init__(self, link: Protocol | None, stderr: Path, clock: Any, most_junk: int) -> None:
        self.link = link
        self.on_end: Callable[[], None] = _nothing
        self.on_junk: Callable[[], None] = _nothing
        self.alive = True
        self.stopped = False
        self._most_junk = most_junk
        self._refused = 0  # of its lines, since its last move
        self._clock = clock
        self._stderr = stderr
        self._room = MOST_STDERR
        self._settling: IDelayedCall | None = None
        self._pid: int | None = None

    def forget_refused(self) -> None:
        """Count what is refused anew."""
        self._refused = 0

    def _count_refused(self, count: int) -> None:
        before, self._refused = self._refused, self._refused + count
        if before < self._most_junk <= self._refused:
            self.on_junk()

    def connectionMade(self) -> None:
        self._pid = cast(IProcessTransport, self.transport).pid
        if self.link is not None:
            pipes = ChildTransport(self.transport, self.stop, self._count_refused)
            self.link.makeConnection(pipes)

    def outReceived(self, data: bytes) -> None:
        if self.link is not None and self.link.connected:
            self.link.dataReceived(data)
        elif self.link is None:
            self.errReceived(data)

    def errReceived(self, data: bytes) -> None:
        """Keep what it complains of, as long as there is room."""
        kept = data[: self._room]
        self._room -= len(kept)
        if kept:
            with open(self._stderr, "ab") as file:
                file.write(kept)

    def processExited(self, reason: Failure) -> None:
        self.alive = False
        self._settling = self._clock.callLater(SETTLING, self._end)

    def processEnded(self, reason: Failure) -> None:
        """Nothing is left of it, also none of its last words."""
        self.alive = False
        if self._settling is not None:
            self._settling.cancel()
            self._end()

    def _end(self) -> None:
        self._settling = None
        self.stop()
        if self.link is not None and self.link.connected:
            self.link.connectionLost(connectionDone)
        self.on_end()

    def stop(self) -> None:
        """End it, and all that it has begun."""
        self.stopped = True
        if self._pid is None:
            return
        try:
            os.killpg(self._pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # it has no group of its own, or not yet
            if self.alive:
                with suppress(ProcessLookupError):
                    os.kill(self._pid, signal.SIGKILL)


def _nothing() -> None:
    """Hear of a program that is at no game."""


def spawn(reactor: Any, child: Child, arguments: Sequence[str]) -> None:
    """Start a child; raises OSError."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    reactor.spawnProcess(child, arguments[0], list(arguments), env=environment)
