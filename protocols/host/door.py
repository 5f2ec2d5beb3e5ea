"""What a game's own door is to the daemon: how it is called, where it stands, what serves it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import entry_points
from typing import Protocol

import attrs
from attrs import field, frozen

from gamecore.errors import Refused
from gamecore.rules import AnyRules
from gamecore.settings import (
    NoSettings,
    Setting,
    Value,
    choose_settings,
    plain_settings,
    read_settings,
    settings_of,
)
from gamecore.table_options import TableOptions
from protocols.host.card import Card
from protocols.host.face import Host
from protocols.host.slices import Slices, Work
from protocols.i18n.game_text import GameText
from protocols.net.link import Link
from protocols.net.link_factory import LinkFactory


@frozen
class TableDefaults:
    """What tables of one game begin with here, and how its door behaves; from one ini section."""

    options: Mapping[str, Value] = field(factory=dict)
    house: Mapping[str, Value] = field(factory=dict)
    door: attrs.AttrsInstance = field(factory=NoSettings)


class Neighbour(Protocol):
    """A door of the daemon that stands open."""

    @property
    def door(self) -> Door:
        """Which one it is."""

    @property
    def factory(self) -> DoorFactory:
        """What serves it."""

    @property
    def port(self) -> int | None:
        """The TCP port it can be reached on, if there is one."""

    @property
    def address(self) -> str:
        """The address that its TCP port is bound to; empty where it is not bound to one."""


class DoorFactory(LinkFactory):
    """Lets people in at one game's own door; ``only``, if set, is the one table they may come to."""

    locked: bool = False  # whether all who come without the code of a table must say a password

    def __init__(self, host: Host, door: Door, defaults: TableDefaults) -> None:
        super().__init__(host.clock, host.admission, turns=host.turns)
        self.cork = host.cork
        self.host = host
        self.door = door
        self.defaults = defaults
        self.only: Card | None = None
        self.neighbours: Mapping[str, Neighbour] | None = (
            None  # all doors of the daemon, if it says so
        )
        self.state_file: Callable[[str], str] | None = (
            None  # names the path of a file to keep, if the daemon keeps any
        )

    def follow(self, defaults: TableDefaults) -> None:
        """Go by other defaults and settings, in whatever begins from now on."""
        self.defaults = defaults
        if "settings" in vars(self):  # each door that has any knows their class
            vars(self)["settings"] = defaults.door

    def drain(self, linked: bool) -> None:
        """Let all know that no game begins any more; ``linked`` where they may go on at another daemon."""
        self.tell_each([partial(_tell_of_drain, each) for each in self.links])

    def tell_each(self, tells: Iterable[Callable[[], None]]) -> None:
        """Let each of many hear something, in slices; a bug of one keeps it from no other."""
        Slices(self.clock).run(self._tell_each(tells))

    def _tell_each(self, tells: Iterable[Callable[[], None]]) -> Work[None]:
        for tell in tells:
            try:
                tell()
            except Exception:
                self._log.failure("somebody could not be told")
            yield

    def load_ahead(self) -> Iterator[None]:
        """Load what whoever comes first would wait for, a piece each time that the next is asked for."""
        yield from ()

    def open_table(self, name: str, private: bool, by: str | None = None) -> Card:
        """Open a table with the defaults of this door; raises Refused as ``Host.open``."""
        house = {**self.defaults.house, "private": private}
        return self.host.open(self.door.kind, name, self.defaults.options, house, by=by)


def _tell_of_drain(link: Link) -> None:
    if link.connected and not link.closing:
        link.begins_no_more()


class Build(Protocol):
    """Make the factory that serves a door."""

    def __call__(self, host: Host, defaults: TableDefaults, /) -> DoorFactory: ...


@frozen
class Door:
    """One wire: its kind, its default endpoint, its settings and its factory.

    The kind is that of the game it serves; a door to the whole hall has a kind of its own and says its
    ``purpose``.
    """

    kind: str
    title: str
    endpoint: str
    settings: type[attrs.AttrsInstance]
    build: Build
    purpose: str = ""


@frozen
class OneGame:
    """What ``parlour start`` serves: a door, its settings, the game in words, and where to listen."""

    door: Door
    given: Mapping[str, Value]
    text: GameText
    address: str
    port: int


@cache
def installed_doors() -> Sequence[Door]:
    """Load every door that an installed package names in the entry point group ``parlour.doors``."""
    return tuple(point.load() for point in sorted(entry_points(group="parlour.doors")))


def read_defaults(
    rules: AnyRules | None, door: Door | None, given: Mapping[str, Value]
) -> TableDefaults:
    """Sort the keys of one ini section by whom they are for; raises Refused for any that is wrong.

    One that nobody knows is refused as ``no-such-setting``.

    A door to the whole hall has no rules, a game need not have a door of its own.
    """
    own = NoSettings if door is None else door.settings
    known = [each.name for each in all_settings(rules, door)]
    unknown = [key for key in given if key not in known]
    if unknown:
        raise Refused("no-such-setting", name=unknown[0], known=", ".join(known))
    if rules is None:
        return TableDefaults(door=read_settings(own, given))
    return TableDefaults(
        plain_settings(choose_settings(rules.options, _pick(rules.options, given))),
        plain_settings(choose_settings(TableOptions, _pick(TableOptions, given))),
        read_settings(own, _pick(own, given)),
    )


def all_settings(rules: AnyRules | None, door: Door | None) -> Sequence[Setting]:
    """List all that an ini section can hold."""
    of_tables = () if rules is None else (rules.options, TableOptions)
    of_door = () if door is None else (door.settings,)
    return [setting for each in (*of_tables, *of_door) for setting in settings_of(each)]


def _pick(options: type[attrs.AttrsInstance], given: Mapping[str, Value]) -> dict[str, Value]:
    names = {setting.name for setting in settings_of(options)}
    return {key: value for key, value in given.items() if key in names}
