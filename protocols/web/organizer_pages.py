"""How a browser becomes an organizer's in a house where not everybody may open tables."""

from __future__ import annotations

from protocols.web.application import Route, WebApplication
from protocols.web.replies import PageRefused, Reply, redirect
from protocols.web.visit import Visit


async def show_link(app: WebApplication, visit: Visit, secret: str) -> Reply:
    """Ask before the link is used: a chat program may look at it first; raises PageRefused ``bad-link``."""
    app.check_guess(visit)
    if app.may_organize(visit):
        return redirect("/")
    if not app.link.opens(secret):
        app.count_wrong(visit)
        raise PageRefused(403, "bad-link")
    say = visit.say
    return app.page(
        visit,
        "exchange.html",
        here="/",
        action="/organizer/enter/",
        secret=secret,
        heading=say("Open tables here"),
        text=say("This browser becomes an organizer's. The link is used up by it."),
        button=say("Become organizer"),
    )


async def use_link(app: WebApplication, visit: Visit) -> Reply:
    """Exchange the link; a new one is made known to whoever started the daemon.

    Raises PageRefused ``bad-link``.
    """
    app.check_guess(visit)
    if not app.may_organize(visit):
        if not app.link.use(visit.field("secret")):
            app.count_wrong(visit)
            raise PageRefused(403, "bad-link")
        app.make_organizer(visit)
        app.on_link_used()
    return redirect("/")


ROUTES = [
    Route("GET", "/organizer/enter/<secret>/", show_link),
    Route("POST", "/organizer/enter/", use_link),
]
