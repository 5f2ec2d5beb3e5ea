"""Addresses that only lead on: those of presses, looked at again, and those that pages of a game had elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from protocols.web import table_presses
from protocols.web.application import Handler, Route, WebApplication
from protocols.web.game_pages import MovedPages, installed_pages
from protocols.web.replies import Reply, redirect
from protocols.web.visit import Visit

_LEADS: Mapping[str, str] = {
    "/say": "/",
    "/name": "/",
    "/t/<code>/say": "/t/{code}/",
    "/t/<code>/sit": "/t/{code}/",
    "/t/<code>/replay": "/replay/{code}",
    "/t/<code>/<key>/say": "/t/{code}/{key}/",
    **{f"/t/<code>/<key>/{name}": "/t/{code}/{key}/" for name in table_presses.PRESSES},
}
"""Each such address, as a route is written, and where it leads, with the parts of the address in braces."""


def _leading(address: str) -> Handler:
    async def lead(app: WebApplication, visit: Visit, **parts: str) -> Reply:
        return redirect(address.format(**{name: quote(part, "") for name, part in parts.items()}))

    return lead


def routes() -> list[Route]:
    """List the routes of all addresses that lead on: ours, and those that installed games name."""
    moved = {
        path: f"{address}?moved=yes"
        for game in installed_pages().values()
        if isinstance(game, MovedPages)
        for path, address in game.moved.items()
    }
    return [Route("GET", path, _leading(to)) for path, to in {**_LEADS, **moved}.items()]
