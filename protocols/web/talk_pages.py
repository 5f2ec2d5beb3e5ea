"""What browsers say: in the hall, at a table that they look on at, and from a seat; and what they are called."""

from __future__ import annotations

from gamecore.errors import Refused
from protocols.web.application import Route, WebApplication
from protocols.web.face import WebFace
from protocols.web.guests import Ear
from protocols.web.home_page import show_front
from protocols.web.replies import Reply, answer_script, redirect
from protocols.web.table_pages import come, settle, watched
from protocols.web.visit import Visit, page_of

_WORDS = "words"


async def say_in_hall(app: WebApplication, visit: Visit) -> Reply:
    """Say something to all who are in the hall."""
    return await _settle_hall(app, visit, _say_as_guest(app, visit, app.hall))


async def rename(app: WebApplication, visit: Visit) -> Reply:
    """Be called otherwise in the hall."""
    app.count_remark(visit)
    try:
        app.guests.rename(visit.visitor, app.hall, visit.field("name"))
    except Refused as refusal:
        return await _settle_hall(app, visit, refusal)
    return await _settle_hall(app, visit, None)


async def say_looking_on(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Say something at a table where one looks on."""
    face = await watched(app, visit, code)
    return await settle(app, visit, face, f"/t/{code}/", _say_as_guest(app, visit, face))


async def say_at_table(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Say something from one's place at a table."""
    face = await come(app, visit, code, key)
    return await settle(app, visit, face, page_of(code, key), _say_from_seat(app, visit, face))


def _say_as_guest(app: WebApplication, visit: Visit, ear: Ear) -> Refused | None:
    """Say something; gives what it was refused with."""
    try:
        app.count_remark(visit)
        guest = app.guests.come(visit.visitor, ear)
        app.host.people.say(guest, visit.field(_WORDS))
    except Refused as refusal:
        return refusal
    return None


def _say_from_seat(app: WebApplication, visit: Visit, face: WebFace) -> Refused | None:
    try:
        app.count_remark(visit)
        if face not in app.host.people:
            raise Refused("not-at-a-table")
        app.host.people.say(face, visit.field(_WORDS))
    except Refused as refusal:
        return refusal
    return None


async def _settle_hall(app: WebApplication, visit: Visit, refusal: Refused | None) -> Reply:
    said = "" if refusal is None else app.explain(refusal, visit.say)
    if visit.has_script:
        return answer_script(said)
    return await show_front(app, visit, said) if said else redirect("/")


ROUTES = [
    Route("POST", "/say", say_in_hall),
    Route("POST", "/name", rename),
    Route("POST", "/t/<code>/say", say_looking_on),
    Route("POST", "/t/<code>/<key>/say", say_at_table),
]
