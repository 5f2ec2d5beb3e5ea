"""The pages of a table: one for all who look on, one for each place, be it a player's or an organizer's."""

from __future__ import annotations

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.rules import sample
from gamecore.table_view import TableView
from protocols.host import table_actions
from protocols.host.card import Card
from protocols.i18n.names import read_name
from protocols.web.application import MOST_WATCHERS, Route, WebApplication
from protocols.web.face import WebFace
from protocols.web.qr import draw_qr
from protocols.web.replies import PageRefused, Reply, answer_script, redirect
from protocols.web.tokens import invitation, key_of
from protocols.web.visit import Visit, page_of

_LOOK_AGAIN = 5  # seconds, for a page without script whose viewer has nothing to do


async def come(app: WebApplication, visit: Visit, code: str, key: str) -> WebFace:
    """Find the face of the place whose page is asked for; raises PageRefused ``not-invited``, ``taken-along``."""
    token = visit.token_at(code, key)
    if token is None:
        raise PageRefused(403, "not-invited")
    if not app.sessions.knows(token):
        app.check_guess(visit)
    if not app.devices.has(token, visit.device_at(code, key)):
        app.count_wrong(visit)
        raise PageRefused(403, "taken-along")
    try:
        face = await app.sessions.resume(token)
    except Refused as refusal:
        if refusal.key != "unknown-token":
            raise
        visit.drop_place(code, key)
        app.count_wrong(visit)
        raise PageRefused(403, "not-invited") from None
    app.guests.sit(visit.visitor, face)
    return face


async def watched(app: WebApplication, visit: Visit, code: str) -> WebFace:
    """Find the face of all who look on.

    Raises PageRefused ``sealed``; Refused ``no-such-table``, ``no-watchers``.
    """
    return await _watch(app, await _find(app, visit, code))


async def _watch(app: WebApplication, table: Card) -> WebFace:
    if table.locked:
        raise PageRefused(403, "sealed")
    return await app.sessions.watch(table.code)


async def _find(app: WebApplication, visit: Visit, code: str) -> Card:
    """Find a table; one that is kept out of lists is found by guessing at a slow pace only."""
    seeking = app.host.seek(code)
    if seeking is not None:  # another daemon of the house may have opened it just now
        await seeking
    try:
        table = app.host.directory.find(code)
    except Refused:
        app.count_wrong(visit)
        raise
    if table.private:
        app.check_guess(visit)
    return table


def _asks_first(table: Card) -> bool:
    """Tell whether one has to sit down to see anything of a table, and may."""
    return (table.locked or not table.watchers) and table.joinable and bool(table.free)


# -- looking --------------------------------------------------------------------------


async def show_watched(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Show a table as everybody may see it; a browser that has a place there is sent to it.

    Where nobody looks on, or a password is wanted, the page asks who would sit down there.
    """
    for own, key in visit.places:
        if own == code.upper() and not visit.asked("watch"):
            return redirect(page_of(own, key))
    table = await _find(app, visit, code)
    if _asks_first(table):
        return _ask_to_sit(app, visit, table, app.guests.called(visit.visitor))
    return await _show(app, visit, await _watch(app, table), f"/t/{code}/")


async def show_place(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Show the table as the one whose place it is sees it."""
    face = await come(app, visit, code, key)
    return await _show(app, visit, face, page_of(code, key))


async def _show(
    app: WebApplication, visit: Visit, face: WebFace, page: str, status: int = 200, said: str = ""
) -> Reply:
    if face.parted_why == "taken-over":
        return app.page(visit, "elsewhere.html", here=page, page=page)
    if face.trouble is None:
        refusal = await face.look()
        if refusal is not None:
            raise refusal
    picture = face.picture
    assert picture is not None
    drawn = picture.drawn(visit.say)
    return app.page(
        visit,
        "table.html",
        status,
        here=page,
        page=page,
        said=said,
        window=drawn.title,
        parts=drawn.parts,
        drawn=drawn.digest,
        refresh=_look_again(picture.view, drawn.mine),
        links=_links(visit, face),
        watch=f"{visit.origin}/t/{picture.view.code}/",
        **picture.page_facts,
    )


def _look_again(view: TableView, mine: bool) -> int:
    """Say after how many seconds a page without script looks again: not while its player chooses."""
    if not mine or view.stage is Stage.BETWEEN_ROUNDS:
        return _LOOK_AGAIN
    due = view.due.get(view.seat or 0)
    return 600 if due is None else max(10, int(due - view.at) + 1)


def _links(visit: Visit, face: WebFace) -> dict[int, tuple[str, str]]:
    """Write the link of everybody who is invited and has not come yet, by seat, for their organizer alone."""
    view, place = face.view, face.place
    if view is None or place is None or not place.organizer or face.owner is None:
        return {}
    return {
        each.seat: (
            each.name,
            f"{visit.origin}/invitation/{invitation(view.code, face.owner, each.name)}/",
        )
        for each in view.invited
    }


async def draw_link(app: WebApplication, visit: Visit, code: str, key: str, seat: str) -> Reply:
    """Draw somebody's invitation for a camera; raises PageRefused ``no-such-page``, ``not-invited``."""
    face = await come(app, visit, code, key)
    links = _links(visit, face)
    if not seat.isdecimal() or len(seat) > 3 or int(seat) not in links:
        raise PageRefused(404, "no-such-page")
    drawn = str(draw_qr(links[int(seat)][1])).replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1
    )
    return Reply(drawn.encode(), headers={"Content-Type": "image/svg+xml"})


async def follow_watched(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Keep the page of one who looks on up to date."""
    face = await watched(app, visit, code)
    return await app.stream(visit, face, MOST_WATCHERS, guest=True)


async def follow_place(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Keep the page of a place up to date; raises PageRefused ``not-invited``."""
    return await app.stream(visit, await come(app, visit, code, key))


# -- what became of a press -----------------------------------------------------------


async def request(
    app: WebApplication, face: WebFace, action: table_actions.TableAction
) -> Refused | None:
    """Ask something of the table where a face is; gives what it was refused with, None if it is done."""
    return await face.ask(lambda tag: app.host.request(face, action, tag))


async def settle(
    app: WebApplication, visit: Visit, face: WebFace, page: str, refusal: Refused | str | None
) -> Reply:
    """Answer a press that was refused, or not: the script in a word, a page without script by the page."""
    kind = "" if face.view is None else face.view.kind
    said = app.explain(refusal, visit.say, kind) if isinstance(refusal, Refused) else refusal or ""
    if not said and not visit.has_script:
        return redirect(page)
    return await tell(app, visit, face, page, said, 409)


async def tell(
    app: WebApplication, visit: Visit, face: WebFace, page: str, said: str, status: int = 200
) -> Reply:
    """Tell something above the table: the script in a word, a page without script by the page."""
    if visit.has_script:
        return answer_script(said)
    return await _show(app, visit, face, page, status, said)


# -- sitting down ---------------------------------------------------------------------


def _ask_to_sit(
    app: WebApplication, visit: Visit, table: Card, name: str, refusal: Refused | None = None
) -> Reply:
    """Ask for a name, and the password where there is one."""
    said = None if refusal is None else app.explain(refusal, visit.say, table.kind)
    return app.page(
        visit,
        "sit.html",
        200 if refusal is None else 409,
        here=f"/t/{table.code}/",
        game=app.title_of(table.kind),
        table=table,
        name=name,
        **({} if said is None else {"said": said}),
    )


async def sit(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Take a free seat; raises PageRefused ``sealed``, Refused ``no-such-table``, ``no-watchers``."""
    table = await _find(app, visit, code)
    name = visit.field("name")
    try:
        page, _ = await take_seat(app, visit, table, read_name(name), visit.field("password"))
    except Refused as refusal:
        if _asks_first(table):
            return _ask_to_sit(app, visit, table, name, refusal)
        return await settle(app, visit, await _watch(app, table), f"/t/{code}/", refusal)
    return answer_script(to=page) if visit.has_script else redirect(page)


async def take_seat(
    app: WebApplication, visit: Visit, table: Card, name: str, password: str = ""
) -> tuple[str, WebFace]:
    """Sit down with what is usually brought; gives the address of the place, and its face; raises Refused."""
    brought = sample(app.host.hall.registry.latest(table.kind))
    face = await app.sessions.begin(
        lambda face, tag: app.host.sit(
            *(face, table.code, None, name, tag),
            keep=True,
            brought=brought,
            password=password,
            by=visit.address,
        )
    )
    assert face.token is not None
    key = key_of(face.token)
    visit.give_place(table.code, key, face.token)
    app.guests.remember(visit.visitor, name)
    return page_of(table.code, key), face


ROUTES = [
    Route("GET", "/t/<code>/", show_watched),
    Route("GET", "/t/<code>/live", follow_watched),
    Route("POST", "/t/<code>/sit", sit),
    Route("GET", "/t/<code>/<key>/", show_place),
    Route("GET", "/t/<code>/<key>/live", follow_place),
    Route("GET", "/t/<code>/<key>/qr/<seat>", draw_link),
]
