"""Whether a game counts for ratings, or why not: what can be said as it begins, and all of it once it is over.

Who is rated is an **account**.  Each level of a house bot is one, ``bot:`` and its level; nobody else has one yet.
What is compared is a **pool**: one for each game, as it is played by the game's own default options; how many play
is each table's own choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamecore.lineup import Lineup
from gamecore.rules import AnyRules
from gamecore.settings import Value, choose_settings, plain_settings, read_settings
from gamecore.table_options import TableOptions

BOT = "bot:"  # how the accounts of house bots begin
VOID, PRIVATE, PASSWORD = "void", "private", "password"
TOO_FEW, GUEST, SAME_ACCOUNT = "too-few-seats", "guest", "same-account"
OPTIONS, UNPLAYED = "options", "unplayed"
# Why a game is not rated, all there are: the first that is so.
WHYS = (VOID, PRIVATE, PASSWORD, TOO_FEW, GUEST, SAME_ACCOUNT, OPTIONS, UNPLAYED)
_PLAYERS = "players"  # the option that is the number of seats


def account_of(level: str | None) -> str | None:
    """Name the account of who sits in a seat, if there is one."""
    return None if level is None else BOT + level


def why_hidden(house: TableOptions) -> str | None:
    """Say by what a table keeps strangers away; None if it does not."""
    return PASSWORD if house.password else PRIVATE if house.private else None


def why_never_rated(lineup: Lineup, usual: bool, hidden: str | None = None) -> str | None:
    """Say why a game is not rated however it ends, by one of ``WHYS``; None where that is still open.

    ``usual`` is whether its options are (see ``is_usual``), ``hidden`` how the table is, if it is.
    """
    accounts = [account_of(each.level) for each in lineup]
    if hidden is not None:
        return hidden
    if len(lineup) < 2:
        return TOO_FEW
    if None in accounts:
        return GUEST
    if len(set(accounts)) < len(accounts):
        return SAME_ACCOUNT
    return None if usual else OPTIONS


def why_unrated(
    lineup: Lineup, usual: bool, hidden: str | None = None, void: bool = False
) -> str | None:
    """Say why a game that is over is not rated, by one of ``WHYS``; None if it is."""
    if void:
        return VOID
    never = why_never_rated(lineup, usual, hidden)
    if never is not None:
        return never
    return None if all(each.moved for each in lineup) else UNPLAYED


def is_usual(rules: AnyRules, options: Mapping[str, Value]) -> bool:
    """Say whether a game is played by its own default options, however many play."""
    chosen = plain_settings(read_settings(rules.options, options))
    usual: dict[str, Any] = plain_settings(choose_settings(rules.options, {}))
    return {**chosen, _PLAYERS: 0} == {**usual, _PLAYERS: 0}
