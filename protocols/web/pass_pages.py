"""Passes: how one is shown to whoever goes to another device, and exchanged there for a cookie."""

from __future__ import annotations

from protocols.web.application import Route, WebApplication
from protocols.web.passes import Pass
from protocols.web.qr import draw_qr
from protocols.web.replies import PageRefused, Reply, redirect
from protocols.web.visit import Visit, page_of


def show_new_pass(app: WebApplication, visit: Visit, worth: Pass) -> Reply:
    """Write a pass and show it, to be copied or to be read by a camera."""
    link = f"{visit.origin}/pass/{app.passes.issue(worth, app.now())}/"
    page = page_of(worth.code, worth.key)
    return app.page(visit, "pass.html", here=page, page=page, link=link, qr=draw_qr(link))


async def show_pass(app: WebApplication, visit: Visit, secret: str) -> Reply:
    """Ask before a pass is used: a chat program may look at it first; raises PageRefused ``bad-link``."""
    app.check_guess(visit)
    if app.passes.find(secret, app.now()) is None:
        app.count_wrong(visit)
        raise PageRefused(403, "bad-link")
    say = visit.say
    return app.page(
        visit,
        "exchange.html",
        here="/",
        action="/pass/",
        secret=secret,
        heading=say("Go on here"),
        text=say("This takes your place at the table along to this device."),
        button=say("Go on here"),
    )


async def use_pass(app: WebApplication, visit: Visit) -> Reply:
    """Exchange a pass for a cookie; raises PageRefused ``bad-link``."""
    app.check_guess(visit)
    worth = app.passes.use(visit.field("secret"), app.now())
    if worth is None:
        app.count_wrong(visit)
        raise PageRefused(403, "bad-link")
    app.sessions.shut_out(worth.token)
    visit.give_place(worth.code, worth.key, worth.token, app.devices.move(worth.token))
    return redirect(page_of(worth.code, worth.key))


ROUTES = [
    Route("GET", "/pass/<secret>/", show_pass),
    Route("POST", "/pass/", use_pass),
]
