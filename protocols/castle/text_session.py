"""The voice of a client that speaks words: a person with netcat, or at ``parlour play castle``.

The words are few: NAME, JOIN, SOLO, ROOMS, RETURN, LEAVE, QUIT, BOARD, HELP, CARD and DECK; at a table whatever
else is typed is a move, as the game's text reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gamecore.bots import bots_of
from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.games.castle import RULES, CastleView
from gamecore.rules import Move, View
from gamecore.table_events import Abandoned, GameBegan, GameOver, SeedRevealed
from gamecore.table_view import TableView, Turn
from protocols.castle.bench import Bench
from protocols.castle.cards import look_up
from protocols.castle.messages import OVER
from protocols.castle.pending_requests import Ask, Back, Wanted
from protocols.castle.text import TEXT
from protocols.host.face import News
from protocols.i18n.describe import renamed, tell
from protocols.i18n.refusals import explain, explain_reason
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import ENGLISH as SAY

if TYPE_CHECKING:
    from protocols.castle.face import CastleFace

MOST_NAMES = 1000
AFTER = "SOLO or JOIN plays again, QUIT goes."
HELP: Mapping[str, str] = {
    "name": "NAME name: what you are called",
    "join": "JOIN [room] [password]: sit down where an enemy waits, or wait for one",
    "solo": "SOLO [easy, normal or hard]: play against the computer",
    "rooms": "ROOMS: where somebody waits",
    "deck": "DECK: build a deck of your own",
    "card": "CARD name: what a card does",
    "board": "BOARD: how the game stands",
    "return": "RETURN word: come back to your game after the link broke",
    "leave": "LEAVE: give the game up",
    "help": "HELP [word]: this list, the rules (HELP RULES), or more about a word",
    "quit": "QUIT: go",
}


class TextSession:
    """Speaks words with one client."""

    def __init__(self, face: CastleFace) -> None:
        self._face = face
        self._bench = Bench()
        self._name = ""
        self._names: Sequence[str] = ()
        self._moves: Sequence[Move] = ()
        self._board: View | None = None
        self._asked: object = None  # the board that a prompt was last about
        self._looking = False
        self._begun = False

    # -- lines in ---------------------------------------------------------------------

    def hear(self, line: str) -> None:
        """Act on one line."""
        words = clean(line).split(" ")
        verb, rest = words[0].lower(), words[1:]
        if not verb:
            return
        act = _ACTIONS.get(verb)
        try:
            if act is not None:
                act(self, rest)
            elif self._face.seat is not None:
                self._move(words)
            else:
                self._say(
                    "HELP lists what can be said: SOLO plays against the computer, JOIN others."
                )
        except Malformed as problem:
            self._say(str(problem))
        except Refused as refusal:
            self._say(explain(refusal, TEXT, SAY))

    def _say(self, *lines: str) -> None:
        if lines:
            self._face.send_lines(lines)

    def _move(self, words: Sequence[str]) -> None:
        if not self._moves:
            raise Refused("not-your-turn" if self._begun else "no-game")
        self._face.submit(TEXT.read(words, self._moves, self._board, SAY), Ask("MOVE"))

    def _help(self, rest: Sequence[str]) -> None:
        topic = rest[0].lower() if rest else ""
        page = files("protocols.castle") / "help" / "en" / f"{topic}.txt"
        if topic.isalnum() and page.is_file():
            self._say(*page.read_text("utf-8").splitlines())
        elif topic in HELP:
            self._say(HELP[topic])
        else:
            moves = "; ".join(TEXT.verbs.values())
            self._say(*HELP.values(), f"At a table also: {moves}; or the number of a choice.")

    def _card(self, rest: Sequence[str]) -> None:
        self._say(*look_up(rest, SAY))

    def _deck(self, rest: Sequence[str]) -> None:
        self._say(*self._bench.obey(rest, SAY))

    # -- coming and going -------------------------------------------------------------

    def _rename(self, rest: Sequence[str]) -> None:
        self._name = " ".join(rest)
        self._say(f"You are {self._name}." if self._name else "Say NAME and your name.")

    def _rooms(self, rest: Sequence[str]) -> None:
        rooms = [
            f"{table.code}: {', '.join(filter(None, map(clean, table.names))) or 'nobody'}"
            + (" (password)" if table.house.password else "")
            for table in self._face.factory.rooms()
        ]
        self._say(*(rooms or ["Nobody waits. JOIN opens a room, SOLO plays against the computer."]))

    def _join(self, rest: Sequence[str]) -> None:
        room, password = (*rest, "", "")[:2]
        self._seek(room, password, None)

    def _solo(self, rest: Sequence[str]) -> None:
        level = rest[0].lower() if rest else "normal"
        if level not in bots_of(RULES.kind):
            raise Malformed(f"There are the levels {', '.join(bots_of(RULES.kind))}.")
        self._seek("", "", level)

    def _seek(self, room: str, password: str, level: str | None) -> None:
        if self._face.busy:
            raise Malformed("You sit at a table already: LEAVE it first.")
        deck = self._bench.deck
        numbers = None if deck is None else (*deck.cards, deck.castle)
        name = self._name or self._free_name()
        self._face.join(Wanted(name, numbers, password, room, level, keep=True))

    def _free_name(self) -> str:
        taken = {name for table in self._face.factory.rooms() for name in table.names}
        names = (f"player {number}" for number in range(1, MOST_NAMES))
        return next(name for name in names if name not in taken)

    def _come_back(self, rest: Sequence[str]) -> None:
        if self._face.busy:
            raise Malformed("You sit at a table already: LEAVE it first.")
        self._face.come_back(rest[0] if rest else "")

    def _leave(self, rest: Sequence[str]) -> None:
        if not self._face.busy:
            raise Malformed("You are at no table.")
        self._face.leave()
        self._forget()
        self._say("You have left the game.")

    def _quit(self, rest: Sequence[str]) -> None:
        self._face.leave()
        self._say("Goodbye.")
        self._face.close()

    def _forget(self) -> None:
        self._moves, self._board, self._asked, self._names = (), None, None, ()
        self._begun = False

    def _look(self, rest: Sequence[str]) -> None:
        if self._face.seat is None:
            raise Malformed("You are at no table.")
        self._looking = True
        self._face.look("BOARD")

    # -- what the Host says -----------------------------------------------------------

    def created(self, code: str) -> None:
        """Say that a room is open."""
        self._say(f"Room {code} is open.")

    def given(self, token: str) -> None:
        """Tell what brings the player back."""
        self._say(f"If the link breaks, come back with: RETURN {token}")

    def shown(self, view: TableView) -> None:
        """Draw the table."""
        looking, self._looking = self._looking, False
        self._names, self._asked, self._begun = view.names, None, view.board is not None
        if view.stage is Stage.GATHERING:
            self._say(f"You sit in room {view.code}; an enemy is waited for.")
        elif looking or view.board is not None:
            self._say(*TEXT.board(view, SAY))
        if looking:
            self._prompt()
        if view.stage in OVER:
            self._say(AFTER)
            self._face.leave()
            self._forget()

    def told(self, news: News) -> None:
        """Say what happened, one line each."""
        lines: list[str] = []
        ended = False
        for event in news.events:
            self._names = renamed(self._names, event)
            line = None if isinstance(event, SeedRevealed) else tell(event, self._names, TEXT, SAY)
            lines += [] if line is None else [line]
            self._begun = self._begun or isinstance(event, GameBegan)
            ended = ended or isinstance(event, GameOver | Abandoned)
        self._say(*lines, *([AFTER] if ended else []))
        if ended:
            self._face.leave()
            self._forget()

    def turned(self, turn: Turn) -> None:
        """Ask, if there is something to be asked and it was not asked yet."""
        self._moves, self._board = turn.moves, turn.board
        asked: object = turn.board
        if isinstance(turn.board, CastleView) and turn.board.stage == "mulligan":
            asked = turn.board.sides[self._face.seat or 0].hand  # what the enemy does is no news
        if asked != self._asked:
            self._asked = asked
            self._prompt()

    def _prompt(self) -> None:
        if self._moves and self._board is not None:
            self._say(clean(TEXT.ask(self._moves, self._board, SAY)))

    def refused(self, asked: Any, refusal: Refused) -> None:
        """Say why something was refused."""
        self._say(explain(refusal, TEXT, SAY))
        if isinstance(asked, Wanted | Back):
            self._forget()

    def line_refused(self, key: str) -> None:
        """Say why a line was not even read."""
        self._say(explain_reason(key, SAY))

    def paused(self, trouble: str | None) -> None:
        """Say that play is paused, or goes on."""
        self._say("Play goes on." if trouble is None else "Play is paused for a moment.")

    def parted(self, reason: str) -> None:
        """Say why the place at the table is no more."""
        self._forget()
        self._say(explain_reason(reason, SAY))

    def farewell(self, reason: str) -> bytes:
        """Say why the link ends."""
        return self._face.encoded(explain_reason(reason, SAY))


_ACTIONS: Mapping[str, Callable[[TextSession, Sequence[str]], None]] = {
    "help": TextSession._help,
    "?": TextSession._help,
    "card": TextSession._card,
    "deck": TextSession._deck,
    "name": TextSession._rename,
    "rooms": TextSession._rooms,
    "join": TextSession._join,
    "solo": TextSession._solo,
    "return": TextSession._come_back,
    "leave": TextSession._leave,
    "board": TextSession._look,
    "quit": TextSession._quit,
}
