"""The way of a face to a table that may be awake here or elsewhere, or at rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Refused
from protocols.host.attachments import Attachments
from protocols.host.face import Face
from protocols.host.live_table import LiveTable
from protocols.host.owner import Owner
from protocols.host.place import Place
from protocols.host.table_service import TableService
from protocols.host.waking import Waking

Refuse = Callable[[Refused], None]
"""Tells whoever asked for something why that cannot be."""


class Reaching:
    """Lets faces wait until the table they come to is in memory."""

    _log = Logger()

    def __init__(self, service: TableService, waking: Waking, attachments: Attachments) -> None:
        self._service = service
        self._waking = waking
        self._attachments = attachments

    def rests(self, code: str) -> str | None:
        """Say at which stage a table rests; None if it does not."""
        dormant = self._service.dormant
        return dormant.stage(code) if code in dormant else None

    def reach(
        self,
        face: Face,
        code: str,
        refuse: Refuse,
        gone: Callable[[], None],
        then: Callable[[LiveTable], None],
    ) -> None:
        """Go on at a table once it is in memory, unless the face has gone by then.

        Where there is no such table, ``gone`` is called; ``refuse`` with ``closing``, ``table-away``,
        ``table-resting``, ``table-unreadable``.
        """
        if code in self._service.live or not self._service.dormant.may_have(code):
            self._arrive(face, code, refuse, gone, then)
            return
        self._attachments.detach(face)
        coming = face.place = Place.on_the_way()

        def woken(_: None) -> None:
            live = self._service.live.find(code)
            if face.place is coming:
                face.place = None
                self._arrive(face, code, refuse, gone, then)
            elif live is not None:
                self.let_rest(live)

        waking = self._waking.wake(code).addCallback(woken)
        waking.addErrback(partial(self._not_woken, face, code, coming, refuse, gone, then))

    def _not_woken(
        self,
        face: Face,
        code: str,
        coming: Place,
        refuse: Refuse,
        gone: Callable[[], None],
        then: Callable[[LiveTable], None],
        failure: Failure,
    ) -> None:
        """Let one who may belong there keep the token: it is the journal that cannot be read."""
        if not failure.check(Refused):
            self._log.failure("table {code} cannot be woken", failure, code=code)
        if face.place is coming:
            face.place = None
            refused = failure.value if isinstance(failure.value, Refused) else None
            why = "table-resting" if refused is None else refused.key
            if why == "no-such-table":  # unless it has come into memory by another way meanwhile
                self._arrive(face, code, refuse, gone, then)
            else:
                refuse(Refused(why))

    def _arrive(
        self,
        face: Face,
        code: str,
        refuse: Refuse,
        gone: Callable[[], None],
        then: Callable[[LiveTable], None],
    ) -> None:
        live = self._service.live.find(code)
        if self._service.closing:  # first: a table that was not woken now is not unknown
            refuse(Refused("closing"))
        elif live is None:
            gone()
        elif live.recovering:
            refuse(Refused("table-resting"))
        elif live.owner is not None and not live.owner.settled:
            self._await_owner(live.owner, face, code, refuse, gone, then)
        else:
            then(live)
            self.let_rest(live)

    def _await_owner(
        self,
        owner: Owner,
        face: Face,
        code: str,
        refuse: Refuse,
        gone: Callable[[], None],
        then: Callable[[LiveTable], None],
    ) -> None:
        """Go on once all is done that was asked of a table's owner, unless the face has gone by then."""
        self._attachments.detach(face)
        coming = face.place = Place.on_the_way()

        def arrive() -> None:
            if face.place is coming:
                face.place = None
                self.reach(face, code, refuse, gone, then)

        owner.behind(arrive)

    def let_rest(self, live: LiveTable) -> None:
        """Let a table that was only looked at rest again, behind the answers; unless somebody stays."""
        if live.asleep_at is not None or live.owner is not None:
            self._service.queue.post(partial(self._service.live.let_go, live))
