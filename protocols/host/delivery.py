"""What one command has to say to every face, drawn when it was applied, delivered when it is committed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from gamecore.events import Event, heard_by
from gamecore.player import PlayerCore
from gamecore.table_view import Turn
from protocols.host.face import Face, Follower, News, Place
from protocols.host.live_table import LiveTable

Guarded = Callable[..., None]
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

    def deliver(self, guarded: Guarded) -> None:
        """Tell every face its share of the events and whose turn it is, then answer the one that asked."""
        live, news, seated = self.live, self.news, self.seated
        live.saved = self.sequence
        told: dict[int | None, News] = {}
        for each in tuple(live.faces):
            mine = news if seated is None else _share(news, seated, each.place, told)
            if mine.events:
                guarded(each, each.told, mine)
        for follower, turn in self.turns:
            if follower in live.faces:
                guarded(follower, follower.turned, turn)
        if self.face is not None:
            guarded(self.face, self.face.answered, self.tag, None)


def prepare_delivery(
    live: LiveTable, events: Sequence[Event], now: float, face: Face | None, tag: object
) -> Delivery:
    """Draw the news of a command that was just applied at table time ``now``."""
    table = live.table
    news, seated = News(events, table.names), None if table.public else table.seated()
    return Delivery(live, table.sequence, news, seated, draw_turns(live, now), face, tag)


def draw_turns(live: LiveTable, now: float) -> Sequence[tuple[Follower, Turn]]:
    """Draw for each follower, there or on its way, whose turn it is; all whose turn it is not share one."""
    if not live.followers:
        return ()
    table = live.table
    shared = table.turn_of(None, now)
    turns: list[tuple[Follower, Turn]] = []
    for face in live.followers:
        player = None if face.place is None else face.place.player
        moves = player is not None and player.seat in shared.to_move
        turns.append((face, table.turn_of(player.seat, now) if player and moves else shared))
    return turns


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
        told[seat] = News(heard_by(seat, news.events), news.names)
    return told[seat]
