"""The list of what is still to do, and who says how: each kind of step and of question brings its own code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from gamecore.games.castle import events
from gamecore.games.castle.core import AbilityUse, Question, RoundCore, Step
from gamecore.games.castle.effect_schema import Fact
from gamecore.games.castle.moves import Reply
from gamecore.games.castle.operations import Effect

S = TypeVar("S", bound=Step)
Q = TypeVar("Q", bound=Question)
F = TypeVar("F", bound=Fact)

_DOES: dict[type[Step], Callable[[RoundCore, Step], None]] = {}
_OFFERS: dict[type[Question], Callable[[RoundCore, Question], Sequence[Reply]]] = {}
_TAKES: dict[type[Question], Callable[[RoundCore, Question, Reply], None]] = {}
_PERFORMS: dict[type[Fact], Callable[[RoundCore, AbilityUse, Fact], None]] = {}


def does(
    kind: type[S],
) -> Callable[[Callable[[RoundCore, S], None]], Callable[[RoundCore, S], None]]:
    """Mark the function that does one kind of step."""

    def mark(function: Callable[[RoundCore, S], None]) -> Callable[[RoundCore, S], None]:
        _DOES[kind] = cast(Callable[[RoundCore, Step], None], function)
        return function

    return mark


def offers(
    kind: type[Q],
) -> Callable[
    [Callable[[RoundCore, Q], Sequence[Reply]]], Callable[[RoundCore, Q], Sequence[Reply]]
]:
    """Mark the function that lists what one kind of question lets its player reply."""

    def mark(
        function: Callable[[RoundCore, Q], Sequence[Reply]],
    ) -> Callable[[RoundCore, Q], Sequence[Reply]]:
        _OFFERS[kind] = cast(Callable[[RoundCore, Question], Sequence[Reply]], function)
        return function

    return mark


def takes(
    kind: type[Q],
) -> Callable[[Callable[[RoundCore, Q, Reply], None]], Callable[[RoundCore, Q, Reply], None]]:
    """Mark the function that goes on from a reply to one kind of question."""

    def mark(
        function: Callable[[RoundCore, Q, Reply], None],
    ) -> Callable[[RoundCore, Q, Reply], None]:
        _TAKES[kind] = cast(Callable[[RoundCore, Question, Reply], None], function)
        return function

    return mark


def performs(
    kind: type[F],
) -> Callable[
    [Callable[[RoundCore, AbilityUse, F], None]], Callable[[RoundCore, AbilityUse, F], None]
]:
    """Mark the function that carries out one operation of the vocabulary."""

    def mark(
        function: Callable[[RoundCore, AbilityUse, F], None],
    ) -> Callable[[RoundCore, AbilityUse, F], None]:
        _PERFORMS[kind] = cast(Callable[[RoundCore, AbilityUse, Fact], None], function)
        return function

    return mark


def go_on(core: RoundCore) -> None:
    """Do what is to do until a player is asked, the game has ended, or nothing is left."""
    while core.todo and core.stop is None and core.ending is None:
        step = core.todo.pop()
        _DOES[type(step)](core, step)


def offered(core: RoundCore, question: Question) -> Sequence[Reply]:
    """List what may be replied to a question."""
    return _OFFERS[type(question)](core, question)


def ask(core: RoundCore, question: Question) -> None:
    """Ask a player: all rests until there is a reply."""
    core.stop = question
    card, source = question.use.card, core.spot_of(question.use.source)
    moves = tuple(offered(core, question))
    about = question.about(core)
    core.emit(events.Asked(question.seat, question.why, card, source, about, moves))
    core.emit(events.ChoiceAwaited(question.seat, question.why, card, source, about))


def reply(core: RoundCore, question: Question, move: Reply) -> None:
    """Go on from a reply that was offered."""
    core.stop = None
    _TAKES[type(question)](core, question, move)


def perform(core: RoundCore, use: AbilityUse, effect: Effect) -> None:
    """Carry out one operation."""
    _PERFORMS[type(effect)](core, use, effect)


def performable() -> frozenset[type[Fact]]:
    """Name the operations that somebody carries out."""
    return frozenset(_PERFORMS)
