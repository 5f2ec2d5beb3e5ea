"""Addresses that pages of a game had elsewhere, and where people find here what there was."""

from __future__ import annotations

from protocols.web.application import Handler, Route, WebApplication
from protocols.web.game_pages import MovedPages, installed_pages
from protocols.web.replies import Reply, redirect
from protocols.web.visit import Visit


def _leading(address: str) -> Handler:
    async def lead(app: WebApplication, visit: Visit, **parts: str) -> Reply:
        return redirect(f"{address}?moved=yes")

    return lead


def routes() -> list[Route]:
    """List the routes from all addresses that installed games name."""
    return [
        Route("GET", path, _leading(address))
        for game in installed_pages().values()
        if isinstance(game, MovedPages)
        for path, address in game.moved.items()
    ]
