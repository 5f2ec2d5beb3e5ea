"""Every page as axe-core sees it, on a telephone and on a desk, light and dark; and what it weighs."""

from __future__ import annotations

import pytest

SIZES = {"desk": (1280, 900), "phone": (390, 844)}


class Visitor:
    """Looks at pages with axe-core, and keeps what it found."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.pages = 0

    def look(self, window, name: str) -> None:
        for dark in (False, True):
            window.dark(dark)
            self.found += [f"{name}{' (dark)' * dark}: {each}" for each in window.axe()]
            wide = window.driver.execute_script(
                "return document.documentElement.scrollWidth > innerWidth + 1"
            )
            if wide:
                self.found.append(f"{name}: wider than the window")
        self.pages += 1


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_fault_on_any_page(daemon, window, size):
    visitor = Visitor()
    organizer, ann, ben = window(SIZES[size]), window(SIZES[size]), window(SIZES[size], "fr")
    organizer.open(daemon.url)
    visitor.look(organizer, "front")
    organizer.open(f"{daemon.url}/nothing/")
    visitor.look(organizer, "notice")
    organizer.open(daemon.organizer_link)
    visitor.look(organizer, "the link")
    organizer.go("button.main")
    organizer.press("form summary")
    visitor.look(organizer, "setup")
    organizer.type("#names", "Ann\nBen\nCat the very very long")
    organizer.type("#first", "17")
    organizer.type("#more", "1")
    organizer.driver.execute_script("document.getElementById('first').max = 26")
    organizer.go("form.setup button.main")
    visitor.look(organizer, "setup refused")
    assert (
        organizer.one(".said").text
        == "There are not so many cards: with 4 players, at most 13 each."
    )
    organizer.type("#first", "13")
    organizer.go("form.setup button.main")
    links = [each.get_attribute("value") for each in organizer.all("input.secret")]
    organizer.press(".invitations summary")
    visitor.look(organizer, "invitations")
    drawn = "return document.querySelector('.camera').naturalWidth"
    organizer.until(lambda: organizer.driver.execute_script(drawn) > 20)
    for each, link in ((ann, links[0]), (ben, links[1])):
        each.open(link)
        visitor.look(each, "invitation")
        each.go("button.main")
        each.one(".people")
        visitor.look(each, "waiting")
    organizer.press("#bot")
    organizer.wait_for("counting bot")
    organizer.press("#start")
    ann.one(".seats")
    for each in (ann, ben, organizer):
        visitor.look(each, "bidding")
    first = ann if ann.all("#tricks") else ben
    first.type("#tricks", "3")
    first.press("#bid")
    while not ann.all(".play-card") and not ben.all(".play-card"):
        for each in (ann, ben):
            if each.all("#tricks"):
                each.type("#tricks", "3")
                each.press("#bid")
                each.until(lambda each=each: not each.all("#tricks"))
    player = ann if ann.all(".play-card") else ben
    visitor.look(player, "playing")
    late = window(SIZES[size])
    late.open(links[2])
    visitor.look(late, "too late")
    late.go("a.button")
    visitor.look(late, "looking on")
    ann.press("footer summary")
    visitor.look(ann, "the foot")
    ann.go("form[action$=pass] button")
    visitor.look(ann, "a pass")
    ann.go("a.button")
    organizer.go("a[href$='/end/']")
    visitor.look(organizer, "the end?")
    organizer.go("button.danger")
    visitor.look(organizer, "ended")
    ann.wait_for("The game was ended")
    visitor.look(ann, "ended for a player")
    assert visitor.pages >= 18
    assert visitor.found == []


def test_a_page_weighs_little_without_its_cards(daemon, window, organize):
    organizer, ann, ben = window(), window(), window()
    links = organize(organizer, daemon, "Ann\nBen\nCat")
    for each, link in ((ann, links[0]), (ben, links[1])):
        each.open(link)
        each.go("button.main")
    organizer.wait_for("2 players play")
    organizer.press("#start")
    ann.one(".hand")
    sizes = """return performance.getEntriesByType('navigation')
        .concat(performance.getEntriesByType('resource'))
        .filter(each => !each.name.includes('/cards/') && !each.name.includes('/live'))
        .reduce((sum, each) => sum + each.decodedBodySize, 0)"""
    ann.driver.refresh()
    assert 5_000 < ann.driver.execute_script(sizes) < 100_000
    assert len(ann.all(".hand img")) == 26, "two came, and were dealt all there is"
    loaded = "return [...document.images].every(each => each.complete && each.naturalWidth > 0)"
    ann.until(lambda: ann.driver.execute_script(loaded))


def test_motion_is_left_out_for_who_wants_none(daemon, window):
    one = window()
    one.dark()  # which asks for no motion either
    one.open(daemon.url)
    assert (
        one.driver.execute_script("return getComputedStyle(document.body).animationName") == "none"
    )
    assert one.driver.execute_script(
        "return matchMedia('(prefers-reduced-motion: reduce)').matches"
    )
