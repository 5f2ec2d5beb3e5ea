"""The way of a command: it is applied, journalled and delivered; and the tables that commands go to.

A command is checked, applied in memory and appended to the journal; until its batch is committed nobody
is told.  Whatever is to be told, refusals and Views included, goes through one ``CommitQueue`` order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from attrs import evolve
from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.commands import (
    RESTARTED,
    Abandon,
    Command,
    Invite,
    Open,
    Play,
    Replace,
    Sit,
    TimeUp,
    Wake,
)
from gamecore.contest.result import GameResult, result_of
from gamecore.errors import Refused
from gamecore.events import Event
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
from protocols.host.live_table import LiveTable
from protocols.host.live_tables import LiveTables
from protocols.host.observers import Observers
from protocols.host.outbox import Outbox
from protocols.host.results_log import ResultsLog
from protocols.host.slices import Slices
from protocols.host.thinking import Thinking
from protocols.i18n.look_alikes import alike
from protocols.journal.interface import Journal
from protocols.net.cork import Cork

_GONE = {Left, Replaced}


class TableService:
    """The tables of one house, awake and dormant, and the one way by which they change.

    ``observers`` are told what happens; ``on_bug`` is called with a table that met a bug of ours, within the
    ``except`` that caught it, ``on_gone`` with one where a seat was given up or taken over; once it is ``closing``
    every command is refused.
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
        self.dormant.on_bots = self._wake_all
        journal.on_changed = self.dormant.follow
        self._waking: dict[str, list[Deferred[None]]] = {}
        self.live = LiveTables(
            hall, journal, self.clocks, self.dormant, self.directory, self.observers
        )

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
        self, live: LiveTable, command: Command, face: Face | None = None, tag: object = None
    ) -> bool:
        """Apply a command, journal it, and post what is to be told; False if it was refused.

        Refused ``closing``, ``table-resting``, and as the table says; ``face``, if given, is answered.
        """
        table = live.table
        try:
            self._check_open(live)
            if live.asleep_at is not None:
                self._go_on(live)
                self._check_open(live)
            _check_name(table, command)
            now = self.clocks.now(live)
            events = table.apply(command, now)
            result = (
                result_of(table, events) if len(events) > 1 else None
            )  # a game never ends alone
        except Refused as refusal:
            self.outbox.refuse(face, tag, refusal)
            return False
        except Exception:
            self.on_bug(live)
            self.outbox.refuse(face, tag, Refused("table-resting"))
            return False
        if type(command) is not Play:
            self.bots.seat(live)
            self._draw_card(live)
        if live.bots or type(command) is not Play or (len(events) > 1 and not _is_noted(live)):
            self._note(live)
        self._record(live, command, now, result)
        delivery = prepare_delivery(live, events, now, face, tag)
        self.queue.post(partial(self._deliver, delivery))
        self.observers.on_command(table, command, events)
        if len(events) > 1:
            self._post_results(table, events)
            if not _GONE.isdisjoint(map(type, events)):
                self.on_gone(live)
        self.clocks.set(live)
        self.ask_bots(live)
        return True

    def check_open(self) -> None:
        """Raise Refused ``closing`` where nothing is done any more."""
        if self.closing:
            raise Refused("closing")

    def _check_open(self, live: LiveTable) -> None:
        self.check_open()
        if live.recovering:
            raise Refused("table-resting")

    def _time_up(self, live: LiveTable, due: TimeUp) -> None:
        self.do(live, due)

    def ask_bots(self, live: LiveTable) -> None:
        """Let each bot think whose seat is to move."""
        if live.bots and not live.recovering and not self.closing:
            self.bots.ask(live, self.clocks.now(live))

    def _draw_card(self, live: LiveTable) -> None:
        """Let the directory follow; no move changes a card, but where it changes the stage."""
        live.card = card_of(live.table)
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
        self, live: LiveTable, command: Command, now: float, result: GameResult | None = None
    ) -> None:
        table = live.table
        record = write_record(table.code, table.sequence, now, self.wall(), command, live.head)
        if result is not None:
            record = evolve(record, result=result)
        live.head = record.hash
        self.queue.record(record)

    def _post_results(self, table: Table, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, GameOver):
                self.queue.post(partial(self.observers.on_game_over, table, event))

    def _deliver(self, delivery: Delivery) -> None:
        delivery.deliver(self.outbox.tell)
        self.live.let_go(delivery.live)

    def _log_bug(self, live: LiveTable) -> None:
        self._log.failure("a bug at table {code}", code=live.table.code)

    # -- tables that are not awake ----------------------------------------------------

    def wake(self, code: str) -> Deferred[None]:
        """Bring a table back into memory, if it is not; fails with Refused if that cannot be done.

        The keys: ``no-such-table``, ``table-away``, ``table-unreadable``, ``table-resting``, ``closing``.
        """
        if code in self.live:
            return succeed(None)
        done: Deferred[None] = Deferred()
        if code in self._waking:  # it is read once for all who come meanwhile
            self._waking[code].append(done)
        else:
            self._waking[code] = [done]
            waking = self.dormant.take(code).addCallback(self._woken)
            waking.addBoth(self._tell_who_waits, code)
        return done

    def seek(self, code: str) -> Deferred[None] | None:
        """Ask the journal for a table that is not listed, but that another run may have opened just now.

        None where there is nothing to ask. Fires when it is listed, or when there is none; fails with Refused
        ``table-unreadable``, ``table-resting``, ``closing``.
        """
        code = code.upper()
        if code in self.directory or code in self.dormant or not self.dormant.may_have(code):
            return None
        return self.wake(code).addCallbacks(self._let_rest, _not_there, callbackArgs=(code,))

    def _let_rest(self, _: None, code: str) -> None:
        """Let a table go that was only looked for, behind whoever comes to it now."""
        live = self.live.find(code)
        if live is not None:
            self.queue.post(partial(self.live.let_go, live))

    def _tell_who_waits(self, result: Failure | None, code: str) -> None:
        """Let those go on who wait for a table, in the order in which they came."""
        for done in self._waking.pop(code):
            if result is None and code not in self.live:  # it went to rest behind the one before
                self.wake(code).chainDeferred(done)
            else:
                done.callback(result)

    def _woken(self, stored: StoredTable) -> None:
        """Keep a table that was read, unless another call was first; it sleeps until something is done at it."""
        table = stored.table
        if table.code in self.live:
            return
        live = LiveTable(table, self.clocks.seconds() - stored.at, stored.head)
        live.saved = table.sequence
        live.asleep_at, live.rested, table.asleep = stored.at, stored.rested, True
        self.live.add(live)
        self._draw_card(live)

    def rouse(self, live: LiveTable) -> None:
        """Let a table that sleeps go on before anything else is done: all who were present are away from now.

        A game is void, and the table given up, if somebody without a token was in it: while the house lives such
        a one holds the table awake, or has left it, so it is the house that went down.
        """
        if live.asleep_at is not None and not (self.closing or live.recovering):
            self._go_on(live)

    def _go_on(self, live: LiveTable) -> None:
        assert live.asleep_at is not None
        live.began = self.clocks.seconds() - live.asleep_at
        live.asleep_at = live.rested = None
        live.table.asleep = False
        self.do(live, Wake() if live.table.resumable else Abandon(RESTARTED))

    def wake_bots(self) -> Deferred[None]:
        """Learn from the journal which tables there are, and wake those where a bot is to move."""
        return self.dormant.fill().addCallback(self._wake_all)

    def _wake_all(self, waiting: Sequence[str]) -> None:
        for code in waiting:
            waking = self.wake(code).addCallback(partial(self._rouse_at, code))
            waking.addErrback(lambda failure: failure.trap(Refused))

    def _rouse_at(self, code: str, _: None) -> None:
        live = self.live.find(code)
        if live is not None:
            self.rouse(live)
            self.live.let_go(live)  # it had ended, and the journal was not told


def _not_there(failure: Failure) -> None:
    """Go on where nobody is to be let in, and the directory says why: another has it awake, or nobody has it."""
    refused = failure.value if failure.check(Refused) else None
    if not isinstance(refused, Refused) or refused.key not in ("table-away", "no-such-table"):
        failure.raiseException()


def _check_name(table: Table, command: Command) -> None:
    """Refuse a name that people would take for another's at the table (``name-taken``).

    Here, and not by the table itself: what looks alike may be known better one day than when a record was written.
    """
    if isinstance(command, Sit | Invite | Replace) and alike(
        command.name, table.called(but=command.seat)
    ):
        raise Refused("name-taken")


def _is_noted(live: LiveTable) -> bool:
    """Say whether the journal's index knows the stage of a table, and when it began: all that a move may change."""
    noted, card = live.noted, live.card
    same_stage = card is not None and card.stage is live.table.stage
    return same_stage and noted is not None and noted[2] == live.began
