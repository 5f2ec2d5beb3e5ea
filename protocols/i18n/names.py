"""Names of people: the PRECIS nickname profile (RFC 8266), one to 24 characters, and what they look like.

Two names are confusable if, whatever their case, they differ only in characters that are drawn alike.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from confusable_homoglyphs.confusables import confusables_data
from precis_i18n import get_profile

from gamecore.errors import Refused
from gamecore.roster import NAME_LIMIT
from protocols.i18n.sanitize import clean

_NICKNAME = get_profile("NicknameCasePreserved")
# Case is no difference between names, so what one case of a letter looks like, the other does as well.
_ALIKE = str.maketrans({"i": "1", "l": "1", "|": "1", "0": "o"})


def read_name(wanted: str) -> str:
    """Bring a name to the one form in which it is kept; raises Refused ``no-name``, ``name-too-long``."""
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
    return name


@lru_cache(maxsize=4096)
def looks_like(name: str) -> str:
    """Reduce a name to what people tell it apart by."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    drawn = "".join(map(_drawn, unicodedata.normalize("NFD", folded)))
    return " ".join(unicodedata.normalize("NFC", drawn).translate(_ALIKE).split())


@cache
def _drawn(char: str) -> str:
    """Find the plain letter or digit that a character is drawn like, if there is one."""
    twins = (each["c"].casefold() for each in confusables_data.get(char, ()))
    plain = [each for each in twins if len(each) == 1 and each.isascii() and each.isalnum()]
    return char if char.isascii() else min(plain, default=char)
