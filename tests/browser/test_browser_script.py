"""The script of the pages with a clock, a connection and an answer that the test has in its hand."""

from __future__ import annotations

import json
from urllib.parse import parse_qs

import pytest
from selenium.webdriver import Keys

from protocols.web.static_files import FILES, VERSION
from tests.browser.conftest import DESK, PHONE

# Time goes on as the test says; what is opened, sent and set flying is kept, and nothing goes out.
HARNESS = """
(() => {
  let now = 0, next = 1;
  const timers = new Map();
  const set = (every) => (call, ms = 0) => {
    timers.set(next, { at: now + ms, every: every && ms, call });
    return next++;
  };
  performance.now = () => now;
  window.setTimeout = set(false);
  window.setInterval = set(true);
  window.clearTimeout = window.clearInterval = (id) => { timers.delete(id); };
  window.advance = (ms, throttle = 1) => {
    const end = now + ms, due = ([, timer]) => Math.ceil(timer.at / throttle) * throttle;
    for (;;) {
      const first = [...timers].filter((each) => due(each) <= end).sort((one, other) => due(one) - due(other))[0];
      if (!first) break;
      const [id, timer] = first;
      now = Math.max(now, due(first));
      if (timer.every) timer.at = now + timer.every; else timers.delete(id);
      timer.call();
    }
    now = end;
  };
  window.away = false;
  Object.defineProperty(document, "hidden", { get: () => window.away });
  window.opened = [];
  window.WebSocket = class {
    constructor() { this.readyState = 1; this.asked = 0; window.opened.push(this); }
    send() { this.asked += 1; }
    close() { this.readyState = 3; }
  };
  window.tell = (message) => window.opened.at(-1).onmessage?.({ data: JSON.stringify(message) });
  window.posted = [];
  window.lost = false;
  window.fetch = async (address, { body }) => {
    window.posted.push(String(body));
    if (window.lost) throw new TypeError("no connection");
    return { json: async () => ({ said: "", to: "" }) };
  };
  window.flights = 0;
  Element.prototype.animate = () => { window.flights += 1; return { finished: Promise.resolve() }; };
})();
"""


class Page:
    """A page under the harness."""

    def __init__(self, window) -> None:
        self.window = window
        self.seq = 0

    def run(self, script: str, *given: object) -> object:
        return self.window.driver.execute_script(script, *given)

    def open(self, url: str) -> None:
        self.window.open(url)
        self.seq = 0

    def tell(self, **message: object) -> None:
        """Let the house say something."""
        self.run("tell(arguments[0])", message)

    def frame(self, facts: str, **more: object) -> None:
        """Let the house show other facts, and the dock again with another line."""
        self.seq += 1
        dock = self.run("return document.getElementById('dock').outerHTML")
        asked = f'aria-live="polite">{facts}</p>'
        line = str(dock).partition('aria-live="polite">')
        drawn = f"<ul id=facts class=facts><li>{facts}</li></ul>"
        parts = {"facts": drawn, "dock": line[0] + asked + line[2].partition("</p>")[2]}
        base = {} if self.seq == 1 else {"base": self.seq - 1}
        self.tell(seq=self.seq, drawn=f"d{self.seq}", parts=parts, **base, **more)

    def advance(self, seconds: float, throttle: float = 0.001) -> None:
        """Let time go by; timers fire at multiples of ``throttle`` seconds."""
        self.run("advance(arguments[0], arguments[1])", 1000 * seconds, 1000 * throttle)

    def happens(self, event: str, where: str = "window") -> None:
        self.run(f"{where}.dispatchEvent(new Event('{event}'))")

    @property
    def opened(self) -> int:
        return int(str(self.run("return opened.length")))

    @property
    def posted(self) -> list[str]:
        return list(self.run("return posted"))

    @property
    def facts(self) -> str:
        return str(self.run("return document.getElementById('facts').textContent"))


@pytest.fixture
def page(window, request):
    """Open a page under the harness, on a desk where nothing else is asked for."""
    one = window(getattr(request, "param", DESK))
    one.run_before_pages(HARNESS)
    return Page(one)


def sit_down(page, daemon, kind="nim") -> None:
    """Sit down against a bot, with a page that has not heard of it."""
    page.open(daemon.url)
    page.window.go(f"#play-{kind}")
    page.tell(beat=0, build=VERSION)


def test_no_time_of_day_is_asked_for():
    assert b"Date" not in FILES["parlour.js"].body


def test_a_page_out_of_sight_keeps_its_stream_and_shows_the_newest_when_it_is_looked_at(
    page, daemon
):
    """Browsers let timers of such a page run once a minute; what comes over its connection is heard at once."""
    sit_down(page, daemon)
    page.run("away = true; document.dispatchEvent(new Event('visibilitychange'))")
    for number in range(40):
        page.frame(f"move {number}", rest=1500, cue="turn")
        page.tell(beat=page.seq, build=VERSION)
        page.advance(15, throttle=60)
    assert page.opened == 1, "ten minutes by its clock, but never 33 seconds of silence"
    page.run("away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.run("return opened[0].asked") >= 1
    page.tell(beat=page.seq, build=VERSION)
    page.advance(1)
    assert (page.facts, page.opened, page.run("return flights")) == ("move 39", 1, 0)
    page.advance(40)
    assert page.opened == 2, "silence is found where timers run"


def test_a_tab_that_was_put_out_stays_silent_until_it_is_pressed(page, daemon):
    sit_down(page, daemon)
    page.tell(gone="taken-over")
    page.run("opened[0].onclose?.()")
    for event in ("focus", "pageshow", "online"):
        page.happens(event)
        page.advance(600)
    page.happens("visibilitychange", "document")
    assert page.opened == 1
    assert page.window.one("#lost.seen").text == "This place was taken over from elsewhere."


def test_a_place_that_our_own_press_took_to_another_server_is_gone_on_with(page, daemon):
    sit_down(page, daemon, "gops")
    page.window.press("#b-7S")
    page.advance(1)
    page.tell(gone="taken-over")
    page.advance(1)
    assert page.opened == 2
    assert page.run("return document.getElementById('lost').textContent") == ""
    page.advance(6)
    page.tell(gone="taken-over")
    assert page.window.one("#lost.seen").text == "This place was taken over from elsewhere."


def test_a_press_that_was_lost_is_never_sent_later(page, daemon):
    sit_down(page, daemon, "gops")
    page.run("lost = true")
    page.window.press("#b-7S")
    page.window.until(lambda: page.run("return said.textContent"))
    assert page.run("return said.textContent").startswith("Not sent")
    page.run("lost = false")
    page.happens("online")
    page.advance(60)
    assert len(page.posted) == 1
    page.window.press("#b-9S")
    assert [json.loads(parse_qs(each)["move"][0])["card"] for each in page.posted] == [7, 9]


def test_a_press_that_is_answered_ends_the_wait_for_another_stream(page, daemon):
    """The house is there again, and the page would wait for up to a quarter of a minute to find that out."""
    sit_down(page, daemon, "gops")
    for tries in range(8):
        assert page.opened == tries + 1
        page.run("opened.at(-1).onclose()")
        page.advance(23 if tries < 7 else 0.01)
    page.window.press("#b-7S")
    page.window.until(lambda: page.posted)
    page.advance(0.01)
    assert page.opened == 9


def test_parts_that_a_page_does_not_know_and_half_a_line_outlive_another_build(page, daemon):
    sit_down(page, daemon)
    page.frame("one")
    page.seq += 1
    known = {"facts": "<ul id=facts class=facts><li>two</li></ul>", "dice": "<p id=dice>6</p>"}
    page.tell(seq=page.seq, base=page.seq - 1, drawn="x", parts={**known, "felt": "<p>none</p>"})
    page.advance(1)
    assert page.facts == "two"
    loaded = page.run("return performance.timeOrigin")
    page.window.type("#words", "half a line")
    page.tell(beat=page.seq, build="another")
    assert page.run("return performance.timeOrigin") == loaded
    page.window.type("#words", "")
    page.tell(beat=page.seq, build="another")
    page.window.until(lambda: page.run("return performance.timeOrigin") != loaded)
    again = page.run("return performance.timeOrigin")
    page.tell(beat=0, build="another")
    assert page.run("return performance.timeOrigin") == again, "never twice for one build"


@pytest.mark.parametrize("field", ["#words", "#sit-name", "#typed"])
def test_what_is_composed_is_neither_cut_by_a_picture_nor_sent_before_its_own_enter(
    page, daemon, field
):
    """An input method ends with an Enter of its own, which some browsers report late, as code 229."""
    one = page.window
    page.open(f"{daemon.url}/open/nim")
    one.type("#name", "Ann")
    one.type("[id='game.stones']", "900")
    one.type("[id='game.maximum']", "900")
    one.go("#open")
    if field == "#sit-name":
        page.open(f"{daemon.url}/t/{one.driver.current_url.split('/')[4]}/?watch=yes")
    elif field == "#typed":  # by forms: nothing goes out under the harness
        wish(page, "bot")
        one.until(lambda: one.all("#guest-1"))
        wish(page, "start")
        one.until(lambda: one.all("#typed"))
    one.one(field).click()
    given = {"selectionStart": 1, "selectionEnd": 1}
    for number in range(1, 6):
        one.do("Input.imeSetComposition", text="nihao"[:number], **given)
        page.frame(f"move {number}")
        page.advance(0.2)
    assert page.run("return document.activeElement.value") == "nihao"
    late = "{key: 'Enter', keyCode: 229, bubbles: true, cancelable: true}"
    gone = page.run(
        f"return document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {late}))"
    )
    assert gone is False
    composing = "{key: '1', isComposing: true, bubbles: true}"
    page.run(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {composing}))")
    one.do("Input.insertText", text="你好")
    one.key("1")
    assert page.run("return document.activeElement.value") == "你好1"
    assert page.posted == []
    one.key(Keys.ENTER)
    assert len(page.posted) == 1


def wish(page, what: str) -> None:
    """Wish for something as a page without script does."""
    page.run(
        """const act = document.getElementById("act"), field = document.createElement("input");
        field.type = "hidden"; field.name = "wish"; field.value = arguments[0];
        act.append(field); HTMLFormElement.prototype.submit.call(act)""",
        what,
    )


def test_the_name_that_one_has_in_the_hall_is_proposed_at_a_table(page, daemon):
    one = page.window
    page.open(f"{daemon.url}/open/nim")
    one.type("#name", "Ann")
    one.go("#open")
    page.open(f"{daemon.url}/t/{one.driver.current_url.split('/')[4]}/?watch=yes")
    page.tell(you="Zoë")
    page.frame("one")
    assert one.one("#sit-name").get_attribute("value") == "Zoë"
    page.window.press("#w-yes")
    assert parse_qs(page.posted[-1])["name"] == ["Zoë"]


SENSES = """window.felt = []; navigator.vibrate = (ms) => { window.felt.push(ms); };
window.AudioContext = class {
  constructor() { this.currentTime = 0; }
  createOscillator() {
    return { frequency: this.createGain().gain, connect: (next) => next, start() {}, stop() {} };
  }
  createGain() {
    const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect: (next) => next };
  }
};"""


def test_a_sound_and_a_vibration_are_given_to_who_has_asked_for_them_and_kept(page, daemon):
    def given() -> list[object]:
        return list(page.run("return [Number(live.dataset.rung || 0), felt.length]"))

    sit_down(page, daemon)
    page.run(SENSES)
    page.frame("your turn", cue="turn")
    assert given() == [0, 0], "nobody has asked"
    page.window.press("[data-cue=sound]")
    assert given() == [1, 0], "as it will be"
    page.frame("your turn again", cue="turn")
    assert given() == [2, 0]
    page.window.press("[data-cue=vibration]")
    page.frame("and again", cue="turn")
    assert given() == [3, 2]
    page.window.driver.refresh()
    page.seq = 0
    page.run(SENSES)
    page.frame("after a while", cue="turn")
    assert given() == [1, 1], "it is kept"
    for cue in ("sound", "vibration"):
        page.window.press(f"[data-cue={cue}]")
    page.frame("no more", cue="turn")
    assert given() == [1, 1]


def test_the_tab_of_the_talk_counts_what_was_said_since_it_was_looked_at(page, daemon):
    count = "return document.getElementById('t-p-talk').dataset.count ?? null"
    panel = "document.getElementById('p-talk')"

    def hear(*said: str) -> object:
        page.seq += 1
        base = {} if page.seq == 1 else {"base": page.seq - 1}
        lines = "".join(f"<li><b>Ben</b> {each}</li>" for each in said)
        parts = {
            "talk": f"<ol id=talk>{lines or '<li class=soft>Nobody has said anything yet.'}</ol>"
        }
        page.tell(seq=page.seq, drawn=f"d{page.seq}", parts=parts, **base)
        return page.run(count)

    sit_down(page, daemon)
    assert hear() is None
    assert hear("one") == "1"
    assert hear("one", "two", "two") == "3"
    assert hear("two", "two", "three") == "4", "the first is not shown any more"
    page.run(f"{panel}.showPopover()")
    page.window.until(lambda: page.run(count) is None)
    assert hear("two", "three", "four") is None, "it is looked at"
    page.run(f"{panel}.hidePopover()")
    assert hear("two", "three", "four") is None
    assert hear("three", "four", "five") == "1"


@pytest.mark.parametrize(("page", "shown"), [(PHONE, "Ben five"), (DESK, "")], indirect=["page"])
def test_what_was_said_is_shown_for_a_while_where_the_talk_is_behind_its_tab(page, daemon, shown):
    latest = "return document.getElementById('latest').textContent"

    def hear(*said: str) -> object:
        page.seq += 1
        base = {} if page.seq == 1 else {"base": page.seq - 1}
        lines = "".join(f"<li><b>Ben</b> {each}</li>" for each in said)
        parts = {"talk": f"<ol id=talk>{lines}</ol>"}
        page.tell(seq=page.seq, drawn=f"d{page.seq}", parts=parts, **base)
        return page.run(latest)

    sit_down(page, daemon)
    assert hear("four", "five") == shown
    assert hear("four", "five") == shown, "nothing more was said"
    page.advance(5)
    assert page.run(latest) == shown
    page.advance(2)
    assert page.run(latest) == ""
    page.run("document.getElementById('p-talk').showPopover()")
    assert hear("five", "six") == "", "it is looked at"
