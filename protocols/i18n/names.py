"""Names of people: the PRECIS nickname profile (RFC 8266), one to 24 characters.

A name has no brackets of the round kind: what stands in them is said of people by the house, ``ann (you)``.
"""

from __future__ import annotations

from precis_i18n import get_profile

from gamecore.errors import Refused
from gamecore.roster import NAME_LIMIT
from protocols.i18n.look_alikes import skeleton
from protocols.i18n.sanitize import clean

_NICKNAME = get_profile("NicknameCasePreserved")


def read_name(wanted: str) -> str:
    """Bring a name to the one form in which it is kept; raises Refused.

    The keys: ``no-name``, ``name-too-long``, ``name-in-brackets``.
    """
    if len(wanted) > 8 * NAME_LIMIT:  # no use to look at it any closer
        raise Refused("name-too-long", most=NAME_LIMIT)
    try:
        name = clean(_NICKNAME.enforce(clean(wanted)))
    except UnicodeEncodeError:
        raise Refused("no-name") from None
    if not any(char.isalnum() for char in name):
        raise Refused("no-name")
    if len(name) > NAME_LIMIT:
        raise Refused("name-too-long", most=NAME_LIMIT)
    if any(bracket in look for look in skeleton(name) for bracket in "()"):
        raise Refused("name-in-brackets")
    return name
