"""A small game that only the tests play, and a table whose every command is written down.

The game is High Card, made to need what Nim does not: two to four seats, secret simultaneous moves, rounds
with a pause between them, something to bring along, and events for one seat or for all but one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import ClassVar

import attrs
import pytest
from attrs import frozen

from gamecore import commands
from gamecore.errors import Refused
from gamecore.events import EVERYONE, AllBut, Audience, Emit, Event, Only, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.record import FIRST, read_records, write_record
from gamecore.rules import AnyRules, Move, NextRound, Outcome, Seat, View, sample
from gamecore.settings import setting
from gamecore.table import Table

SEED = "5e" * 32
PACK = range(1, 21)
HAND = 4


# -- High Card ------------------------------------------------------------------------


@frozen
class HighOptions:
    """How long a game of High Card is."""

    rounds: int = setting(2, "rounds in a game", low=1, high=4)
    seconds: int = setting(10, "seconds to lay a card", low=1, high=1000)


@frozen
class Charm:
    """What everybody brings to the table."""

    word: str


@frozen
class Lay(Move):
    """Lay a card face down."""

    card: int


@frozen
class Hand:
    """The cards a seat holds now."""

    seat: int
    cards: tuple[int, ...]

    @property
    def audience(self) -> Audience:
        """Only who holds them."""
        return Only(self.seat)


@frozen
class LaidOwn:
    """Which card a seat has laid itself."""

    seat: int
    card: int

    @property
    def audience(self) -> Audience:
        """Only who laid it."""
        return Only(self.seat)


@frozen
class Laid:
    """Somebody has laid a card, face down."""

    seat: int

    @property
    def audience(self) -> Audience:
        """All that did not see it."""
        return AllBut(self.seat)


@frozen
class Shown:
    """All cards are face up, by seat."""

    cards: tuple[tuple[int, int], ...]
    audience: ClassVar[Audience] = EVERYONE


@frozen
class HighView(View):
    """What one seat may know; a watcher holds nothing."""

    round: int
    hand: tuple[int, ...]
    own: int | None
    laid: frozenset[int]
    ready: frozenset[int]
    scores: tuple[int, ...]


class HighPosition:
    """Where one game of High Card stands: laying cards, or pausing between rounds."""

    def __init__(
        self, seats: Sequence[Seat], options: HighOptions, deal: Deal, emit: Emit, now: float
    ) -> None:
        pack = deal.shuffle("hands", list(PACK))
        self.options, self.emit, self.since = options, emit, now
        self.hands = [sorted(pack[HAND * seat :][:HAND]) for seat in range(len(seats))]
        self.scores = [0] * len(seats)
        self.active = set(range(len(seats)))
        self.laid: dict[int, int] = {}
        self.ready: set[int] = set()
        self.round, self.paused = 1, False
        self.outcome: Outcome | None = None
        emit(RoundBegan(1))
        for seat in self.active:
            emit(Hand(seat, tuple(self.hands[seat])))

    def to_move(self) -> frozenset[int]:
        """Everybody who has not laid a card or, in a pause, has not gone on."""
        done = self.ready if self.paused else self.laid.keys()
        return frozenset() if self.outcome else frozenset(self.active - done)

    def due(self) -> Mapping[int, float]:
        """All at the same instant; a pause has no end."""
        end = self.since + self.options.seconds
        return {} if self.paused else dict.fromkeys(sorted(self.to_move()), end)

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """Any card of the hand."""
        if seat not in self.to_move():
            return []
        return [NextRound()] if self.paused else [Lay(card) for card in self.hands[seat]]

    def play(self, seat: int, move: Move, now: float) -> None:
        """Lay a card or go on."""
        if move not in self.legal_moves(seat):
            raise Refused("no-such-move" if seat in self.to_move() else "not-your-turn")
        if isinstance(move, Lay):
            self.laid[seat] = move.card
            self.hands[seat].remove(move.card)
            self.emit(Laid(seat))
            self.emit(LaidOwn(seat, move.card))
            self.emit(Hand(seat, tuple(self.hands[seat])))
        else:
            self.ready.add(seat)
        self.go_on(now)

    def go_on(self, now: float) -> None:
        """Do what follows when nobody is waited for any more."""
        if len(self.active) < 2:
            self.end()
        elif not self.to_move() and self.paused:
            self.paused, self.since, self.round = False, now, self.round + 1
            self.laid, self.ready = {}, set()
            self.emit(RoundBegan(self.round))
        elif not self.to_move():
            self.emit(Shown(tuple(sorted(self.laid.items()))))
            self.scores[max(self.laid, key=self.laid.__getitem__)] += 1
            self.emit(RoundOver(self.round))
            self.paused = True
            if self.round == self.options.rounds:
                self.end()

    def end(self) -> None:
        """Give the places: the best score first, those who left last."""
        scores = [s if seat in self.active else -1 for seat, s in enumerate(self.scores)]
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        self.outcome = Outcome(places, tuple(self.scores))

    def time_up(self, seat: int, now: float) -> None:
        """Lay the lowest card for one who has not."""
        self.play(seat, Lay(self.hands[seat][0]), now)

    def leave(self, seat: int, why: str, now: float) -> None:
        """Go on without."""
        self.active.discard(seat)
        self.laid.pop(seat, None)
        self.ready.discard(seat)
        self.go_on(now)

    def seen_by(self, seat: int | None) -> HighView:
        """Show the seat's own hand and card, and what is public."""
        hand = () if seat is None else tuple(self.hands[seat])
        own = None if seat is None else self.laid.get(seat)
        public = frozenset(self.laid), frozenset(self.ready), tuple(self.scores)
        return HighView(self.round, hand, own, *public)


class HighRules:
    """The constant facts of High Card."""

    kind = "high"
    title = "High Card"
    version = 1
    seats = range(2, 5)
    options = HighOptions
    brings = Charm
    moves: Sequence[type[Move]] = (Lay, NextRound)
    events: Sequence[type[Event]] = (Hand, LaidOwn, Laid, Shown, RoundBegan, RoundOver)
    begin = staticmethod(HighPosition)


# -- a table that is watched ----------------------------------------------------------


class Watched:
    """A table, the commands it has accepted, and all that anybody may know of it."""

    def __init__(self, rules: AnyRules, options: object = (), **house: object) -> None:
        self.rules, self.now = rules, 0.0
        self.opened = commands.Open(
            "TABLE", rules.kind, rules.version, 1, 1, "a table", SEED, dict(options), house
        )
        self.table = Table(self.opened, rules)
        self.done: list[tuple[commands.Command, float]] = [(self.opened, 0.0)]

    def do(self, command: commands.Command, now: float | None = None) -> Sequence[Event]:
        """Apply a command and write it down."""
        self.now = self.now if now is None else now
        events = self.table.apply(command, self.now)
        self.done.append((command, self.now))
        return events

    def refuses(self, command: commands.Command, now: float | None = None) -> str:
        """Try a command that must be refused and must change nothing; give the key."""
        self.now = self.now if now is None else now
        before = self.state()
        with pytest.raises(Refused) as refusal:
            self.table.apply(command, self.now)
        assert self.state() == before
        return refusal.value.key

    def seats(self) -> Iterable[int | None]:
        """Name every seat that is taken, and None for a watcher."""
        return [None, *self.table.seated()]

    def views(self) -> dict[int | None, object]:
        """Give what each seat, and a watcher, may know."""
        return {seat: self.table.seen_by(seat, self.now) for seat in self.seats()}

    def state(self) -> object:
        """Give all that can be seen of the table from outside."""
        cores = {seat: attrs.evolve(core) for seat, core in self.table.seated().items()}
        moves = {seat: list(self.table.legal_moves(seat)) for seat in cores}
        return (self.views(), cores, moves, self.table.sequence, self.table.alarm())

    def ring(self) -> Sequence[Event]:
        """Do what the next alarm says, at its time."""
        alarm = self.table.alarm()
        assert alarm is not None
        return self.do(alarm.command, alarm.at)

    def lines(self) -> list[bytes]:
        """Write the record of the table."""
        lines, previous = [], FIRST
        for sequence, (command, at) in enumerate(self.done):
            record = write_record(self.table.code, sequence, at, at + 1e9, command, previous)
            lines.append(record.line)
            previous = record.hash
        return lines

    def entries(self) -> Sequence[object]:
        """Write the record and read it again."""
        return read_records(self.lines())


NAMES = ("wren", "robin", "linnet", "finch", "dunnock")


def _sitting(
    rules: AnyRules, seat: int, token: str | None = "hash", **more: object
) -> commands.Sit:
    brought = Charm(f"charm {seat}") if rules.brings is Charm else sample(rules)
    return commands.Sit(seat, NAMES[seat], token, **{"brought": brought, **more})


def _game(
    rules: AnyRules, people: int = 2, *, tokens: bool = True, options: object = (), **house: object
) -> Watched:
    watched = Watched(rules, options, **house)
    for seat in range(people):
        watched.do(_sitting(rules, seat, "hash" if tokens else None))
    if watched.table.stage is Stage.GATHERING:
        watched.do(commands.Start())
    return watched


@pytest.fixture(autouse=True)
def logged_failures() -> None:
    """Collect nothing: no log and no Deferred can enter the card room (see ``test_purity``)."""


@pytest.fixture(scope="session")
def high() -> SimpleNamespace:
    """High Card: its rules and its words."""
    words = (HighOptions, Charm, Lay, Hand, LaidOwn, Laid, Shown, HighView)
    return SimpleNamespace(RULES=HighRules(), **{word.__name__: word for word in words})


@pytest.fixture(scope="session")
def watched() -> type[Watched]:
    """Open a table where nobody sits yet: ``watched(rules, options, **house)``."""
    return Watched


@pytest.fixture(scope="session")
def sitting() -> Callable[..., commands.Sit]:
    """Make the command to sit: ``sitting(rules, seat, token)``."""
    return _sitting


@pytest.fixture(scope="session")
def begun() -> Callable[..., Watched]:
    """Begin a game: ``begun(rules, people, tokens=True, options={}, **house)``."""
    return _game


@pytest.fixture(scope="session", params=["nim", "high"])
def rules(request: pytest.FixtureRequest, high: SimpleNamespace) -> AnyRules:
    """Each of two games that have little in common."""
    return NIM if request.param == "nim" else high.RULES


@pytest.fixture(scope="session")
def unanswered() -> Callable[[object, type], set[tuple[str, str]]]:
    """List the (state, input) pairs that a machine has no answer to."""

    def find(machine: object, inputs: type) -> set[tuple[str, str]]:
        automaton = machine.__automat_automaton__
        answered = {(old.name, name) for old, name, _, _ in automaton.allTransitions()}
        asked = [name for name in vars(inputs) if not name.startswith("_")]
        return {(state.name, name) for state in automaton.states() for name in asked} - answered

    return find
