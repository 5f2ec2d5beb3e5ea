"""The card of a table: what anybody may ask of it at once, whether it is awake or rests in the journal."""

from __future__ import annotations

import json
from collections.abc import Mapping

import attrs
from attrs import field, frozen

from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.settings import Value
from gamecore.table import Table

_HIDDEN = ("code", "kind", "lock")  # what the journal has beside a card, or is to have nowhere


@frozen
class Card:
    """One live table as the house lists it.

    ``names`` are by seat, ``free`` the seats that nobody has or was invited to, ``here`` counts the people who
    are on the line. ``lock`` is what the table's password was sealed to, for a table that is awake; ``draining``
    is whether the daemon where it is awake begins no game any more.
    """

    code: str
    kind: str
    stage: Stage
    rules: int
    name: str
    names: tuple[str, ...]
    players: int
    most_players: int
    free: tuple[int, ...]
    here: int
    private: bool
    locked: bool
    watchers: bool
    start: str
    options: Mapping[str, Value] = field(hash=False)
    lock: str = field(default="", repr=False)
    draining: bool = False

    @property
    def joinable(self) -> bool:
        """Whether somebody could still take a seat, be it one that is kept for them."""
        gathers = self.stage is Stage.GATHERING and self.players < self.most_players
        return gathers and not self.draining

    def awaits(self, seat: int | None) -> bool:
        """Say whether newcomers are to meet here: it begins by itself, has this seat or any, and somebody waits."""
        gathers = self.joinable and self.here > 0 and self.start == "full" and not self.private
        return gathers and bool(self.free if seat is None else seat in self.free)

    @property
    def plays(self) -> str:
        """What is played here, in full: tables of one kind where this is equal are alike."""
        return plays(self.options)


def plays(options: Mapping[str, Value]) -> str:
    """Write down all options of a game, so that equal ones are found."""
    return json.dumps(options, sort_keys=True, separators=(",", ":"))


def card_of(table: Table, draining: bool = False) -> Card:
    """Draw the card of a table, whose daemon may be draining; at one that sleeps nobody is present."""
    house = table.house
    here = (table.presence(seat) for seat, core in table.seated().items() if core.level is None)
    return Card(
        code=table.code,
        kind=table.rules.kind,
        stage=table.stage,
        rules=table.rules.version,
        name=table.name,
        names=table.names,
        players=table.players,
        most_players=table.most_players,
        free=tuple(table.free_seats()),
        here=0 if table.asleep else sum(each is Presence.HERE for each in here),
        private=house.private,
        locked=bool(house.password),
        watchers=house.watchers,
        start=house.start,
        options=table.opened.options,
        lock=house.password,
        draining=draining,
    )


def write_card(card: Card) -> str:
    """Write down what the journal's index is to know of a table; no word of a password is in it."""
    facts = {key: value for key, value in attrs.asdict(card).items() if key not in _HIDDEN}
    facts["stage"] = (
        card.stage.value
    )  # of a table that is awake elsewhere, whatever it would be at rest
    return json.dumps(facts, separators=(",", ":"))


def read_card(
    code: str, kind: str, stage: str | None, written: str, present: bool = False
) -> Card | None:
    """Read the card of a table that is not awake here; None if there is none that is of today.

    ``present`` says that those may be met who were present there. ``stage`` is that of the index; without it, it is
    the card's own, which one of an older Parlour does not say.
    """
    try:
        facts = json.loads(written)
        facts |= {"names": tuple(facts["names"]), "free": tuple(facts["free"])}
        facts["here"] = facts["here"] if present else 0
        own = facts.pop("stage", None)
        return Card(code=code, kind=kind, stage=Stage(own if stage is None else stage), **facts)
    except (KeyError, TypeError, ValueError):
        return None
