"""The result of one game: who played, how it ended, and whether it counts for ratings or why not.

Who is rated is an **account**.  Each level of a house bot is one, ``bot:`` and its level; nobody else has one yet.
What is compared is a **pool**: one for each game, as it is played by the game's own default options; how many play
is each table's own choice.  A seat whose player left, or was replaced, is last whatever became of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from gamecore.events import Event
from gamecore.lineup import Lineup
from gamecore.roster import looks
from gamecore.rules import AnyRules
from gamecore.settings import Value, choose_settings, plain_settings, read_settings
from gamecore.table import Table
from gamecore.table_events import Abandoned, GameOver

BOT = "bot:"  # how the accounts of house bots begin
NAME = "name:"  # how names are marked that anybody may have
VOID, PRIVATE, PASSWORD = "void", "private", "password"
TOO_FEW, GUEST, SAME_ACCOUNT = "too-few-seats", "guest", "same-account"
OPTIONS, UNPLAYED = "options", "unplayed"
# Why a game is not rated, all there are: the first that is so.
WHYS = (VOID, PRIVATE, PASSWORD, TOO_FEW, GUEST, SAME_ACCOUNT, OPTIONS, UNPLAYED)
_PLAYERS = "players"  # the option that is the number of seats


@frozen
class SeatResult:
    """One seat: who began the game there; ``place`` is 1 for the best, 0 where the game is void."""

    name: str
    account: str | None
    place: int
    left: bool = False


@frozen
class GameResult:
    """How one game ended; ``game`` names it for all time, ``why`` is None if it is rated."""

    game: str
    code: str
    number: int
    kind: str
    seats: tuple[SeatResult, ...]
    why: str | None
    pool: str

    @property
    def who(self) -> frozenset[str]:
        """All by whom it is found: the names, and the accounts."""
        names = {NAME + looks(each.name) for each in self.seats}
        return frozenset(names | {each.account for each in self.seats if each.account is not None})

    @property
    def hidden(self) -> bool:
        """Whether it is nobody's business but theirs: several people met where nobody else could come."""
        people = sum(each.account is None for each in self.seats)
        return people > 1 and self.why in (PRIVATE, PASSWORD)


def result_of(table: Table, events: Sequence[Event]) -> GameResult | None:
    """Make the result of the game that a command has ended at a table; None if it has ended none."""
    ends = [each for each in events if isinstance(each, GameOver | Abandoned)]
    if not ends or not table.lineup:
        return None
    over = next((each for each in ends if isinstance(each, GameOver)), None)
    places = None if over is None else over.outcome.places
    house = table.house
    hidden = PASSWORD if house.password else PRIVATE if house.private else None
    seats = seat_results(table.lineup, places)
    return GameResult(
        game=table.commitment,
        code=table.code,
        number=table.number,
        kind=table.rules.kind,
        seats=seats,
        why=why_unrated(seats, table.lineup, hidden, table.rules, table.opened.options),
        pool=table.rules.kind,
    )


def seat_results(lineup: Lineup, places: Sequence[int] | None) -> tuple[SeatResult, ...]:
    """Give each seat its place, those who left behind all others; ``places`` are None where the game is void."""
    return tuple(
        SeatResult(each.name, account_of(each.level), place, each.left)
        for each, place in zip(lineup, _ranked(lineup, places), strict=True)
    )


def account_of(level: str | None) -> str | None:
    """Name the account of who sits in a seat, if there is one."""
    return None if level is None else BOT + level


def _ranked(lineup: Lineup, places: Sequence[int] | None) -> Iterator[int]:
    if places is None:
        yield from (0 for _ in lineup)
        return
    order = [(each.left, place) for each, place in zip(lineup, places, strict=True)]
    yield from (1 + sum(other < own for other in order) for own in order)


def why_unrated(
    seats: Sequence[SeatResult],
    lineup: Lineup,
    hidden: str | None,
    rules: AnyRules,
    options: Mapping[str, Value],
) -> str | None:
    """Say why a game is not rated, by one of ``WHYS``; None if it is.  ``hidden`` is how the table is, if it is."""
    accounts = [each.account for each in seats]
    if any(each.place == 0 for each in seats):
        return VOID
    if hidden is not None:
        return hidden
    if len(seats) < 2:
        return TOO_FEW
    if None in accounts:
        return GUEST
    if len(set(accounts)) < len(accounts):
        return SAME_ACCOUNT
    if not is_usual(rules, options):
        return OPTIONS
    return None if all(each.moved for each in lineup) else UNPLAYED


def is_usual(rules: AnyRules, options: Mapping[str, Value]) -> bool:
    """Say whether a game is played by its own default options, however many play."""
    chosen = plain_settings(read_settings(rules.options, options))
    usual: dict[str, Any] = plain_settings(choose_settings(rules.options, {}))
    return {**chosen, _PLAYERS: 0} == {**usual, _PLAYERS: 0}
