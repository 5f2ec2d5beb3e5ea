"""The names of those who are invited, as an organizer writes them down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamecore.errors import Refused
from protocols.i18n.look_alikes import alike
from protocols.i18n.names import read_name
from protocols.i18n.translate import N_

LARGEST = 32_768  # characters of a list of names

REFUSALS: Mapping[str, str] = {
    "too-few-names": N_("Write down at least {least} names, one on each line."),
    "too-many-names": N_("There can be at most {most} players."),
    "bad-name": N_("{name} cannot be a name here: it has 1 to 24 letters, digits and blanks."),
    "names-alike": N_("{name} looks just like another name on the list."),
}


def read_names(text: str, seats: range) -> Sequence[str]:
    """Read a list of names: one a line or, on a single line, with commas between; each only once.

    ``seats`` says how many there can be. Raises Refused: ``too-few-names``, ``too-many-names``, ``bad-name``,
    ``names-alike``.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        lines = [each.strip() for each in lines[0].split(",") if each.strip()]
    once = {line.casefold(): line for line in reversed(lines)}
    wanted = [line for line in dict.fromkeys(line.casefold() for line in lines)]
    if len(wanted) < seats[0]:
        raise Refused("too-few-names", least=seats[0])
    if len(wanted) > seats[-1]:
        raise Refused("too-many-names", most=seats[-1])
    return _checked([once[each] for each in wanted])


def _checked(lines: Sequence[str]) -> Sequence[str]:
    names: list[str] = []
    for line in lines:
        try:
            name = read_name(line)
        except Refused:
            raise Refused("bad-name", name=line[:30]) from None
        if alike(name, names):
            raise Refused("names-alike", name=name)
        names.append(name)
    return names
