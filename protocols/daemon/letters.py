"""Letters: what one command has to say to every face, drawn when it was applied, delivered when it is committed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from gamecore.events import Event, heard_by
from gamecore.player import PlayerCore
from gamecore.table_view import Turn
from protocols.daemon.attended import Attended
from protocols.face import Face, Follower, News, Place

Guarded = Callable[..., None]
"""Takes a face, what it is to hear, and with what; sees to a face that cannot hear it."""


@frozen
class Letter:
    """One command's news.

    ``seated`` says who sat where when the command was applied; None where there is no secret in it.
    """

    attended: Attended
    sequence: int
    news: News
    seated: Mapping[int, PlayerCore] | None
    turns: Sequence[tuple[Follower, Turn]]
    face: Face | None
    tag: object

    def deliver(self, guarded: Guarded) -> None:
        """Tell every face its share of the events and whose turn it is, then answer the one that asked."""
        attended, news, seated = self.attended, self.news, self.seated
        attended.saved = self.sequence
        told: dict[int | None, News] = {}
        for each in tuple(attended.faces):
            mine = news if seated is None else _share(news, seated, each.place, told)
            if mine.events:
                guarded(each, each.told, mine)
        for follower, turn in self.turns:
            if follower in attended.faces:
                guarded(follower, follower.turned, turn)
        if self.face is not None:
            guarded(self.face, self.face.answered, self.tag, None)


def write_letter(
    attended: Attended, events: Sequence[Event], now: float, face: Face | None, tag: object
) -> Letter:
    """Draw the news of a command that was just applied at table time ``now``."""
    table = attended.table
    news, seated = News(events, table.names), None if table.public else table.seated()
    return Letter(attended, table.sequence, news, seated, draw_turns(attended, now), face, tag)


def draw_turns(attended: Attended, now: float) -> Sequence[tuple[Follower, Turn]]:
    """Draw for each follower, there or on its way, whose turn it is; all whose turn it is not share one."""
    if not attended.followers:
        return ()
    table = attended.table
    shared = table.turn_of(None, now)
    turns: list[tuple[Follower, Turn]] = []
    for face in attended.followers:
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
