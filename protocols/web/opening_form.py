"""The form for a new table: made of the settings of its game and of every table, read from what was filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from gamecore.errors import Refused
from gamecore.rules import AnyRules
from gamecore.settings import Setting, Value, choose_settings, settings_of
from gamecore.table_options import TableOptions
from protocols.i18n.translate import Translator
from protocols.web.name_list import LARGEST, read_names
from protocols.web.visit import Visit

_FIRST_SHOWN = 4  # of a game's settings; those that its author put first
_PLAYERS = "players"
_HIDDEN = ("password", "start")  # the pages set no password, and begin when asked
_LONGEST = 40  # characters of a setting, or of a title
HOUSE: Mapping[str, Value] = {"start": "asked", "absent": "wait", "expiry": 86_400.0}
"""What a table of the pages has where nothing else is filled in: its people come and go by links."""


@frozen
class FormField:
    """One setting as the form shows it; ``value`` is what was filled in, or is proposed."""

    name: str
    label: str
    value: str
    choices: Mapping[str, str]  # each, and how it reads
    kind: str  # "choice", "check", "number" or "text"
    low: float | None
    high: float | None


class OpeningForm:
    """What was filled in for a new table of one game; raises nothing before it is read."""

    def __init__(
        self, rules: AnyRules, usual: Mapping[str, Value], visit: Visit, called: str = ""
    ) -> None:
        """Propose what is ``usual`` in this house for a game's settings, and a name that one is ``called``."""
        self._rules = rules
        self._usual = usual
        self._visit = visit
        self._sent = visit.request.method == b"POST"
        self.name = visit.field("name")[:_LONGEST] if self._sent else called
        self.title = visit.field("title")[:_LONGEST]
        self.names = visit.field("names")[:LARGEST]

    # -- to be shown ------------------------------------------------------------------

    def first(self, say: Translator) -> Sequence[FormField]:
        """List the settings that matter first."""
        return list(self._fields(say))[:_FIRST_SHOWN]

    def more(self, say: Translator) -> Sequence[FormField]:
        """List all others, those of the house last."""
        house = [each for each in settings_of(TableOptions) if each.name not in _HIDDEN]
        return [
            *list(self._fields(say))[_FIRST_SHOWN:],
            *(
                self._field(each, "house", HOUSE.get(each.name, each.default), say)
                for each in house
            ),
        ]

    def _fields(self, say: Translator) -> Iterator[FormField]:
        for each in settings_of(self._rules.options):
            yield self._field(each, "game", self._usual.get(each.name, each.default), say)

    def _field(self, setting: Setting, group: str, proposed: Value, say: Translator) -> FormField:
        name, default = f"{group}.{setting.name}", setting.default
        kind = "number"
        if setting.bounds.choices:
            kind = "choice"
        elif isinstance(default, bool):
            kind = "check"
        elif isinstance(default, str):
            kind = "text"
        value = self._filled(name, isinstance(default, bool)) if self._sent else _written(proposed)
        label = say(setting.bounds.help)
        bounds = setting.bounds
        choices = {each: say(bounds.said.get(each, each)) for each in bounds.choices}
        return FormField(
            name, label[:1].upper() + label[1:], value, choices, kind, bounds.low, bounds.high
        )

    def _filled(self, name: str, ticked: bool) -> str:
        given = self._visit.field(name)[:_LONGEST].strip()
        return given or ("no" if ticked else "")

    # -- to be read -------------------------------------------------------------------

    @property
    def invites(self) -> Sequence[str]:
        """Read who is invited by name; raises Refused ``too-many-names``, and as ``read_names`` does."""
        if len(self._visit.field("names")) > LARGEST:
            raise Refused("too-many-names", most=self._rules.seats[-1])
        return read_names(self.names, self._rules.seats) if self.names.strip() else ()

    def options(self) -> dict[str, Value]:
        """Make the game's options of it: at least as many seats as are invited; raises Refused."""
        given = self._given("game", settings_of(self._rules.options))
        if _PLAYERS in {each.name for each in settings_of(self._rules.options)}:
            wanted = str(given.get(_PLAYERS, ""))
            if not wanted.isdecimal() or int(wanted[:4]) < len(self.invites):
                given[_PLAYERS] = len(self.invites) or self._usual.get(_PLAYERS, 2)
        choose_settings(self._rules.options, {**self._usual, **given})
        return given

    def house(self) -> dict[str, Value]:
        """Make of it what the house asks of every table; raises Refused."""
        asked = [each for each in settings_of(TableOptions) if each.name not in _HIDDEN]
        given = {**HOUSE, **self._given("house", asked)}
        choose_settings(TableOptions, given)
        return given

    def _given(
        self, group: str, settings: Iterator[Setting] | Sequence[Setting]
    ) -> dict[str, Value]:
        """Take what was filled in; what was left empty is as it is proposed."""
        given: dict[str, Value] = {}
        for each in settings:
            value = self._filled(f"{group}.{each.name}", isinstance(each.default, bool))
            if value:
                given[each.name] = value
        return given

    def label_of(self, name: str, say: Translator) -> str:
        """Say what a setting is called on the form."""
        for each in (*settings_of(self._rules.options), *settings_of(TableOptions)):
            if each.name == name:
                return f'"{say(each.bounds.help)}"'
        return name


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
