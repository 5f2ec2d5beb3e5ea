"""The first page, links that are exchanged for cookies, and the files that all pages use."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from gamecore.errors import Refused
from gamecore.table import Table
from protocols.web.pages import FILES, VERSION, Reply, Unwelcome, go, static
from protocols.web.visit import Visit
from protocols.web.web import KIND, Route, Web

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


async def show_front(web: Web, visit: Visit) -> Reply:
    """Show what this daemon offers."""
    registry = web.host.hall.registry
    games = [registry.latest(kind).title for kind in registry.kinds]
    doors = web.doors()
    lobby = next((port for kind, _, port in doors if kind == "lobby"), None)
    return web.page(
        visit,
        "front.html",
        games=games,
        doors=doors,
        lobby=lobby,
        host=visit.origin.partition("://")[2].rpartition(":")[0]
        or visit.origin.partition("://")[2],
        tables=list(_open_tables(web)),
        organizes=web.may_organize(visit),
    )


def _open_tables(web: Web) -> Iterator[OpenTable]:
    for number, table in enumerate(web.host.hall.joinable()):
        if number == _MOST_TABLES:
            return
        yield _open_table(table)


def _open_table(table: Table) -> OpenTable:
    rules = table.rules
    return OpenTable(
        table.code,
        rules.kind,
        rules.title,
        table.name,
        table.players,
        table.most_players,
        has_pages=rules.kind == KIND and table.house.watchers and not table.house.password,
    )


async def show_pass(web: Web, visit: Visit, secret: str) -> Reply:
    """Ask before a pass is used: a chat program may look at it first."""
    web.count_guess(visit)
    if web.passes.find(secret, web.now()) is None:
        raise Unwelcome(403, "bad-link")
    say = visit.say
    return web.page(
        visit,
        "exchange.html",
        here="/",
        action="/pass/",
        secret=secret,
        heading=say("Go on here"),
        text=say("This takes your place at the table along to this device."),
        button=say("Go on here"),
    )


async def use_pass(web: Web, visit: Visit) -> Reply:
    """Exchange a pass for a cookie."""
    web.count_guess(visit)
    worth = web.passes.use(visit.field("secret"), web.now())
    if worth is None:
        raise Unwelcome(403, "bad-link")
    web.give_place(visit, worth.cookie, worth.value)
    return go(worth.page)


async def give_file(web: Web, visit: Visit, version: str, name: str) -> Reply:
    """Give a file, to be kept for as long as its address does not change."""
    file = FILES.get(name)
    if file is None:
        raise Unwelcome(404, "no-such-page")
    kept = "public, max-age=31536000, immutable" if version == VERSION else "no-store"
    return Reply(file.body, headers={"Content-Type": file.kind, "Cache-Control": kept})


async def give_icon(web: Web, visit: Visit) -> Reply:
    """Show browsers that ask by habit where the picture is."""
    return Reply(status=301, headers={"Location": static("icon.svg")})


async def give_robots(web: Web, visit: Visit) -> Reply:
    """Keep what searches the web out."""
    return Reply(b"User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})


def find_table(web: Web, code: str) -> Table:
    """Find a table of Rikiki; raises Refused ``no-such-table``."""
    table = web.host.hall.find(code)
    if table.rules.kind != KIND:
        raise Refused("no-such-table")
    return table


ROUTES = [
    Route("GET", "/", show_front),
    Route("GET", "/pass/<secret>/", show_pass),
    Route("POST", "/pass/", use_pass),
    Route("GET", "/static/<version>/<path:name>", give_file, cheap=True),
    Route("GET", "/favicon.ico", give_icon, cheap=True),
    Route("GET", "/robots.txt", give_robots, cheap=True),
]
