"""Where a player is found by a browser: the cookie that is the way back, and the address of the page."""

from __future__ import annotations


def cookie_of(code: str, key: str) -> str:
    """Name the cookie of one player at one table."""
    return f"parlour-{code}-{key}"


def page_of(code: str, key: str) -> str:
    """Write the address of a player's page."""
    return f"/player/{code}/{key}/"
