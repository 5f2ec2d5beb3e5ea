"""A game that is over, move by move: its table played again up to a moment, with the hands of all who played.

What is made here is made in another thread, from the record alone.  A replay is opened once and kept beside its
record: for who goes on from moment to moment its table is played on by a move, and nothing is drawn twice.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.fairness import Deal, commitment, watched_deals
from gamecore.game import Stage
from gamecore.record import Entry
from gamecore.record_file import Game
from gamecore.replay import RulesGone, Step, play
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
from protocols.web.typeset import set_line

MOST_DRAWN = 40  # moments of a game that are kept as they were drawn
_PRESSED = re.compile(
    r"""(?: (?:id|form|name|popovertarget|for|data-[a-z]+)|(?<!<progress) value)"""
    r"""=(?:"[^"]*"|'[^']*')|"""
    r" (?:popover|data-fly|tabindex=\"0\")(?=[ >])"
)
_CONTROL = re.compile("<(/?)(button|input)([^>]*)>")


@frozen
class Hand:
    """What one player held, as that player saw it: drawn, or in lines where the game draws no hands."""

    name: str
    drawn: str
    lines: Sequence[str]


@frozen
class Check:
    """What a reader needs to deal again: the promise, the seed, the words of players, and every shuffle.

    A shuffle has its label, its number under it, the pack and what came of it, each card as its place in ``cards``.
    """

    code: str
    number: int
    promise: str
    seed: str
    words: str
    cards: str
    shuffles: str

    @classmethod
    def of(cls, code: str, number: int, seed: str, deal: Deal | None) -> Check:
        """Write down a deal; ``deal`` is what was watched, if anything was shuffled."""
        shuffled = (deal.shuffled if deal is not None else None) or ()
        names: dict[str, int] = {}

        def places(cards: Sequence[object]) -> Sequence[int]:
            return [names.setdefault(each, len(names)) for each in _named(cards)]

        written = [
            [each.label, each.use, places(each.pack), places(each.cards)] for each in shuffled
        ]
        words = [] if deal is None else list(deal.words)
        given = map(_json, (words, list(names), written))
        return cls(code, number, commitment(code, number, seed), seed, *given)


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
    number = sum(map(opens_game, record.game.entries)) if number is None else number
    what = (Replay, number, say.language)
    return record.made(what, lambda: Replay(record.game, number, registry, say)).step(at or 1)


class Replay:
    """One game of a table in one language: all that is the same at each of its moments, and those drawn last."""

    def __init__(self, game: Game, number: int, registry: Registry, say: Translator) -> None:
        """Take the game of a number, from 1; refused ``no-such-record``, ``rules-gone``."""
        opened = game.opened
        try:
            self._rules = registry.exactly(opened.kind, opened.rules)
        except KeyError:
            raise Refused("rules-gone") from None
        text = find_text(opened.kind)
        self._told = _of_play(game, moments(game, self._rules, text, ALL, say, number))
        if not self._told:
            raise Refused("no-such-record")
        self._game, self._number, self._say = game, number, say
        self._about = list(introduce(game.entries[0], opened, self._rules, say))[:2]
        entries = game.entries[: self._told[-1].entry + 1]
        seed = _seed_of(game, number)
        self._check = Check.of(opened.code, number, seed, _deal_of(entries, registry, seed))
        self._again = _PlayedAgain(entries, registry)
        self._drawn: OrderedDict[int, tuple[Parts, Sequence[Hand]]] = OrderedDict()

    def step(self, at: int) -> ReplayStep:
        """Give a moment, counted from 1, or the one of them that is nearest."""
        at = min(max(1, at), len(self._told))
        parts, hands = self._draw(at)
        return ReplayStep(
            kind=self._game.opened.kind,
            title=self._rules.title,
            code=clean(self._game.opened.code),
            about=self._about,
            game=self._number,
            games=sum(map(opens_game, self._game.entries)),
            at=at,
            last=len(self._told),
            parts=parts,
            hands=hands,
            lines=[set_line(each, self._say) for each in _latest_lines(self._told[:at])],
            check=self._check,
        )

    def _draw(self, at: int) -> tuple[Parts, Sequence[Hand]]:
        if at not in self._drawn:
            moment = self._told[at - 1]
            table, lately = self._again.up_to(moment.entry)
            self._drawn[at] = _draw(table, lately, moment.at, self._say)
            if len(self._drawn) > MOST_DRAWN:
                self._drawn.popitem(last=False)
        return self._drawn[at]


def _latest_lines(told: Sequence[Moment]) -> Sequence[str]:
    """Give the lines that were told last, the latest first."""
    lines: list[str] = []
    for each in reversed(told):
        lines += each.lines
        if len(lines) >= LINES_SHOWN:
            break
    return lines[:LINES_SHOWN]


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


def _deal_of(entries: Sequence[Entry], registry: Registry, seed: str) -> Deal | None:
    """Play all of it again and give the deal of a seed, None if there was none; refused ``rules-gone``."""
    with watched_deals() as deals:
        try:
            deque(play(entries, registry), maxlen=0)
        except RulesGone:
            raise Refused("rules-gone") from None
    return next((each for each in deals if each.seed == seed), None)


class _PlayedAgain:
    """A table that is played again, as far as somebody has looked at it."""

    def __init__(self, entries: Sequence[Entry], registry: Registry) -> None:
        self._entries, self._registry = entries, registry
        self._begin()

    def _begin(self) -> None:
        self._steps: Iterator[Step] = play(self._entries, self._registry)
        self._played = -1  # the number of the record that was played last
        self._lately: deque[tuple[Event, tuple[str, ...]]] = deque(maxlen=2 * LINES_SHOWN)

    def up_to(self, entry: int) -> tuple[Table, Told]:
        """Play on to a record, or from the beginning if that lies behind; the table is good until the next call."""
        if entry <= self._played:
            self._begin()
        for step in self._steps:
            self._played += 1
            seen = (each for each in step.events if each.audience.reaches(None))
            self._lately.extend((each, step.table.names) for each in seen)
            if self._played == entry:
                return step.table, tuple(self._lately)
        raise AssertionError("a moment is told of a record that is there")


def _draw(table: Table, lately: Told, at: float, say: Translator) -> tuple[Parts, Sequence[Hand]]:
    """Draw a table as who looks on sees it, and the hands of all who play; ``at`` is table time."""
    watched = evolve(table.seen_by(None, at), due={})  # no clock runs any more
    drawn = _parts_of(table, watched, lately, say)
    seats = range(len(watched.names) if table.stage is not Stage.ABANDONED else 0)
    views = [table.seen_by(seat, at) for seat in seats]
    hands = [_parts_of(table, view, lately, say)["hand"] for view in views]
    text = find_text(watched.kind)
    drawn_any = any(re.search("<(svg|button|label)", each) for each in hands)
    boards = [
        [] if text is None or drawn_any or view.board is None else text.board(view, say)
        for view in views
    ]
    alike = all(each == boards[0] for each in boards)
    shown = [
        Hand(clean(name), _inner(_still(hand)), [] if alike else board)
        for name, hand, board in zip(watched.names, hands, boards, strict=False)
    ]
    return {name: _still(drawn[name]) for name in ("facts", "felt", "p-score")}, shown


def _parts_of(table: Table, view: TableView, lately: Told, say: Translator) -> Parts:
    role: Role = "watcher" if view.seat is None else "player"
    facts = TableFacts(table.rules.title, role, True, ())
    return Picture(facts, view, (), "", lately, (), 0.0).drawn(say).parts


def _still(part: str) -> str:
    """Take from a part what lets it be pressed, found or moved: several stand beside each other here."""
    return _CONTROL.sub(_spanned, _PRESSED.sub("", part))


def _spanned(tag: re.Match[str]) -> str:
    """Write a button as what is only read; what is to be ticked is left out."""
    return "" if tag[2] == "input" else f"<{tag[1]}span{tag[3]}>"


def _inner(part: str) -> str:
    return part.partition(">")[2].rpartition("<")[0]


def _named(cards: Sequence[object]) -> list[str]:
    """Name cards: by the name that each has, else as it is written."""
    return [str(getattr(each, "name", each)) for each in cards]


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
