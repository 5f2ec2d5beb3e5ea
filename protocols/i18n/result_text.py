"""How games ended and what somebody is rated, in a line each for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import gmtime, strftime

from gamecore import rated
from gamecore.contest.rating import SURE, shown
from gamecore.game import Stage
from gamecore.table_view import TableView
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, Translator

Seat = tuple[str, str | None, int, bool]  # name, account, place, whether it was left

WHY: Mapping[str, str] = {
    rated.VOID: N_("void, for it was given up"),
    rated.PRIVATE: N_("not rated: the table is private"),
    rated.PASSWORD: N_("not rated: the table has a password"),
    rated.TOO_FEW: N_("not rated: nobody else plays"),
    rated.GUEST: N_("not rated: a guest plays"),
    rated.SAME_ACCOUNT: N_("not rated: one bot sits in two seats"),
    rated.OPTIONS: N_("not rated: the options are not the usual ones"),
    rated.UNPLAYED: N_("not rated: not everybody has moved"),
}
RATED = N_("rated")


def tell_result(
    code: str, kind: str, ended: float, why: str | None, seats: Sequence[Seat], say: Translator
) -> str:
    """Tell how one game ended: when, in UTC, what and where, who in which order, and whether it is rated."""
    places = ", ".join(_tell_seat(each, say) for each in sorted(seats, key=lambda seat: seat[2]))
    when = strftime("%Y-%m-%d %H:%M", gmtime(ended))
    where = f"{kind} {code}" if code else kind
    return say(
        "{when}  {where}: {places} ({why})",
        when=when,
        where=where,
        places=places,
        why=tell_whether_rated(why, say),
    )


def tell_rated(number: int, why: str | None, say: Translator) -> str:
    """Tell whether a game that begins or is over is rated; ``why`` is why not, by one of ``WHYS``."""
    return say("Game {number} is {why}.", number=number, why=tell_whether_rated(why, say))


def tell_rated_in(view: TableView, say: Translator) -> str:
    """Tell it of the game that a View shows; nothing where none is played or over."""
    if view.stage is Stage.GATHERING or (view.stage is Stage.ABANDONED and view.unrated is None):
        return ""
    return tell_rated(view.number, view.unrated, say)


def tell_whether_rated(why: str | None, say: Translator) -> str:
    """Tell whether a game is rated, or why not, in a few words."""
    return say(RATED if why is None else WHY[why])


def _tell_seat(seat: Seat, say: Translator) -> str:
    name, account, place, left = seat
    name = clean(name)
    who = name if account is None else f"{name} [{name_of(account)}]"
    placed = f"{place}. {who}" if place else who
    return say("{placed}, who left", placed=placed) if left else placed


def name_of(account: str) -> str:
    """Give the name of an account: of a bot, its level."""
    return account.partition(":")[2]


def tell_rating(mu: float, sigma: float, games: int, say: Translator) -> str:
    """Tell a rating, with a ``?`` as long as it is provisional, and of how many games it is made."""
    number = f"{shown(mu)}{'?' if sigma > SURE else ''}"
    return say.several("{number} after {n} game", "{number} after {n} games", games, number=number)
