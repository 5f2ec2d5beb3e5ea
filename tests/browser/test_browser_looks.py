"""Every page as axe-core sees it, on a telephone and on a desk, light and dark; and what it weighs."""

from __future__ import annotations

import pytest

from gamecore.rules import installed_rules
from tests.browser.conftest import Player, play_out
from tests.patience import SECONDS

SIZES = {"desk": (1280, 800), "phone": (360, 740), "flat": (740, 360)}
COLOURS = ("color-contrast", "link-in-text-block")  # all that is otherwise in the dark
KINDS = [each.kind for each in installed_rules()]


class Visitor:
    """Looks at pages with axe-core, and keeps what it found."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.pages = 0

    def look(self, window, name: str) -> None:
        for dark in (False, True):
            window.dark(dark)
            rules = COLOURS if dark else ()
            self.found += [f"{name}{' (dark)' * dark}: {each}" for each in window.axe(*rules)]
            wide = window.driver.execute_script(
                "return document.documentElement.scrollWidth > innerWidth + 1"
            )
            if wide:
                self.found.append(f"{name}: wider than the window")
        self.pages += 1


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_fault_on_any_page(daemon, window, organize, size):
    visitor = Visitor()
    organizer, ann = window(SIZES[size]), window(SIZES[size], "fr")
    organizer.open(daemon.url)
    visitor.look(organizer, "front")
    organizer.open(f"{daemon.url}/nothing/")
    visitor.look(organizer, "notice")
    organizer.open(f"{daemon.url}/open/rikiki")
    organizer.driver.execute_script(
        "document.querySelectorAll('details').forEach(d => d.open = true)"
    )
    visitor.look(organizer, "open a table")
    links = organize(organizer, daemon, "Ann\nBen\nCat the very very long", "rikiki")
    if organizer.one("#t-p-more").is_displayed():
        organizer.press("#t-p-more")
    visitor.look(organizer, "an organizer")
    ann.open(links[0])
    visitor.look(ann, "invitation")
    ann.go("button.main")
    visitor.look(ann, "waiting")
    ann.driver.execute_script("document.querySelector('form[action$=pass] button').click()")
    ann.until(lambda: ann.all("#pass"))
    visitor.look(ann, "a pass")
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
        visitor.look(one, kind)
        below = (
            "const box = document.querySelector('.dock').getBoundingClientRect(); return box.bottom"
        )
        if one.driver.execute_script(below) > SIZES[size][1] + 1:
            visitor.found.append(f"{kind}: the dock is out of sight")
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
        before = len(one.requests())
        asked = one.one("#dock").get_attribute("innerHTML")
        Player(one).press()
        one.until(lambda before=asked: one.one("#dock").get_attribute("innerHTML") != before)
        assert 1 <= len(one.requests()) - before <= 2, kind


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
            visitor.look(one, f"{name} on a {size}")
    assert visitor.pages == 8
    assert visitor.found == []
