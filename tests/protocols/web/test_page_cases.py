"""What has happened to other houses, tried at tables of every game: lost presses, twin tabs, translated pages."""

from __future__ import annotations

import re

import pytest

from gamecore.rules import installed_rules
from protocols.testing import KeptJournal, ManualClock
from protocols.web.render import value_of
from protocols.web.table_presses import LATE
from tests.protocols.web.conftest import Party

KINDS = [each.kind for each in installed_rules()]
DECISIONS = 8  # of each game, with each loss


def deciding(table):
    """Find who is to move, a browser on a fresh page of that seat, and two moves that are legal there."""
    name = table.name_to_move()
    browser = table.players[name]
    browser.get(browser.at)
    moves = table.table.legal_moves(table.table.names.index(name))
    return name, browser, value_of(moves[0]), value_of(moves[-1])


def played(table, name):
    return table.table.player(table.table.names.index(name)).played


@pytest.mark.parametrize("lost", ["request", "reply"])
@pytest.mark.parametrize("kind", KINDS)
def test_of_two_presses_for_one_decision_one_is_played_and_the_other_never_later(party, kind, lost):
    """The page presses again for what it shows still, since it has heard nothing of the first press."""
    table = party("Ann", "Ben", kind=kind).come().start()
    for _ in range(DECISIONS):
        if table.table.stage.value != "playing":
            break
        name, browser, first, second = deciding(table)
        before, decision, page = played(table, name), browser.decision, browser.at
        if lost == "reply":
            assert browser.send(f"{page}move", decision=decision, move=first).status == 303
        answer = browser.send(f"{page}move", decision=decision, move=second)
        assert answer.status == (303 if lost == "request" else 409)
        assert played(table, name) == before + 1
        if table.table.stage.value == "playing":
            table.move()
        late = browser.send(f"{page}move", decision=decision, move=second)
        assert (late.status, late.shows(LATE)) == (409, True)
        assert played(table, name) <= before + 2, "none but what was pressed for another decision"


@pytest.mark.parametrize("kind", KINDS)
def test_two_tabs_of_a_seat_show_it_both_and_a_press_in_either_is_one_move(party, kind):
    table = party("Ann", "Ben", kind=kind).come().start()
    name, browser, first, second = deciding(table)
    tabs = [browser.follow(), browser.follow()]
    other = next(each for each in table.players.values() if each is not browser)
    other.get(other.at)
    looking = other.follow()
    for stream in (*tabs, looking):
        assert stream.status == 101
        stream.messages()
    before = played(table, name)
    assert browser.send(f"{browser.at}move", decision=browser.decision, move=first).status == 303
    assert browser.send(f"{browser.at}move", decision=browser.decision, move=second).status == 409
    assert played(table, name) == before + 1
    assert [each["parts"] for each in tabs[0].frames()] == [
        each["parts"] for each in tabs[1].frames()
    ]
    tabs.pop().close()
    table.house.clock.advance(30)
    told = str(looking.messages())
    assert not re.search("is away|is back|lost the connection", told)
    assert table.table.presence(table.table.names.index(name)).value == "here"
    tabs.pop().close(), looking.close()


def test_tabs_that_wake_all_at_once_after_a_restart_have_the_seat_and_take_it_from_nobody(
    make_house,
):
    clock = ManualClock()
    journal = KeptJournal(clock)
    before = make_house(journal=journal, clock=clock)
    table = Party(before, "Ann", "Ben").come().start()
    ann = table.players["Ann"]
    before.close()
    house = make_house(journal=journal.next(), clock=clock)
    house.host.begin()
    house.settle()
    ann.house = house
    house.browsers.append(ann)
    tabs = [ann.follow() for _ in range(3)]
    assert {each.status for each in tabs} == {101}
    for tab in tabs:
        assert all("gone" not in each for each in tab.messages())
    assert house.hall.find(table.code).presence(0).value == "here"
    for tab in tabs:
        tab.close()
    house.close()


def test_where_a_pass_is_used_all_tabs_of_the_old_device_are_put_out_and_the_new_one_plays(party):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    tabs = [ann.follow(), ann.follow()]
    link = re.search(r"http://parlour\.test(/pass/[^\"]+)", table.do("Ann", "pass").text)[1]
    phone = table.house.browser()
    phone.get(link)
    phone.post("/pass/", secret=link.split("/")[2])
    for tab in tabs:
        assert tab.messages()[-1] == {"gone": "taken-over"}
        tab.close()
    assert ann.follow().status == 403
    assert ann.post(f"{ann.at}move", decision=ann.decision, move="{}").status == 403
    move = value_of(table.table.legal_moves(0)[0])
    assert phone.post(f"{phone.at}move", decision=phone.decision, move=move).status == 200


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_says_its_language_and_what_of_it_is_not_to_be_translated(party, kind, language):
    table = party("Ann", "Ben", kind=kind).come().start()
    ann = table.players["Ann"]
    ann.language = language
    text = ann.get(ann.at).text
    assert f'<html lang="{language}">' in text
    names = re.findall(r'<span class="name"([^>]*)>', text)
    assert names and all('translate="no"' in each for each in names)
    values = re.findall(r'<(?:tbody|pre|b class="called")([^>]*)>', text)
    assert all('translate="no"' in each for each in values)
