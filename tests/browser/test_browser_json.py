"""A page of another site that plays by JSON lines over a WebSocket, in a real browser."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.browser.conftest import open_pages

BOTS = Path(__file__).parents[2] / "etc" / "bots"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site():
    """Serve the page from another port, which makes it another site's."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(BOTS)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(("origins", "shown"), [("{site}", "places:"), ("", "(closed)")])
def test_the_example_page_plays_where_its_site_is_let_in(
    window, site, tmp_path, webdriver, origins, shown
):
    daemon = open_pages(tmp_path, web=f"json_origins = {origins.format(site=site)}\n", also="json")
    try:
        one = window()
        one.open(f"{site}/page.html#127.0.0.1:{daemon.port}")
        one.until(lambda: shown in one.one("#said").text)
        assert not one.complaints()
    finally:
        assert daemon.stop() == 0
    assert "Traceback" not in daemon.log, daemon.log
