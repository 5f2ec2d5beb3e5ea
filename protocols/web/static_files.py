"""The files that every browser may have and keep: looks, script and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from attrs import field, frozen

from protocols.i18n.translate import languages
from protocols.web.cards import sprite
from protocols.web.game_pages import installed_pages

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


@frozen
class StaticFile:
    """One file, its media type, and the same compressed by gzip."""

    body: bytes = field(repr=False)
    kind: str
    gzipped: bytes = field(repr=False)


def _file(body: bytes, kind: str) -> StaticFile:
    return StaticFile(body, kind, compress(body, mtime=0))


def _read_folder(folder: Traversable) -> dict[str, tuple[bytes, str]]:
    found = {}
    for each in folder.iterdir():
        kind = _TYPES.get(each.name[each.name.rfind(".") :])
        if kind is not None:
            found[each.name] = (each.read_bytes(), kind)
    return found


def sprite_of(language: str) -> str:
    """Name the file of the cards in a language."""
    return f"c-{language}.svg"


def _read_files() -> dict[str, StaticFile]:
    """Read all that lies in ``static``, once; what a game adds to the looks stands behind ours."""
    found = _read_folder(files("protocols.web") / "static")
    for game in installed_pages().values():
        more = files(game.package) / "pages" / "table.css"
        if more.is_file():
            looks, kind = found["parlour.css"]
            found["parlour.css"] = (looks + more.read_bytes(), kind)
    for language in languages():
        found[sprite_of(language)] = (sprite(language).encode(), _TYPES[".svg"])
    return {name: _file(body, kind) for name, (body, kind) in found.items()}


FILES: Mapping[str, StaticFile] = _read_files()
VERSION = sha256(b"".join(FILES[name].body for name in sorted(FILES))).hexdigest()[:6]


def address_of(name: str) -> str:
    """Write the address of a file: another one whenever any file has changed."""
    return f"/static/{VERSION}/{name}"
