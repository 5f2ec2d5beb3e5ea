"""What one command has to say to every face, drawn when it was applied, delivered when it is committed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from attrs import frozen

from gamecore.events import Event, heard_by
from gamecore.player import PlayerCore
from gamecore.table import Table
from gamecore.table_view import Detail, Turn
from protocols.host.face import Face, Follower, News
from protocols.host.live_table import LiveTable
from protocols.host.place import Place

_OWN = (Detail.MOVES, Detail.OWN_BOARD)  # nothing in it is a seat's own unless it is to move

Tell = Callable[..., None]
"""Takes a face, what it is to hear, and with what; sees to a face that cannot hear it."""


@frozen
class Delivery:
    """One command's news.

    ``seated`` says who sat where when the command was applied; None where there is no secret in it.
    """

    live: LiveTable
    sequence: int
    news: News
    seated: Mapping[int, PlayerCore] | None
    turns: Sequence[tuple[Follower, Turn]]
    face: Face | None
    tag: object

    def deliver(self, tell: Tell) -> None:
        """Tell every face its share of the events and whose turn it is, then answer the one that asked."""
        live, news, seated = self.live, self.news, self.seated
        live.saved = self.sequence
        told: dict[int | None, News] = {}
        for each in tuple(live.faces):
            mine = news if seated is None else _share(news, seated, each.place, told)
            if mine.events:
                tell(each, each.told, mine)
        for follower, turn in self.turns:
            if follower in live.faces:
                tell(follower, follower.turned, turn)
        if self.face is not None:
            tell(self.face, self.face.answered, self.tag, None)


def prepare_delivery(
    live: LiveTable, events: Sequence[Event], now: float, face: Face | None, tag: object
) -> Delivery:
    """Draw the news of a command that was just applied at table time ``now``."""
    table = live.table
    unrated = table.unrated if len(events) > 1 else None  # no game begins or ends by one event
    news, seated = News(events, table.names, unrated), None if table.public else table.seated()
    return Delivery(live, table.sequence, news, seated, draw_turns(live, now), face, tag)


def draw_turns(live: LiveTable, now: float) -> Sequence[tuple[Follower, Turn]]:
    """Draw for each follower, there or on its way, whose turn it is; those who draw the same share one."""
    shared: dict[tuple[int | None, Detail], Turn] = {}
    awaited = live.table.awaited()
    return [(face, _turn_of(face, live.table, awaited, now, shared)) for face in live.followers]


def _turn_of(
    face: Follower,
    table: Table,
    awaited: Set[int],
    now: float,
    shared: dict[tuple[int | None, Detail], Turn],
) -> Turn:
    player = None if face.place is None else face.place.player
    seat = None if player is None else player.seat
    detail = face.detail
    if detail in _OWN and seat not in awaited:
        seat, detail = None, Detail.MOVES
    turn = shared.get((seat, detail))
    if turn is None:
        turn = shared[seat, detail] = table.turn_of(seat, now, detail)
    return turn


def _share(
    news: News,
    seated: Mapping[int, PlayerCore],
    place: Place | None,
    told: dict[int | None, News],
) -> News:
    """Pick what one face may hear, once for each audience."""
    player = None if place is None else place.player
    seat = next((seat for seat, core in seated.items() if core is player), None)
    if seat not in told:
        told[seat] = News(heard_by(seat, news.events), news.names, news.unrated)
    return told[seat]
