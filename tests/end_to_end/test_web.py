"""The pages of the real daemon: together with telnet and a bot in one round, and across a crash."""

from __future__ import annotations

import re
import signal
import socket
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from tests.patience import SECONDS

LINK = re.compile(r'value="http://[^/"]+(/invitation/[A-Z0-9]+\.[0-9a-f]{32}/)"')


class Browser:
    """Somebody's browser: cookies, forms, and where it is."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.port, self.source = port, source
        self.cookies: dict[tuple[str, str], str] = {}
        self.text = self.at = self.csrf = self.decision = ""

    def jar(self, path: str) -> str:
        return "; ".join(
            f"{name}={value}"
            for (under, name), value in self.cookies.items()
            if path.startswith(under)
        )

    def ask(self, method: str, path: str, body: str = "") -> int:
        source = (self.source, 0)
        link = HTTPConnection("127.0.0.1", self.port, timeout=SECONDS, source_address=source)
        headers = {"Cookie": self.jar(path), "Connection": "close"}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        link.request(method, path, body or None, headers)
        answer = link.getresponse()
        self.text = answer.read().decode()
        for each in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(each).items():
                self.cookies[morsel["path"], name] = morsel.value
        link.close()
        if answer.status in (303, 308):
            return self.ask("GET", answer.headers["Location"])
        self.at = path
        found = re.search(r'name="csrf" value="(\w+)"', self.text)
        self.csrf = self.csrf if found is None else found[1]
        found = re.search(r'name="decision" value="([^"]*)"', self.text)
        self.decision = "" if found is None else found[1]
        return answer.status

    def get(self, path: str) -> int:
        return self.ask("GET", path)

    def post(self, path: str, **form: object) -> int:
        return self.ask("POST", path, urlencode({"csrf": self.csrf, **form}))

    def press(self, move: str) -> int:
        """Press the button of a move on a fresh page."""
        assert self.get(self.at) == 200
        return self.post(f"{self.at}move", decision=self.decision, move=move)

    def moves(self) -> list[str]:
        return re.findall(r"name=\"move\" value='([^']+)'", self.text)

    def hand(self) -> list[str]:
        return re.findall(r'id="b-(\w\w)"', self.text)


class Telnet:
    """Somebody on Rikiki's own wire."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.file = self.socket.makefile("r", encoding="utf-8", newline="\n")

    def say(self, line: str) -> None:
        self.socket.sendall(f"{line}\r\n".encode())

    def hear(self, beginning: str) -> str:
        """Read until a line that begins so."""
        for line in self.file:
            if line.startswith(beginning):
                return line.strip()
        raise AssertionError(f"no {beginning}")

    def close(self) -> None:
        self.file.close()
        self.socket.close()


def organize(daemon, names: str, **form: object) -> tuple[Browser, list[str]]:
    browser = Browser(daemon.ports["web"])
    assert browser.get("/open/rikiki") == 200
    assert browser.post("/open/rikiki", names=names, **form) == 200
    return browser, LINK.findall(browser.text)


def accept(daemon, link: str, source: str = "127.0.0.1") -> Browser:
    browser = Browser(daemon.ports["web"], source)
    assert browser.get(link) == 200
    assert browser.post(link) == 200
    return browser


def handshake(browser: Browser) -> bytes:
    """Write what opens the stream of the page that a browser shows."""
    head = (
        f"GET {browser.at}live HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nCookie: {browser.jar(browser.at)}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    return head.encode()


def test_a_browser_a_telnet_player_and_a_bot_sit_in_one_round(start_daemon, tmp_path):
    daemon = start_daemon()
    organizer, links = organize(daemon, "Ann\nNobody", **{"game.players": 4, "game.first": 1})
    page = organizer.at
    ann = accept(daemon, links[0])
    telnet = Telnet(daemon.ports["rikiki"])
    telnet.say("NAME Tom")
    telnet.say(f"JOIN {page.split('/')[2]}")
    telnet.hear("OK JOIN")
    assert organizer.post(f"{page}wish", wish="bot") == 200
    assert organizer.post(f"{page}wish", wish="start") == 200
    telnet.hear("STARTED")
    assert ann.press('{"is":"Bid","tricks":1}') == 200
    telnet.hear("TURN Tom BID")
    telnet.say("BID 0")
    telnet.hear("OK BID")
    telnet.hear("TURN Ann")
    ann.get(ann.at)
    (card,) = ann.moves()
    assert ann.press(card) == 200
    telnet.say(f"PLAY {telnet.hear('TURN Tom PLAY').split()[-1]}")
    telnet.hear("GAMEOVER")
    telnet.close()
    assert ann.get(ann.at) == 200
    assert "The game is over" in ann.text
    assert "counting bot" in ann.text
    assert all(link.split("/")[2] not in daemon.log for link in links)


def test_cookies_and_invitations_outlive_a_crash(start_daemon, tmp_path):
    journal = str(tmp_path / "parlour.db")
    daemon = start_daemon(journal=journal)
    organizer, links = organize(daemon, "Ann\nBen\nCat", **{"game.first": 5})
    page = organizer.at
    ann = accept(daemon, links[0])
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait(SECONDS)
    daemon.process.returncode = 0  # this end was wanted

    daemon = start_daemon(journal=journal)
    ann.port = organizer.port = daemon.ports["web"]
    ben = accept(daemon, links[1])  # the first to come wakes the table
    assert ann.get(ann.at) == 200
    assert "Ben" in ann.text
    assert organizer.get(page) == 200
    assert LINK.findall(organizer.text) == [links[2]], "the same link is shown again"
    assert organizer.post(f"{page}wish", wish="start") == 200
    assert ann.press('{"is":"Bid","tricks":2}') == 200
    hand = ann.hand()
    assert len(hand) == 5
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait(SECONDS)
    daemon.process.returncode = 0

    daemon = start_daemon(journal=journal)
    ann.port = ben.port = organizer.port = daemon.ports["web"]
    assert ben.get(ben.at) == 200
    assert ann.get(ann.at) == 200
    assert ann.hand() == hand
    assert "2 bid of 5" in re.sub(r"\s+", " ", ann.text)
    assert ben.press('{"is":"Bid","tricks":1}') == 200
    assert organizer.get(page) == 200


def test_the_end_of_the_daemon_ends_every_stream(start_daemon, tmp_path):
    daemon = start_daemon()
    _, links = organize(daemon, "Ann\nBen")
    ann = accept(daemon, links[0])
    with socket.create_connection(("127.0.0.1", ann.port), timeout=SECONDS) as stream:
        stream.sendall(handshake(ann))
        data = b""
        while b'"parts"' not in data:
            data += stream.recv(65536)
        assert daemon.stop() == 0
        while more := stream.recv(65536):
            data += more
        assert data.endswith(b"\x88\x02\x03\xe8"), "a close frame, with 1000"
        assert b"gone" not in data, "the page comes back by itself when the house does"
