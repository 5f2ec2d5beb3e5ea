"""The files that every browser may have and keep: looks, script and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from attrs import field, frozen

from protocols.web.game_pages import installed_pages

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@frozen
class StaticFile:
    """One file, and its media type."""

    body: bytes = field(repr=False)
    kind: str


def _read_folder(folder: Traversable, prefix: str = "") -> dict[str, StaticFile]:
    found = {}
    for each in folder.iterdir():
        kind = _TYPES.get(each.name[each.name.rfind(".") :])
        if kind is not None:
            found[prefix + each.name] = StaticFile(each.read_bytes(), kind)
    return found


def _read_files() -> dict[str, StaticFile]:
    """Read all that lies in ``static``, once; what a game adds to the looks and the script stands behind ours."""
    static = files("protocols.web") / "static"
    found = {**_read_folder(static), **_read_folder(static / "cards", "cards/")}
    for game in installed_pages().values():
        for name, added in (("parlour.css", "pages.css"), ("parlour.js", "pages.js")):
            more = files(game.package) / "static" / added
            if more.is_file():
                found[name] = StaticFile(found[name].body + more.read_bytes(), found[name].kind)
    return found


FILES: Mapping[str, StaticFile] = _read_files()
VERSION = sha256(b"".join(FILES[name].body for name in sorted(FILES))).hexdigest()[:12]


def address_of(name: str) -> str:
    """Write the address of a file: another one whenever any file has changed."""
    return f"/static/{VERSION}/{name}"
