"""The pages of a player: from the seat to the last move, and back after a lost tab."""

from __future__ import annotations

from functools import partial

from gamecore.errors import Refused
from gamecore.rules import NextRound
from protocols.web.application import Handler, Route, WebApplication
from protocols.web.face import WebFace
from protocols.web.game_pages import installed_pages
from protocols.web.pass_pages import show_new_pass
from protocols.web.passes import Pass
from protocols.web.places import cookie_of, page_of
from protocols.web.replies import PageRefused, Reply, redirect
from protocols.web.visit import Visit


async def _come(app: WebApplication, visit: Visit, code: str, key: str) -> WebFace:
    """Find the face of the player whose page this is; raises PageRefused ``not-invited``."""
    token = visit.cookie(cookie_of(code, key))
    if token is None:
        raise PageRefused(403, "not-invited")
    if not app.sessions.knows(token):
        app.count_guess(visit)
    try:
        return await app.sessions.resume(token)
    except Refused as refusal:
        if refusal.key != "unknown-token":
            raise
        visit.drop_cookie(cookie_of(code, key))
        raise PageRefused(403, "not-invited") from None


def _draw(app: WebApplication, face: WebFace, visit: Visit, page: str) -> str:
    return app.draw_live(face, "player", visit.say, csrf=visit.csrf, page=page, said="")


async def show(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Show the table as a player sees it."""
    face = await _come(app, visit, code, key)
    return await _show(app, visit, face, page_of(code, key))


async def _show(
    app: WebApplication, visit: Visit, face: WebFace, page: str, status: int = 200, said: str = ""
) -> Reply:
    if face.parted_why == "taken-over":
        return app.page(
            visit, "elsewhere.html", 200, here=page, page=page, **app.facts(face, visit.say)
        )
    if face.trouble is None:
        refusal = await face.look()
        if refusal is not None:
            raise refusal
    return app.page(
        visit,
        "player.html",
        status,
        here=page,
        page=page,
        said=said,
        **app.facts(face, visit.say),
    )


async def _show_refused(
    app: WebApplication, visit: Visit, face: WebFace, page: str, status: int, refusal: Refused
) -> Reply:
    said = app.explain(refusal, visit.say, app.game_at(face))
    return await _show(app, visit, face, page, status, said)


async def follow(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Keep a player's page up to date; raises PageRefused ``not-invited``."""
    face = await _come(app, visit, code, key)
    if face.parted_why is not None:
        raise PageRefused(403, "not-invited")
    return await app.stream(visit, face, partial(_draw, app, face, visit, page_of(code, key)))


# -- what a player does ---------------------------------------------------------------


def _moving(verb: str) -> Handler:
    """Make a route of one kind of move, as the game at the table reads its form."""

    async def move(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
        face = await _come(app, visit, code, key)
        game = app.game_at(face)
        if verb not in game.moves:
            raise PageRefused(404, "no-such-page")
        try:
            wanted = game.moves[verb](visit.field)
        except Refused as refusal:
            return await _show_refused(app, visit, face, page_of(code, key), 400, refusal)
        refused = await face.ask(lambda tag: app.host.submit(face, wanted, tag))
        if refused is None:
            return redirect(page_of(code, key))
        return await _show_refused(app, visit, face, page_of(code, key), 409, refused)

    return move


async def go_on(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Begin the next round; one who comes second with it has what they wanted."""
    face = await _come(app, visit, code, key)
    refusal = await face.ask(lambda tag: app.host.submit(face, NextRound(), tag))
    if refusal is None or refusal.key in ("wrong-state", "game-over"):
        return redirect(page_of(code, key))
    return await _show_refused(app, visit, face, page_of(code, key), 409, refusal)


async def leave(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Leave the game for good."""
    await _come(app, visit, code, key)
    token = visit.cookie(cookie_of(code, key))
    assert token is not None
    app.sessions.leave(token)
    visit.drop_cookie(cookie_of(code, key))
    return redirect("/")


async def come_back(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Take the place back from where it was taken over."""
    token = visit.cookie(cookie_of(code, key))
    if token is not None:
        app.sessions.take_back(token)
    await _come(app, visit, code, key)
    return redirect(page_of(code, key))


async def write_pass(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Write a link that takes the place along to another device."""
    await _come(app, visit, code, key)
    cookie = cookie_of(code, key)
    worth = Pass(cookie, visit.cookie(cookie) or "", page_of(code, key))
    return show_new_pass(app, visit, worth)


def routes() -> list[Route]:
    """List the routes, with one for each kind of move of every game that has pages."""
    verbs = sorted({verb for game in installed_pages().values() for verb in game.moves})
    return [
        Route("GET", "/player/<code>/<key>/", show),
        Route("GET", "/player/<code>/<key>/live", follow),
        *(Route("POST", f"/player/<code>/<key>/{verb}", _moving(verb)) for verb in verbs),
        Route("POST", "/player/<code>/<key>/next", go_on),
        Route("POST", "/player/<code>/<key>/leave", leave),
        Route("POST", "/player/<code>/<key>/back", come_back),
        Route("POST", "/player/<code>/<key>/pass", write_pass),
    ]
