"""The way of a face to a table that may be awake here or elsewhere, or at rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import frozen
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Refused
from protocols.host.attachments import Attachments
from protocols.host.face import Face
from protocols.host.live_table import LiveTable
from protocols.host.owner import Asking, Owner
from protocols.host.place import Place
from protocols.host.table_service import TableService
from protocols.host.waking import Waking

LONGEST_WAIT = 10.0  # seconds for the owner of a table to say something, or for another to have it


@frozen
class Approach:
    """A face that comes to the table of a code, and what is to be done when it is there, or cannot be.

    Where there is no such table ``gone`` is called; ``refuse`` with ``closing``, ``table-away``,
    ``table-resting``, ``table-unreadable``.
    """

    face: Face
    code: str
    refuse: Callable[[Refused], None]
    gone: Callable[[], None]
    then: Callable[[LiveTable], None]


class Reaching:
    """Lets faces wait until the table they come to is in memory, and shows all that was done there until now."""

    _log = Logger()

    def __init__(self, service: TableService, waking: Waking, attachments: Attachments) -> None:
        self._service = service
        self._waking = waking
        self._attachments = attachments

    def rests(self, code: str) -> str | None:
        """Say at which stage a table rests; None if it does not."""
        dormant = self._service.dormant
        return dormant.stage(code) if code in dormant else None

    def reach(self, to: Approach) -> None:
        """Go on at a table once it is in memory, unless the face has gone by then."""
        if to.code in self._service.live or not self._service.dormant.may_have(to.code):
            self._arrive(to)
            return
        self._attachments.detach(to.face)
        coming = to.face.place = Place.on_the_way()

        def woken(_: None) -> None:
            live = self._service.live.find(to.code)
            if to.face.place is coming:
                to.face.place = None
                self._arrive(to)
            elif live is not None:
                self.let_rest(live)

        waking = self._waking.wake(to.code).addCallback(woken)
        waking.addErrback(partial(self._not_woken, to, coming))

    def _not_woken(self, to: Approach, coming: Place, failure: Failure) -> None:
        """Let one who may belong there keep the token: it is the journal that cannot be read."""
        if not failure.check(Refused):
            self._log.failure("table {code} cannot be woken", failure, code=to.code)
        if to.face.place is coming:
            to.face.place = None
            refused = failure.value if isinstance(failure.value, Refused) else None
            why = "table-resting" if refused is None else refused.key
            if why == "no-such-table":  # unless it has come into memory by another way meanwhile
                self._arrive(to)
            else:
                to.refuse(Refused(why))

    def _arrive(self, to: Approach) -> None:
        live = self._service.live.find(to.code)
        if live is not None and live.owner is not None and not self._service.closing:
            self._await_owner(to, live, live.owner)
        else:
            self._go_on(to)

    def _go_on(self, to: Approach) -> None:
        live = self._service.live.find(to.code)
        if self._service.closing:  # first: a table that was not woken now is not unknown
            to.refuse(Refused("closing"))
        elif live is None:
            to.gone()
        elif live.recovering:
            to.refuse(Refused("table-resting"))
        else:
            to.then(live)
            self.let_rest(live)

    def _await_owner(self, to: Approach, live: LiveTable, owner: Owner) -> None:
        """Go on once all is seen here that the owner of a table had done when it was asked.

        Else who comes back would be shown less than they know already.
        """
        coming = self._attachments.set_out(to.face, live)

        def end_of_wait() -> bool:
            if timer.active():
                timer.cancel()
            return self._attachments.arrives(to.face, live, coming)

        def seen() -> None:
            if not end_of_wait():
                self.let_rest(live)
            elif self._service.live.find(to.code) is live:
                self._go_on(to)
            else:
                self.reach(to)

        def away() -> None:
            if end_of_wait():
                to.refuse(Refused("table-away"))

        timer = self._service.clock.callLater(LONGEST_WAIT, away)
        owner.catch_up(Asking(then=seen, otherwise=away))

    def let_rest(self, live: LiveTable) -> None:
        """Let a table that was only looked at rest again, behind the answers; unless somebody stays."""
        if live.asleep_at is not None or live.owner is not None:
            self._service.queue.post(partial(self._service.live.let_go, live))
