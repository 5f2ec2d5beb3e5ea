"""Positions in pairs that differ only in what one viewer may not know; whatever that viewer is told is the same.

A pair is two guesses of one position.  Both must show the viewer what the position itself shows, or the View tells
more than the viewer may know, or the guess less than it could; and one more command, varied in what it hides,
must tell the viewer the same wherever the Views after it are the same.

A game's beginning, before which there is no position to guess, is tried by two deals that are alike but for two
cards: where they show a viewer the same, the beginning must have told it the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar

from attrs import frozen

from gamecore.codec import plain
from gamecore.errors import Refused
from gamecore.events import Event, heard_by
from gamecore.fairness import Deal, watched_deals
from gamecore.rules import AnyRules, Move, Position, Seat, sample
from protocols.testing.playing import MOST_SEATS, Playing, Viewer, draw_options

T = TypeVar("T")


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


# -- a beginning ----------------------------------------------------------------------


class Exchanged(Deal):
    """A deal in which two cards of one shuffle lie in each other's place; ``done`` once there was that shuffle."""

    __slots__ = ("_at", "_left", "_places", "done")

    def __init__(self, seed: str, at: int, places: tuple[float, float]) -> None:
        """Exchange in the shuffle number ``at``, from 0, at places that are parts of a pack, from 0 to 1."""
        super().__init__(seed)
        self._at, self._places, self.done = at, places, False

    def shuffle(self, label: str, pack: Sequence[T]) -> list[T]:
        """Shuffle as the deal itself does, and exchange two of the cards."""
        cards = super().shuffle(label, pack)
        if self._at == 0 and cards:
            one, other = (int(place * len(cards)) for place in self._places)
            cards[one], cards[other] = cards[other], cards[one]
            self.done = one != other
        self._at -= 1
        return cards


def check_beginning(rules: AnyRules, chance: Random, tries: int = 40) -> int:
    """Check what viewers are told as a game begins; raises Leak.

    Says how many viewers were shown the same by two deals. A game that draws nothing as it begins has none.
    """
    count = chance.choice(range(rules.seats[0], min(rules.seats[-1], MOST_SEATS) + 1))
    options, seed = draw_options(rules, chance, count), chance.randbytes(32).hex()
    names = [Seat(f"player {seat}", sample(rules)) for seat in range(count)]

    def begin(deal: Deal) -> tuple[Mapping[Viewer, Shown], list[Event]]:
        heard: list[Event] = []
        position = rules.begin(names, options, deal, heard.append, 0.0)
        return {viewer: Shown.of(position, viewer) for viewer in (None, *range(count))}, heard

    with watched_deals() as deals:
        here, heard = begin(Deal(seed))
    compared = 0
    shuffles = len(deals[0].shuffled or ())
    for number in range(tries if shuffles else 0):
        deal = Exchanged(seed, number % shuffles, (chance.random(), chance.random()))
        there, heard_there = begin(deal)
        for viewer, shown in there.items() if deal.done else ():
            if shown != here[viewer]:
                continue
            compared += 1
            told, other = (
                [plain(event) for event in heard_by(viewer, each)] for each in (heard, heard_there)
            )
            if told != other:
                raise Leak(f"viewer {viewer} was told {told} or {other} as it began")
    return compared


# -- a pair ---------------------------------------------------------------------------


def check_pair(playing: Playing, viewer: Viewer) -> bool:
    """Check one pair before and after one more command; raises Leak.

    Says whether anybody else would see a difference between the guess and the position. What was told before is
    not looked at: each command tells its events while it is the one more command of some pair, and what is told
    before the first command is for ``check_beginning``.
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
    """Compare what one more command told the viewer, unless the Views after it differ; raises Leak."""
    after = [Shown.of(each, viewer) for each in pair]
    if after[0].view != after[1].view:
        return
    compare("what follows", after[0], after[1])
    if results[0] != results[1]:
        raise Leak(
            f"viewer {viewer} was told {results[0]} or {results[1]}, and its View is the same after either: "
            "what may be told is in the View that follows, what is not there is hidden"
        )


def compare(what: str, one: Shown, other: Shown) -> None:
    """Compare all that a viewer can tell of two positions; raises Leak."""
    for name in ("view", "moves", "to_move", "due"):
        if getattr(one, name) != getattr(other, name):
            raise Leak(f"{what}: {name} {getattr(one, name)} or {getattr(other, name)}")


def check_game(rules: AnyRules, seed: int, most: int = 400, checks: int = 50) -> tuple[bool, bool]:
    """Check a beginning, and pairs all along one game; raises Leak.

    Says whether it hid anything, and whether guesses drew that anew.
    """
    check_beginning(rules, Random(f"beginning {seed}"))
    playing = Playing.begin(rules, Random(seed))
    often = max(1.0, most / checks)
    hides = drew = False
    for _ in range(most):
        hides = hides or _hides(playing)
        if playing.chance.random() < 1 / often:
            viewer = playing.chance.choice(playing.viewers)
            drew = check_pair(playing, viewer) or drew
        if not playing.step():
            break
    return hides, drew


def _hides(playing: Playing) -> bool:
    """Say whether anybody sees another View than anybody else."""
    return len({plain_of(playing.position.seen_by(viewer)) for viewer in playing.viewers}) > 1


def plain_of(view: object) -> str:
    """Write a View so that two of them can be compared, whatever they hold."""
    return repr(view)
