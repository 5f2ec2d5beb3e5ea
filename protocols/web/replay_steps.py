"""A game that is over, move by move: its table played again up to a moment, with the hands of all who played.

What is made here is made in another thread, from the record alone.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.fairness import Deal, commitment, watched_deals
from gamecore.game import Stage
from gamecore.record_file import Game
from gamecore.replay import RulesGone, play
from gamecore.rules import Registry
from gamecore.table import Table
from gamecore.table_view import TableView
from protocols.host.records import EndedRecord
from protocols.i18n.game_text import find_text
from protocols.i18n.retelling import ALL, Moment, introduce, moments, opens_game
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import Translator
from protocols.web.picture import LINES_SHOWN, Parts, Picture, TableFacts, Told
from protocols.web.sight import Role

_PRESSED = re.compile(
    r""" (?:id|form|formaction|name|value|popovertarget|for|data-[a-z]+)=(?:"[^"]*"|'[^']*')|"""
    r" (?:popover|data-fly|tabindex=\"0\")(?=[ >])"
)


@frozen
class Hand:
    """What one player held, as that player saw it: drawn, or in lines where the game draws no hands."""

    name: str
    drawn: str
    lines: Sequence[str]


@frozen
class Check:
    """What a reader needs to deal again: the promise, the seed, the words of players, and every shuffle."""

    code: str
    number: int
    promise: str
    seed: str
    words: str
    shuffles: str

    @classmethod
    def of(cls, code: str, number: int, seed: str, deal: Deal | None) -> Check:
        """Write down a deal; ``deal`` is what was watched, if anything was shuffled."""
        shuffled = (deal.shuffled if deal is not None else None) or ()
        written = [
            [each.label, each.use, _named(each.pack), _named(each.cards)] for each in shuffled
        ]
        words = [] if deal is None else list(deal.words)
        return cls(code, number, commitment(code, number, seed), seed, _json(words), _json(written))


@frozen
class ReplayStep:
    """One moment of a game that is over: ``at`` counts from 1 to ``last``, ``game`` from 1 to ``games``."""

    kind: str
    title: str
    code: str
    about: Sequence[str]
    game: int
    games: int
    at: int
    last: int
    parts: Mapping[str, str]
    hands: Sequence[Hand]
    lines: Sequence[str]
    check: Check | None


def draw_step(
    number: int | None, at: int | None, registry: Registry, say: Translator, record: EndedRecord
) -> ReplayStep:
    """Draw a moment of a game: of the last game, and its first moment, if none is named.

    Refused ``no-such-record``, ``rules-gone``.
    """
    game, opened = record.game, record.game.opened
    games = sum(map(opens_game, game.entries))
    number = games if number is None else number
    try:
        rules = registry.exactly(opened.kind, opened.rules)
    except KeyError:
        raise Refused("rules-gone") from None
    told = _of_play(game, moments(game, rules, find_text(opened.kind), ALL, say, number))
    if not told:
        raise Refused("no-such-record")
    at = min(max(1, at or 1), len(told))
    seed = _seed_of(game, number)
    played = _Played(say, told[at - 1])
    deal = played.play(game, registry, told[-1].entry, seed)
    return ReplayStep(
        kind=opened.kind,
        title=rules.title,
        code=clean(opened.code),
        about=list(introduce(game.entries[0], opened, rules, say))[:2],
        game=number,
        games=games,
        at=at,
        last=len(told),
        parts=played.parts,
        hands=played.hands,
        lines=[line for each in reversed(told[:at]) for line in each.lines][:LINES_SHOWN],
        check=Check.of(opened.code, number, seed, deal),
    )


def _of_play(game: Game, told: Iterable[Moment]) -> Sequence[Moment]:
    """Take what was told from the beginning of play to the end of it: who came and went is no part of it."""
    found: list[Moment] = []
    for each in told:
        names = {event["is"] for event in game.events[each.entry]}
        if found or names & {"GameBegan", "Abandoned"}:
            found.append(each)
        if names & {"GameOver", "Abandoned"}:
            break
    return found


def _seed_of(game: Game, number: int) -> str:
    opening = [each.command for each in game.entries if opens_game(each)][number - 1]
    return str(opening["seed"]) if isinstance(opening, dict) else ""


class _Played:
    """A table played again, drawn at one moment."""

    def __init__(self, say: Translator, moment: Moment) -> None:
        self._say = say
        self._moment = moment
        self.parts: Mapping[str, str] = {}
        self.hands: Sequence[Hand] = ()

    def play(self, game: Game, registry: Registry, last: int, seed: str) -> Deal | None:
        """Play up to a record; gives the deal of the seed, None if there was none. Refused ``rules-gone``."""
        lately: deque[tuple[Event, tuple[str, ...]]] = deque(maxlen=2 * LINES_SHOWN)
        with watched_deals() as deals:
            try:
                for count, step in enumerate(play(game.entries[: last + 1], registry)):
                    seen = (each for each in step.events if each.audience.reaches(None))
                    lately.extend((each, step.table.names) for each in seen)
                    if count == self._moment.entry:
                        self._draw(step.table, tuple(lately))
            except RulesGone:
                raise Refused("rules-gone") from None
        return next((each for each in deals if each.seed == seed), None)

    def _draw(self, table: Table, lately: Told) -> None:
        at, say = self._moment.at, self._say
        watched = table.seen_by(None, at)
        drawn = self._parts(table, watched, lately)
        self.parts = {name: _still(drawn[name]) for name in ("facts", "felt", "p-score")}
        seats = range(len(watched.names) if table.stage is not Stage.ABANDONED else 0)
        views = [table.seen_by(seat, at) for seat in seats]
        hands = [self._parts(table, view, lately)["hand"] for view in views]
        text = find_text(watched.kind)
        drawn_any = any("<svg" in each or "<button" in each for each in hands)
        boards = [
            [] if text is None or drawn_any or view.board is None else text.board(view, say)
            for view in views
        ]
        alike = all(each == boards[0] for each in boards)
        self.hands = [
            Hand(clean(name), _inner(_still(hand)), [] if alike else board)
            for name, hand, board in zip(watched.names, hands, boards, strict=False)
        ]

    def _parts(self, table: Table, view: TableView, lately: Told) -> Parts:
        role: Role = "watcher" if view.seat is None else "player"
        facts = TableFacts(table.rules.title, role, True, ())
        picture = Picture(facts, view, (), "", lately, (), 0.0)
        return picture.drawn(self._say).parts


def _still(part: str) -> str:
    """Take from a part what lets it be pressed, found or moved: several stand beside each other here."""
    return _PRESSED.sub("", part)


def _inner(part: str) -> str:
    return part.partition(">")[2].rpartition("<")[0]


def _named(cards: Sequence[object]) -> list[str]:
    """Name cards: by the name that each has, else as it is written."""
    return [str(getattr(each, "name", each)) for each in cards]


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
