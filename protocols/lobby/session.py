"""One person who types words and is told what happens in plain lines, whatever link carries them.

A line is obeyed when what the line before it set going has come to rest: the Host has answered, and where
only bots are awaited they have moved.  So a person's haste and a whole game piped in by netcat both work.
After each line, when it becomes the person's turn and when a game is over, one line in brackets says where
the person is and how things stand; it comes last, so it also tells a program that all has been said.

The lobby's own door has a session for each of its links; a game's own door may have one with the game fixed (see
``one_game``).  Such a link hands on what it hears: ``line_received``, ``line_refused``, ``input_ended``,
``overflowed``, ``caught_up`` and ``gone``; and it closes with ``farewell``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial

from gamecore.errors import Malformed, Refused
from gamecore.events import RoundBegan
from gamecore.table_events import Abandoned, Agreed, GameOver, Gathered
from gamecore.table_view import Detail, TableView, Turn
from protocols.host.face import Host, News
from protocols.host.people import Remark
from protocols.host.place import Place
from protocols.i18n.game_text import ALWAYS, ROUND, GameText, Preparation, find_text
from protocols.i18n.refusals import explain, explain_reason
from protocols.i18n.translate import ENGLISH, Translator
from protocols.lobby.interpreter import Interpreter
from protocols.lobby.people_lines import PresenceLines, tell_folded, tell_remark
from protocols.lobby.screen import MORE, Screen
from protocols.lobby.session_states import BotWait, Line, PendingRequest, Step, TypeAhead
from protocols.lobby.table_state import TableState, tell_arrival

Draw = Callable[[TableView], None]

_ASKING = (GameOver, Gathered, Agreed)  # whoever sits there has something to say to them


class Session:
    """One person, whom the Host knows as a face and the people in the hall as one of them."""

    detail = Detail.OWN_BOARD
    screens = 1

    __slots__ = (
        *("_behind", "_bot_wait", "_commands", "_draws", "_paused", "_pending", "_prompt_due"),
        *("_typed", "host", "line", "place", "preparations", "say", "screen"),
        "table",
    )

    def __init__(self, line: Line, host: Host, commands: Interpreter[Session]) -> None:
        """Let somebody into the hall, under a guest's name."""
        self.line = line
        self.host = host
        self.say: Translator = ENGLISH
        self.screen = Screen(line)
        self.place: Place | None = None
        self.table: TableState | None = None
        self.preparations: dict[str, Preparation] | None = None  # by kinds of games
        self._commands = commands
        self._typed: TypeAhead | None = None
        self._pending: PendingRequest | None = None
        self._draws: deque[Draw] | None = None  # of Views that are on their way
        self._bot_wait: BotWait | None = None
        self._prompt_due = False
        self._behind = False  # what was told is left out, since it was not read
        self._paused = False
        host.people.enter(self)

    @property
    def game(self) -> str | None:
        """The kind of the one game there is here; None where there are all."""
        return self._commands.game

    @property
    def door_password(self) -> str:
        """What must be said here where a table wants no password of its own; empty if nothing."""
        return self._commands.password

    @property
    def kinds(self) -> Iterable[str]:
        """The kinds of all the games there are here."""
        game = self.game
        return self.host.hall.registry.kinds if game is None else (game,)

    @property
    def seat(self) -> int | None:
        """Where the person sits, if it sits."""
        place = self.place
        return None if place is None or place.player is None else place.player.seat

    @property
    def name(self) -> str:
        """What the person is called."""
        return self.host.people.name_of(self)

    def ask(self, *steps: Step) -> object:
        """Take note that the Host is about to be asked for something; gives the tag to ask with.

        If the Host agrees, ``steps`` follow one by one, each of which may ask for something again.
        """
        self._pending = PendingRequest(steps)
        return self

    def ask_for_table(self, *steps: Step, password: str = "") -> object:
        """The same, where the Host will also show a table, one that ``password`` opens."""
        self._pending = PendingRequest(steps, True, password)
        return self

    def take(self, *steps: Step) -> None:
        """Take the first step; each of the others follows when what the one before it asks for is agreed to."""
        if steps:
            self._try(steps[0])
        if self._pending is not None:
            self._pending.steps += steps[1:]

    def look(self, draw: Draw) -> None:
        """Draw something from a fresh View of the table."""
        if self._draws is None:
            self._draws = deque()
        self._draws.append(draw)
        self.host.look(self, draw)

    def draw_board(self, view: TableView) -> None:
        """Draw the board of the game, if there is one to draw."""
        text = self._text
        if view.board is None:
            self.tell(self.say("There is no board yet: the game has not begun."))
        elif text is not None:
            self.send_lines(self.screen.board(text, view, self.say))

    def tell(self, line: str) -> None:
        """Tell one thing."""
        self.screen.write((line,))

    def send_lines(self, texts: Iterable[str]) -> None:
        """Send several lines as one write."""
        self.screen.write(texts)

    def show_page(self, texts: Iterable[str]) -> None:
        """Send what was asked for to be read; where it is longer than the screen, one screen at a time."""
        self.screen.open_page(texts, self.say(MORE))

    def ask_elsewhere(self) -> Callable[[Step], None]:
        """Take note that something else is asked; gives what takes the step that follows, if it still follows."""
        pending = self._pending = PendingRequest(())

        def settle(step: Step) -> None:
            if self._pending is pending and not self.line.closing:
                self._pending = None
                self._try(step)
                self._go_on()

        return settle

    def go_home(self) -> None:
        """Be in the hall again, at no table."""
        if self.table is not None:
            self.table.presence.end()
        self.table = None

    # -- what the link hands on -------------------------------------------------------

    def line_received(self, line: str) -> None:
        """Obey a line, in its turn."""
        self.line.settled()
        if self._typed is None:
            self._typed = TypeAhead(self.line)
        typed = self._typed
        typed.push(line)
        self._go_on()
        typed.bound()

    def line_refused(self, reason_key: str) -> None:
        """Tell why a line was not even read."""
        self.tell(explain_reason(reason_key, self.say))

    def farewell(self, reason: str) -> bytes:
        """Say why the link is closed."""
        return self.screen.drawn(explain_reason(reason, self.say))

    def input_ended(self) -> None:
        """Nothing more can come; what was typed is still obeyed."""
        self.host.input_ended(self)
        self.screen.close_page()
        self._go_on()

    def overflowed(self) -> None:
        """Let a watcher go who does not read; a player gets the table as it stands instead."""
        self.line.forget_waiting()
        if self.seat is None:
            self.line.dismiss("does-not-read")
        else:
            self._behind = True

    def caught_up(self) -> None:
        """Go on telling: all that was sent has been read."""
        if self._behind and not self.line.closing:
            self._behind = False
            self.tell(self.say("Some lines are left out here, since you did not read them."))
            if self.table is not None:
                self.look(self.draw_board)

    def gone(self) -> None:
        """Give the seat up for now, and the name."""
        self._end_bot_wait()
        self._typed = self._pending = self._draws = None
        self.go_home()
        self.host.drop(self)
        self.host.people.leave(self)

    def prompt(self) -> None:
        """Say where the person is, and how things stand there."""
        self._prompt_due = False
        if self.table is None:
            self.tell(f"[{self.say('hall')}]")
        else:
            self.table.asked = True
            self.tell(self.table.status(self.seat, self.say))

    @property
    def _text(self) -> GameText | None:
        return None if self.table is None else self.table.text

    # -- one after the other ----------------------------------------------------------

    def _go_on(self) -> None:
        """Obey what waits, as far as what came before it has come to rest."""
        while (self._prompt_due or self._typed or self._bot_wait) and self._rests():
            if self._prompt_due and not self.screen.paging:
                self.prompt()
            if not self._typed:
                break
            line = self._typed.pop().strip()
            if self.screen.paging:
                self.screen.answer_page(line, self.say(MORE))
            elif line:
                self._prompt_due = True
                self._try(partial(self._commands.obey, self, line))
        if self._typed is not None and not self._typed:
            self._typed.bound()
            self._typed = None  # thousands may sit here and say nothing
        self._close_if_done()

    def _close_if_done(self) -> None:
        if not self.line.half_closed or self.line.closing:
            return
        if not (self._typed or self._pending or self._draws or self._prompt_due):
            self.line.close()

    def _rests(self) -> bool:
        if self.line.closing or self._pending or self._draws or self._paused:
            return False
        seconds = 0.0
        typed = bool(self._typed)
        if self.table is not None and (typed or self._prompt_due) and self.seat is not None:
            seconds = self.table.bot_seconds(typed)
        if self._bot_wait is not None and self._bot_wait.seconds != seconds:
            self._end_bot_wait()
        if seconds and self._bot_wait is None:
            self._bot_wait = BotWait(self.host.clock, seconds, self._go_on)
        return self._bot_wait is None or self._bot_wait.over

    def _end_bot_wait(self) -> None:
        if self._bot_wait is not None:
            self._bot_wait.end()
            self._bot_wait = None

    def _try(self, step: Step) -> None:
        """Do something, and tell if it is refused."""
        try:
            step()
        except Refused as refusal:
            self._turn_down(refusal)
        except Malformed as problem:
            self._pending = None
            self.tell(str(problem))

    def _turn_down(self, refusal: Refused) -> None:
        self._pending = None
        self.tell(explain(refusal, self._text, self.say))
        if self.place is None:  # it may have been asked for a password on the way
            self.go_home()

    # -- what the Host says -----------------------------------------------------------

    def shown(self, view: TableView) -> None:
        """Draw what was asked for from a View, or arrive at the table that it shows."""
        comes = self._pending is not None and self._pending.comes
        if self.table is not None and self.table.code == view.code and not comes:
            self.table.see(view)
            (self._draws.popleft() if self._draws else self.draw_board)(view)
            return
        password = "" if self._pending is None else self._pending.password
        rules = self.host.hall.registry.latest(view.kind)
        self.go_home()
        presence = PresenceLines(self.host.clock, self._tell_folded)
        self.table = TableState(view, find_text(view.kind), rules.seats[0], presence, password)
        title = rules.title
        self.send_lines(tell_arrival(view, title, self.say))
        if view.board is not None:
            self.draw_board(view)

    def told(self, news: News) -> None:
        """Tell what happened; a round that begins, or the end of a game, may also be drawn to who plays it."""
        if self.table is None:
            return
        self.table.told(news)
        kinds = {type(event) for event in news.events}
        drawn = RoundBegan in kinds and self._shows_board(ALWAYS, ROUND)
        if lines := self.table.lines(news, drawn, self.say, self.screen.style):
            self.screen.write_ready(lines)
        # What others do lands behind the prompt, which may have to be said again.
        if not kinds.isdisjoint(_ASKING) or (lines and self.table.concerns(kinds, self.seat)):
            self._prompt_due = True
        if drawn:
            self.look(self.draw_board)
        if GameOver in kinds:
            self._show_board(ALWAYS)
        if Abandoned in kinds:
            self.host.leave(self)
            self.go_home()
            self._prompt_due = True
            self._go_on()

    def turned(self, turn: Turn) -> None:
        """Take in whose turn it is; if it is the person's, say so and what may be done."""
        if self.table is None:
            return
        before = self.table.turn.to_move
        new = self.table.turned(turn)
        self._prompt_due = self._prompt_due or new
        # Where there is nothing to choose, nobody has to look; who wants to is shown it all the same.
        chooses = new and (len(turn.moves) > 1 or self.screen.board_wish is not None)
        if self._pending is not None and self._pending.comes:
            self._agreed()
        elif chooses or (self.seat is None and turn.to_move != before):
            self._show_board(ALWAYS)
        self._go_on()

    def _show_board(self, *when: str) -> None:
        """Draw the board by itself, if that is to be ``when``."""
        if self._shows_board(*when):
            self.look(self.draw_board)

    def _shows_board(self, *when: str) -> bool:
        return self.screen.board_shown(self._text, self.seat) in when and not self._draws

    def answered(self, tag: object, refusal: Refused | None) -> None:
        """Go on with what was asked for, or tell why it is refused."""
        if tag is not self:
            if refusal is not None and self._draws:
                self._draws.popleft()
                self._turn_down(refusal)
        elif refusal is not None:
            self._turn_down(refusal)
        elif self._pending is not None and not self._pending.comes:
            self._agreed()
        self._go_on()

    def _agreed(self) -> None:
        """Take the next step; those after it follow what it asks for."""
        steps = () if self._pending is None else self._pending.steps
        self._pending = None
        self.take(*steps)

    def given(self, token: str) -> None:
        """Tell the word that brings the person back."""
        self.tell(self.say("Keep this, to come back: RETURN {token}", token=token))

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
        self._pending = self._draws = None
        self._paused = False
        if reason == "taken-over":
            self.host.people.leave(self)
            self.line.dismiss(reason)
        elif reason != "closing":  # then everybody is told at once, as the link ends
            self.tell(explain_reason(reason, self.say))
            self._prompt_due = True
            self._go_on()

    def heard(self, remark: Remark) -> None:
        """Hear what somebody said."""
        self.tell(remark.drawn(self.say, lambda: tell_remark(remark, self.say)))

    def _tell_folded(self, times: int) -> None:
        if self.table is not None:
            self.tell(tell_folded(times, self.table.names, self.say))
