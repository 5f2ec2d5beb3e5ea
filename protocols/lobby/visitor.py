"""One visitor of the hall: a link whose lines are words, and a face and a person behind it.

A line is obeyed when what the line before it set going has come to rest: the Host has answered, and where
only bots are awaited they have moved.  So a person's haste and a whole game piped in by netcat both work.
After each line, when it becomes the visitor's turn and when a game is over, one line in brackets says where
the visitor is and how things stand; it comes last, so it also tells a program that all has been said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import TYPE_CHECKING, cast

from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from gamecore.errors import Malformed, Refused
from gamecore.events import RoundBegan
from gamecore.table_events import Abandoned, GameOver
from gamecore.table_view import Detail, TableView, Turn
from protocols.host.face import Host, News, Place
from protocols.host.people import Remark
from protocols.i18n.game_text import Bench, find_text
from protocols.i18n.refusals import explain, explain_reason
from protocols.i18n.translate import ENGLISH, N_, Translator
from protocols.lobby import commands
from protocols.lobby.dress import dressed
from protocols.lobby.table_state import TableState, teller
from protocols.net.limits import TokenBucket
from protocols.net.line import BoundedLine
from protocols.net.telnet import TOO_LONG, Negotiation, TooLong

if TYPE_CHECKING:
    from protocols.lobby.server import LobbyFactory

MOST_LINES = 100  # that wait their turn; then the link is not read for a while
BOT_SECONDS = 5.0  # for so long a line waits for bots
_IAC = b"\xff"

Draw = Callable[[TableView], None]
Step = Callable[[], None]


class Visitor(BoundedLine):
    """Somebody who came to the lobby."""

    linger = 5.0
    burst = 100.0
    factory: LobbyFactory

    place: Place | None = None
    sight: TableState | None = None
    say: Translator = ENGLISH
    letters: bool = False
    colour: bool = False
    secret: str = ""  # the password of the table, once it has let us in
    benches: dict[str, Bench] | None = None  # what is made ready for games, by their kinds
    detail = Detail.OWN_BOARD
    openings: TokenBucket | None = None  # how many tables this person may still open

    _telnet: Negotiation | None = None
    _lines: deque[str] | None = None  # that wait their turn
    _not_read: bool = False
    _steps: deque[Step] | None = None  # what is done next if the Host agrees
    _asked: bool = False  # the Host was asked, and has not answered
    _arriving: bool = False  # it has agreed, and will show a table
    _looks: deque[Draw] | None = None
    _prompts: bool = False  # a line in brackets is due
    _hold: IDelayedCall | None = None
    _behind: bool = False  # what was told is left out, since it was not read
    _paused: bool = False

    # -- what the words call ----------------------------------------------------------

    @property
    def host(self) -> Host:
        """The Host of all tables."""
        return self.factory.host

    @property
    def seat(self) -> int | None:
        """Where the visitor sits, if it sits."""
        place = self.place
        return None if place is None or place.player is None else place.player.seat

    @property
    def name(self) -> str:
        """What the visitor is called."""
        return self.host.people.name_of(self)

    def ask(self, *steps: Step) -> object:
        """Take note that the Host is about to be asked for something; gives the tag to ask with.

        If the Host agrees, ``steps`` follow one by one, each of which may ask for something again.
        """
        if self._steps is None:
            self._steps = deque()
        self._steps.extendleft(reversed(steps))
        self._asked = True
        return self

    def ask_for_table(self, *steps: Step) -> object:
        """The same, where the Host will also show a table."""
        self._arriving = True
        return self.ask(*steps)

    def look(self, draw: Draw) -> None:
        """Draw something from a fresh View of the table."""
        if self._looks is None:
            self._looks = deque()
        self._looks.append(draw)
        self.host.look(self, draw)

    def draw_board(self, view: TableView) -> None:
        """Draw the board of the game, if there is one to draw."""
        text = None if self.sight is None else self.sight.text
        if view.board is None:
            self.tell(self.say("There is no board yet: the game has not begun."))
        elif text is not None:
            self.send_lines(text.board(view, self.say))

    def tell(self, line: str) -> None:
        """Tell one thing."""
        self.send_line(line)

    def settle_later(self) -> None:
        """Take note that something else than the Host is to answer (see ``settle_now``)."""
        self._asked = True

    def settle_now(self, step: Step) -> None:
        """Go on with what was to be done then."""
        self._asked = False
        if not self.closing:
            self._try(step)
            self._go_on()

    def go_home(self) -> None:
        """Be in the hall again, at no table."""
        self.sight = None
        self.secret = ""

    # -- lines ------------------------------------------------------------------------

    def connectionMade(self) -> None:
        super().connectionMade()
        name = self.host.people.enter(self)
        self.send_lines(self.factory.greet(name, self.say))

    def received(self, data: bytes) -> None:
        if self._telnet is None and _IAC in data:
            seconds = self.factory.clock.seconds
            self._telnet = Negotiation(self.send, seconds, self._are_there)
        if self._telnet is not None:
            try:
                data = self._telnet.strip(data)
            except TooLong:
                self.dismiss(TOO_LONG)
                return
            if self._telnet.interrupted:  # behind the answer that ends the silence of its screen
                self._telnet.interrupted = False
                self._prompt()
        super().received(data)

    def _are_there(self, argument: object) -> None:
        self.tell(self.say("Yes, Parlour is here."))

    def line_received(self, line: str) -> None:
        self.settled()
        if self._lines is None:
            self._lines = deque()
        self._lines.append(line)
        self._go_on()
        waiting = self._lines
        if waiting is not None and len(waiting) > MOST_LINES and not self._not_read:
            self._not_read = True
            self.stop_reading()

    def line_refused(self, reason_key: str) -> None:
        self.tell(explain_reason(reason_key, self.say))

    def farewell(self, reason: str) -> bytes:
        return self.encoded(explain_reason(reason, self.say))

    def encoded(self, text: str) -> bytes:
        lines = text.splitlines() or [""]
        shown = [dressed(line, self.letters, self.colour) + "\r\n" for line in lines]
        return "".join(shown).encode(errors="replace")

    def input_ended(self) -> None:
        self._go_on()

    def overflowed(self) -> None:
        """Let a watcher go who does not read; a player gets the table as it stands instead."""
        self.forget_waiting()
        if self.seat is None:
            self.dismiss("does-not-read")
        else:
            self._behind = True

    def resumeProducing(self) -> None:
        super().resumeProducing()
        if self._behind and not self.closing:
            self._behind = False
            self.tell(self.say("Some lines are left out here, since you did not read them."))
            if self.sight is not None:
                self.look(self.draw_board)

    def gone(self, reason: Failure) -> None:
        self._let_wait(None)
        self._lines = self._steps = self._looks = None
        self.host.drop(self)
        self.host.people.leave(self)

    # -- one after the other ----------------------------------------------------------

    def _go_on(self) -> None:
        """Obey what waits, as far as what came before it has come to rest."""
        while not self.closing and self._rests():
            if self._prompts:
                self._prompt()
            if not self._lines:
                break
            line = self._lines.popleft().strip()
            if line:
                self._prompts = True
                self._try(partial(commands.obey, self, line))
        if not self._lines:
            self._lines = None  # thousands may sit here and say nothing
        self._read_again()
        done = not (self._lines or self._asked or self._looks)
        if self.half_closed and done and not self._prompts and not self.closing:
            self.close()

    def _rests(self) -> bool:
        if self._asked or self._looks or self._paused:
            return False
        sight = self.sight
        for_bots = sight is not None and self.seat is not None and sight.waits_for_bots()
        if not for_bots or not (self._lines or self._prompts):
            self._let_wait(None)
            return True
        if self._hold is None:
            self._let_wait(BOT_SECONDS)
        return self._hold is not None and not self._hold.active()

    def _let_wait(self, seconds: float | None) -> None:
        """Wait for bots so long, or no longer."""
        if self._hold is not None and self._hold.active():
            self._hold.cancel()
        self._hold = None
        if seconds is not None:
            self._hold = self.factory.clock.callLater(seconds, self._go_on)

    def _read_again(self) -> None:
        if self._not_read and not self._lines:
            self._not_read = False
            self.go_on_reading()

    def _try(self, step: Step) -> None:
        """Do something, and tell if it is refused."""
        try:
            step()
        except Refused as refusal:
            self._turn_down(refusal)
        except Malformed as problem:
            self._steps = None
            self.tell(str(problem))

    def _turn_down(self, refusal: Refused) -> None:
        self._steps = None
        self._asked = self._arriving = False
        text = None if self.sight is None else self.sight.text
        self.tell(explain(refusal, text, self.say))
        if self.place is None and self.sight is not None:  # a password was asked for on the way
            self.go_home()

    def _prompt(self) -> None:
        self._prompts = False
        if self.sight is None:
            self.tell(f"[{self.say('hall')}]")
        else:
            self.tell(self.sight.stands(self.seat, self.say))

    # -- what the Host says -----------------------------------------------------------

    def shown(self, view: TableView) -> None:
        """Draw what was asked for from a View, or arrive at the table that it shows."""
        if self.sight is not None and self.sight.code == view.code and not self._arriving:
            self.sight.see(view)
            (self._looks.popleft() if self._looks else self.draw_board)(view)
            return
        self.sight = TableState(view, find_text(view.kind))
        self.send_lines(commands.arrive(self, view))
        if view.board is not None:
            self.draw_board(view)

    def told(self, news: News) -> None:
        """Tell what happened; a round that begins is also drawn to who plays it."""
        if self.sight is None:
            return
        self.sight.told(news)
        lines = news.drawn(teller(cast(Hashable, self.sight.text), self.say))
        if lines:
            dressed_up = self.letters or self.colour
            self.send(self.encoded(lines.decode()) if dressed_up else lines)
        kinds = {type(event) for event in news.events}
        if GameOver in kinds:
            self._prompts = True
        if RoundBegan in kinds and self.seat is not None:
            self.look(self.draw_board)
        if Abandoned in kinds:
            self.host.leave(self)
            self.go_home()
            self._prompts = True
            self._go_on()

    def turned(self, turn: Turn) -> None:
        """Take in whose turn it is; if it is the visitor's, say so and what may be done."""
        if self.sight is None:
            return
        if self.sight.turned(turn):
            self._prompts = True
        if self._arriving:
            self._agreed()
        self._go_on()

    def answered(self, tag: object, refusal: Refused | None) -> None:
        """Go on with what was asked for, or tell why it is refused."""
        if tag is not self:
            if refusal is not None and self._looks:
                self._looks.popleft()
                self._turn_down(refusal)
        elif refusal is not None:
            self._turn_down(refusal)
        elif not self._arriving:
            self._agreed()
        self._go_on()

    def _agreed(self) -> None:
        self._asked = self._arriving = False
        if self._steps:
            self._try(self._steps.popleft())

    def given(self, token: str) -> None:
        """Tell the word that brings the visitor back."""
        self.tell(
            self.say("Keep this word to come back if the link breaks: RETURN {token}", token=token)
        )

    def paused(self, trouble: str | None) -> None:
        """Say that play is paused or goes on; what is typed meanwhile waits."""
        self._paused = trouble is not None
        if trouble is not None:
            self.tell(self.say("Play is paused: what happens cannot be written down just now."))
        else:
            self.tell(self.say("Play goes on."))
            self._go_on()

    def parted(self, reason: str) -> None:
        """Be in the hall again, or go if somebody else has taken this place over."""
        self.go_home()
        self._asked = self._arriving = self._paused = False
        self._steps = self._looks = None
        if reason == "taken-over":
            self.host.people.leave(self)
            self.dismiss(reason)
        elif reason != "closing":  # then everybody is told at once, as the link ends
            self.tell(explain_reason(reason, self.say))
            self._prompts = True
            self._go_on()

    def heard(self, remark: Remark) -> None:
        """Hear what somebody said."""
        sentence = N_("{name}: {words}")
        if remark.private:
            sentence = N_("{name} tells you: {words}")
        self.tell(self.say(sentence, name=remark.name, words=remark.words))

    def send_lines(self, texts: Iterable[str]) -> None:
        """Send several lines as one write."""
        self.send(b"".join(map(self.encoded, texts)))
