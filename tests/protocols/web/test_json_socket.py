"""JSON lines over a WebSocket: the door for programs, spoken to from a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.host.door import read_defaults
from protocols.jsonlines.server import DOOR as JSON_DOOR
from protocols.net.admission import AdmissionSettings
from tests.protocols.web.conftest import HANDSHAKE, House, Stream, masked

OURS = "http://parlour.test"
OTHER = "https://example.org"


def open_json_door(house: House, **given: object) -> None:
    factory = JSON_DOOR.build(house.host, read_defaults(None, JSON_DOOR, given))
    house.factory.neighbours = {"json": SimpleNamespace(door=JSON_DOOR, factory=factory, port=1)}
    house.json = factory


class Program:
    """A program in a browser that speaks to ``/json``."""

    def __init__(
        self,
        house: House,
        origin: str | None = OURS,
        more: Mapping[str, str] | None = None,
        **given: object,
    ) -> None:
        self.browser = house.browser(**given)
        headers = {**HANDSHAKE, **(more or {}), **({} if origin is None else {"Origin": origin})}
        self.stream = Stream(self.browser, self.browser.request("GET", "/json", headers=headers))

    @property
    def status(self) -> int:
        return self.stream.status

    def say(self, text: str) -> None:
        self.stream.send(masked(1, text.encode()))

    def ask(self, do: str, **fields: object) -> dict[str, object]:
        self.say(json.dumps({"do": do, "id": do, **fields}))
        self.told = self.stream.messages()
        return next(each for each in self.told if each.get("reply") == do)

    def close(self) -> None:
        self.stream.close()


@pytest.fixture
def hall(house):
    open_json_door(house)
    yield house
    assert house.json.links == set()


def test_a_program_in_a_browser_plays_a_game_by_the_door_for_programs(hall):
    north, south = Program(hall), Program(hall)
    assert (north.status, south.status) == (101, 101)
    opened = north.ask("open", game="nim", options={"stones": 2}, house={"start": "full"})
    assert north.ask("join")["ok"]
    assert south.ask("join", table=opened["table"])["ok"]
    moves = next(each["moves"] for each in north.stream.messages() if each.get("moves"))
    assert north.ask("play", move=max(moves, key=lambda move: move["stones"]))["ok"]
    assert [e["event"] for e in south.stream.messages() if e.get("event") == "GameOver"]
    north.close()
    south.close()


def test_a_message_is_one_request_however_it_is_laid_out(hall):
    program = Program(hall)
    program.say('{\n  "do": "hello",\r\n  "id": 7\n}')
    program.say('{"do":"hello","id":8} {"do":"hello","id":9}')
    program.say("[]")
    first, second, third = program.stream.messages()
    assert (first["reply"], first["ok"]) == (7, True)
    assert (second["error"], third["error"]) == ("not-json", "not-an-object")
    program.close()


@pytest.mark.parametrize(
    ("origins", "origin", "let_in"),
    [
        ("", OURS, True),
        ("", None, True),
        ("", OTHER, False),
        ("", "null", False),
        (f"https://a.test {OTHER}", OTHER, True),
        (OTHER, f"{OTHER}.evil.test", False),
        (OTHER, OTHER.replace("https", "http"), False),
        ("any", OTHER, True),
        ("any", "null", True),
    ],
)
def test_pages_of_other_sites_come_in_as_the_house_says(make_house, origins, origin, let_in):
    house = make_house(json_origins=origins)
    open_json_door(house)
    program = Program(house, origin)
    assert program.status == (101 if let_in else 403)
    assert let_in or "json_origins" in program.stream.wire.value().decode()
    program.close()


def test_who_opens_it_as_a_page_is_told_what_it_is(hall):
    assert hall.browser().get("/json").shows("open it as a WebSocket")


def test_where_the_door_for_programs_is_closed_there_is_nothing(house):
    assert house.browser().get("/json").status == 404
    house.factory.neighbours = {}
    assert house.browser().get("/json").status == 404


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (masked(1, b"[" * 60_000)[:-1], 1009),
        (masked(1, b"x" * 9000, final=False) + masked(0, b"x" * 9000, final=False), 1009),
        (masked(2, b"{}"), 1003),
        (masked(1, b"\xff"), None),
        (b"\xff" * 40, None),
    ],
)
def test_what_is_no_message_of_a_program_ends_the_connection(hall, data, code):
    program = Program(hall)
    program.stream.send(data)
    program.stream.messages()
    assert program.stream.closed_with == code or code is None
    assert program.stream.wire.ended
    program.close()


GOODBYE = masked(8, (1000).to_bytes(2, "big"))


def test_a_program_that_has_said_goodbye_is_told_nothing_more(hall):
    program = Program(hall)
    (link,) = hall.json.links
    program.stream.wire.link.dataReceived(GOODBYE)
    answered = program.stream.wire.value()
    link.send(b"{}\n")  # in the same turn: its connection is not lost yet
    assert program.stream.wire.value() == answered
    hall.settle()
    assert program.stream.wire.ended
    program.close()


def test_a_page_that_has_said_goodbye_is_shown_nothing_more(house):
    browser = house.browser()
    browser.get("/")
    stream = browser.follow()
    (live,) = house.factory.app.hall.streams
    stream.wire.link.dataReceived(GOODBYE)
    answered = stream.wire.value()
    live.call("Ann")
    assert stream.wire.value() == answered
    house.settle()
    assert stream.wire.ended
    stream.close()


def test_a_message_longer_than_a_line_may_be_is_refused_as_one(hall):
    program = Program(hall)
    program.say("[" * 16_500)
    assert [each["error"] for each in program.stream.messages()] == ["line-too-long"]
    assert program.ask("hello")["ok"]
    program.close()


@settings(max_examples=30)
@given(st.binary(max_size=300))
def test_no_bytes_print_a_traceback_or_leave_a_link(data):
    house = House()
    open_json_door(house)
    program = Program(house)
    program.stream.send(data)
    program.close()
    assert house.json.links == set()
    house.close()


def test_its_bounds_are_those_of_the_door(make_house):
    house = make_house()
    open_json_door(house, requests_a_second=1, requests_at_once=10)
    program = Program(house)
    replies = [program.ask("hello").get("error") for _ in range(12)]
    assert replies[:10] == [None] * 10
    assert replies[10:] == ["too-fast"] * 2
    program.close()


def test_a_door_without_room_says_so_and_closes(hall):
    hall.json.most = 0
    program = Program(hall)
    assert program.stream.messages()[-1]["closed"] == "too-many-connections"
    assert program.stream.closed_with == 1000
    program.close()


def test_a_program_that_does_not_read_is_told_the_rest_once_it_does(hall):
    north, south = Program(hall), Program(hall)
    code = north.ask("open", game="nim", house={"start": "full"})["table"]
    north.ask("join")
    socket = south.stream.wire.producer
    socket.pauseProducing()
    south.say(json.dumps({"do": "join", "id": 1, "table": code}))
    assert south.stream.messages() == []
    socket.resumeProducing()
    assert any(each.get("reply") == 1 for each in south.stream.messages())
    north.close()
    south.close()


def test_a_house_that_closes_says_so(hall):
    program = Program(hall)
    program.ask("hello")
    hall.json.dismiss_all("closing")
    assert program.stream.messages()[-1]["closed"] == "closing"
    assert program.stream.closed_with == 1000
    program.close()


@pytest.mark.parametrize("proxy", [False, True])
def test_it_counts_as_one_link_of_its_address_and_is_made_once(make_house, proxy):
    house = make_house(proxy=proxy)
    open_json_door(house)
    admission = house.host.admission
    admission.follow(AdmissionSettings(links=2, links_at_once=2, links_a_second=0.1))
    headers = {"X-Forwarded-For": "192.0.2.1"} if proxy else {}
    programs = [Program(house, more=headers) for _ in range(2)]
    assert all(program.ask("hello")["ok"] for program in programs)
    assert not admission.enter("192.0.2.1")
    for program in programs:
        program.close()
    house.clock.advance(20)
    assert admission.enter("192.0.2.1"), "and for none once they are gone"
    admission.leave("192.0.2.1")
