"""How a table is opened: by a form with all that can be chosen, or at once with bots in the other seats."""

from __future__ import annotations

from gamecore.bots import usual_level
from gamecore.errors import Refused
from gamecore.settings import Value, settings_of
from protocols.host import table_actions
from protocols.host.card import Card
from protocols.host.secrets import hash_token
from protocols.i18n.game_text import quick_options
from protocols.i18n.names import read_name
from protocols.i18n.sanitize import clean
from protocols.web.application import Route, WebApplication
from protocols.web.name_list import REFUSALS
from protocols.web.opening_form import HOUSE, OpeningForm
from protocols.web.replies import PageRefused, Reply, redirect
from protocols.web.table_pages import request, take_seat
from protocols.web.tokens import invitation, key_of, new_secret
from protocols.web.visit import Visit, page_of

_A_FEW = 4  # players of a game that does not say how many it wants


def _check_organizes(app: WebApplication, visit: Visit) -> None:
    if not app.may_organize(visit):
        raise PageRefused(403, "not-organizer")


def _form(app: WebApplication, visit: Visit, kind: str) -> OpeningForm:
    """Read the form of a game; raises Refused ``no-such-game``."""
    rules = app.host.hall.registry.latest(kind)
    called = app.guests.called(visit.visitor)
    return OpeningForm(rules, app.host.usual_options(kind), visit, called)


async def show_form(app: WebApplication, visit: Visit, kind: str) -> Reply:
    """Show the form for a new table; raises PageRefused ``not-organizer``, Refused ``no-such-game``."""
    _check_organizes(app, visit)
    return _show(app, visit, kind, _form(app, visit, kind))


def _show(app: WebApplication, visit: Visit, kind: str, form: OpeningForm, said: str = "") -> Reply:
    return app.page(
        visit,
        "open.html",
        400 if said else 200,
        kind=kind,
        game=app.title_of(kind),
        form=form,
        first=form.first(visit.say),
        more=form.more(visit.say),
        **({"said": said} if said else {}),
    )


async def open_table(app: WebApplication, visit: Visit, kind: str) -> Reply:
    """Open a table and sit down, or keep seats for those who are invited and be their organizer.

    Raises PageRefused ``not-organizer``, Refused ``no-such-game``.
    """
    _check_organizes(app, visit)
    form = _form(app, visit, kind)
    try:
        invites, options, house = form.invites, form.options(), form.house()
        name = "" if invites else read_name(form.name)
        owner = new_secret() if invites else None
        table = app.host.open(kind, clean(form.title, 40), options, house, owner, visit.address)
        if owner is not None:
            return await _invite(app, visit, table, owner, *invites)
        page, _ = await take_seat(app, visit, table, name)
        return redirect(page)
    except Refused as refusal:
        return _show(app, visit, kind, form, _explain(app, visit, kind, form, refusal))


def _explain(
    app: WebApplication, visit: Visit, kind: str, form: OpeningForm, refusal: Refused
) -> str:
    """Say why a table was not opened, by what a setting is called on the form and not by its key."""
    sentence = REFUSALS.get(refusal.key)
    if sentence is not None:
        return visit.say(sentence, **refusal.facts)
    named = refusal.facts.get("name")
    if refusal.key.startswith("setting-") and isinstance(named, str):
        facts = {**refusal.facts, "name": form.label_of(named, visit.say)}
        refusal = Refused(refusal.key, **facts)
    return app.explain(refusal, visit.say, kind)


async def _invite(app: WebApplication, visit: Visit, table: Card, owner: str, *names: str) -> Reply:
    """Keep a seat for each name, and lead to the organizer's place."""
    token = f"{table.code}.{owner}"
    face = await app.sessions.resume(token)
    for seat, name in enumerate(names):
        hashed = hash_token(invitation(table.code, owner, name))
        await request(app, face, table_actions.invite(seat, name, hashed))
    key = key_of(token)
    visit.give_place(table.code, key, token)
    return redirect(page_of(table.code, key))


async def play_now(app: WebApplication, visit: Visit) -> Reply:
    """Sit down at a table of one's own, with bots in the other seats, and begin.

    Raises PageRefused ``not-organizer``; Refused ``no-such-game``, ``no-such-level``, ``too-many-tables``.
    """
    _check_organizes(app, visit)
    kind = visit.field("game")
    level = visit.field("level") or usual_level(kind)
    known = app.guests.called(visit.visitor)
    name = read_name(visit.field("name").strip() or known or visit.say("Guest"))
    options = dict(quick_options(kind, app.host.usual_options(kind)))
    house: dict[str, Value] = {**HOUSE, "private": True, "absent": "forfeit"}
    table = app.host.open(kind, "", options, house, by=visit.address)
    page, face = await take_seat(app, visit, table, name)
    for action in _filling(app, kind, table, level):
        refusal = await request(app, face, action)
        if refusal is not None:
            raise refusal
    return redirect(page)


def _filling(
    app: WebApplication, kind: str, table: Card, level: str
) -> list[table_actions.TableAction]:
    """Say what lets bots take the other seats, and the game begin."""
    options = [each.name for each in settings_of(app.host.hall.registry.latest(kind).options)]
    # A game that does not say how many play is one for a few.
    players = table.most_players if "players" in options else min(table.most_players, _A_FEW)
    return [*[table_actions.add_bot(level)] * (players - 1), table_actions.start]


ROUTES = [
    Route("GET", "/open/<kind>", show_form),
    Route("POST", "/open/<kind>", open_table),
    Route("POST", "/play", play_now),
]
