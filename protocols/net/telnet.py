"""Telnet, for those who speak it: negotiation is taken out of the stream and answered, the rest is text.

What options are worth is Twisted's to know: its state machine answers only where something changes, so two
machines never answer each other for ever.  The bytes are cut here: a command has its length, whatever its
bytes look like; a bare CR is left for the lines to end at; a command nobody knows does no harm.

BINARY is agreed to, since people's letters have eight bits, and NAWS, by which a client tells the size of its
window; every other option is refused.  A peer that sends no IAC never sees one unless its size is asked for, and
what we send is UTF-8, in which the byte IAC never occurs.

A terminal that is not UTF-8 may send the bytes IAC SB and mean letters.  Of an option that was not agreed to no
client tells more, so there a line's end ends it, and what was typed is found to be no UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from struct import unpack

from twisted.conch.telnet import (
    AYT,
    BRK,
    DO,
    DONT,
    IAC,
    IP,
    SB,
    SE,
    WILL,
    WONT,
    Telnet,
    TelnetError,
)

from protocols.net.limits import TokenBucket

MOST_NEGOTIATED = 64 * 1024  # bytes of one subnegotiation
TOO_LONG = "too-long-negotiation"

_BINARY = b"\x00"
_NAWS = b"\x1f"
_LINE_END = re.compile(rb"[\r\n]")
_SIZE_BYTES = 4
_OPTIONS = (WILL, WONT, DO, DONT)
_LOWEST = 0xEC  # no command is less: IAC before anything else was none
_ANSWERS_A_SECOND = 20.0
_ANSWERS_AT_ONCE = 300.0  # all options there are, once


class TooLong(Exception):
    """A subnegotiation goes on for longer than anybody's would."""


class Negotiation(Telnet):
    """What one telnet client and we have agreed upon; ``strip`` leaves of its bytes what was typed."""

    def __init__(
        self,
        send: Callable[[bytes], None],
        seconds: Callable[[], float],
        asked: Callable[[object], None],
        sized: Callable[[int, int], None] = lambda columns, rows: None,
    ) -> None:
        """``asked`` hears the question whether we are there, ``sized`` the columns and rows of the window."""
        super().__init__()
        self._send = send
        self._seconds = seconds
        self._budget = TokenBucket(_ANSWERS_A_SECOND, _ANSWERS_AT_ONCE)
        self._begun = b""  # a command that has not ended yet
        self._inside: int | None = None  # how much of a subnegotiation has come
        self._told = bytearray()  # the first of it: the option, and what is told of it
        self.interrupted = False  # set by Ctrl-C, for whoever wants to know
        self.commandMap[IP] = self.commandMap[BRK] = self._interrupt
        self.commandMap[AYT] = asked
        self._sized = sized

    def _interrupt(self, argument: object) -> None:
        self.interrupted = True

    def strip(self, data: bytes) -> bytes:
        """Take commands out of the stream, answer them, and give the rest; raises TooLong."""
        data, self._begun = self._begun + data, b""
        typed: list[bytes] = []
        at = 0
        while at < len(data):
            found = data.find(IAC, at)
            end = len(data) if found < 0 else found
            if self._inside is None:
                typed.append(data[at:end])
            else:
                end = self._swallow(data, at, end, typed)
            at = end if end != found else self._command(data, found, typed)
        return b"".join(typed)

    def ask_size(self) -> None:
        """Ask how large the window is, if that is not known to be told."""
        self.do(_NAWS).addErrback(lambda why: why.trap(TelnetError))

    def _command(self, data: bytes, at: int, typed: list[bytes]) -> int:
        """Read the command that begins at ``at``, and say where the rest begins."""
        command = data[at + 1 : at + 2]
        if not command or (self._inside is None and command in _OPTIONS and len(data) < at + 3):
            self._begun = data[at:]
            return len(data)
        if self._inside is not None:
            if command == SE:
                self._end_subnegotiation()
            else:
                self._count(command)
            return at + 2
        return self._obey(command, data[at + 2 : at + 3], at, typed)

    def _obey(self, command: bytes, option: bytes, at: int, typed: list[bytes]) -> int:
        if command == IAC:
            typed.append(IAC)
        elif command in _OPTIONS:
            if self._budget.take(self._seconds()):
                self.commandReceived(command, option)
            return at + 3
        elif command == SB:
            self._inside = 0
            self._told.clear()
        elif command[0] < _LOWEST:
            return at + 1
        else:
            self.commandReceived(command, None)
        return at + 2

    def _swallow(self, data: bytes, at: int, end: int, typed: list[bytes]) -> int:
        """Take in what stands in a subnegotiation, and say where it, or what was none, ends."""
        self._count(data[at:end])
        no_option = not self._told.startswith(_NAWS)
        found = _LINE_END.search(data, at, end) if no_option else None
        if found is None:
            return end
        self._inside = None
        typed.append(IAC)
        return found.start()

    def _count(self, piece: bytes) -> None:
        self._inside = (self._inside or 0) + len(piece)
        self._told += piece[: max(0, 2 + _SIZE_BYTES - len(self._told))]
        if self._inside > MOST_NEGOTIATED:
            raise TooLong

    def _end_subnegotiation(self) -> None:
        self._inside = None
        if self._told.startswith(_NAWS) and len(self._told) == 1 + _SIZE_BYTES:
            self._sized(*unpack("!HH", self._told[1:]))

    # What Twisted's machine asks

    def _write(self, data: bytes) -> None:
        self._send(data)

    def enableLocal(self, option: bytes) -> bool:
        return option == _BINARY

    def enableRemote(self, option: bytes) -> bool:
        return option in (_BINARY, _NAWS)

    def disableLocal(self, option: bytes) -> None:
        """Do nothing: text stays text."""

    def disableRemote(self, option: bytes) -> None:
        """Do nothing: text stays text."""
