"""What has happened to other houses: a composition that sends a line, and a page of another build."""

from __future__ import annotations

from selenium.webdriver import Keys


def test_the_enter_that_ends_a_composition_sends_nothing(daemon, window):
    one = window()
    one.open(daemon.url)
    one.one("#words").click()
    compose = "Input.imeSetComposition"
    for text in ("n", "ni", "nih", "nihao"):
        one.driver.execute_cdp_cmd(compose, {"text": text, "selectionStart": 1, "selectionEnd": 1})
    late = """const e = new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, cancelable: true});
        return document.getElementById('words').dispatchEvent(e)"""
    assert one.driver.execute_script(late) is False, "a late Enter is taken for none"
    one.driver.execute_cdp_cmd("Input.insertText", {"text": "你好"})
    assert one.one("#words").get_attribute("value") == "你好"
    assert not one.all("#talk b")
    one.key(Keys.ENTER)
    one.until(lambda: one.all("#talk b"))
    assert "你好" in one.one("#talk").text


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
