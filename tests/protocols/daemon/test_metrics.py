"""The port for whoever watches over a daemon: figures that tell of nobody, and whether it can be played at."""

from __future__ import annotations

import re
import sys

import pytest
from twisted.internet.testing import MemoryReactorClock
from twisted.python import usage

from gamecore.commands import Command
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.rules import installed_rules
from protocols.daemon.service import Options, makeService
from protocols.host.door import installed_doors
from protocols.net.admission import AdmissionSettings
from protocols.testing import Peer
from tests.doors import shut
from tests.patience import SECONDS
from tests.processes import run

parser = pytest.importorskip("prometheus_client.parser")

WHERE = "tcp:9464:interface=127.0.0.1"
GAMES = {rules.kind for rules in installed_rules()}
DOORS = {door.kind for door in installed_doors()}
STAGES = {stage.value for stage in Stage}


class House:
    """A daemon on a reactor in memory, with its JSON door and its figures."""

    def __init__(self, *arguments: str) -> None:
        self.reactor = MemoryReactorClock()
        options = Options()
        options.parseOptions(
            ["--discovery", "off", "--journal", "memory", *shut("json"), "--metrics", *arguments]
        )
        self.parlour = makeService(options, self.reactor)

    def start(self):
        self.parlour.startService()
        return self

    def rest(self) -> None:
        for _ in range(20):
            self.reactor.advance(0.01)

    def connect(self, port: int) -> Talker:
        (factory,) = [each for at, each, _, _ in self.reactor.tcpServers if at == port]
        factory.doStart()
        return Talker(factory, self)

    def page(self, path: str) -> tuple[int, str]:
        """Fetch a page: its status, and what it says."""
        peer = self.connect(9464)
        head, _, body = peer.ask(f"GET {path} HTTP/1.0\r\n\r\n").partition("\r\n\r\n")
        return int(head.split()[1]), body

    def figures(self) -> dict[tuple[str, ...], float]:
        """Fetch all figures, by their names and labels."""
        status, text = self.page("/metrics")
        assert status == 200
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in parser.text_string_to_metric_families(text)
            for sample in family.samples
        }


class Talker(Peer):
    """Who waits for an answer to each thing that is said."""

    def __init__(self, factory, house: House) -> None:
        super().__init__(house.reactor, factory, None)
        self._rest = house.rest

    def ask(self, text: str) -> str:
        """Say something; gives all that comes of it."""
        self.say(text.encode())
        self._rest()
        return self.forget().decode()


def play_a_game(house: House) -> set[str]:
    """Play at two tables, with as many names and secrets as there can be; gives all that nobody is to hear of."""
    ann, bob = house.connect(4243), house.connect(4243)
    ann.ask('{"do":"hello","id":1,"name":"Agatha"}\n')
    bob.ask('{"do":"hello","id":1,"name":"Bertram"}\n')
    opened = ann.ask(
        '{"do":"open","id":2,"game":"nim","name":"Cellarage","house":{"password":"Dromedary"}}\n'
    )
    code = re.search(r'"table":"(\w+)"', opened)[1]
    token = re.search(
        r'"token":"([\w.]+)"', ann.ask('{"do":"join","id":3,"password":"Dromedary"}\n')
    )[1]
    bob.ask(f'{{"do":"join","id":2,"table":"{code}","password":"Elephant"}}\n')
    bob.ask(f'{{"do":"join","id":3,"table":"{code}","password":"Dromedary"}}\n')
    ann.ask('{"do":"play","id":4,"move":{"is":"Take","stones":1}}\n')
    bob.ask('{"do":"play","id":4,"move":{"is":"Take","stones":2}}\n')
    bob.ask('{"do":"play","id":5,"move":{"is":"Bid","card":2}}\n')
    bob.ask('{"do":"mix","id":6,"words":"Flamingo"}\n')
    ann.ask('{"do":"play","id":5,"move":{"is":"Take","stones":99}}\n')
    ann.ask('{"do":"leave","id":6}\n{"do":"open","id":6,"game":"gops"}\n{"do":"join","id":7}\n')
    ann.ask('{"do":"bot","id":8}\n{"do":"start","id":9}\n')
    secret, names = token.partition(".")[2], ("Agatha", "Bertram", "Cellarage", "Dromedary")
    return {code, secret, *names, "Elephant", "Flamingo"}


@pytest.fixture
def house() -> House:
    house = House(WHERE).start()
    house.rest()
    return house


def test_nothing_is_counted_unless_it_is_asked_for():
    house = House("off").start()
    assert house.parlour.metrics is None
    assert 9464 not in [port for port, _, _, _ in house.reactor.tcpServers]
    code = (
        "import sys; from protocols.daemon.service import Options, makeService;"
        "options = Options(); options.parseOptions(['--journal', 'memory']);"
        "makeService(options); assert not [each for each in sys.modules if 'prometheus' in each]"
    )
    run([sys.executable, "-c", code], check=True, timeout=SECONDS)


def test_what_happens_is_counted(house):
    play_a_game(house)
    found = house.figures()
    assert found["parlour_people",] == 2
    assert found["parlour_links", "json"] == 2
    assert found["parlour_moves_total", "nim"] == 3
    assert found["parlour_games_total", "nim"] == 1
    assert found["parlour_commands_total", "Sit"] >= 3
    assert found["parlour_tables", "nim", "over"] == 1
    assert found["parlour_tables", "gops", "playing"] == 1
    assert found["parlour_tables_awake", "gops"] == found["parlour_bots", "gops"] == 1
    assert found["parlour_refused_total", "wrong-password"] == 1
    assert found["parlour_queue_records",] == found["parlour_paused",] == 0
    assert 1 <= found["parlour_commit_seconds_count",] <= found["parlour_records_total",]
    assert found["parlour_reactor_delay_seconds_count",] > 0


def test_no_figure_says_anything_of_anybody(house):
    secrets = play_a_game(house)
    text = house.page("/metrics")[1].lower()
    assert not [each for each in secrets if each.lower() in text]
    allowed = {
        "game": GAMES,
        "stage": STAGES,
        "door": DOORS,
        "command": {each.__name__ for each in Command.__args__},
        "le": None,
        "why": None,
    }
    for family in parser.text_string_to_metric_families(house.page("/metrics")[1]):
        for sample in family.samples:
            assert sample.labels.keys() <= allowed.keys()
            for name, value in sample.labels.items():
                assert allowed[name] is None or value in allowed[name]
                assert name != "why" or re.fullmatch("[a-z-]+", value)


def test_why_something_was_refused_is_a_key_of_which_there_are_not_too_many(house):
    refused = house.parlour.host.service.outbox.on_refused
    for key in ("Agatha", "agatha's secret", "x" * 50, ""):
        refused(Refused(key))
    assert house.figures()["parlour_refused_total", "other"] == 4
    for number in range(5000):
        refused(Refused("key-" + "".join(chr(97 + int(digit)) for digit in str(number))))
    assert len([each for each in house.figures() if each[0] == "parlour_refused_total"]) <= 201


def test_what_admission_and_doors_refuse_is_counted_once_and_by_why(house):
    host, by = house.parlour.host, "192.0.2.1"
    host.admission.follow(AdmissionSettings(tables_at_once=1, tables_waiting=5, links=1))
    host.open("nim", "", {}, {}, by=by)
    refusals = [
        lambda: host.open("nim", "", {}, {}, by=by),
        lambda: host.open("nim", "", {"stones": -1}, {}, by=by),
        lambda: host.admission.spend(by, "open"),
    ]
    for refused in refusals:
        with pytest.raises(Refused):
            refused()
    assert host.admission.enter(by) and not host.admission.enter(by)
    found = house.figures()
    assert found["parlour_refused_total", "too-many-tables"] == 2
    assert found["parlour_refused_total", "setting-out-of-bounds"] == 1
    assert found["parlour_refused_total", "too-many-connections"] == 1
    assert by not in house.page("/metrics")[1]


def test_the_size_of_the_journal_is_told(tmp_path):
    house = House(WHERE, "--journal", str(tmp_path / "parlour.db"))
    (tmp_path / "parlour.db").write_bytes(b"x" * 700)
    (tmp_path / "parlour.db-wal").write_bytes(b"x" * 30)
    figures = {each.name: each for each in house.parlour._figures.collect()}
    assert figures["parlour_journal_bytes"].samples[0].value == 730


def test_a_daemon_that_answers_lives_and_is_ready_when_it_can_be_played_at():
    house = House(WHERE).start()
    peer = house.connect(9464)
    peer.say(b"GET /ready HTTP/1.0\r\n\r\n")
    early = peer.got().decode()
    assert " 503 " in early.partition("\r\n")[0] and early.endswith("\r\n\r\nopening\n")
    house.rest()
    assert house.page("/ready") == (200, "ready\n")
    house.parlour._journal.on_trouble("the disk is full")
    assert house.page("/ready") == (503, "paused\n")
    assert house.figures()["parlour_paused",] == 1
    assert house.page("/live") == (200, "live\n")
    house.parlour._journal.on_trouble(None)
    assert house.page("/ready") == (200, "ready\n")
    peer = house.connect(9464)
    house.parlour.stopService()
    assert peer.ask("GET /ready HTTP/1.0\r\n\r\n").endswith("closing\n")


def test_there_are_no_other_pages_and_nothing_to_change(house):
    assert house.page("/")[0] == house.page("/metrics.json")[0] == 404
    answer = house.connect(9464).ask("POST /metrics HTTP/1.0\r\nContent-Length: 1\r\n\r\nx")
    assert " 405 " in answer.partition("\r\n")[0]


def test_open_metrics_are_written_for_who_asks_for_them(house):
    answer = house.connect(9464).ask(
        "GET /metrics HTTP/1.0\r\nAccept: application/openmetrics-text; version=1.0.0\r\n\r\n"
    )
    assert "application/openmetrics-text" in answer and answer.endswith("# EOF\n")


@pytest.mark.parametrize("where", ["9464", "tcp", "tcp:x", "tcp:9464 nonsense:1"])
def test_what_is_no_endpoint_is_refused(where):
    with pytest.raises(usage.UsageError, match="--metrics"):
        House(where)


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setattr("protocols.daemon.options.find_spec", lambda name: None)
    House("off")
    with pytest.raises(usage.UsageError, match="prometheus_client"):
        House(WHERE)


def test_the_file_can_say_it_and_it_holds_from_the_next_start(tmp_path):
    file = tmp_path / "parlour.ini"
    file.write_text(f"[parlour]\nmetrics = {WHERE}\n")
    options = Options()
    options.parseOptions(["--config", str(file)])
    assert options.metrics == [WHERE]
    file.write_text("[parlour]\nmetrics = off\n")
    assert options.fixed(options.reread()) == ["metrics"]
