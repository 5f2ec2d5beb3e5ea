"""What becomes of the tables that are mirrored here when the daemon that has them is gone, or gives them away.

A link that is lost says nothing of who was at its other end: the journal is asked, again and again, until the link
is back, or the owner is known to be dead, or known to live without us.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger
from twisted.python.failure import Failure

from protocols.host.attachments import Attachments
from protocols.host.dormant import StoredTable
from protocols.host.live_table import LiveTable
from protocols.host.table_service import TableService
from protocols.host.unread import log_unread
from protocols.house.links import Links
from protocols.house.mirror import Mirror
from protocols.house.mirrors import Mirrors
from protocols.house.served import GRACE_SECONDS, Served
from protocols.house.wire import NO_ONE
from protocols.journal.errors import JournalFailed, JournalLost
from protocols.journal.house import LEASE, Followed
from protocols.journal.interface import SOMEBODY, Claimed, IndexRow
from protocols.journal.linked import LinkedJournal

_FIRST, _LONGEST = 0.01, 0.25  # seconds before an owner is judged again
_UNNOTICED = 0.3  # seconds for which a table may have no owner before anybody is told
_TROUBLE = "the daemon that has this table is out of reach"


class Adoption:
    """Takes over the mirrors of a run that is dead, and of tables that are given to us."""

    _log = Logger()

    def __init__(
        self,
        service: TableService,
        journal: LinkedJournal,
        links: Links,
        attachments: Attachments,
        mirrors: Mirrors,
        served: Served,
    ) -> None:
        self._service = service
        self._attachments = attachments
        self._journal = journal
        self._links = links
        self._mirrors = mirrors
        self._served = served
        self._timers: set[IDelayedCall] = set()
        links.hear("n", self._not_there)
        links.hear("y", self._given)
        links.hear("z", self._hear_of_trouble)
        links.on_linked.append(self._linked)
        links.on_lost.append(self._lost)
        mirrors.on_unread = self._read_again

    def stop(self) -> None:
        """Take nothing over any more."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _later(self, seconds: float, call: partial[None]) -> None:
        def ring() -> None:
            self._timers.discard(timer)
            call()

        timer = self._service.clock.callLater(seconds, ring)
        self._timers.add(timer)

    # -- the link is lost -----------------------------------------------------------------------

    def _linked(self, run: int) -> None:
        """Go on with the tables of a run that we are linked to again."""
        self._mirrors.in_reach(run)

    def _hear_of_trouble(self, run: int, rest: bytes) -> None:
        """Hear that play is paused where a run has its tables, and why, or that it goes on."""
        trouble: str | None = json.loads(rest)
        if trouble is None:
            self._mirrors.in_reach(run)  # their time has stood still
        else:
            self._mirrors.out_of_reach(run, trouble)

    def _lost(self, run: int) -> None:
        self._mirrors.out_of_reach(run)
        if self._mirrors.of(run) and not self._service.closing:
            self._judge(run, self._links.seconds(), _FIRST)

    def _judge(self, run: int, since: float, wait: float) -> None:
        """Ask whether a run lives to which the link was lost at some time."""
        if run not in self._links.runs and not self._service.closing:
            judging = self._journal.judge(run).addCallback(self._judged, run, since, wait)
            judging.addErrback(self._cannot_judge, run, since)

    def _judged(self, left: float, run: int, since: float, wait: float) -> None:
        mirrors = self._mirrors.of(run)
        if run in self._links.runs or not mirrors:
            return
        lost_for = self._links.seconds() - since
        if left == 0:
            for mirror in mirrors:
                self._claim(mirror)
        elif lost_for >= GRACE_SECONDS and left > max(0.0, LEASE - lost_for):
            # It has given a sign of life since.
            for mirror in mirrors:
                self._part(mirror)
        else:
            if lost_for >= _UNNOTICED:
                for mirror in mirrors:
                    self._mirrors.pause(mirror, _TROUBLE)
            again = partial(self._judge, run, since, min(2 * wait, _LONGEST))
            self._later(wait, again)

    def _part(self, mirror: Mirror) -> None:
        """Part with all at a mirror whose owner lives without us, once they have heard all that it has written.

        So whoever waits for an answer is told that a move is made, if it is.
        """
        reading = self._journal.mirror(mirror.live.table.code, mirror.live.table.sequence)
        reading.addCallback(self._hear_last, mirror)
        reading.addErrback(self._cannot_hear_last, mirror)

    def _hear_last(self, rows: Sequence[Followed], mirror: Mirror) -> None:
        if mirror.run not in self._links.runs:
            self._mirrors.hear_all(mirror, [(asked or NO_ONE, line) for line, asked in rows])
            self._mirrors.give_up(mirror, "table-away")

    def _cannot_hear_last(self, failure: Failure, mirror: Mirror) -> None:
        log_unread(self._log, "what an owner has written last cannot be read", failure)
        self._mirrors.give_up(mirror, "table-away")

    def _cannot_judge(self, failure: Failure, run: int, since: float) -> None:
        if failure.check(JournalFailed):  # it may be asked another time
            self._later(_LONGEST, partial(self._judge, run, since, _LONGEST))
        elif not failure.check(JournalLost):  # which is the end of this daemon, and in the log
            self._log.failure("an owner cannot be judged", failure)

    # -- the owner has it no more ------------------------------------------------------------------

    def _not_there(self, run: int, rest: bytes) -> None:
        """Hear that a run has not awake what we mirror, or would."""
        code = rest.decode()
        mirror = self._mirrors.find(code)
        if not self._mirrors.not_there(run, code) and mirror is not None and mirror.run == run:
            mirror.linked = False
            self._claim(mirror)

    def _given(self, run: int, rest: bytes) -> None:
        """Hear that a table is given to us, as it stands at a table time."""
        code, at = rest.decode().split(" ")
        mirror = self._mirrors.find(code)
        if mirror is not None and mirror.run == run:
            mirror.linked = False
            mirror.at = max(mirror.at, float(at))
            self._claim(mirror)
        elif mirror is None and code not in self._service.live:
            self._take_in(code, run, float(at))

    def _take_in(self, code: str, run: int, at: float) -> None:
        """Take a table that is given to us as the last who was there has gone: nobody else sees to it."""

        def read(stored: StoredTable | None) -> None:
            if stored is not None and code not in self._service.live:
                mirror = self._mirrors.add(stored, run, self._service.clocks.seconds() - at)
                mirror.linked = False
                self._claim(mirror)

        reading = self._mirrors.read(code).addCallback(read)
        reading.addErrback(partial(log_unread, self._log, "a table cannot be taken"))

    def _claim(self, mirror: Mirror) -> None:
        code = mirror.live.table.code
        if self._mirrors.find(code) is mirror and not self._service.closing:
            claiming = self._journal.claim(code).addCallback(self._claimed, mirror)
            claiming.addErrback(self._cannot_claim, mirror)

    def _cannot_claim(self, failure: Failure, mirror: Mirror) -> None:
        if failure.check(JournalFailed):
            self._later(_LONGEST, partial(self._claim, mirror))
        elif not failure.check(JournalLost):
            log_unread(self._log, f"table {mirror.live.table.code} cannot be taken", failure)
            self._mirrors.give_up(mirror, "table-lost")

    def _claimed(self, claimed: Claimed, mirror: Mirror) -> object:
        code = mirror.live.table.code
        if self._mirrors.find(code) is not mirror:
            if claimed.run == self._journal.run and code not in self._service.live:
                self._journal.give_back(code)
        elif claimed.run == self._journal.run:
            reading = self._journal.mirror(code, mirror.live.table.sequence)
            return reading.addCallback(self._adopt, mirror, claimed.row)
        elif claimed.run == SOMEBODY:  # in this very moment
            self._later(_FIRST, partial(self._claim, mirror))
        elif not claimed.run:
            self._mirrors.give_up(mirror, "table-lost")
        else:
            self._follow_another(mirror, claimed.run)
        return None

    def _follow_another(self, mirror: Mirror, run: int) -> None:
        """Mirror a table that another run was the first to take, or that its owner has not given away yet."""
        is_new = run != mirror.run
        mirror.run, mirror.linked = run, False
        if run not in self._links.runs:
            self._judge(run, self._links.seconds(), _FIRST)
        elif is_new:
            self._mirrors.follow_again(mirror)
        else:
            self._later(_LONGEST, partial(self._claim_again, mirror))

    def _read_again(self, mirror: Mirror) -> None:
        """Ask for what is written at a table once more, in a while: the journal could not be read."""
        self._later(_LONGEST, partial(self._claim_again, mirror))

    def _claim_again(self, mirror: Mirror) -> None:
        """Ask an owner once more that had the table no more, and then had not let go of it."""
        if not mirror.linked and mirror.run in self._links.runs:
            self._mirrors.follow_again(mirror)

    # -- it is ours ------------------------------------------------------------------------------------

    def _adopt(self, rows: Sequence[Followed], mirror: Mirror, row: IndexRow | None) -> None:
        live = mirror.live
        if self._mirrors.find(live.table.code) is not mirror:
            return
        mirror.early = None
        self._mirrors.hear_all(mirror, [(asked or NO_ONE, line) for line, asked in rows])
        if self._mirrors.find(live.table.code) is not mirror:
            return  # what was read does not fit what was heard, and all were parted with
        self._mirrors.forget(mirror)
        self._service.own(live, max(mirror.at, 0.0 if row is None else row.lasted))
        self._log.info("table {code} is ours now", code=live.table.code)
        self._mirrors.go_on(mirror)
        self._bring_back(live)
        asked, mirror.asked = mirror.asked, {}
        for ask in asked.values():
            self._mirrors.answers.ask_again(mirror, ask)
        self._served.settle(live.table.code)
        self._later(GRACE_SECONDS, partial(self._served.drop_unheld, live))
        self._service.queue.post(partial(self._service.live.let_go, live))

    def _bring_back(self, live: LiveTable) -> None:
        """Let those be here again who are at a table that is ours now, and whom others took for away."""
        for face in tuple(live.holders):
            player = None if face.place is None else face.place.player
            if player is not None and live.table.sits(player):
                self._attachments.bring_back(live, player)
