"""Faces coming to tables and going from them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from twisted.logger import Logger

from gamecore.commands import Command, Drop, Leave, Return
from gamecore.errors import Refused
from gamecore.player import PlayerCore, Presence
from gamecore.table import Table
from gamecore.table_view import TableView, Turn
from protocols.host.face import Face, follows
from protocols.host.live_table import LiveTable
from protocols.host.owner import NOBODY_ASKS, Asking
from protocols.host.place import Place
from protocols.host.table_service import TableService


class Attachments:
    """Which faces hear of which table, from when, and until when."""

    _log = Logger()

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._outbox = service.outbox
        self._mute: set[Face] = set()  # whose peers will say no more, and still listen

    def attach(self, face: Face, live: LiveTable, place: Place, tag: object = None) -> None:
        """Bring in a face: from its View on it hears everything, and nothing from before.

        Refused ``table-resting`` at a table that is read again after a bug.
        """
        if live.recovering:
            self._outbox.refuse(face, tag, Refused("table-resting"))
            return
        self.detach(face)
        face.place = place
        if place.player is not None:
            live.holders.append(face)
            self._service.house.seated(live, place.player)
        view = self.view(live, place)
        turn = None
        if follows(face):
            turn = live.table.turn_of(view.seat, view.at, face.detail)
            live.followers.append(face)  # from now on, though it hears of it in its time
        live.joining += 1
        self._service.queue.post(partial(self._join, face, live, place, view, turn))
        if face in self._mute:
            self._service.queue.post(partial(self._free_seat, face))

    def _join(
        self, face: Face, live: LiveTable, place: Place, view: TableView, turn: Turn | None
    ) -> None:
        live.joining -= 1
        if face.place is not place:  # it may have gone before this delivery came
            return
        live.faces.append(face)
        self._outbox.tell(face, face.shown, view)
        if turn is not None and follows(face) and face.place is place:
            self._outbox.tell(face, face.turned, turn)

    # -- where a table's owner has to say something first -------------------------------

    def set_out(self, face: Face, live: LiveTable) -> Place:
        """Let a face wait for what the owner of a table has to say, and hear if that is paused; gives its place.

        Who looks on there does so meanwhile; any other is on the way.
        """
        place = face.place
        if place is None or place.code != live.table.code or place.player is not None:
            self.detach(face)
            place = face.place = Place.on_the_way()
        live.waiting[place] = face
        self._outbox.hold_up(live.owner, face)
        return place

    def arrives(self, face: Face, live: LiveTable, place: Place) -> bool:
        """Say whether a face has waited until now, in the place that it had when it set out."""
        live.waiting.pop(place, None)
        if face.place is not place:
            return False
        if not place.code:
            face.place = None
        return True

    # -- what is seen there -------------------------------------------------------------

    def view(self, live: LiveTable, place: Place) -> TableView:
        """Draw what one in a place sees at this moment."""
        return live.table.seen_by(place.seat, self._service.clocks.now(live))

    def look(self, face: Face, tag: object, anew: bool) -> None:
        """Show a face its table once more, and answer it; ``anew``, as its owner has it now.

        Refused ``not-at-a-table``, ``closing``, ``table-away``.
        """
        place, live = face.place, self._service.live.at(face.place)
        if place is None or live is None or live.owner is None or not anew:
            self._show(face, live, place, tag)
            return
        show = partial(self._show, face, live, place, tag)
        away = partial(self._outbox.refuse, face, tag, Refused("table-away"))
        live.owner.catch_up(Asking(then=show, otherwise=away))

    def _show(self, face: Face, live: LiveTable | None, place: Place | None, tag: object) -> None:
        if self._service.closing:  # a View would come behind the parting from its table
            self._outbox.refuse(face, tag, Refused("closing"))
        elif live is None or live.recovering or place is None or face.place is not place:
            self._outbox.refuse(face, tag, Refused("not-at-a-table"))
        else:
            self._outbox.post(face, face.shown, self.view(live, place))
            self._outbox.post(face, face.answered, tag, None)

    # -- who is awaited, and who goes ---------------------------------------------------

    def is_awaited(self, face: object) -> bool:
        """Say whether a table waits for what a face is to decide; False for what is no face."""
        place: Place | None = getattr(face, "place", None)
        live = self._service.live.at(place)
        if live is None or place is None or place.player is None:
            return False
        table, seat = live.table, place.player.seat
        if not table.playing or seat not in table.awaited():
            return False
        # No machine is asked: this is on the path of a move, and for who has gone nobody waits.
        return table.seated()[seat] is place.player

    def leave(self, face: Face, why: str) -> None:
        """Take a face from its table for good."""
        self._part(face, lambda table, seat: Leave(seat, why))

    def bring_back(
        self,
        live: LiveTable,
        player: PlayerCore,
        asking: Asking = NOBODY_ASKS,
        asked: str = "",
    ) -> bool:
        """Let a player be here again who is held and taken for away; says whether that was so."""
        seat = player.seat
        if live.table.presence(seat) is not Presence.AWAY:
            return False
        then, otherwise = asking.then, asking.otherwise
        self._service.do(live, Return(seat), asking.face, asking.tag, then, otherwise, asked)
        return True

    def lose(self, live: LiveTable, player: PlayerCore) -> None:
        """Take note that a player who is held nowhere has no link."""
        if live.table.sits(player) and _is_left_by(live.table, player.seat):
            self._service.do(live, _lose(live.table, player.seat))

    def drop(self, face: Face) -> None:
        """Take note that the link of a face is lost."""
        self._service.outbox.forget(face)
        self._mute.discard(face)
        self._part(face, _lose)

    def input_ended(self, face: Face) -> None:
        """Take note that the peer of a face will say no more, though its link stands until it is dropped."""
        self._mute.add(face)
        self._service.queue.post(partial(self._free_seat, face))

    def _free_seat(self, face: Face) -> None:
        """Let others have the seat of one who will say no more, behind all answers; not while it is played from.

        Who holds a token may come back, and keeps it.
        """
        place, live = face.place, self._service.live.at(face.place)
        if place is None or live is None or place.may_return or live.table.playing:
            return
        self._part(face, _lose)

    def _part(self, face: Face, command: Callable[[Table, int], Command]) -> None:
        place = face.place
        live = self.detach(face)
        if place is None or live is None:
            return
        table = live.table
        if place.player is not None and not live.recovering and not self._service.closing:
            seat = place.player.seat
            if _is_left_by(table, seat) and table.player(seat) is place.player:
                self._service.do(live, command(table, seat))
        self._service.queue.post(partial(self._service.live.let_go, live))

    def part_with_idle(self, live: LiveTable) -> None:
        """Part with those whose seats were given up, or taken over by a bot, while they were here."""
        table = live.table
        for face in tuple(live.holders):
            player = None if face.place is None else face.place.player
            if player is None or table.sits(player):
                continue
            live.holders.remove(face)
            looking_on = face.place = Place(table.code, None)  # until that is told
            self._service.queue.post(partial(self._dismiss, face, looking_on, "idle"))

    def _dismiss(self, face: Face, place: Place, reason: str) -> None:
        if face.place is place:
            live = self.detach(face)
            self._outbox.tell(face, face.parted, reason)
            if live is not None:
                self._service.live.let_go(live)

    def detach(self, face: Face) -> LiveTable | None:
        """Tell a face nothing more of where it was, and say where that is."""
        live = self._service.live.at(face.place)
        face.place = None
        if live is not None:
            for attached in (live.faces, live.holders):
                if face in attached:
                    attached.remove(face)
            live.followers = [each for each in live.followers if each is not face]
        return live

    def part_with(self, face: Face, reason: str) -> None:
        """Part with a face whose place is no more its own; it hears so in its time."""
        self.detach(face)
        self._outbox.post(face, face.parted, reason)

    def cut_off(self, face: Face, reason: str) -> None:
        """Part with a face on our own account, as if its link were lost."""
        self.drop(face)
        try:
            face.parted(reason)
        except Exception:
            self._log.failure("a face could not even be parted with")


def _lose(table: Table, seat: int) -> Command:
    """Say what becomes of a seat whose link is lost; one who was waited for as idle is here only by that link."""
    if table.presence(seat) is Presence.AWAY:
        return Leave(seat, "disconnected")
    return Drop(seat, table.absence(seat))


def _is_left_by(table: Table, seat: int) -> bool:
    """Say whether a seat changes as its face goes: not where its player was away, and can still come back."""
    presence = table.presence(seat)
    if presence is Presence.AWAY:
        return table.player(seat).token is None
    return presence is Presence.HERE
