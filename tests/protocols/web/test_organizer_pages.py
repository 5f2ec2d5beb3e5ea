"""The organizer's pages: the link, the list of names, the invitations, the start and what follows."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.errors import Refused
from gamecore.rules import installed_rules
from gamecore.settings import settings_of
from protocols.i18n.look_alikes import alike
from protocols.i18n.names import read_name
from protocols.web.name_list import REFUSALS, read_names
from protocols.web.passes import MOST_PASSES, PASS_SECONDS, Pass, Passes
from tests.protocols.web.conftest import cards_in, part, token_of

SEATS = range(2, 27)
RIKIKI = "/open/rikiki"


def test_the_link_is_not_used_up_by_looking_at_it(make_house):
    house = make_house(organizers="link")
    browser = house.browser()
    for _ in range(3):
        assert browser.get(house.link).status == 200
    assert browser.get(RIKIKI).status == 403
    assert browser.post("/play", game="nim").status == 403
    assert browser.post(RIKIKI, name="Ann").status == 403


def test_the_link_is_exchanged_once_and_then_dead(make_house):
    house = make_house(organizers="link")
    secret = house.factory.app.link.secret
    first, second = house.browser(), house.browser()
    first.get(house.link)
    second.get(house.link)
    assert first.post("/organizer/enter/", secret=secret).shows("Play now")
    assert first.get(RIKIKI).shows("Open a table of Rikiki")
    assert second.post("/organizer/enter/", secret=secret).status == 403
    assert house.factory.app.link.secret != secret
    assert second.get(f"/organizer/enter/{secret}/").status == 403


def test_a_restart_takes_the_right_to_open_tables_from_nobody(make_house, tmp_path):
    houses = []
    for _ in range(2):
        house = make_house(organizers="link")
        house.factory.state_file = lambda name: str(tmp_path / name)
        house.factory.doStart()
        house.clock.advance(0)
        houses.append(house)
        if len(houses) == 1:
            browser = house.browser()
            browser.get(house.link)
            browser.post("/organizer/enter/", secret=house.factory.app.link.secret)
            secret = browser.cookies["/", "parlour"]
            assert (tmp_path / "organizers").stat().st_mode & 0o777 == 0o600
            assert secret not in (tmp_path / "organizers").read_text()
        else:
            again, stranger = house.browser(), house.browser()
            again.cookies["/", "parlour"] = secret
            assert again.get(RIKIKI).status == 200
            assert stranger.get(RIKIKI).status == 403
        house.factory.doStop()


def test_a_cookie_that_was_planted_does_not_become_the_organizers(make_house):
    house = make_house(organizers="link")
    organizer, thief = house.browser(), house.browser()
    organizer.cookies["/", "parlour"] = thief.cookies["/", "parlour"] = "planted"
    organizer.get(house.link)
    organizer.post("/organizer/enter/", secret=house.factory.app.link.secret)
    assert organizer.get(RIKIKI).status == 200
    assert thief.get(RIKIKI).status == 403


def test_a_wrong_link_opens_nothing(make_house):
    house = make_house(organizers="link")
    assert house.browser().get("/organizer/enter/0000/").status == 403


def test_anyone_may_open_tables_unless_the_house_says_otherwise(house):
    assert house.browser().get(RIKIKI).status == 200


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann\nBen\nCat", ["Ann", "Ben", "Cat"]),
        ("Ann\r\nBen\rCat\n\n", ["Ann", "Ben", "Cat"]),
        ("Ann, Ben,Cat", ["Ann", "Ben", "Cat"]),
        ("Ann, the first\nBen", ["Ann, the first", "Ben"]),
        ("Mary Ann\n  Ben  ", ["Mary Ann", "Ben"]),
        ("ann\nBen\nANN", ["ann", "Ben"]),
    ],
)
def test_names_stand_on_lines_or_between_commas(text, names):
    assert list(read_names(text, SEATS)) == names


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "too-few-names"),
        (" \n\t", "too-few-names"),
        ("Ann", "too-few-names"),
        ("a\nA\n a ", "too-few-names"),
        (",".join(f"p{n}" for n in range(27)), "too-many-names"),
        ("Ann\n" + "x" * 25, "bad-name"),
        ("Ann\n***", "bad-name"),
        ("Otto\n0tto", "names-alike"),
    ],
)
def test_a_list_that_cannot_be_played_with_is_refused(text, key):
    with pytest.raises(Refused) as refused:
        read_names(text, SEATS)
    assert refused.value.key == key


@given(st.lists(st.text(max_size=30), max_size=30), st.sampled_from(["\n", "\r\n", ","]))
@settings(max_examples=60)
def test_whatever_is_listed_gives_names_that_can_sit_together_or_a_reason(lines, between):
    try:
        names = read_names(between.join(lines), SEATS)
    except Refused as refusal:
        assert refusal.key in REFUSALS
    else:
        assert 2 <= len(names) <= 26
        assert not any(alike(name, names[:place]) for place, name in enumerate(names))
        assert all(read_name(name) == name for name in names)


def test_what_was_filled_in_stays_in_the_form_that_is_refused(house):
    browser = house.organizer()
    browser.get(RIKIKI)
    answer = browser.post(RIKIKI, names="Ann", **{"game.first": 7, "game.scoring": "square"})
    assert answer.status == 400
    assert answer.shows("Write down at least 2 names")
    assert ">Ann</textarea>" in answer.text
    assert 'name="game.first" type="number" step="any" value="7"' in answer.text
    assert '<option value="square" selected>' in answer.text
    assert browser.get(RIKIKI).status == 200, "where a form was refused it is found again"


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"game.first": "x"}, '"cards in the first hand, 0 for the most" is a number.'),
        ({"game.first": "-1"}, "lies between"),
        ({"game.players": "27"}, "lies between 2 and 26"),
        ({"game.hook": "no"}, "is one of: off, last, last-over."),
        ({"house.grace": "0"}, "lies between 1 and 86400"),
        ({"title": "x" * 900, "names": ""}, "A name needs at least one letter or digit"),
    ],
)
def test_impossible_settings_are_refused_by_what_the_form_calls_them(house, form, why):
    browser = house.organizer()
    browser.get(RIKIKI)
    for _ in range(30):
        answer = browser.post(RIKIKI, **{"names": "Ann,Ben,Cat", **form})
        assert (answer.status, answer.shows(why)) == (400, True), answer.words[:400]
        assert answer.shows("Open a table of Rikiki")
    assert browser.post(RIKIKI, names="Ann,Ben").status == 200, "refused forms use nothing up"


def test_a_list_beyond_all_measure_is_refused(house):
    browser = house.organizer()
    browser.get(RIKIKI)
    assert browser.post(RIKIKI, names="x" * 33_000).status == 400


@pytest.mark.parametrize("kind", [each.kind for each in installed_rules()])
def test_a_table_of_every_game_is_opened_by_a_form_made_of_its_settings(house, kind):
    rules = house.hall.registry.latest(kind)
    browser = house.browser()
    answer = browser.get(f"/open/{kind}")
    for each in settings_of(rules.options):
        assert f'name="game.{each.name}"' in answer.text
    answer = browser.post(f"/open/{kind}", name="Ann", title="the back room")
    assert (answer.status, answer.shows("Ann (you)")) == (200, True)
    table = house.hall.find(browser.at.split("/")[2])
    assert (table.name, table.names[0], table.opened.owner) == ("the back room", "Ann", None)
    assert house.browser().get("/open/chess").status in (404, 409)


def test_everybody_gets_a_link_of_their_own(party):
    table = party("Ann", "Ben", "Cat")
    assert len(set(table.links.values())) == 3
    answer = table.organizer.get(table.page)
    assert answer.text.count("is expected") == 3
    assert 'value="http://parlour.test/invitation/' in answer.text
    drawn = table.organizer.get(f"{table.page}qr/0")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg ")


@pytest.mark.parametrize("kind", [each.kind for each in installed_rules()])
def test_people_are_invited_by_name_to_every_game_and_play_it(party, kind):
    table = party("Ann", "Ben", kind=kind).come().start()
    assert (table.table.stage.value, sorted(table.table.names)) == ("playing", ["Ann", "Ben"])
    ann = table.players["Ann"]
    assert ann.get(ann.at).shows("Ben")


def test_only_hashes_of_the_links_are_journalled(party, house):
    table = party("Ann", "Ben").come()
    record = b"".join(house.journal._lines[table.code]).decode()
    owner = table.organizer_token.partition(".")[2]
    secrets = [owner, *(table.token(name) for name in table.links)]
    secrets += [token_of(browser) for browser in table.players.values()]
    assert len(secrets) == 5
    for secret in secrets:
        assert secret not in record
        assert secret.partition(".")[2] in ("",) or secret.partition(".")[2] not in record


def test_the_page_shows_who_has_come_under_which_name(party):
    table = party("Ann", "Ben", "Cat")
    browser = table.house.browser()
    browser.get(table.links["Ben"])
    browser.post(table.links["Ben"], name="Benjamin")
    answer = table.organizer.get(table.page)
    assert answer.shows("Benjamin is here")
    assert table.links["Ben"] not in answer.text
    assert table.links["Ann"] in answer.text


def test_a_game_needs_two_who_have_come(party):
    table = party("Ann", "Ben", "Cat")
    table.come("Ann")
    answer = table.organizer.post(f"{table.page}wish", wish="start")
    assert answer.status == 409
    assert answer.shows("This game needs at least 2 players.")
    table.come("Cat")
    assert table.organizer.post(f"{table.page}wish", wish="start").shows("Round 1/26")
    assert table.table.names == ("Ann", "Cat")


def test_pressing_start_twice_is_pressing_it_once(party):
    table = party().come().start()
    answer = table.organizer.post(f"{table.page}wish", wish="start")
    assert answer.status == 200
    assert answer.shows("Ann to move.")


def test_the_first_hand_is_as_large_as_was_chosen(party):
    table = party(**{"game.first": 3}).come().start()
    assert table.organizer.page.shows("Round 1/3")
    assert table.organizer.page.shows("0 bid of 3")


def test_the_organizer_sees_no_hand(party):
    table = party("Ann", "Ben", **{"game.first": 5}).come().start()
    page = table.organizer.page.text
    assert len(cards_in(page)) == 1  # the one that was turned
    assert "data-fly" not in part(page, "hand")


def test_bots_take_seats_that_are_kept_for_nobody(house):
    browser = house.organizer()
    browser.get(RIKIKI)
    browser.post(RIKIKI, names="Ann,Ben", **{"game.players": 4})
    page = browser.at
    assert browser.page.shows("2 seats are free")
    assert browser.post(f"{page}wish", wish="bot").shows("counting bot a bot")
    answer = browser.post(f"{page}wish", wish="invite", name="Dan")
    assert answer.shows("Dan is expected")
    assert "free." not in answer.words
    assert browser.post(f"{page}wish", wish="bot").status == 409
    assert browser.post(f"{page}wish", wish="invite", name="Eve").status == 409
    assert browser.post(f"{page}wish", wish="wings").status == 400


def test_a_player_rules_a_table_of_nobody_elses_and_no_other(party, house):
    table = party("Ann", "Ben").come()
    ann = table.players["Ann"]
    for wish in ("start", "bot", "next", "abandon"):
        ann.get(ann.at)
        assert f'value="{wish}"' not in ann.page.text
        assert ann.post(f"{ann.at}wish", wish=wish).status == 409, wish
    cat = house.browser()
    cat.get(RIKIKI)
    cat.post(RIKIKI, name="Cat")
    assert cat.post(f"{cat.at}wish", wish="bot", level="random").shows("random bot")
    assert cat.post(f"{cat.at}wish", wish="start").shows("How many tricks will you take?")


def test_the_organizer_may_begin_the_next_round(party):
    table = party("Ann", "Ben", **{"game.first": 2}).come().start()
    while table.table.stage.value == "playing":
        table.move()
    answer = table.organizer.get(table.page)
    assert answer.shows("Next round")
    assert table.organizer.post(f"{table.page}wish", wish="next").shows("Round 2/2")
    assert table.organizer.post(f"{table.page}wish", wish="next").status == 200, (
        "a late press is no fault"
    )


def test_the_same_people_play_again_with_the_same_links_in_another_order(party):
    table = party("Ann", "Ben", "Cat", **{"game.first": 1}).come("Ann", "Ben").start()
    assert table.organizer.post(f"{table.page}wish", wish="rematch").status == 409
    while table.table.stage.value == "playing":
        table.move()
    answer = table.organizer.get(table.page)
    assert answer.shows("The game is over")
    answer = table.organizer.post(f"{table.page}wish", wish="rematch")
    assert answer.shows("Who is here")
    assert sorted(table.table.names) == ["Ann", "Ben"]
    assert answer.shows("Cat is expected")
    assert answer.shows("Waiting for Ben and Ann to agree to another game."), "one seat on"
    assert table.players["Ann"].get(table.players["Ann"].at).shows("Another game?")
    table.come("Cat")  # the late one may join now
    table.start()
    ann = table.players["Ann"]
    assert ann.get(ann.at).shows("Round 1/1")
    assert set(table.table.names) == {"Ann", "Ben", "Cat"}


def test_anyone_seated_asks_to_play_again_and_who_sits_there_agrees(party):
    table = party("Ann", "Ben", **{"game.first": 1, "game.players": 2}).come().start()
    while table.table.stage.value == "playing":
        table.move()
    ann, ben = table.players["Ann"], table.players["Ben"]
    assert 'value="rematch"' in part(ann.get(ann.at).text, "dock")
    assert table.do("Ann", "wish", wish="rematch").shows("Who is here")
    assert ann.get(ann.at).shows("Waiting for Ben to agree to another game.")
    assert 'value="rematch"' not in part(ann.page.text, "dock")
    assert ben.get(ben.at).shows("Another game? Ann would like one.")
    assert 'value="rematch"' in part(ben.page.text, "dock")
    mains = re.findall(
        r'<button class="choice main"[^>]*value="(\w+)"', part(ben.page.text, "dock")
    )
    assert mains == ["rematch"], "to begin without asking yes is not what is proposed"
    assert table.organizer.get(table.page).shows("Waiting for Ben to agree to another game.")
    assert (table.table.stage.value, table.table.number) == ("gathering", 2)
    assert table.do("Ann", "wish", wish="rematch").status == 200, "once is enough"
    assert table.do("Ben", "wish", wish="rematch").status == 200
    assert table.table.stage.value == "playing"
    assert ben.get(ben.at).shows("Round 1/1")


def test_ending_a_game_is_asked_about_and_the_players_are_told(party):
    table = party("Ann", "Ben").come().start()
    asked = table.organizer.get(table.page)
    assert asked.shows("The game cannot be taken up again once it is ended.")
    assert table.table.stage.value == "playing"
    assert table.wish("abandon").shows("This game was ended.")
    ann = table.players["Ann"]
    assert ann.get(ann.at).shows("This game was ended.")


def test_a_new_table_leaves_the_others_alone_and_all_are_listed(party):
    first = party("Ann", "Ben").come().start()
    organizer = first.organizer
    organizer.get(RIKIKI)
    organizer.post(RIKIKI, names="Eve,Fay")
    second = organizer.at
    assert first.table.stage.value == "playing"
    assert organizer.get(second).shows("Eve is expected")
    assert organizer.get(first.page).shows("Ann to move.")
    front = organizer.get("/").text
    assert f'href="{first.page}"' in front and f'href="{second}"' in front


def test_each_game_has_an_organizer_of_its_own(party):
    ones, others = party("Ann", "Ben"), party("Eve", "Fay")
    assert ones.organizer.get(others.page).status == 403
    assert others.organizer.get(ones.page).status == 403


def test_a_player_who_is_away_can_be_replaced(party, house):
    table = party("Ann", "Ben").come().start()
    ann = table.players["Ann"]
    table.organizer.get(table.page)
    assert table.organizer.post(f"{table.page}wish", wish="replace", seat="0").status == 409
    ann.get(ann.at)
    stream = ann.follow()
    stream.close()
    house.clock.advance(25)
    house.settle()
    assert table.organizer.get(table.page).shows("Let a bot play on for Ann")
    answer = table.organizer.post(f"{table.page}wish", wish="replace", seat="0")
    assert answer.shows("counting bot")
    assert ann.get(ann.at).status == 403
    assert table.organizer.post(f"{table.page}wish", wish="replace", seat="x").status == 409


def test_a_pass_takes_the_organizer_to_another_device_once(party, house):
    table = party("Ann", "Ben")
    table.organizer.get(table.page)
    answer = table.organizer.post(f"{table.page}pass")
    link = re.search(r"http://parlour\.test(/pass/[^\"]+)", answer.text)[1]
    other, third = house.browser(), house.browser()
    assert other.get(link).shows("Go on here")
    third.get(link)
    secret = link.split("/")[2]
    assert other.post("/pass/", secret=secret).shows("Ann is expected")
    assert third.post("/pass/", secret=secret).status == 403
    assert third.get(link).status == 403


def test_a_pass_is_good_for_ten_minutes_and_few_are_kept():
    passes, worth = Passes(), Pass("ABCDE", "key", "token")
    first = passes.issue(worth, 0.0)
    assert passes.find(first, PASS_SECONDS - 1) == worth
    assert passes.use(first, PASS_SECONDS) is None
    issued = [passes.issue(worth, 1000.0) for _ in range(MOST_PASSES + 5)]
    assert sum(passes.find(each, 1000.0) is not None for each in issued) <= MOST_PASSES
    assert passes.use(issued[-1], 1000.0) == worth
    assert passes.use(issued[-1], 1000.0) is None
