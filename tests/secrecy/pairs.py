"""Positions in pairs that differ only in what one viewer may not know; whatever that viewer is told is the same.

A pair is two guesses of one position.  Both must show the viewer what the position itself shows, or the View tells
more than the viewer may know, or the guess less than it could; and one more command, varied in what it hides,
must tell the viewer the same wherever the Views after it are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import attrs
from attrs import define, field, frozen

from gamecore.errors import Refused
from gamecore.events import Event, heard_by
from gamecore.fairness import Deal
from gamecore.record import plain
from gamecore.rules import AnyRules, Move, Position, Seat, sample
from gamecore.settings import settings_of

Viewer = int | None


class Leak(AssertionError):
    """A viewer was told something that follows from what it may not know."""


@frozen
class Shown:
    """Everything that one viewer can tell of a position."""

    view: object
    moves: Sequence[Move]
    to_move: frozenset[int]
    due: dict[int, float]

    @classmethod
    def of(cls, position: Position, viewer: Viewer) -> Shown:
        """Look at a position through one viewer's eyes."""
        moves = [] if viewer is None else list(position.legal_moves(viewer))
        due = dict(position.due())
        return cls(position.seen_by(viewer), moves, position.to_move(), due)


@define
class Playing:
    """One game under way, played by chance; ``hides`` once two viewers have been shown different Views."""

    rules: AnyRules
    chance: Random
    position: Position
    seats: int
    now: float = 0.0
    heard: list[Event] = field(factory=list)

    @classmethod
    def begin(cls, rules: AnyRules, chance: Random, seats: int | None = None) -> Playing:
        """Begin a game with options, seats and a deal by chance."""
        most = min(rules.seats[-1], 5)
        count = chance.choice(range(rules.seats[0], most + 1)) if seats is None else seats
        names = [Seat(f"player {seat}", sample(rules)) for seat in range(count)]
        heard: list[Event] = []
        deal = Deal(chance.randbytes(32).hex())
        options = draw_options(rules, chance, count)
        position = rules.begin(names, options, deal, heard.append, 0.0)
        return cls(rules, chance, position, count, 0.0, heard)

    @property
    def viewers(self) -> list[Viewer]:
        """Everybody who may look: the seats, and a watcher."""
        return [None, *range(self.seats)]

    def step(self) -> bool:
        """Let one thing happen by chance; False once the game is over."""
        if not self.position.to_move():
            return False
        self.now += self.chance.random()
        seat = self.chance.choice(sorted(self.position.to_move()))
        due = self.position.due().get(seat)
        what = self.chance.random()
        if what < 0.02 and due is not None:
            self.now = max(self.now, due)
            self.position.time_up(seat, self.now)
        elif what < 0.025:
            self.position.leave(seat, "left", self.now)
        else:
            move = self.chance.choice(self.position.legal_moves(seat))
            self.position.play(seat, move, self.now)
        return True


def draw_options(rules: AnyRules, chance: Random, seats: int) -> attrs.AttrsInstance:
    """Choose every setting that is a word or a yes-or-no by chance, and leave the numbers as they are."""
    given: dict[str, object] = {}
    for each in settings_of(rules.options):
        if each.bounds.choices:
            given[each.name] = chance.choice(list(each.bounds.choices))
        elif isinstance(each.default, bool):
            given[each.name] = chance.random() < 0.5
    if "players" in {each.name for each in settings_of(rules.options)}:
        given["players"] = seats
    return rules.options(**given)


# -- a pair ---------------------------------------------------------------------------


def check_pair(playing: Playing, viewer: Viewer) -> bool:
    """Check one pair before and after one more command; raises Leak.

    Says whether anybody else would see a difference between the guess and the position.
    """
    chance, position = playing.chance, playing.position
    here = Shown.of(position, viewer)
    told: tuple[list[Event], list[Event]] = ([], [])
    pair = [position.guess(viewer, chance, each.append) for each in told]
    for guess in pair:
        compare("a guess", here, Shown.of(guess, viewer))
    others = [each for each in playing.viewers if each != viewer]
    differs = any(pair[0].seen_by(each) != position.seen_by(each) for each in others)
    for commands in varied(playing, viewer, pair):
        results = [
            attempt(guess, act, viewer, heard)
            for guess, act, heard in zip(pair, commands, told, strict=True)
        ]
        compare_results(viewer, pair, results)
        return differs
    return differs


def varied(
    playing: Playing, viewer: Viewer, pair: Sequence[Position]
) -> Iterator[tuple[Callable[[Position], None], Callable[[Position], None]]]:
    """Choose one command for both of a pair: the viewer's own is the same, another's may hide another move."""
    chance, now = playing.chance, playing.now + 1.0
    awaited = sorted(pair[0].to_move())
    if not awaited:
        return
    seat = chance.choice(range(playing.seats) if chance.random() < 0.2 else awaited)
    if chance.random() < 0.1 and seat in awaited:
        yield (lambda each: each.time_up(seat, now),) * 2
    if chance.random() < 0.05:
        yield (lambda each: each.leave(seat, "left", now),) * 2
    if seat == viewer:
        pool = [*pair[0].legal_moves(seat), *odd_moves(playing, seat)]
        move = chance.choice(pool)
        yield (lambda each: each.play(seat, move, now),) * 2
        return
    moves = [each.legal_moves(seat) for each in pair]
    if all(moves):
        first = chance.choice(moves[0])
        second = chance.choice([each for each in moves[1] if type(each) is type(first)] or moves[1])
        yield (lambda each: each.play(seat, first, now), lambda each: each.play(seat, second, now))


def odd_moves(playing: Playing, seat: int) -> list[Move]:
    """Find moves that are somebody else's to make: what refuses them must not tell why it could."""
    position = playing.position
    others = [each for each in range(playing.seats) if each != seat]
    return [move for each in others for move in list(position.legal_moves(each))[:3]]


def attempt(
    position: Position, act: Callable[[Position], None], viewer: Viewer, heard: list[Event]
) -> tuple[object, list[object]]:
    """Do something and say what the viewer hears: a refusal, if it is told of one, and its events."""
    del heard[:]
    refusal: object = None
    try:
        act(position)
    except Refused as refused:
        refusal = (refused.key, {name: str(fact) for name, fact in refused.facts.items()})
    return refusal, [plain(event) for event in heard_by(viewer, heard)]


def compare_results(
    viewer: Viewer, pair: Sequence[Position], results: Sequence[tuple[object, list[object]]]
) -> None:
    """Compare what one more command told the viewer, unless the Views after it differ."""
    after = [Shown.of(each, viewer) for each in pair]
    if after[0].view != after[1].view:
        return
    compare("what follows", after[0], after[1])
    if results[0] != results[1]:
        raise Leak(f"viewer {viewer} was told {results[0]} or {results[1]} of what it cannot see")


def compare(what: str, one: Shown, other: Shown) -> None:
    """Compare all that a viewer can tell of two positions."""
    for name in ("view", "moves", "to_move", "due"):
        if getattr(one, name) != getattr(other, name):
            raise Leak(f"{what}: {name} {getattr(one, name)} or {getattr(other, name)}")


def check_game(rules: AnyRules, seed: int, most: int = 400, checks: int = 50) -> tuple[bool, bool]:
    """Check pairs all along one game; says whether it hid anything, and whether guesses drew that anew."""
    playing = Playing.begin(rules, Random(seed))
    often = max(1.0, most / checks)
    hides = drew = False
    for _ in range(most):
        views = [plain_of(playing.position.seen_by(viewer)) for viewer in playing.viewers]
        hides = hides or any(view != views[0] for view in views)
        if playing.chance.random() < 1 / often:
            viewer = playing.chance.choice(playing.viewers)
            drew = check_pair(playing, viewer) or drew
        if not playing.step():
            break
    return hides, drew


def plain_of(view: object) -> str:
    """Write a View so that two of them can be compared, whatever they hold."""
    return repr(view)
