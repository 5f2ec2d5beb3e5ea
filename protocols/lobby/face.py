"""One link of the lobby's door: lines, and telnet for those who speak it; what they mean a session says."""

from __future__ import annotations

from typing import Protocol

from twisted.python.failure import Failure

from protocols.i18n.refusals import explain_reason
from protocols.i18n.translate import ENGLISH
from protocols.lobby.draining import tell_of_drain
from protocols.lobby.session import Session
from protocols.net.line import BoundedLine
from protocols.net.link import Owner
from protocols.net.telnet import TOO_LONG, Negotiation, TooLong

_IAC = b"\xff"


class Lobby(Owner, Protocol):
    """What a link needs of the door that let it in."""

    def welcome(self, line: BoundedLine) -> Session:
        """Begin a session: greet somebody who comes."""


class LobbyFace(BoundedLine):
    """Somebody who came to the lobby."""

    deadline = 600.0  # to read the help, or the rules of a game
    linger = 5.0
    burst = 100.0
    factory: Lobby
    session: Session | None = None

    _telnet: Negotiation | None = None

    def connectionMade(self) -> None:
        super().connectionMade()
        self.session = self.factory.welcome(self)

    def received(self, data: bytes) -> None:
        if self._telnet is None and _IAC in data:
            self._telnet = self._begin_telnet()
        if self._telnet is not None:
            try:
                data = self._telnet.strip(data)
            except TooLong:
                self.dismiss(TOO_LONG)
                return
            if self._telnet.interrupted:  # behind the answer that ends the silence of its screen
                self._telnet.interrupted = False
                self._here.prompt()
        super().received(data)

    def ask_size(self) -> None:
        if self._telnet is None:
            self._telnet = self._begin_telnet()
        self._telnet.ask_size()

    @property
    def speaker(self) -> object:
        """Who this peer is to the Host."""
        return self.session

    def _begin_telnet(self) -> Negotiation:
        seconds = self.factory.clock.seconds
        return Negotiation(self.send, seconds, self._are_there, self._here.screen.fit_window)

    @property
    def _here(self) -> Session:
        assert self.session is not None, "nothing is heard before the link is made"
        return self.session

    def _are_there(self, argument: object) -> None:
        self._here.tell(self._here.say("Yes, Parlour is here."))

    def begins_no_more(self) -> None:
        """Say what is to come, and what can be done."""
        tell_of_drain(self._here)

    def line_received(self, line: str) -> None:
        self._here.line_received(line)

    def line_refused(self, reason_key: str) -> None:
        self._here.line_refused(reason_key)

    def farewell(self, reason: str) -> bytes:
        if self.session is None:
            return self.encoded(explain_reason(reason, ENGLISH))
        return self.session.farewell(reason)

    def input_ended(self) -> None:
        self._here.input_ended()

    def overflowed(self) -> None:
        self._here.overflowed()

    def resumeProducing(self) -> None:
        super().resumeProducing()
        self._here.caught_up()

    def gone(self, reason: Failure) -> None:
        self._here.gone()
