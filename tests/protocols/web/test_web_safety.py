"""What protects players and the house: cookies, forms of other sites, headers, bounds, guesses, logs."""

from __future__ import annotations

import re
import sys
from gzip import decompress
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from twisted.internet.address import IPv4Address
from twisted.logger import globalLogPublisher

from gamecore.games.rikiki import Bid
from protocols.host.door import read_defaults
from protocols.net.admission import PAGE, AdmissionSettings
from protocols.web import server
from protocols.web.factory import LARGEST_BODY
from protocols.web.render import value_of
from protocols.web.replies import POLICY
from tests.protocols.web.conftest import unchunk


def pages_of(table) -> list[str]:
    """Name a page of every kind."""
    ann = table.players["Ann"]
    return ["/", "/open/nim", table.page, ann.at, f"/t/{table.code}/?watch=yes"]


def test_every_page_has_the_headers_that_protect_it(party):
    table = party("Ann", "Ben").come().start()
    browser = table.players["Ann"]
    for path in [*pages_of(table), "/nothing/", "/invitation/x/"]:
        headers = browser.ask("GET", path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["server"] == "Parlour"
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


def test_no_page_has_script_or_style_in_it_or_asks_elsewhere(party):
    table = party("Ann", "Ben", **{"game.first": 13}).come().start()
    for browser in (table.organizer, table.players["Ann"]):
        for path in pages_of(table):
            text = browser.ask("GET", path).text
            assert not re.search(r"<script(?! src=\"/static/)|<style|\sstyle=|\son[a-z]+=", text)
            assert not re.search(r'(src|href|action)="(?!/|#|\?|http://parlour\.test/t/)', text)
            assert len(text.encode()) < 100_000


def test_the_biggest_tables_stay_small(party):
    names = [f"player {n} {'x' * 12}" for n in range(26)]
    table = party(*names).come(*names[:2])
    table.organizer.get(table.page)
    assert len(table.organizer.page.text.encode()) < 100_000


def test_a_form_without_the_token_or_from_elsewhere_does_nothing(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    good = ann.csrf
    press = {"move": value_of(Bid(1)), "decision": ann.decision}
    assert ann.send(f"{ann.at}move", csrf="", **press).status == 403
    assert ann.send(f"{ann.at}move", csrf="0" * 32, **press).status == 403
    other = table.players["Ben"]
    other.get(other.at)
    assert ann.send(f"{ann.at}move", csrf=other.csrf, **press).status == 403
    body = urlencode({"csrf": good, **press}).encode()
    for headers in (
        {"Origin": "http://evil.test"},
        {"Origin": "https://parlour.test.evil.test"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        assert ann.ask("POST", f"{ann.at}move", body, headers).status == 403
    assert table.table.seen_by(None, 0.0).board.bids == (None, None)
    headers = {"Origin": "http://parlour.test", "Sec-Fetch-Site": "same-origin"}
    assert ann.ask("POST", f"{ann.at}move", body, headers).status == 303


def test_every_route_that_changes_something_takes_only_forms(party):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    before = table.table.sequence
    presses = [f"{ann.at}{each}" for each in ("move", "wish", "leave", "back", "pass")]
    query = "?wish=abandon&move=%7B%22is%22%3A%22Bid%22%2C%22tricks%22%3A1%7D"
    for path in presses:
        answer = ann.ask("GET", path + query)
        assert (answer.status, answer.location) == (303, ann.at), "looked at again, it is the page"
    for path in [*presses, "/pass/", "/organizer/enter/", table.links["Ann"], "/play", "/open/nim"]:
        assert ann.ask("POST", path).status == 403, path
    for path in ("/pass/", "/organizer/enter/", "/play", f"/t/{table.code}/sit/"):
        assert ann.ask("GET", path).status in (403, 404, 405), path
    assert table.table.sequence == before


def test_a_path_without_its_slash_is_sent_to_the_one_with_it(house):
    answer = house.browser().ask("GET", "/t/ABCDE")
    assert (answer.status, answer.location) == (308, "/t/ABCDE/")
    answer = house.browser().ask("GET", "//evil.test/watch")
    assert not answer.location.startswith("//evil")


def test_guessing_is_slowed_down_for_one_address_only(house):
    guesser = house.browser(address="192.0.2.66")
    statuses = [guesser.ask("GET", f"/invitation/ABCDE.{n:032}/").status for n in range(120)]
    assert statuses[0] == 403
    assert statuses[-1] == 429
    assert house.browser(address="192.0.2.67").ask("GET", "/invitation/x/").status == 403
    house.clock.advance(5)
    assert guesser.ask("GET", "/invitation/x/").status == 403


def test_a_forged_cookie_is_a_guess_too(party, house):
    table = party("Ann", "Ben").come()
    path = table.players["Ann"].at
    guesser = house.browser(address="192.0.2.66")
    statuses = set()
    for n in range(120):
        guesser.cookies[path, "parlour-place"] = f"{table.code}.{n:032}"
        statuses.add(guesser.ask("GET", path).status)
    assert statuses == {403, 429}


def test_behind_a_proxy_it_is_the_visitor_who_is_counted(make_house):
    house = make_house(proxy=True)
    proxy = house.browser(address="127.0.0.1")
    for n in range(120):
        last = proxy.ask(
            "GET", f"/invitation/A.{n}/", headers={"X-Forwarded-For": "a, 203.0.113.9"}
        )
    assert last.status == 429
    other = proxy.ask("GET", "/invitation/A.1/", headers={"X-Forwarded-For": "203.0.113.10"})
    assert other.status == 403


def test_behind_a_proxy_the_streams_of_a_visitor_are_counted_and_not_the_proxys(make_house):
    house = make_house(proxy=True)
    table = house.host.open("gops", "", {}, {})
    told = {"X-Forwarded-For": "203.0.113.9"}
    watcher = house.browser(address="127.0.0.1")
    watcher.get(f"/t/{table.code}/", **told)
    house.host.admission.follow(AdmissionSettings(links=3))
    streams = [watcher.follow(**told) for _ in range(4)]
    assert [each.status for each in streams] == [101, 101, 101, 429]
    assert watcher.follow(**{"X-Forwarded-For": "203.0.113.10"}).status == 101
    streams[0].close()
    assert watcher.follow(**told).status == 101, "what is closed counts no more"


def test_behind_tls_every_cookie_is_secure_and_bound_to_the_host(make_house):
    house = make_house(proxy=True)
    answer = house.browser().ask("GET", "/?lang=fr", headers={"X-Forwarded-Proto": "https"})
    assert len(answer.cookies) == 2
    for cookie in answer.cookies:
        assert cookie.startswith("__Host-parlour")
        assert "secure" in cookie.lower()
        assert "domain" not in cookie.lower()


def test_a_proxy_is_not_believed_unless_the_house_says_so(house):
    answer = house.browser().ask("GET", "/", headers={"X-Forwarded-Proto": "https"})
    assert not any("secure" in cookie.lower() for cookie in answer.cookies)


def test_a_place_behind_tls_is_kept_in_a_cookie_for_its_pages_alone(make_house):
    house = make_house(proxy=True)
    browser = house.browser()
    secure = {"X-Forwarded-Proto": "https"}
    browser.get("/", **secure)
    body = urlencode({"csrf": browser.csrf, "game": "nim"}).encode()
    browser.cookies = {(path, name): value for (path, name), value in browser.cookies.items()}
    answer = browser.ask("POST", "/play", body, secure)
    place = next(each for each in answer.cookies if each.startswith("__Secure-parlour-place="))
    assert f"path={answer.location};" in f"{place.lower()};".replace(
        answer.location.lower(), answer.location
    )
    assert "secure" in place.lower()
    assert browser.ask("GET", answer.location, headers=secure).status == 200


def test_links_name_the_address_the_house_gives_and_no_forged_one(make_house):
    house = make_house(url="https://games.example.org/")
    browser = house.browser(host="evil.test")
    browser.get("/open/rikiki")
    headers = {"Origin": "https://games.example.org"}
    body = f"csrf={browser.csrf}&names=Ann,Ben".encode()
    answer = browser.ask("POST", "/open/rikiki", body, headers)
    assert answer.status == 303
    page = browser.get(answer.location)
    assert 'value="https://games.example.org/invitation/' in page.text
    assert "evil.test" not in page.text
    odd = make_house().browser(host='x"><b>')
    odd.get("/open/rikiki")
    assert 'x"><b>' not in odd.post("/open/rikiki", names="Ann,Ben").text


def test_a_body_that_is_too_large_is_not_read(house):
    browser = house.browser()
    wire = browser.connect()
    head = b"POST /organizer/ HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
    wire.link.dataReceived(head % (LARGEST_BODY + 1))
    assert wire.value().startswith(b"HTTP/1.1 413")
    assert wire.disconnecting
    wire = browser.connect()
    wire.link.dataReceived(
        b"POST /organizer/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    for _ in range(70):
        wire.link.dataReceived(b"400\r\n" + b"x" * 1024 + b"\r\n")
    assert wire.value().startswith(b"HTTP/1.1 413")
    assert wire.value().count(b"HTTP/1.1") == 1


@pytest.mark.parametrize(
    "path",
    [b"/\xff\xfe", b"/%ff/", b"/%ff", b"/watch/%c3%28", b"/%00/", b"/static/x/../../setup.cfg"],
)
def test_odd_addresses_are_no_fault_of_ours(house, path):
    wire = house.browser().connect()
    wire.link.dataReceived(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    house.settle()
    assert re.match(rb"HTTP/1.1 (400|404) ", wire.value()), wire.value()[:80]


@pytest.mark.parametrize(
    "hosts",
    [
        *(
            [b"a..b"],
            [b".a"],
            [b"a b"],
            [b"a/b"],
            [b""],
            [b"[::1"],
            [b"a:123456"],
            [b"a:b"],
            [b"\xff"],
        ),
        *([b"a", b"b"], [b"a", b"a"], []),
    ],
)
def test_who_does_not_say_whom_it_asks_as_it_must_is_refused(house, hosts):
    wire = house.browser().connect()
    lines = b"".join(b"Host: %s\r\n" % each for each in hosts)
    wire.link.dataReceived(b"GET / HTTP/1.1\r\n" + lines + b"\r\n")
    house.settle()
    assert wire.value().startswith(b"HTTP/1.1 400 "), wire.value()[:80]
    assert wire.value().count(b"HTTP/1.1") == 1


@pytest.mark.parametrize(
    "host",
    [b"a:", b"localhost:8080", b"a.b.", b"127.0.0.1", b"[::1]:8080", b"my_host", b"xn--4ca.test"],
)
def test_whatever_names_a_host_is_answered(house, host):
    wire = house.browser().connect()
    wire.link.dataReceived(b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
    house.settle()
    assert wire.value().startswith(b"HTTP/1.1 200 "), wire.value()[:80]


HEADERS = [
    *("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control", "Cookie"),
    *("Content-Type", "If-Modified-Since", "If-None-Match", "Last-Event-ID", "Origin", "Range"),
    *("Referer", "Sec-Fetch-Site", "User-Agent", "X-Forwarded-For", "X-Forwarded-Proto"),
]
NO_TEXT = [
    b"\xff\xfe",
    b"\xc3(",
    b",,;q=x",
    b"q=\xed\xa0\x80",
    b"=;=;",
    b'"' * 40,
    b"\xf0\x9f",
    b"",
]


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize("proxy", ["yes", "no"])
def test_what_stands_in_a_header_is_no_fault_of_ours(make_house, name, proxy):
    house = make_house(proxy=proxy)
    for value in NO_TEXT:
        for first in (b"GET /", b"GET /robots.txt", b"GET /organizer/", b"POST /invitation/"):
            wire = house.browser().connect()
            head = first + b" HTTP/1.1\r\nHost: x\r\n" + name.encode() + b": " + value
            wire.link.dataReceived(head + b"\r\nContent-Length: 0\r\n\r\n")
            house.settle()
            assert re.match(rb"HTTP/1.1 [234]\d\d ", wire.value()), (value, wire.value()[:80])


def test_an_old_client_need_not_say_whom_it_asks(house):
    wire = house.browser().connect()
    wire.link.dataReceived(b"GET / HTTP/1.0\r\n\r\n")
    house.settle()
    assert b" 200 " in wire.value()[:20]


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/"), ("DELETE", "/"), ("DELETE", "/open/nim")]
)
def test_who_asks_in_the_wrong_way_is_told_the_right_one(house, method, path):
    answer = house.browser().ask(method, path)
    assert answer.status == 405
    assert "GET" in answer.headers["allow"].split(", ")


def test_a_silent_connection_is_closed(house):
    wire = house.browser().connect()
    wire.link.dataReceived(b"GET / HT")
    house.clock.advance(61)
    assert wire.disconnecting
    house.clock.advance(20)


def test_too_many_connections_from_one_address_are_turned_away(house):
    house.host.admission.follow(AdmissionSettings(links=3))
    browser = house.browser()
    for _ in range(3):
        browser.connect()
    address = IPv4Address("TCP", browser.address, 1)
    assert type(house.factory.buildProtocol(address)).__name__ == "TurnedAway"
    assert house.browser(address="192.0.2.9").get("/").status == 200


def test_no_secret_reaches_the_log(party, house):
    said: list[str] = []
    observer = lambda event: said.append(repr(event))  # noqa: E731
    globalLogPublisher.addObserver(observer)
    try:
        table = party("Ann", "Ben", **{"game.first": 1}).come().start()
        stranger = house.browser()
        stranger.get(f"/invitation/{table.token('Ann')}/")
        stranger.get(f"/nothing/{table.token('Ann')}/")
        while table.table.stage.value == "playing":
            table.move()
    finally:
        globalLogPublisher.removeObserver(observer)
    log = "\n".join(said)
    for browser in (table.organizer, *table.players.values()):
        for (_, name), value in browser.cookies.items():
            assert name == "parlour-places" or value not in log, name
    for name in table.links:
        assert table.token(name) not in log


def test_a_bug_of_ours_shows_nothing_of_it(house, logged_failures, monkeypatch):
    monkeypatch.setattr(house.factory.app, "doors", lambda: 1 / 0)
    answer = house.browser().get("/")
    assert answer.status == 500
    assert answer.shows("Something went wrong on our side.")
    assert "division" not in answer.text
    assert len(logged_failures) == 1
    logged_failures.clear()


# -- the door --------------------------------------------------------------------------


def test_the_door_says_so_where_the_pages_cannot_be_drawn(house, monkeypatch):
    monkeypatch.setitem(sys.modules, "protocols.web.factory", None)
    factory = server.DOOR.build(house.host, house.factory.defaults)
    channel = factory.buildProtocol(IPv4Address("TCP", "192.0.2.1", 1))
    from twisted.internet.testing import StringTransport

    wire = StringTransport()
    channel.makeConnection(wire)
    channel.dataReceived(b"GET / HTTP/1.1\r\n\r\n")
    assert wire.value().startswith(b"HTTP/1.1 503")
    assert b"pip install 'parlour[web]'" in wire.value()
    from twisted.internet.error import ConnectionDone
    from twisted.python.failure import Failure

    channel.connectionLost(Failure(ConnectionDone()))


def test_the_organizers_link_is_in_a_file_that_only_its_owner_reads(make_house, tmp_path):
    path = tmp_path / "deep" / "link"
    house = make_house(organizers="link", link_file=str(path))
    house.factory.doStart()
    house.clock.advance(0)
    first = path.read_text()
    assert first.endswith(f"{house.link}\n")
    assert path.stat().st_mode & 0o777 == 0o600
    assert re.match(r"http://[^/]+:8080/organizer/enter/", first)
    house.organizer()
    assert path.read_text() != first
    assert path.read_text().endswith(f"{house.link}\n")
    assert [each.name for each in path.parent.iterdir()] == ["link"]
    house.factory.doStop()
    assert not path.exists(), "it is dead"


def test_the_organizers_link_goes_where_the_file_says_when_it_is_read_again(make_house, tmp_path):
    house = make_house(organizers="link", link_file=str(tmp_path / "link"))
    house.factory.doStart()
    house.clock.advance(0)
    given = {
        "organizers": "link",
        "link_file": str(tmp_path / "other"),
        "url": "https://games.example",
    }
    house.factory.follow(read_defaults(None, server.DOOR, given))
    assert [each.name for each in tmp_path.iterdir()] == ["other"]
    assert (tmp_path / "other").read_text().startswith("https://games.example/organizer/enter/")
    house.factory.follow(read_defaults(None, server.DOOR, {**given, "organizers": "anyone"}))
    assert list(tmp_path.iterdir()) == []
    house.factory.doStop()


def test_the_link_of_another_daemon_is_left_where_it_is(make_house, tmp_path):
    path = tmp_path / "link"
    house = make_house(organizers="link", link_file=str(path))
    house.factory.doStart()
    house.clock.advance(0)
    path.write_text("http://elsewhere:8080/organizer/enter/1/\n")
    house.factory.doStop()
    assert path.read_text() == "http://elsewhere:8080/organizer/enter/1/\n"


def test_the_organizers_link_lies_where_the_daemon_keeps_its_files(make_house, tmp_path):
    house = make_house(organizers="link", link_file="")
    house.factory.state_file = lambda name: str(tmp_path / f"games.db.{name}")
    house.factory.doStart()
    house.clock.advance(0)
    assert [each.name for each in tmp_path.iterdir()] == ["games.db.organizer-link"]
    house.factory.doStop()


def test_a_door_without_a_daemon_writes_no_link_unless_it_is_told_where(
    make_house, monkeypatch, tmp_path
):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    house = make_house(organizers="link", link_file="")
    house.factory.doStart()
    house.clock.advance(0)
    assert list(tmp_path.iterdir()) == []
    house.factory.doStop()


def test_a_link_that_cannot_be_written_does_not_keep_the_door_shut(make_house, tmp_path):
    (tmp_path / "file").write_text("")
    house = make_house(organizers="link", link_file=str(tmp_path / "file" / "link"))
    house.factory.doStart()
    house.clock.advance(0)
    assert house.browser().get("/").status == 200
    house.factory.doStop()


def test_static_files_may_be_kept_and_nothing_else_is_given(house):
    browser = house.browser()
    style = re.search(r'href="(/static/[0-9a-f]+/parlour\.css)"', browser.get("/").text)[1]
    answer = browser.get(style)
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    folder = style.rpartition("/")[0]
    for language in ("en", "fr"):
        answer = browser.get(f"{folder}/c-{language}.svg")
        assert len(answer.text) < 60_000
        assert answer.text.count("<symbol") == 53
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "<script" not in answer.text
        assert "http" not in answer.text.replace("http://www.w3.org/", "")
    for name in ("../pages.py", "c-xx.svg", "nothing.css", "%2e%2e/server.py"):
        assert browser.get(f"{folder}/{name}").status == 404
    assert browser.get("/favicon.ico").headers["content-type"] == "image/svg+xml"
    assert browser.get("/robots.txt").text.startswith("User-agent")


def test_a_file_is_given_compressed_to_who_reads_it_so_and_a_page_never_is(house):
    browser = house.browser()
    style = re.search(r'href="(/static/[0-9a-f]+/parlour\.css)"', browser.get("/").text)[1]
    wire = browser.request("GET", style, headers={"Accept-Encoding": "gzip, br"})
    head, _, body = wire.value().partition(b"\r\n\r\n")
    assert b"content-encoding: gzip" in head.lower() and b"vary: accept-encoding" in head.lower()
    body = unchunk(body) if b"chunked" in head else body
    assert decompress(body).decode() == browser.get(style).text
    assert (
        "content-encoding"
        not in browser.ask("GET", "/", headers={"Accept-Encoding": "gzip"}).headers
    )


def test_a_browser_carries_a_few_cookies_however_many_tables_it_is_at(house):
    browser = house.browser()
    browser.get("/")
    for n in range(30):
        house.clock.advance(60)
        assert browser.post("/play", game="nim", name=f"Ann {n}").status == 200
        assert browser.post(f"{browser.at}leave").status == 200 or n % 2
    sent = {name: value for (path, name), value in browser.cookies.items() if path == "/"}
    assert set(sent) == {"parlour", "parlour-places"}
    assert len(sent["parlour-places"]) < 600


def test_the_doors_that_are_open_are_named_with_their_true_ports(make_house, tmp_path):
    house = make_house(organizers="link", link_file=str(tmp_path / "link"))
    doors = {"lobby": ("people: telnet and netcat, every game", 4444), "web": ("Pages", 8888)}
    house.factory.neighbours = {
        kind: SimpleNamespace(
            door=SimpleNamespace(kind=kind, title=title, purpose=""), port=port, address="0.0.0.0"
        )
        for kind, (title, port) in doors.items()
    }
    answer = house.browser(host="games.test:8888").get("/")
    assert answer.shows("telnet games.test 4444")
    assert answer.shows("Pages 8888")
    assert not answer.shows("5252")
    house.factory.doStart()
    house.clock.advance(0)
    origin = (tmp_path / "link").read_text().removesuffix(f"{house.link}\n")
    assert re.fullmatch(r"http://([0-9.]+|\[[0-9a-f:]+\]):8888", origin), "no name that others lack"
    house.factory.doStop()


def test_a_flood_of_requests_is_held_back_but_not_that_of_files(house):
    browser = house.browser(address="192.0.2.77")
    wire = browser.connect()
    for _ in range(980):
        house.host.admission.spend(browser.address, PAGE)
    for _ in range(25):
        wire.link.dataReceived(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        house.clock.advance(0)
    assert wire.value().count(b"HTTP/1.1 200") == 20
    assert wire.value().count(b"HTTP/1.1 429") == 5
    assert browser.get("/robots.txt").status == 200
    assert house.browser().get("/").status == 200


def test_a_browser_that_reads_nothing_does_not_keep_the_house_from_closing(house):
    wire = house.browser().connect()
    wire.reads = False
    gone = []
    house.factory.dismiss_all("closing").addCallback(gone.append)
    assert wire.disconnecting
    assert gone == []
    house.clock.advance(2)
    assert "aborted" in [end for _, end in wire.ends]
    assert len(gone) == 1


# -- turns -----------------------------------------------------------------------------


def test_a_page_waits_for_its_turn_where_too_much_was_done_already(house):
    house.host.turns._spent_at_once.spend(1.0)
    asks = b"GET / HTTP/1.1\r\nHost: parlour.test\r\n\r\n"
    stays, goes = house.browser().connect(), house.browser().connect()
    for wire in (stays, goes):
        wire.say(asks)
    assert stays.value() == b"" and len(house.host.turns) == 2
    goes.hang_up()
    house.settle()
    assert stays.value().startswith(b"HTTP/1.1 200")
    assert goes.value() == b"" and len(house.host.turns) == 0


def test_a_page_that_had_to_look_at_a_table_is_drawn_in_a_turn_of_its_own(house, monkeypatch):
    table = house.host.open("nim", "", {}, {})
    asks = b"GET /t/%b/ HTTP/1.1\r\nHost: parlour.test\r\n\r\n" % table.code.encode()
    waiting = []
    monkeypatch.setattr(house.host.turns, "call_for_nobody", waiting.append)
    wire = house.browser().connect()
    wire.say(asks)
    house.settle()
    assert wire.value() == b"" and len(waiting) == 1
    while waiting:
        waiting.pop()()
        house.settle()
    assert wire.value().startswith(b"HTTP/1.1 200")
