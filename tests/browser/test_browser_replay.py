"""The end of a game in a real browser: it is shown move by move, and dealt again by the reader's own machine."""

from __future__ import annotations

import pytest

from tests.browser.test_browser_game import open_with_bots


def found(one):
    """Let the page deal again, and read what it found: what holds, and what fails."""
    one.press("#deal-again")
    one.one("#found li")
    return len(one.all("#found .holds")), len(one.all("#found .fails"))


CHANGES = (
    "c.seed = c.seed.replace(/^./, (d) => d === '0' ? '1' : '0')",
    "const s = JSON.parse(c.shuffles); s[0][3].reverse(); c.shuffles = JSON.stringify(s)",
    "localStorage.setItem('promises', JSON.stringify({[`${c.code}.${c.game}`]: 'f00'}))",
)


@pytest.mark.parametrize(("kind", "changes"), [("gops", CHANGES), ("rikiki", ())])
def test_a_game_that_is_over_is_shown_and_dealt_again_by_its_reader(
    daemon, window, play, kind, changes
):
    """What was dealt otherwise, or under another seed, is found."""
    one = window()
    open_with_bots(one, daemon, kind)
    play([one], 240.0)
    one.go("#replay")
    assert one.one(".replay b").text.startswith("1 of ")
    assert one.all(".held .card")
    holds, fails = found(one)
    assert fails == 0
    assert holds >= 3, "the seed, the commitment that was seen, and a shuffle"
    for change in changes:
        one.driver.refresh()
        one.one("#deal-again")
        one.driver.execute_script(f"const c = document.getElementById('check').dataset; {change}")
        _, fails = found(one)
        assert fails >= 1, change
    one.go(".steps [data-key=arrowright]")
    assert one.one(".replay b").text.startswith("2 of ")
    assert one.axe() == []
