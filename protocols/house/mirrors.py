"""The tables of other daemons that are shown here, record by record as their owners write them down."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from attrs import Factory, define
from twisted.internet.defer import Deferred, fail, succeed
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.commands import GiveToken, Return
from gamecore.errors import Refused
from gamecore.player import PlayerCore
from gamecore.record import read_command
from protocols.host.attachments import Attachments
from protocols.host.dormant import StoredTable
from protocols.host.live_table import LiveTable
from protocols.host.owner import Asking
from protocols.host.table_service import TableService
from protocols.host.unread import log_unread
from protocols.house import wire
from protocols.house.answers import Answers
from protocols.house.links import Links
from protocols.house.mirror import Early, Mirror, is_own
from protocols.house.wire import ASLEEP, NO_ONE
from protocols.journal.errors import JournalFailed
from protocols.journal.house import Followed
from protocols.journal.linked import LinkedJournal


class Broken(Exception):
    """What an owner has written does not follow what is shown here."""


@define(eq=False)
class _Coming:
    """A table that is about to be mirrored: whose it is, and the records that have come before it is read."""

    run: int
    done: Deferred[bool] = Factory(Deferred)
    early: list[Early] = Factory(list)


class Mirrors:
    """Every mirror by the code of its table; what becomes of one whose owner is gone is ``Adoption``'s.

    ``on_settled`` is called with the code of a table whose owner was not known, once it is; ``on_unread`` with a
    mirror of which the record cannot be read now.
    """

    _log = Logger()

    def __init__(
        self,
        service: TableService,
        journal: LinkedJournal,
        links: Links,
        attachments: Attachments,
    ) -> None:
        self._service = service
        self._attachments = attachments
        self._journal = journal
        self._links = links
        self._by_code: dict[str, Mirror] = {}
        self._coming: dict[str, _Coming] = {}
        self._numbers = count(1)
        self.answers = Answers(service, links, attachments, self._find_of)
        self._paused: dict[int, str] = {}  # linked runs where play is paused, and why
        self.on_settled: Callable[[str], None] = lambda code: None
        self.on_unread: Callable[[Mirror], None] = lambda mirror: None
        links.hear("t", self._taken)
        links.hear("r", self._heard)
        links.hear("g", self._held_elsewhere)
        links.hear("e", self._inherit)

    def find(self, code: str) -> Mirror | None:
        """Find the mirror of a table."""
        return self._by_code.get(code)

    def _find_of(self, run: int, code: str) -> Mirror | None:
        mirror = self._by_code.get(code)
        return mirror if mirror is not None and mirror.run == run else None

    def of(self, run: int) -> Sequence[Mirror]:
        """List the mirrors of a run's tables."""
        return [each for each in self._by_code.values() if each.run == run]

    # -- a new mirror ---------------------------------------------------------------------

    def open(self, code: str, run: int) -> Deferred[bool]:
        """Mirror a table that a run has awake; fires with False if that has it no more.

        Fails with Refused ``table-away`` where we are not linked to it, or play is paused there.
        """
        if not run:  # it is about to be somebody's
            return succeed(False)
        if run not in self._links.runs or run in self._paused:
            return fail(Refused("table-away"))
        coming = self._coming[code] = _Coming(run)
        self._links.say(run, "s", code)
        return coming.done

    def _taken(self, run: int, rest: bytes) -> None:
        """Hear that all records of a table come from now on: read those before."""
        code, at, state = rest.decode().split(" ")
        began = self._service.clocks.seconds() - float(at)
        coming, mirror = self._coming.get(code), self._find_of(run, code)
        if coming is not None and coming.run == run:
            asleep_at = float(at) if state == ASLEEP else None
            reading = self.read(code).addCallback(self._show, coming, code, began, asleep_at)
            reading.addErrback(self._cannot_show, coming, code)
        elif mirror is not None:
            early = mirror.early = []
            catching_up = self._journal.mirror(code, mirror.live.table.sequence)
            reading = catching_up.addCallback(self._caught_up, mirror, began, early)
            reading.addErrback(self._cannot_catch_up, mirror, early)

    def read(self, code: str) -> Deferred[StoredTable | None]:
        """Read a table, and be its heir if nobody is; gives None if there is none."""

        def replay(rows: Sequence[Followed]) -> Deferred[Any]:
            lines = [line for line, _ in rows]
            return self._service.dormant.replay(lines, code) if lines else succeed(None)

        return self._journal.mirror(code).addCallback(replay)

    def add(
        self, stored: StoredTable, run: int, began: float, asleep_at: float | None = None
    ) -> Mirror:
        """Have a mirror of a run's table as it was read, whose time began at one of the house."""
        mirror = Mirror(run, LiveTable(stored.table, began), self._name, self._links.say)
        mirror.live = self._service.add_mirror(stored, began, mirror, asleep_at)
        mirror.at = stored.at
        self._by_code[stored.table.code] = mirror
        return mirror

    def _show(
        self,
        stored: StoredTable | None,
        coming: _Coming,
        code: str,
        began: float,
        asleep_at: float | None,
    ) -> None:
        if self._coming.get(code) is not coming:  # the link was lost meanwhile
            self._journal.unmirror(code)
            return
        del self._coming[code]
        if stored is None:
            coming.done.callback(False)
            return
        mirror = self.add(stored, coming.run, began, asleep_at)
        self.hear_all(mirror, coming.early)
        coming.done.callback(True)

    def _cannot_show(self, failure: Failure, coming: _Coming, code: str) -> None:
        log_unread(self._log, f"table {code} cannot be mirrored", failure)
        if self._coming.get(code) is coming:
            del self._coming[code]
            self._links.say(coming.run, "u", code)
            self._journal.unmirror(code)
            coming.done.errback(Refused("table-resting"))

    def not_there(self, run: int, code: str) -> bool:
        """Take note that a run has a table no more; says whether it was only about to be mirrored."""
        coming = self._coming.get(code)
        if coming is None or coming.run != run:
            return False
        del self._coming[code]
        coming.done.callback(False)
        return True

    def out_of_reach(self, run: int, trouble: str = "") -> None:
        """Take note that nothing that is asked of a run is done for now: what was about to be mirrored is not.

        If that is for a trouble which the run has told of, all who are at its tables hear so.
        """
        if trouble:
            self._paused[run] = trouble
        else:  # it says so anew when it is linked again
            self._paused.pop(run, None)
        for code, coming in list(self._coming.items()):
            if coming.run == run:
                del self._coming[code]
                self._links.say(run, "u", code)
                coming.done.errback(Refused("table-away"))
        for mirror in self.of(run):
            self._hold_back(mirror)

    def in_reach(self, run: int) -> None:
        """Go on with all that is mirrored of a run."""
        self._paused.pop(run, None)
        for mirror in self.of(run):
            self.follow_again(mirror)

    def follow_again(self, mirror: Mirror) -> None:
        """Ask an owner to be told of all that is done from now on, where we have not heard all before."""
        self._hold_back(mirror)
        self._links.say(mirror.run, "s", mirror.live.table.code)

    def _hold_back(self, mirror: Mirror) -> None:
        """Ask nothing of an owner for now, and hear nothing: all is read that it does meanwhile."""
        mirror.linked, mirror.early = False, None
        trouble = self._paused.get(mirror.run)
        if trouble:
            self.pause(mirror, trouble)

    # -- what its owner does ----------------------------------------------------------------

    def _heard(self, run: int, rest: bytes) -> None:
        """Hear a record that an owner has written down.

        Of one that was out of reach all is read that it has written, once it says from when on we hear it all.
        """
        code, asked, line = rest.split(b" ", 2)
        mirror, coming = self._find_of(run, code.decode()), self._coming.get(code.decode())
        early = (asked.decode(), line)
        if mirror is not None:
            if mirror.early is not None:
                mirror.early.append(early)
            elif mirror.linked:
                self.hear_all(mirror, [early])
        elif coming is not None and coming.run == run:
            coming.early.append(early)

    def _caught_up(
        self, rows: Sequence[Followed], mirror: Mirror, began: float, early: list[Early]
    ) -> None:
        """Do what was not heard while there was no link, and ask again for what is not among it.

        Where the owner was out of reach once more meanwhile, all is read anew.
        """
        if self._by_code.get(mirror.live.table.code) is not mirror or mirror.early is not early:
            return
        mirror.early = None
        mirror.live.began = began
        self.hear_all(mirror, [*((asked or NO_ONE, line) for line, asked in rows), *early])
        for face in mirror.live.holders:
            if face.place is not None and face.place.player is not None:
                name = json.dumps(face.place.player.name)
                self._links.say(mirror.run, "w", mirror.live.table.code, name)
        mirror.linked = True
        mirror.resend()
        self.go_on(mirror)
        self.on_settled(mirror.live.table.code)
        self._let_rest(mirror)

    def _cannot_catch_up(self, failure: Failure, mirror: Mirror, early: list[Early]) -> None:
        log_unread(self._log, "what was written meanwhile cannot be read", failure)
        if mirror.early is not early:
            return
        if failure.check(JournalFailed):
            mirror.linked = False
            self.on_unread(mirror)
        else:
            self.give_up(mirror, "table-lost")

    def hear_all(self, mirror: Mirror, records: Sequence[Early]) -> None:
        """Do some records at a mirror; all there are parted with if they do not fit."""
        try:
            for asked, line in records:
                self.hear(mirror, asked, line)
        except Exception:
            self._log.failure("the mirror of table {code} is broken", code=mirror.live.table.code)
            self.give_up(mirror, "table-lost")

    def hear(self, mirror: Mirror, asked: str, line: bytes) -> None:
        """Do a record at a mirror, and answer who has asked for it here; raises Broken, and what the table does."""
        live = mirror.live
        entry = json.loads(line)
        if entry["sequence"] <= live.table.sequence:
            return  # it was read already
        if entry["sequence"] != live.table.sequence + 1 or entry["previous"] != live.head:
            raise Broken(f"record {entry['sequence']} comes behind {live.table.sequence}")
        ask = mirror.asked.pop(asked, None)
        command = None if ask is None else ask.command
        if command is None:
            command = read_command(entry["command"], live.table.rules)
        asking = Asking() if ask is None else ask.asking
        mirror.at = entry["at"]
        self._service.follow(live, command, entry["at"], sha256(line).hexdigest(), asking)
        if isinstance(command, Return | GiveToken) and wire.run_of(asked) != self._journal.run:
            self._forget_older(mirror, live.table.player(command.seat))

    def _forget_older(self, mirror: Mirror, player: PlayerCore) -> None:
        """Part with who has come back elsewhere, and do nothing more that they had asked for here.

        That is told by the record, for whoever adopts the table may have been out of reach when they came back.
        """
        for name, ask in list(mirror.asked.items()):
            if ask.player is player and ask.command is not None and is_own(ask.command):
                del mirror.asked[name]
                self.answers.refuse(ask, Refused("not-now"))
        self._part_with(mirror.live, player.name)

    def _name(self) -> str:
        return wire.name_of(self._journal.run, next(self._numbers))

    def _let_rest(self, mirror: Mirror) -> None:
        self._service.queue.post(lambda: self._service.live.let_go(mirror.live))

    # -- who is where ---------------------------------------------------------------------------

    def _held_elsewhere(self, run: int, rest: bytes) -> None:
        """Hear from an owner that a player who was held here is held elsewhere now."""
        code, name = rest.split(b" ", 1)
        mirror = self._find_of(run, code.decode())
        if mirror is not None:
            self._part_with(mirror.live, json.loads(name))

    def _part_with(self, live: LiveTable, name: str) -> None:
        for face in list(live.holders):
            player = None if face.place is None else face.place.player
            if player is not None and player.name == name:
                self._attachments.part_with(face, "taken-over")

    def _inherit(self, run: int, rest: bytes) -> None:
        """Be the heir of a table whose heir was another run."""
        mirror = self._find_of(run, rest.decode())
        if mirror is not None:
            reading = self._journal.mirror(rest.decode(), mirror.live.table.sequence)
            reading.addErrback(lambda failure: self._log.info("no heir: {why}", why=failure.value))

    # -- pauses, and the end --------------------------------------------------------------------

    def pause(self, mirror: Mirror, trouble: str) -> None:
        """Let those who are there, or come, hear that nothing can be done for now."""
        live = mirror.live
        coming = [face for place, face in live.waiting.items() if face.place is place]
        self._service.outbox.pause(mirror, trouble, [*live.faces, *coming])

    def go_on(self, mirror: Mirror) -> None:
        """Let them hear that play goes on, if they have heard that it does not."""
        self._service.outbox.go_on(mirror)

    def forget(self, mirror: Mirror) -> None:
        """Mirror a table no more that nobody looks at, or that is ours from now on."""
        self._by_code.pop(mirror.live.table.code, None)

    def close(self, mirror: Mirror) -> None:
        """Let go of a mirror, and let its owner know."""
        code = mirror.live.table.code
        self.forget(mirror)
        self._journal.unmirror(code)
        self._links.say(mirror.run, "u", code)

    def give_up(self, mirror: Mirror, reason: str) -> None:
        """Part with all who are at a mirror that cannot be gone on with."""
        live = mirror.live
        if self._by_code.get(live.table.code) is not mirror:
            return
        self.go_on(mirror)
        asked, mirror.asked = mirror.asked, {}
        for ask in asked.values():
            self.answers.refuse(ask, Refused("table-away"))
        self.close(mirror)
        for face in dict.fromkeys((*live.faces, *live.holders)):
            self._attachments.part_with(face, reason)
        self._service.live.remove(live)
        self._service.dormant.put_away(live.table, mirror.run)
        self.on_settled(live.table.code)
