"""The first page, and the files that all pages use."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from protocols.host.card import Card
from protocols.web.application import Route, WebApplication
from protocols.web.replies import PageRefused, Reply
from protocols.web.setup_pages import setup_page
from protocols.web.static_files import FILES, VERSION, address_of
from protocols.web.visit import Visit

_MOST_TABLES = 50


@frozen
class OpenTable:
    """A table with a free seat, as the first page shows it."""

    code: str
    kind: str
    title: str
    name: str
    players: int
    seats: int
    has_pages: bool


async def show_front(app: WebApplication, visit: Visit) -> Reply:
    """Show what this daemon offers."""
    registry = app.host.hall.registry
    games = [registry.latest(kind).title for kind in registry.kinds]
    doors = app.doors()
    lobby = next((port for kind, _, port in doors if kind == "lobby"), None)
    return app.page(
        visit,
        "front.html",
        games=games,
        doors=doors,
        lobby=lobby,
        host=visit.origin.partition("://")[2].rpartition(":")[0]
        or visit.origin.partition("://")[2],
        tables=list(_open_tables(app)),
        organizes=app.may_organize(visit),
        to_set_up=[(app.title_of(kind), setup_page(app, kind)) for kind in app.games],
    )


def _open_tables(app: WebApplication) -> Iterator[OpenTable]:
    for number, table in enumerate(app.host.directory.joinable()):
        if number == _MOST_TABLES:
            return
        yield _open_table(app, table)


def _open_table(app: WebApplication, table: Card) -> OpenTable:
    return OpenTable(
        table.code,
        table.kind,
        app.title_of(table.kind),
        table.name,
        table.players,
        table.most_players,
        has_pages=table.kind in app.games and table.watchers and not table.locked,
    )


async def give_file(app: WebApplication, visit: Visit, version: str, name: str) -> Reply:
    """Give a file, to be kept for as long as its address does not change; raises PageRefused ``no-such-page``."""
    file = FILES.get(name)
    if file is None:
        raise PageRefused(404, "no-such-page")
    kept = "public, max-age=31536000, immutable" if version == VERSION else "no-store"
    return Reply(file.body, headers={"Content-Type": file.kind, "Cache-Control": kept})


async def give_icon(app: WebApplication, visit: Visit) -> Reply:
    """Show browsers that ask by habit where the picture is."""
    return Reply(status=301, headers={"Location": address_of("icon.svg")})


async def give_robots(app: WebApplication, visit: Visit) -> Reply:
    """Keep what searches the web out."""
    return Reply(b"User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})


ROUTES = [
    Route("GET", "/", show_front),
    Route("GET", "/static/<version>/<path:name>", give_file, cheap=True),
    Route("GET", "/favicon.ico", give_icon, cheap=True),
    Route("GET", "/robots.txt", give_robots, cheap=True),
]
