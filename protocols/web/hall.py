"""The hall as all browsers see it: tables that are open, games that are played, who is here, and what was said.

It is drawn once for each language, whoever looks at it, and sent to the pages that are open on it: at once where
somebody says something, unless that is often, and otherwise when it is another than two seconds ago.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import islice

from attrs import define, field, frozen
from twisted.internet.interfaces import IDelayedCall, IReactorTime

from gamecore.game import Stage
from protocols.host.card import Card
from protocols.host.face import Host
from protocols.host.people import Remark
from protocols.host.place import Place
from protocols.i18n.translate import Translator
from protocols.net.limits import TokenBucket
from protocols.web.live import LiveStream
from protocols.web.picture import Drawn, cut
from protocols.web.render import render

LOOK_AGAIN_SECONDS = 2.0
LOOKS_A_SECOND, LOOKS_AT_ONCE = 4.0, 8.0  # for what is said
MOST_TABLES = 50
_MOST_LOOKED_AT = 1000
_MOST_PEOPLE = 40
_PLAYED = (Stage.PLAYING, Stage.BETWEEN_ROUNDS)
_TEMPLATE = "hall_parts.html"


@frozen
class ListedTable:
    """A table as the first page lists it."""

    code: str
    title: str
    name: str
    who: str
    players: int
    seats: int
    free: bool  # a seat that is kept for nobody
    sealed: bool
    watchers: bool


@frozen
class HallFacts:
    """All that the hall shows."""

    tables: Sequence[ListedTable]
    played: Sequence[ListedTable]
    people: Sequence[str]
    here: int
    said: Sequence[Remark]
    draining: bool = False


@define(eq=False)
class HallPicture:
    """How the hall looks at one moment; ``since`` is the reactor's time when it was seen."""

    facts: HallFacts
    since: float
    at: object = None
    rest: float = 0.0
    _drawn: dict[str, Drawn] = field(factory=dict, init=False)

    def drawn(self, say: Translator) -> Drawn:
        """Draw it, once for each language."""
        found = self._drawn.get(say.language)
        if found is None:
            parts = cut(render(_TEMPLATE, say, hall=self.facts))
            whole = "\n".join(parts.values())
            digest = sha256(whole.encode(errors="surrogatepass")).hexdigest()[:16]
            found = self._drawn[say.language] = Drawn(parts, digest, "Parlour", False)
        return found


class HallView:
    """What all pages draw from that are open on the hall."""

    place: Place | None = None
    parted_why: str | None = None

    def __init__(self, host: Host) -> None:
        self._host = host
        self.streams: list[LiveStream] = []
        self.picture = HallPicture(self._look(), self.clock.seconds())
        self._timer: IDelayedCall | None = None
        self._heard: Remark | None = None
        self._looks = TokenBucket(LOOKS_A_SECOND, LOOKS_AT_ONCE)
        self._looking_soon: IDelayedCall | None = None

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""
        return self._host.clock

    def look(self) -> HallPicture:
        """See the hall as it is now, and show it to all pages if it is another."""
        facts = self._look()
        if facts != self.picture.facts:
            self.picture = HallPicture(facts, self.clock.seconds())
            for stream in list(self.streams):
                stream.show([self.picture])
        return self.picture

    def heard(self, remark: Remark) -> None:
        """Show what was said, which each guest of the hall hears; where much is said, several things at once."""
        if remark is self._heard or self._looking_soon is not None:
            return
        self._heard = remark
        now = self.clock.seconds()
        if self._looks.take(now):
            self.look()
        else:
            self._looking_soon = self.clock.callLater(self._looks.wait(now), self._look_soon)

    def _look_soon(self) -> None:
        self._looking_soon = None
        self._looks.take(self.clock.seconds())
        self.look()

    def follow(self) -> None:
        """Look again from time to time, for as long as a page is open."""
        if self._timer is None:
            self._timer = self.clock.callLater(LOOK_AGAIN_SECONDS, self._look_again)
        self.look()

    def _look_again(self) -> None:
        self._timer = None
        if self.streams:
            self.follow()

    def let_go(self) -> None:
        """End every stream; the pages come anew."""
        for stream in list(self.streams):
            stream.end("")

    def close(self) -> None:
        """End every stream, and the timer."""
        self.let_go()
        for timer in (self._timer, self._looking_soon):
            if timer is not None:
                timer.cancel()
        self._timer = self._looking_soon = None

    # -- looking ----------------------------------------------------------------------

    def _look(self) -> HallFacts:
        directory, people = self._host.directory, self._host.people
        lively = islice(directory.public(), _MOST_LOOKED_AT)
        played = (each for each in lively if each.stage in _PLAYED and each.watchers)
        return HallFacts(
            tables=[self._listed(each) for each in islice(directory.joinable(), MOST_TABLES)],
            played=[self._listed(each) for each in islice(played, MOST_TABLES)],
            people=[name for name, _ in islice(people.who(), _MOST_PEOPLE)],
            here=len(people),
            said=tuple(people.lately),
            draining=self._host.draining,
        )

    def _listed(self, table: Card) -> ListedTable:
        return ListedTable(
            table.code,
            self._host.hall.registry.latest(table.kind).title,
            table.name,
            ", ".join(each for each in table.names if each),
            table.players,
            table.most_players,
            free=bool(table.free),
            sealed=table.locked,
            watchers=table.watchers,
        )
