"""Every page as axe-core sees it, on a telephone and on a desk, light and dark; and what it weighs."""

from __future__ import annotations

import pytest

from gamecore.rules import installed_rules
from tests.browser.conftest import Player, play_out
from tests.patience import SECONDS

SIZES = {"desk": (1280, 800), "phone": (360, 740), "flat": (740, 360)}
COLOURS = ("color-contrast", "link-in-text-block")  # all that is otherwise in the dark, at any size
ROOM = ("color-contrast", "scrollable-region-focusable")  # what lies over what, and is in reach
OUTSIDE = """
const inside = (one, whole) => one.top >= whole.top - 1 && one.bottom <= whole.bottom + 1;
const felt = document.querySelector('#felt').getBoundingClientRect();
const found = [...document.querySelectorAll('#felt:not(.many) .seat')]
  .filter((each) => !inside(each.getBoundingClientRect(), felt)).map((each) => each.id);
const dock = document.querySelector('.dock').getBoundingClientRect();
return dock.bottom > innerHeight + 1 ? [...found, 'the dock'] : found;
"""
REQUESTS = "return performance.getEntriesByType('resource').length"
WIDE = "return document.documentElement.scrollWidth > innerWidth + 1"
KINDS = [each.kind for each in installed_rules()]


class Visitor:
    """Looks at pages with axe-core, and keeps what it found."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.pages = 0

    def look(self, window, name: str, size: str) -> None:
        """Try all rules, of a telephone that lies flat those of room, and on a desk the dark as well."""
        window.dark(False)
        rules = ROOM if size == "flat" else ()
        self.found += [f"{name}: {each}" for each in window.axe(*rules)]
        if window.driver.execute_script(WIDE):
            self.found.append(f"{name}: wider than the window")
        if size == "desk":
            window.dark()
            self.found += [f"{name} (dark): {each}" for each in window.axe(*COLOURS)]
        self.pages += 1


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_fault_on_any_page(daemon, window, organize, size):
    visitor = Visitor()
    organizer, ann = window(SIZES[size]), window(SIZES[size], "fr")
    organizer.open(daemon.url)
    visitor.look(organizer, "front", size)
    organizer.open(f"{daemon.url}/nothing/")
    visitor.look(organizer, "notice", size)
    organizer.open(f"{daemon.url}/open/rikiki")
    organizer.driver.execute_script(
        "document.querySelectorAll('details').forEach(d => d.open = true)"
    )
    visitor.look(organizer, "open a table", size)
    links = organize(organizer, daemon, "Ann\nBen\nCat the very very long", "rikiki")
    if organizer.one("#t-p-more").is_displayed():
        organizer.press("#t-p-more")
    visitor.look(organizer, "an organizer", size)
    ann.open(links[0])
    visitor.look(ann, "invitation", size)
    ann.go("button.main")
    visitor.look(ann, "waiting", size)
    ann.driver.execute_script("document.querySelector('form[action$=pass] button').click()")
    ann.until(lambda: ann.all("#pass"))
    visitor.look(ann, "a pass", size)
    assert visitor.pages == 7
    assert visitor.found == []


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_fault_at_any_table_and_all_that_is_asked_is_in_sight(daemon, window, size):
    visitor = Visitor()
    one = window(SIZES[size])
    for kind in KINDS:
        one.open(daemon.url)
        one.go(f"#play-{kind}")
        one.until(lambda: one.all("#ask.mine"))
        visitor.look(one, kind, size)
        outside = one.driver.execute_script(OUTSIDE)
        visitor.found += [f"{kind}: {each} is out of sight" for each in outside]
    assert visitor.found == []


def test_a_page_weighs_little_without_its_cards(daemon, window):
    one = window()
    sizes = """return performance.getEntriesByType('navigation')
        .concat(performance.getEntriesByType('resource'))
        .filter(each => !each.name.includes('/c-'))
        .reduce((sum, each) => sum + each.decodedBodySize, 0)"""
    for kind in KINDS:
        one.open(daemon.url)
        one.go(f"#play-{kind}")
        one.driver.refresh()
        one.one("#ask")
        assert 5_000 < one.driver.execute_script(sizes) < 100_000, kind


def test_a_move_takes_two_requests_at_most_in_every_game(daemon, window):
    one = window()
    for kind in KINDS:
        one.open(daemon.url)
        one.go(f"#play-{kind}")
        one.until(lambda: one.all("#ask.mine"))
        before = one.driver.execute_script(REQUESTS)
        asked = one.one("#dock").get_attribute("innerHTML")
        Player(one).press()
        one.until(lambda before=asked: one.one("#dock").get_attribute("innerHTML") != before)
        assert 1 <= one.driver.execute_script(REQUESTS) - before <= 2, kind


def test_motion_is_left_out_in_every_game_for_who_wants_none(daemon, window):
    """By one rule of the looks and one of the script; no game has its own."""
    one = window()
    one.dark()  # which asks for no motion either
    flights = "window.flights = 0; Element.prototype.animate = () => { window.flights += 1; };"
    for kind in KINDS:
        one.open(daemon.url)
        one.go(f"#play-{kind}")
        one.until(lambda: one.all("#ask.mine"))
        one.driver.execute_script(flights)
        asked = one.one("#dock").get_attribute("innerHTML")
        Player(one).press()
        one.until(lambda before=asked: one.one("#dock").get_attribute("innerHTML") != before)
        moving = "return [window.flights, document.getAnimations().length]"
        assert one.driver.execute_script(moving) == [0, 0], kind


def test_who_minds_no_motion_sees_cards_fly(daemon, window):
    one = window()
    one.open(daemon.url)
    one.go("#play-gops")
    one.until(lambda: one.all("#ask.mine"))
    one.driver.execute_script(
        "window.flights = 0; Element.prototype.animate = () => { window.flights += 1; "
        "return {finished: Promise.resolve()}; }"
    )
    one.press("#b-7S")
    one.until(lambda: one.driver.execute_script("return window.flights"))


def test_axe_finds_no_fault_on_the_pages_around_a_game(daemon, window):
    """Rules, a table that is looked on at, its end, and the game played again: two sizes, two schemes."""
    visitor, one = Visitor(), window()
    one.open(f"{daemon.url}/open/nim")
    one.type("#name", "Ann")
    one.type("[id='game.stones']", "3")
    one.go("#open")
    one.press("#w-bot")
    one.one("#guest-1")
    one.press("#w-start")
    one.until(lambda: one.all(".stones"))
    seat = one.driver.current_url
    looked_at = {"a table": f"{seat.rpartition('/')[0].rpartition('/')[0]}/?watch=yes"}
    play_out([Player(one)], SECONDS)
    looked_at |= {
        "the end": seat,
        "played again": f"{seat}replay",
        "rules": f"{daemon.url}/rules/castle",
    }
    for name, address in looked_at.items():
        one.open(address)
        for size in ("desk", "phone"):
            one.resize(SIZES[size])
            visitor.look(one, f"{name} on a {size}", size)
    assert visitor.pages == 8
    assert visitor.found == []
