"""Expanding Nim by the pipes of a program, in the words that ``exp-nim`` has for programs.

Lines to the program are ``start ...`` and ``state ...`` as ``exp-nim --help`` explains; its moves are ``%d %d``.
A line that is no move is answered ``error`` and the reason.  A move against the rules loses, as everywhere.
"""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import evolve

from gamecore.errors import Refused
from gamecore.games.nim import NimOptions, NimView, PileSet, Take
from gamecore.table_view import TableView
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host, News
from protocols.host.seated_link import SeatedLink
from protocols.net.line import BoundedLine
from protocols.nim import wire
from protocols.nim.server import DOOR
from protocols.nim.terminal import read_move, state_line
from protocols.nim.wire_messages import first_state, read


class PipeFace(SeatedLink, BoundedLine):
    """One program: what happens becomes lines, its lines become moves."""

    newline = b"\n"
    rate = burst = inf
    patience = 1_000_000  # who counts them is who started the program
    factory: PipeFactory

    game_time: int = 0
    order: int = 0
    _mover: int = 0

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def line_received(self, line: str) -> None:
        """Play a move."""
        if not line.strip():
            return
        try:
            stones, reset = read_move(line)
        except ValueError:
            self.send_line("error a move is the number of stones, and 1 for a reset")
            return
        self.host.submit(self, Take(stones, reset), line)

    def line_refused(self, reason_key: str) -> None:
        """Say what was wrong with a line."""
        self.send_line(f"error {reason_key}")

    # -- what the Host says -----------------------------------------------------------

    def shown(self, view: TableView) -> None:
        """Begin where the game stands."""
        if isinstance(view.board, NimView):
            last = wire.render_view(view.board, view.names)
            self._begin(view.board.options)
            if last:
                self._follow(last)

    def told(self, news: News) -> None:
        """Write a line for each state."""
        for event in news.events:
            if isinstance(event, PileSet):
                self._begin(event.options)
                return
        written = news.drawn(wire.render)
        if written and self.state:
            self._follow(written)

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Say what was refused, unless it only came too late."""
        if refusal is not None and refusal.key not in ("game-over", "table-closed", "not-seated"):
            self.send_line(f"error {refusal.key}")

    def given(self, token: str) -> None:
        """It never comes back."""

    def paused(self, trouble: str | None) -> None:
        """Wait until play goes on."""

    def parted(self, reason: str) -> None:
        """Wait for another game."""
        self.state = {}

    def _begin(self, options: NimOptions) -> None:
        self.order = self.seat or 0
        self.game_time = options.seconds
        self.state = first_state(options.stones, options.resets, options.maximum)
        self._mover = 0
        self._say("start")

    def _follow(self, written: bytes) -> None:
        state = read(written)
        if "finished" in state:
            self.state.update(state)
            self._mover = 1 - self._mover
            self._say("state")

    def _say(self, word: str) -> None:
        self.send_line(state_line(word, self, self._mover == self.order))


class PipeFactory(DoorFactory):
    """Lets in programs that the house itself has started."""

    protocol = PipeFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)


PIPE: Door = evolve(DOOR, build=PipeFactory)
