"""A real daemon and real browsers: Debian's Chromium with its driver, three windows side by side.

Its headless shell has the same engine, and none of the desktop around it, which takes most of the time to start.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.doors import ANYWHERE, shut
from tests.end_to_end.conftest import Daemon, launch
from tests.patience import SECONDS

# The first does the least; what is on the path starts it as a child, which a driver would leave behind.
BROWSERS = ("/usr/lib/chromium/chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
DRIVER = shutil.which("chromedriver")
NOWHERE, NOT_FOUND = "~NOTFOUND", "ERR_NAME_NOT_RESOLVED"  # of all hosts but ours
DESK, PHONE = (1280, 900), (390, 844)
MISSING = (
    "NO BROWSER WAS THERE: install chromium-headless-shell, or chromium, and chromium-driver,"
    " and the pages are tested in it"
)

_left_out: list[str] = []


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say loudly, in one line, that these tests were left out."""
    if _left_out:
        terminalreporter.write_line(MISSING, red=True, bold=True)


@pytest.fixture(scope="session")
def webdriver() -> Any:
    """Give Selenium; without a browser these tests are left out, but never where CI is set."""
    try:
        from selenium import webdriver
    except ImportError:
        webdriver = None
    if CHROMIUM and DRIVER and webdriver is not None:
        return webdriver
    if os.environ.get("CI"):
        pytest.fail(MISSING)
    _left_out.append(MISSING)
    pytest.skip(MISSING)


class Pages(Daemon):
    """A daemon that is looked at by its pages."""

    @property
    def port(self) -> int:
        return self.ports["web"]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it as a crash does."""
        self.process.kill()
        self.process.communicate(timeout=SECONDS)


def open_pages(
    folder: Path, journal: str = "memory", port: int = 0, web: str = "", also: str = "json"
) -> Pages:
    """Start a daemon whose only open doors are that of the pages and those that are named."""
    config = folder / "parlour.ini"
    config.write_text(f"[web]\nlink_file = none\n{web}")
    doors = [*shut("web", *also.split()), "--web", f"tcp:{port}:interface=127.0.0.1"]
    doors += [word for kind in also.split() for word in (f"--{kind}", ANYWHERE)]
    keeps = ["--discovery", "off", "--journal", journal]
    daemon = launch("--config", str(config), *doors, *keeps, cwd=folder, kind=Pages)
    daemon.wait_until_open()
    return daemon


def running(folder: Path) -> Iterator[Pages]:
    """Start a daemon; it must end well."""
    daemon = open_pages(folder)
    yield daemon
    status = daemon.stop()
    assert "Traceback" not in daemon.log, daemon.log
    assert status == 0, daemon.log


@pytest.fixture(scope="module")
def daemon(webdriver: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """Give the daemon that the tests of a module share; each plays at tables of its own."""
    yield from running(tmp_path_factory.mktemp("house"))


@pytest.fixture
def own_daemon(webdriver: Any, tmp_path: Path) -> Iterator[Pages]:
    """Start a daemon for one test."""
    yield from running(tmp_path)


STEPS = """
const now = document.activeElement;
let found = document.querySelector(arguments[0]);
if (found === null || now.matches(arguments[0])) return [now.matches(arguments[0]), found !== null, 0];
if (found.type === 'radio') found = document.querySelector(`[name=${found.name}]:checked`) ?? found;
const before = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
const wraps = before(found, now);
const stops = 'a[href], button, input:not([type=radio]), select, summary, textarea';
const between = [...document.querySelectorAll(stops)]
  .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({visibilityProperty: true}))
  .filter((each) => (before(now, each) && each !== now) + (before(each, found) && each !== found) > !wraps);
return [false, true, Math.max(1, between.length - 1)];
"""
"""Whether what is looked for has the focus, whether it is there, and how often to press the tabulator for it."""


class Window:
    """One window of a browser of its own, anybody's by turns; whatever it asks of another host is a complaint."""

    script = True

    def __init__(self, webdriver: Any) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for each in (
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-extensions",
            "--disable-sync",
            "--no-first-run",
            "--hide-scrollbars",
            # Nobody goes back, and no page is anybody else's: none has to be kept or made ready.
            "--disable-features=BackForwardCache,SpareRendererForSitePerProcess",
            f"--host-resolver-rules=MAP * {NOWHERE}, EXCLUDE 127.0.0.1",
        ):
            options.add_argument(each)
        if os.geteuid() == 0:  # as in a container
            options.add_argument("--no-sandbox")
        if "headless-shell" in CHROMIUM:
            # Which alone can be one process; so it takes a quarter less of the processor.
            options.add_argument("--single-process")
            options.add_argument("--no-zygote")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(DRIVER)
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_script_timeout(SECONDS)
        self._agent = self.do("Browser.getVersion")["userAgent"]
        self._before_pages: list[dict[str, Any]] = []
        self._origins: set[str] = set()

    def do(self, command: str, **given: Any) -> Any:
        """Ask the browser by its own protocol, in which it can be changed while it runs."""
        return self.driver.execute_cdp_cmd(command, given)

    def resize(self, size: tuple[int, int], mobile: bool = False) -> None:
        """Be as wide and as high as the screen of a desk, or of a telephone."""
        shape = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": mobile}
        self.do("Emulation.setDeviceMetricsOverride", **shape)

    def belong_to(self, language: str, script: bool) -> None:
        """Be the browser of one who reads a language, and lets pages run scripts or not."""
        agent = {"userAgent": self._agent, "acceptLanguage": language}
        self.do("Network.setUserAgentOverride", **agent)
        self.do("Emulation.setScriptExecutionDisabled", value=not script)
        self.script = script

    def run_before_pages(self, script: str) -> None:
        """Run a script before those of each page that is opened from now on."""
        added = self.do("Page.addScriptToEvaluateOnNewDocument", source=script)
        self._before_pages.append(added)

    # -- looking ------------------------------------------------------------------------

    def open(self, url: str) -> None:
        self._origins.add("{0.scheme}://{0.netloc}".format(urlsplit(url)))
        self.driver.get(url)

    def all(self, css: str) -> list[Any]:
        return self.driver.find_elements("css selector", css)

    def one(self, css: str) -> Any:
        """Wait for an element."""
        from selenium.webdriver.support.ui import WebDriverWait

        found = WebDriverWait(self.driver, SECONDS, 0.05).until(lambda _: self.all(css))
        return found[0]

    def until(self, true: Callable[[], Any]) -> Any:
        """Wait until something is true of the page; what was replaced meanwhile is looked at again."""
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        waiting = WebDriverWait(
            self.driver, SECONDS, 0.05, ignored_exceptions=[StaleElementReferenceException]
        )
        return waiting.until(lambda _: true())

    def shows(self, words: str) -> bool:
        return words in self.driver.find_element("css selector", "main").text

    def wait_for(self, words: str) -> None:
        self.until(lambda: self.shows(words))

    # -- doing --------------------------------------------------------------------------

    def press(self, css: str) -> None:
        self.one(css).click()

    def go(self, css: str) -> None:
        """Press what leads to another page, and wait for that page."""
        there = "return document.readyState === 'complete' && !document.documentElement.dataset.old"
        self.driver.execute_script("document.documentElement.dataset.old = 'yes'")
        self.press(css)
        self.until(lambda: self.driver.execute_script(there))

    def go_plain(self, css: str) -> None:
        """Press what leads to another page in a window without script, and wait for that page."""
        from selenium.common.exceptions import WebDriverException

        old = self.one("html")
        self.press(css)

        def gone() -> bool:
            try:
                old.is_enabled()
            except WebDriverException:  # stale, or "does not belong to the document" on its way out
                return True
            return False

        self.until(gone)

    def type(self, css: str, text: str) -> None:
        field = self.one(css)
        field.clear()
        field.send_keys(text)

    def key(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, css: str) -> None:
        """Go by the tabulator to the first element that fits, as one without a mouse does.

        Raises NoSuchElementException if there is none any more.
        """
        from selenium.common.exceptions import NoSuchElementException
        from selenium.webdriver import Keys

        until = time.monotonic() + SECONDS  # it may be covered until a moment has been seen out
        while time.monotonic() < until:
            there, found, steps = self.driver.execute_script(STEPS, css)
            if there:
                return
            if not found:
                raise NoSuchElementException(css)
            self.key(*[Keys.TAB] * steps)
        raise AssertionError(f"{css} cannot be reached by the keyboard")

    def hurry(self) -> None:
        """Press beside everything, as one does who would not see each moment out."""
        self.driver.execute_script(
            "dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))"
        )

    # -- what the browser says --------------------------------------------------------------

    def complaints(self) -> list[str]:
        """List what the browser complained of: blocked scripts, styles, forms, and hosts that it does not find."""
        said = [each["message"] for each in self.driver.get_log("browser")]
        expected = ("Failed to load resource", "WebSocket connection to")  # where the house is down
        return [
            each
            for each in said
            if NOT_FOUND in each or not any(words in each for words in expected)
        ]

    def axe(self, *rules: str) -> list[str]:
        """Let axe-core look at the page by all its rules, or by some."""
        from axe_core_python.base import AXE_SCRIPT

        if not self.driver.execute_script("return 'axe' in window"):
            self.driver.execute_script(AXE_SCRIPT)
        options: dict[str, Any] = {"resultTypes": ["violations"]}
        if rules:
            options["runOnly"] = {"type": "rule", "values": rules}
        look = "axe.run(arguments[0]).then(arguments[1])"
        found = self.driver.execute_async_script(look, options)
        return [
            f"{each['id']}: {each['help']}: {[node['html'][:160] for node in each['nodes']][:3]}"
            for each in found["violations"]
        ]

    def dark(self, on: bool = True) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.do("Emulation.setEmulatedMedia", features=[scheme, still])

    def forget(self) -> None:
        """Be as a browser that was never used: no page, no cookie, nothing set or kept."""
        self.driver.get("about:blank")
        for each in self._before_pages:
            self.do("Page.removeScriptToEvaluateOnNewDocument", **each)
        for origin in self._origins:
            self.do("Storage.clearDataForOrigin", origin=origin, storageTypes="all")
        self.do("Network.clearBrowserCookies")
        self.do("Network.clearBrowserCache")
        self.do("Emulation.setEmulatedMedia", features=[])
        self._origins, self._before_pages = set(), []

    def close(self) -> None:
        """End the browser; none may outlive its driver."""
        folder = self.driver.capabilities["chrome"]["userDataDir"]
        self.driver.quit()
        until = time.monotonic() + SECONDS
        while runs_in(folder):
            assert time.monotonic() < until, f"the browser in {folder} was left behind"
            time.sleep(0.02)  # nobody tells


def runs_in(folder: str) -> bool:
    """Say whether a process has a folder among its words."""
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            if folder.encode() in each.read_bytes():
                return True
    return False


@pytest.fixture(scope="session")
def idle_windows() -> Iterator[list[Window]]:
    """Give the windows that nobody looks at just now."""
    idle: list[Window] = []
    yield idle
    for each in idle:
        each.close()


@pytest.fixture
def window(webdriver: Any, idle_windows: list[Window]) -> Iterator[Callable[..., Window]]:
    """Open windows; each is a browser of its own, and asks nobody but the house for anything."""
    used: list[Window] = []

    def build(size: tuple[int, int] = DESK, language: str = "en", script: bool = True) -> Window:
        used.append(idle_windows.pop() if idle_windows else Window(webdriver))
        used[-1].belong_to(language, script)
        used[-1].resize(size, mobile=size[0] < 600)
        return used[-1]

    yield build
    complaints = [each for window in used for each in window.complaints()]
    for each in used:
        each.forget()
        idle_windows.append(each)
    assert complaints == []


def set_up(
    organizer: Window, daemon: Pages, names: str, game: str = "rikiki", **form: str
) -> list[str]:
    """Open a table for those who are invited; gives the invitations."""
    organizer.open(f"{daemon.url}/open/{game}")
    organizer.press("form summary")
    organizer.type("#names", names)
    for field, value in form.items():
        organizer.type(f"[id='game.{field}']", value)
    organizer.go("#open")
    organizer.one("input.secret")
    return [each.get_attribute("value") for each in organizer.all("input.secret")]


@pytest.fixture
def organize() -> Callable[..., list[str]]:
    """Give ``organize(window, daemon, names, game, **form)``."""
    return set_up


LOOK = """
const [pressable, endings, impatient, wait, done = (found) => found] = arguments;
const until = Date.now() + wait;
const shown = (css) => [...document.querySelectorAll(css)];
const words = (each) => each.getAttribute('aria-label') || each.textContent;
const look = () => {
  if (document.getElementById('podium')) return ['over'];
  if (!document.querySelector('#ask.mine')) return ['wait'];
  for (const css of pressable) {
    const found = shown(css);
    if (found.length) return ['press', found, found.map(words)];
  }
  const menus = shown('.menu:has(button)'), last = shown(endings);
  const strong = menus.filter((each) => each.querySelector("[id*='-castle']"));
  return ['cards', (strong.length ? strong : menus).map((each) => [
    /\\bby(\\d+)/.exec(each.className)[1], [...each.querySelectorAll('button')]]), strong.length > 0, last];
};
const again = () => {
  const found = look();
  if (found[0] !== 'wait' || Date.now() >= until) return done(found);
  if (impatient) dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));
  setTimeout(again, 20);
};
return again();
"""
"""What a player can do, asked of the page all at once.

Until there is something it waits for so many milliseconds; whoever is impatient presses beside the cards meanwhile.
"""


ARROWS = """
const now = document.activeElement, all = [...document.querySelectorAll('[name=pick]')];
const wanted = all.findIndex((each) => each.matches('.k' + arguments[0])), here = all.indexOf(now);
return [wanted >= 0 && wanted === here, wanted < 0 ? 0 : (wanted - here + all.length) % all.length];
"""
"""Whether a card has the focus, and how many presses of an arrow lie before it; none if it is not there."""


GONE = ("does not belong to the document", "document unloaded")  # another page is there meanwhile


class Player:
    """Somebody who plays by clicks whatever can be pressed; ``eager`` is how likely a card is used if it may be.

    Nobody who is impatient has to see each moment out: whoever waits presses beside the cards.
    """

    MOVES = (
        "#tap",
        "#finish",
        "#hand .pick[name=move]:not([aria-disabled])",
        ".bidding [name=move]:not([aria-disabled])",
        ".stones .may",
        ".column:not([aria-disabled])",
        ".moves [name=move]",
        "#offers [name=move]",
        ".hit:not([class*=by])",  # what is ringed although no card is picked
    )
    LAST = "#m-next, #plain [name=move]"  # what ends a pause, or a turn
    IMPATIENT = True

    def __init__(self, window: Window, eager: float = 0.5) -> None:
        self.window = window
        self.chance = Random(5)
        self.eager = eager
        self.over = False

    def press(self, wait: int = 0) -> bool:
        """Press what can be pressed; False if nothing can be within so many milliseconds."""
        from selenium.common.exceptions import (
            ElementClickInterceptedException,
            ElementNotInteractableException,
            NoSuchElementException,
            StaleElementReferenceException,
            WebDriverException,
        )

        try:
            return self._press(wait)
        except (
            StaleElementReferenceException,
            ElementClickInterceptedException,
            ElementNotInteractableException,
            NoSuchElementException,
        ):
            return False  # it has gone on meanwhile
        except WebDriverException as problem:
            if not any(words in str(problem) for words in GONE):
                raise
            return False  # so, too: the driver has no class for it

    def _press(self, wait: int) -> bool:
        what, *found = self._look(wait)
        self.over = what == "over"
        if what == "press":
            self.activate(self._choice(*found))
        elif what == "cards":
            menus, strong, last = found
            if menus and (strong or not last or self.chance.random() < self.eager):
                self._use_a_card(menus, strong)
            elif last:
                self.activate(last[0])
            else:
                return self._type()
        return what in ("press", "cards")

    def _look(self, wait: int) -> list[Any]:
        """Ask the page; one without script cannot wait."""
        driver = self.window.driver
        look = driver.execute_async_script if self.window.script else driver.execute_script
        found: list[Any] = look(LOOK, self.MOVES, self.LAST, self.IMPATIENT, wait)
        return found

    def _use_a_card(self, menus: list[Any], strong: bool) -> None:
        """Pick a card whose menu has something to press, and press it: best what ends the game."""
        number, buttons = self.chance.choice(menus)
        self.pick(number)
        self.activate(buttons[-1] if strong else self.chance.choice(buttons))

    def _type(self) -> bool:
        """Type a move where no button stands for it; False if nothing can be typed."""
        if not self.window.all("#typed"):
            return False
        self.window.type("#typed", "1")
        self.window.press("#m-typed")
        return True

    def activate(self, button: Any) -> None:
        """Press a button."""
        button.click()

    def pick(self, number: str) -> None:
        """Pick a card by its number."""
        self.window.press(f"label:has(.k{number})")

    def _choice(self, buttons: list[Any], words: list[str]) -> Any:
        """Choose what ends a game, else of the cards one whose rank is the rarest: a set is gathered."""
        for word in ("finish", "tap"):
            if word in words:
                return buttons[words.index(word)]
        ranks = [each.split()[0] if " " in each else each[:-1] for each in words]
        fewest = min(map(ranks.count, ranks))
        rare = [
            each for each, rank in zip(buttons, ranks, strict=True) if ranks.count(rank) == fewest
        ]
        return self.chance.choice(rare)


class KeyboardPlayer(Player):
    """Somebody who has no mouse, and so sees each moment out."""

    IMPATIENT = False

    def activate(self, button: Any) -> None:
        """Go to a button by the tabulator, and press it."""
        from selenium.webdriver import Keys

        self.window.tab_to(f"[id={json.dumps(button.get_attribute('id'))}]")
        self.window.key(Keys.ENTER)

    def pick(self, number: str) -> None:
        """Go to the cards by the tabulator, and among them by the arrows."""
        from selenium.common.exceptions import NoSuchElementException
        from selenium.webdriver import Keys

        window = self.window
        for _ in range(60):
            window.tab_to("[name=pick]")  # again if what had the focus is gone
            window.key(Keys.SPACE)
            there, steps = window.driver.execute_script(ARROWS, number)
            if there:
                return
            if not steps:
                raise NoSuchElementException(f"card {number}")
            window.key(*[Keys.ARROW_DOWN] * steps)
        raise AssertionError(f"card {number} cannot be reached by the keyboard")


def play_out(players: list[Player], seconds: float, most: float = math.inf) -> None:
    """Let all press until the game is over for all of them, or they have pressed so often."""
    until = time.monotonic() + seconds
    pressed = 0
    wait = (
        1000 if len(players) == 1 else 40
    )  # one page waits by itself, and of several none for long
    while pressed < most and not all(player.over for player in players):
        assert time.monotonic() < until, [each.window.one("main").text for each in players]
        for player in players:
            pressed += player.press(wait)


@pytest.fixture
def play() -> Callable[..., None]:
    """Give ``play(windows, seconds)``, which plays a game to its end by clicks."""
    return lambda windows, seconds=120.0: play_out([Player(each) for each in windows], seconds)
