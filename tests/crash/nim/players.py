"""People who play Expanding Nim on its own wire, and note every word that they are told."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from random import Random

from attrs import Factory, define, field

from protocols.nim.wire_messages import Message, MessageReader, hello, kind_of, move, write
from tests.daemons.wrong import Wrong

STONES = 200
RESETS = 4
MAXIMUM = 3
VOID = "The server was restarted and a player cannot come back; the game is void"


def stones_left(state: Message | None) -> int:
    """Say how many stones there are: fewer after each move."""
    return STONES if state is None else int(state["stones_left"])


def newer(one: Message | None, other: Message | None) -> bool:
    """Say whether one state of a table comes after another."""
    return _stage(one) > _stage(other)


def _stage(state: Message | None) -> tuple[bool, int]:
    return state is not None and bool(state["finished"]), -stones_left(state)


@define(eq=False)
class Link:
    """One connection of a player's, and all that was told on it.

    ``floor`` is the last state that anybody at the table had been told before we said hello.
    """

    player: Player = field(repr=False)
    sock: socket.socket = field(repr=False)
    on_end: Callable[[Link], None] = field(repr=False)
    returning: bool
    floor: Message | None = None
    states: list[Message] = Factory(list)
    started: bool = False
    resumed: bool = False  # the first state will be one of before
    settled: bool = True  # it is known what we came back to
    says_my_turn: bool = False
    word: str | None = None  # why the link was closed, if that was said
    paused: bool = False  # the daemon closes, and the game does not
    ended: bool = False
    _reader: MessageReader = Factory(MessageReader)

    @property
    def over(self) -> bool:
        """Whether it was said that nothing more comes."""
        return self.word is not None or self.paused

    def send(self, message: Message) -> None:
        """Send an object; a dead link takes it as well as any."""
        end = b"\n" if self.player.lines else b""
        with suppress(OSError):  # what it still holds for us is read before its end is seen
            self.sock.sendall(write(message).rstrip() + end)

    def hear(self) -> list[Message]:
        """Read what is there; an end of it ends the link."""
        try:
            data = self.sock.recv(65536)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self.close()
        return list(self._reader.feed(data))

    def close(self) -> None:
        """Let go of it."""
        self.ended = True
        self.on_end(self)
        self.sock.close()


@define(eq=False)
class Player:
    """One person at one table: plays by its own dice, and knows of the game what it was told."""

    name: str
    order: int
    table: str | None  # to meet at by name
    keeps: bool  # asks for a token
    lines: bool  # ends what it sends with a line end
    chance: Random = field(repr=False)
    faults_at: int | None = None  # makes an illegal move once so few stones are left
    quits_at: int | None = None  # goes for good once so few stones are left
    token: str | None = None
    links: list[Link] = field(factory=list, repr=False)
    state: Message | None = None
    final: Message | None = None
    pending: int | None = None  # stones of a move that nobody has told of yet
    my_turn: bool = False
    faulted: bool = False  # may have made an illegal move
    cut: bool = False  # cannot come back, or will not
    looks_back: bool = False  # comes back once more when the game is over
    void: bool = False  # was told that the game is void, since the other could not come back

    @property
    def code(self) -> str | None:
        """The code of the table, for one who was given a token."""
        return None if self.token is None else self.token.partition(".")[0]

    @property
    def open_links(self) -> list[Link]:
        """The links that have not ended."""
        return [link for link in self.links if not link.ended]

    @property
    def done(self) -> bool:
        """Whether nothing more is to be expected."""
        return (self.cut or self.has_ended) and not self.open_links

    @property
    def has_ended(self) -> bool:
        """Whether it was told how the game ended."""
        return self.void or self.final is not None

    # -- what is said -----------------------------------------------------------------

    def greet(
        self, sock: socket.socket, on_end: Callable[[Link], None], floor: Message | None
    ) -> Link:
        """Say hello on a new connection, with the token if there is one."""
        link = Link(self, sock, on_end, self.token is not None, floor)
        self.links.append(link)
        if self.token is not None:
            link.send({"token": self.token})
        else:
            link.send(hello(self.name, self.order, self.table, resume=self.keeps))
        return link

    def act(self) -> bool:
        """Make a move if it is our turn and but one link is there; says whether it did."""
        links = self.open_links
        if len(links) != 1 or not self.my_turn or self.has_ended or self.pending:
            return False
        (link,) = links
        if not link.started or not link.settled or link.over:
            return False
        left = stones_left(self.state)
        if self.quits_at is not None and left <= self.quits_at:
            self.cut = True
            link.close()
            return False
        self._move(link, left)
        return True

    def _move(self, link: Link, left: int) -> None:
        most = MAXIMUM if self.state is None else int(self.state["current_max"])
        mine = {} if self.state is None else self.state[f"player_{self.order}"]
        stones = self.chance.randint(1, min(most, MAXIMUM))
        if self.faults_at is not None and left <= self.faults_at:
            stones, self.faulted = most + 1, True
        reset = mine.get("resets_left", RESETS) > 0 and self.chance.random() < 0.05
        self.pending, self.my_turn = stones, False
        link.send(move(stones, reset))

    # -- what is heard ----------------------------------------------------------------

    def hear(self, link: Link) -> list[Message]:
        """Take in what was told on a link; gives the states of the game among it."""
        states = []
        for message in link.hear():
            if self._take_in(link, message):
                states.append(message)
        if not self.lines and (self.has_ended or link.over) and not link.ended:
            link.close()  # a stock client goes when it has read how it ended
        return states

    def _take_in(self, link: Link, message: Message) -> bool:
        """Take in one message; says whether it was a state."""
        self._check(not link.over, "was told more after a last word", message)
        kind = kind_of(message)
        if kind == "start":
            self._take_start(link, message)
        elif kind == "pause":
            self._check(self.keeps, "has no token and was told of a pause", message)
            link.paused = True
        elif message.get("finished") and not message.get("winner"):
            link.word = str(message["reason"])
            self.void |= link.word == VOID
        else:
            self._take_state(link, message)
            return True
        return False

    def _take_start(self, link: Link, start: Message) -> None:
        if start["init_stones"] == 0:
            self._check(not link.started, "was turned down in a game", start)
            return
        self._check(not link.started, "was told two starts", start)
        found = [start[f"init_{each}"] for each in ("stones", "resets", "max")]
        self._check(found == [STONES, RESETS, MAXIMUM], "was told another game", start)
        link.started = True
        if self.keeps:
            self._take_kept_start(link, start)
        else:
            self._check(len(start) == 4, "was told what is not for stock clients", start)
            self.my_turn = self.order == 0

    def _take_kept_start(self, link: Link, start: Message) -> None:
        self._check(start["order"] == self.order, "was told another's seat", start)
        link.says_my_turn = start["your_turn"]
        link.resumed = start.get("resumed", False)
        link.settled = not link.resumed
        if link.returning:
            self._check(start["token"] == self.token, "was told another's token", start)
        self.token = start["token"]
        if not link.resumed:
            self._check(self.state is None, f"had been told {self.state}", start)
            self._check(link.floor is None, f"others had been told {link.floor}", start)
            self._check(link.says_my_turn == (self.order == 0), "was told a wrong turn", start)
            self.pending, self.my_turn = None, link.says_my_turn

    def _take_state(self, link: Link, state: Message) -> None:
        self._check(link.started, "was told a state before the start", state)
        self._check(state[f"player_{self.order}"]["name"] == self.name, "sits elsewhere", state)
        if link.states:
            self._check(newer(state, link.states[-1]), "was told an old state", state)
        link.states.append(state)
        if not link.settled:
            self._check(not newer(link.floor, state), f"had been told {link.floor}", state)
            self._settle(link, state)
        elif newer(state, self.state):
            self._follow(state)

    def _settle(self, link: Link, shown: Message) -> None:
        """Find in what we come back to whether the move that we sent before is in it."""
        link.settled = True
        if newer(shown, self.state):
            self._follow(shown)
        elif self.pending is not None:
            self.pending, self.my_turn = None, True
        self._check(self.my_turn == link.says_my_turn, "was told a wrong turn", shown)

    def _follow(self, state: Message) -> None:
        """Work out whose turn it is from what is left: a state does not tell who moved."""
        mine = self.pending is not None and (
            stones_left(state) == max(0, stones_left(self.state) - self.pending)
        )
        self.my_turn = not mine
        self.pending = None
        self.state = state
        if state["finished"]:
            self.final, self.my_turn = state, False

    def _check(self, holds: bool, what: str, message: Message | None) -> None:
        if not holds:
            raise Wrong(f"{self.name} {what}: {message}")
