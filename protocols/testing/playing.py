"""Games played by chance, by their rules alone: no table, no clock, nobody there."""

from __future__ import annotations

from random import Random

import attrs
from attrs import define, field

from gamecore.events import Event
from gamecore.fairness import Deal
from gamecore.rules import AnyRules, Position, Seat, sample
from gamecore.settings import settings_of

Viewer = int | None  # None is one who looks on
MOST_SEATS = 5


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
        most = min(rules.seats[-1], MOST_SEATS)
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
