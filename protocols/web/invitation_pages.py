"""Invitations: a link for each who is invited, exchanged once for a seat and the cookie that is the way back."""

from __future__ import annotations

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.table import Table
from gamecore.table_view import Invitation
from protocols.host.secrets import hash_token
from protocols.i18n.names import read_name
from protocols.web.application import Route, WebApplication
from protocols.web.face import WebFace
from protocols.web.replies import PageRefused, Reply, redirect
from protocols.web.tokens import LONGEST, key_of
from protocols.web.visit import Visit, page_of


async def _find_invitation(
    app: WebApplication, token: str
) -> tuple[Table | None, Invitation | None]:
    """Find what an invitation is for; a table that rests is woken by one who knows it."""
    code = token.partition(".")[0].upper()
    if len(token) > LONGEST or not token.isascii():
        return None, None
    found: list[tuple[Table, Invitation | None]] = []

    def look() -> None:
        if code in app.host.hall:
            table = app.host.hall.find(code)
            found.append((table, table.invited(hash_token(token))))

    look()
    if not found:
        # A knock: an invitation brings nobody back, but it wakes its table.
        face = WebFace(app.host)
        await face.ask(lambda tag: app.host.come_back(face, token, tag), look)
        app.host.drop(face)
    return found[0] if found else (None, None)


def _used(visit: Visit, token: str) -> str | None:
    """Find the page that an invitation has led this very browser to."""
    code, key = token.partition(".")[0].upper(), key_of(token)
    return page_of(code, key) if (code, key) in visit.places else None


async def show_invitation(app: WebApplication, visit: Visit, token: str) -> Reply:
    """Show whom the invitation is for, who may be called otherwise; raises PageRefused ``bad-link``."""
    page = _used(visit, token)
    if page is not None:
        return redirect(page)
    app.check_guess(visit)
    table, invited = await _find_invitation(app, token)
    if table is None or invited is None:
        app.count_wrong(visit)
        raise PageRefused(403, "bad-link")
    return _invitation(app, visit, token, table, invited)


def _invitation(
    app: WebApplication, visit: Visit, token: str, table: Table, invited: Invitation, said: str = ""
) -> Reply:
    if table.stage is not Stage.GATHERING:
        code = table.code if table.house.watchers and not table.house.password else ""
        return app.page(
            visit, "late.html", here="/", game=table.rules.title, name=invited.name, code=code
        )
    return app.page(
        visit,
        "invitation.html",
        409 if said else 200,
        here=f"/invitation/{token}/",
        token=token,
        name=visit.field("name") or invited.name,
        game=table.rules.title,
        table=table.name,
        said=said,
    )


async def accept(app: WebApplication, visit: Visit, token: str) -> Reply:
    """Take the seat; without a name of one's own, under the one that was proposed.

    Raises PageRefused ``bad-link``.
    """
    page = _used(visit, token)
    if page is not None:
        return redirect(page)
    app.check_guess(visit)
    table, invited = await _find_invitation(app, token)
    if table is None or invited is None:
        app.count_wrong(visit)
        raise PageRefused(403, "bad-link")
    if table.stage is not Stage.GATHERING:
        return _invitation(app, visit, token, table, invited)
    try:
        name = read_name(visit.field("name").strip() or invited.name)
        face = await app.sessions.begin(lambda face, tag: app.host.accept(face, token, name, tag))
    except Refused as refusal:
        if refusal.key == "unknown-token":
            raise PageRefused(403, "bad-link") from None
        said = app.explain(refusal, visit.say, table.rules.kind)
        return _invitation(app, visit, token, table, invited, said)
    assert face.token is not None
    key = key_of(token)
    visit.give_place(table.code, key, face.token)
    app.guests.remember(visit.visitor, name)
    return redirect(page_of(table.code, key))


ROUTES = [
    Route("GET", "/invitation/<token>/", show_invitation),
    Route("POST", "/invitation/<token>/", accept),
]
