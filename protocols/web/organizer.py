"""The pages of an organizer: who is invited, the start, the dashboard, and what follows a game.

An organizer sees what one who looks on sees.  One who plays as well has a player's page beside these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import quote

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.settings import Value
from gamecore.table import Table
from protocols.host import table_actions
from protocols.i18n.names import read_name
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import Translator
from protocols.web.drawing import Sight, sight_of
from protocols.web.faces import WebFace
from protocols.web.form import LARGEST, REFUSALS, Form, read_names
from protocols.web.links import Pass, hash_of, invitation, new_secret, same
from protocols.web.pages import Reply, Unwelcome, go, render
from protocols.web.player import draw_qr, show_pass
from protocols.web.visit import Visit
from protocols.web.web import KIND, Action, Route, Web

_BOT = "counting"
_COOKIE = "parlour-organizer-"
_HOUSE: dict[str, Value] = {
    "start": "asked",
    "rematch": "shuffle",
    "absent": "wait",  # until the organizer lets a bot play on
    "expiry": 86_400.0,
}


def _page(code: str) -> str:
    return f"/organizer/{code}/"


# -- the link, and a new game ---------------------------------------------------------


async def show_link(web: Web, visit: Visit, secret: str) -> Reply:
    """Ask before the link is used: a chat program may look at it first."""
    web.count_guess(visit)
    if web.may_organize(visit):
        return go("/organizer/")
    if not _is_link(web, secret):
        raise Unwelcome(403, "bad-link")
    say = visit.say
    return web.page(
        visit,
        "exchange.html",
        here="/",
        action="/organizer/enter/",
        secret=secret,
        heading=say("Organize Rikiki"),
        text=say("This browser becomes an organizer's. The link is used up by it."),
        button=say("Become organizer"),
    )


def _is_link(web: Web, secret: str) -> bool:
    return same(secret, web.link.secret)


async def use_link(web: Web, visit: Visit) -> Reply:
    """Exchange the link; a new one is made known to whoever started the daemon."""
    web.count_guess(visit)
    if not web.may_organize(visit):
        if not web.link.use(visit.field("secret")):
            raise Unwelcome(403, "bad-link")
        web.make_organizer(visit)
        web.on_link_used()
    return go("/organizer/")


async def show_setup(web: Web, visit: Visit) -> Reply:
    """Show the form for a new game, and the games that there are."""
    _check_organizes(web, visit)
    return _setup(web, visit, Form())


def _setup(web: Web, visit: Visit, form: Form, said: str = "") -> Reply:
    games = [table for table, _ in _games(web, visit)]
    return web.page(
        visit,
        "setup.html",
        400 if said else 200,
        here="/organizer/",
        form=form,
        games=games,
        said=said,
    )


def _games(web: Web, visit: Visit) -> list[tuple[Table, str]]:
    """List the games of this organizer that are not over and done with."""
    found = []
    for code, owner in visit.cookies(_COOKIE).items():
        if code in web.host.hall:
            table = web.host.hall.find(code)
            known = table.owned_by(hash_of(f"{code}.{owner}"))
            if known and table.stage is not Stage.ABANDONED:
                found.append((table, owner))
    return found


def _check_organizes(web: Web, visit: Visit) -> None:
    if not web.may_organize(visit):
        raise Unwelcome(403, "not-organizer")


async def set_up(web: Web, visit: Visit) -> Reply:
    """Open a table, keep a seat for each name, and end those games that were to end."""
    _check_organizes(web, visit)
    form = Form.of(visit)
    try:
        if len(visit.field("names")) > LARGEST:
            raise Refused("too-many-names")
        names = read_names(form.names)
        web.count_opening(visit)
        options = form.options(len(names))
        owner = new_secret()
        table = web.host.open(
            KIND, clean(form.title, 40), options, {**_HOUSE, **form.house()}, owner
        )
    except Refused as refusal:
        return _setup(web, visit, form, _explain(web, refusal, visit.say))
    face = await web.attendance.come(f"{table.code}.{owner}")
    web.give_place(visit, _COOKIE + table.code, owner)
    for seat, name in enumerate(names):
        hashed = hash_of(invitation(table.code, owner, name))
        await _request(web, face, table_actions.invite(seat, name, hashed))
    for other, secret in _games(web, visit):
        if visit.field(f"end-{other.code}"):
            await _request(
                web, await web.attendance.come(f"{other.code}.{secret}"), table_actions.abandon
            )
    return go(_page(table.code))


def _explain(web: Web, refusal: Refused, say: Translator) -> str:
    sentence = REFUSALS.get(refusal.key)
    return say(sentence, **refusal.facts) if sentence else web.explain(refusal, say)


# -- one game -------------------------------------------------------------------------


async def _come(web: Web, visit: Visit, code: str) -> WebFace:
    owner = visit.cookie(_COOKIE + code)
    if owner is None:
        raise Unwelcome(403, "not-organizer")
    token = f"{code}.{owner}"
    if not web.attendance.knows(token):
        web.count_guess(visit)
    try:
        return await web.attendance.come(token)
    except Refused as refusal:
        if refusal.key != "unknown-token":
            raise
        visit.drop_cookie(_COOKIE + code)
        raise Unwelcome(403, "not-organizer") from None


def _links(visit: Visit, sight: Sight, code: str) -> dict[str, str]:
    """Write the link of everybody who has not come yet."""
    owner = visit.cookie(_COOKIE + code) or ""
    return {
        each.name: f"{visit.origin}/invitation/{invitation(code, owner, each.name)}/"
        for each in sight.people
        if each.expected
    }


def _facts(face: WebFace, visit: Visit, code: str) -> dict[str, object]:
    sight = sight_of(face, visit.say)
    return {
        "sight": sight,
        "links": _links(visit, sight, code),
        "page": _page(code),
        "code": code,
        "quote": quote,
    }


def _draw(face: WebFace, visit: Visit, code: str) -> str:
    facts = _facts(face, visit, code)
    return render("organizer_live.html", visit.say, csrf=visit.csrf, said="", **facts)


async def show(web: Web, visit: Visit, code: str) -> Reply:
    """Show who has come, or how the game goes."""
    return await _show(web, visit, await _come(web, visit, code), code)


async def _show(
    web: Web, visit: Visit, face: WebFace, code: str, status: int = 200, said: str = ""
) -> Reply:
    if face.trouble is None:
        refusal = await face.look()
        if refusal is not None:
            raise refusal
    facts = _facts(face, visit, code)
    return web.page(
        visit,
        "organizer.html",
        status,
        here=_page(code),
        said=said,
        watch=f"{visit.origin}/watch/{code}/",
        organizes=web.may_organize(visit),
        **facts,
    )


async def follow(web: Web, visit: Visit, code: str) -> Reply:
    """Keep an organizer's page up to date."""
    face = await _come(web, visit, code)
    return await web.stream(visit, face, partial(_draw, face, visit, code))


async def draw_link(web: Web, visit: Visit, code: str, name: str) -> Reply:
    """Draw somebody's invitation for a camera."""
    face = await _come(web, visit, code)
    link = _links(visit, sight_of(face, visit.say), code).get(name)
    if link is None:
        raise Unwelcome(404, "no-such-page")
    drawn = str(draw_qr(link)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Reply(drawn.encode(), headers={"Content-Type": "image/svg+xml"})


# -- what an organizer does -----------------------------------------------------------


async def _request(web: Web, face: WebFace, action: table_actions.TableAction) -> Refused | None:
    return await face.ask(lambda tag: web.host.request(face, action, tag))


def _doing(
    make: Callable[[Visit], table_actions.TableAction], done_already: tuple[str, ...] = ()
) -> Action:
    """Make a route of a table action; some refusals only mean that it was done by an earlier press."""

    async def do(web: Web, visit: Visit, code: str) -> Reply:
        face = await _come(web, visit, code)
        try:
            refusal = await _request(web, face, make(visit))
        except Refused as problem:
            refusal = problem
        if refusal is None or refusal.key in done_already:
            return go(_page(code))
        return await _show(web, visit, face, code, 409, web.explain(refusal, visit.say))

    return do


def _replacement(visit: Visit) -> table_actions.TableAction:
    seat = visit.field("seat")
    return table_actions.replace(int(seat) if seat.isdecimal() and len(seat) < 4 else -1, _BOT)


async def invite(web: Web, visit: Visit, code: str) -> Reply:
    """Keep one more seat for somebody."""
    face = await _come(web, visit, code)
    try:
        name = read_name(visit.field("name"))
        free = web.host.hall.find(code).free_seats()
        if not free:
            raise Refused("table-full")
        token = invitation(code, visit.cookie(_COOKIE + code) or "", name)
        refusal = await _request(web, face, table_actions.invite(free[0], name, hash_of(token)))
    except Refused as problem:
        refusal = problem
    if refusal is None:
        return go(_page(code))
    return await _show(web, visit, face, code, 409, web.explain(refusal, visit.say))


async def ask_end(web: Web, visit: Visit, code: str) -> Reply:
    """Ask before a game is ended."""
    face = await _come(web, visit, code)
    return web.page(visit, "end.html", page=_page(code), sight=sight_of(face, visit.say))


async def end(web: Web, visit: Visit, code: str) -> Reply:
    """End a game: its players are told."""
    face = await _come(web, visit, code)
    refusal = await _request(web, face, table_actions.abandon)
    if refusal is None:
        return go(_page(code))
    return await _show(web, visit, face, code, 409, web.explain(refusal, visit.say))


async def write_pass(web: Web, visit: Visit, code: str) -> Reply:
    """Write a link with which this game is organized from another device."""
    await _come(web, visit, code)
    cookie = _COOKIE + code
    return show_pass(web, visit, Pass(cookie, visit.cookie(cookie) or "", _page(code)))


ROUTES = [
    Route("GET", "/organizer/enter/<secret>/", show_link),
    Route("POST", "/organizer/enter/", use_link),
    Route("GET", "/organizer/", show_setup),
    Route("POST", "/organizer/", set_up),
    Route("GET", "/organizer/<code>/", show),
    Route("GET", "/organizer/<code>/live", follow),
    Route("GET", "/organizer/<code>/qr/<name>", draw_link),
    Route("POST", "/organizer/<code>/invite", invite),
    Route("POST", "/organizer/<code>/bot", _doing(lambda visit: table_actions.add_bot(_BOT))),
    Route("POST", "/organizer/<code>/replace", _doing(_replacement)),
    Route(
        "POST",
        "/organizer/<code>/start",
        _doing(lambda visit: table_actions.start, ("game-began",)),
    ),
    Route(
        "POST",
        "/organizer/<code>/next",
        _doing(lambda visit: table_actions.next_round, ("not-now",)),
    ),
    Route("POST", "/organizer/<code>/rematch", _doing(lambda visit: table_actions.rematch)),
    Route("GET", "/organizer/<code>/end/", ask_end),
    Route("POST", "/organizer/<code>/end", end),
    Route("POST", "/organizer/<code>/pass", write_pass),
]
