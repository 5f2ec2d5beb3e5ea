"""The options of the daemon, from the command line and from a file."""

from __future__ import annotations

import re

import pytest
from twisted.python import usage

from gamecore.rules import installed_rules
from gamecore.settings import settings_of
from gamecore.table_options import TableOptions
from protocols.daemon import options as daemon_options
from protocols.daemon.options import DiscoveryPort, Options
from protocols.host.door import all_settings, installed_doors
from protocols.nim.face import NimDoorSettings


def read(*arguments: str) -> Options:
    options = Options()
    options.parseOptions(list(arguments))
    return options


@pytest.fixture
def ini(tmp_path):
    path = tmp_path / "parlour.ini"

    def write(text: str) -> str:
        path.write_text(text)
        return str(path)

    return write


def test_all_doors_stand_open_by_default():
    options = read()
    assert options.endpoints == {door.kind: [door.endpoint] for door in installed_doors()}
    assert options.discovery == DiscoveryPort(3980)
    assert options.name


def test_a_door_takes_several_endpoints_or_none():
    assert read("--nim", "tcp:1", "--nim", "tcp:2").endpoints["nim"] == ["tcp:1", "tcp:2"]
    assert read("--nim", "off").endpoints["nim"] == []


def test_discovery_takes_a_port_an_address_or_nothing():
    assert read("--discovery", "4000").discovery == DiscoveryPort(4000)
    assert read("--discovery", "4000:interface=127.0.0.1").discovery == DiscoveryPort(
        4000, ("127.0.0.1",)
    )
    assert read("--discovery", "off").discovery is None


SHARED = ("--journal", "postgresql:///parlour")


def test_daemons_are_linked_that_share_a_journal_and_are_found_somewhere(ini):
    assert read().link == []
    options = read(*SHARED, "--link", "tcp:4250", "--link-name", "a.example")
    assert (options.link, options.link_name) == (["tcp:4250"], "a.example")
    assert read("--config", ini("[parlour]\nlink = tcp:4250\n"), *SHARED).link == ["tcp:4250"]
    assert read(*SHARED, "--link", "off").link == []
    changed = read(*SHARED).fixed(options)
    assert "link" in changed and "link-name" in changed


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (("--link", "tcp:4250"), "--link tcp:4250: daemons are linked that share a journal"),
        (("--link", "tcp:4250", "--journal", "memory"), "needs --journal postgresql://"),
        ((*SHARED, "--link", "tcp:door"), "--link tcp:door: a port is a number"),
        ((*SHARED, "--link", "nothing:4250"), "--link nothing:4250"),
        ((*SHARED, "--link", "tcp6:4250"), "say by --link-name how others call it"),
        ((*SHARED, "--link-name", "a.example"), "--link-name a.example: this needs --link"),
    ],
)
def test_what_cannot_be_linked_is_told_with_its_option_in_one_line(said, why):
    with pytest.raises(usage.UsageError) as told:
        read(*said)
    assert why in str(told.value) and "\n" not in str(told.value)


def test_the_file_gives_options_and_what_tables_begin_with(ini):
    path = ini(
        "[parlour]\nname = attic\nnim = tcp:1 tcp:2\ndiscovery = off\n"
        "[nim]\nstones = 7\nabsent = bot\npad = yes\n"
    )
    options = read("--config", path)
    assert options.name == "attic"
    assert options.endpoints["nim"] == ["tcp:1", "tcp:2"]
    assert options.discovery is None
    defaults = options.defaults["nim"]
    assert defaults.options["stones"] == 7
    assert defaults.house["absent"] == "bot"
    assert defaults.door == NimDoorSettings(gap=0.05, pad=True)


def test_the_command_line_wins_over_the_file(ini):
    path = ini("[parlour]\nname = attic\nnim = tcp:1\ndiscovery = 5\n")
    options = read("--config", path, "--name", "cellar", "--nim", "tcp:3", "--discovery", "6")
    assert options.name == "cellar"
    assert options.endpoints["nim"] == ["tcp:3"]
    assert options.discovery == DiscoveryPort(6)


def test_the_sample_file_is_what_the_defaults_are(pytestconfig):
    sample = read("--config", str(pytestconfig.rootpath / "etc" / "parlour.ini"))
    plain = read()
    assert sample.endpoints == plain.endpoints
    assert sample.defaults == plain.defaults
    assert sample.discovery == plain.discovery


@pytest.mark.parametrize(
    "text",
    [
        "[nim]\nstones = many\n",
        "[nim]\nstones = 1.5\n",
        "[nim]\nstones = nan\n",
        "[nim]\nlag = nan\n",
        "[nim]\npad = perhaps\n",
        "[nim]\nabsent = dance\n",
        "[nim]\nstones = 1\nstones = 2\n",
        "[DEFAULT]\nstones = 1\n",
        "[parlour]\nnim = tcp:x\n",
        "stones = 1\n",
        "[nim\n",
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(ini, text):
    with pytest.raises(usage.UsageError) as refused:
        read("--config", ini(text))
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("kind", [door.kind for door in installed_doors()])
@pytest.mark.parametrize(
    "endpoint",
    [
        *(
            "tcp:99999",
            "tcp:-1",
            "tcp:",
            "tcp",
            "tcp:x",
            "tcp6:65536",
            "ssl:port=70000",
            "tcp:1:2:3:4",
        ),
        *("foo:1", "", "systemd:domain=INET6:index=0", "tcp:1:backlog=x", "unix:/a:mode=x", "unix"),
        *("systemd:domain=INET:index=x", "systemd:", "systemd:domain=FOO:index=0"),
    ],
)
def test_an_endpoint_that_is_none_is_told_with_its_option_in_one_line(kind, endpoint):
    with pytest.raises(usage.UsageError) as refused:
        read(f"--{kind}", endpoint)
    said = str(refused.value)
    assert said.startswith(f"--{kind} {endpoint}: ") and len(said.splitlines()) == 1
    for words in ("index out of range", "positional argument", "invalid literal"):
        assert words not in said


def test_what_needs_more_than_is_installed_is_no_traceback(monkeypatch):
    for problem in (ImportError("no module named it"), NameError("name 'it' is not defined")):

        def parse(*_, problem=problem):
            raise problem

        monkeypatch.setattr(daemon_options, "serverFromString", parse)
        with pytest.raises(usage.UsageError, match="needs more than is installed"):
            read("--nim", "tls:9")
        with pytest.raises(usage.UsageError, match=r"pip install 'parlour\[tls\]'"):
            read("--castle", "ssl:9")


def test_the_same_is_read_again_from_a_file_that_has_changed(ini):
    path = ini("[nim]\nstones = 7\n")
    options = read("--config", path, "--name", "cellar")
    ini("[nim]\nstones = 8\n")
    again = options.reread()
    assert (options.defaults["nim"].options["stones"], again.name) == (7, "cellar")
    assert again.defaults["nim"].options["stones"] == 8


def test_a_name_is_clean_of_control_codes():
    assert read("--name", "a\x1b[2Jb\u202e").name == "a[2Jb"


def test_the_sample_file_shows_every_setting(pytestconfig):
    """One that is no default stands behind a "#"; those of every table stand with the first game."""
    text = (pytestconfig.rootpath / "etc" / "parlour.ini").read_text()
    shown = {}
    for line in text.splitlines():
        if line.startswith("["):
            names = shown.setdefault(line.strip("[]"), set())
        elif found := re.match(r"#?(\w+) = ", line):
            names.add(found[1])
    doors = {door.kind: door for door in installed_doors()}
    rules = {each.kind: each for each in installed_rules()}
    for kind in {*doors, *rules}:
        settings = {each.name for each in all_settings(rules.get(kind), doors.get(kind))}
        of_all = {each.name for each in settings_of(TableOptions)}
        wanted = settings if kind in ("nim", *set(doors) - set(rules)) else settings - of_all
        assert shown.get(kind, set()) == wanted - {"private", "password"}, kind
