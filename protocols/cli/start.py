"""``parlour start GAME``: serve one game, write a log of it, and exit."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import entry_points
from typing import Any, TextIO, cast

from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred, inlineCallbacks
from twisted.internet.endpoints import TCP4ServerEndpoint, TCP6ServerEndpoint
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IListeningPort
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from gamecore.table_events import Abandoned, GameOver
from gamecore.table_view import TableView
from protocols.host.door import DoorFactory, OneGame, read_defaults
from protocols.host.face import News
from protocols.host.host import Host
from protocols.host.place import Place
from protocols.i18n.describe import tell
from protocols.i18n.game_text import GameText
from protocols.i18n.translate import ENGLISH
from protocols.journal.memory import MemoryJournal
from protocols.net.address import show_address

LOG_NAME = "game-log.txt"
INTERRUPTED = 130


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``start`` and the games that can be started to the commands of ``parlour``."""
    start = commands.add_parser(
        "start",
        help="serve one game, then exit",
        description="Serve one game, write a log of it, and exit.",
    )
    games = start.add_subparsers(required=True, metavar="GAME")
    for add_game in _startable():
        add_game(games, serve)


@cache
def _startable() -> Sequence[Callable[..., None]]:
    return [point.load() for point in sorted(entry_points(group="parlour.start"))]


def serve(game: OneGame) -> int:
    """Serve the game: 0 when it was played to its end, 1 when it could not be served."""
    try:
        file = open(LOG_NAME, "w", encoding="utf-8")  # noqa: SIM115 (closed with the writer)
    except OSError as problem:
        print(f"parlour start: {LOG_NAME}: {problem.strerror}", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(max_workers=1) as writer, file:
        status = _run(game, lambda line: writer.submit(_write_line, file, line))
        writer.shutdown(wait=True)
    return status


def _write_line(file: TextIO, line: str) -> None:
    print(time.strftime("%Y-%m-%d %H:%M:%S"), line, file=file, flush=True)


class GameLog:
    """A face that looks on and writes a line for all that happens; ``ended`` gets how it ended."""

    def __init__(
        self,
        text: GameText,
        write: Callable[[str], object],
        ended: Callable[[bool], None],
    ) -> None:
        self.place: Place | None = None
        self._text = text
        self._write = write
        self._ended = ended

    def shown(self, view: TableView) -> None:
        """Look on from the beginning, when there is nothing yet to say."""

    def told(self, news: News) -> None:
        """Write down what happened, and say when it is over."""
        for event in news.events:
            line = self._text.describe(event, news.names, ENGLISH)
            if isinstance(event, GameOver):  # which says who has won
                line = tell(event, news.names, self._text, ENGLISH)
            if line is not None:
                self._write(line)
            if isinstance(event, GameOver | Abandoned):
                self._ended(isinstance(event, GameOver))

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Nothing is ever asked."""

    def given(self, token: str) -> None:
        """Nobody sits here who could come back."""

    def paused(self, trouble: str | None) -> None:
        """Go on when play does."""

    def parted(self, reason: str) -> None:
        """Nothing more will come."""


class _OneGameServer:
    """One game on its way: a table for two to meet at, a new one if they part before it begins."""

    def __init__(self, game: OneGame, reactor: Any, write: Callable[[str], object]) -> None:
        self._game = game
        self._reactor = reactor
        self._write = write
        self._over: Deferred[None] = Deferred()
        registry = Registry(installed_rules())
        rules = registry.latest(game.door.kind)
        self._host = Host(Hall(registry), MemoryJournal(reactor), reactor, time.time)
        self._defaults = read_defaults(rules, game.door, game.given)
        self.factory: DoorFactory = game.door.build(self._host, self._defaults)

    def _next_table(self, over: bool = False) -> None:
        if over:
            self._over.callback(None)
            return
        table = self.factory.open_table("", private=False)
        self.factory.only = table
        log = GameLog(self._game.text, self._write, self._next_table)
        self._host.watch(log, table.code)

    @inlineCallbacks
    def run(self) -> Any:
        """Listen, wait for the game to be played, and see everybody out."""
        address, port = self._game.address, self._game.port
        endpoint = TCP6ServerEndpoint if ":" in address else TCP4ServerEndpoint
        listening: IListeningPort = yield endpoint(self._reactor, port, interface=address).listen(
            self.factory
        )
        self._next_table()
        print(f"waiting for players on {_shown(listening)}; the log is {LOG_NAME}", flush=True)
        yield self._over
        yield listening.stopListening()
        yield self.factory.when_empty()


def _run(game: OneGame, write: Callable[[str], object]) -> int:
    from twisted.internet import reactor as installed

    reactor = cast(ReactorBase, installed)
    serving = _OneGameServer(game, reactor, write)
    status: list[int] = []

    def ended(result: object) -> None:
        status.append(_explain(result) if isinstance(result, Failure) else 0)
        reactor.stop()

    # Who reads that players are waited for may send a signal, which only a reactor that runs takes for a wish.
    reactor.callWhenRunning(lambda: serving.run().addBoth(ended))
    reactor.addSystemEventTrigger(
        "before", "shutdown", lambda: serving.factory.dismiss_all("closing")
    )
    reactor.run()
    return status[0] if status else INTERRUPTED


def _shown(port: IListeningPort) -> str:
    host = cast(Any, port.getHost())
    everywhere = host.host in ("0.0.0.0", "::")
    return f"port {host.port}" if everywhere else show_address(host.host, host.port)


def _explain(failure: Failure) -> int:
    failure.trap(CannotListenError, OSError)
    print(f"parlour start: {failure.value}", file=sys.stderr)
    return 1
