"""What a person is told of others: what they say, and who comes and goes at the table.

Of coming and going there is a line each time, and where that is often, one line a second for all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twisted.internet.interfaces import IDelayedCall, IReactorTime

from gamecore.events import Event
from gamecore.table_events import Dropped, Invited, Left, Mixed, Returned, Sat
from protocols.host.people import Remark
from protocols.i18n.describe import called
from protocols.i18n.translate import N_, Translator
from protocols.net.limits import TokenBucket

FOLD_SECONDS = 1.0
LINES_AT_ONCE = 10.0
_PRESENCE = frozenset({Sat, Invited, Mixed, Left, Dropped, Returned})


def tell_remark(remark: Remark, say: Translator) -> str:
    """Tell what somebody said."""
    sentence = N_("{name} tells you: {words}") if remark.private else N_("{name}: {words}")
    return say(sentence, name=remark.name, words=remark.words)


def tell_folded(times: int, names: Sequence[str], say: Translator) -> str:
    """Tell how often somebody came or went, and who is there now, by the names in all seats."""
    here = ", ".join(called(names, seat, say) for seat, name in enumerate(names) if name)
    return say.several(
        "{n} time more somebody came, went or added words. Here now: {names}.",
        "{n} times more somebody came, went or added words. Here now: {names}.",
        times,
        names=here or say("nobody"),
    )


class PresenceLines:
    """What one person at a table is told of coming and going; the rest is counted, and told together.

    ``tell_folded`` is called with how often somebody came or went that nobody was told of by itself.
    """

    __slots__ = ("_bucket", "_clock", "_folded", "_tell_folded", "_timer")

    def __init__(self, clock: IReactorTime, tell_folded: Callable[[int], None]) -> None:
        self._clock = clock
        self._tell_folded = tell_folded
        self._bucket = TokenBucket(1 / FOLD_SECONDS, LINES_AT_ONCE)
        self._folded = 0
        self._timer: IDelayedCall | None = None

    def fold(self, events: Sequence[Event]) -> bool:
        """Say whether what happened is no more than coming and going, and not to be told by itself.

        What else happens is told behind all that was folded.
        """
        if any(type(event) not in _PRESENCE for event in events):
            self._tell()
            return False
        if self._timer is None:
            if self._bucket.take(self._clock.seconds()):
                return False
            self._timer = self._clock.callLater(FOLD_SECONDS, self._tell)
        self._folded += len(events)
        return True

    def end(self) -> None:
        """Tell nothing more: the person is no more at the table."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _tell(self) -> None:
        if self._timer is not None:
            self.end()
            self._bucket.take(self._clock.seconds())
            folded, self._folded = self._folded, 0
            self._tell_folded(folded)
