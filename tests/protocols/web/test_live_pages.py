"""Pages kept up to date: what is pushed, under which number, and what becomes of a stream that breaks."""

from __future__ import annotations

import re

from protocols.web.event_stream import ALIVE_SECONDS


def test_a_stream_says_nothing_until_something_happens(party):
    table = party().come("Ann")
    ann = table.players["Ann"]
    told = re.search(r'data-after="(\d+)"', ann.get(ann.at).text)[1]
    stream = ann.follow(after=told)
    assert stream.events() == []
    table.come("Ben")
    (event,) = stream.events()
    assert event["event"] == "table"
    assert int(event["id"]) == int(told) + 1
    assert "Ben" in event["data"]
    assert "<html" not in event["data"]
    stream.close()


def test_a_stream_that_was_cut_goes_on_where_it_was(party):
    table = party().come("Ann")
    ann = table.players["Ann"]
    ann.get(ann.at)
    stream = ann.follow()
    last = stream.events()[-1]["id"]
    stream.close()
    again = ann.follow(last=last)
    assert again.events() == [], "nothing was missed"
    again.close()
    table.come("Ben")
    missed = ann.follow(last=last)
    (event,) = missed.events()
    assert int(event["id"]) == int(last) + 1
    missed.close()


def test_the_number_is_that_of_the_own_stream_and_counts_no_secret(party):
    table = party("Ann", "Ben", first="5").come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    numbers = []
    for browser in (ann, ben):
        browser.get(browser.at)
        stream = browser.follow()
        numbers.append(int(stream.events()[-1]["id"]))
        stream.close()
    seats = table.table.seated()
    assert numbers == [seats[0].told, seats[1].told]


def test_what_is_pushed_to_one_holds_nothing_of_the_others_cards(party):
    table = party("Ann", "Ben", first="10").come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    own = set(re.findall(r"cards/(\w\w)\.svg", ann.get(ann.at).text))
    others = set(re.findall(r"cards/(\w\w)\.svg", ben.get(ben.at).text)) - own
    streams = [each.follow() for each in (ann, table.organizer)]
    table.do("Ann", "bid", tricks=0)
    for stream in streams:
        data = "".join(event["data"] for event in stream.events())
        assert not others & set(re.findall(r"cards/(\w\w)\.svg", data))
        stream.close()


def test_all_pages_of_a_player_are_pushed_to_each_in_its_own_language(party):
    table = party("Ann", "Ben", first="5").come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    english = ann.follow()
    ann.language = "fr-CA, en;q=0.5"
    french = ann.follow()
    assert "It is your turn to bid." in english.events()[-1]["data"]
    assert "C&#39;est à vous d&#39;annoncer." in french.events()[-1]["data"]
    table.do("Ann", "bid", tricks=1)
    assert "Ben is to bid." in english.events()[-1]["data"]
    assert "C&#39;est à Ben d&#39;annoncer." in french.events()[-1]["data"]
    english.close()
    french.close()


def test_the_organizer_sees_live_who_confirms(party):
    table = party("Ann", "Ben")
    table.organizer.get(table.page)
    stream = table.organizer.follow()
    stream.events()
    table.come("Ann")
    assert "is here" in stream.events()[-1]["data"]
    stream.close()


def test_those_who_look_on_share_one_face(party, house):
    table = party("Ann", "Ben", first="2").come().start()
    watchers = [house.browser() for _ in range(3)]
    streams = []
    for each in watchers:
        each.get(f"/watch/{table.code}/")
        streams.append(each.follow())
    here = len(house.factory.app.sessions)
    assert here == 4  # two players, the organizer, and one for all who look on
    table.move()
    pushed = [stream.events()[-1]["data"] for stream in streams]
    assert pushed[0].replace("csrf", "") and all("Ben" in each for each in pushed)
    for stream in streams:
        stream.close()


def test_a_stream_is_kept_alive_and_a_silent_page_is_not_dropped(party, house):
    table = party("Ann", "Ben", seconds="86400").come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    stream = ann.follow()
    stream.events()
    for _ in range(40):
        house.clock.advance(ALIVE_SECONDS)
    house.settle()
    assert b":\n\n" in stream.wire.value()
    assert not stream.wire.disconnecting
    assert table.table.presence(0).value == "here"
    stream.close()


def test_a_page_without_a_stream_is_kept_for_minutes(party, house):
    table = party("Ann", "Ben", seconds="86400").come().start()
    house.clock.advance(200)
    house.settle()
    assert table.table.presence(0).value == "here"
    house.clock.advance(110)
    house.settle()
    assert table.table.presence(0).value == "away"
    ann = table.players["Ann"]
    assert ann.get(ann.at).shows("Ann is back.") or ann.page.status == 200
    assert table.table.presence(0).value == "here"


def test_a_peer_that_does_not_read_gets_the_latest_instead_of_all(party):
    table = party("Ann", "Ben", "Cat", first="5").come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    stream = ann.follow()
    stream.events()
    stream.wire.producer.pauseProducing()
    for _ in range(3):
        table.move()
    assert stream.events() == []
    stream.wire.producer.resumeProducing()
    (event,) = stream.events()
    assert "It is your turn to lead." in event["data"]
    stream.close()


def test_one_who_is_taken_over_hears_that_there_is_nothing_to_come_back_to(party, house):
    from protocols.web.face import WebFace

    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    stream = ann.follow()
    stream.events()
    token = next(value for name, value in ann.cookies.items() if table.code in name)
    telnet = WebFace(house.host)
    telnet.ask(lambda tag: house.host.come_back(telnet, token, tag))
    house.settle()
    house.settle()
    assert [event["event"] for event in stream.events()] == ["gone"]
    assert ann.ask("GET", f"{ann.at}live").status == 403
    stream.close()
    house.host.leave(telnet)


def test_nobody_follows_a_page_that_is_not_theirs(party, house):
    table = party("Ann", "Ben").come().start()
    stranger = house.browser()
    for page in (table.players["Ann"].at, table.page):
        assert stranger.ask("GET", f"{page}live").status == 403
    assert stranger.ask("GET", "/watch/ABCDE/live").status == 404


def test_a_house_that_closes_ends_every_stream(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    stream = ann.follow()
    house.host.close()
    house.settle()
    house.settle()
    assert stream.wire.value().endswith(b"0\r\n\r\n"), "the stream has ended"
    assert all(event["event"] == "table" for event in stream.events())
    assert ann.get(ann.at).status == 503
    stream.close()


def test_play_that_is_paused_says_so_on_every_page(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    stream = ann.follow()
    stream.events()
    house.journal.on_trouble("the disk is full")
    assert "Play is paused" in stream.events()[-1]["data"]
    assert ann.get(ann.at).shows("Play is paused")
    house.journal.on_trouble(None)
    assert "Play is paused" not in stream.events()[-1]["data"]
    stream.close()


def test_one_player_cannot_open_streams_without_end(party):
    table = party("Ann", "Ben").come()
    ann = table.players["Ann"]
    ann.get(ann.at)
    streams = [ann.follow() for _ in range(12)]
    assert ann.ask("GET", f"{ann.at}live").status == 429
    streams.pop().close()
    streams.append(ann.follow())
    assert streams[-1].events()
    for stream in streams:
        stream.close()


def test_what_those_who_look_on_see_is_drawn_once_for_all(party, house, monkeypatch):
    from protocols.web import application

    table = party("Ann", "Ben", first="2").come().start()
    drawn = []
    render = application.render
    monkeypatch.setattr(
        application, "render", lambda *a, **k: drawn.append(a[0]) or render(*a, **k)
    )
    streams = []
    for language in ("en", "en", "fr"):
        browser = house.browser(language=language)
        browser.get(f"/watch/{table.code}/")
        streams.append(browser.follow())
        streams[-1].events()
    drawn.clear()
    table.move()
    assert [each for each in drawn if "watch" in each] == ["rikiki/watch_live.html"] * 2
    assert all(stream.events() for stream in streams)
    for stream in streams:
        stream.close()
