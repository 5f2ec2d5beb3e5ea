"""The last step of a face to a seat: what its table has to do for it first, here or at another daemon."""

from __future__ import annotations

from collections.abc import Callable

from gamecore import commands
from gamecore.player import PlayerCore
from protocols.host.attachments import Attachments
from protocols.host.face import Face
from protocols.host.live_table import LiveTable
from protocols.host.owner import Asking, Owner
from protocols.host.place import Place
from protocols.host.table_service import TableService


class Coming:
    """Brings faces to seats; one that has gone before what it needs is done is lost at once."""

    def __init__(self, service: TableService, attachments: Attachments) -> None:
        self._service = service
        self._outbox = service.outbox
        self._attachments = attachments

    def come(
        self,
        face: Face,
        live: LiveTable,
        command: commands.Sit | commands.Return | commands.GiveToken,
        tag: object,
        player: Callable[[], PlayerCore],
        token: str | None = None,
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Do that by which a face comes to a seat, and attach it; one that has gone by then is lost at once.

        Where it cannot be done the face is refused, or ``otherwise`` is called if that is given.
        """
        # What is asked of another daemon takes its time.
        coming = None if live.owner is None else self._attachments.set_out(face, live)

        def stays() -> bool:
            return coming is None or self._attachments.arrives(face, live, coming)

        def done() -> None:
            if not stays():
                self._attachments.lose(live, player())
                return
            if otherwise is not None:
                self._outbox.post(face, face.answered, tag, None)
            if token is not None:
                self._outbox.post(face, face.given, token)
            self._attachments.attach(face, live, Place(live.table.code, player()))

        def refused() -> None:
            stays()
            if otherwise is not None:
                otherwise()

        answered = face if otherwise is None else None
        self._service.do(live, command, answered, tag, done, refused)

    def hold(
        self, face: Face, live: LiveTable, owner: Owner, player: PlayerCore, tag: object
    ) -> None:
        """Let a face come to a mirror once its player is held here; one that has gone by then is lost at once."""
        coming = self._attachments.set_out(face, live)

        def done() -> None:
            if self._attachments.arrives(face, live, coming):
                self._attachments.attach(face, live, Place(live.table.code, player))
            else:
                self._attachments.lose(live, player)

        def refused() -> None:
            self._attachments.arrives(face, live, coming)

        owner.hold(player, Asking(face, tag, done, refused))
