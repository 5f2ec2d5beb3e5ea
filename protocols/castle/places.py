"""Board positions as the wire names them, always as the reader sees them: ``MY_SOLDIER_1``, ``THEIR_CASTLE``.

A deck counts from its bottom: the highest occupied number is its top card.
"""

from __future__ import annotations

import re
from typing import get_args

from gamecore.errors import Malformed
from gamecore.games.castle.effect_schema import Zone
from gamecore.games.castle.moves import Spot

_ZONES: dict[str, Zone] = {zone.upper(): zone for zone in get_args(Zone)}
_ALONE = ("CASTLE", "DECREE")
MOST = {"SOLDIER": 2, "MAGE": 2, "TRICKSTER": 2, "HAND": 51, "DISCARD": 102, "DECK": 51}
_NAME = re.compile(r"(MY|THEIR)_([A-Z]+?)(?:_([1-9][0-9]{0,2}))?")


def name_of(spot: Spot, viewer: int) -> str:
    """Name a place for one of the players."""
    zone = spot.zone.upper()
    side = "MY" if spot.seat == viewer else "THEIR"
    return f"{side}_{zone}" if zone in _ALONE else f"{side}_{zone}_{spot.slot + 1}"


def read_name(name: object, viewer: int) -> Spot:
    """Find the place that a player names; raises Malformed."""
    found = _NAME.fullmatch(name) if isinstance(name, str) else None
    if found is None or found[2] not in _ZONES:
        raise Malformed("that is no position")
    number = int(found[3]) if found[3] else None
    alone = found[2] in _ALONE
    if alone != (number is None) or (number or 0) > MOST.get(found[2], 1):
        raise Malformed("that is no position")
    return Spot(viewer if found[1] == "MY" else 1 - viewer, _ZONES[found[2]], (number or 1) - 1)


def mirror(name: str) -> str:
    """Name a place as the other player sees it."""
    mine, their = "MY_", "THEIR_"
    return their + name[3:] if name.startswith(mine) else mine + name.removeprefix(their)
