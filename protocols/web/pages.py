"""How pages are drawn: the templates, and what each answer to a browser says beside its text."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files

from attrs import field, frozen
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from gamecore.cards import SIGNS, Card
from protocols.i18n.translate import N_, Translator, languages
from protocols.web.live import LivePage

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
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
_TONGUES = {"en": "English", "fr": "Français"}
_RANKS = {
    "J": N_("jack"),
    "Q": N_("queen"),
    "K": N_("king"),
    "A": N_("ace"),
}
_SUITS = {"S": N_("spades"), "C": N_("clubs"), "D": N_("diamonds"), "H": N_("hearts")}
_COLOURS = {"S": "black", "C": "green", "D": "blue", "H": "red"}
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_SVG = "image/svg+xml"


class Unwelcome(Exception):
    """A page that cannot be shown: with which status, and why, by the key of a sentence."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(key)
        self.status = status
        self.key = key


@frozen
class Reply:
    """What a browser is answered with: a page, another address, or a stream."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(factory=dict)
    stream: LivePage | None = None


def go(address: str) -> Reply:
    """Send the browser to another page, with GET."""
    return Reply(status=303, headers={"Location": address})


@frozen
class File:
    """One file that every browser may have and keep."""

    body: bytes = field(repr=False)
    kind: str


def _read_files() -> dict[str, File]:
    """Read all that lies in ``static``, once."""
    static = files("protocols.web") / "static"
    found = {}
    for folder, prefix in ((static, ""), (static / "cards", "cards/")):
        for each in folder.iterdir():
            kind = _TYPES.get(each.name[each.name.rfind(".") :])
            if kind is None and each.name.endswith(".svg"):
                kind = _SVG
            if kind is not None:
                found[prefix + each.name] = File(each.read_bytes(), kind)
    return found


FILES = _read_files()
VERSION = sha256(b"".join(FILES[name].body for name in sorted(FILES))).hexdigest()[:12]


def static(name: str) -> str:
    """Write the address of a file: another one whenever any file has changed."""
    return f"/static/{VERSION}/{name}"


def card_file(card: Card) -> str:
    """Write the address of the picture of a card."""
    return static(f"cards/{'T' if card.rank == '10' else card.rank}{card.suit}.svg")


def card_called(card: Card, say: Translator) -> str:
    """Say a card in words: ``queen of hearts``."""
    rank = say(_RANKS[card.rank]) if card.rank in _RANKS else card.rank
    return say("{rank} of {suit}", rank=rank, suit=say(_SUITS[card.suit]))


def suit_called(suit: str, say: Translator) -> str:
    """Say a suit in a word."""
    return say(_SUITS[suit])


def minutes(seconds: float) -> str:
    """Write a time that is left."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("protocols.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        static=static,
        card_file=card_file,
        card_called=card_called,
        suit_called=suit_called,
        suit_sign=SIGNS.__getitem__,
        suit_colour=_COLOURS.__getitem__,
        minutes=minutes,
        tongues=[(each, _TONGUES.get(each, each)) for each in languages()],
    )
    return environment


_ENVIRONMENT = _environment()


def render(template: str, say: Translator, /, **facts: object) -> str:
    """Draw a template in a language; all that people typed comes out as text."""
    drawn = _ENVIRONMENT.get_template(template)
    return Markup(drawn.render(say=say, several=say.several, **facts))
