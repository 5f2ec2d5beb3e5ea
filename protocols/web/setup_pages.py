"""How a browser becomes an organizer's, and sets up a new game."""

from __future__ import annotations

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.settings import Value
from gamecore.table import Table
from protocols.host import table_actions
from protocols.host.secrets import hash_token
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import Translator
from protocols.web.application import Route, WebApplication
from protocols.web.game_pages import GamePages, SetupForm
from protocols.web.name_list import LARGEST, REFUSALS, read_names
from protocols.web.organizer_pages import COOKIE, page_of, request
from protocols.web.replies import PageRefused, Reply, redirect
from protocols.web.tokens import invitation, new_secret
from protocols.web.visit import Visit

_HOUSE: dict[str, Value] = {
    "start": "asked",
    "rematch": "shuffle",
    "absent": "wait",  # until the organizer lets a bot play on
    "expiry": 86_400.0,
}


def setup_page(app: WebApplication, kind: str) -> str:
    """Write the address of the form for a new game; it is said which where there are several with pages."""
    return "/organizer/" if len(app.games) == 1 else f"/organizer/?game={kind}"


def _kind(app: WebApplication, visit: Visit) -> str:
    """Find which game is asked for: the first with pages, if none is named; raises PageRefused."""
    kind = visit.field("game") or next(iter(app.games), "")
    if kind not in app.games:
        raise PageRefused(404, "no-such-page")
    return kind


# -- the organizer's link ---------------------------------------------------------------


async def show_link(app: WebApplication, visit: Visit, secret: str) -> Reply:
    """Ask before the link is used: a chat program may look at it first; raises PageRefused ``bad-link``."""
    app.count_guess(visit)
    if app.may_organize(visit):
        return redirect("/organizer/")
    if not app.link.opens(secret):
        raise PageRefused(403, "bad-link")
    say = visit.say
    games = ", ".join(map(app.title_of, app.games))
    return app.page(
        visit,
        "exchange.html",
        here="/",
        action="/organizer/enter/",
        secret=secret,
        heading=say("Organize {games}", games=games),
        text=say("This browser becomes an organizer's. The link is used up by it."),
        button=say("Become organizer"),
    )


async def use_link(app: WebApplication, visit: Visit) -> Reply:
    """Exchange the link; a new one is made known to whoever started the daemon.

    Raises PageRefused ``bad-link``.
    """
    app.count_guess(visit)
    if not app.may_organize(visit):
        if not app.link.use(visit.field("secret")):
            raise PageRefused(403, "bad-link")
        app.make_organizer(visit)
        app.on_link_used()
    return redirect("/organizer/")


# -- a new game -------------------------------------------------------------------------


async def show_setup(app: WebApplication, visit: Visit) -> Reply:
    """Show the form for a new game, and the games that there are."""
    _check_organizes(app, visit)
    kind = _kind(app, visit)
    return _setup(app, visit, kind, app.games[kind].form(lambda name: ""))


def _setup(app: WebApplication, visit: Visit, kind: str, form: SetupForm, said: str = "") -> Reply:
    return app.page(
        visit,
        f"{kind}/setup.html",
        400 if said else 200,
        here="/organizer/",
        action=setup_page(app, kind),
        form=form,
        games=[table for table, _ in _games(app, visit)],
        said=said,
    )


def _games(app: WebApplication, visit: Visit) -> list[tuple[Table, str]]:
    """List the tables of this organizer that are not over and done with, and the secret of each."""
    found = []
    for code, owner in visit.cookies(COOKIE).items():
        if code in app.host.hall:
            table = app.host.hall.find(code)
            known = table.owned_by(hash_token(f"{code}.{owner}"))
            if known and table.stage is not Stage.ABANDONED:
                found.append((table, owner))
    return found


def _check_organizes(app: WebApplication, visit: Visit) -> None:
    if not app.may_organize(visit):
        raise PageRefused(403, "not-organizer")


async def set_up(app: WebApplication, visit: Visit) -> Reply:
    """Open a table, keep a seat for each name, and end those games that were to end.

    Raises PageRefused ``not-organizer``.
    """
    _check_organizes(app, visit)
    kind = _kind(app, visit)
    form = app.games[kind].form(visit.field)
    try:
        if len(visit.field("names")) > LARGEST:
            raise Refused("too-many-names")
        names = read_names(form.names, app.host.hall.registry.latest(kind).seats)
        app.count_opening(visit)
        options = form.options(len(names))
        owner = new_secret()
        house = {**_HOUSE, **form.house()}
        table = app.host.open(kind, clean(form.title, 40), options, house, owner)
    except Refused as refusal:
        said = _explain(app, refusal, app.games[kind], visit.say)
        return _setup(app, visit, kind, form, said)
    face = await app.sessions.resume(f"{table.code}.{owner}")
    app.give_place(visit, COOKIE + table.code, owner)
    for seat, name in enumerate(names):
        hashed = hash_token(invitation(table.code, owner, name))
        await request(app, face, table_actions.invite(seat, name, hashed))
    await _end_chosen(app, visit)
    return redirect(page_of(table.code))


async def _end_chosen(app: WebApplication, visit: Visit) -> None:
    for table, owner in _games(app, visit):
        if visit.field(f"end-{table.code}"):
            face = await app.sessions.resume(f"{table.code}.{owner}")
            await request(app, face, table_actions.abandon)


def _explain(app: WebApplication, refusal: Refused, game: GamePages, say: Translator) -> str:
    sentence = game.refusals.get(refusal.key) or REFUSALS.get(refusal.key)
    return say(sentence, **refusal.facts) if sentence else app.explain(refusal, say, game)


ROUTES = [
    Route("GET", "/organizer/enter/<secret>/", show_link),
    Route("POST", "/organizer/enter/", use_link),
    Route("GET", "/organizer/", show_setup),
    Route("POST", "/organizer/", set_up),
]
