"""Every page as axe-core sees it, on a telephone and on a desk, light and dark; and what it weighs."""

from __future__ import annotations

import pytest

from gamecore.rules import installed_rules
from tests.browser.conftest import DESK, Player, play_out
from tests.patience import SECONDS

SIZES = {"desk": (1280, 800), "phone": (360, 740), "flat": (740, 360)}
COLOURS = ("color-contrast", "link-in-text-block")  # all that is otherwise in the dark, at any size
ROOM = ("color-contrast", "scrollable-region-focusable")  # what lies over what, and is in reach
OUTSIDE = """
const inside = (one, whole) => one.top >= whole.top - 1 && one.bottom <= whole.bottom + 1;
const root = document.documentElement;  // what is too wide makes a telephone's inner width more
const wide = root.scrollWidth > root.clientWidth + 1;
const table = document.querySelector('#felt');
if (!table) return [wide];
const felt = table.getBoundingClientRect();
const found = [...document.querySelectorAll('#felt:not(.many) .seat')]
  .filter((each) => !inside(each.getBoundingClientRect(), felt)).map((each) => each.id);
const dock = document.querySelector('.dock')?.getBoundingClientRect();
return dock?.bottom > root.clientHeight + 1 ? [wide, ...found, 'the dock'] : [wide, ...found];
"""
REQUESTS = "return performance.getEntriesByType('resource').length"
KINDS = [each.kind for each in installed_rules()]


class Visitor:
    """Looks at pages with axe-core in each size and in both schemes, and keeps what it found."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.pages = 0

    def look(self, window, page: str, before: str = "") -> None:
        """Try all rules, of a telephone that lies flat those of room, and on a desk the dark as well.

        What hides something is pressed before; a table must be whole in sight.
        """
        for name, size in SIZES.items():
            window.resize(size, mobile=size[0] < 600)
            if before and window.one(before).is_displayed():
                window.press(before)
            window.dark(False)
            rules = ROOM if name == "flat" else ()
            self.found += [f"{page}, {name}: {each}" for each in window.axe(*rules)]
            wide, *outside = window.driver.execute_script(OUTSIDE)
            if wide:
                self.found.append(f"{page}, {name}: wider than the window")
            self.found += [f"{page}, {name}: {each} is out of sight" for each in outside]
            if name == "desk":
                window.dark()
                self.found += [f"{page} (dark): {each}" for each in window.axe(*COLOURS)]
        self.pages += 1


def test_axe_finds_no_fault_on_any_page(daemon, window, organize):
    visitor = Visitor()
    organizer, ann = window(), window(language="fr")
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
    visitor.look(organizer, "an organizer", before="#t-p-more")
    ann.open(links[0])
    visitor.look(ann, "invitation")
    ann.go("button.main")
    visitor.look(ann, "waiting")
    ann.driver.execute_script("document.querySelector('form[action$=pass] button').click()")
    ann.until(lambda: ann.all("#pass"))
    visitor.look(ann, "a pass")
    assert visitor.pages == 7
    assert visitor.found == []


WEIGHT = """return performance.getEntriesByType('navigation')
    .concat(performance.getEntriesByType('resource'))
    .filter(each => !each.name.includes('/c-'))
    .reduce((sum, each) => sum + each.decodedBodySize, 0)"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_has_no_fault_and_weighs_little_and_a_move_takes_two_requests_and_no_motion(
    daemon, window, kind
):
    """All that is asked is in sight; what is left out for who wants no motion no game does by itself."""
    visitor, one = Visitor(), window()
    one.open(daemon.url)
    one.go(f"#play-{kind}")
    one.until(lambda: one.all("#ask.mine"))
    visitor.look(one, kind)
    assert visitor.found == []
    one.resize(DESK)
    one.dark()  # which asks for no motion either
    one.driver.refresh()
    one.until(lambda: one.all("#ask.mine"))
    assert 5_000 < one.driver.execute_script(WEIGHT) < 100_000
    one.driver.execute_script(
        "window.flights = 0; Element.prototype.animate = () => { window.flights += 1; };"
    )
    before = one.driver.execute_script(REQUESTS)
    asked = one.one("#dock").get_attribute("innerHTML")
    Player(one).press()
    one.until(lambda: one.one("#dock").get_attribute("innerHTML") != asked)
    one.until(lambda: one.driver.execute_script(REQUESTS) > before)  # counted as it is answered
    assert one.driver.execute_script(REQUESTS) <= before + 2
    assert one.driver.execute_script("return [flights, document.getAnimations().length]") == [0, 0]


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
    """Rules, a table that is looked on at, its end, and the game played again."""
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
        visitor.look(one, name)
    assert visitor.pages == 4
    assert visitor.found == []
