"""Who pairs the rounds of a run: at once where that is quick, else a process beside it."""

from __future__ import annotations

import json
import sys
from typing import Any

from twisted.internet.defer import Deferred, maybeDeferred

from gamecore.contest import Field, PairedRound, find_format
from gamecore.record import build
from protocols.tournament.line_process import LineProcess
from protocols.tournament.pairing_worker import write_field

_FEW = 32  # entrants whom a quick format pairs within a few ms


class PairingFailed(RuntimeError):
    """The process that pairs has ended."""


class Pairer:
    """Pairs by one format; the process is begun when it is needed."""

    def __init__(self, format: str, reactor: Any) -> None:
        self._format = format
        self._reactor = reactor
        self._process: LineProcess | None = None
        self._waiting: Deferred[PairedRound | None] | None = None

    def pair(self, field: Field) -> Deferred[PairedRound | None]:
        """Pair the next round, one at a time; None where none follows.

        Fails with PairingFailed, or as the format does.
        """
        format = find_format(self._format)
        if getattr(format, "quick", False) and len(field.entrants) <= _FEW:
            return maybeDeferred(format.pair, field)
        waiting: Deferred[PairedRound | None] = Deferred()
        self._waiting = waiting
        if self._process is None:
            self._process = process = LineProcess(self._paired, self._failed)
            arguments = [sys.executable, "-m", "protocols.tournament.pairing_worker", self._format]
            self._reactor.spawnProcess(process, arguments[0], arguments, env=None)
        self._process.ask(write_field(field))
        return waiting

    def stop(self) -> None:
        """End the process, and let nobody hear of it."""
        self._waiting = None
        if self._process is not None:
            self._process.stop()

    def _paired(self, line: bytes) -> None:
        written = json.loads(line)
        self._answer(None if written is None else build(PairedRound, written))

    def _answer(self, answer: PairedRound | PairingFailed | None) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return
        if isinstance(answer, PairingFailed):
            waiting.errback(answer)
        else:
            waiting.callback(answer)

    def _failed(self, why: str) -> None:
        self._process = None
        lines = why.strip().splitlines() or [""]
        self._answer(PairingFailed(lines[-1]))  # of a traceback, what went wrong
