"""What has happened to other houses: a composition that sends a line, a page of another build, pages translated."""

from __future__ import annotations

import pytest
from selenium.webdriver import Keys

from gamecore.rules import installed_rules
from tests.browser.test_browser_game import open_with_bots

KINDS = [each.kind for each in installed_rules()]
MOST_PRESSES = 15  # of a game that lasts longer

# What translators and keepers of passwords do to a page; and somebody who plays it, and waits for nothing.
MEDDLE = """
const wrap = (root) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  for (const text of found) {
    if (!text.data.trim() || text.parentElement?.closest("font, script, style, textarea, [translate=no]")) continue;
    const outer = document.createElement("font"), inner = document.createElement("font");
    text.replaceWith(outer); outer.append(inner); inner.append(text);
  }
};
wrap(document.body);
const all = { childList: true, characterData: true, subtree: true };
new MutationObserver(() => wrap(document.body)).observe(document.body, all);
for (const each of document.querySelectorAll("body, form, #felt, #dock"))
  each.append(Object.assign(document.createElement("div"), { className: "foreign" }));
for (const each of document.querySelectorAll("input")) each.after(document.createElement("span"));
window.failed = [];
addEventListener("error", (event) => window.failed.push(event.message));
let pressed = 0;
const most = arguments[0], done = arguments[1];
const step = () => {
  dispatchEvent(new PointerEvent("pointerdown"));
  if (pressed >= most || document.querySelector("#podium")) return done(pressed);
  setTimeout(step, 20);
  const can = document.querySelector("#ask.mine") && document.querySelector(`#tap, #finish,
    #hand .pick[name=move]:not([aria-disabled]), .bidding [name=move]:not([aria-disabled]), .stones .may,
    #offers [name=move], .hit:not([class*=by]), #m-next, #plain [name=move]`);
  if (!can) return;
  can.click();
  pressed += 1;
};
step();
"""
# The parts of the page as it stands, and of one that is asked for now, by their texts without clocks.
PARTS = """
const done = arguments[0], names = ["facts", "felt", "dock", "hand", "p-score"];
const read = (root) => names.map((name) => {
  const part = root.getElementById(name).cloneNode(true);
  for (const each of part.querySelectorAll(".clock")) each.remove();
  return part.textContent.replace(/\\s+/g, " ").trim();
});
fetch(location.href).then((reply) => reply.text())
  .then((text) => done([read(document), read(new DOMParser().parseFromString(text, "text/html"))]));
"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_that_is_translated_and_meddled_with_still_shows_what_a_fresh_one_does(
    daemon, window, kind
):
    one = window()
    open_with_bots(one, daemon, kind)
    one.until(lambda: one.all("#ask.mine"))
    pressed = one.driver.execute_async_script(MEDDLE, MOST_PRESSES)
    one.until(lambda: _agrees(one))
    assert one.driver.execute_script("return failed") == []
    assert pressed > 1


def _agrees(one) -> bool:
    one.driver.execute_script("dispatchEvent(new PointerEvent('pointerdown'))")
    shown, fresh = one.driver.execute_async_script(PARTS)
    return shown == fresh


def test_the_enter_that_ends_a_composition_sends_nothing(daemon, window):
    one = window()
    one.open(daemon.url)
    one.one("#words").click()
    for text in ("n", "ni", "nih", "nihao"):
        one.do("Input.imeSetComposition", text=text, selectionStart=1, selectionEnd=1)
    late = """const e = new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, cancelable: true});
        return document.getElementById('words').dispatchEvent(e)"""
    assert one.driver.execute_script(late) is False, "a late Enter is taken for none"
    one.do("Input.insertText", text="你好")
    assert one.one("#words").get_attribute("value") == "你好"
    assert "你好" not in one.one("#talk").text
    one.key(Keys.ENTER)
    one.until(lambda: "你好" in one.one("#talk").text)


def test_a_page_of_another_build_is_loaded_anew_once_and_not_while_a_line_is_half_typed(
    daemon, window
):
    one = window()
    one.open(daemon.url)
    one.type("#words", "half a line")
    loaded = "return performance.timeOrigin"
    before = one.driver.execute_script(loaded)
    one.driver.execute_script("document.getElementById('live').dataset.build = 'old'")
    one.driver.execute_script("window.dispatchEvent(new Event('focus'))")
    one.press("#say")
    one.until(lambda: "half a line" in one.one("#talk").text)
    one.driver.execute_script("window.dispatchEvent(new Event('focus'))")
    one.until(lambda: one.driver.execute_script(loaded) != before)
    one.one("#talk b")
    again = one.driver.execute_script(loaded)
    one.driver.execute_script("document.getElementById('live').dataset.build = 'old'")
    one.driver.execute_script("window.dispatchEvent(new Event('focus'))")
    one.type("#called", "Zoe")
    one.press("#rename")
    one.until(lambda: "Zoe" in one.one("#people").text)
    assert one.driver.execute_script(loaded) == again, "never twice for one build"
