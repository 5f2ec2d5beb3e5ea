r"""The wire of 1-2-3 Pass: short codes one way, texts and boards the other, as its specification says in section 3.

From the client, in any case, ``n`` being the number of its own seat from 1, ``C`` a card, rank first (``10H``)::

    AH  PnC     name the card to pass
    F   Fn      finish
    T   Tn      tap
    QUIT        leave
    START       begin with the players who are there
    HELP        what these are; only in a line that ends
    RETURN t    come back, by the token that was given; only in a line that ends, and before any other code

The stock client sends a code with nothing behind it, and takes whatever one read gives for one text of ours. Who
ever ends a code with a line end is a line client from then on.  From the server::

    BOARD       39 asterisks, the players, their places, the player's own number, its hand (see ``Board``)
    True|...    the code was taken: BOARD with three cards, or that one has won, tapped, lost
    Cont|...    all have named a card, or somebody has finished; BOARD comes next
    False|...   the code was refused, and why; BOARD comes next
    Quit|...    the end: BOARD with all places, or why there is no game any more

To line clients every text ends with LF, and they are told more, each in a line of its own::

    GnC              the card that was given to them, behind ``Cont|``
    Invalid Move!    before each ``False|`` that answers a code
    TOKEN t          once, what brings them back
    False|...        also unasked: that somebody has finished, or that the clock has named their card
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from gamecore.cards import Card, read_card
from gamecore.errors import Malformed
from gamecore.games.pass123 import Finish, Pass, Tap
from protocols.i18n.sanitize import clean
from protocols.net.line_reader import LineReader

LIMIT = 256  # bytes of one code

_NAME = re.compile(
    r"(?:P([0-9]{1,2}))?((?:10|[2-9JQKA])[HDCS])"
)  # the card counts from the right end
_RACE = re.compile(r"([FT])([0-9]{1,2})?")
_RETURN = re.compile(r"RETURN ([!-~]{1,200})", re.IGNORECASE)
_STARS = "*" * 39
_DASHES = "-" * 39
_PREFIXES = ("True", "False", "Cont", "Quit")
_BEGINNING = "*" * 5  # of a board, whoever draws it
_BOARD = re.compile(
    r"\*{5,}\n((?:P[0-9]+\t?)+)\n((?:[0-9]{1,3}\t?)+)\n-+\n"
    r"You are P([0-9]{1,2})\n-+\n((?:(?:10|[2-9JQKA])[HDCS]\t?)*)\n\*{5,}\n?"
)
_BOARD_LINES = 8
_GIVEN = re.compile(r"G([0-9]{1,2})((?:10|[2-9JQKA])[HDCS])\n?")
_TOKEN = re.compile(r"TOKEN (\S+)\n?")

CONT = b"Cont|All players ready, 1-2-3 Pass!\n"
NOCARD = b"False|The code does not match with any of your cards on hand"
NOSET = b"False|Hand incomplete, try again \nWinning conditions still not met\n"
NOTAP = b"False|Tap invalid, there is no winner yet\n"
TAPNOW = b"False|Someone already finished, enter 'T' to tap\n"
WON = b"True|Congratulations, you win!\n"
TAPPED = b"True|Tap successful\n"
LOST = b"True|Tap successful\n\nYou tapped last, you lose\n"
VOID = b"Cont|Someone already finished, enter 'T' to tap\n"
INVALID = b"Invalid Move!\n"
NOT_NOW = NOCARD + b"\nYou have named a card already, wait for the others\n"
TOO_EARLY = b"False|One code at a time, that one came before the answer to the last\n"
NOT_BEGUN = b"The game has not begun; START begins it with the players who are here\n"
HELP = (
    b"Pass a card: its rank, then its suit, like 10H or AS; all pass at once, to the next player\n"
    b"Four cards of one rank: F. Somebody has finished: T, and be quick, the last one loses\n"
    b"START begins with the players who are here, QUIT leaves, RETURN and your token comes back\n"
)
PAUSED = b"Play is paused; nothing is lost, and it goes on by itself\n"
GOES_ON = b"Play goes on\n"

_CLOSINGS = {
    "absent": "A player did not come back, the game is void",
    "bug": "The table was closed because of an error of the server",
    "closing": "The server is closing",
    "code-taken": "No table could be opened, please try again",
    "disconnected": "A player is gone, the game is void",
    "draining": "The server is about to close, please try again in a moment",
    "empty": "The table was closed",
    "error": "The connection was closed because of an error of the server",
    "expired": "Nobody came to play, please try again",
    "hall-full": "There are too many tables, please try again later",
    "input-too-long": "That is too long to be a code",
    "late": "You did not tap in time",
    "left": "A player has left, the game is void",
    "game-began": "A game has begun in which you have a seat, so you cannot come back to another",
    "no-answer": "Nothing was heard from you for too long",
    "no-seat": "Every seat is taken",
    "not-seated": "You have no seat",
    "restarted": "The server was restarted and a player cannot come back, the game is void",
    "table-away": "That table is at another server of this house, please try again in a moment",
    "table-lost": "The table was lost because of an error of the server",
    "table-resting": "The table met an error of the server, please start again",
    "table-unreadable": "The record of this table cannot be read, please tell who runs the server",
    "taken-over": "You came back by another connection",
    "too-fast": "That was too much at once",
    "too-few-players": "It takes two players at least",
    "too-many-connections": "There are too many connections, please try again later",
    "too-many-seats": "Too many come at once, please try again in a moment",
    "too-many-tables": "Too many tables were opened at once, please try again in a moment",
    "too-many-waiting": "Too many tables wait for players, please try again later",
    "lost-by-absence": "You were away for too long, your seat was lost by absence, with any game played there",
    "unknown-token": "Nobody is known by that token, the game may be over",
}


@frozen
class Code:
    """A move as a code; ``number`` is the seat it names, from 1, if it does."""

    move: Pass | Finish | Tap
    number: int | None = None


@frozen
class Quit:
    """Leave."""


@frozen
class Start:
    """Begin with the players who are there."""


@frozen
class Help:
    """Say what can be said."""


@frozen
class Return:
    """Come back by a token."""

    token: str


Heard = Code | Quit | Start | Help | Return


@frozen
class Board:
    """What a player sees: its number from 1, the place of each (0 for none yet), and its hand."""

    number: int
    places: tuple[int, ...]
    hand: tuple[Card, ...]


@frozen
class Message:
    """One text of the server's: what stands before its bar, a text, and the board below that, if there is one."""

    prefix: str
    text: str = ""
    board: Board | None = None

    @property
    def is_prompt(self) -> bool:
        """Whether a code is expected."""
        return self.board is not None and not self.prefix

    @property
    def is_last(self) -> bool:
        """Whether the game is over, or was given up."""
        return self.prefix == "Quit"

    @property
    def token(self) -> str | None:
        """What brings the player back, if this tells it."""
        found = None if self.prefix else _TOKEN.fullmatch(self.text)
        return None if found is None else found[1]

    @property
    def given(self) -> Card | None:
        """The card that the player was given, if this tells it."""
        found = None if self.prefix else _GIVEN.fullmatch(self.text)
        return None if found is None else read_card(found[2])


# -- from the client ------------------------------------------------------------------


def parse(data: bytes) -> Heard:
    """Read one code; raises Malformed."""
    try:
        text = data.decode("ascii").strip()
    except UnicodeDecodeError:
        raise Malformed("that is no code") from None
    coming_back = _RETURN.fullmatch(text)
    if coming_back is not None:
        return Return(coming_back[1])
    match text.upper():
        case "QUIT":
            return Quit()
        case "START":
            return Start()
        case "HELP" | "?":
            return Help()
        case code:
            return _read_code(code)


def _read_code(code: str) -> Code:
    race = _RACE.fullmatch(code)
    if race is not None:
        return Code(Finish() if race[1] == "F" else Tap(), _number(race[2]))
    named = _NAME.fullmatch(code)
    if named is None:
        raise Malformed("that is no code")
    return Code(Pass(read_card(named[2])), _number(named[1]))


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def write_code(heard: Heard) -> str:
    """Write what a client says, as `parse` reads it."""
    match heard:
        case Return(token):
            return f"RETURN {token}"
        case Code(move, number):
            seat = "" if number is None else str(number)
            if isinstance(move, Pass):
                return f"P{seat}{move.card}" if seat else str(move.card)
            return ("F" if isinstance(move, Finish) else "T") + seat
    return "QUIT" if isinstance(heard, Quit) else "START"


def is_whole(data: bytes) -> bool:
    """Say whether bytes without a line end are a code already, so that nothing need be waited for."""
    try:
        return not isinstance(parse(data), Help | Return)
    except Malformed:
        return False


# -- from the server ------------------------------------------------------------------


def write(message: Message) -> bytes:
    """Write one text."""
    bar = f"{message.prefix}|" if message.prefix else ""
    drawn = "" if message.board is None else _drawn(message.board)
    return f"{bar}{message.text}{drawn}".encode()


def _drawn(board: Board) -> str:
    players = "".join(f"P{number}\t" for number in range(1, len(board.places) + 1))
    places = "".join(f"{place}\t" for place in board.places)
    hand = "".join(f"{card}\t" for card in board.hand)
    head = f"{_STARS}\n{players}\n{places}\n{_DASHES}\nYou are P{board.number}\n"
    return f"{head}{_DASHES}\n{hand}\n{_STARS}\n"


def read(data: bytes) -> Message:
    """Read what `write` wrote, all of it being one text, as stock clients take it; raises ValueError."""
    text = data.decode()
    prefix, bar, rest = text.partition("|")
    if not bar or prefix not in _PREFIXES:
        prefix, rest = "", text
    before, stars, drawn = rest.partition(_BEGINNING)
    return Message(prefix, before, _read_board(stars + drawn) if stars else None)


def _read_board(drawn: str) -> Board:
    found = _BOARD.fullmatch(drawn)
    if found is None:
        raise ValueError("that is no board")
    places, number = tuple(map(int, found[2].split())), int(found[3])
    if len(places) != len(found[1].split()) or not 1 <= number <= len(places):
        raise ValueError("that is no board")
    return Board(number, places, tuple(map(read_card, found[4].split())))


class MessageReader:
    """Cuts what a line client is sent into messages: boards, and single lines."""

    def __init__(self) -> None:
        self._lines = LineReader(str)
        self._board: list[str] = []  # the lines of the board that has begun

    def feed(self, data: bytes) -> Iterator[Message]:
        """Give the messages that end in these bytes; raises ValueError for what is none, behind those before it."""
        for line in self._lines.feed(data):
            if self._board or line.endswith(_BEGINNING):  # nothing need end what stands before it
                self._board.append(line)
                if len(self._board) == _BOARD_LINES:
                    whole, self._board = "\n".join(self._board), []
                    yield read(whole.encode())
            elif line.strip():
                yield read(line.encode())


def gone(why: str) -> bytes:
    """Say that there is no game any more."""
    return f"Quit|{closing_text(why)}\n".encode()


def gone_answer(why: str) -> bytes:
    """Say the same in answer to a code; what `gone` says must follow."""
    return f"True|{closing_text(why)}\n".encode()


def reason(why: str) -> bytes:
    """Say why somebody cannot play, in place of the first board or in a line."""
    return f"{closing_text(why)}\n".encode()


def given(seat: int, card: Card) -> bytes:
    """Say in the seed's code which card a seat is given."""
    return f"G{seat + 1}{card}\n".encode()


def token(words: str) -> bytes:
    """Tell what brings a player back."""
    return f"TOKEN {words}\n".encode()


def late(card: Card) -> bytes:
    """Say that the clock has named a card."""
    return f"You took too long, {card} was passed for you\n".encode()


def closing_text(why: str) -> str:
    """Say why a table or a connection ends; what is no known reason is a sentence already."""
    return _CLOSINGS.get(why, clean(why))
