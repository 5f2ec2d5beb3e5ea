"""What a browser is answered with, and what every answer says beside its text."""

from __future__ import annotations

import json
from collections.abc import Mapping

from attrs import field, frozen

from protocols.web.browser_socket import BrowserSocket

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Content-Type": "text/html; charset=utf-8",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Server": "Parlour",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
}


class PageRefused(Exception):
    """A page that cannot be shown: with which HTTP status, and why, by the key of a sentence."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(key)
        self.status = status
        self.key = key


@frozen
class Reply:
    """What a browser is answered with: a page or a file (perhaps ``gzipped`` too), another address, or a stream."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(factory=dict)
    gzipped: bytes = b""
    stream: BrowserSocket | None = None


def redirect(address: str) -> Reply:
    """Send the browser to another page, with GET."""
    return Reply(status=303, headers={"Location": address})


def answer_script(said: str = "", to: str = "") -> Reply:
    """Tell the script of a page what became of a press, and where to go, if anywhere."""
    told = json.dumps({"said": said, "to": to})
    return Reply(told.encode(), headers={"Content-Type": "application/json"})
