"""What must be true of a whole hall at any moment."""

from __future__ import annotations

from collections import Counter
from functools import partial

from twisted.logger import LogLevel, formatEvent, globalLogPublisher

from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.table_view import Detail
from protocols.host.bots import BotFace
from protocols.host.clocks import Clocks
from protocols.host.commit_queue import CommitQueue
from protocols.lobby.session import Session
from protocols.net.link import Link
from protocols.net.pacing import Pacer
from protocols.net.timeout import Timeout
from tests.simulation.cable import Cable
from tests.simulation.house import House, PlantedBug
from tests.simulation.stormy import StormyJournal, Unanswered

_ROUNDING = 0.01
_LIVE = (Stage.PLAYING, Stage.BETWEEN_ROUNDS)


class Log:
    """Listens to the log while a ``with`` lasts: what is an error there is a bug of ours."""

    def __enter__(self):
        self.bugs = []
        globalLogPublisher.addObserver(self._hear)
        return self

    def __exit__(self, *_):
        globalLogPublisher.removeObserver(self._hear)

    def _hear(self, event):
        level, text = event.get("log_level", LogLevel.info), event.get("log_format") or ""
        failure = event.get("log_failure")
        if failure is not None and failure.check(PlantedBug, Unanswered):
            return
        if failure is not None:
            self.bugs.append(f"{text}\n{failure.getTraceback()}")
        elif level >= LogLevel.error and not text.startswith("play is paused"):
            self.bugs.append(formatEvent(event))

    def check(self):
        """Raise AssertionError for the first thing logged that is our fault."""
        assert not self.bugs, self.bugs[0]


# -- tables ---------------------------------------------------------------------------


def check_table(house, book, live):
    """See that a table is what its record gives, that somebody or something moves it on, and that its sums hold."""
    if live.recovering:
        return
    check_record(house, book, live)
    check_moves_on(house, live)
    check_people(live)
    check_sums(live.table)


def check_record(house, book, live):
    """Compare what every audience sees with what the committed lines give."""
    table = live.table
    twin = book.twins.get(table.code)
    known = 0 if twin is None else twin.count
    missing = table.sequence + 1 - known
    waiting = [*house.journal.under_way, *house.host.service.queue._records]
    assert missing == sum(each.table == table.code for each in waiting), f"{table.code} lacks lines"
    if missing or twin is None:
        return
    other, now = twin.table, house.host.service.clocks.now(live)
    for seat in (None, *table.seated()):
        assert table.seen_by(seat, now) == other.seen_by(seat, now), f"{table.code}, seat {seat}"
        mine, theirs = (each.turn_of(seat, now, Detail.MOVES) for each in (table, other))
        assert mine == theirs, f"{table.code}, seat {seat}"
    assert table.alarm() == other.alarm(), f"{table.code}: {table.alarm()}, {other.alarm()}"
    assert live.head == twin.head, f"{table.code} goes on from another line"


def check_moves_on(house, live):
    """See that nobody waits for what will never come."""
    table, clocks = live.table, house.host.service.clocks
    awaited = table.awaited()
    assert bool(awaited) == (table.stage in _LIVE), f"{table.code} waits for nobody"
    if clocks.standing:
        assert house.journal.waits, "time stands still without a reason"
        assert live.timer is None, f"{table.code} has a timer while time stands still"
        return
    at = table.alarm_at()
    alarm = table.alarm()
    assert at == (None if alarm is None else alarm.at), f"{table.code}: {at}, {alarm}"
    if at is not None:
        rings = live.timer.getTime() if live.timer is not None else None
        due = house.clock.seconds() + max(0.0, at - clocks.now(live))
        assert rings is not None and rings <= due + _ROUNDING, (
            f"{table.code} rings at {rings} for {due}"
        )
    elif awaited and not table._game.clock.stands:  # else it waits for somebody, by its option
        people = {face.place.player.seat for face in live.holders if face.place is not None}
        bots = {bot.seat for bot in live.bots}
        assert awaited & (people | bots), f"{table.code} waits for {awaited} without an alarm"
    answered = (
        house.host.service.queue._busy
    )  # or is on its way to be, and will be asked again if refused
    people_say = table.stage is Stage.BETWEEN_ROUNDS and any(
        core.level is None and table.presence(seat) is not Presence.GONE
        for seat, core in table.seated().items()
    )
    for bot in live.bots:
        assert people_say or bot.seat not in awaited or bot.asked or answered, (
            f"a bot at {table.code} was not asked"
        )


def check_people(live):
    """See that who speaks for a seat has a link, and sits there."""
    seated = list(live.table.seated().values())
    for face in (*live.faces, *live.holders):
        assert face.place is not None and face.place.code == live.table.code, face
        assert not isinstance(face, Link) or face.connected, f"{face} is at a table, and gone"
    holders = [face.place.player for face in live.holders]
    assert len({id(each) for each in holders}) == len(holders), "two speak for one seat"
    if live.table.stage is Stage.ABANDONED:
        return
    there = [core for core in seated if live.table.presence(core.seat).value == "here"]
    for core in there:
        held = core.level is not None or any(core is each for each in holders)
        assert held, f"{core.name} at {live.table.code} is here by no link"


def check_sums(table):
    """See that no card and no point was lost or made."""
    check = _SUMS.get(table.rules.kind)
    boards = [table._game.seen_by(seat) for seat in sorted(table.seated())]
    if check is not None and boards and boards[0] is not None:
        check(boards)


def _check_nim(boards):
    board = boards[0].board
    assert board.left >= 0 and min(board.resets) >= 0, board


def _check_gops(boards):
    view = boards[0]
    most = view.options.cards
    played = len(view.shown)
    for hand, own in zip(view.hands, (v.own for v in boards), strict=False):
        assert len(hand) + played == most, view
        assert own is None or own in hand, view
    won = sum(view.scores) + sum(view.pot)
    whole = most * (most + 1) // 2
    assert won <= whole, view
    if view.options.ties == "carry" and view.over and view.forfeit is None:
        assert won == whole, view


def _check_pass123(boards):
    held = Counter()
    for view in boards:
        cards = [*view.hand, *([view.named] if view.named is not None else [])]
        assert len(cards) == 4, view
        held.update(cards)
    if len(boards) == boards[0].players:
        assert max(held.values()) == 1, held
        ranks = Counter(card.rank for card in held)
        assert set(ranks.values()) == {4}, ranks


def _check_rikiki(boards):
    view = boards[0]
    assert sum(view.won) == len(view.tricks), view
    trick = 0 if view.phase != "playing" or len(view.table) == len(view.order) else len(view.table)
    assert sum(view.held) + trick + len(view.order) * len(view.tricks) <= view.cards * len(
        view.order
    )
    for each in boards:
        assert len(each.hand) == each.held[each.seat], each
    hands = Counter(card for each in boards for card in each.hand)
    assert not hands or max(hands.values()) == 1, hands


_SUMS = {
    "nim": _check_nim,
    "gops": _check_gops,
    "pass123": _check_pass123,
    "rikiki": _check_rikiki,
}


# -- timers ---------------------------------------------------------------------------


def check_timers(house):
    """See that each timer is somebody's who is still there."""
    owners = Counter(_owner_of(house, call) for call in house.clock.getDelayedCalls())
    assert owners["outgoing"] <= 1 and owners["house"] == 1, owners
    for live in house.live():
        timer = live.timer
        assert timer is None or timer.active(), f"{live.table.code} has a timer that has rung"


def _owner_of(house, call):
    func = call.func
    while isinstance(func, partial):
        func = func.func
    owner = getattr(func, "__self__", None)
    match owner:
        case Clocks():
            mine = [each for each in house.live() if each.timer is call]
            assert mine == [call.args[0]], f"a timer without a table: {call}"
            return "table"
        case Link():
            assert owner.connected, f"a timer without a link: {call}"
            return "link"
        case Session():  # in the hall, that waits for bots
            assert owner.line.connected, f"a timer without a link: {call}"
            return "link"
        case Pacer():
            assert owner._write.__self__.connected, f"a timer without a link: {call}"
            return "link"
        case Timeout():
            assert owner._then.__self__.connected, f"a timer without a link: {call}"
            return "link"
        case BotFace():
            bots = [bot for each in house.live() for bot in each.bots]
            assert any(owner is bot for bot in bots), f"a timer without a bot: {call}"
            return "bot"
        case CommitQueue():
            assert owner is house.host.service.queue, f"a timer of an older daemon: {call}"
            return "outgoing"
        case StormyJournal():
            assert owner is house.journal, f"a timer of an older daemon: {call}"
            return "journal"
        case House():
            return "house"
        case Cable():
            return "cable"
    raise AssertionError(f"whose timer is {call}?")
