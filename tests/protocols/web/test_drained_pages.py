"""Pages of a daemon that was asked to end: they say so, and come anew, to be led to another."""

from __future__ import annotations

import pytest

from protocols.web.factory import MOVE_SECONDS
from tests.protocols.web.conftest import token_of

NOTICE = "This server is about to end: games go on, but none begins here any more. This page comes to another"


def drain(house, linked=True):
    house.host.service.drain()
    house.factory.drain(linked)
    house.settle()


def following(browser):
    browser.get(browser.at)
    stream = browser.follow()
    stream.messages()
    return stream


@pytest.mark.parametrize("playing", [False, True], ids=["who waits", "who plays"])
def test_a_page_says_that_its_server_is_about_to_end_and_comes_anew_where_it_was(party, playing):
    table = party("Ann", "Ben", **{"game.first": 5}).come()
    if playing:
        table.start()
    ann, house = table.players["Ann"], table.house
    stream, place = following(ann), token_of(ann)
    drain(house)
    (frame,) = stream.frames()
    assert NOTICE in " ".join(frame["parts"]["felt"].split())
    assert ann.get(ann.at).shows(NOTICE) and stream.closed_with is None
    house.pass_time(MOVE_SECONDS)
    assert not any("gone" in each for each in stream.messages())
    assert stream.closed_with == 1000
    again = following(ann)
    house.pass_time(2 * MOVE_SECONDS)
    assert again.closed_with is None and token_of(ann) == place
    assert table.table.names[0] == "Ann"
    again.close()


def test_the_first_page_says_so_too_and_who_comes_then_sees_it(house):
    browser = house.browser()
    browser.get("/")
    stream = following(browser)
    drain(house)
    house.pass_time(2.0)
    stream.messages()
    assert NOTICE in stream.parts["tables"]
    assert house.browser().get("/").shows(NOTICE)
    house.pass_time(MOVE_SECONDS)
    stream.messages()
    assert stream.closed_with == 1000


@pytest.mark.parametrize("drains", [False, True])
def test_who_is_led_to_another_server_is_not_told_that_somebody_has_taken_the_place(party, drains):
    table = party("Ann", "Ben").come()
    ann, house = table.players["Ann"], table.house
    stream, token = following(ann), token_of(ann)
    if drains:
        drain(house)
    house.come_back(token)
    assert any("gone" in each for each in stream.messages()) is not drains
    assert stream.closed_with == 1000
    house.pass_time(MOVE_SECONDS)


def test_a_page_stays_where_no_other_server_could_show_its_table(party):
    table = party("Ann", "Ben").come()
    ann, house = table.players["Ann"], table.house
    stream = following(ann)
    drain(house, linked=False)
    house.pass_time(3 * MOVE_SECONDS)
    assert any(NOTICE in str(each) for each in stream.frames())
    assert stream.closed_with is None
    stream.close()
