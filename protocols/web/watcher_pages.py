"""The pages of those who look on, at any table whose game has pages, and the way from there to a free seat."""

from __future__ import annotations

from functools import partial

from gamecore.errors import Refused
from gamecore.game import Stage
from protocols.i18n.names import read_name
from protocols.web.application import Route, WebApplication
from protocols.web.face import WebFace
from protocols.web.places import cookie_of, page_of
from protocols.web.replies import Reply, redirect
from protocols.web.tokens import key_of
from protocols.web.visit import Visit

_MOST_WATCHERS = 500


def _draw(app: WebApplication, face: WebFace, visit: Visit) -> str:
    """Draw what all who look on see, once for each language."""
    say = visit.say
    if say.language not in face.drawn:
        face.drawn[say.language] = app.draw_live(face, "watch", say)
    return face.drawn[say.language]


async def show(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Show a table as everybody may see it."""
    return await _show(app, visit, code)


async def _show(
    app: WebApplication, visit: Visit, code: str, status: int = 200, said: str = ""
) -> Reply:
    table = app.find_table(code)
    face = await app.sessions.watch(table.code)
    refusal = await face.look()
    if refusal is not None:
        raise refusal
    free = [] if table.private or table.stage is not Stage.GATHERING else list(table.free)
    return app.page(
        visit,
        "watch.html",
        status,
        here=f"/watch/{table.code}/",
        said=said,
        free=free,
        **app.facts(face, visit.say),
    )


async def follow(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Keep the page of one who looks on up to date."""
    face = await app.sessions.watch(app.find_table(code).code)
    return await app.stream(visit, face, partial(_draw, app, face, visit), _MOST_WATCHERS)


async def sit(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Take a free seat at a table that is open to all."""
    app.count_guess(visit)
    table = app.find_table(code)
    try:
        if table.private or table.locked:
            raise Refused("seat-kept")
        name = read_name(visit.field("name"))
        face = await app.sessions.begin(
            lambda face, tag: app.host.sit(face, table.code, None, name, tag, keep=True)
        )
    except Refused as refusal:
        return await _show(
            app, visit, code, 409, app.explain(refusal, visit.say, app.games[table.kind])
        )
    assert face.token is not None
    key = key_of(face.token)
    app.give_place(visit, cookie_of(table.code, key), face.token)
    return redirect(page_of(table.code, key))


ROUTES = [
    Route("GET", "/watch/<code>/", show),
    Route("GET", "/watch/<code>/live", follow),
    Route("POST", "/watch/<code>/sit", sit),
]
