"""A whole game in three windows: one in French, one by keyboard only, one with scripting off."""

from __future__ import annotations

import time

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Keys


def has_turn(window) -> bool:
    return bool(window.all("#tricks") or window.all(".play-card"))


class French:
    """Ann: clicks, on a telephone, in French."""

    def __init__(self, window):
        self.window = window

    def move(self):
        window = self.window
        if window.all("#tricks"):
            assert window.shows("Combien de plis ferez-vous ?")
            window.type("#tricks", "1")
            window.press("#bid")
        else:
            window.press(".play-card")
        window.until(lambda: not has_turn(window) or window.all(".play-card"))

    def look(self):
        pass

    def go_on(self):
        self.window.press("#next")


class Keyboard:
    """Ben: has no mouse."""

    def __init__(self, window):
        self.window = window

    def move(self):
        window = self.window
        if window.all("#tricks"):
            window.tab_to("#tricks")
            window.key("0", Keys.ENTER)
        else:
            window.tab_to(".play-card")
            window.key(Keys.ENTER)

    def look(self):
        pass

    def go_on(self):
        self.window.tab_to("#next")
        self.window.key(Keys.SPACE)


class Scriptless:
    """Cat: has switched scripts off; plain forms, and a page that refreshes itself."""

    def __init__(self, window):
        self.window = window

    def move(self):
        window = self.window
        if window.all("#tricks"):
            window.type("#tricks", "0")
            window.press("#bid")
        else:
            window.press(".play-card")

    def look(self):
        self.window.open(self.window.driver.current_url)

    def go_on(self):
        self.window.press("#next")


def play_round(players):
    """Play until the round is over, whoever's turn it is."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for player in players:
            try:
                player.look()
                if player.window.all("#next") or player.window.all(".over"):
                    return
                if has_turn(player.window):
                    player.move()
            except StaleElementReferenceException:
                pass  # it was just replaced by what was pushed
    raise AssertionError("the round did not end")


def test_a_whole_game_in_three_windows(daemon, window, organize):
    organizer = window()
    links = organize(organizer, daemon, "Ann\nBen\nCat", first="2")
    phone = window((390, 844), language="fr")
    keys = window()
    plain = window(script=False)
    for each, link in ((phone, links[0]), (keys, links[1]), (plain, links[2])):
        each.open(link)
    assert "Vous êtes invité" in phone.driver.page_source
    phone.press("button.main")
    phone.wait_for("Vous avez une place.")
    keys.tab_to("#name")  # where the focus is already
    keys.key(" the Keys", Keys.ENTER)
    keys.wait_for("You have a seat.")
    plain.press("button.main")
    plain.wait_for("Cat (you)")
    phone.wait_for("Cat est là")  # pushed
    organizer.wait_for("Everybody is here.")
    organizer.press("#start")
    plain.until(lambda: plain.shows("Round 1 of 2"))  # refreshed by itself
    players = [French(phone), Keyboard(keys), Scriptless(plain)]

    play_round(players)
    phone.wait_for("La manche 1 est finie")
    keys.wait_for("Round 1 is over")
    assert (keys.axe(), phone.axe()) == ([], [])

    # Ann loses her tab, and comes back by the link she was sent.
    page = phone.driver.current_url
    phone.open("about:blank")
    phone.open(links[0])
    phone.wait_for("La manche 1 est finie")
    assert phone.driver.current_url == page

    players[1].go_on()
    phone.wait_for("Manche 2 sur 2")
    play_round(players)
    phone.wait_for("La partie est finie")
    keys.wait_for("The game is over")
    plain.open(plain.driver.current_url)
    plain.wait_for("The game is over")
    organizer.wait_for("The game is over")
    assert (keys.axe(), phone.axe(), organizer.axe()) == ([], [], [])

    organizer.press("#rematch")
    keys.wait_for("You have a seat.")
    organizer.press("#start")
    keys.wait_for("Round 1 of 2")
    assert phone.shows("Manche 1 sur 2") or phone.wait_for("Manche 1 sur 2") is None


def test_a_push_takes_neither_the_focus_nor_a_half_made_choice(daemon, window, organize):
    organizer, ann, ben, cat = window(), window(), window(), window()
    links = organize(organizer, daemon, "Ann\nBen\nCat", first="3")
    for each, link in ((ann, links[0]), (ben, links[1]), (cat, links[2])):
        each.open(link)
        each.press("button.main")
        each.wait_for("You have a seat.")
    organizer.wait_for("Everybody is here.")
    organizer.press("#start")
    ann.one("#tricks").send_keys("2")
    ann.press("#fairness summary")
    ann.one("#tricks").click()
    cat.press("footer summary")
    cat.press("footer button.danger")  # somebody leaves: everybody is told
    ann.wait_for("has left")
    assert ann.one("#tricks").get_attribute("value") == "2"
    assert ann.driver.switch_to.active_element.get_attribute("id") == "tricks"
    assert ann.one("#fairness").get_attribute("open") is not None
    ann.key(Keys.ENTER)
    ann.wait_for("Ben is to bid.")
    ben.wait_for("It is your turn to bid.")


def test_the_page_comes_back_by_itself_when_the_stream_was_cut(daemon, window, organize):
    organizer, ann = window(), window()
    links = organize(organizer, daemon, "Ann\nBen")
    ann.open(links[0])
    ann.press("button.main")
    ann.wait_for("You have a seat.")
    cut = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    whole = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    ann.driver.execute_cdp_cmd("Network.enable", {})
    ann.driver.execute_cdp_cmd("Network.emulateNetworkConditions", cut)
    ann.driver.execute_script("dispatchEvent(new Event('offline'))")
    ben = window()
    ben.open(links[1])
    ben.press("button.main")
    ann.driver.execute_cdp_cmd("Network.emulateNetworkConditions", whole)
    ann.wait_for("Ben is here")
    ann.complaints()  # that the network was gone is no fault of the page
