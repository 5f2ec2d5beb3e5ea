"""The pages of an organizer at one table: who is invited, the start, the dashboard, and what follows a game.

An organizer sees what one who looks on sees.  One who plays as well has a player's page beside these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import quote

from gamecore.errors import Refused
from protocols.host import table_actions
from protocols.host.secrets import hash_token
from protocols.i18n.names import read_name
from protocols.web.application import Handler, Route, WebApplication
from protocols.web.face import WebFace
from protocols.web.game_pages import GamePages
from protocols.web.pass_pages import show_new_pass
from protocols.web.passes import Pass
from protocols.web.qr import draw_qr
from protocols.web.replies import PageRefused, Reply, redirect
from protocols.web.table_model import TableModel
from protocols.web.tokens import invitation
from protocols.web.visit import Visit

COOKIE = "parlour-organizer-"


def page_of(code: str) -> str:
    """Write the address of an organizer's page of one game."""
    return f"/organizer/{code}/"


async def _come(app: WebApplication, visit: Visit, code: str) -> WebFace:
    """Find the face of the organizer whose page this is; raises PageRefused ``not-organizer``."""
    owner = visit.cookie(COOKIE + code)
    if owner is None:
        raise PageRefused(403, "not-organizer")
    token = f"{code}.{owner}"
    if not app.sessions.knows(token):
        app.count_guess(visit)
    try:
        return await app.sessions.resume(token)
    except Refused as refusal:
        if refusal.key != "unknown-token":
            raise
        visit.drop_cookie(COOKIE + code)
        raise PageRefused(403, "not-organizer") from None


def _links(visit: Visit, model: TableModel, code: str) -> dict[str, str]:
    """Write the link of everybody who has not come yet."""
    owner = visit.cookie(COOKIE + code) or ""
    return {
        each.name: f"{visit.origin}/invitation/{invitation(code, owner, each.name)}/"
        for each in model.people
        if each.expected
    }


def _facts(app: WebApplication, face: WebFace, visit: Visit, code: str) -> dict[str, object]:
    model = app.model(face, visit.say)
    links = _links(visit, model, code)
    return {"links": links, "page": page_of(code), "code": code, "quote": quote}


def _draw(app: WebApplication, face: WebFace, visit: Visit, code: str) -> str:
    facts = _facts(app, face, visit, code)
    return app.draw_live(face, "organizer", visit.say, csrf=visit.csrf, said="", **facts)


async def show(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Show who has come, or how the game goes."""
    return await _show(app, visit, await _come(app, visit, code), code)


async def _show(
    app: WebApplication, visit: Visit, face: WebFace, code: str, status: int = 200, said: str = ""
) -> Reply:
    if face.trouble is None:
        refusal = await face.look()
        if refusal is not None:
            raise refusal
    return app.page(
        visit,
        "organizer.html",
        status,
        here=page_of(code),
        said=said,
        watch=f"{visit.origin}/watch/{code}/",
        organizes=app.may_organize(visit),
        **app.facts(face, visit.say),
        **_facts(app, face, visit, code),
    )


async def _show_refused(
    app: WebApplication, visit: Visit, face: WebFace, code: str, refusal: Refused
) -> Reply:
    said = app.explain(refusal, visit.say, app.game_at(face))
    return await _show(app, visit, face, code, 409, said)


async def follow(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Keep an organizer's page up to date."""
    face = await _come(app, visit, code)
    return await app.stream(visit, face, partial(_draw, app, face, visit, code))


async def draw_link(app: WebApplication, visit: Visit, code: str, name: str) -> Reply:
    """Draw somebody's invitation for a camera; raises PageRefused ``no-such-page``, ``not-organizer``."""
    face = await _come(app, visit, code)
    link = _links(visit, app.model(face, visit.say), code).get(name)
    if link is None:
        raise PageRefused(404, "no-such-page")
    drawn = str(draw_qr(link)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Reply(drawn.encode(), headers={"Content-Type": "image/svg+xml"})


# -- what an organizer does -----------------------------------------------------------


async def request(
    app: WebApplication, face: WebFace, action: table_actions.TableAction
) -> Refused | None:
    """Ask something of the table where a face is; gives what it was refused with, None if it is done."""
    return await face.ask(lambda tag: app.host.request(face, action, tag))


def _doing(
    make: Callable[[Visit, GamePages], table_actions.TableAction],
    done_already: tuple[str, ...] = (),
) -> Handler:
    """Make a route of a table action; some refusals only mean that it was done by an earlier press."""

    async def do(app: WebApplication, visit: Visit, code: str) -> Reply:
        face = await _come(app, visit, code)
        try:
            refusal = await request(app, face, make(visit, app.game_at(face)))
        except Refused as problem:
            refusal = problem
        if refusal is None or refusal.key in done_already:
            return redirect(page_of(code))
        return await _show_refused(app, visit, face, code, refusal)

    return do


def _replacement(visit: Visit, game: GamePages) -> table_actions.TableAction:
    seat = visit.field("seat")
    return table_actions.replace(int(seat) if seat.isdecimal() and len(seat) < 4 else -1, game.bot)


async def invite(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Keep one more seat for somebody; raises PageRefused ``not-organizer``."""
    face = await _come(app, visit, code)
    try:
        name = read_name(visit.field("name"))
        free = app.host.hall.find(code).free_seats()
        if not free:
            raise Refused("table-full")
        token = invitation(code, visit.cookie(COOKIE + code) or "", name)
        refusal = await request(app, face, table_actions.invite(free[0], name, hash_token(token)))
    except Refused as problem:
        refusal = problem
    if refusal is None:
        return redirect(page_of(code))
    return await _show_refused(app, visit, face, code, refusal)


async def ask_end(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Ask before a game is ended."""
    face = await _come(app, visit, code)
    return app.page(
        visit, "end.html", 200, here="", page=page_of(code), **app.facts(face, visit.say)
    )


async def end(app: WebApplication, visit: Visit, code: str) -> Reply:
    """End a game: its players are told."""
    face = await _come(app, visit, code)
    refusal = await request(app, face, table_actions.abandon)
    if refusal is None:
        return redirect(page_of(code))
    return await _show_refused(app, visit, face, code, refusal)


async def write_pass(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Write a link with which this game is organized from another device."""
    await _come(app, visit, code)
    cookie = COOKIE + code
    return show_new_pass(app, visit, Pass(cookie, visit.cookie(cookie) or "", page_of(code)))


ROUTES = [
    Route("GET", "/organizer/<code>/", show),
    Route("GET", "/organizer/<code>/live", follow),
    Route("GET", "/organizer/<code>/qr/<name>", draw_link),
    Route("POST", "/organizer/<code>/invite", invite),
    Route(
        "POST", "/organizer/<code>/bot", _doing(lambda visit, game: table_actions.add_bot(game.bot))
    ),
    Route("POST", "/organizer/<code>/replace", _doing(_replacement)),
    Route(
        "POST",
        "/organizer/<code>/start",
        _doing(lambda visit, game: table_actions.start, ("game-began",)),
    ),
    Route(
        "POST",
        "/organizer/<code>/next",
        _doing(lambda visit, game: table_actions.next_round, ("not-now",)),
    ),
    Route("POST", "/organizer/<code>/rematch", _doing(lambda visit, game: table_actions.rematch)),
    Route("GET", "/organizer/<code>/end/", ask_end),
    Route("POST", "/organizer/<code>/end", end),
    Route("POST", "/organizer/<code>/pass", write_pass),
]
