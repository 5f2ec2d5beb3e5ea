"""Whole games in a real browser: by clicks, without script, by the keyboard, and in three windows.

By clicks alone GOPS and Rikiki are played where their end is looked at, in ``test_browser_replay``.
"""

from __future__ import annotations

import time
from functools import partial
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Keys

from gamecore.rules import installed_rules
from tests.another_game import install, without_looks
from tests.browser.conftest import KeyboardPlayer, Player, open_pages, play_out
from tests.end_to_end.players import PassProgram
from tests.ports import free_port

KINDS = [each.kind for each in installed_rules()]
SHORT = {  # so that a game of each lasts seconds
    "nim": {"stones": "12"},
    "gops": {"cards": "3"},
    "rikiki": {"players": "3", "first": "2"},
    "pass123": {"players": "2"},
}
SHORTER = {  # for one who sees each moment out, or loads each page anew
    "nim": {"stones": "7"},
    "gops": {"cards": "2"},
    "rikiki": {"players": "2", "first": "2"},
    "pass123": {"players": "2"},
}
LEVELS = {  # who takes no time to think, and one who takes a little
    "castle": "easy",
    "pass123": "random",
    "rikiki": "thinker-fast",
}


def open_with_bots(window, daemon, kind: str, short=SHORT) -> None:
    """Open a short table, let bots sit down, and begin."""
    window.open(f"{daemon.url}/open/{kind}")
    window.type("#name", "Ann")
    for field, value in short.get(kind, {}).items():
        window.type(f"[id='game.{field}']", value)
    window.go("#open")
    bots = int(short.get(kind, {}).get("players", 2)) - 1
    for seat in range(1, bots + 1):
        if kind in LEVELS:
            window.one("#level").send_keys(LEVELS[kind])
        window.press("#w-bot")
        window.one(f"#guest-{seat}")
    window.press("#w-start")
    window.until(lambda: window.all(".seat"))


@pytest.mark.parametrize("kind", ["castle", "nim"])
def test_a_game_against_bots_is_played_to_its_end_by_clicks(daemon, window, play, kind):
    one = window()
    open_with_bots(one, daemon, kind)
    play([one], 240.0)
    assert one.one("#podium").text


@pytest.mark.parametrize("kind", ["castle", "pass123", "rikiki"])
def test_a_game_is_played_to_its_end_without_script(daemon, window, kind):
    """With scripting off each page is loaded anew; the others have no controls but buttons, as these have, too."""
    one = window(script=False)
    open_without_script(one, daemon, kind)
    player = Player(one)
    until = time.monotonic() + 240
    while not player.over:
        assert time.monotonic() < until, one.one("main").text
        if not player.press():
            one.driver.refresh()
    assert one.one("#podium").text


def open_without_script(window, daemon, kind: str) -> None:
    window.open(f"{daemon.url}/open/{kind}")
    window.type("#name", "Ann")
    for field, value in SHORTER.get(kind, {}).items():
        window.type(f"[id='game.{field}']", value)
    window.go_plain("#open")
    if kind in LEVELS:
        window.one("#level").send_keys(LEVELS[kind])
    window.go_plain("#w-bot")
    window.go_plain("#w-start")


def test_three_people_play_in_three_windows(daemon, window, organize, play):
    """Each decision of 1-2-3 Pass is awaited of all at once."""
    organizer = window()
    links = organize(organizer, daemon, "Ann\nBen\nCat", "pass123", players="3")
    people = [window((390, 844)), window(language="fr"), window()]
    for each, link in zip(people, links, strict=True):
        each.open(link)
        each.go("button.main")
        each.one("#people")
    organizer.until(lambda: organizer.shows("Cat is here"))
    organizer.press("#w-start")
    play(people, 180.0)
    organizer.until(lambda: organizer.all("#podium"))
    assert people[1].shows("La partie est finie.")


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_played_by_the_keyboard_alone(daemon, window, kind):
    """To its end in those that are over soon, and for long enough in the others to have done all that recurs."""
    one = window()
    open_with_bots(one, daemon, kind, SHORTER)
    player = KeyboardPlayer(one, eager=0.5)
    play_out([player], 300.0, most=12)
    assert player.over or kind not in ("nim", "gops")


STOPPABLE = """
const tells = performance.now.bind(performance);
performance.now = () => window.stopped ?? tells();
"""


def test_whoever_presses_sees_at_once_what_comes_of_it(daemon, window):
    """However long the moment that is shown would be seen: time stands still."""
    one = window()
    one.run_before_pages(STOPPABLE)
    open_with_bots(one, daemon, "nim", {})
    one.press(".stones .may")
    one.until(lambda: not one.all("#ask.mine"))
    one.until(lambda: one.all("#ask.mine"))
    one.driver.execute_script("window.stopped = performance.now()")
    one.press(".stones .may")
    one.until(lambda: not one.all("#ask.mine"))


def test_whoever_has_just_pressed_a_card_taps_by_the_space_bar(daemon, window):
    """The focus is still on a card of the hand, which cannot be pressed any more."""
    one = window()
    one.open(f"{daemon.url}/open/pass123")
    one.type("#name", "Ann")
    one.type("[id='game.players']", "3")
    one.go("#open")
    code = urlsplit(one.driver.current_url).path.split("/")[2]
    with PassProgram(daemon.ports["json"]) as ben, PassProgram(daemon.ports["json"]) as cat:
        for program in (ben, cat):
            program.ask("join", table=code)
        one.one("#guest-2")
        one.press("#w-start")
        let_finish(ben, cat, one)
        one.one("#tap")
        one.driver.execute_script("document.querySelector('#hand .pick').focus()")
        one.key(Keys.SPACE)
        one.until(lambda: not one.all("#tap"))
    assert not one.all("#said:not(:empty)")


def passed(window, times: int) -> bool:
    """Say whether a window shows so many passes, and a card to choose for the next."""
    window.hurry()
    return window.one("#facts").text.startswith(f"{times} pass") and window.all("#ask.mine")


def let_finish(ben, cat, window) -> None:
    """Let one finish, to whom the other program and the window pass all cards of a rank."""
    wanted, passes = "", 0
    while len({*(ranks := [card[:-1] for card in ben.hand()])}) > 1:
        wanted = wanted or max(ranks, key=ranks.count)
        ben.lay(next(card for card in ben.passes if card[:-1] != wanted))
        hand = cat.hand()
        cat.lay(next((card for card in hand if card[:-1] == wanted), hand[0]))
        window.until(partial(passed, window, passes))
        passes += 1
        free = "#hand .pick[name=move]:not([aria-disabled])"
        fitting = f"{free}[id^='b-{wanted.replace('10', 'T')}']"
        window.press(fitting if window.all(fitting) else free)
    ben.ask("play", move={"is": "Finish"})


@pytest.fixture
def sixth_game(tmp_path_factory, monkeypatch):
    """Let daemons find the example of another game, with looks of its own."""
    monkeypatch.setenv("PYTHONPATH", str(install(tmp_path_factory)))


@pytest.fixture
def bare_game(tmp_path_factory, tmp_path, monkeypatch):
    """Let daemons find it with rules and words only."""
    bare = without_looks(install(tmp_path_factory), tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(bare))


def test_a_game_of_rules_and_words_alone_is_opened_played_watched_and_ended(
    bare_game, own_daemon, window, play
):
    one, other = window(), window()
    open_with_bots(one, own_daemon, "connect4")
    other.open(own_daemon.url)
    other.go("a.choice[href^='/t/']")
    assert other.all("pre#board") and not other.all("[name=move]")
    play([one], 120.0)
    other.until(lambda: other.all("#podium"))


def test_a_game_of_another_package_is_played_by_the_keyboard_and_watched_in_looks_of_its_own(
    sixth_game, own_daemon, window
):
    one, other = window(), window(language="fr")
    open_with_bots(one, own_daemon, "connect4")
    other.open(own_daemon.url)
    other.go("a.choice[href^='/t/']")
    assert len(other.all(".column")) == 7 and not other.all("[name=move]")
    assert other.one("#m-1").get_attribute("aria-label") == "Colonne 1, à partir du bas\u00a0: vide"
    play_out([KeyboardPlayer(one)], 120.0)
    other.until(lambda: other.all("#podium"))


# -- pace and presses ------------------------------------------------------------------


WATCH_BIDS = """
let shown = false;
window.lasted = [];
new MutationObserver(() => {
  const both = document.querySelectorAll('.bids .card').length === 2 && !document.querySelector('.bids .back');
  if (both && !shown) lasted.push([performance.now(), document.querySelectorAll('.bids .best, .bids .bid').length]);
  if (shown && !both) lasted.at(-1)[0] = performance.now() - lasted.at(-1)[0];
  shown = both;
}).observe(document.body, { subtree: true, childList: true, attributes: true });
"""
"""For how many ms both bids were seen, each time, and how many were marked as the better or the other."""


def test_both_bids_are_still_seen_a_second_after_a_bot_has_answered(daemon, window):
    one = window()
    one.open(daemon.url)
    one.go("#play-gops")
    one.driver.execute_script(WATCH_BIDS)
    one.press("#b-7S")
    one.until(lambda: one.all("#ask.mine") and one.shows("Round 2"))
    [(lasted, marked)] = one.driver.execute_script("return window.lasted")
    assert 1000 <= lasted < 10_000 and marked == 2
    assert one.one("#facts").text.startswith("Round 2")


def test_the_focus_stays_and_the_card_on_the_table_is_the_one_of_the_hand(daemon, window):
    one = window()
    one.open(daemon.url)
    one.go("#play-gops")
    one.driver.execute_script("window.same = document.getElementById('c-7S')")
    one.tab_to("#b-8S")
    one.driver.execute_script("document.getElementById('b-7S').click()")
    one.until(lambda: one.all(".bids #c-7S"))
    assert one.driver.execute_script("return window.same === document.getElementById('c-7S')")
    one.until(lambda: one.shows("Round 2"))
    assert one.driver.switch_to.active_element.get_attribute("id") == "b-8S"
    under = """const box = document.getElementById('b-KS').getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).closest('button').id"""
    assert one.driver.execute_script(under) == "b-KS"


# -- connections -----------------------------------------------------------------------


def sockets(window) -> int:
    """Count the streams that a window has opened."""
    return window.driver.execute_script("return window.opened.length")


WATCH = """window.opened = []; const real = WebSocket;
window.WebSocket = class extends real { constructor(...all) { super(...all); window.opened.push(this); } };"""


def test_a_server_that_is_mute_is_found_when_the_page_is_looked_at_again(daemon, window):
    one = window()
    one.run_before_pages(WATCH)
    one.open(daemon.url)
    one.go("#play-nim")
    one.until(lambda: one.driver.execute_script("return window.opened[0].readyState") == 1)
    daemon.process.send_signal(19)  # SIGSTOP
    try:
        begun = time.monotonic()
        one.driver.execute_script("dispatchEvent(new Event('pageshow'))")
        one.until(lambda: sockets(one) > 1)
        assert time.monotonic() - begun < 3.5
    finally:
        daemon.process.send_signal(18)
    one.until(lambda: one.driver.execute_script("return window.opened.at(-1).readyState") == 1)


def test_a_frame_that_was_lost_is_asked_for(daemon, window):
    one = window()
    lossy = WATCH.replace(
        "window.opened.push(this);",
        """window.opened.push(this); this.addEventListener('message', (event) => {
        if (!window.lose || !event.data.includes('"parts"')) return;
        window.lose = false; event.stopImmediatePropagation(); });""",
    )
    one.run_before_pages(lossy)
    one.open(daemon.url)
    one.go("#play-nim")
    one.until(lambda: one.all(".stones .may"))
    one.driver.execute_script("window.lose = true")
    one.press(".stones .may")
    one.until(lambda: sockets(one) > 1)
    one.until(lambda: one.all("#ask.mine") and not one.one("#facts").text.startswith("100 "))


def test_a_page_goes_on_by_itself_after_the_daemon_was_killed_under_its_table(
    webdriver, window, tmp_path
):
    first = open_pages(tmp_path, journal=str(tmp_path / "parlour.db"), port=free_port())
    one = window()
    open_with_bots(one, first, "nim")
    one.press(".stones .may")
    one.until(lambda: one.all("#ask.mine") and not one.one("#facts").text.startswith("12 "))
    # The bot has moved, and what it took has flown away as well.
    said = "return document.body.textContent"
    one.until(lambda: "easy bot takes" in one.driver.execute_script(said))
    one.until(lambda: one.one("#facts").text.startswith(f"{len(one.all('.stones > *'))} "))
    stones = len(one.all(".stones > *"))
    one.driver.execute_script("window.same = true")
    first.kill()
    one.until(lambda: one.all("#lost.seen"))
    second = open_pages(tmp_path, journal=str(tmp_path / "parlour.db"), port=first.port)
    try:
        one.until(lambda: not one.all("#lost.seen"))
        assert len(one.all(".stones > *")) == stones
        Player(one).press()
        one.until(lambda: len(one.all(".stones > *")) < stones)
        assert one.driver.execute_script("return window.same"), "the page was not loaded anew"
    finally:
        assert second.stop() == 0
    assert "Traceback" not in second.log
