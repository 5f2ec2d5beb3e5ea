"""Commands for games that are over."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from twisted.python.failure import Failure

from gamecore.errors import Malformed, Refused
from gamecore.rules import AnyRules, Registry
from protocols.host.records import EndedRecord
from protocols.i18n.describe import read_seat
from protocols.i18n.game_text import find_text
from protocols.i18n.retelling import (
    ALL,
    Listener,
    count_seats,
    introduce,
    opens_game,
    timed,
    told,
)
from protocols.i18n.translate import Translator
from protocols.lobby.line_style import LineStyle
from protocols.lobby.screen import MORE
from protocols.lobby.session import Session


def replay(session: Session, rest: str) -> None:
    """Tell a game that is over at a table again, the last if none is named.

    Raises Malformed; Refused ``no-such-record``.
    """
    wanted, number, listener = _read(session, rest.split())
    settle = session.ask_elsewhere()
    registry = session.host.hall.registry
    draw = partial(
        _retell, number, listener, tuple(session.kinds), registry, session.say, session.screen.style
    )
    asking = session.host.record(session, wanted, draw)
    asking.addBoth(lambda result: settle(partial(_send, session, result)))


def _send(session: Session, result: Sequence[str] | Failure) -> None:
    if isinstance(result, Failure):
        result.raiseException()
    else:
        session.screen.open_lines(result, session.say(MORE))


def _read(session: Session, words: list[str]) -> tuple[str, int | None, Listener]:
    """Read which table, which of its games, and who listens.

    The table is the one at hand, if none is named, and who listens one who looks on.
    """
    here = session.table
    if here is not None and (not words or words[0].lower() in ("game", "seat", ALL)):
        words.insert(0, here.code)
    number: int | None = None
    listener: Listener = None
    left = list(map(str.lower, words[1:]))
    while words and left:
        match left:
            case ["game", count, *rest] if number is None and _is_count(count):
                number = int(count[:4])
            case ["seat", count, *rest] if listener is None and _is_count(count):
                listener = read_seat(count)
            case ["all", *rest] if listener is None:
                listener = ALL
            case _:
                break
        left = rest
    if words and not left:
        return words[0], number, listener
    raise Malformed(
        session.say(
            "Say which game, like REPLAY and the code of its table; GAME n, SEAT n or ALL behind it."
        )
    )


def _is_count(typed: str) -> bool:
    return typed.isascii() and typed.isdigit()


def _retell(
    number: int | None,
    listener: Listener,
    kinds: Sequence[str],
    registry: Registry,
    say: Translator,
    style: LineStyle,
    record: EndedRecord,
) -> Sequence[str]:
    """Tell a game again in lines as they go out: all that takes long is done here, in another thread."""
    game, opened = record.game, record.game.opened
    if opened.kind not in kinds:
        raise Refused("no-such-record")
    if isinstance(listener, int) and listener >= count_seats(game):
        raise Refused("no-such-seat", seat=listener)
    rules = _rules_of(registry, opened.kind, opened.rules)
    last = sum(map(opens_game, game.entries))
    if number is not None and not 1 <= number <= last:
        raise Refused("no-such-record")

    def draw() -> Sequence[str]:
        lines = told(game, rules, find_text(opened.kind), listener, say, number or last)
        texts = (*introduce(game.entries[0], opened, rules, say), *map(timed, lines))
        return [line for text in texts for line in style.lines(text)]

    return record.made(("lines", number or last, listener, say.language, style), draw)


def _rules_of(registry: Registry, kind: str, version: int) -> AnyRules | None:
    try:
        return registry.exactly(kind, version)
    except KeyError:
        return None
