"""A language as pages set it: no French line begins with its colon, and cards in it are named as the cards drawn.

Pages break lines wherever there is a blank.  In a terminal a card stands as it is typed there (``Q♦``), in every
language.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from protocols.i18n.translate import Translator
from protocols.web.cards import rank_called

_FRENCH = "fr"
_MOST_SENTENCES = 4000  # that are kept as they are set, more than there are
_COURT = re.compile(r"\b[JQK](?=[♠♥♦♣])")
_KEPT_TOGETHER = re.compile(r" (?=[:;!?»])|(?<=«) ")


def keep_together(text: str, language: str) -> str:
    """Write blanks at which no line may be broken so that none is."""
    return _KEPT_TOGETHER.sub("\u00a0", text) if language == _FRENCH else text


def set_line(text: str, say: Translator) -> str:
    """Set a line that a game or the house has told."""
    named = _COURT.sub(lambda found: rank_called(found[0], say), text)
    return keep_together(named, say.language)


class PageTranslator(Translator):
    """One language, its sentences set for pages."""

    __slots__ = ("_say", "_set")

    def __init__(self, say: Translator) -> None:
        super().__init__(say.language)
        self._say = say
        self._set = lru_cache(_MOST_SENTENCES)(lambda each: keep_together(say(each), say.language))

    def __call__(self, sentence: str, /, **facts: object) -> str:
        """Say a sentence."""
        said = self._set(sentence)
        return said.format_map(facts) if facts else said

    def several(self, one: str, many: str, number: int, /, **facts: object) -> str:
        """Say a sentence in the form that goes with ``number``, which fills in ``{n}``."""
        return keep_together(self._say.several(one, many, number, **facts), self.language)


@cache
def set_for_pages(say: Translator) -> Translator:
    """Give a language as pages set it."""
    return PageTranslator(say) if say.language == _FRENCH else say
