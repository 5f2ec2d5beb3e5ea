"""What is to be played: the file of ``parlour tournament run``, read and checked.

An ini file: ``[tournament]`` has the game, the format and the options of the game, ``[bot NAME]`` one entrant each,
``[limits]`` what they may use, ``[door]`` the settings of the game's own door (``pad`` for original clients, say).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from configparser import ConfigParser, Error
from importlib.metadata import entry_points
from pathlib import Path

import attrs

from gamecore.bots import Bot, Thinker, find_bot
from gamecore.contest import find_format
from gamecore.errors import Refused
from gamecore.rules import AnyRules, Registry
from gamecore.settings import (
    NoSettings,
    choose_settings,
    plain_settings,
    read_settings,
    settings_of,
)
from protocols.host.door import Door, installed_doors
from protocols.i18n.refusals import explain
from protocols.i18n.translate import ENGLISH
from protocols.tournament.plan import Entrant, Limits, Plan, TournamentSettings

MOST_PLAYOUTS = 1_000_000  # for one move
_BOT = "bot "


class WrongPlan(ValueError):
    """The file says something that cannot be; the text is fit to be shown."""


def read_plan(path: Path, registry: Registry) -> Plan:
    """Read the file; raises WrongPlan, OSError."""
    parser = ConfigParser(interpolation=None, inline_comment_prefixes=(";",))
    try:
        parser.read_string(path.read_text(encoding="utf-8"), str(path))
        return _Reader(parser, path.resolve().parent, registry).plan()
    except Refused as refusal:
        raise WrongPlan(explain(refusal, None, ENGLISH)) from refusal
    except (Error, UnicodeDecodeError) as problem:
        raise WrongPlan(str(problem)) from problem


class _Reader:
    def __init__(self, parser: ConfigParser, folder: Path, registry: Registry) -> None:
        self._parser = parser
        self._folder = folder
        self._registry = registry

    def plan(self) -> Plan:
        if not self._parser.has_section("tournament"):
            raise WrongPlan("there is no section [tournament]")
        given = dict(self._parser["tournament"])
        rules = self._registry.latest(given.get("game", ""))
        own = {each.name for each in settings_of(TournamentSettings)}
        settings = read_settings(
            TournamentSettings, {key: value for key, value in given.items() if key in own}
        )
        options = {key: value for key, value in given.items() if key not in own}
        settings = attrs.evolve(settings, seats=_seats(rules, settings, options))
        if "players" in {each.name for each in settings_of(rules.options)}:
            options["players"] = str(settings.seats)
        limits = read_settings(Limits, self._section("limits"))
        _check(settings, limits)
        return Plan(
            rules,
            settings,
            plain_settings(choose_settings(rules.options, options)),
            tuple(self._entrants(rules)),
            limits,
            self._folder,
            self._door(rules),
        )

    def _section(self, name: str) -> Mapping[str, str]:
        return dict(self._parser[name]) if self._parser.has_section(name) else {}

    def _door(self, rules: AnyRules) -> attrs.AttrsInstance:
        door = own_door(rules.kind)
        kind = NoSettings if door is None else door.settings
        return read_settings(kind, self._section("door"))

    def _entrants(self, rules: AnyRules) -> Sequence[Entrant]:
        known = ("tournament", "limits", "door")
        found = []
        for section in self._parser.sections():
            if section.startswith(_BOT):
                found.append(_entrant(section[len(_BOT) :].strip(), self._section(section), rules))
            elif section not in known:
                raise WrongPlan(f"[{section}] is none of: {', '.join(known)}, bot NAME")
        if len(found) < 2:
            raise WrongPlan("at least two sections [bot NAME] are needed")
        return found


def _seats(rules: AnyRules, settings: TournamentSettings, options: Mapping[str, str]) -> int:
    seats = settings.seats or int(options.get("players", rules.seats[0]))
    if seats not in rules.seats:
        raise WrongPlan(f"{rules.kind} is for {rules.seats[0]} to {rules.seats[-1]} seats")
    return seats


def _check(settings: TournamentSettings, limits: Limits) -> None:
    find_format(settings.format)
    if settings.games % settings.seats:
        raise WrongPlan(
            f"games = {settings.games} is no multiple of the {settings.seats} seats, so not all would sit in each"
        )
    try:
        positive = limits.memory_bytes > 0
    except ValueError:
        positive = False
    if not positive:
        raise WrongPlan(f"memory = {limits.memory} is no size such as 512M")


def _entrant(name: str, given: Mapping[str, str], rules: AnyRules) -> Entrant:
    level, run = given.get("level"), given.get("run", "")
    if (level is None) == (not run):
        raise WrongPlan(f"[bot {name}] needs one of: run, level")
    unknown = set(given) - ({"run", "speaks"} if level is None else {"level", "playouts"})
    if not name or unknown:
        raise WrongPlan(
            f"[bot {name}] has run and speaks, or level and playouts; not {', '.join(sorted(unknown))}"
        )
    if level is not None:
        return Entrant(name, level, playouts=_playouts(name, given, find_bot(rules.kind, level)))
    speaks = given.get("speaks", "json")
    if speaks not in wires(rules.kind):
        raise WrongPlan(f"[bot {name}] speaks one of: {', '.join(wires(rules.kind))}")
    return Entrant(name, None, run, speaks)


def _playouts(name: str, given: Mapping[str, str], bot: Bot) -> int | None:
    if "playouts" not in given:
        return None
    if not isinstance(bot, Thinker):
        raise WrongPlan(f"[bot {name}]: only a level that thinks ahead has playouts")
    try:
        playouts = int(given["playouts"])
    except ValueError:
        playouts = 0
    if not 0 < playouts <= MOST_PLAYOUTS:
        raise WrongPlan(f"[bot {name}]: playouts is a number from 1 to {MOST_PLAYOUTS}")
    return playouts


# -- what programs may speak ----------------------------------------------------------


def own_door(kind: str) -> Door | None:
    """Find the door that a game has of its own, if it has one."""
    return next((each for each in installed_doors() if each.kind == kind), None)


def pipes() -> Mapping[str, Door]:
    """Load what can be spoken by standard input and output: doors in the group ``parlour.programs``, by name."""
    return {each.name: each.load() for each in sorted(entry_points(group="parlour.programs"))}


def wires(kind: str) -> Sequence[str]:
    """Name what a program may speak to play a game: its own wire over TCP, or lines by its pipes."""
    spoken = [name for name, door in pipes().items() if door.kind in (name, kind)]
    return spoken if own_door(kind) is None else [*spoken, kind]
