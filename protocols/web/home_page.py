"""The first page, and the files that all pages use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import frozen

from gamecore.bots import levels_of
from gamecore.game import Stage
from protocols.host.card import Card
from protocols.web.application import Route, WebApplication
from protocols.web.replies import PageRefused, Reply
from protocols.web.static_files import FILES, VERSION, address_of
from protocols.web.visit import Visit, page_of

_MOST_TABLES = 50
_MOST_LOOKED_AT = 1000
_PLAYED = (Stage.PLAYING, Stage.BETWEEN_ROUNDS)


@frozen
class ListedTable:
    """A table as the first page lists it."""

    code: str
    title: str
    name: str
    who: str
    players: int
    seats: int
    sealed: bool
    watchers: bool


@frozen
class OwnPlace:
    """A place at a table that the browser was given."""

    address: str
    title: str
    who: str


@frozen
class OfferedGame:
    """A game that can be played here, and the levels of its bots, the usual one first."""

    kind: str
    title: str
    levels: Sequence[str]


async def show_front(app: WebApplication, visit: Visit) -> Reply:
    """Show what this daemon offers."""
    registry = app.host.hall.registry
    doors = app.doors()
    lobby = next((port for kind, _, port in doors if kind == "lobby"), None)
    lively = islice(app.host.directory.public(), _MOST_LOOKED_AT)
    played = [each for each in lively if each.stage in _PLAYED and each.watchers]
    return app.page(
        visit,
        "front.html",
        games=[_offered(app, kind) for kind in registry.kinds],
        doors=doors,
        lobby=lobby,
        host=visit.origin.partition("://")[2].rpartition(":")[0]
        or visit.origin.partition("://")[2],
        tables=[_listed(app, each) for each in islice(app.host.directory.joinable(), _MOST_TABLES)],
        played=[_listed(app, each) for each in played[:_MOST_TABLES]],
        places=list(_own_places(app, visit)),
        organizes=app.may_organize(visit),
    )


def _offered(app: WebApplication, kind: str) -> OfferedGame:
    return OfferedGame(kind, app.title_of(kind), levels_of(kind))


def _listed(app: WebApplication, table: Card) -> ListedTable:
    return ListedTable(
        table.code,
        app.title_of(table.kind),
        table.name,
        ", ".join(each for each in table.names if each),
        table.players,
        table.most_players,
        sealed=table.locked,
        watchers=table.watchers,
    )


def _own_places(app: WebApplication, visit: Visit) -> Iterator[OwnPlace]:
    for code, key in visit.places:
        if code in app.host.directory:
            table = app.host.directory.find(code)
            others = ", ".join(each for each in table.names if each)
            title = table.name or app.title_of(table.kind)
            yield OwnPlace(page_of(code, key), title, others)


async def give_file(app: WebApplication, visit: Visit, version: str, name: str) -> Reply:
    """Give a file, to be kept for as long as its address does not change; raises PageRefused ``no-such-page``."""
    file = FILES.get(name)
    if file is None:
        raise PageRefused(404, "no-such-page")
    kept = "public, max-age=31536000, immutable" if version == VERSION else "no-store"
    headers = {"Content-Type": file.kind, "Cache-Control": kept}
    return Reply(file.body, headers=headers, gzipped=file.gzipped)


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
