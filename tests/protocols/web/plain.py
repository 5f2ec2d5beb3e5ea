"""A browser like lynx: no script, no looks, no form but the one that a button lies in; and whole games played so.

``python -m tests.protocols.web.plain KIND`` plays a game of a kind that is installed in the looks that it has, and
one in those of any game.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from random import Random
from urllib.parse import urljoin, urlsplit

from attrs import Factory, define

from gamecore.game import Stage
from protocols.web import picture
from tests.protocols.web.conftest import Answer, Browser, House

SETTINGS = {  # so that a game of each is short
    "nim": {"stones": 12},
    "gops": {"cards": 4},
    "rikiki": {"players": 3, "first": 2},
    "pass123": {"players": 3},
}
MOST_PRESSES = 700
_PRESSED = ("submit", "image")
_TYPED = ("text", "number", "search")


@define
class Button:
    """Something to press: in which form it lies, what it sends, and how it reads."""

    form: Form
    name: str
    value: str
    words: str
    dead: bool = False


@define(eq=False)
class Form:
    """A form as it stands on a page: its fields as they would be sent."""

    action: str
    method: str
    fields: dict[str, str] = Factory(dict)
    open_fields: list[str] = Factory(list)  # names of those that may be filled in
    buttons: list[Button] = Factory(list)


class PlainPage(HTMLParser):
    """What such a browser makes of a page: links, forms, and the buttons that lie in none."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.stray: list[str] = []
        self._form: Form | None = None
        self._button: Button | None = None
        self._link: str | None = None
        self._select: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get"))
            self.forms.append(self._form)
        elif tag == "a" and "href" in given:
            self._link = given["href"]
            self.links[self._link] = given.get("aria-label", "")
        elif tag == "button" and given.get("type", "submit") == "submit":
            self._begin_button(given)
        elif self._form is not None and given.get("name"):
            self._take(self._form, tag, given)
        if tag == "option" and self._form is not None and self._select is not None:
            value = given.get("value", "")
            if self._select not in self._form.fields or "selected" in given:
                self._form.fields[self._select] = value

    def _begin_button(self, given: dict[str, str]) -> None:
        if self._form is None:
            self.stray.append(str(given))
            return
        dead = "aria-disabled" in given or not given.get("name", "x")
        self._button = Button(self._form, given.get("name", ""), given.get("value", ""), "", dead)
        self._form.buttons.append(self._button)

    def _take(self, form: Form, tag: str, given: dict[str, str]) -> None:
        kind = given.get("type", "text")
        if tag == "select":
            self._select = given["name"]
        elif tag == "textarea" or (tag == "input" and kind in (*_TYPED, "hidden")):
            form.fields[given["name"]] = given.get("value", "")
            if kind != "hidden":
                form.open_fields.append(given["name"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "button":
            self._button = None
        elif tag == "a":
            self._link = None
        elif tag == "select":
            self._select = None

    def handle_data(self, data: str) -> None:
        if self._button is not None:
            self._button.words += data
        if self._link is not None:
            self.links[self._link] += data

    @property
    def buttons(self) -> list[Button]:
        """All that can be pressed, in the order of the page."""
        return [each for form in self.forms for each in form.buttons if not each.dead]


@define(eq=False)
class PlainBrowser:
    """Somebody who reads pages in lines, and presses what stands there."""

    browser: Browser

    @property
    def page(self) -> PlainPage:
        """The page that is shown."""
        assert self.browser.page is not None
        return PlainPage(self.browser.page.text)

    def open(self, address: str) -> Answer:
        return self.browser.get(address)

    def follow(self, words: str) -> Answer:
        """Follow the first link that reads so."""
        address = next(each for each, said in self.page.links.items() if words in said)
        return self.browser.get(urljoin(self.browser.at, address))

    def press(self, button: Button, **typed: object) -> Answer:
        """Press a button; what is typed goes into the fields of its form."""
        fields = {**button.form.fields, **{name: str(value) for name, value in typed.items()}}
        assert set(typed) <= {*button.form.open_fields, *button.form.fields}, "no such field"
        if button.name:
            fields[button.name] = button.value
        csrf = fields.pop("csrf")
        address = urlsplit(urljoin(self.browser.at, button.form.action)).path
        return self.browser.post(address, csrf, **fields)

    def find(self, words: str) -> Button:
        """Find a button by how it reads."""
        found = [each for each in self.page.buttons if words in each.words]
        assert found, (words, [each.words for each in self.page.buttons])
        return found[0]


def check_names(page: PlainPage) -> None:
    """Check that each button lies in a form and says what it does, and that each link reads."""
    assert not page.stray, page.stray
    for each in page.buttons:
        assert each.words.strip(), (each.name, each.value)
    for address, words in page.links.items():
        assert words.strip(), address


def play_by_forms(house: House, kind: str) -> PlainBrowser:
    """Open a short table of a game, let bots sit down, and play it to its end by forms and links alone."""
    reader = PlainBrowser(house.browser())
    reader.open("/")
    check_names(reader.page)
    reader.open(f"/open/{kind}")
    settings = {f"game.{name}": value for name, value in SETTINGS.get(kind, {}).items()}
    reader.press(reader.find("Open the table"), name="Ann", **settings)
    for _ in range(SETTINGS.get(kind, {}).get("players", 2) - 1):
        bot = reader.find("Let a bot take a seat")
        reader.press(bot, **({"level": "random"} if kind == "castle" else {}))
    reader.press(reader.find("Start the game"))
    chance, table = Random(3), house.hall.find(reader.browser.at.split("/")[2])
    for _ in range(MOST_PRESSES):
        if table.stage is Stage.OVER:
            break
        check_names(reader.page)
        moves = [each for each in reader.page.buttons if each.name == "move"]
        if moves:
            reader.press(_choose(moves, chance))
        else:
            house.clock.advance(1.0)
            reader.open(reader.browser.at)
        assert reader.browser.page.status == 200, reader.browser.page.words
    assert table.stage is Stage.OVER, f"not over after {MOST_PRESSES} presses"
    assert reader.open(reader.browser.at).shows("The game is over.")
    assert reader.follow("Show the game").shows("played again")
    check_names(reader.page)
    return reader


def _choose(moves: list[Button], chance: Random) -> Button:
    """Choose by chance, but what ends a game if that can be seen: a set that is laid down, a castle that is hit."""
    for word in ("Lay down", "Tap", "castle"):
        found = [each for each in moves if word in each.words or f'"{word}"' in each.value]
        if found:
            return chance.choice(found)
    return chance.choice(moves)


if __name__ == "__main__":
    a_house = House()
    play_by_forms(a_house, sys.argv[1])
    picture.installed_pages = dict
    play_by_forms(a_house, sys.argv[1])
    a_house.close()
