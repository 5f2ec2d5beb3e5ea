"""The wire of GOPS: messages as frames or as lines, as its specification says in sections 2 and 3.

A message is ``COMMAND~TEXT``.  As a frame it follows a header of 64 bytes, its length in bytes as a decimal number
filled up with blanks, and nothing ends it.  As a line it ends with LF, and has no line end inside.  A connection
speaks frames if the first byte of the client's is a digit, else lines.  The greeting comes before that byte, so it
is a frame; its header and its text end with LF (counted in the length), so that it reads as a line too, the
length being a line before it.

From the client::

    SET-USERNAME~north          what it is called
    START-GAME~1                open a table, and wait there for another player
    JOIN-GAME~K7QX2             sit down at a table; K7QX2$word if a password is asked for
    PLAY-TURN~K7QX2$12          lay a card: 1 is the ace, 11 to 13 are jack, queen and king
    !DISCONNECT~                go

and as lines only::

    SPECTATE~K7QX2              look on
    RETURN~K7QX2.0a1b...        come back, with the token that was told as TOKEN~K7QX2.0a1b...
    HELP                        these commands

From the server, whose texts are in ``wire_events``::

    INFO~north's Points: 3, south's Points: 0            something to be read; so is almost all that is said
    SET-ID~K7QX2                                         the code of the table, behind the line about it; - for none
    TRUE~[JOINED GAME] Joined game K7QX2                 JOIN-GAME was done
    FALSE~[COULD NOT JOIN] Game does does not exist      it was not, and why
    START-GAME~Game is starting...                       the other player is there
    YOUR-TURN~Your turn (pick the card number you wish to play):
    END-GAME~End of game                                 the game is over
    TOKEN~K7QX2.0a1b...                                  as a line only: what brings the player back
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count

from attrs import frozen

from gamecore.errors import Malformed
from protocols.gops.text import RANKS
from protocols.i18n.sanitize import clean
from protocols.net.line_reader import LineReader

HEADER = 64  # bytes
MOST_BYTES = 4096  # in the body of a frame
NAME_LIMIT = 24
TOKEN_LIMIT = 200
NO_CARD = 0  # stands for what is no number: there is no such card


@frozen
class SetName:
    """The client says what it is called; may be empty."""

    name: str


@frozen
class Create:
    """The client opens a table."""


@frozen
class Join:
    """The client wants a seat at a table."""

    code: str
    password: str = ""


@frozen
class PlayTurn:
    """The client lays a card; ``code`` is None if it named no game."""

    code: str | None
    card: int


@frozen
class Disconnect:
    """The client says goodbye."""


@frozen
class Spectate:
    """The client wants to look on."""

    code: str
    password: str = ""


@frozen
class Return:
    """The client comes back."""

    token: str


@frozen
class Help:
    """The client does not know what to say."""


@frozen
class Message:
    """What a server says; ``command`` tells what it is for, ``text`` is for people."""

    command: str
    text: str

    @property
    def hand(self) -> tuple[int, ...] | None:
        """The cards that the reader holds, if this tells them: 1 is the ace, 11 to 13 are jack, queen and king."""
        held = self._listed(_HAND)
        return None if held is None else tuple(int(each[:-1]) for each in held[::2])

    @property
    def prizes(self) -> tuple[int, ...] | None:
        """The prizes that are played for, if this tells them; their points, as cards are counted."""
        pot = self._listed(_POT)
        return None if pot is None else tuple(RANKS.index(each[1:-2]) for each in pot)

    def _listed(self, what: re.Pattern[str]) -> list[str] | None:
        found = what.fullmatch(self.text) if self.command == "INFO" else None
        return None if found is None else found[1].split()


Request = SetName | Create | Join | PlayTurn | Disconnect | Spectate | Return | Help

# To the letter, since other texts may begin with a name that somebody has chosen so.
_HAND = re.compile(r"Your cards: ((?:[0-9]{1,2}: \[(?:10|[2-9AJQK])[♠♣]\], )*)")
_POT = re.compile(r"Current card: ((?:\[(?:10|[2-9AJQK])♦\] )*)")
_LENGTH = re.compile(r"[0-9]+ *")  # of the greeting, where it comes as a frame
_ALONE = ("HELP", "START-GAME", "!DISCONNECT")  # lines that need no tilde


def parse(body: str, lines: bool) -> Request:
    """Read a message of a client's, sent as a line or as a frame; raises Malformed with a sentence for it."""
    command, tilde, rest = body.partition("~")
    text = rest.split("~", 1)[0]
    if lines:
        command = command.strip().upper()
    if not tilde and not (lines and command in _ALONE):
        raise Malformed("A message is a command, a tilde and a text.")
    request = _read(command, text) or (_read_line(command, text) if lines else None)
    if request is None:
        raise Malformed("There is no such command." + (" Try HELP." if lines else ""))
    return request


def _read(command: str, text: str) -> Request | None:
    match command:
        case "SET-USERNAME":
            return SetName(fit_name(text))
        case "START-GAME":
            return Create()
        case "JOIN-GAME":
            return Join(*_read_place(text))
        case "PLAY-TURN":
            code, card = _read_place(text)
            return PlayTurn(code, read_number(card)) if "$" in text else PlayTurn(None, NO_CARD)
        case "!DISCONNECT":
            return Disconnect()
    return None


def _read_line(command: str, text: str) -> Request | None:
    match command:
        case "SPECTATE":
            return Spectate(*_read_place(text))
        case "RETURN":
            return Return(text.strip()[:TOKEN_LIMIT])
        case "HELP":
            return Help()
    return None


def _read_place(text: str) -> tuple[str, str]:
    """Cut the code of a table from what follows it."""
    code, _, rest = text.partition("$")
    return code.strip().upper(), rest.strip()


def read_number(text: str) -> int:
    """Read the number of a card; what is none becomes one that no card has."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else NO_CARD


def write_request(request: Request) -> str:
    """Write a message of a client's, as `parse` reads it."""
    match request:
        case SetName(name):
            return f"SET-USERNAME~{name}"
        case Create():
            return "START-GAME~1"
        case Join(code, password):
            return f"JOIN-GAME~{_place(code, password)}"
        case Spectate(code, password):
            return f"SPECTATE~{_place(code, password)}"
        case PlayTurn(code, card):
            return f"PLAY-TURN~{code}${card}" if code is not None else "PLAY-TURN~"
        case Return(token):
            return f"RETURN~{token}"
    return "HELP~" if isinstance(request, Help) else "!DISCONNECT~"


def _place(code: str, password: str) -> str:
    return f"{code}${password}" if password else code


# -- from the server ------------------------------------------------------------------


def write(message: Message) -> str:
    """Write what a server says, before it is made a frame or a line."""
    return f"{message.command}~{message.text}"


def read(body: str) -> Message:
    """Read what `write` wrote; the line ends of a greeting are no part of its text."""
    command, _, text = body.partition("~")
    return Message(command, text.rstrip("\n"))


class MessageReader:
    """Cuts what a client is sent into messages, out of frames or out of lines."""

    def __init__(self, frames: bool) -> None:
        self._frames = FrameSplitter() if frames else None
        self._lines = LineReader(str)

    def feed(self, data: bytes) -> Iterator[Message]:
        """Give the messages that end in these bytes; raises ValueError for what is none, behind those before it."""
        if self._frames is None:
            for each in self._lines.feed(data):
                length = _LENGTH.match(each)
                body = each if length is None else each[length.end() :]
                if body:
                    yield read(body)
            return
        for frame in self._frames.feed(data):
            try:
                body = frame.decode()
            except UnicodeDecodeError:
                raise ValueError("a message is no UTF-8") from None
            yield read(body)
        if self._frames.broken:
            raise ValueError("that is no header of a message")


# -- names ----------------------------------------------------------------------------


def fit_name(name: str) -> str:
    """Drop from a name all that would break the wire, and cut it; may leave nothing."""
    return clean(name.translate({ord("~"): None, ord("$"): None}), NAME_LIMIT)


def free_name(name: str, taken: Callable[[str], bool]) -> str:
    """Add to a name that is taken ``-2``, ``-3`` and so on."""
    return next(each for each in chain((name,), names_like(name)) if not taken(each))


def names_like(name: str) -> Iterator[str]:
    """Give the names with ``-2``, ``-3`` and so on; without end."""
    for number in count(2):
        suffix = f"-{number}"
        yield name[: NAME_LIMIT - len(suffix)].rstrip() + suffix


# -- bytes ----------------------------------------------------------------------------


def frame(body: str) -> bytes:
    """Write a message as a frame."""
    written = body.encode()
    return str(len(written)).encode().ljust(HEADER) + written


def line(body: str) -> bytes:
    """Write a message as a line; line ends at the beginning of its text go, others become blanks."""
    command, tilde, text = body.partition("~")
    text = " ".join(text.lstrip("\n").split("\n"))
    return f"{command}{tilde}{text}\n".encode()


def frames(bodies: Iterable[str]) -> bytes:
    """Write messages as frames."""
    return b"".join(map(frame, bodies))


def lines(bodies: Iterable[str]) -> bytes:
    """Write messages as lines."""
    return b"".join(map(line, bodies))


def greeting(body: str) -> bytes:
    """Write a message as a frame that reads as two lines, of which the second is the message."""
    written = body.encode() + b"\n"
    return str(len(written)).encode().ljust(HEADER - 1) + b"\n" + written


class FrameSplitter:
    """Cuts a stream of bytes into the bodies of its frames, and holds no more than one frame of it."""

    __slots__ = ("_kept", "_length", "broken")

    def __init__(self) -> None:
        self._kept = b""
        self._length: int | None = None  # of the body that comes next, once its header was read
        self.broken = False
        """Whether a header was none, so that nothing more will come out."""

    @property
    def unfinished(self) -> bool:
        """Whether a frame has begun and not ended."""
        return not self.broken and (bool(self._kept) or self._length is not None)

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes and give the bodies they complete, in order."""
        bodies: list[bytes] = []
        kept = self._kept + data
        while not self.broken:
            if self._length is None:
                if len(kept) < HEADER:
                    break
                self._length, kept = self._read_header(kept[:HEADER]), kept[HEADER:]
            elif len(kept) < self._length:
                break
            else:
                bodies.append(kept[: self._length])
                self._length, kept = None, kept[self._length :]
        self._kept = b"" if self.broken else kept
        return bodies

    def _read_header(self, header: bytes) -> int | None:
        number = header.strip()
        length = int(number) if number.isdigit() else -1
        self.broken = not 0 <= length <= MOST_BYTES
        return None if self.broken else length
