"""Browsers without a network: each has its cookies, fills in forms, and reads streams of pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

import pytest
from attrs import Factory, define
from twisted.internet.defer import Deferred

from protocols.journal.memory import MemoryJournal
from protocols.testing import House as AnyHouse
from protocols.testing import Peer
from protocols.web.render import value_of
from protocols.web.server import DOOR

LIVE = re.compile(r'data-live="([^"]*)" data-drawn="([0-9a-f]*)"')
DECISION = re.compile(r'name="decision" value="([^"]*)"')
CSRF = re.compile(r'name="csrf" value="([0-9a-f]+)"')


@define
class Answer:
    """What a browser was answered."""

    status: int
    headers: dict[str, str]
    text: str
    cookies: list[str]

    @property
    def location(self) -> str:
        return self.headers.get("location", "")

    @property
    def words(self) -> str:
        """The page as it reads, with all marks and runs of blanks gone."""
        text = re.sub(r"(?s)<(style|script|head).*?</\1>|<[^>]*>", " ", self.text)
        return " ".join(unescape(text).split())

    def shows(self, words: str) -> bool:
        return words in self.words


def part(text: str, name: str) -> str:
    """Cut one part out of a page."""
    return text.partition(f"<!--#{name}-->")[2].partition("<!--#")[0]


def cards_in(text: str) -> list[str]:
    """Name the cards that a piece of a page shows."""
    return re.findall(r"c-\w\w\.svg#([0-9TJQKA][SCDH])\"", text)


def token_of(browser: Browser) -> str:
    """Give the token of the place whose page a browser shows."""
    return browser.cookies[browser.at, "parlour-place"]


def unchunk(body: bytes) -> bytes:
    whole = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        whole, body = whole + rest[:length], rest[length + 2 :]
    return whole


def read_answer(data: bytes) -> Answer:
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    pairs = [line.split(": ", 1) for line in lines]
    headers = {name.lower(): value for name, value in pairs}
    cookies = [value for name, value in pairs if name.lower() == "set-cookie"]
    if headers.get("transfer-encoding") == "chunked":
        body = unchunk(body)
    return Answer(int(first.split()[1]), headers, body.decode(errors="replace"), cookies)


@define(eq=False)
class Browser:
    """Somebody's browser: its cookies, and the page it shows."""

    house: House
    host: str = "parlour.test"
    address: str = "192.0.2.1"
    language: str = "en"
    cookies: dict[tuple[str, str], str] = Factory(dict)  # by path and name
    page: Answer | None = None
    csrf: str = ""
    at: str = "/"
    wires: list[Peer] = Factory(list)

    @property
    def decision(self) -> str:
        """What the page that is shown was drawn for."""
        found = DECISION.search(self.page.text) if self.page is not None else None
        return "" if found is None else found[1]

    # -- requests -----------------------------------------------------------------------

    def connect(self) -> Peer:
        wire = Peer(self.house.clock, self.house.factory, self.address, 4000)
        self.wires.append(wire)
        return wire

    def request(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = {}
    ) -> Peer:
        wire = self.connect()
        jar = "; ".join(
            f"{name}={value}"
            for (under, name), value in self.cookies.items()
            if path.startswith(under)
        )
        all_headers = {"Host": self.host, "Accept-Language": self.language, **headers}
        if jar:
            all_headers["Cookie"] = jar
        if method == "POST":
            all_headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
            all_headers["Content-Length"] = str(len(body))
        lines = "".join(f"{name}: {value}\r\n" for name, value in all_headers.items())
        wire.link.dataReceived(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)
        self.house.settle()
        return wire

    def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = {}
    ) -> Answer:
        wire = self.request(method, path, body, headers)
        for _ in range(20):
            if wire.value():
                break
            self.house.settle()
        answer = read_answer(wire.value())
        wire.hang_up()
        self.wires.remove(wire)
        self._keep(answer)
        return answer

    def _keep(self, answer: Answer) -> None:
        for each in answer.cookies:
            for name, morsel in SimpleCookie(each).items():
                if morsel["max-age"] == "0":
                    self.cookies.pop((morsel["path"], name), None)
                else:
                    self.cookies[morsel["path"], name] = morsel.value

    # -- what people do -----------------------------------------------------------------

    def get(self, path: str, **headers: str) -> Answer:
        """Open a page, and follow where it leads."""
        answer = self.ask("GET", path, headers=headers)
        while answer.status in (301, 303, 308):
            path = answer.location
            answer = self.ask("GET", path)
        self.at, self.page = urlsplit(path).path, answer
        found = CSRF.search(answer.text)
        self.csrf = self.csrf if found is None else found[1]
        return answer

    def post(self, path: str, csrf: str | None = None, **form: object) -> Answer:
        """Send a form of the page that is shown, and go where the answer leads."""
        answer = self.send(path, csrf, **form)
        if answer.status == 303:
            return self.get(answer.location)
        self.page = answer
        return answer

    def send(self, path: str, csrf: str | None = None, **form: object) -> Answer:
        """Send a form, and follow nothing."""
        if csrf is None:
            csrf = self.csrf
        body = urlencode({"csrf": csrf, **form}).encode()
        return self.ask("POST", path, body)

    def follow(self, after: str = "", **headers: str) -> Stream:
        """Open the stream of the page that is shown."""
        found = LIVE.search(self.page.text) if self.page is not None else None
        at, shown = (f"{self.at}live?", "") if found is None else (f"{found[1]}&", found[2])
        wanted = {**HANDSHAKE, "Origin": f"http://{self.host}", **headers}
        kept = {name: value for name, value in wanted.items() if value}
        return Stream(self, self.request("GET", f"{at}after={after or shown}", headers=kept))


HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


def masked(opcode: int, payload: bytes, final: bool = True) -> bytes:
    """Write one frame of a browser (RFC 6455, section 5.2); the mask is all noughts."""
    first = (0x80 if final else 0) | opcode
    if len(payload) < 126:
        return bytes([first, 0x80 | len(payload)]) + bytes(4) + payload
    return bytes([first, 0x80 | 126]) + len(payload).to_bytes(2, "big") + bytes(4) + payload


@define
class Stream:
    """A stream of pictures, as the script of a page reads it."""

    browser: Browser
    wire: Peer
    parts: dict[str, str] = Factory(dict)
    closed_with: int | None = None
    size: int = 0

    @property
    def status(self) -> int:
        return int(self.wire.value().split()[1])

    def messages(self) -> list[dict[str, object]]:
        """Read all messages that came, and start afresh; the parts are kept."""
        data = self.wire.value()
        self.wire.clear()
        if data.startswith(b"HTTP/"):
            data = data.partition(b"\r\n\r\n")[2]
        found = []
        while data:
            opcode, length, at = data[0] & 0x0F, data[1], 2
            if length == 126:
                length, at = int.from_bytes(data[2:4], "big"), 4
            elif length == 127:
                length, at = int.from_bytes(data[2:10], "big"), 10
            payload, data = data[at : at + length], data[at + length :]
            if opcode == 8:
                self.closed_with = int.from_bytes(payload[:2], "big")
            elif opcode == 1:
                found.append(json.loads(payload))
                self.size += len(payload)
                self.parts.update(found[-1].get("parts", {}))
        return found

    def frames(self) -> list[dict[str, object]]:
        """Read the messages that show something."""
        return [each for each in self.messages() if "parts" in each]

    def send(self, data: bytes) -> None:
        self.wire.link.dataReceived(data)
        self.browser.house.settle()

    def ask(self) -> None:
        self.send(masked(1, b"?"))

    def close(self) -> None:
        self.wire.hang_up()
        self.browser.wires.remove(self.wire)
        self.browser.house.settle()


class House(AnyHouse):
    """A whole daemon with its web door; leaving it checks that nothing is left behind."""

    def __init__(self, journal=None, clock=None, **given: object) -> None:
        settings = {"web": {"link_file": "none", **given}}
        keep = MemoryJournal if journal is None else lambda _: journal
        super().__init__(doors=[DOOR], seed=5, journal=keep, settings=settings, clock=clock)
        self.factory = self.door("web")
        self.browsers: list[Browser] = []

    @property
    def link(self) -> str:
        return f"/organizer/enter/{self.factory.app.link.secret}/"

    def browser(self, **given: object) -> Browser:
        browser = Browser(self, **given)
        self.browsers.append(browser)
        return browser

    def settle(self) -> None:
        self.clock.pump([0, 0])

    def decision_of(self, browser: Browser) -> str:
        """Name what the place is to decide whose page a browser shows, as a page drawn now would."""
        waiting = Deferred.fromCoroutine(self.factory.app.sessions.resume(token_of(browser)))
        self.settle()
        return waiting.result.decision

    def organizer(self, **given: object) -> Browser:
        """A browser that has exchanged the organizer's link."""
        browser = self.browser(**given)
        if self.factory.settings.organizers == "link":
            browser.get(self.link)
            browser.post("/organizer/enter/", secret=self.factory.app.link.secret)
        return browser

    def close(self) -> None:
        for browser in self.browsers:
            for wire in list(browser.wires):
                wire.hang_up()
        self.settle()
        self.factory.app.close()
        self.settle()
        for live in list(self.host.service.live):
            self.host.service.clocks.stop(live)
            for bot in live.bots:
                bot.stop()
        assert self.factory.links == set()
        assert len(self.factory.app.sessions) == 0
        assert self.clock.getDelayedCalls() == [], "a timer outlived its pages"


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    yield house
    house.close()


@pytest.fixture
def make_house() -> Iterator[object]:
    houses: list[House] = []

    def build(**given: object) -> House:
        houses.append(House(**given))
        return houses[-1]

    yield build
    for house in houses:
        house.close()


LINK = re.compile(r'value="http://[^/"]+(/invitation/[A-Z0-9]+\.[0-9a-f]{32}/)"')


class Party:
    """An organizer and those who were invited, each in a browser of their own."""

    def __init__(self, house: House, *names: str, kind: str = "rikiki", **form: object) -> None:
        self.house = house
        self.kind = kind
        self.organizer = house.organizer()
        self.organizer.get(f"/open/{kind}")
        form = {"house.watchers": "yes", **form}
        self.organizer.post(f"/open/{kind}", names="\n".join(names), **form)
        assert self.organizer.page is not None
        assert self.organizer.page.status == 200, self.organizer.page.words
        self.page = self.organizer.at
        self.code = self.page.split("/")[2]
        self.links = dict(zip(names, LINK.findall(self.organizer.page.text), strict=True))
        self.players: dict[str, Browser] = {}

    @property
    def table(self):
        return self.house.hall.find(self.code)

    def come(self, *names: str) -> Party:
        for name in names or self.links:
            browser = self.players[name] = self.house.browser()
            browser.get(self.links[name])
            browser.post(self.links[name], name=name)
        return self

    def token(self, name: str) -> str:
        return self.links[name].split("/")[2]

    @property
    def organizer_token(self) -> str:
        return self.organizer.cookies[self.page, "parlour-place"]

    def wish(self, wish: str, **form: object) -> Answer:
        """Let the organizer wish for something from a fresh page."""
        self.organizer.get(self.page)
        return self.organizer.post(f"{self.page}wish", wish=wish, **form)

    def start(self) -> Party:
        self.wish("start")
        return self

    def do(self, name: str, press: str, **form: object) -> Answer:
        """Let a player press something on a fresh page."""
        browser = self.players[name]
        browser.get(browser.at)
        return browser.post(f"{browser.at}{press}", decision=browser.decision, **form)

    def name_to_move(self) -> str:
        seat = min(self.table.awaited())
        return self.table.names[seat]

    def play(self, name: str, move: object) -> Answer:
        """Let a player press the button of a move."""
        return self.do(name, "move", move=value_of(move))

    def move(self) -> str:
        """Let whoever is to move press the first thing that is legal; no page is drawn for it."""
        name = self.name_to_move()
        self.press(name, self.table.legal_moves(self.table.names.index(name))[0])
        return name

    def press(self, name: str, move: object) -> None:
        """Let a player press the button of a move as on a fresh page, and look at nothing."""
        browser = self.players[name]
        pressed = {"decision": self.house.decision_of(browser), "move": value_of(move)}
        answer = browser.send(f"{browser.at}move", **pressed)
        assert answer.status == 303, answer.words


@pytest.fixture
def party(house):
    return lambda *names, **form: Party(house, *(names or ("Ann", "Ben", "Cat")), **form)
