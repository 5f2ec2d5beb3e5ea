"""The house as one of its linked daemons has it: whose tables are shown here, and who shows ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from twisted.internet.defer import Deferred
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.player import PlayerCore
from gamecore.record import Record
from protocols.host.host import Host
from protocols.host.live_table import LiveTable
from protocols.host.slices import Slices
from protocols.host.unread import log_unread
from protocols.house.adoption import Adoption
from protocols.house.hall import Hall
from protocols.house.links import Call, Links
from protocols.house.mirrors import Mirrors
from protocols.house.served import Served
from protocols.journal.errors import JournalFailed
from protocols.journal.linked import LinkedJournal

_AGAIN = 0.25  # seconds before it is tried again to give a table away
_GUESTS = 10_000  # that a daemon may have, before one could be called as one of another daemon is


class LinkedHouse:
    """The other daemons, as the tables of this one meet them; ``links`` is for whoever has more to say to them."""

    _log = Logger()

    def __init__(
        self, host: Host, journal: LinkedJournal, seconds: Callable[[], float], call: Call
    ) -> None:
        """``seconds`` tells the time, ``call`` begins to call a peer."""
        self._service = service = host.service
        self._journal = journal
        self._people = host.people
        self.links = Links(journal, host.clock, seconds, host.cork, call)
        attachments = host.attachments
        self._mirrors = Mirrors(service, journal, self.links, attachments)
        self._served = Served(service, self.links, attachments, self._mirrors)
        at = self.links, attachments, self._mirrors, self._served
        self._adoption = Adoption(service, journal, *at)
        self._hall = Hall(host.people, self.links, Slices(host.clock))
        service.live.house = self
        service.dormant.others_play = True

    def begin(self, where: str) -> None:
        """Let the others know where we are found."""
        self._people.number_guests_behind(_GUESTS * (self._journal.run % _GUESTS))
        self.links.begin(where)

    def beat(self) -> None:
        """Let the others know that we are here."""
        self.links.beat()
        self._hall.beat()

    def stop(self) -> None:
        """Be linked to nobody any more, and take nothing over."""
        self.links.stop()
        self._served.stop()
        self._adoption.stop()

    # -- what newcomers and tables ask ------------------------------------------------------------------------

    def offer(self, game: str, code: str, tried: Sequence[str]) -> Deferred[str]:
        """Give the code of a table for newcomers to a game: one that another daemon has offered before, or this."""
        return self._journal.offer(game, code, tried)

    def mirror(self, code: str, run: int) -> Deferred[bool]:
        """Have a table here that another run has awake; fires with False if that has it no more.

        Fails with Refused ``table-away``.
        """
        return self._mirrors.open(code, run)

    def tell(self, live: LiveTable, record: Record) -> None:
        """Let those who mirror a table of ours hear what was done there, once that is written down."""
        self._served.tell(live, record)

    def seated(self, live: LiveTable, player: PlayerCore) -> None:
        """Let the others know that a player is held here now, and nowhere else."""
        if live.owner is None:  # else the owner has said so
            self._served.seated(live, player)

    def holds(self, live: LiveTable, player: PlayerCore) -> bool:
        """Say whether a player of a table of ours is held at another daemon."""
        return self._served.holds(live, player)

    def let_go(self, live: LiveTable) -> None:
        """Hear that a mirror is no more, since nobody looks at it."""
        mirror = self._mirrors.find(live.table.code)
        if mirror is not None and mirror.live is live:
            self._mirrors.close(mirror)

    def pause(self, trouble: str | None) -> None:
        """Let those who mirror tables of ours hear that play is paused here, and why, or that it goes on."""
        self._served.pause(trouble)

    # -- tables that are given away -----------------------------------------------------------------

    def left_to_others(self, live: LiveTable) -> None:
        """Give a table of ours to the only daemon where anybody is."""
        alone = len(live.mirrors) == 1 and not live.mirrors.keys() - self.links.runs
        if alone and live.asleep_at is None:  # who only looks on starts no clock
            self._hand_over(live)

    def close(self) -> None:
        """Hand all tables of ours that others mirror over to them, behind all that was done there."""
        for live in self._service.live:
            if live.mirrors and not live.recovering:
                self._service.queue.post(partial(self._hand_over, live))

    def _hand_over(self, live: LiveTable) -> None:
        if not live.mirrors or self._service.live.find(live.table.code) is not live:
            return  # it was given away already, or nobody is there to take it
        code, at, runs = live.table.code, self._service.clocks.now(live), list(live.mirrors)
        live.mirrors.clear()
        self._served.forget(live)
        self._service.live.remove(live)
        self._service.dormant.put_away(live.table, runs[0])

        def handed_over(_: object) -> None:
            for run in runs:
                self.links.say(run, "y", code, repr(at))

        self._give_away(code, handed_over)

    def _give_away(self, code: str, then: Callable[[object], None]) -> None:
        def again(failure: Failure) -> None:
            log_unread(self._log, f"table {code} is not given away yet", failure)
            if failure.check(JournalFailed):
                self._service.clock.callLater(_AGAIN, self._give_away, code, then)

        self._journal.hand_over(code).addCallback(then).addErrback(again)
