"""The way of a command: it is applied, journalled and delivered; and the tables that commands go to.

A command is checked, applied in memory and appended to the journal; until its batch is committed nobody
is told.  Whatever is to be told, refusals and Views included, goes through one ``CommitQueue`` order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from attrs import evolve
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger

from gamecore.commands import (
    RESTARTED,
    Abandon,
    Agree,
    Command,
    Invite,
    Open,
    Play,
    Rematch,
    Sit,
    Start,
    TimeUp,
    Wake,
)
from gamecore.contest.result import GameResult, result_of
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.record import write_record
from gamecore.rules import Move
from gamecore.table import Table
from gamecore.table_events import GameOver, Left, Replaced
from protocols.host.bots import Bots
from protocols.host.card import card_of, write_card
from protocols.host.clocks import Clocks
from protocols.host.commit_queue import CommitQueue
from protocols.host.delivery import Delivery, prepare_delivery
from protocols.host.directory import Directory
from protocols.host.dormant import UNREACHABLE, DormantTables, StoredTable, resting_stage
from protocols.host.face import Face
from protocols.host.house import House
from protocols.host.live_table import LiveTable
from protocols.host.live_tables import LiveTables
from protocols.host.observers import Observers
from protocols.host.outbox import Outbox
from protocols.host.owner import Asking, Owner, do_nothing
from protocols.host.results_log import ResultsLog
from protocols.host.seating import check_name
from protocols.host.slices import Slices
from protocols.host.thinking import Thinking
from protocols.journal.interface import Journal
from protocols.net.cork import Cork

_GONE = {Left, Replaced}
_BEGINNING = frozenset({Agree, Invite, Rematch, Sit, Start})  # of which a game may come


class TableService:
    """The tables of one house, awake and dormant, and the one way by which they change.

    ``observers`` are told what happens; ``on_bug`` is called with a table that met a bug of ours, within the
    ``except`` that caught it, ``on_gone`` with one where a seat was given up or taken over; once it is ``closing``
    every command is refused, once it is ``draining`` each by which a game could begin.
    """

    _log = Logger()

    def __init__(
        self,
        hall: Hall,
        journal: Journal,
        clock: IReactorTime,
        wall: Callable[[], float],
        chance: Random,
        seconds: Callable[[], float],
        thinking: Thinking,
    ) -> None:
        """``wall`` tells the time of day and ``seconds`` what table time runs by, both in seconds."""
        self.hall = hall
        self.clock = clock
        self.journal = journal
        self.wall = wall
        self.closing = False
        self.draining = False
        self.observers = Observers(ResultsLog())
        self.on_bug: Callable[[LiveTable], None] = self._log_bug
        self.on_gone: Callable[[LiveTable], None] = lambda live: None
        self.cork = Cork()
        self.queue = CommitQueue(journal, clock, seconds, self.cork)
        self.outbox = Outbox(self.queue)
        self.clocks = Clocks(clock, self._time_up, seconds)
        self.thinking = thinking
        self.bots = Bots(self, chance, self.outbox.post, self.ask_bots, thinking)
        self.directory = Directory()
        self.dormant = DormantTables(hall, journal, self.directory, Slices(clock))
        journal.on_changed = self.dormant.follow
        self.live = LiveTables(
            hall, journal, self.clocks, self.dormant, self.directory, self.observers
        )

    @property
    def house(self) -> House:
        """The other daemons of the house."""
        return self.live.house

    # -- commands ---------------------------------------------------------------------

    def open(self, command: Open) -> LiveTable:
        """Open a table; raises Refused ``hall-full``, ``code-taken``, or for its options."""
        live = LiveTable(self.hall.open(command), self.clocks.seconds())
        self.live.add(live)
        self._draw_card(live)
        self._note(live)
        self._record(live, command, 0.0)
        self.observers.on_command(live.table, command, ())
        self.clocks.set(live)
        return live

    def submit(self, face: Face, move: Move, tag: object = None) -> None:
        """Play a move for the seat of a face; it hears ``told`` and ``answered`` in their time."""
        place = face.place
        if place is None or place.player is None:
            self.outbox.refuse(face, tag, Refused("not-seated"))
            return
        live = self.live.find(place.code)
        if live is None:
            self.outbox.refuse(face, tag, Refused("table-closed"))
            return
        self.do(live, Play(place.player.seat, move), face, tag)

    def do(
        self,
        live: LiveTable,
        command: Command,
        face: Face | None = None,
        tag: object = None,
        then: Callable[[], None] = do_nothing,
        otherwise: Callable[[], None] = do_nothing,
        asked: str = "",
    ) -> None:
        """Apply a command, journal it, and post what is to be told; at a mirror, have its owner do so.

        ``then`` is called where it is done, before anything that follows is; ``otherwise`` where it is refused:
        ``closing``, ``draining``, ``table-resting``, and as the table says. ``face``, if given, is answered.
        ``asked`` names it where another daemon asks for it.
        """
        try:
            self._check_may(live, command)
            if live.owner is not None:
                live.owner.ask(command, Asking(face, tag, then, otherwise))
                return
            if live.asleep_at is not None:
                self._go_on(live)
                self._check_open(live)
            check_name(live.table, command)
            now = self.clocks.now(live)
            events = live.table.apply(command, now)
            # No game ever ends by one event alone.
            result = result_of(live.table, events) if len(events) > 1 else None
        except Refused as problem:
            refusal = problem
        except Exception:
            self.on_bug(live)
            refusal = Refused("table-resting")
        else:
            self._note_what_changed(live, command, events)
            self._record(live, command, now, result, asked)
            self._post(live, events, now, face, tag)
            self._go_on_behind(live, command, events)
            then()
            return
        otherwise()
        self.outbox.refuse(face, tag, refusal)

    def _note_what_changed(
        self, live: LiveTable, command: Command, events: Sequence[Event]
    ) -> None:
        """Let bots, the directory and the index follow a command; few moves change anything for them."""
        moves = type(command) is Play
        if not moves:
            self.bots.seat(live)
            self._draw_card(live)
        if live.bots or not moves or (len(events) > 1 and not _is_noted(live)):
            self._note(live)

    def _go_on_behind(self, live: LiveTable, command: Command, events: Sequence[Event]) -> None:
        """Let those hear of a command who look on at the whole house, then clocks and bots go on."""
        self.observers.on_command(live.table, command, events)
        if len(events) > 1:
            self._post_results(live.table, events)
        self.clocks.set(live)
        self.ask_bots(live)

    def _post(
        self,
        live: LiveTable,
        events: Sequence[Event],
        now: float,
        face: Face | None,
        tag: object,
        is_kept: bool = False,
    ) -> None:
        """Let the faces at a table hear what has just happened there, in its time; what ``is_kept``, soon."""
        delivery = prepare_delivery(live, events, now, face, tag)
        gone = len(events) > 1 and not _GONE.isdisjoint(map(type, events))
        post = self.queue.deliver if is_kept and not gone else self.queue.post
        post(partial(self._deliver, delivery))
        if gone:
            self.on_gone(live)

    def check_open(self) -> None:
        """Raise Refused ``closing`` where nothing is done any more."""
        if self.closing:
            raise Refused("closing")

    def check_begins(self) -> None:
        """Raise Refused ``draining`` where no game begins any more."""
        if self.draining:
            raise Refused("draining")

    def _check_may(self, live: LiveTable, command: Command) -> None:
        self._check_open(live)
        if type(command) in _BEGINNING:
            self.check_begins()

    def _check_open(self, live: LiveTable) -> None:
        self.check_open()
        if live.recovering:
            raise Refused("table-resting")

    def _time_up(self, live: LiveTable, due: TimeUp) -> None:
        self.do(live, due)

    def drain(self) -> None:
        """Begin no game any more: no table can be joined, which other daemons of the house list so, too."""
        self.draining = True
        for live in self.live:
            if live.table.stage is Stage.GATHERING and not live.recovering:
                self._draw_card(live)
                if live.owner is None:
                    self._note(live)

    def ask_bots(self, live: LiveTable) -> None:
        """Let each bot think whose seat is to move."""
        if live.bots and not live.recovering and not self.closing:
            self.bots.ask(live, self.clocks.now(live))

    def _draw_card(self, live: LiveTable) -> None:
        """Let the directory follow; no move changes a card, but where it changes the stage."""
        live.card = card_of(live.table, self.draining)
        self.directory.put(live.card)

    def _note(self, live: LiveTable) -> None:
        """Let the journal's index follow what must be known of a table that is not awake."""
        table = live.table
        if live.card is None or live.card.stage is not table.stage:
            self._draw_card(live)
        assert live.card is not None
        stage = resting_stage(table) if table.reachable else UNREACHABLE
        state = (stage, Bots.awaited(live), live.began, live.card)
        if state != live.noted:
            live.noted = state
            self.journal.note(table.code, table.rules.kind, *state[:3], write_card(live.card))

    def _record(
        self,
        live: LiveTable,
        command: Command,
        now: float,
        result: GameResult | None = None,
        asked: str = "",
    ) -> None:
        table = live.table
        record = write_record(table.code, table.sequence, now, self.wall(), command, live.head)
        if result is not None or asked:
            record = evolve(record, result=result, asked=asked)
        live.head = record.hash
        self.queue.record(record)
        if live.mirrors:
            self.queue.post(partial(self.house.tell, live, record))

    def _post_results(self, table: Table, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, GameOver):
                self.queue.post(partial(self.observers.on_game_over, table, event))

    def _deliver(self, delivery: Delivery) -> None:
        delivery.deliver(self.outbox.tell)
        self.live.let_go(delivery.live)

    def _log_bug(self, live: LiveTable) -> None:
        self._log.failure("a bug at table {code}", code=live.table.code)

    # -- tables that come into memory, and that become ours -----------------------------

    def add_woken(self, stored: StoredTable) -> None:
        """Keep a table that was read, unless another call was first; it sleeps until something is done at it."""
        table = stored.table
        if table.code in self.live:
            return
        live = LiveTable(table, self.clocks.seconds() - stored.at, stored.head)
        live.saved = table.sequence
        live.asleep_at, live.rested, table.asleep = stored.at, stored.rested, True
        self.live.add(live)
        self._draw_card(live)

    def add_mirror(
        self, stored: StoredTable, began: float, owner: Owner, asleep_at: float | None = None
    ) -> LiveTable:
        """Keep a table of another daemon as it was read; ``began`` is our house's time at table time 0 there.

        With ``asleep_at`` it sleeps there, at that table time.
        """
        live = LiveTable(stored.table, began, stored.head, owner=owner)
        live.saved = stored.table.sequence
        live.asleep_at, live.table.asleep = asleep_at, asleep_at is not None
        self.dormant.keep(stored)
        self.live.add(live)
        self._draw_card(live)
        return live

    def follow(
        self, live: LiveTable, command: Command, at: float, head: str, asking: Asking
    ) -> None:
        """Do at a mirror what is in the record, whose last hash is ``head`` then.

        Raises what ``Table.apply`` does; the mirror is not to be trusted then.
        """
        live.asleep_at, live.table.asleep = None, False
        events = live.table.apply(command, at)
        live.head = head
        live.began = self.clocks.seconds() - at
        if type(command) is not Play or len(events) > 1:
            self._draw_card(live)
        # With any other command somebody may come, who is not there yet.
        moves = type(command) is Play
        self._post(live, events, at, asking.face, asking.tag, is_kept=moves)
        asking.then()

    def own(self, live: LiveTable, at: float) -> None:
        """Go on with a table that was a mirror and is ours from now, at a table time."""
        live.owner = None
        if live.asleep_at is not None:
            live.asleep_at = at
            self._go_on(live)
            return
        live.began = self.clocks.seconds() - at
        self.bots.seat(live)
        self._draw_card(live)
        self._note(live)
        self.clocks.set(live)
        self.ask_bots(live)

    def is_elsewhere(self, code: str) -> bool:
        """Say whether another daemon of the house has a table awake."""
        live = self.live.find(code)
        return bool(self.dormant.owner(code)) if live is None else live.owner is not None

    # -- tables that sleep -------------------------------------------------------------

    def rouse(self, live: LiveTable) -> None:
        """Let a table that sleeps go on before anything else is done: all who were present are away from now.

        A game is void, and the table given up, if somebody without a token was in it: while the house lives such
        a one holds the table awake, or has left it, so it is the house that went down.
        """
        stays = self.closing or live.recovering or live.owner is not None
        if live.asleep_at is not None and not stays:
            self._go_on(live)

    def _go_on(self, live: LiveTable) -> None:
        assert live.asleep_at is not None
        live.began = self.clocks.seconds() - live.asleep_at
        live.asleep_at = live.rested = None
        live.table.asleep = False
        self.do(live, Wake() if live.table.resumable else Abandon(RESTARTED))


def _is_noted(live: LiveTable) -> bool:
    """Say whether the journal's index knows the stage of a table, and when it began: all that a move may change."""
    noted, card = live.noted, live.card
    same_stage = card is not None and card.stage is live.table.stage
    return same_stage and noted is not None and noted[2] == live.began
