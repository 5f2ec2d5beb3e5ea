"""The player's pages, from the invitation to the last trick, as the specification's checklist has them."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest

from gamecore.cards import read_card
from gamecore.games.rikiki import Bid, ChooseCards, PlayCard
from gamecore.rules import NextRound, installed_rules
from protocols.testing import KeptJournal, ManualClock
from protocols.web.face import WebFace
from protocols.web.render import value_of
from tests.protocols.web.conftest import Party, cards_in, part, token_of

# -- the invitation -------------------------------------------------------------------


def test_an_unknown_invitation_opens_nothing(house, party):
    table = party()
    stranger = house.browser()
    for token in ("x", "ABCDE.0000", f"{table.code}.{'0' * 32}", "é" * 3, "a" * 200):
        page = f"/invitation/{token.encode().hex()}/"
        assert stranger.get(page).status == 403
        stranger.get("/")
        assert stranger.post(page, name="Eve").status == 403
    assert stranger.get("/invitation/").status == 404
    assert table.table.players == 0


def test_the_name_is_filled_in_and_may_be_another(party, house):
    table = party("Ann", "Ben", "Cat")
    browser = house.browser()
    assert 'value="Ben"' in browser.get(table.links["Ben"]).text
    browser.post(table.links["Ben"], name="  Big Ben ")
    assert browser.page.shows("Big Ben (you)")


def test_an_invitation_to_a_table_at_rest_is_good_also_where_the_answer_waits_for_its_turn(
    make_house,
):
    """The table rests again behind the answer to who knocks, before the page goes on."""
    clock = ManualClock()
    journal = KeptJournal(clock)
    before = make_house(journal=journal, clock=clock)
    link = Party(before, "Ann", "Ben").links["Ben"]
    before.close()
    house = make_house(journal=journal.next(), clock=clock)
    house.host.begin()
    house.settle()
    house.host.turns.call_for_nobody = lambda work: clock.callLater(0, work)
    ben = house.browser()
    assert 'value="Ben"' in ben.get(link).text
    assert not house.host.service.live.find(link.split("/")[2].partition(".")[0])
    assert ben.post(link, name="Ben").shows("Ben (you)")
    house.close()  # before the other, since they have one clock


def test_a_blank_name_keeps_the_proposed_one(party, house):
    table = party("Ann", "Ben")
    browser = house.browser()
    browser.get(table.links["Ben"])
    assert browser.post(table.links["Ben"], name="   ").shows("Ben (you)")


def test_a_name_that_is_taken_or_none_is_refused_with_the_form(party, house):
    table = party("Ann", "Ben").come("Ann")
    browser = house.browser()
    browser.get(table.links["Ben"])
    for name, why in (("ann", "Somebody here has that name"), ("***", "at least one letter")):
        answer = browser.post(table.links["Ben"], name=name)
        assert answer.status == 409
        assert answer.shows(why)
        assert answer.shows("Take your seat")
    assert browser.post(table.links["Ben"], name="Ben").status == 200


def test_looking_at_an_invitation_does_not_use_it_up(party, house):
    table = party()
    for _ in range(3):
        assert house.browser().get(table.links["Ann"]).status == 200
    table.come("Ann")
    assert table.players["Ann"].page.shows("Ann (you)")


def test_an_invitation_is_dead_once_it_was_accepted_but_leads_its_own_browser_back(party, house):
    table = party().come("Ann")
    ann, stranger = table.players["Ann"], house.browser()
    assert stranger.get(table.links["Ann"]).status == 403
    stranger.get("/")
    assert stranger.post(table.links["Ann"], name="Eve").status == 403
    assert ann.get(table.links["Ann"]).shows("Ann (you)")
    assert ann.post(table.links["Ann"], name="Zoe").shows("Ann (you)")


def test_who_comes_too_late_is_told_so_by_name_and_may_look_on(party, house):
    table = party("Ann", "Ben", "Cat").come("Ann", "Ben")
    browser = house.browser()
    assert browser.get(table.links["Cat"]).shows("Take your seat")
    table.start()
    answer = browser.get(table.links["Cat"])
    assert answer.status == 200
    assert answer.shows("Too late, Cat")
    assert f"/t/{table.code}/" in answer.text
    assert browser.post(table.links["Cat"], name="Cat").shows("Too late, Cat")


def test_the_cookie_is_none_of_the_other_secrets_and_no_script_sees_it(party, house):
    table = party()
    browser = house.browser()
    browser.get(table.links["Ann"])
    answer = browser.send(table.links["Ann"], name="Ann")
    cookie = next(each for each in answer.cookies if each.startswith("parlour-place="))
    value = cookie.partition("=")[2].partition(";")[0]
    assert value != table.token("Ann")
    for each in ("httponly", "samesite=lax", f"path={answer.location.lower()};"):
        assert each in f"{cookie.lower()};"
    listed = next(each for each in answer.cookies if each.startswith("parlour-places="))
    assert value.partition(".")[2] not in listed
    assert "secure" not in cookie.lower()
    assert value not in browser.get(answer.location).text
    assert table.token("Ann") not in browser.page.text


# -- the waiting room ------------------------------------------------------------------


def test_the_waiting_room_shows_everybody_in_the_listed_order(party):
    table = party("Ann", "Ben", "Cat").come("Cat", "Ann")
    ann = table.players["Ann"]
    people = part(ann.get(ann.at).text, "felt")
    assert [people.index(each) for each in ("Ann", "Ben", "Cat")] == sorted(
        people.index(each) for each in ("Ann", "Ben", "Cat")
    )
    assert ann.page.shows("Ann (you)")
    assert ann.page.shows("Ben is expected")
    assert ann.page.shows("Cat is here")


def test_names_with_marks_in_them_are_shown_as_text(party, house):
    table = party("<b>An</b>", "Ben").come()
    for browser in (*table.players.values(), table.organizer):
        assert "<b>An</b>" not in browser.get(browser.at).text
        assert "&lt;b&gt;An&lt;/b&gt;" in browser.page.text


# -- bids ------------------------------------------------------------------------------


def test_bids_are_made_in_turn_with_those_before_in_sight(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    assert re.findall(r'id="bid-(\d)"', ann.get(ann.at).text) == list("012345")
    assert 'id="bids"' not in ben.get(ben.at).text
    assert ben.page.shows("Ann to move.")
    table.play("Ann", Bid(3))
    assert 'id="bids"' not in ann.page.text
    assert ben.get(ben.at).shows("3 bid so far, of 5.")
    assert ann.get(ann.at).shows("Ben to move.")


def test_bids_that_are_none_are_refused_with_a_reason(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    cases = {
        '{"is":"Bid","tricks":27}': "from 0 to 5",
        '{"is":"Bid","tricks":-1}': "from 0 to 5",
        '{"is":"Bid","tricks":"1"}': "a whole number is wanted",
        '{"is":"Bid","tricks":1.5}': "a whole number is wanted",
        '{"is":"Bid"}': "this is missing",
        '{"is":"Bud","tricks":1}': "an object is wanted",
        "[1]": "an object is wanted",
        "{" * 5000: "an object is wanted",
        "x": "an object is wanted",
    }
    for move, why in cases.items():
        answer = table.do("Ann", "move", move=move)
        assert (answer.status, answer.shows(why)) == (409, True), move
        assert answer.shows("How many tricks will you take?")
    assert table.do("Ann", "move").status == 409
    answer = table.play("Ben", Bid(1))
    assert answer.status == 409
    assert answer.shows("It is not your turn. Waiting for Ann.")
    assert answer.shows("0 bid of 5"), "what was refused counts nowhere"
    assert table.play("Ann", PlayCard(read_card("AS"))).status == 409
    assert table.play("Ann", Bid(2)).status == 200
    assert table.play("Ann", Bid(3)).status == 409
    assert table.players["Ann"].get(table.players["Ann"].at).shows("2 bid of 5")


def test_a_bid_may_be_typed_as_at_a_terminal(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    assert table.do("Ann", "move", typed="bid x").shows("Say BID and a number")
    assert table.do("Ann", "move", typed="bid 2").shows("2 bid of 5")


def test_a_press_is_for_the_decision_that_its_page_was_drawn_for(party):
    """A second press, and one on a page that is old, plays nothing."""
    table = party("Ann", "Ben", **{"game.first": 3}).come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    old = ann.decision
    bid = value_of(Bid(1))
    assert ann.send(f"{ann.at}move", decision=old, move=bid).status == 303
    answer = ann.post(f"{ann.at}move", decision=old, move=bid)
    assert (answer.status, answer.shows("That press came too late")) == (409, True)
    table.play("Ben", Bid(1))
    card = ann.house.hall.find(table.code).legal_moves(0)[0]
    for decision in (old, "", "x"):
        assert ann.post(f"{ann.at}move", decision=decision, move=value_of(card)).status == 409
    assert len(table.table.seen_by(0, 0.0).board.hand) == 3
    assert table.play("Ann", card).status == 200


def test_a_press_before_the_clock_decided_is_not_played_after_it(party, house):
    table = party("Ann", "Ben", **{"game.first": 3, "game.seconds": 5}).come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    old = ann.decision
    while table.table.seen_by(None, 0.0).board.phase == "bidding" or 0 not in table.table.awaited():
        house.clock.advance(5)
        house.settle()
    first = table.table.legal_moves(0)[0]
    answer = ann.post(f"{ann.at}move", decision=old, move=value_of(first))
    assert answer.shows("That press came too late")


def test_the_script_is_answered_in_a_word(party):
    table = party("Ann", "Ben", **{"game.first": 3}).come().start()
    ann = table.players["Ann"]
    ann.get(ann.at)
    for move, said in ((Bid(9), "A bid is a number from 0 to 3."), (Bid(1), "")):
        body = {"csrf": ann.csrf, "decision": ann.decision, "move": value_of(move)}
        headers = {"Accept": "application/json"}
        answer = ann.ask("POST", f"{ann.at}move", urlencode(body).encode(), headers)
        assert answer.headers["content-type"] == "application/json"
        assert json.loads(answer.text) == {"said": said, "to": ""}


def test_the_bid_that_is_barred_is_named(party):
    table = party("Ann", "Ben", **{"game.first": 5, "game.hook": "last"}).come().start()
    table.play("Ann", Bid(2))
    ben = table.players["Ben"]
    assert ben.get(ben.at).shows("2 bid so far, of 5; not 3.")
    assert table.play("Ben", Bid(3)).shows("The last to bid may not bid 3")


# -- cards -----------------------------------------------------------------------------


def hand_of(browser) -> list[str]:
    return cards_in(part(browser.get(browser.at).text, "hand"))


def playable_by(browser) -> list[str]:
    text = part(browser.get(browser.at).text, "hand")
    return [
        json.loads(unescape(value))["card"]["rank"] + json.loads(unescape(value))["card"]["suit"]
        for value in re.findall(r"name=\"move\" value='([^']+)'", text)
    ]


def test_everybody_sees_only_their_own_cards_sorted_by_suit(party):
    table = party("Ann", "Ben", "Cat", **{"game.first": 10}).come().start()
    hands = [hand_of(each) for each in table.players.values()]
    assert [len(hand) for hand in hands] == [10, 10, 10]
    assert len({card for hand in hands for card in hand}) == 30
    for hand in hands:
        suits = [card[1] for card in hand]
        assert suits == sorted(suits, key="SCDH".index)


def test_cards_are_played_in_turn_and_following_suit(party):
    table = party("Ann", "Ben", "Cat", **{"game.first": 10}).come().start()
    for name in ("Ann", "Ben", "Cat"):
        table.play(name, Bid(1))
    ann, ben = table.players["Ann"], table.players["Ben"]
    assert len(playable_by(ann)) == 10
    assert playable_by(ben) == []
    led = playable_by(ann)[0]
    other = hand_of(ben)[0].replace("T", "10")
    assert table.play("Ben", PlayCard(read_card(other))).shows("It is not your turn.")
    card = read_card(other)
    assert table.play("Ann", PlayCard(card)).shows(f"You do not hold {card.signed}.")
    assert table.play("Ann", PlayCard(read_card(led))).status == 200
    assert len(hand_of(ann)) == 9
    assert table.play("Ann", PlayCard(read_card(led))).status == 409
    held = [card.replace("T", "10") for card in hand_of(ben)]
    may = playable_by(ben)
    follows = [card for card in held if card[-1] == led[-1]]
    assert may == (follows or held)
    if follows and len(follows) < len(held):
        wrong = next(card for card in held if card[-1] != led[-1])
        assert table.play("Ben", PlayCard(read_card(wrong))).shows("follow suit")


def test_the_trick_stays_until_the_winner_leads_again(party):
    table = party("Ann", "Ben", **{"game.first": 3}).come().start()
    while len(cards_in(part(table.organizer.get(table.page).text, "felt"))) < 3:
        table.move()
    for browser in (*table.players.values(), table.organizer):
        text = browser.get(browser.at).text
        assert len(cards_in(part(text, "felt"))) == 3  # the trick, and the card that was turned
        assert len(re.findall(r'class="lay [^"]* best"', text)) == 1
    assert table.organizer.page.shows("takes the trick")
    table.move()
    assert len(cards_in(part(table.organizer.get(table.page).text, "felt"))) == 2


def test_a_round_ends_with_words_points_and_the_next_for_anybody(party):
    table = party("Ann", "Ben", **{"game.first": 2, "game.scoring": "tricks10"}).come().start()
    while table.table.stage.value == "playing":
        table.move()
    ann, ben = table.players["Ann"], table.players["Ben"]
    for browser in (ann, ben):
        answer = browser.get(browser.at)
        assert answer.shows("Round 1 is over")
        assert re.search(r"Ann \d of \d [+-]\d+", answer.words)
        assert cards_in(part(answer.text, "hand")) == []
        assert 'id="m-next"' in answer.text
    pressed = {"move": value_of(NextRound()), "decision": ann.decision}
    ann.post(f"{ann.at}move", **pressed)
    late = ben.post(f"{ben.at}move", move=value_of(NextRound()), decision=ben.decision)
    assert late.status == 200, "two finish at once"
    assert ann.get(ann.at).shows("Round 2/2")
    assert table.play("Ben", NextRound()).status == 200, "and a late press is ignored"
    while table.table.stage.value == "playing":
        table.move()
    for browser in (ann, ben):
        answer = browser.get(browser.at)
        assert answer.shows("The game is over")
        assert 'id="step-1"' in answer.text
        assert answer.shows("The seed of game 1 was")
        assert 'id="m-next"' not in answer.text


def test_no_points_where_none_are_kept(party):
    table = party("Ann", "Ben", **{"game.first": 1, "game.scoring": "none"}).come().start()
    while table.table.stage.value == "playing":
        table.move()
    answer = table.organizer.get(table.page)
    assert "point" not in part(answer.text, "felt")
    assert "Total" not in part(answer.text, "p-score")


def test_who_may_say_how_many_cards_the_next_round_deals(party):
    table = party("Ann", "Ben", **{"game.first": 3}).come().start()
    while table.table.stage.value == "playing":
        table.move()
    ann = table.players["Ann"]
    assert 'id="choose-cards"' not in ann.get(ann.at).text, "the organizer says it"
    assert 'id="cards" name="move.cards"' in table.organizer.get(table.page).text
    choose = {"move": value_of(ChooseCards(2)), "move.cards": 5}
    answer = table.organizer.post(f"{table.page}move", **choose)
    assert (answer.status, answer.shows("The next round deals 5 cards to each.")) == (200, True)
    assert table.wish("next").shows("0 bid of 5")


# -- lost, taken over, left ------------------------------------------------------------


def test_a_lost_tab_comes_back_by_the_same_link(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    hand = hand_of(ann)
    stream = ann.follow()
    stream.close()
    house.clock.advance(30)
    house.settle()
    ben = table.players["Ben"]
    assert ben.get(ben.at).shows("is away")
    ann.get(table.links["Ann"])
    assert hand_of(ann) == hand
    assert not ben.get(ben.at).shows("is away")


def test_the_page_of_one_is_not_the_page_of_another(party):
    table = party("Ann", "Ben").come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    assert ben.get(ann.at).status == 403
    ben.cookies[ann.at, "parlour-place"] = f"{table.code}.forged"
    assert ben.get(ann.at).status == 403


def test_two_players_may_share_one_browser(party, house):
    table = party("Ann", "Ben")
    browser = house.browser()
    pages = []
    for name in ("Ann", "Ben"):
        browser.get(table.links[name])
        browser.post(table.links[name], name=name)
        pages.append(browser.at)
    assert browser.get(pages[0]).shows("Ann (you)")
    assert browser.get(pages[1]).shows("Ben (you)")


def test_who_is_taken_over_by_another_program_says_so_and_may_come_back(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    token = token_of(ann)
    telnet = WebFace(house.host)
    telnet.ask(lambda tag: house.host.come_back(telnet, token, tag))
    house.settle()
    assert ann.get(ann.at).shows("You are elsewhere")
    assert telnet.parted_why is None
    assert ann.post(f"{ann.at}back").status == 200
    assert telnet.parted_why == "taken-over"


def test_who_leaves_is_gone_for_good(party):
    table = party("Ann", "Ben", "Cat").come().start()
    ann, page = table.players["Ann"], table.players["Ann"].at
    assert table.players["Ann"].get(page).shows("there is no way back to it")
    assert table.do("Ann", "leave").shows("Open tables")
    assert ann.get(page).status == 403
    ben = table.players["Ben"]
    assert ben.get(ben.at).shows("has left")


def test_nobody_leaves_a_house_that_closes(party, house):
    table = party("Ann", "Ben", "Cat").come().start()
    ann = table.players["Ann"]
    token = token_of(ann)
    house.host.close()
    assert ann.post(f"{ann.at}leave").shows("is closing")
    assert token_of(ann) == token


def test_a_pass_takes_a_player_to_another_device(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    hand = hand_of(ann)
    stream = ann.follow()
    answer = table.do("Ann", "pass")
    link = re.search(r"http://parlour\.test(/pass/[^\"]+)", answer.text)[1]
    phone = house.browser()
    phone.get(link)
    phone.post("/pass/", secret=link.split("/")[2])
    assert hand_of(phone) == hand
    assert ann.get(ann.at).status == 403, "the old device is left out"
    assert ann.page.shows("taken along to another device")
    assert stream.messages()[-1] == {"gone": "taken-over"}
    assert ann.follow().status == 403
    stream.close()


def test_the_page_refreshes_itself_without_script_but_not_while_one_chooses(party):
    table = party("Ann", "Ben").come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    waits = re.search(r'<noscript><meta http-equiv="refresh" content="(\d+)', ben.get(ben.at).text)
    chooses = re.search(
        r'<noscript><meta http-equiv="refresh" content="(\d+)', ann.get(ann.at).text
    )
    assert int(waits[1]) <= 5
    assert int(chooses[1]) >= 60


# -- those who look on -----------------------------------------------------------------


def test_one_who_looks_on_sees_no_hand(party, house):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    watcher = house.browser()
    answer = watcher.get(f"/t/{table.code.lower()}/")
    assert answer.shows("Ann to move.")
    assert len(cards_in(answer.text)) == 1
    assert 'name="move"' not in answer.text
    assert house.browser().get("/t/ABCDE/").status == 404


@pytest.mark.parametrize("kind", [each.kind for each in installed_rules()])
def test_a_table_opened_elsewhere_can_be_joined_from_its_page(house, kind):
    table = house.host.hall.find(
        house.host.open(kind, "the back room", {}, {"start": "asked"}).code
    )
    ann, ben = house.browser(), house.browser()
    for browser, name in ((ann, "Ann"), (ben, "Ben")):
        assert browser.get("/").shows("the back room")
        browser.get(f"/t/{table.code}/")
        assert browser.post(f"/t/{table.code}/sit", name="").status == 409
        browser.get(f"/t/{table.code}/")
        assert browser.post(f"/t/{table.code}/sit", name=name).status == 200
    assert ann.post(f"{ann.at}wish", wish="start").status == 200
    assert table.stage.value == "playing"
    late = house.browser()
    assert not late.get(f"/t/{table.code}/").shows("Sit down")
    assert late.post(f"/t/{table.code}/sit", name="Late").status == 409
    assert ann.get(f"/t/{table.code}/").status == 200
    assert ann.at == ben.at.replace(ben.at.split("/")[3], ann.at.split("/")[3]), "led to the seat"


ASKED_FIRST = [{"password": "mellon"}, {"watchers": False}, {"password": "mellon", "private": True}]


@pytest.mark.parametrize("kind", [each.kind for each in installed_rules()])
def test_who_has_the_address_of_a_private_table_sits_down_there(house, kind):
    ann, ben = house.browser(), house.browser()
    ann.get(f"/open/{kind}")
    ann.post(f"/open/{kind}", name="Ann", **{"house.private": "yes"})
    code = ann.at.split("/")[2]
    assert ann.page.shows(f"by the code {code} at another door")
    address = re.search(r'href="http://[^/"]+(/t/\w+/)', ann.page.text)[1]
    assert not house.browser().get("/").shows(code)
    ben.get(address)
    assert ben.post(f"{address}sit", name="Ben").shows("Ben (you)")


@pytest.mark.parametrize("settings", ASKED_FIRST)
def test_where_nobody_may_look_on_the_page_asks_who_would_sit_down(house, settings):
    given, word = dict(settings), settings.get("password", "")
    if word:
        given["password"] = house.host.seal(word).result
    opened = house.host.open("gops", "the back room", {}, {"start": "asked", **given})
    for name in ("Ann", "Ben"):
        browser = house.browser()
        front = browser.get("/")
        assert (f'id="sit-{opened.code}"' in front.text) == ("private" not in settings)
        page = browser.get(f"/t/{opened.code}/")
        assert page.status == 200
        assert page.shows("the back room")
        assert page.shows("Password") == bool(word)
        if word:
            refused = browser.post(f"/t/{opened.code}/sit", name=name, password="friend")
            assert refused.status == 409
            assert refused.shows("That is not the password.")
            assert 'value="friend"' not in refused.text
            assert f'value="{name}"' in refused.text, "the name is typed once"
        sat = browser.post(f"/t/{opened.code}/sit", name=name, password=word)
        assert sat.status == 200
        assert sat.shows(f"{name} (you)")
        assert not word or word not in sat.text
    late = house.browser()
    assert late.get(f"/t/{opened.code}/").status in (403, 409)
    assert late.post(f"/t/{opened.code}/sit", name="Late", password=word).status in (403, 409)
    assert house.hall.find(opened.code).players == 2


def test_a_password_that_no_table_wants_is_refused_at_the_pages_too(house):
    opened = house.host.open("gops", "", {}, {"start": "asked"})
    browser = house.browser()
    browser.get(f"/t/{opened.code}/")
    answer = browser.post(f"/t/{opened.code}/sit", name="Ann", password="mellon")
    assert answer.status == 409
    assert house.hall.find(opened.code).players == 0


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("/organizer/abc123/setup/game/", "/open/rikiki"),
        ("/organizer/abc123/dashboard/", "/"),
        ("/player/abc123/", "/"),
        ("/player/confirm/abc123/", "/"),
        ("/player/restore/link/", "/"),
    ],
)
def test_who_holds_an_address_of_the_first_pages_is_led_on_with_a_word(house, path, leads):
    browser = house.browser()
    answer = browser.get(path)
    assert (answer.status, browser.at) == (200, leads)
    assert answer.shows("What it led to is found here.")
