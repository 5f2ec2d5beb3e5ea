"""Board positions as the wire names them, always as the reader sees them: ``MY_SOLDIER_1``, ``THEIR_CASTLE``.

A deck counts from its bottom: the highest occupied number is its top card (Castle Wars specification, section 3).
"""

from __future__ import annotations

import re
from typing import get_args

from gamecore.errors import Malformed
from gamecore.games.castle.effect_schema import Zone
from gamecore.games.castle.moves import Spot

_ZONES: dict[str, Zone] = {zone.upper(): zone for zone in get_args(Zone)}
_UNNUMBERED = ("CASTLE", "DECREE")
_HIGHEST = {"SOLDIER": 2, "MAGE": 2, "TRICKSTER": 2, "HAND": 51, "DISCARD": 102, "DECK": 51}
_POSITION = re.compile(r"(MY|THEIR)_([A-Z]+?)(?:_([1-9][0-9]{0,2}))?")


def position_of(spot: Spot, reader: int) -> str:
    """Name a place for the player in seat ``reader``."""
    zone = spot.zone.upper()
    side = "MY" if spot.seat == reader else "THEIR"
    return f"{side}_{zone}" if zone in _UNNUMBERED else f"{side}_{zone}_{spot.slot + 1}"


def read_position(position: object, reader: int) -> Spot:
    """Find the place that the player in seat ``reader`` names; raises Malformed for what is no position."""
    found = _POSITION.fullmatch(position) if isinstance(position, str) else None
    if found is None or found[2] not in _ZONES:
        raise Malformed("that is no position")
    number = int(found[3]) if found[3] else None
    unnumbered = found[2] in _UNNUMBERED
    if unnumbered != (number is None) or (number or 0) > _HIGHEST.get(found[2], 1):
        raise Malformed("that is no position")
    return Spot(reader if found[1] == "MY" else 1 - reader, _ZONES[found[2]], (number or 1) - 1)
