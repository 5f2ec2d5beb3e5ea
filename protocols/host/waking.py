"""Tables that come into memory: from the journal, or as mirrors of what another daemon has awake."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from twisted.internet.defer import Deferred, fail, succeed
from twisted.python.failure import Failure

from gamecore.errors import Refused
from protocols.host.table_service import TableService

_TRIES = 4  # to have a table that daemons give to each other meanwhile


class Waking:
    """Brings tables into memory, each once for all who ask for it meanwhile."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._waiting: dict[str, list[Deferred[None]]] = {}
        service.dormant.on_bots = self._wake_all

    def wake(self, code: str) -> Deferred[None]:
        """Bring a table back into memory, if it is not; fails with Refused if that cannot be done.

        The keys: ``no-such-table``, ``table-away``, ``table-unreadable``, ``table-resting``, ``closing``.
        """
        if code in self._service.live:
            return succeed(None)
        done: Deferred[None] = Deferred()
        if code in self._waiting:  # it is read once for all who come meanwhile
            self._waiting[code].append(done)
        else:
            self._waiting[code] = [done]
            self._take(code, _TRIES).addBoth(self._tell_who_waits, code)
        return done

    def _take(self, code: str, tries: int) -> Deferred[None]:
        taking = self._service.dormant.take(code)
        return taking.addCallbacks(self._service.add_woken, self._away, errbackArgs=(code, tries))

    def _away(self, failure: Failure, code: str, tries: int) -> Deferred[None] | Failure:
        """Mirror a table that another daemon has awake; one that it has no more by then, try to take again."""
        refused = failure.value
        if not isinstance(refused, Refused) or refused.key != "table-away":
            return failure

        def mirrored(there: bool) -> Deferred[None]:
            if there:
                return succeed(None)
            return self._take(code, tries - 1) if tries > 1 else fail(failure)

        return self._service.house.mirror(code, self._service.dormant.owner(code)).addCallback(
            mirrored
        )

    def seek(self, code: str) -> Deferred[None] | None:
        """Ask the journal for a table that is not listed, but that another run may have opened just now.

        None where there is nothing to ask. Fires when it is listed, or when there is none; fails with Refused
        ``table-unreadable``, ``table-resting``, ``closing``.
        """
        code = code.upper()
        if (
            code in self._service.directory
            or code in self._service.dormant
            or not self._service.dormant.may_have(code)
        ):
            return None
        return self.wake(code).addCallbacks(self._let_rest, _not_there, callbackArgs=(code,))

    def _let_rest(self, _: None, code: str) -> None:
        """Let a table go that was only looked for, behind whoever comes to it now."""
        live = self._service.live.find(code)
        if live is not None:
            self._service.queue.post(partial(self._service.live.let_go, live))

    def _tell_who_waits(self, result: Failure | None, code: str) -> None:
        """Let those go on who wait for a table, in the order in which they came."""
        for done in self._waiting.pop(code):
            if (
                result is None and code not in self._service.live
            ):  # it went to rest behind the one before
                self.wake(code).chainDeferred(done)
            else:
                done.callback(result)

    def begin(self) -> Deferred[None]:
        """Learn from the journal which tables there are, and wake those where a bot is to move."""
        return self._service.dormant.fill().addCallback(self._wake_all)

    def _wake_all(self, waiting: Sequence[str]) -> None:
        for code in waiting:
            waking = self.wake(code).addCallback(partial(self._rouse_at, code))
            waking.addErrback(lambda failure: failure.trap(Refused))

    def _rouse_at(self, code: str, _: None) -> None:
        live = self._service.live.find(code)
        if live is not None:
            self._service.rouse(live)
            self._service.live.let_go(live)  # it had ended, and the journal was not told


def _not_there(failure: Failure) -> None:
    """Go on where nobody is to be let in, and the directory says why: another has it awake, or nobody has it."""
    refused = failure.value if failure.check(Refused) else None
    if not isinstance(refused, Refused) or refused.key not in ("table-away", "no-such-table"):
        failure.raiseException()
