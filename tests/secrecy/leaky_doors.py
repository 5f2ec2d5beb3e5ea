"""A door to the whole hall that keeps every secret, and others like it with one leak planted in each."""

from __future__ import annotations

from twisted.logger import Logger

from gamecore.settings import NoSettings
from protocols.host.door import Door, DoorFactory
from protocols.net.line import BoundedLine
from protocols.testing.wires import Wire


class Plain(BoundedLine):
    """A face that says what happened and what can be seen, and no more."""

    place = None

    def line_received(self, line: str) -> None:
        self.settled()
        host = self.factory.host
        match line.split():
            case ["SIT", code, seat]:
                host.sit(self, code, int(seat), "north", keep=True)
            case ["WATCH", code]:
                host.watch(self, code)
            case ["BACK", token]:
                host.come_back(self, token)
            case ["LOOK"]:
                host.look(self)

    def line_refused(self, reason_key: str) -> None:
        self.send_line(reason_key)

    def shown(self, view) -> None:
        self.send_line(repr(view.board))

    def told(self, news) -> None:
        self.send_lines([type(event).__name__ for event in news.events])

    def answered(self, tag, refusal) -> None:
        if refusal is not None:
            self.send_line(refusal.key)

    def given(self, token: str) -> None:
        self.send_line(token)

    def paused(self, trouble) -> None: ...

    def parted(self, reason: str) -> None:
        self.dismiss(reason)

    def gone(self, reason) -> None:
        self.factory.host.drop(self)

    # -- where no face should look -----------------------------------------------------

    @property
    def table(self):
        return self.factory.host.hall.find(self.place.code)

    @property
    def hidden(self) -> int:
        """A number that follows from what is laid in secret, or else held by somebody."""
        position = self.table._game._live
        return sum(position.laid.values()) or sum(position.hands[0]) if position is not None else 0


class LongLines(Plain):
    """How long a line is tells of a hidden card."""

    def told(self, news) -> None:
        self.send_lines([type(event).__name__ + " " * self.hidden for event in news.events])


class ManyWrites(Plain):
    """The same bytes, in as many writes as a hidden card says."""

    def told(self, news) -> None:
        data = b"".join(type(event).__name__.encode() + b"\n" for event in news.events)
        cut = self.hidden % 2
        for part in (data[:cut], data[cut:]):
            if part:
                self.send_alone(part)


class LateLines(Plain):
    """How long it takes for a line to come tells of a hidden card."""

    def told(self, news) -> None:
        texts = [type(event).__name__ for event in news.events]
        self.factory.clock.callLater(self.hidden / 100, self.send_lines, texts)


class Numbers(Plain):
    """Each line bears the number of all that was ever done at the table."""

    def told(self, news) -> None:
        self.send_lines([f"{self.table.sequence} {type(each).__name__}" for each in news.events])


class LeakyLook(Plain):
    """One who asks how things stand is told more than there is to be seen."""

    def shown(self, view) -> None:
        self.send_line(f"{view.board!r} {self.hidden}")


class Gossip(Plain):
    """What is hidden is told to nobody but the log."""

    _log = Logger()

    def told(self, news) -> None:
        super().told(news)
        self._log.debug("told of {hidden}", hidden=self.hidden)


def door_of(face: type[Plain]) -> Door:
    """Build the door where one of these faces stands."""

    class Factory(DoorFactory):
        protocol = face

    door = Door(
        "rumours",
        "Rumours",
        "tcp:1",
        NoSettings,
        lambda host, defaults: Factory(host, door, defaults),
    )
    return door


WIRE = Wire(
    "lines",
    sit=("SIT <code> <seat>",),
    watch=("WATCH <code>",),
    back=("BACK <token>",),
    asks=("LOOK",),
)
