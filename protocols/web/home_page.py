"""The first page, and the files that all pages use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen
from markupsafe import Markup

from gamecore.bots import levels_of
from gamecore.game import Stage
from protocols.web.application import MOST_IN_HALL, Route, WebApplication
from protocols.web.game_rules import first_sentence
from protocols.web.render import is_drawn
from protocols.web.replies import PageRefused, Reply
from protocols.web.static_files import FILES, VERSION, address_of
from protocols.web.visit import Visit, page_of

_PICTURE = "front.html"  # of a game, in the folder of its pages


@frozen
class OwnPlace:
    """A place at a table that the browser was given: ``turn`` if its move is awaited, ``over`` if no more is."""

    address: str
    title: str
    who: str
    turn: bool
    over: bool


@frozen
class OfferedGame:
    """A game that can be played here: the levels of its bots, the usual one first, and what is shown of it."""

    kind: str
    title: str
    levels: Sequence[str]
    picture: str
    sentence: str


async def show_front(app: WebApplication, visit: Visit, said: str = "") -> Reply:
    """Show what this daemon offers, who is here, and what was said."""
    doors = app.doors()
    named = visit.origin.partition("://")[2]
    picture = app.hall.look().drawn(visit.say)
    guest = app.guests.find(visit.visitor)
    return app.page(
        visit,
        "front.html",
        409 if said else 200,
        here="/",
        games=[_offered(app, visit, kind) for kind in app.host.hall.registry.kinds],
        doors=doors,
        lobby=next((port for kind, _, port in doors if kind == "lobby"), None),
        host=named.rpartition(":")[0] or named,
        places=list(_own_places(app, visit)),
        organizes=app.may_organize(visit),
        parts={name: Markup(part) for name, part in picture.parts.items()},
        drawn=picture.digest,
        me=app.guests.name_of(visit.visitor),
        whispers=() if guest is None else tuple(guest.whispers),
        **({"said": said} if said else {}),
    )


def _offered(app: WebApplication, visit: Visit, kind: str) -> OfferedGame:
    picture = f"{kind}/{_PICTURE}" if is_drawn(f"{kind}/{_PICTURE}") else ""
    sentence = "" if picture else first_sentence(kind, visit.say)
    return OfferedGame(kind, app.title_of(kind), levels_of(kind), picture, sentence)


def _own_places(app: WebApplication, visit: Visit) -> Iterator[OwnPlace]:
    marks = visit.marks
    for code, key in visit.places:
        if code in app.host.directory:
            table = app.host.directory.find(code)
            others = ", ".join(each for each in table.names if each)
            title = table.name or app.title_of(table.kind)
            turn = _awaits(app, code, marks.get((code, key), ""))
            over = table.stage in (Stage.OVER, Stage.ABANDONED)
            yield OwnPlace(page_of(code, key), title, others, turn, over)


def _awaits(app: WebApplication, code: str, mark: str) -> bool:
    """Say whether a table that is awake waits for the player whose token's hash begins with this mark."""
    if not mark or code not in app.host.hall:
        return False
    table = app.host.hall.find(code)
    seated = table.seated()
    mine = (seat for seat, core in seated.items() if (core.token or "").startswith(mark))
    return any(seat in table.awaited() for seat in mine)


async def follow_hall(app: WebApplication, visit: Visit) -> Reply:
    """Keep the first page up to date, and let its browser be one of the people in the hall."""
    return await app.stream(visit, app.hall, MOST_IN_HALL, guest=True)


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
    Route("GET", "/live", follow_hall),
    Route("GET", "/static/<version>/<path:name>", give_file, cheap=True),
    Route("GET", "/favicon.ico", give_icon, cheap=True),
    Route("GET", "/robots.txt", give_robots, cheap=True),
]
