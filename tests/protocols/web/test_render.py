"""How pages are drawn: from memory alone, once they were drawn before."""

from __future__ import annotations

from pathlib import Path


def test_a_page_that_was_seen_before_asks_the_disk_for_nothing(house, monkeypatch) -> None:
    assert house.browser().get("/").status == 200

    def ask(*_: object) -> None:
        raise AssertionError("a page asked the disk")

    for name in ("isfile", "getmtime", "exists"):
        monkeypatch.setattr(f"os.path.{name}", ask)
    monkeypatch.setattr(Path, "read_text", ask)
    assert house.browser().get("/").status == 200
