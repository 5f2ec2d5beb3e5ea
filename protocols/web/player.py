"""The pages of a player: from the invitation to the last trick, and back after a lost tab."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import segno
from markupsafe import Markup

from gamecore.cards import read_card
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.rikiki import Bid, PlayCard
from gamecore.rules import NextRound
from gamecore.table import Table
from gamecore.table_view import Invitation
from protocols.i18n.names import read_name
from protocols.web.drawing import sight_of
from protocols.web.faces import WebFace
from protocols.web.links import LONGEST, Pass, hash_of, key_of
from protocols.web.pages import Reply, Unwelcome, go, render
from protocols.web.visit import Visit
from protocols.web.web import KIND, Route, Web

_NUMBER = re.compile(r"-?[0-9]{1,6}")


def cookie_of(code: str, key: str) -> str:
    """Name the cookie of one player at one table."""
    return f"parlour-{code}-{key}"


def page_of(code: str, key: str) -> str:
    """Write the address of a player's page."""
    return f"/player/{code}/{key}/"


# -- the invitation -------------------------------------------------------------------


async def _find_invitation(web: Web, token: str) -> tuple[Table | None, Invitation | None]:
    """Find what an invitation is for; a table that rests is woken by one who knows it."""
    code = token.partition(".")[0].upper()
    if len(token) > LONGEST or not token.isascii():
        return None, None
    if code not in web.host.hall:
        face = WebFace(
            web.host
        )  # a knock: an invitation brings nobody back, but it wakes its table
        await face.ask(lambda tag: web.host.come_back(face, token, tag))
        web.host.drop(face)
    if code not in web.host.hall:
        return None, None
    table = web.host.hall.find(code)
    return (table, table.invited(hash_of(token))) if table.rules.kind == KIND else (None, None)


def _used(visit: Visit, token: str) -> str | None:
    """Find the page that an invitation has led this very browser to."""
    code, key = token.partition(".")[0].upper(), key_of(token)
    return page_of(code, key) if visit.cookie(cookie_of(code, key)) else None


async def show_invitation(web: Web, visit: Visit, token: str) -> Reply:
    """Show whom the invitation is for, who may be called otherwise."""
    page = _used(visit, token)
    if page is not None:
        return go(page)
    web.count_guess(visit)
    table, invited = await _find_invitation(web, token)
    if table is None or invited is None:
        raise Unwelcome(403, "bad-link")
    return _invitation(web, visit, token, table, invited)


def _invitation(
    web: Web, visit: Visit, token: str, table: Table, invited: Invitation, said: str = ""
) -> Reply:
    if table.stage is not Stage.GATHERING:
        code = table.code if table.house.watchers and not table.house.password else ""
        return web.page(visit, "late.html", here="/", name=invited.name, code=code)
    return web.page(
        visit,
        "invitation.html",
        409 if said else 200,
        here=f"/invitation/{token}/",
        token=token,
        name=visit.field("name") or invited.name,
        table=table.name,
        said=said,
    )


async def accept(web: Web, visit: Visit) -> Reply:
    """Take the seat; without a name of one's own, under the one that was proposed."""
    token = visit.field("token")
    page = _used(visit, token)
    if page is not None:
        return go(page)
    web.count_guess(visit)
    table, invited = await _find_invitation(web, token)
    if table is None or invited is None:
        raise Unwelcome(403, "bad-link")
    if table.stage is not Stage.GATHERING:
        return _invitation(web, visit, token, table, invited)
    try:
        name = read_name(visit.field("name").strip() or invited.name)
        face = await web.attendance.welcome(
            lambda face, tag: web.host.accept(face, token, name, tag)
        )
    except Refused as refusal:
        if refusal.key == "unknown-token":
            raise Unwelcome(403, "bad-link") from None
        said = web.explain(refusal, visit.say)
        return _invitation(web, visit, token, table, invited, said)
    assert face.token is not None
    key = key_of(token)
    web.give_place(visit, cookie_of(table.code, key), face.token)
    return go(page_of(table.code, key))


# -- at the table ---------------------------------------------------------------------


async def _come(web: Web, visit: Visit, code: str, key: str) -> WebFace:
    """Find the face of the player whose page this is; raises Unwelcome."""
    token = visit.cookie(cookie_of(code, key))
    if token is None:
        raise Unwelcome(403, "not-invited")
    if not web.attendance.knows(token):
        web.count_guess(visit)
    try:
        return await web.attendance.come(token)
    except Refused as refusal:
        if refusal.key != "unknown-token":
            raise
        visit.drop_cookie(cookie_of(code, key))
        raise Unwelcome(403, "not-invited") from None


def _draw(face: WebFace, visit: Visit, page: str) -> str:
    sight = sight_of(face, visit.say)
    return render("player_live.html", visit.say, sight=sight, csrf=visit.csrf, page=page, said="")


async def show(web: Web, visit: Visit, code: str, key: str) -> Reply:
    """Show the table as a player sees it."""
    face = await _come(web, visit, code, key)
    return await _show(web, visit, face, page_of(code, key))


async def _show(
    web: Web, visit: Visit, face: WebFace, page: str, status: int = 200, said: str = ""
) -> Reply:
    if face.parted_why == "taken-over":
        return web.page(visit, "elsewhere.html", here=page, page=page)
    if face.trouble is None:
        refusal = await face.look()
        if refusal is not None:
            raise refusal
    return web.page(
        visit,
        "player.html",
        status,
        here=page,
        page=page,
        sight=sight_of(face, visit.say),
        said=said,
    )


async def follow(web: Web, visit: Visit, code: str, key: str) -> Reply:
    """Keep a player's page up to date."""
    face = await _come(web, visit, code, key)
    if face.parted_why is not None:
        raise Unwelcome(403, "not-invited")
    return await web.stream(visit, face, partial(_draw, face, visit, page_of(code, key)))


# -- what a player does ---------------------------------------------------------------


async def _do(
    web: Web, visit: Visit, code: str, key: str, ask: Callable[[WebFace, object], None]
) -> Reply:
    """Ask for something, and show the page again: by GET if it was done, else with why it was not."""
    face = await _come(web, visit, code, key)
    refusal = await face.ask(lambda tag: ask(face, tag))
    if refusal is None:
        return go(page_of(code, key))
    said = web.explain(refusal, visit.say)
    return await _show(web, visit, face, page_of(code, key), 409, said)


async def _say_no(web: Web, visit: Visit, code: str, key: str, refusal: Refused) -> Reply:
    face = await _come(web, visit, code, key)
    said = web.explain(refusal, visit.say)
    return await _show(web, visit, face, page_of(code, key), 400, said)


async def bid(web: Web, visit: Visit, code: str, key: str) -> Reply:
    """Bid."""
    tricks = visit.field("tricks").strip()
    if not _NUMBER.fullmatch(tricks):
        return await _say_no(web, visit, code, key, Refused("not-a-number"))
    move = Bid(int(tricks))
    return await _do(web, visit, code, key, lambda face, tag: web.host.submit(face, move, tag))


async def play(web: Web, visit: Visit, code: str, key: str) -> Reply:
    """Play a card."""
    given = visit.field("card")[:20]
    try:
        move = PlayCard(read_card(given))
    except ValueError:
        return await _say_no(web, visit, code, key, Refused("not-your-card", card=given))
    return await _do(web, visit, code, key, lambda face, tag: web.host.submit(face, move, tag))


async def go_on(web: Web, visit: Visit, code: str, key: str) -> Reply:
    """Begin the next round; one who comes second with it has what they wanted."""
    face = await _come(web, visit, code, key)
    refusal = await face.ask(lambda tag: web.host.submit(face, NextRound(), tag))
    if refusal is None or refusal.key in ("wrong-state", "game-over"):
        return go(page_of(code, key))
    said = web.explain(refusal, visit.say)
    return await _show(web, visit, face, page_of(code, key), 409, said)


async def leave(web: Web, visit: Visit, code: str, key: str) -> Reply:
    """Leave the game for good."""
    await _come(web, visit, code, key)
    token = visit.cookie(cookie_of(code, key))
    assert token is not None
    web.attendance.leave(token)
    visit.drop_cookie(cookie_of(code, key))
    return go("/")


async def come_back(web: Web, visit: Visit, code: str, key: str) -> Reply:
    """Take the place back from where it was taken over."""
    token = visit.cookie(cookie_of(code, key))
    if token is not None:
        web.attendance.return_of(token)
    await _come(web, visit, code, key)
    return go(page_of(code, key))


async def write_pass(web: Web, visit: Visit, code: str, key: str) -> Reply:
    """Write a link that takes the place along to another device."""
    await _come(web, visit, code, key)
    cookie = cookie_of(code, key)
    worth = Pass(cookie, visit.cookie(cookie) or "", page_of(code, key))
    return show_pass(web, visit, worth)


def show_pass(web: Web, visit: Visit, worth: Pass) -> Reply:
    """Show a pass, to be copied or to be read by a camera."""
    link = f"{visit.origin}/pass/{web.passes.issue(worth, web.now())}/"
    return web.page(
        visit, "pass.html", here=worth.page, page=worth.page, link=link, qr=draw_qr(link)
    )


def draw_qr(text: str) -> Markup:
    """Draw a text as a QR code, in SVG."""
    code = segno.make(text, micro=False, error="m")
    return Markup(
        code.svg_inline(scale=4, light="#fff", dark="#000", svgclass="qr", lineclass=None)
    )


ROUTES = [
    Route("GET", "/invitation/<token>/", show_invitation),
    Route("POST", "/invitation/", accept),
    Route("GET", "/player/<code>/<key>/", show),
    Route("GET", "/player/<code>/<key>/live", follow),
    Route("POST", "/player/<code>/<key>/bid", bid),
    Route("POST", "/player/<code>/<key>/play", play),
    Route("POST", "/player/<code>/<key>/next", go_on),
    Route("POST", "/player/<code>/<key>/leave", leave),
    Route("POST", "/player/<code>/<key>/back", come_back),
    Route("POST", "/player/<code>/<key>/pass", write_pass),
]
