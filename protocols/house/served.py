"""The tables of ours that other daemons mirror: they hear what is done here, and ask for more."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from twisted.internet.interfaces import IDelayedCall

from gamecore.commands import Command, GiveToken, Play, Return, Sit
from gamecore.errors import Refused
from gamecore.player import PlayerCore
from gamecore.record import Record, read_command
from gamecore.table_view import TableView
from protocols.host.attachments import Attachments
from protocols.host.face import News
from protocols.host.live_table import LiveTable
from protocols.host.owner import Asking
from protocols.host.place import Place
from protocols.host.table_service import TableService
from protocols.house import wire
from protocols.house.links import Links
from protocols.house.mirror import is_own
from protocols.house.mirrors import Mirrors
from protocols.house.wire import ASLEEP, AWAKE, MOVED, NO_COUNT, NO_ONE

GRACE_SECONDS = (
    3.0  # for which a link may be lost, before those who are held at its other end are away
)


class _Far:
    """Somebody at another daemon who has asked for something."""

    place: Place | None = None

    def __init__(self, refuse: Callable[[Refused], None]) -> None:
        self._refuse = refuse

    def shown(self, view: TableView) -> None:
        """Nothing is shown to them here."""

    def told(self, news: News) -> None:
        """They hear the record."""

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Hear that it is refused; that it is done, they hear by its record."""
        if refusal is not None:
            self._refuse(refusal)

    def given(self, token: str) -> None:
        """Nothing is given to them here."""

    def paused(self, trouble: str | None) -> None:
        """Their own daemon tells them."""

    def parted(self, reason: str) -> None:
        """They are at no table here."""


class Served:
    """Says to other daemons what is done at our tables, and does what they ask for."""

    def __init__(
        self,
        service: TableService,
        links: Links,
        attachments: Attachments,
        mirrors: Mirrors,
    ) -> None:
        self._service = service
        self._links = links
        self._attachments = attachments
        # By code, the players who are held at other daemons, by name, and at which.
        self._held: dict[str, dict[str, int]] = {}
        # By code, who would mirror a table of which it is not known yet whether it will be ours.
        self._waiting: dict[str, list[int]] = {}
        self._mirrors = mirrors
        mirrors.on_settled = self.settle
        self._leaving: dict[int, IDelayedCall] = {}  # runs whose links are lost
        self._trouble: str | None = None  # why play is paused here
        links.hear("s", self._serve)
        links.hear("u", self._leave)
        links.hear("c", self._do)
        links.hear("o", self._seat)
        links.hear("q", self._catch_up)
        links.hear("w", self._seat_still)
        links.on_linked.append(self._linked)
        links.on_lost.append(self._lost)

    # -- who mirrors what -----------------------------------------------------------------------

    def _ours(self, code: str) -> LiveTable | None:
        """Find a table that is in memory here, and ours."""
        live = self._service.live.find(code)
        if live is None or live.owner is not None or live.recovering or self._service.closing:
            return None
        return live

    def _serve(self, run: int, rest: bytes) -> None:
        """Let a run hear all that is done at a table from now on."""
        code = rest.decode()
        live, mirror = self._ours(code), self._mirrors.find(code)
        if live is None and mirror is not None and not mirror.linked:
            self._waiting.setdefault(code, []).append(run)
        elif live is None:
            self._links.say(run, "n", code)
        else:
            live.mirrors[run] = None
            self._service.queue.post(partial(self._taken, run, live))

    def settle(self, code: str) -> None:
        """Answer those who would mirror a table of which it is known now whose it is."""
        for run in self._waiting.pop(code, ()):
            self._serve(run, code.encode())

    def _taken(self, run: int, live: LiveTable) -> None:
        if run in live.mirrors:
            at = self._service.clocks.now(live)
            state = AWAKE if live.asleep_at is None else ASLEEP
            self._links.say(run, "t", live.table.code, repr(at), state)

    def _leave(self, run: int, rest: bytes) -> None:
        live = self._service.live.find(rest.decode())
        if live is not None and run in live.mirrors:
            self._forget(live, run)

    def _forget(self, live: LiveTable, run: int) -> None:
        """Have one mirror less; the next is the heir."""
        del live.mirrors[run]
        held = self._held.get(live.table.code, {})
        for name in [name for name, where in held.items() if where == run]:
            del held[name]
        if not live.mirrors:
            self._held.pop(live.table.code, None)
        else:
            self._links.say(next(iter(live.mirrors)), "e", live.table.code)
        self._service.queue.post(partial(self._service.live.let_go, live))

    # -- what is done at it -----------------------------------------------------------------------

    def tell(self, live: LiveTable, record: Record) -> None:
        """Let those who mirror a table hear a record that is written down."""
        for run in live.mirrors:
            self._links.say(run, "r", record.table, record.asked or NO_ONE, record.line)

    def pause(self, trouble: str | None) -> None:
        """Let all others hear at once that play is paused here, and why, or that it goes on."""
        self._trouble = trouble
        self._links.say_all("z", json.dumps(trouble))

    def _do(self, run: int, rest: bytes) -> None:
        """Do what somebody at another daemon asks for."""
        asked, code, number, most, written = rest.split(b" ", 4)
        refuse = partial(self._refuse, run, code.decode(), asked.decode())
        live = self._ours(code.decode())
        if live is None or run not in live.mirrors:
            self._links.say(run, "n", code)
            return
        command = read_command(json.loads(written), live.table.rules)
        if int(number) != live.table.number:
            refuse(Refused(MOVED))
        elif is_own(command) and not self._speaks_for(run, live, command):
            refuse(Refused("not-now"))  # they have come back elsewhere meanwhile
        elif isinstance(command, Play) and _is_late(live, command.seat, most.decode()):
            refuse(Refused("not-now"))  # they have come back elsewhere, and moved there
        else:
            then = partial(self._done, run, live, command)
            self._service.do(live, command, _Far(refuse), then=then, asked=asked.decode())

    def _refuse(self, run: int, code: str, asked: str, refusal: Refused) -> None:
        facts = json.dumps(refusal.facts, default=str)
        self._links.say(run, "x", code, asked, refusal.key, facts)

    def _done(self, run: int, live: LiveTable, command: Command) -> None:
        if isinstance(command, Sit | Return) and getattr(command, "level", None) is None:
            self._hold(live, live.table.player(command.seat), run)

    # -- who is held where ------------------------------------------------------------------------

    def _hold(self, live: LiveTable, player: PlayerCore, run: int) -> None:
        """Take note that a player is held at a run, and let whoever held them hear so."""
        held = self._held.setdefault(live.table.code, {})
        before = held.get(player.name)
        held[player.name] = run
        if before is not None and before != run:
            self._links.say(before, "g", live.table.code, json.dumps(player.name))
        here = live.holder(player)
        if here is not None:
            self._attachments.part_with(here, "taken-over")

    def _speaks_for(self, run: int, live: LiveTable, command: Command) -> bool:
        """Say whether a run holds the player of whose seat a command is, or nobody sits there."""
        seat = getattr(command, "seat", None)
        player = None if seat is None else live.table.seated().get(seat)
        if player is None:
            return True
        held = self._held.get(live.table.code, {}).get(player.name)
        return held == run and live.holder(player) is None

    def _is_held_elsewhere(self, run: int, live: LiveTable, player: PlayerCore) -> bool:
        held = self._held.get(live.table.code, {}).get(player.name, run)
        return held != run or live.holder(player) is not None

    def _seat(self, run: int, rest: bytes) -> None:
        """Have a player held at another daemon from now on, where all is seen then that was done before."""
        code, asked, name = rest.split(b" ", 2)
        live, player = self._player(run, code + b" " + name)
        if live is None:
            self._links.say(run, "n", code)
            return
        refuse = partial(self._refuse, run, code.decode(), asked.decode())
        if player is None or not live.table.sits(player):
            refuse(Refused("unknown-token"))
            return
        self._service.rouse(live)
        was_elsewhere = self._held.get(live.table.code, {}).get(player.name) != run
        self._hold(live, player, run)
        far, by = _Far(refuse), asked.decode()
        if self._attachments.bring_back(live, player, Asking(far), by):
            return
        if was_elsewhere and player.token is not None:
            self._service.do(live, GiveToken(player.seat, player.token), far, asked=by)
        else:
            self._answer(run, code, asked)

    def _catch_up(self, run: int, rest: bytes) -> None:
        """Let a run hear when all has been told to it that was done until now."""
        code, asked = rest.split(b" ")
        live = self._ours(code.decode())
        if live is None or run not in live.mirrors:
            self._links.say(run, "n", code)
        else:
            self._answer(run, code, asked)

    def _answer(self, run: int, code: bytes, asked: bytes) -> None:
        self._service.queue.post(partial(self._links.say, run, "a", code, asked))

    def _seat_still(self, run: int, rest: bytes) -> None:
        """Hear that a player is held at another daemon as before, of which we may know better."""
        live, player = self._player(run, rest)
        if live is None or player is None:
            return
        if self._is_held_elsewhere(run, live, player):
            self._links.say(run, "g", live.table.code, json.dumps(player.name))
        else:
            self._hold(live, player, run)
            self._attachments.bring_back(live, player, asked=wire.name_of(run))

    def _player(self, run: int, rest: bytes) -> tuple[LiveTable | None, PlayerCore | None]:
        """Find a table of ours that a run mirrors, and a player there, by their name."""
        code, name = rest.split(b" ", 1)
        live, called = self._ours(code.decode()), json.loads(name)
        if live is None or run not in live.mirrors:
            return None, None
        players = live.table.seated().values()
        return live, next((each for each in players if each.name == called), None)

    def seated(self, live: LiveTable, player: PlayerCore) -> None:
        """Hear that a player of a table of ours is held here from now on."""
        run = self._held.get(live.table.code, {}).pop(player.name, None)
        if run is not None:
            self._links.say(run, "g", live.table.code, json.dumps(player.name))

    def holds(self, live: LiveTable, player: PlayerCore) -> bool:
        """Say whether a player of a table of ours is held at another daemon."""
        return player.name in self._held.get(live.table.code, {})

    def forget(self, live: LiveTable) -> None:
        """Know nothing more of a table that is ours no more."""
        self._held.pop(live.table.code, None)

    def drop_unheld(self, live: LiveTable) -> None:
        """Have all away whom nobody holds, at a table that has come to us from a daemon that is gone."""
        if live.owner is None and self._service.live.find(live.table.code) is live:
            for player in list(live.table.seated().values()):
                if (
                    player.level is None
                    and not live.holder(player)
                    and not self.holds(live, player)
                ):
                    self._attachments.lose(live, player)

    # -- links ------------------------------------------------------------------------------------

    def _linked(self, run: int) -> None:
        if self._trouble is not None:
            self._links.say(run, "z", json.dumps(self._trouble))
        leaving = self._leaving.pop(run, None)
        if leaving is not None:
            leaving.cancel()

    def _lost(self, run: int) -> None:
        """Wait a little for a link that is lost."""
        if not self._links.closing and run not in self._leaving:
            clock = self._service.clock
            self._leaving[run] = clock.callLater(GRACE_SECONDS, self._gone, run)

    def _gone(self, run: int) -> None:
        """Have all away who were held at a daemon that is out of reach."""
        del self._leaving[run]
        for live in self._service.live:
            if run not in live.mirrors:
                continue
            held = self._held.get(live.table.code, {})
            names = [name for name, where in held.items() if where == run]
            self._forget(live, run)
            for player in list(live.table.seated().values()):
                if player.name in names:
                    self._attachments.lose(live, player)

    def stop(self) -> None:
        """Wait for nobody any more."""
        for leaving in self._leaving.values():
            leaving.cancel()
        self._leaving.clear()


def _is_late(live: LiveTable, seat: int, most: str) -> bool:
    """Say whether a player has made more moves than whoever asked for one could know of."""
    player = live.table.seated().get(seat)
    return most != NO_COUNT and player is not None and player.played > int(most)
