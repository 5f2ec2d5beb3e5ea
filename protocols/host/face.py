"""What every face has in common, and what it is told.

A face is one client attached to a seat, or watching.  It hears three things from the Host, all in one
order, each behind the commits of what came before it:

* ``shown(view)``: where it joins, and again whenever only a fresh View will do;
* ``told(news)``: what happened since;
* ``answered(tag, refusal)``: what became of something it asked for.

It draws from these alone, never from the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeGuard, TypeVar

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime

from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.hall import Hall
from gamecore.rated import VOID
from gamecore.rules import Move
from gamecore.settings import Value
from gamecore.table_events import GameBegan, GameOver
from gamecore.table_view import Detail, TableView, Turn
from protocols.host.card import Card
from protocols.host.directory import Directory
from protocols.host.ladder import Ladder
from protocols.host.people import People
from protocols.host.place import Place
from protocols.host.records import EndedRecord
from protocols.host.table_actions import TableAction
from protocols.net.admission import Admission
from protocols.net.cork import Cork
from protocols.net.turns import Turns

T = TypeVar("T")


class News:
    """The events of one command that one audience hears, and the names by seat that stood then.

    ``unrated`` is why the game that is played or over is not rated, as the View has it.
    Faces of one wire share what is drawn from it: the same renderer is asked once.
    """

    __slots__ = ("_drawn", "events", "names", "unrated")

    def __init__(
        self, events: Sequence[Event], names: tuple[str, ...], unrated: str | None = None
    ) -> None:
        self.events = events
        self.names = names
        self.unrated = unrated
        self._drawn: dict[Callable[..., bytes], bytes] | None = None

    @property
    def turning(self) -> Literal["begins", "over"] | None:
        """Whether a game begins or is over by these events, of which it is told whether it is rated."""
        if len(self.events) < 2:  # no game begins or ends by one event
            return None
        kinds = {type(event) for event in self.events}
        if GameBegan in kinds:
            return "begins"
        return "over" if GameOver in kinds or self.unrated == VOID else None

    def drawn(self, render: Callable[[Sequence[Event], tuple[str, ...]], bytes]) -> bytes:
        """Render the events, once for all faces that use the same ``render``."""
        if self._drawn is None:
            self._drawn = {}
        text = self._drawn.get(render)
        if text is None:
            text = self._drawn[render] = render(self.events, self.names)
        return text


class Face(Protocol):
    """One client attached to a seat, or watching; the Host keeps ``place`` for it."""

    place: Place | None

    def shown(self, view: TableView) -> None:
        """See the table as it stands; events that follow come after this."""

    def told(self, news: News) -> None:
        """Hear what happened."""

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Hear what became of the request marked ``tag``: done, or refused."""

    def given(self, token: str) -> None:
        """Get the token that brings its player back; told once, behind the commit of the Sit."""

    def paused(self, trouble: str | None) -> None:
        """Hear that play is paused and why, and with None that it goes on; ask for nothing meanwhile."""

    def parted(self, reason: str) -> None:
        """Hear that the place at the table is no more: closed, taken over, or left."""


class Follower(Face, Protocol):
    """A face that also wants to hear, after all that is told, whose turn it is and what may be done."""

    @property
    def detail(self) -> Detail:
        """How much it is to hear with each turn."""

    def turned(self, turn: Turn) -> None:
        """Hear whose decision is awaited now; nothing need have changed since it was heard last."""


def follows(face: Face) -> TypeGuard[Follower]:
    """Say whether a face is one that follows whose turn it is."""
    return hasattr(face, "detail")


class HintSource(Protocol):
    """Who tells people what they might play."""

    def ask(self, face: Face, address: str | None) -> Deferred[Move]:
        """Find what the player of a face, who came from an address, might play; fails with Refused."""


class Host(Protocol):
    """What faces and doors may ask of the Host; it returns nothing and answers in its one order."""

    @property
    def hall(self) -> Hall:
        """The tables in memory, to look at; only the Host changes them."""

    @property
    def directory(self) -> Directory:
        """Every live table, awake or at rest, as it is listed and found."""

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""

    @property
    def draining(self) -> bool:
        """Whether the daemon is about to end, and no game begins any more."""

    @property
    def cork(self) -> Cork:
        """What holds back, while a batch is told, all that is sent to those who hear of it."""

    @property
    def turns(self) -> Turns:
        """In which turn each peer of the house is served."""

    @property
    def ladder(self) -> Ladder:
        """How games ended, and who is the strongest."""

    @property
    def people(self) -> People:
        """Who is in the hall, by a name of their own."""

    @property
    def admission(self) -> Admission:
        """How much each address may still do."""

    def faces_at(self, code: str) -> Sequence[Face]:
        """List the faces that are at a table, if it is awake."""

    @property
    def hints(self) -> HintSource:
        """Who tells people what they might play."""

    def seek(self, code: str) -> Deferred[None] | None:
        """Look for a table that is not listed, but that another daemon of the house may have opened just now.

        None where there is nothing to wait for. Fires when the directory has it, or when there is none; fails with
        Refused ``table-unreadable``, ``table-resting``, ``closing``.
        """

    def usual_options(self, kind: str) -> Mapping[str, Value]:
        """Tell what a game is played by here where nobody says otherwise; raises Refused ``no-such-game``."""

    def open(
        self,
        kind: str,
        name: str,
        options: Mapping[str, Value],
        house: Mapping[str, Value],
        owner: str | None = None,
        by: str | None = None,
    ) -> Card:
        """Open a table; what is not said is as this house has it.

        With ``owner``, a secret, it has an organizer, whose token is the table's code, a full stop and it. ``by``
        is the address it is counted for, here and where else it is asked for; None is the house.
        Raises Refused for an unknown game, options out of bounds, a full hall, or too many tables of one address.
        """

    def seal(self, password: str, by: str | None = None) -> Deferred[str]:
        """Make of a password what may be written down; it becomes a table's ``password`` in ``house``."""

    def sit(
        self,
        face: Face,
        code: str,
        seat: int | None,
        name: str,
        tag: object = None,
        keep: bool = False,
        brought: object = None,
        password: str = "",
        otherwise: Iterable[str] = (),
        lock: str = "",
        by: str | None = None,
    ) -> None:
        """Seat a face at the table of a code: it is answered and then shown the table, or answered why not.

        Without a ``seat`` it is the first that is free; ``otherwise`` are names to be called if somebody has the
        first. With ``keep`` it is given a token that brings its player back. ``lock`` is what a word was sealed to
        that the face has said at its door: it need not be said again.
        """

    def give_token(self, face: Face) -> None:
        """Let the player of a face come back from now on: it is given a token, unless it has one or no seat."""

    def match(
        self,
        face: Face,
        kind: str,
        seat: int | None,
        name: str,
        options: Mapping[str, Value],
        house: Mapping[str, Value],
        tag: object = None,
        keep: bool = False,
        brought: object = None,
        password: str = "",
        otherwise: Iterable[str] = (),
        also: Iterable[Mapping[str, Value]] = (),
        by: str | None = None,
    ) -> None:
        """Seat a face with others who came without a code and want the same, else at a table of its own."""

    def come_back(self, face: Face, token: str, tag: object = None) -> None:
        """Give a face the place of the player who was given a token; the older link is parted with.

        An organizer's token gives the organizer's place. The face is shown the table, or answered with
        ``unknown-token``, ``lost-by-absence``, or with ``restarted`` if void since the house went down under it.
        """

    def accept(self, face: Face, token: str, name: str, tag: object = None) -> None:
        """Seat a face by an invitation, as ``sit`` does with ``keep``; refused ``unknown-token`` as well."""

    def watch(
        self,
        face: Face,
        code: str,
        tag: object = None,
        password: str = "",
        by: str | None = None,
    ) -> None:
        """Let a face look on: it is answered if it gave a tag, shown the table, then told what all are told."""

    def look(self, face: Face, tag: object = None, anew: bool = False) -> None:
        """Show a face its table once more, behind all that it was told, and answer it; refused ``not-at-a-table``.

        ``anew`` is for who may know more: from another link, that went to another daemon of the house.
        """

    def submit(self, face: Face, move: Move, tag: object = None) -> None:
        """Play a move for the seat of a face; it hears ``told`` and ``answered`` in their time."""

    def answer(self, face: Face, tag: object) -> None:
        """Answer a face behind all that was done before, where there is nothing else to do for it."""

    def request(self, face: Face, action: TableAction, tag: object = None) -> None:
        """Do what a player or an organizer asks of the table; refused ``not-seated``, and as the action says."""

    def record(self, face: Face, wanted: str, draw: Callable[[EndedRecord], T]) -> Deferred[T]:
        """Give what ``draw`` makes, in another thread, of the games that are over at a table.

        ``wanted`` is the code of a table where everybody may look on, or of the one where the face sits; or a
        token that was given at any.
        """

    def check_open(self) -> None:
        """Raise Refused ``closing`` where nothing is done any more."""

    def leave(self, face: Face, why: str = "left") -> None:
        """Take a face from its table for good; the seat is still kept in a house that closes."""

    def input_ended(self, face: Face) -> None:
        """Take note that the peer of a face will say no more, though it may still listen until it is dropped.

        Where no game is played, the seat of one without a token is free from now on, behind all answers.
        """

    def drop(self, face: Face) -> None:
        """Take note that the link of a face is lost."""
