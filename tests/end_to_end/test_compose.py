"""The sample for Docker Compose: read as Compose reads it, and each word of it held against what it is about."""

from __future__ import annotations

import re
import subprocess
from configparser import ConfigParser
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from protocols.daemon.options import Options
from tests.end_to_end.test_haproxy import SAMPLE as PROXY
from tests.end_to_end.test_haproxy import USUAL

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "etc" / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "etc" / "Dockerfile").read_text()
DAEMONS = ("a", "b")


def options(name):
    """Read the options of a daemon as the daemon does."""
    read = Options()
    read.parseOptions(SERVICES[name]["command"])
    return read


@pytest.mark.parametrize("name", DAEMONS)
def test_a_daemon_opens_each_door_to_the_proxy_at_its_usual_port(name):
    read = options(name)
    assert read.endpoints == {kind: [f"haproxy:tcp:{port}"] for kind, port in USUAL.items()}
    assert read.metrics == ["tcp:9464"] and "check port 9464 " in PROXY
    assert read.journal == SERVICES[name]["environment"]["JOURNAL"]
    assert (read.link, read.discovery) == (["tcp:4250"], None)


def test_the_proxy_publishes_each_door_and_finds_the_daemons_where_they_are():
    proxy = SERVICES["proxy"]
    published = [each.split(":") for each in proxy["ports"]]
    assert sorted(published) == sorted([port, port] for port in USUAL.values())
    addresses = {name: SERVICES[name]["networks"]["inside"]["ipv4_address"] for name in DAEMONS}
    assert dict(re.findall(r"server (\w) ([\d.]+):\d+", PROXY)) == addresses
    (net,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    within = ip_network(net["subnet"])
    given = {*addresses.values(), net["gateway"]}
    assert len(given) == 3 and all(ip_address(each) in within for each in given)
    source = proxy["volumes"][0].split(":")[0]
    assert (ROOT / "etc" / source).read_text() == PROXY


def test_the_daemons_wait_for_a_database_of_theirs_and_stay_ended_when_they_were_asked_to():
    database = SERVICES["database"]
    assert database["image"].partition(":")[2] >= "15"
    for name in DAEMONS:
        daemon = SERVICES[name]
        assert daemon["depends_on"] == ["database"]  # and each waits by itself until that is ready
        assert daemon["restart"] == "on-failure"
        user = re.fullmatch(r"postgresql://(\w+)@database/(\w+)", daemon["environment"]["JOURNAL"])
        assert user.groups() == (database["environment"]["POSTGRES_USER"],) * 2
        assert daemon["environment"]["PGPASSWORD"] == database["environment"]["POSTGRES_PASSWORD"]
        assert daemon["hostname"] == name  # by which `parlour doctor` names it
    assert {name for name, each in SERVICES.items() if "ports" in each} == {"proxy"}
    volume = database["volumes"][0].split(":")[0]
    assert list(COMPOSE["volumes"]) == [volume]


def test_the_image_is_made_of_what_is_there():
    build = SERVICES["a"]["build"]
    context = (ROOT / "etc" / build["context"]).resolve()
    assert context == ROOT and (context / build["dockerfile"]).read_text() == DOCKERFILE
    copied = [
        name for line in re.findall(r"(?m)^COPY (.*) \S+$", DOCKERFILE) for name in line.split()
    ]
    assert copied and all((ROOT / each).exists() for each in copied)
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    wanted = re.search(r"'\.\[(.*)\]'", DOCKERFILE)[1].split(",")
    assert set(wanted) <= set(setup["options.extras_require"])
    assert {"pg", "web", "metrics"} <= set(wanted)
    needed = setup["options.packages.find"]["include"].split()
    assert {each.partition("*")[0].partition(".")[0] for each in needed} <= set(copied)
    python = re.search(r"(?m)^FROM python:(\S+)-slim$", DOCKERFILE)[1]
    assert f"Python :: {python}\n" in (ROOT / "setup.cfg").read_text()


def test_what_is_said_within_a_daemon_names_its_journal():
    """The commands of the sample's head are run by a shell, with something else of the name of the command."""
    said = re.findall(r"exec a (sh -c '.*?')", (ROOT / "etc" / "compose.yaml").read_text())
    assert len(said) == 2
    environment = {**SERVICES["a"]["environment"], "BASH_FUNC_parlour%%": '() { echo "$@"; }'}
    for each in said:
        told = each.replace("sh -c", "bash -c", 1)
        ran = subprocess.run(["bash", "-c", told], env=environment, capture_output=True, text=True)
        assert ran.stdout.endswith(f"--journal {environment['JOURNAL']}\n"), ran
