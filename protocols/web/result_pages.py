"""Pages of how games ended and who is the strongest: of one player, and of one game."""

from __future__ import annotations

from collections.abc import Sequence
from time import gmtime, strftime
from urllib.parse import quote

from attrs import frozen

from gamecore.errors import Refused
from protocols.host.ladder import ALL, WHO, RatingRow, ResultRow
from protocols.host.result_listing import list_ratings, list_results, list_top
from protocols.i18n.result_text import name_of, tell_rating, tell_whether_rated
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, Translator
from protocols.web.application import Route, WebApplication
from protocols.web.replies import PageRefused, Reply, redirect
from protocols.web.result_files import flatten_results, write_file
from protocols.web.visit import Visit

_MOST = 50  # rows of a page
_GROUPS = {"people": N_("people"), "bots": N_("bots"), "all": N_("all")}


@frozen
class PlacedPlayer:
    """One seat of a game that is over, and where its player is found; ``place`` is 0 in a void game."""

    name: str
    address: str
    level: str
    place: int
    left: bool


@frozen
class EndedGame:
    """One line of a history: a game that is over, the best ahead."""

    title: str
    ended: str
    rated: str
    players: Sequence[PlacedPlayer]


@frozen
class RatedPlayer:
    """One line of a list of ratings: of a player, or of what that player is rated in a game."""

    title: str
    address: str
    rating: str


def address_of_player(name: str) -> str:
    """Say where a player is found."""
    return f"/players/{quote(name, safe='')}"


async def find_player(app: WebApplication, visit: Visit) -> Reply:
    """Lead from a name that was typed to its page; raises PageRefused ``no-such-page`` where there is none."""
    name = clean(visit.asked("name")).strip()
    if not name:
        raise PageRefused(404, "no-such-page")
    return redirect(address_of_player(name))


async def show_player(app: WebApplication, visit: Visit, name: str) -> Reply:
    """Show what somebody is rated, and how the latest games ended; refused as the Host says.

    With ``as`` it is a file: of all as ``json``, of the games as ``csv``.
    """
    ladder, name = app.host.ladder, clean(name)
    try:
        ratings = await ladder.ratings(name)
    except Refused as refusal:
        if refusal.key != "no-ratings":  # where nobody is rated there are games all the same
            raise
        ratings = ()
    games = await ladder.history(name, _MOST)
    if wanted := visit.asked("as"):
        told = {**list_ratings(name, ratings), **list_results(name, games)}
        return write_file(wanted, told, flatten_results(told))
    rated = [
        RatedPlayer(_title(app, row.pool), f"/top/{row.pool}", _rating(row, visit.say))
        for row in ratings
    ]
    ended = [_ended(app, row, visit.say) for row in games]
    return app.page(visit, "player.html", name=name, ratings=rated, games=ended)


async def show_top(app: WebApplication, visit: Visit, kind: str) -> Reply:
    """List the strongest in a game, people, bots or all; refused as the Host says.

    With ``as`` it is a file, ``json`` or ``csv``.
    """
    who = visit.asked("who") or ALL
    rows = await app.host.ladder.top(kind, who, _MOST)
    if wanted := visit.asked("as"):
        told = list_top(kind, rows)
        return write_file(wanted, told, told["top"])
    rated = [
        RatedPlayer(name_of(each.account), _of_account(each), _rating(each, visit.say))
        for each in rows
    ]
    groups = [(each, visit.say(_GROUPS[each])) for each in WHO]
    return app.page(
        visit, "top.html", game=app.title_of(kind), rated=rated, groups=groups, shown=who
    )


def _of_account(row: RatingRow) -> str:
    return address_of_player(name_of(row.account))


def _rating(row: RatingRow, say: Translator) -> str:
    return tell_rating(row.mu, row.sigma, row.games, say)


def _ended(app: WebApplication, row: ResultRow, say: Translator) -> EndedGame:
    players = [
        PlacedPlayer(
            clean(name), address_of_player(name), (account and name_of(account)) or "", place, left
        )
        for name, account, place, left in sorted(row.seats, key=lambda seat: seat[2])
    ]
    ended = strftime("%Y-%m-%d %H:%M UTC", gmtime(row.ended))
    return EndedGame(_title(app, row.kind), ended, tell_whether_rated(row.why, say), players)


def _title(app: WebApplication, kind: str) -> str:
    """Say what a game is called, by its kind where it is played here no more."""
    try:
        return app.title_of(kind)
    except Refused:
        return kind


ROUTES = [
    Route("GET", "/players", find_player),
    Route("GET", "/players/<path:name>", show_player),
    Route("GET", "/top/<kind>", show_top),
]
