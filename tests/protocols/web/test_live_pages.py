"""Pages kept up to date: what is sent of a table, in which order, and what becomes of a stream that breaks."""

from __future__ import annotations

import re

import pytest

from gamecore.games.gops import Bid as LaidBid
from gamecore.games.rikiki import Bid
from gamecore.rules import installed_rules
from gamecore.settings import settings_of
from protocols.nim.pages.pages import NimPages
from protocols.web import picture
from protocols.web.application import MOST_STREAMS, MOST_WATCHERS
from protocols.web.face import WebFace
from protocols.web.live import BEAT_SECONDS, LiveStream
from protocols.web.render import value_of
from protocols.web.static_files import VERSION
from tests.protocols.web.conftest import cards_in, masked, part, token_of

IDS = re.compile(r'\sid="([^"]+)"')


def following(browser, **headers):
    browser.get(browser.at)
    stream = browser.follow(**headers)
    assert stream.status == 101, stream.wire.value()
    return stream


def test_a_stream_shows_nothing_until_something_happens(party):
    table = party("Ann", "Ben").come("Ann")
    stream = following(table.players["Ann"])
    assert stream.messages() == [{"beat": 0, "build": VERSION}]
    table.come("Ben")
    (frame,) = stream.frames()
    assert (frame["seq"], frame["base"]) == (1, 0)
    assert "Ben" in frame["parts"]["felt"]
    assert "<html" not in frame["parts"]["felt"]
    stream.close()


def test_a_part_that_has_not_changed_is_not_sent(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    stream = following(table.players["Ann"])
    stream.messages()
    table.play("Ann", Bid(2))
    frames = stream.frames()
    assert "p-score" not in stream.parts
    assert [each["seq"] for each in frames] == list(range(1, len(frames) + 1))
    assert [each["base"] for each in frames] == list(range(len(frames)))
    stream.close()


def test_a_page_that_comes_back_says_what_it_shows_and_is_sent_the_table_if_that_is_another(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    stream = following(ben)
    table.play("Ann", Bid(2))
    shown = stream.frames()[-1]["drawn"]
    stream.close()
    again = ben.follow(after=shown)
    assert again.frames() == [], "nothing was missed"
    again.close()
    table.play("Ben", Bid(1))
    missed = ben.follow(after=shown)
    (frame,) = missed.frames()
    assert "base" not in frame
    assert {"facts", "felt", "dock", "hand", "p-score", "p-log", "talk", "fairness"} == set(
        frame["parts"]
    )
    missed.close()
    assert ann.get(ann.at).shows("You lead")


def test_what_is_sent_to_one_holds_nothing_of_the_others_cards_and_no_secret(party):
    table = party("Ann", "Ben", **{"game.first": 10}).come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    own = set(cards_in(ann.get(ann.at).text))
    others = set(cards_in(ben.get(ben.at).text)) - own
    streams = [following(each) for each in (ann, table.organizer)]
    table.play("Ann", Bid(0))
    for stream in streams:
        sent = "".join(str(each) for each in stream.messages())
        assert not others & set(cards_in(sent))
        for secret in (ann.csrf, token_of(ann), table.organizer_token, table.organizer.csrf):
            assert secret not in sent
        stream.close()


def test_all_pages_of_a_player_are_sent_to_each_in_its_own_language(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    ann = table.players["Ann"]
    english = following(ann)
    ann.language = "fr-CA, en;q=0.5"
    french = following(ann)
    table.play("Ann", Bid(1))
    english.frames(), french.frames()
    assert "Ben to move." in english.parts["dock"]
    assert "Ben to move." not in french.parts["dock"]
    assert "Ben" in french.parts["dock"]
    english.close()
    french.close()


def test_a_stream_speaks_as_its_page_where_the_browser_does_not_tell_it_what_it_prefers(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    ann = table.players["Ann"]
    ann.language = "fr"
    ann.get(ann.at)
    ann.language = ""
    french = ann.follow()
    table.play("Ann", Bid(1))
    french.frames()
    assert "Ben" in french.parts["dock"] and "to move" not in french.parts["dock"]
    french.close()


def test_those_who_look_on_share_one_face(party, house):
    table = party("Ann", "Ben", **{"game.first": 2}).come().start()
    streams = []
    for _ in range(3):
        watcher = house.browser()
        watcher.get(f"/t/{table.code}/")
        streams.append(watcher.follow())
        streams[-1].messages()
    here = len(house.factory.app.sessions)
    assert here == 4  # two players, the organizer, and one for all who look on
    table.move()
    for stream in streams:
        stream.frames()
        assert "Ben to move." in stream.parts["dock"]
        stream.close()


def test_what_those_who_look_on_see_is_drawn_once_a_language(party, house, monkeypatch):
    table = party("Ann", "Ben", **{"game.first": 2}).come().start()
    drawn = []
    render = picture.render
    monkeypatch.setattr(
        picture,
        "render",
        lambda *a, **k: drawn.append((a[1].language, k["role"])) or render(*a, **k),
    )
    streams = []
    for number in range(MOST_WATCHERS):
        house.clock.advance(0.05)
        browser = house.browser(
            language="fr" if number % 3 == 2 else "en", address=f"10.0.{number}.1"
        )
        browser.at = f"/t/{table.code}/"
        streams.append(browser.follow())
        assert streams[-1].frames()
    drawn.clear()
    table.move()
    pictures = max(len(stream.frames()) for stream in streams)
    mine = [language for language, role in drawn if role == "watcher"]
    assert 1 <= pictures <= 2
    assert len(mine) <= 2 * 2, "a moment and the table after it, in two languages"
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("kind", ["castle", "gops", "nim", "pass123", "rikiki"])
def test_a_move_costs_each_viewer_little(party, house, kind):
    many = {"game.players": 4} if kind in ("pass123", "rikiki") else {}
    names = ["Ann", "Ben", "Cat", "Dan"] if many else ["Ann", "Ben"]
    table = party(*names, kind=kind, **many).come().start()
    streams = [following(each) for each in table.players.values()]
    watcher = house.browser()
    watcher.get(f"/t/{table.code}/")
    streams.append(watcher.follow())
    for stream in streams:
        stream.messages()
        stream.size = 0
    moves = 0
    while moves < 30 and table.table.stage.value == "playing":
        house.clock.advance(1)
        table.move()
        moves += 1
        for stream in streams:
            stream.messages()
    assert max(stream.size for stream in streams) / moves < 5000
    for stream in streams:
        stream.close()


# -- moments ---------------------------------------------------------------------------


def test_a_bot_answers_at_once_and_both_bids_are_shown_before_what_follows(house):
    """The page is told for how long each moment wants to be seen; nobody else waits for it."""
    browser = house.browser()
    browser.get("/")
    browser.post("/play", game="gops", name="Ann")
    stream = browser.follow()
    stream.messages()
    bid = value_of(LaidBid(7))
    browser.send(f"{browser.at}move", decision=browser.decision, move=bid)
    frames = stream.frames()
    shown = next(each for each in frames if each.get("rest") == 1500)
    assert len(cards_in(shown["parts"]["felt"])) == 3, "the prize, and both bids"
    assert "7S" in cards_in(shown["parts"]["felt"])
    after = frames[frames.index(shown) + 1 :]
    assert after and "rest" not in after[-1]
    assert "Round 2 of 13" in stream.parts["facts"]
    assert browser.get(browser.at).shows("Round 2 of 13"), "the game itself has gone on"
    stream.close()


def test_each_card_and_each_trick_of_bots_is_a_moment_of_its_own(house):
    browser = house.browser()
    browser.get("/")
    browser.post("/play", game="rikiki", name="Ann")
    stream = browser.follow()
    stream.messages()
    browser.send(f"{browser.at}move", decision=browser.decision, move=value_of(Bid(1)))
    rests = [each.get("rest") for each in stream.frames()]
    assert rests == [500, 500, 500, 500]
    browser.get(browser.at)
    card = house.hall.find(browser.at.split("/")[2]).legal_moves(0)[0]
    browser.send(f"{browser.at}move", decision=browser.decision, move=value_of(card))
    frames = stream.frames()
    felts = [each for each in frames if "felt" in each["parts"]]
    laid = [len(cards_in(each["parts"]["felt"])) for each in felts]
    assert laid[:4] == [2, 3, 4, 5], "one card more each, beside the one that was turned"
    assert [each.get("rest") for each in frames if "felt" in each["parts"]][:5] == [600] * 4 + [
        1400
    ]
    stream.close()


def test_bots_end_no_pause_while_a_person_is_there(house):
    browser = house.browser()
    browser.get("/")
    browser.post("/play", game="rikiki", name="Ann")
    stream = browser.follow()
    table = house.hall.find(browser.at.split("/")[2])
    while table.stage.value == "playing":
        house.clock.advance(1)
        browser.get(browser.at)
        move = table.legal_moves(0)[0]
        browser.send(f"{browser.at}move", decision=browser.decision, move=value_of(move))
    assert table.stage.value == "between-rounds"
    house.clock.advance(5)
    house.settle()
    assert table.stage.value == "between-rounds"
    assert browser.get(browser.at).shows("Round 1 is over")
    browser.post(f"{browser.at}move", decision=browser.decision, move='{"is":"NextRound"}')
    assert browser.page.shows("Round 2/")
    stream.close()


def test_too_many_moments_give_way_to_how_the_table_stands(house):
    """A table of bots alone plays faster than any page could show."""
    browser = house.browser()
    browser.get("/")
    browser.post("/open/rikiki", name="Ann", **{"house.watchers": "yes", "game.players": "4"})
    page = browser.at
    code = page.split("/")[2]
    watcher = house.browser()
    watcher.get(f"/t/{code}/")
    stream = watcher.follow()
    stream.messages()
    for wish in ("bot", "bot", "bot", "start"):
        browser.get(page)
        assert browser.post(f"{page}wish", wish=wish).status == 200
    browser.send(f"{page}leave")
    for _ in range(60):
        house.settle()
    sent = len(stream.frames())
    assert sent <= 30
    for _ in range(20):
        house.clock.advance(0.5)
        house.settle()
    stream.frames()
    watcher.get(f"/t/{code}/")
    assert part(watcher.page.text, "facts").strip() == stream.parts["facts"]
    stream.close()


# -- streams that live, and that end ---------------------------------------------------


def test_a_stream_beats_and_a_silent_page_is_not_dropped(party, house):
    table = party("Ann", "Ben", **{"game.seconds": 86400}).come().start()
    stream = following(table.players["Ann"])
    stream.messages()
    for _ in range(240):
        house.clock.advance(BEAT_SECONDS)
    house.settle()
    beats = [each for each in stream.messages() if "beat" in each]
    assert len(beats) >= 240
    assert {each["build"] for each in beats if "beat" in each} == {VERSION}
    assert not stream.wire.disconnecting, "no time-out of HTTP ends it"
    assert table.table.presence(0).value == "here"
    stream.close()


def test_a_page_that_asks_is_answered_at_once(party):
    table = party("Ann", "Ben").come()
    stream = following(table.players["Ann"])
    stream.messages()
    stream.ask()
    assert stream.messages() == [{"beat": 0, "build": VERSION}]
    stream.close()


def test_a_page_without_a_stream_is_kept_for_minutes(party, house):
    table = party("Ann", "Ben", **{"game.seconds": 86400}).come().start()
    house.clock.advance(200)
    house.settle()
    assert table.table.presence(0).value == "here"
    house.clock.advance(110)
    house.settle()
    assert table.table.presence(0).value == "away"
    ann = table.players["Ann"]
    assert ann.get(ann.at).status == 200
    assert table.table.presence(0).value == "here"


def test_a_peer_that_does_not_read_gets_the_latest_instead_of_all(party, house):
    table = party("Ann", "Ben", "Cat", **{"game.first": 5}).come().start()
    stream = following(table.players["Ann"])
    stream.messages()
    stream.wire.producer.pauseProducing()
    for _ in range(3):
        table.move()
    house.clock.advance(3 * BEAT_SECONDS)
    assert stream.messages() == []
    stream.wire.producer.resumeProducing()
    (frame,) = stream.frames()
    assert "You lead: play a card." in frame["parts"]["dock"]
    stream.close()


def test_one_who_is_taken_over_hears_that_there_is_nothing_to_come_back_to(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    stream = following(ann)
    stream.messages()
    telnet = WebFace(house.host)
    telnet.ask(lambda tag: house.host.come_back(telnet, token_of(ann), tag))
    house.settle()
    house.settle()
    assert stream.messages()[-1] == {"gone": "taken-over"}
    assert stream.wire.disconnecting
    assert ann.follow().status in (403, 429)
    stream.close()
    house.host.leave(telnet)


def test_nobody_follows_a_page_that_is_not_theirs(party, house):
    table = party("Ann", "Ben").come().start()
    stranger = house.browser()
    for page in (table.players["Ann"].at, table.page):
        stranger.at = page
        assert stranger.follow().status == 403
    stranger.at = "/t/ABCDE/"
    assert stranger.follow().status == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.test"},
        {"Origin": ""},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Upgrade": ""},
        {"Connection": "keep-alive"},
        {"Sec-WebSocket-Key": "short"},
        {"Sec-WebSocket-Key": ""},
        {"Sec-WebSocket-Version": "8"},
    ],
)
def test_no_hand_is_shaken_with_who_comes_from_elsewhere_or_asks_for_nothing_of_the_kind(
    party, headers
):
    table = party("Ann", "Ben").come()
    ann = table.players["Ann"]
    ann.get(ann.at)
    stream = ann.follow(**headers)
    assert stream.status == 400
    assert not house_streams(table)
    stream.close()


def house_streams(table) -> int:
    sessions = table.house.factory.app.sessions
    return sum(len(each.face.streams) for each in sessions._sessions.values())


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (masked(1, b"x" * (LiveStream.largest + 1)), 1008),
        (masked(1, b"x" * 5000), 1009),
        (masked(1, b"x" * 40, final=False) + masked(0, b"x" * 60, final=False), 1009),
        (masked(2, b"?"), 1003),
        (masked(9, b"") * 20, 1009),
        (b"\x81\x01?", 1002),  # not masked, as RFC 6455 forbids
        (b"\xff" * 60, 1002),
    ],
    ids=["long", "longer", "in-pieces", "bytes", "pings", "unmasked", "noise"],
)
def test_what_no_page_of_ours_sends_ends_the_stream_before_it_is_gathered(party, sent, code):
    table = party("Ann", "Ben").come()
    stream = following(table.players["Ann"])
    stream.messages()
    stream.send(sent)
    stream.messages()
    assert stream.closed_with == code
    assert stream.wire.ended
    stream.wire.hang_up()
    assert not house_streams(table)


def test_asking_without_end_ends_the_stream(party):
    table = party("Ann", "Ben").come()
    stream = following(table.players["Ann"])
    for _ in range(40):
        stream.ask()
    stream.messages()
    assert stream.closed_with == 1008
    stream.close()


def test_streams_that_are_opened_and_cut_leave_nothing_behind(party, house):
    table = party("Ann", "Ben").come()
    ann = table.players["Ann"]
    ann.get(ann.at)
    timers = len(house.clock.getDelayedCalls())
    for _ in range(5 * MOST_STREAMS):
        house.clock.advance(0.05)
        stream = ann.follow()
        assert stream.status == 101
        stream.close()
    assert not house_streams(table)
    assert house.factory.links == set()
    assert len(house.clock.getDelayedCalls()) <= timers + 1
    assert house.browser().get("/").status == 200


def test_a_house_that_closes_ends_every_stream(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    stream = following(ann)
    house.host.close()
    house.settle()
    house.settle()
    assert all("gone" not in each for each in stream.messages()), "the page comes back by itself"
    assert stream.closed_with == 1000
    assert stream.wire.disconnecting
    assert ann.get(ann.at).status == 503
    stream.close()


def test_play_that_is_paused_says_so_on_every_page(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    stream = following(ann)
    stream.messages()
    house.journal.on_trouble("the disk is full")
    assert "Play is paused" in stream.frames()[-1]["parts"]["felt"]
    assert ann.get(ann.at).shows("Play is paused")
    house.journal.on_trouble(None)
    assert "Play is paused" not in stream.frames()[-1]["parts"]["felt"]
    stream.close()


def test_one_player_cannot_open_streams_without_end(party):
    table = party("Ann", "Ben").come()
    ann = table.players["Ann"]
    ann.get(ann.at)
    streams = [ann.follow() for _ in range(12)]
    assert {each.status for each in streams} == {101}
    assert ann.follow().status == 429
    streams.pop().close()
    streams.append(ann.follow())
    assert streams[-1].status == 101
    for stream in streams:
        stream.close()


def test_the_organizer_sees_live_who_comes(party):
    table = party("Ann", "Ben")
    table.organizer.get(table.page)
    stream = table.organizer.follow()
    stream.messages()
    table.come("Ann")
    stream.frames()
    assert "is here" in stream.parts["felt"]
    stream.close()


@pytest.mark.parametrize("kind", [each.kind for each in installed_rules()])
def test_every_part_has_an_id_of_its_own_and_no_id_stands_twice(house, kind):
    """The script finds by ids what has changed: one of two alike would be patched in the place of the other."""
    browser = house.browser()
    browser.get("/")
    browser.post("/play", game=kind, name="Ann")
    ids = IDS.findall(browser.page.text)
    assert len(ids) == len(set(ids)), sorted(each for each in ids if ids.count(each) > 1)
    assert {"facts", "felt", "dock", "hand", "p-score", "p-log", "act", "said"} <= set(ids)


def test_a_pile_beyond_all_measure_is_no_page_beyond_all_measure(house):
    browser = house.browser()
    browser.get("/open/nim")
    most = next(
        each.bounds.high
        for each in settings_of(house.hall.registry.latest("nim").options)
        if each.name == "stones"
    )
    browser.post("/open/nim", name="Ann", **{"game.stones": int(most), "game.maximum": 1000})
    for wish in ("bot", "start"):
        assert browser.post(f"{browser.at}wish", wish=wish).status == 200
    assert len(browser.page.text.encode()) < 60_000
    typed = browser.post(f"{browser.at}move", decision=browser.decision, typed="900 reset")
    assert typed.status == 200
    assert (
        house.hall.find(browser.at.split("/")[2]).seen_by(None, 0.0).board.board.left <= most - 900
    )


@pytest.mark.parametrize("kind", ["gops", "nim", "rikiki"])
def test_what_bots_do_in_a_game_without_looks_of_its_own_can_be_followed(house, monkeypatch, kind):
    monkeypatch.setattr(picture, "installed_pages", dict)
    browser = house.browser()
    browser.get("/")
    browser.post("/play", game=kind, name="Ann")
    stream = browser.follow()
    stream.messages()
    browser.get(browser.at)
    moves = 0
    while moves < 3 and (legal := house.hall.find(browser.at.split("/")[2]).legal_moves(0)):
        browser.send(f"{browser.at}move", decision=browser.decision, move=value_of(legal[-1]))
        frames = [each for each in stream.frames() if "felt" in each["parts"]]
        assert len(frames) > 1, "one's own move, then that of each bot"
        assert all(each.get("rest") == 700 for each in frames[:-1])
        browser.get(browser.at)
        moves += 1
    assert moves == 3
    stream.close()


@pytest.mark.parametrize("urgent", [True, False])
def test_a_picture_that_cannot_wait_for_moments_is_marked_so(party, monkeypatch, urgent):
    facts = NimPages.facts
    monkeypatch.setattr(NimPages, "facts", lambda *given: {**facts(*given), "urgent": urgent})
    table = party("Ann", "Ben", kind="nim").come().start()
    stream = following(table.players["Ann"])
    stream.messages()
    table.move()
    frames = stream.frames()
    assert frames and {each.get("urgent", False) for each in frames} == {urgent}
    stream.close()
