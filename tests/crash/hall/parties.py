"""Parties: who is to meet at one table, at which game, and what the first of them does to get it going."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import attrs
from attrs import define, field

from gamecore.bots import THINKING_SECONDS, Bot, Thinker, bots_of
from gamecore.rules import AnyRules

if TYPE_CHECKING:
    from tests.crash.hall.people import Person, Standing

GRACE = 3
_MOST = 5  # who play at one table
_SHORT = {"rikiki": {"first": 3}}  # cards in the first of its rounds, which are as many


@define(eq=False)
class Party:
    """People and bots who meet at a table of one game, and what they have agreed on."""

    kind: str
    least: int  # players of the game
    people: int
    bots: int
    level: str  # of the bots
    games: int  # how many they want to play
    options: dict[str, Any]
    house: dict[str, Any]
    members: list[Person] = field(factory=list, repr=False)
    code: str | None = None
    awake: bool = False  # somebody is at the table, of this process of the daemon

    @property
    def waits(self) -> bool:
        """Whether the table waits without end for one who is lost."""
        return bool(self.house["absent"] == "wait")

    @property
    def players(self) -> list[Person]:
        """Those who do not only look on."""
        return [each for each in self.members if not each.watches]

    @property
    def leader(self) -> Person | None:
        """The first of those who sit there."""
        return next((each for each in self.players if each.seated), None)

    @property
    def is_hopeless(self) -> bool:
        """Whether nobody can come any more: the first has gone, and nobody sits there."""
        return self.leader is None and any(each.gone for each in self.players if each.opens)

    def is_over(self, stage: str, number: int) -> bool:
        """Whether they have played as much as they wanted to, or nobody is left who plays."""
        if stage == "abandoned" or all(each.gone for each in self.players):
            return True
        return stage == "over" and number >= self.games

    def knows_gone(self, name: str) -> bool:
        """Whether somebody of that name will not come back."""
        return any(each.gone for each in self.players if each.name == name)

    def next_step(self, standing: Standing) -> str | None:
        """Say what the leader asks for to get the next game going."""
        if standing.stage == "over":
            return "rematch"
        expected = [each for each in self.players if not each.gone]
        if not {each.name for each in expected} <= set(standing.names.values()):
            return None
        if len(standing.bots) < self.bots or len(standing.names) < self.least:
            return "bot"
        return "start"


def plan_party(rules: AnyRules, chance: Random, short: bool = False) -> Party:
    """Draw what a party plays, and by which settings of the house.

    A game is ``short`` that has few rounds, and no bots that wait before each move or think long.
    """
    least, most = rules.seats[0], min(rules.seats[-1], _MOST)
    sizes = [size for size in range(least, most + 1) for _ in range(most + 1 - size)]
    size = chance.choice(sizes)
    bots = chance.randrange(size) if chance.random() < 0.4 else 0
    has_players = "players" in {each.name for each in attrs.fields(rules.options)}
    full = has_players or rules.seats[-1] == size
    levels = {
        level: bot for level, bot in bots_of(rules.kind).items() if not short or _is_prompt(bot)
    }
    house = {
        "start": "full" if full and chance.random() < 0.5 else "asked",
        "absent": chance.choice(("forfeit", "bot", "wait")),
        "rematch": chance.choice(("rotate", "shuffle")),
        "private": chance.random() < 0.2,
        "grace": GRACE,
    }
    level = "random" if chance.random() < 0.8 else chance.choice(list(levels))
    if short and isinstance(levels[level], Thinker):
        bots = min(bots, 1)  # who have one processor
    options: dict[str, Any] = {"players": size} if has_players else {}
    return Party(
        kind=rules.kind,
        least=least,
        people=size - bots,
        bots=bots,
        level=level,
        games=chance.choice((1, 1, 2)),
        options=options | (_SHORT.get(rules.kind, {}) if short else {}),
        house=house,
    )


def _is_prompt(bot: Bot) -> bool:
    """Say whether a bot moves at once, or after no more than a short thought."""
    if isinstance(bot, Thinker):
        return bot.seconds == min(THINKING_SECONDS.values()) and _is_prompt(bot.bot)
    return type(bot).hesitate is Bot.hesitate
