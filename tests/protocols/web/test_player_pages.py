"""The player's pages, from the invitation to the last trick, as the specification's checklist has them."""

from __future__ import annotations

import re


def cards_in(text: str) -> list[str]:
    """Name the pictures of cards in a piece of a page."""
    return re.findall(r"cards/([0-9TJQKA][SCDH])\.svg", text)


def part(text: str, name: str) -> str:
    """Cut one part out of a page."""
    return text.partition(f'data-part="{name}"')[2].partition("data-part=")[0]


# -- the invitation -------------------------------------------------------------------


def test_an_unknown_invitation_opens_nothing(house, party):
    table = party()
    stranger = house.browser()
    for token in ("x", "ABCDE.0000", f"{table.code}.{'0' * 32}", "é" * 3, "a" * 200):
        assert stranger.get(f"/invitation/{token.encode().hex()}/").status == 403
        stranger.get("/")
        assert stranger.post("/invitation/", token=token, name="Eve").status == 403
    assert stranger.get("/invitation/").status == 405
    assert table.table.players == 0


def test_the_name_is_filled_in_and_may_be_another(party, house):
    table = party("Ann", "Ben", "Cat")
    browser = house.browser()
    assert 'value="Ben"' in browser.get(table.links["Ben"]).text
    browser.post("/invitation/", token=table.token("Ben"), name="  Big Ben ")
    assert browser.page.shows("Big Ben (you)")


def test_a_blank_name_keeps_the_proposed_one(party, house):
    table = party("Ann", "Ben")
    browser = house.browser()
    browser.get(table.links["Ben"])
    assert browser.post("/invitation/", token=table.token("Ben"), name="   ").shows("Ben (you)")


def test_a_name_that_is_taken_or_none_is_refused_with_the_form(party, house):
    table = party("Ann", "Ben").come("Ann")
    browser = house.browser()
    browser.get(table.links["Ben"])
    for name, why in (("ann", "Somebody here has that name"), ("***", "at least one letter")):
        answer = browser.post("/invitation/", token=table.token("Ben"), name=name)
        assert answer.status == 409
        assert answer.shows(why)
        assert answer.shows("Take your seat")
    assert browser.post("/invitation/", token=table.token("Ben"), name="Ben").status == 200


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
    assert stranger.post("/invitation/", token=table.token("Ann"), name="Eve").status == 403
    assert ann.get(table.links["Ann"]).shows("Ann (you)")
    assert ann.post("/invitation/", token=table.token("Ann"), name="Zoe").shows("Ann (you)")


def test_who_comes_too_late_is_told_so_by_name_and_may_look_on(party, house):
    table = party("Ann", "Ben", "Cat").come("Ann", "Ben")
    browser = house.browser()
    assert browser.get(table.links["Cat"]).shows("Take your seat")
    table.start()
    answer = browser.get(table.links["Cat"])
    assert answer.status == 200
    assert answer.shows("Too late, Cat")
    assert f"/watch/{table.code}/" in answer.text
    assert browser.post("/invitation/", token=table.token("Cat"), name="Cat").shows("Too late, Cat")


def test_the_cookie_is_none_of_the_other_secrets_and_no_script_sees_it(party, house):
    table = party()
    browser = house.browser()
    browser.get(table.links["Ann"])
    answer = browser.send("/invitation/", token=table.token("Ann"), name="Ann")
    cookie = next(each for each in answer.cookies if table.code in each)
    value = cookie.partition("=")[2].partition(";")[0]
    assert value != table.token("Ann")
    for each in ("httponly", "samesite=lax", "path=/"):
        assert each in cookie.lower()
    assert "secure" not in cookie.lower()
    assert value not in browser.get(answer.location).text
    assert table.token("Ann") not in browser.page.text


# -- the waiting room ------------------------------------------------------------------


def test_the_waiting_room_shows_everybody_in_the_listed_order(party):
    table = party("Ann", "Ben", "Cat").come("Cat", "Ann")
    ann = table.players["Ann"]
    people = part(ann.get(ann.at).text, "people")
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
    table = party("Ann", "Ben", first="5").come().start()
    ann, ben = table.players["Ann"], table.players["Ben"]
    assert 'name="tricks"' in ann.get(ann.at).text
    assert 'min="0" max="5" required' in ann.page.text
    assert 'name="tricks"' not in ben.get(ben.at).text
    assert ben.page.shows("Ann is to bid.")
    table.do("Ann", "bid", tricks=3)
    assert 'name="tricks"' not in ann.page.text
    assert ben.get(ben.at).shows("From 0 to 5; 3 bid so far, of 5.")
    assert ben.page.shows("to move: Ben (you)")


def test_bids_that_are_none_are_refused_with_a_reason(party):
    table = party("Ann", "Ben", first="5").come().start()
    cases = {
        "27": (409, "from 0 to 5"),
        "-1": (409, "from 0 to 5"),
        "": (400, "whole number"),
        "abc": (400, "whole number"),
        "1.5": (400, "whole number"),
        "99999999999": (400, "whole number"),
    }
    for tricks, (status, why) in cases.items():
        answer = table.do("Ann", "bid", tricks=tricks)
        assert (answer.status, answer.shows(why)) == (status, True), tricks
        assert answer.shows("It is your turn to bid.")
    assert table.do("Ann", "bid").status == 400
    answer = table.do("Ben", "bid", tricks=1)
    assert answer.status == 409
    assert answer.shows("It is not your turn.")
    assert answer.shows("0 bid of 5"), "what was refused counts nowhere"
    assert table.do("Ann", "play", card="AS").status == 409
    assert table.do("Ann", "bid", tricks=2).status == 200
    assert table.do("Ann", "bid", tricks=3).status == 409
    assert table.players["Ann"].get(table.players["Ann"].at).shows("2 bid of 5")


def test_the_bid_that_is_barred_is_named(party):
    table = party("Ann", "Ben", first="5", hook="last").come().start()
    table.do("Ann", "bid", tricks=2)
    ben = table.players["Ben"]
    assert ben.get(ben.at).shows("Not 3: the bids would come out.")
    assert table.do("Ben", "bid", tricks=3).shows("The last to bid may not bid 3")


# -- cards -----------------------------------------------------------------------------


def hand_of(browser) -> list[str]:
    return cards_in(part(browser.get(browser.at).text, "hand"))


def playable_by(browser) -> list[str]:
    text = part(browser.get(browser.at).text, "hand")
    return re.findall(r'name="card" value="([^"]+)"', text)


def test_everybody_sees_only_their_own_cards_sorted_by_suit(party):
    table = party("Ann", "Ben", "Cat", first="10").come().start()
    hands = [hand_of(each) for each in table.players.values()]
    assert [len(hand) for hand in hands] == [10, 10, 10]
    assert len({card for hand in hands for card in hand}) == 30
    for hand in hands:
        suits = [card[1] for card in hand]
        assert suits == sorted(suits, key="SCDH".index)


def test_cards_are_played_in_turn_and_following_suit(party):
    table = party("Ann", "Ben", "Cat", first="10").come().start()
    for name in ("Ann", "Ben", "Cat"):
        table.do(name, "bid", tricks=1)
    ann, ben = table.players["Ann"], table.players["Ben"]
    assert len(playable_by(ann)) == 10
    assert playable_by(ben) == []
    led = playable_by(ann)[0]
    other = hand_of(ben)[0].replace("T", "10")
    assert table.do("Ben", "play", card=other).shows("It is not your turn.")
    assert table.do("Ann", "play", card=other).shows(f"You do not hold {other}.")
    for card in ("52", "x", "", "-1"):
        answer = table.do("Ann", "play", card=card)
        assert (answer.status, answer.shows("You do not hold")) == (400, True)
    answer = table.do("Ann", "play", card=led)
    assert answer.status == 200
    assert len(hand_of(ann)) == 9
    assert table.do("Ann", "play", card=led).status == 409
    held = [card.replace("T", "10") for card in hand_of(ben)]
    may = playable_by(ben)
    follows = [card for card in held if card[-1] == led[-1]]
    assert may == (follows or held)
    if follows and len(follows) < len(held):
        wrong = next(card for card in held if card[-1] != led[-1])
        assert table.do("Ben", "play", card=wrong).shows("follow suit")


def test_the_trick_stays_until_the_winner_leads_again(party):
    table = party("Ann", "Ben", first="3").come().start()
    while len(cards_in(part(table.organizer.get(table.page).text, "trick"))) < 3:
        table.move()
    for browser in (*table.players.values(), table.organizer):
        trick = part(browser.get(browser.at).text, "trick")
        assert len(cards_in(trick)) == 3  # the trick, and the card that was turned
        assert "takes the trick" in trick
    table.move()
    assert len(cards_in(part(table.organizer.get(table.page).text, "trick"))) == 2


def test_a_round_ends_with_words_points_and_the_next_for_anybody(party):
    table = party("Ann", "Ben", first="2", scoring="tricks10").come().start()
    while table.table.stage.value == "playing":
        table.move()
    ann, ben = table.players["Ann"], table.players["Ben"]
    for browser in (ann, ben):
        answer = browser.get(browser.at)
        assert answer.shows("Round 1 is over")
        assert re.search(r"exact|too many|missing", answer.words)
        assert cards_in(part(answer.text, "hand")) == []
        assert 'id="next"' in answer.text
    ann.post(f"{ann.at}next")
    assert ben.post(f"{ben.at}next").status == 200, "two finish at once"
    assert ann.get(ann.at).shows("Round 2 of 2")
    assert table.do("Ben", "next").status == 200, "and a late press is ignored"
    while table.table.stage.value == "playing":
        table.move()
    for browser in (ann, ben):
        answer = browser.get(browser.at)
        assert answer.shows("The game is over")
        assert answer.shows("Won by")
        assert answer.shows("The seed of game 1 was")
        assert 'id="next"' not in answer.text


def test_no_points_where_none_are_kept(party):
    table = party("Ann", "Ben", first="1", scoring="none").come().start()
    while table.table.stage.value == "playing":
        table.move()
    answer = table.organizer.get(table.page)
    assert "point" not in part(answer.text, "results")
    assert "Total" not in part(answer.text, "scores")


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
    ben.cookies.update(
        {name.replace("x", "x"): "forged" for name in ann.cookies if table.code in name}
    )
    assert ben.get(ann.at).status == 403


def test_two_players_may_share_one_browser(party, house):
    table = party("Ann", "Ben")
    browser = house.browser()
    pages = []
    for name in ("Ann", "Ben"):
        browser.get(table.links[name])
        browser.post("/invitation/", token=table.token(name), name=name)
        pages.append(browser.at)
    assert browser.get(pages[0]).shows("Ann (you)")
    assert browser.get(pages[1]).shows("Ben (you)")


def test_who_is_taken_over_by_another_program_says_so_and_may_come_back(party, house):
    from protocols.web.face import WebFace

    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    token = next(value for name, value in ann.cookies.items() if table.code in name)
    telnet = WebFace(house.host)
    telnet.ask(lambda tag: house.host.come_back(telnet, token, tag))
    house.settle()
    assert ann.get(ann.at).shows("You are elsewhere")
    assert telnet.parted_why is None
    assert ann.post(f"{ann.at}back").shows("Your cards")
    assert telnet.parted_why == "taken-over"


def test_who_leaves_is_gone_for_good(party):
    table = party("Ann", "Ben", "Cat").come().start()
    ann, page = table.players["Ann"], table.players["Ann"].at
    assert table.do("Ann", "leave").shows("Games for people")
    assert ann.get(page).status == 403
    ben = table.players["Ben"]
    assert ben.get(ben.at).shows("Ann has left")


def test_a_pass_takes_a_player_to_another_device(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    hand = hand_of(ann)
    answer = table.do("Ann", "pass")
    link = re.search(r"http://parlour\.test(/pass/[^\"]+)", answer.text)[1]
    phone = house.browser()
    phone.get(link)
    phone.post("/pass/", secret=link.split("/")[2])
    assert hand_of(phone) == hand
    assert hand_of(ann) == hand, "and both are the same player's"


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
    table = party("Ann", "Ben", first="5").come().start()
    watcher = house.browser()
    answer = watcher.get(f"/watch/{table.code.lower()}/")
    assert answer.shows("You are looking on")
    assert len(cards_in(answer.text)) == 1
    assert house.browser().get("/watch/ABCDE/").status == 404


def test_a_table_of_another_game_has_no_page(house):
    table = house.host.hall.find(house.host.open("nim", "", {}, {}).code)
    assert house.browser().get(f"/watch/{table.code}/").status == 404
    front = house.browser().get("/")
    assert table.code in front.text
    assert f"/watch/{table.code}/" not in front.text


def test_a_table_opened_elsewhere_can_be_joined_from_its_page(house):
    table = house.host.hall.find(
        house.host.open("rikiki", "the back room", {"players": 2}, {"start": "full"}).code
    )
    ann, ben = house.browser(), house.browser()
    for browser, name in ((ann, "Ann"), (ben, "Ben")):
        assert browser.get("/").shows("the back room")
        browser.get(f"/watch/{table.code}/")
        assert browser.post(f"/watch/{table.code}/sit", name="").status == 409
        browser.get(f"/watch/{table.code}/")
        assert browser.post(f"/watch/{table.code}/sit", name=name).status == 200
    assert ann.get(ann.at).shows("It is your turn to bid.")
    assert not house.browser().get("/").shows("the back room")
    late = house.browser()
    assert not late.get(f"/watch/{table.code}/").shows("Take a free seat")
    ben.get("/")
    assert ben.post(f"/watch/{table.code}/sit", name="Late").status == 409
