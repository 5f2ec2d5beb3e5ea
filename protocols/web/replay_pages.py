"""Games that are over, move by move: for everybody who might have looked on, and for those who were there."""

from __future__ import annotations

from functools import partial

from markupsafe import Markup

from gamecore.errors import Refused
from protocols.web.application import Route, WebApplication
from protocols.web.face import WebFace
from protocols.web.replay_steps import draw_step
from protocols.web.replies import PageRefused, Reply
from protocols.web.visit import Visit, page_of


async def show_replay(app: WebApplication, visit: Visit, code: str) -> Reply:
    """Show a moment of a game to anybody; refused ``no-such-record`` where not everybody might look on."""
    app.check_guess(visit)
    return await _show(app, visit, code.upper(), f"/replay/{code}", f"/t/{code}/")


async def show_own_replay(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Show a moment of a game to one who was there; raises PageRefused ``not-invited``."""
    token = visit.token_at(code, key)
    if token is None:
        raise PageRefused(403, "not-invited")
    app.check_guess(visit)
    page = page_of(code, key)
    return await _show(app, visit, token, f"{page}replay", page)


async def _show(app: WebApplication, visit: Visit, wanted: str, here: str, table: str) -> Reply:
    number, at = _count(visit.asked("game")), _count(visit.asked("at"))
    draw = partial(draw_step, number, at, app.host.hall.registry, visit.say)
    try:
        step = await app.host.record(WebFace(app.host), wanted, draw)
    except Refused as refusal:
        if refusal.key == "no-such-record":
            app.count_wrong(visit)
        raise
    return app.page(
        visit,
        "replay.html",
        here=here,
        table=table,
        step=step,
        parts={name: Markup(part) for name, part in step.parts.items()},
        hands=[(each.name, Markup(each.drawn), each.lines) for each in step.hands],
    )


def _count(asked: str) -> int | None:
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else None


ROUTES = [
    Route("GET", "/replay/<code>", show_replay),
    Route("GET", "/t/<code>/<key>/replay", show_own_replay),
]
