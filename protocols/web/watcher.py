"""The pages of those who look on, at any table of Rikiki, and the way from there to a free seat."""

from __future__ import annotations

from functools import partial

from gamecore.errors import Refused
from gamecore.game import Stage
from protocols.i18n.names import read_name
from protocols.web.drawing import sight_of
from protocols.web.faces import WebFace
from protocols.web.front import find_table
from protocols.web.links import key_of
from protocols.web.pages import Reply, go, render
from protocols.web.player import cookie_of, page_of
from protocols.web.visit import Visit
from protocols.web.web import Route, Web

_MOST_WATCHERS = 500


def _draw(face: WebFace, visit: Visit) -> str:
    """Draw what all who look on see, once for each language."""
    say = visit.say
    if say.language not in face.drawn:
        face.drawn[say.language] = render("watch_live.html", say, sight=sight_of(face, say))
    return face.drawn[say.language]


async def show(web: Web, visit: Visit, code: str) -> Reply:
    """Show a table as everybody may see it."""
    return await _show(web, visit, code)


async def _show(web: Web, visit: Visit, code: str, status: int = 200, said: str = "") -> Reply:
    table = find_table(web, code)
    face = await web.attendance.watch(table.code)
    refusal = await face.look()
    if refusal is not None:
        raise refusal
    free = table.free_seats() if table.stage is Stage.GATHERING and not table.house.private else []
    return web.page(
        visit,
        "watch.html",
        status,
        here=f"/watch/{table.code}/",
        sight=sight_of(face, visit.say),
        said=said,
        free=free,
    )


async def follow(web: Web, visit: Visit, code: str) -> Reply:
    """Keep the page of one who looks on up to date."""
    face = await web.attendance.watch(find_table(web, code).code)
    return await web.stream(visit, face, partial(_draw, face, visit), _MOST_WATCHERS)


async def sit(web: Web, visit: Visit, code: str) -> Reply:
    """Take a free seat at a table that is open to all."""
    web.count_guess(visit)
    table = find_table(web, code)
    free = table.free_seats()
    try:
        if table.house.private or table.house.password:
            raise Refused("seat-kept")
        if not free:
            raise Refused("table-full")
        name = read_name(visit.field("name"))
        face = await web.attendance.welcome(
            lambda face, tag: web.host.sit(face, table, free[0], name, tag, keep=True)
        )
    except Refused as refusal:
        return await _show(web, visit, code, 409, web.explain(refusal, visit.say))
    assert face.token is not None
    key = key_of(face.token)
    web.give_place(visit, cookie_of(table.code, key), face.token)
    return go(page_of(table.code, key))


ROUTES = [
    Route("GET", "/watch/<code>/", show),
    Route("GET", "/watch/<code>/live", follow),
    Route("POST", "/watch/<code>/sit", sit),
]
