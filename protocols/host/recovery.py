"""What becomes of a table that met a bug of ours: it is read again from the journal.

The command that met the bug is not in the record, so the table is as it was before; a second bug at the same
table gives it up.
"""

from __future__ import annotations

from functools import partial

from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.commands import Abandon, Drop
from gamecore.player import Presence
from protocols.host.attachments import Attachments
from protocols.host.delivery import draw_turns
from protocols.host.dormant import StoredTable
from protocols.host.live_table import LiveTable
from protocols.host.table_service import TableService
from protocols.host.unread import log_unread


class Recovery:
    """Takes tables with a bug out of memory, and puts them back as their records have them."""

    _log = Logger()

    def __init__(self, service: TableService, attachments: Attachments) -> None:
        self._service = service
        self._attachments = attachments

    def set_aside(self, live: LiveTable) -> None:
        """Take a table out of memory, to read it again when all is committed; called where the bug is caught."""
        self._log.failure("a bug at table {code}; it is read again", code=live.table.code)
        live.bugs += 1
        live.recovering = True
        self._service.live.still(live)
        self._service.hall.forget(live.table)
        self._service.queue.post(partial(self._read_again, live))

    def _read_again(self, live: LiveTable) -> None:
        reading = self._service.dormant.read(live.table.code)
        reading.addCallback(partial(self._put_back, live))
        reading.addErrback(partial(self._give_up, live))

    def _put_back(self, live: LiveTable, stored: StoredTable) -> None:
        service = self._service
        service.hall.keep(stored.table)
        live.table, live.head = stored.table, stored.head
        live.recovering = False
        service.bots.seat(live)
        service.observers.on_table(live.table, True)
        self._find_seats(live)
        if live.bugs > 1:
            service.do(live, Abandon("bug"))
            return
        if service.closing:  # a View would come behind the parting from its table
            return
        service.clocks.set(live)
        service.ask_bots(live)
        self._show_again(live)
        self._drop_the_lost(live)

    def _show_again(self, live: LiveTable) -> None:
        """Show every face the table as it was read."""
        outbox = self._service.outbox
        for face in live.faces:
            if face.place is not None:
                outbox.post(face, face.shown, self._attachments.view(live, face.place))
        for follower, turn in draw_turns(live, self._service.clocks.now(live)):
            outbox.post(follower, follower.turned, turn)

    def _find_seats(self, live: LiveTable) -> None:
        """Give every face its player at the table as it was read: by name, since a bug may have moved seats."""
        players = {core.name: core for core in live.table.seated().values()}
        for face in list(live.faces):
            place = face.place
            if place is not None and place.player is not None:
                place.player = players.get(place.player.name)
                if place.player is None:
                    self._attachments.cut_off(face, "table-lost")

    def _drop_the_lost(self, live: LiveTable) -> None:
        """Drop those whose link went while the table was being read and could take no command."""
        attached = [face.place.player for face in live.faces if face.place is not None]
        table = live.table
        for seat, core in list(table.seated().items()):
            held = self._service.house.holds(live, core) or any(core is each for each in attached)
            absent = core.level is None and not held
            if absent and not live.recovering and table.presence(seat) is Presence.HERE:
                self._service.do(live, Drop(seat, table.absence(seat)))

    def _give_up(self, live: LiveTable, failure: Failure) -> None:
        """Part with everybody at a table that cannot even be read again."""
        log_unread(self._log, f"table {live.table.code} cannot be read again", failure)
        self._service.live.remove(live)
        for face in list(live.faces):
            face.place = None
            self._service.outbox.tell(face, face.parted, "table-lost")
