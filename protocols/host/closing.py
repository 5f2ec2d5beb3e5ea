"""The end of a house, and the pauses while its journal cannot be written."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocols.host.attachments import Attachments
from protocols.host.outbox import JOURNAL
from protocols.host.table_service import TableService


class Closing:
    """Parts with everybody and closes the journal; lets play stand while the journal is in trouble."""

    _log = Logger()

    def __init__(self, service: TableService, attachments: Attachments) -> None:
        self._service = service
        self._attachments = attachments
        self._closed: Deferred[None] = Deferred()
        self._handed_over = False  # the journal says when it is closed

    def close(self) -> Deferred[None]:
        """Do no more commands, part with every face, and fire when the journal is closed.

        Fails with what the journal says if not all that was done is in it.
        """
        service = self._service
        service.closing = True
        service.thinking.stop()
        in_trouble = service.clocks.standing
        service.clocks.stand()  # for good: no alarm is to be set again
        for live in service.live:
            service.live.still(live)
        if in_trouble:
            self._close_in_trouble()
        else:
            service.queue.post(self._part_with_all)
            service.house.close()
            service.queue.drained().addCallback(lambda _: self._close_journal())
        return self._closed

    def _close_in_trouble(self) -> None:
        """Wait no longer for what cannot be written: nobody was told of it, so nobody is lied to."""
        self._part_with_all()
        self._close_journal()

    def _close_journal(self) -> None:
        if not self._handed_over:
            self._handed_over = True
            self._service.journal.close().chainDeferred(self._closed)

    def _part_with_all(self) -> None:
        for live in self._service.live:
            for face in list(live.faces):
                self._attachments.detach(face)
                self._service.outbox.forget(face)
                self._service.outbox.tell(face, face.parted, "closing")

    def pause(self, trouble: str | None) -> None:
        """Let every clock stand while the journal cannot be written, and go on when it can (None)."""
        service = self._service
        if trouble is not None:
            self._log.error("play is paused: {trouble}", trouble=trouble)
            service.clocks.stand()
            service.queue.doubt()  # others may have our tables, once they hear nothing of us for long
        else:
            self._log.info("play goes on")
            if not service.closing:
                service.clocks.go_on()
        self._tell_of(trouble)
        service.house.pause(trouble)
        if trouble is not None and service.closing:
            self._close_in_trouble()

    def _tell_of(self, trouble: str | None) -> None:
        service = self._service
        for live in service.live:
            if trouble is not None:
                service.clocks.stop(live)
            elif not live.recovering and live.owner is None:
                service.clocks.set(live)
        if trouble is None:
            service.outbox.go_on(JOURNAL)
        else:
            faces = (face for live in service.live for face in live.faces)
            service.outbox.pause(JOURNAL, trouble, faces)
