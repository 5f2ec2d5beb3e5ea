"""One visit of a browser: who it is by its cookies, in which language, and what it sent.

Every browser has one secret of its own in the cookie ``parlour``; from it follows the token that each of our forms
carries, so that no other site can post for it.  The token of a place at a table lies in a cookie that goes to the
pages of that place alone; which places there are, without their secrets, in one that goes everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from twisted.web.server import Request

from gamecore.errors import Refused
from protocols.host.secrets import hash_token
from protocols.i18n.translate import ENGLISH, Translator, languages, translator_of
from protocols.net.link import host_of
from protocols.web.tokens import LONGEST, derived, new_secret, same
from protocols.web.typeset import set_for_pages

COOKIE_SECONDS = 30 * 86_400
MOST_PLACES = 24  # that a browser is reminded of
_VISITOR = "parlour"
_LANGUAGE = "parlour-lang"
_PLACE = "parlour-place"
_PLACES = "parlour-places"
_DEVICE = "parlour-device"
_SECRET = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_LABEL = "[A-Za-z0-9_-]{1,63}"
HOST = re.compile(rf"({_LABEL}(\.{_LABEL}){{0,99}}\.?|\[[0-9A-Fa-f:.]{{2,45}}\])(:[0-9]{{0,5}})?")
"""What a browser may call us: a name or an address, perhaps with a port (RFC 9110, section 7.2)."""
_LISTED = re.compile(r"([A-Za-z0-9]{1,32})\.([0-9a-f]{12})(?:\.([0-9a-f]{8}))?")
_MARK = 8  # digits of the hash of a place's token, by which its player is found


def page_of(code: str, key: str) -> str:
    """Write the address of the pages of one place at a table."""
    return f"/t/{code}/{key}/"


class Visit:
    """One request, as the pages see it."""

    def __init__(self, request: Request, url: str, proxied: bool) -> None:
        self.request = request
        self._url = url.rstrip("/")
        self._proxied = proxied
        self.visitor = self.cookie(_VISITOR) or ""
        if not self.visitor:
            self.visitor = new_secret()
            self.set_cookie(_VISITOR, self.visitor)
        self.say = set_for_pages(self._choose_language())

    # -- who, and from where ----------------------------------------------------------

    @property
    def csrf(self) -> str:
        """The token that this browser's forms carry."""
        return derived(self.visitor, "csrf")

    @property
    def address(self) -> str | None:
        """Which address asks: what it does is counted for it; None where there are no addresses."""
        if self._proxied:
            told = self._header("X-Forwarded-For").rpartition(",")[2].strip()
            if told:
                return told[:LONGEST]
        return host_of(self.request.getClientAddress())

    @property
    def secure(self) -> bool:
        """Whether TLS is spoken, here or by a proxy before us."""
        told = self._proxied and self._header("X-Forwarded-Proto").strip().lower() == "https"
        return self.request.isSecure() or told or self._url.startswith("https://")

    @property
    def origin(self) -> str:
        """Where the browser believes us to be."""
        if self._url:
            return self._url
        host = self._header("Host")
        scheme = "https" if self.secure else "http"
        return f"{scheme}://{host if HOST.fullmatch(host) else 'localhost'}"

    def _header(self, name: str) -> str:
        values = cast(
            "Sequence[bytes]", self.request.requestHeaders.getRawHeaders(name.encode(), [b""])
        )
        return values[-1].decode("utf-8", "replace")  # a stranger may write anything

    def comes_from_us(self, named: bool = False) -> bool:
        """Say whether a page of ours asks; if it must be ``named``, one that does not say which is none of ours."""
        # By its host alone: a proxy that speaks TLS for us need not have told us so.
        _, _, host = self._header("Origin").partition("://")
        if host not in ("", self._header("Host"), self.origin.partition("://")[2]):
            return False
        if named and not host:
            return False
        return self._header("Sec-Fetch-Site") in ("", "none", "same-origin")

    def posts_as_ours(self) -> bool:
        """Say whether a form that was posted is one of ours, for this very browser."""
        return self.comes_from_us() and same(self.field("csrf"), self.csrf)

    def be_anew(self) -> None:
        """Give the browser another secret, which nobody can have planted there."""
        self.visitor = new_secret()
        self.set_cookie(_VISITOR, self.visitor)

    # -- what it sent -----------------------------------------------------------------

    def field(self, name: str) -> str:
        """Read one field of a form; an empty text if it is not there."""
        values: list[bytes] = self.request.args.get(name.encode(), [b""])
        return values[0].decode("utf-8", "replace")

    def asked(self, name: str) -> str:
        """Read what stands behind the question mark."""
        return self.field(name) if self.request.method in (b"GET", b"HEAD") else ""

    @property
    def has_script(self) -> bool:
        """Whether it is the script of a page that asks, and wants to be told in a word."""
        return "application/json" in self._header("Accept")

    def header(self, name: str) -> str:
        """Read one header."""
        return self._header(name)

    # -- cookies ----------------------------------------------------------------------

    def cookie(self, name: str, path: str = "/") -> str | None:
        """Read one of our cookies, if it can be one."""
        value = self.request.getCookie(self._called(name, path).encode())
        text = "" if value is None else value.decode("ascii", "replace")
        return text if _SECRET.fullmatch(text) else None

    def set_cookie(
        self, name: str, value: str, path: str = "/", seconds: int = COOKIE_SECONDS
    ) -> None:
        """Give the browser a cookie; no script sees it, no other site sends it."""
        self.request.addCookie(
            self._called(name, path),
            value,
            path=path,
            max_age=str(seconds),
            secure=self.secure,
            httpOnly=True,
            sameSite="lax",
        )

    def _called(self, name: str, path: str) -> str:
        if not self.secure:
            return name
        return f"__Host-{name}" if path == "/" else f"__Secure-{name}"

    # -- places at tables -------------------------------------------------------------

    def token_at(self, code: str, key: str) -> str | None:
        """Read the token of the place whose page is asked for."""
        return self.cookie(_PLACE, page_of(code, key))

    def device_at(self, code: str, key: str) -> str | None:
        """Read what this device is known by at a place that was taken along to it."""
        return self.cookie(_DEVICE, page_of(code, key))

    @property
    def places(self) -> Sequence[tuple[str, str]]:
        """List the places that this browser was given, the latest first: the table's code, the key of the page."""
        return list(self.marks)

    @property
    def marks(self) -> Mapping[tuple[str, str], str]:
        """List the same, each with how the hash of its token begins; empty where that was not kept."""
        value = self.request.getCookie(self._called(_PLACES, "/").encode()) or b""
        found = (_LISTED.fullmatch(each) for each in value.decode("ascii", "replace").split("-"))
        listed = [((each[1], each[2]), each[3] or "") for each in found if each is not None]
        return dict(listed[:MOST_PLACES])

    def give_place(self, code: str, key: str, token: str, device: str = "") -> None:
        """Give the browser a place at a table, and what its ``device`` is known by if the place was taken along."""
        if device:
            self.set_cookie(_DEVICE, device, page_of(code, key))
        self.set_cookie(_PLACE, token, page_of(code, key))
        others = {place: mark for place, mark in self.marks.items() if place != (code, key)}
        self._list({(code, key): hash_token(token)[:_MARK], **others})

    def drop_place(self, code: str, key: str) -> None:
        """Take a place back."""
        self.set_cookie(_PLACE, "gone", page_of(code, key), 0)
        self._list({place: mark for place, mark in self.marks.items() if place != (code, key)})

    def _list(self, marks: Mapping[tuple[str, str], str]) -> None:
        first = list(marks.items())[:MOST_PLACES]
        listed = "-".join(".".join(filter(None, (*place, mark))) for place, mark in first)
        self.set_cookie(_PLACES, listed or "none")

    # -- language ---------------------------------------------------------------------

    def _choose_language(self) -> Translator:
        """Take what was asked for by ``lang`` (and remember it), else the cookie, else what the browser prefers.

        A page's stream says by ``in`` what its page speaks: a browser may not tell a WebSocket what it prefers.
        """
        shown = self.asked("in")
        if _speaks(shown):
            return translator_of(shown)
        asked = self.asked("lang")
        if _speaks(asked):
            self.set_cookie(_LANGUAGE, asked.lower())
            return translator_of(asked)
        kept = self.cookie(_LANGUAGE) or ""
        return translator_of(kept) if _speaks(kept) else preferred(self._header("Accept-Language"))


def _speaks(language: str) -> bool:
    try:
        translator_of(language[:8])
    except Refused:
        return False
    return bool(language)


def preferred(accepted: str) -> Translator:
    """Choose a language by an ``Accept-Language`` header; English where none fits."""
    ranked: list[tuple[float, int, str]] = []
    for place, each in enumerate(accepted[:500].split(",")):
        tag, _, weight = each.partition(";")
        language = tag.strip().lower().partition("-")[0]
        worth = _weight(weight)
        if worth > 0 and language in languages():
            ranked.append((-worth, place, language))
    return translator_of(min(ranked)[2]) if ranked else ENGLISH


def _weight(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
