"""How games ended and what somebody is rated, in a line each for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import gmtime, strftime

from gamecore.contest import result
from gamecore.contest.rating import SURE, shown
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, Translator

Seat = tuple[str, str | None, int, bool]  # name, account, place, whether it was left

WHY: Mapping[str, str] = {
    result.VOID: N_("void, for it was given up"),
    result.PRIVATE: N_("not rated: the table was private"),
    result.PASSWORD: N_("not rated: the table had a password"),
    result.TOO_FEW: N_("not rated: nobody else played"),
    result.GUEST: N_("not rated: a guest played"),
    result.SAME_ACCOUNT: N_("not rated: one bot sat in two seats"),
    result.OPTIONS: N_("not rated: the options were not the usual ones"),
    result.UNPLAYED: N_("not rated: not everybody had moved"),
}
_RATED = N_("rated")


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
        why=say(_RATED if why is None else WHY[why]),
    )


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
