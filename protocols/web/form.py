"""The form for a new game: names, hands, and how it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import fields, frozen

from gamecore.errors import Refused
from gamecore.games.rikiki.options import MOST_PLAYERS
from gamecore.settings import Value
from protocols.i18n.names import looks_like, read_name
from protocols.i18n.translate import N_
from protocols.web.visit import Visit

FEWEST = 2
LARGEST = 32_768  # characters of a list of names

REFUSALS: Mapping[str, str] = {
    "too-few-names": N_("Write down at least {least} names, one on each line."),
    "too-many-names": N_("There can be at most {most} players."),
    "bad-name": N_("{name} cannot be a name here: it has 1 to 24 letters, digits and blanks."),
    "names-alike": N_("{name} looks just like another name on the list."),
    "too-many-cards": N_(
        "There are not so many cards: with {players} players, at most {most} each."
    ),
}


@frozen
class Form:
    """What was filled in, as it was filled in."""

    names: str = ""
    title: str = ""
    first: str = ""
    more: str = "0"
    schedule: str = "down"
    hook: str = "off"
    top_trump: str = "if-left"
    scoring: str = "tricks10"
    seconds: str = "120"
    private: str = ""

    @staticmethod
    def of(visit: Visit) -> Form:
        """Read it from what a browser sent."""
        given = {each.name: visit.field(each.name)[:LARGEST] for each in fields(Form)}
        return Form(**{name: text for name, text in given.items() if text.strip()})

    def options(self, names: int) -> dict[str, Value]:
        """Make the settings of the table of it; raises Refused for too many players or cards."""
        more = self.more.strip()
        players = names + (int(more) if more.isdecimal() and len(more) < 4 else 0)
        if players > MOST_PLAYERS:
            raise Refused("too-many-names", most=MOST_PLAYERS)
        first = self.first.strip() or "0"
        most = 52 // players
        if first.isdecimal() and len(first) < 6 and int(first) > most:
            raise Refused("too-many-cards", players=players, most=most)
        return {
            "players": players,
            "first": first,
            "schedule": self.schedule,
            "hook": self.hook,
            "top_trump": self.top_trump,
            "scoring": self.scoring,
            "seconds": self.seconds.strip(),
        }

    def house(self) -> dict[str, Value]:
        """Make of it what the house asks of every table."""
        return {"private": bool(self.private)}


def read_names(text: str) -> Sequence[str]:
    """Read a list of names: one a line or, on a single line, with commas between; each only once.

    Raises Refused: ``too-few-names``, ``too-many-names``, ``bad-name``, ``names-alike``.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        lines = [each.strip() for each in lines[0].split(",") if each.strip()]
    once = {line.casefold(): line for line in reversed(lines)}
    wanted = [line for line in dict.fromkeys(line.casefold() for line in lines)]
    if len(wanted) < FEWEST:
        raise Refused("too-few-names", least=FEWEST)
    if len(wanted) > MOST_PLAYERS:
        raise Refused("too-many-names", most=MOST_PLAYERS)
    return _checked([once[each] for each in wanted])


def _checked(lines: Sequence[str]) -> Sequence[str]:
    names: dict[str, str] = {}
    for line in lines:
        try:
            name = read_name(line)
        except Refused:
            raise Refused("bad-name", name=line[:30]) from None
        if looks_like(name) in names:
            raise Refused("names-alike", name=name)
        names[looks_like(name)] = name
    return list(names.values())
