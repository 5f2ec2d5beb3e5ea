"""What becomes of what was asked of the owners of tables that are mirrored here, and is not done by a record."""

from __future__ import annotations

import json
from collections.abc import Callable

from gamecore.errors import Refused
from protocols.host.attachments import Attachments
from protocols.host.table_service import TableService
from protocols.house.links import Links
from protocols.house.mirror import Ask, Mirror
from protocols.house.wire import MOVED

Find = Callable[[int, str], Mirror | None]
"""Finds the mirror of a run's table by the code."""


class Answers:
    """Hears what owners answer, and asks anew where a table has changed hands, or gathers for another game."""

    def __init__(
        self, service: TableService, links: Links, attachments: Attachments, find: Find
    ) -> None:
        self._service = service
        self._attachments = attachments
        self._find = find
        links.hear("x", self._refused)
        links.hear("a", self._done)

    def _take(self, run: int, code: bytes, name: bytes) -> tuple[Mirror, Ask] | None:
        """Find what was asked by a name, which is answered now."""
        mirror = self._find(run, code.decode())
        ask = None if mirror is None else mirror.asked.pop(name.decode(), None)
        if mirror is None or ask is None:
            return None
        return mirror, ask

    def _let_go(self, mirror: Mirror) -> None:
        """Keep a mirror no longer than it is looked at, behind what its answer has brought."""
        self._service.queue.post(lambda: self._service.live.let_go(mirror.live))

    def _done(self, run: int, rest: bytes) -> None:
        """Hear that a player is held here now, or that all is seen here, as was asked."""
        taken = self._take(run, *rest.split(b" "))
        if taken is not None:
            self._come(taken[1])
            self._let_go(taken[0])

    def _come(self, ask: Ask) -> None:
        """Answer a face, if there is one, whose player is held here now, and let it come."""
        face, tag = ask.asking.face, ask.asking.tag
        if face is not None:
            self._service.outbox.post(face, face.answered, tag, None)
        ask.asking.then()

    def _refused(self, run: int, rest: bytes) -> None:
        """Hear that a command is refused, or that its game is over and another is gathered for."""
        code, name, key, facts = rest.split(b" ", 3)
        taken = self._take(run, code, name)
        if taken is None:
            return
        if key.decode() == MOVED:
            self.ask_again(*taken)
        else:
            self.refuse(taken[1], Refused(key.decode(), **json.loads(facts)))
        self._let_go(taken[0])

    def refuse(self, ask: Ask, refusal: Refused) -> None:
        """Refuse what was asked."""
        asking = ask.asking
        asking.otherwise()
        self._service.outbox.refuse(asking.face, asking.tag, refusal)

    def ask_again(self, mirror: Mirror, ask: Ask) -> None:
        """Ask for a command as it is to be done now, of whoever has the table.

        Anything else is asked again only where that is ours. Who is not here any more may have been told elsewhere
        that their move is not made.
        """
        live, asking, player = mirror.live, ask.asking, ask.player
        command = ask.in_game(live.table)
        if ask.most is not None and (player is None or live.holder(player) is None):
            self.refuse(ask, Refused("not-now"))
        elif command is not None:
            then, otherwise = asking.then, asking.otherwise
            self._service.do(live, command, asking.face, asking.tag, then, otherwise)
        elif ask.command is not None:
            self.refuse(ask, Refused("not-now"))
        elif player is not None and not live.table.sits(player):
            self.refuse(ask, Refused("unknown-token"))
        elif player is None or not self._attachments.bring_back(live, player, asking):
            self._come(ask)
