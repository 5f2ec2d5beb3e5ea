"""The options of ``twistd parlour``: one a door, and an ini file that can hold them all.

What is given on the command line wins over the ini file, and that over the defaults.  In the file, section
``[parlour]`` holds the options by their long names, and a section a game holds its table defaults::

    [parlour]
    name = the back room
    nim = tcp:9000

    [nim]
    stones = 100
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Mapping, Sequence
from configparser import ConfigParser
from configparser import Error as ConfigError
from importlib.util import find_spec
from typing import ClassVar

from attrs import frozen
from twisted.internet.endpoints import serverFromString
from twisted.python import usage

from gamecore.errors import Refused
from gamecore.rules import AnyRules, installed_rules
from gamecore.settings import read_settings
from protocols.discovery.wire import DISCOVERY_PORT
from protocols.host.door import Door, TableDefaults, installed_doors, read_defaults
from protocols.house.calling import found_at
from protocols.i18n.sanitize import clean
from protocols.journal.engines import MEMORY, is_shared
from protocols.journal.paths import default_journal
from protocols.net.admission import AdmissionSettings

OFF = "off"
EVER = "ever"
ADMISSION = "admission"  # the section that bounds what each address does
KEEP_DAYS = 90.0
NAME_LIMIT = 48
_WITH_A_PORT = ("tcp", "tcp4", "tcp6", "ssl")


@frozen
class DiscoveryPort:
    """Where the responder hears: a UDP port, on every interface or on one address."""

    port: int
    addresses: tuple[str, ...] = ()


class Options(usage.Options):
    """What a daemon is to be; read them with ``parseOptions``, then hand them to ``makeService``."""

    synopsis = "[options]"
    longdesc = (
        "Parlour: games for people and programs, each on its own TCP wire and found on the LAN. "
        "A door takes a Twisted endpoint (tcp:9000, tcp:9000:interface=127.0.0.1, unix:/run/nim, "
        "systemd:domain=INET:index=0); give its option several times for several, or 'off'."
    )
    optParameters: ClassVar[list[list[object]]] = [
        ["config", "c", None, "an ini file with any of these options and each game's defaults"],
        [
            "discovery",
            None,
            None,
            f"UDP port that answers who looks for games, or 'off' [{DISCOVERY_PORT}]",
        ],
        [
            "metrics",
            None,
            None,
            "where Prometheus finds figures, as tcp:9464:interface=127.0.0.1, or 'off' [off]",
        ],
        ["name", None, None, "what a LAN sees [the name of this host]"],
        [
            "journal",
            None,
            None,
            "the file that keeps every game, a postgresql:// URL, or 'memory' [in the user's state folder]",
        ],
        [
            "link",
            None,
            None,
            "where other daemons with the same postgresql:// journal find this one, or 'off' [off]",
        ],
        [
            "link-name",
            None,
            None,
            "how they call it there: a host, or a client's endpoint as tcp:HOST:PORT [the name of this host]",
        ],
        [
            "keep",
            None,
            None,
            f"days of running after which finished games are forgotten, or 'ever' [{KEEP_DAYS:g}]",
        ],
    ]

    def __init__(self) -> None:
        self.games: Mapping[str, AnyRules] = {rules.kind: rules for rules in installed_rules()}
        self.doors: Mapping[str, Door] = {door.kind: door for door in installed_doors()}
        self.endpoints: dict[str, list[str]] = {}
        self.defaults: dict[str, TableDefaults] = {}
        self.discovery: DiscoveryPort | None = None
        self.metrics: list[str] = []
        self.link: list[str] = []
        self.link_name: str | None = None
        self.name = ""
        self.admission = AdmissionSettings()
        self.journal: str | None = None
        self.keep_seconds: float | None = None
        self.arguments: list[str] | None = None
        super().__init__()

    def parseOptions(self, options: list[str] | None = None) -> None:
        """Read the command line and the file it names; raises UsageError, for ``reread`` as well."""
        self.arguments = options
        super().parseOptions(options)

    def reread(self) -> Options:
        """Read the same command line and its file again, as they are now."""
        again = Options()
        again.parseOptions(self.arguments)
        return again

    def fixed(self, again: Options) -> list[str]:
        """Name what is said anew in options that were read again, and holds only from the next start."""
        before, now = self._of_the_start(), again._of_the_start()
        return [name for name, value in now.items() if before.get(name) != value]

    def _of_the_start(self) -> dict[str, object]:
        ports: dict[str, object] = dict(self.endpoints)
        return {
            **ports,
            "discovery": self.discovery,
            "metrics": self.metrics,
            "link": self.link,
            "link-name": self.link_name,
            "journal": self.journal,
        }

    def knock(self, kind: str, endpoint: str) -> None:
        """Take one endpoint for the door of a game."""
        self.endpoints.setdefault(kind, []).append(endpoint)

    def postOptions(self) -> None:
        """Check everything; raises UsageError with one line for the first thing that is wrong."""
        sections = self._read_config(self["config"])
        self.admission = self._read_admission(sections.pop(ADMISSION, {}))
        self._merge(sections.pop("parlour", {}))
        for kind, door in self.doors.items():
            given = self.endpoints.get(kind) or [door.endpoint]
            self.endpoints[kind] = _check_endpoints(kind, given)
        of_sections = sorted({*self.games, *self.doors})
        for kind in of_sections:
            self.defaults[kind] = self._read_defaults(kind, sections.pop(kind, {}))
        for unknown in sections:
            known = ", ".join(["parlour", ADMISSION, *of_sections])
            raise usage.UsageError(f"{self['config']}: no section [{unknown}]; there are: {known}")
        self.discovery = _read_discovery(self["discovery"] or str(DISCOVERY_PORT))
        self.metrics = _read_metrics(self["metrics"] or OFF)
        self.name = clean(self["name"] or socket.gethostname(), NAME_LIMIT) or "parlour"
        journal = self["journal"] or default_journal()
        self.journal = None if journal == MEMORY else journal
        self.link_name = self["link-name"]
        self.link = _read_link(self["link"] or OFF, self.link_name, self.journal)
        self.keep_seconds = _read_keep(self["keep"])

    def _read_config(self, path: str | None) -> dict[str, dict[str, str]]:
        if path is None:
            return {}
        parser = ConfigParser(interpolation=None, default_section="")
        try:
            with open(path, encoding="utf-8") as file:
                parser.read_file(file)
        except (OSError, UnicodeError, ConfigError) as problem:
            why = getattr(problem, "strerror", None) or str(problem).replace("\n", " ")
            raise usage.UsageError(f"--config {path}: {why}") from None
        return {section: dict(parser.items(section)) for section in parser.sections()}

    def _merge(self, given: Mapping[str, str]) -> None:
        """Take from the file what the command line did not say."""
        for key, value in given.items():
            if key in self.doors:
                self.endpoints.setdefault(key, value.split())
            elif key in ("discovery", "metrics", "name", "journal", "keep", "link", "link-name"):
                self[key] = value if self[key] is None else self[key]
            else:
                raise usage.UsageError(f"{self['config']}: [parlour] has no option {key!r}")

    def _read_admission(self, given: Mapping[str, str]) -> AdmissionSettings:
        try:
            return read_settings(AdmissionSettings, given)
        except Refused as refusal:
            raise usage.UsageError(
                f"{self['config']}: [{ADMISSION}] {_sentence(refusal)}"
            ) from None

    def _read_defaults(self, kind: str, given: Mapping[str, str]) -> TableDefaults:
        try:
            return read_defaults(self.games.get(kind), self.doors.get(kind), given)
        except Refused as refusal:
            raise usage.UsageError(f"{self['config']}: [{kind}] {_sentence(refusal)}") from None


def _door_option(door: Door) -> Callable[[Options, str], None]:
    def opt(self: Options, endpoint: str) -> None:
        self.knock(door.kind, endpoint)

    purpose = door.purpose or f"where to play {door.title}"
    opt.__doc__ = f"{purpose}, or 'off' [{door.endpoint}]"
    return opt


for _door in installed_doors():
    setattr(Options, f"opt_{_door.kind}", _door_option(_door))


def _check_endpoints(kind: str, endpoints: Sequence[str]) -> list[str]:
    if OFF in endpoints:
        return []
    for endpoint in endpoints:
        problem = _objection_to(endpoint)
        if problem is not None:
            raise usage.UsageError(f"--{kind} {endpoint}: {problem}")
    return list(endpoints)


def _objection_to(endpoint: str) -> str | None:
    """Say what is wrong with an endpoint, as far as that can be seen before it is opened."""
    kind, _, rest = endpoint.partition(":")
    port = rest.partition(":")[0].removeprefix("port=")
    if kind in _WITH_A_PORT and not (port.isascii() and port.isdecimal() and int(port) <= 65535):
        return "a port is a number from 0 to 65535"
    try:
        serverFromString(None, endpoint)
    except (IndexError, KeyError) as problem:
        if kind == "systemd":
            return "systemd has handed us no such socket"
        return f"{problem} is missing or unknown"
    except (
        ImportError,
        NameError,
    ) as problem:  # the latter where Twisted does without a part of itself
        if kind == "ssl":
            return "this needs TLS (pip install 'parlour[tls]')"
        return f"this needs more than is installed ({problem})"
    except TypeError:
        return "that is no endpoint: too much is said, or too little"
    except (ValueError, OSError) as problem:
        no_number = re.fullmatch(r"invalid literal for int\(\) with base \d+: (.*)", str(problem))
        return f"{no_number[1]} is no number" if no_number else str(problem)
    return None


def _read_discovery(given: str) -> DiscoveryPort | None:
    """Read a port, a port with ``:interface=ADDRESS``, or ``off``."""
    if given == OFF:
        return None
    port, _, address = given.partition(":interface=")
    if not port.isdecimal() or int(port) > 65535:
        raise usage.UsageError(f"--discovery {given}: a UDP port, PORT:interface=ADDRESS, or 'off'")
    return DiscoveryPort(int(port), (address,) if address else ())


def _read_metrics(given: str) -> list[str]:
    """Read endpoints, with blanks between, or ``off``."""
    endpoints = _check_endpoints("metrics", given.split())
    if endpoints and find_spec("prometheus_client") is None:
        raise usage.UsageError(
            f"--metrics {given}: this needs prometheus_client (pip install 'parlour[metrics]')"
        )
    return endpoints


def _read_link(given: str, name: str | None, journal: str | None) -> list[str]:
    """Read one endpoint, which others can find by this name, or ``off``."""
    endpoints = _check_endpoints("link", [given])
    if not endpoints and name is not None:
        raise usage.UsageError(f"--link-name {name}: this needs --link")
    if endpoints and (journal is None or not is_shared(journal)):
        raise usage.UsageError(
            f"--link {given}: daemons are linked that share a journal, so this needs --journal postgresql://…"
        )
    if endpoints and found_at(given, None, name) is None:
        raise usage.UsageError(
            f"--link {given}: say by --link-name how others call it, as tls:HOST:PORT"
        )
    return endpoints


def _read_keep(given: str | None) -> float | None:
    """Read for how long finished games are kept, in seconds; None is for ever."""
    if given == EVER:
        return None
    try:
        days = KEEP_DAYS if given is None else float(given)
    except ValueError:
        days = -1.0
    if not 0 <= days < 1e6:
        raise usage.UsageError(f"--keep {given}: a number of days, or 'ever'")
    return days * 86_400


def _sentence(refusal: Refused) -> str:
    """Say in one line what is wrong with a setting."""
    facts = refusal.facts
    match refusal.key:
        case "no-such-setting":
            return f"has no setting {facts['name']!r}; there are: {facts['known']}"
        case "setting-out-of-bounds":
            return f"{facts['name']}: from {facts['low']} to {facts['high']}"
        case "setting-not-a-choice":
            return f"{facts['name']}: one of {facts['choices']}"
        case "setting-not-yes-or-no":
            return f"{facts['name']}: yes or no"
    return f"{facts['name']}: a number"
