"""The daemon's end of the socket to the process that writes its journal; it never waits, once that is open."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from attrs import frozen
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorFDSet, IReadWriteDescriptor
from twisted.python.failure import Failure
from zope.interface import implementer

from protocols.journal.errors import JournalFailed, JournalLost, JournalRefused
from protocols.journal.frames import READ, Frames, Message, frame
from protocols.journal.worker_spawn import SeeOut, Start


class WriterFailed(Exception):
    """What went wrong in the writer, as it wrote it down: a traceback, mostly."""


@frozen
class WriterCallbacks:
    """What the writer has to say of its own accord."""

    trouble: Callable[[str | None], None]  # commits fail, or none can be made yet; or they go again
    advise: Callable[[str], None]  # what whoever runs the house can do about it
    # Something failed that no command waits for; the problem is None where it may pass by itself.
    odd: Callable[[str, Exception | None], None]
    changed: Callable[[Sequence[tuple[Any, ...]]], None]  # by other runs of the house
    peers: Callable[[Sequence[tuple[Any, ...]]], None]  # the other runs that can be linked to
    drain: Callable[[float], None]  # our run was asked to end, and to wait for so many seconds
    forgot: Callable[[int], None]  # so many finished tables were deleted for their age
    # It is gone; why, if nobody asked it to.
    ended: Callable[[JournalLost | JournalRefused | None], None]


@implementer(IReadWriteDescriptor)
class Writer:
    """Tells the writer what to do, and hears what became of it."""

    def __init__(self, reactor: IReactorFDSet, callbacks: WriterCallbacks) -> None:
        self._reactor = reactor
        self._callbacks = callbacks
        self._socket: socket.socket | None = None
        self._see_out: SeeOut
        self._frames = Frames()
        self._unsent = bytearray()
        self._unanswered: deque[Deferred[Any]] = deque()
        self._why: JournalLost | JournalRefused | None = None
        self._was_told_why = False
        self._who = _who()

    def open(self, start: Start, lock: Sequence[int], *opening: object) -> Deferred[Any]:
        """Start the writer, wait for its first word, and give its answer, which has come unless there is trouble.

        Raises JournalRefused or OSError.
        """
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._see_out = start(theirs, lock)
            self._who = _who()
            said = self._greet(ours, frame(("open", *opening)))
            if said[:1] in ((), ("refused",)):
                ours.close()
                how = self._see_out()
                raise JournalRefused(
                    said[1] if said else f"the journal's writer did not start: {how}"
                )
        except BaseException:
            ours.close()
            raise
        ours.setblocking(False)
        self._socket = ours
        self._reactor.addReader(self)
        answer: Deferred[Any] = Deferred()
        self._unanswered.append(answer)
        for message in (said, *self._frames.take(b"")):
            self._hear(message)
        return answer

    def _greet(self, ours: socket.socket, opening: bytes) -> Message:
        """Wait for the first word: that the journal is open, or why it is not; empty if there is none."""
        with suppress(ConnectionError):  # there is nobody
            ours.sendall(opening)
            while data := ours.recv(READ):
                for message in self._frames.take(data):
                    return message
        return ()

    # -- what it is told --------------------------------------------------------------

    def ask(self, *message: object) -> Deferred[Any]:
        """Tell the writer what it will answer."""
        answer: Deferred[Any] = Deferred()
        self._unanswered.append(answer)
        self.tell(*message)
        return answer

    def tell(self, *message: object) -> None:
        """Tell the writer what needs no answer."""
        if self._socket is None:
            return
        # A daemon that starts as root becomes another, once its ports are open.
        if (who := _who()) != self._who:
            self._who = who
            self._send(frame(("become", *who)))
        self._send(frame(message))

    def _send(self, data: bytes) -> None:
        if not self._unsent:
            data = data[self._sent(data) :]
            if data:
                self._reactor.addWriter(self)
        self._unsent += data

    def _sent(self, data: bytes | bytearray) -> int:
        """Send what can be sent now; gives how much that was."""
        assert self._socket is not None
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:  # it is gone, and we shall read of it
            return len(data)

    # -- what it says -----------------------------------------------------------------

    def _hear(self, message: Message) -> None:
        match message:
            case ("done", value):
                self._unanswered.popleft().callback(value)
            case ("failed", text):
                self._unanswered.popleft().errback(JournalFailed(text))
            case ("trouble", trouble):
                self._callbacks.trouble(trouble)
            case ("advise", advice):
                self._callbacks.advise(advice)
            case ("odd", what, problem):
                self._callbacks.odd(what, None if problem is None else WriterFailed(problem))
            case ("changed", rows):
                self._callbacks.changed(rows)
            case ("peers", peers):
                self._callbacks.peers(peers)
            case ("drain", seconds):
                self._callbacks.drain(seconds)
            case ("forgot", count):
                self._callbacks.forgot(count)
            case ("refused", text):
                self._was_told_why = True
                self._why = JournalRefused(text)
            case ("ended", kind, text, trace):
                self._was_told_why = True
                self._why = _why_it_ended(kind, text, trace)

    def _gone(self) -> None:
        """See the writer out; what it did not say before it closed the socket, it will never say."""
        if self._socket is None:
            return
        self._reactor.removeReader(self)
        self._reactor.removeWriter(self)
        self._socket.close()
        self._socket = None
        how = self._see_out()
        if not self._was_told_why:
            self._why = JournalLost(f"the journal's writer is gone: {how}")
        self._callbacks.ended(self._why)

    # -- what the reactor calls -------------------------------------------------------

    def logPrefix(self) -> str:
        """Say who we are."""
        return "journal"

    def fileno(self) -> int:
        """Give the descriptor of the socket."""
        return -1 if self._socket is None else self._socket.fileno()

    def doRead(self) -> None:
        """Hear what the writer has to say."""
        assert self._socket is not None
        try:
            data = self._socket.recv(READ)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        for message in self._frames.take(data):
            self._hear(message)
        if not data:
            self._gone()

    def doWrite(self) -> None:
        """Send what could not be sent at once."""
        del self._unsent[: self._sent(self._unsent)]
        if not self._unsent:
            self._reactor.removeWriter(self)

    def connectionLost(self, reason: Failure) -> None:
        """Stay: the reactor, which ends, parts with all its links, and the journal is the last to be closed."""
        if self._socket is not None:
            self._reactor.addReader(self)
            if self._unsent:
                self._reactor.addWriter(self)
            self.doRead()


def _why_it_ended(kind: str, text: str, trace: str) -> JournalLost | None:
    if kind == "closed":
        return None
    if kind == "lost":
        return JournalLost(text)
    lost = JournalLost(f"the journal's writer failed: {text}")
    lost.__cause__ = WriterFailed(trace)
    return lost


def _who() -> tuple[tuple[int, int, int], tuple[int, int, int], list[int]]:
    """Tell as whom this process may do what it may."""
    return os.getresuid(), os.getresgid(), os.getgroups()
