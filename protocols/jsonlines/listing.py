"""What there is in the hall, as a program lists it: games, tables, people."""

from __future__ import annotations

from itertools import islice
from typing import Any

import attrs

from gamecore.bots import bots_of
from gamecore.rules import AnyRules, Registry
from gamecore.settings import settings_of
from gamecore.table_options import TableOptions
from protocols.host.card import Card
from protocols.host.directory import Directory
from protocols.host.people import People

MOST_LISTED = 200
Listed = dict[str, Any]


def list_games(registry: Registry) -> Listed:
    """Tell every game, and ``house``, the options that all tables have."""
    games = [_game(registry.latest(kind)) for kind in registry.kinds]
    return {"games": games, "house": _settings(TableOptions)}


def _game(rules: AnyRules) -> Listed:
    brings = None if rules.brings is None else rules.brings.__name__
    return {
        "game": rules.kind,
        "title": rules.title,
        "seats": [rules.seats[0], rules.seats[-1]],
        "brings": brings,
        "bots": list(bots_of(rules.kind)),
        "options": _settings(rules.options),
    }


def _settings(options: type[attrs.AttrsInstance]) -> list[Listed]:
    return [
        {
            "name": each.name,
            "default": each.default,
            "low": each.bounds.low,
            "high": each.bounds.high,
            "choices": list(each.bounds.choices),
            "help": each.bounds.help,
        }
        for each in settings_of(options)
    ]


def list_tables(directory: Directory, kind: str | None) -> Listed:
    """Tell the public tables, first those where a seat can be taken; ``more`` if that is not all."""
    found = list(islice(directory.public(kind), MOST_LISTED + 1))
    return {"tables": list(map(_table, found[:MOST_LISTED])), "more": len(found) > MOST_LISTED}


def _table(table: Card) -> Listed:
    return {
        "table": table.code,
        "game": table.kind,
        "name": table.name,
        "names": list(table.names),
        "players": table.players,
        "seats": table.most_players,
        "joinable": table.joinable,
        "password": table.locked,
        "watchers": table.watchers,
        "start": table.start,
    }


def list_people(people: People, directory: Directory) -> Listed:
    """Tell who is in the hall, in the order in which they came, and where; ``more`` if that is not all."""
    found = list(islice(people.who(), MOST_LISTED + 1))
    listed = [
        {
            "name": name,
            "table": None if where.code is None else _public(where.code, directory),
            "seat": where.seat,
        }
        for name, where in found[:MOST_LISTED]
    ]
    return {"people": listed, "more": len(found) > MOST_LISTED}


def _public(code: str, directory: Directory) -> str | None:
    """Name a table, unless it is one that is kept out of every list."""
    return code if code in directory and not directory.find(code).private else None
