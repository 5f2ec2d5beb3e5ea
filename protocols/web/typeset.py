"""A language as pages set it, which break lines wherever there is a blank: no French line begins with its colon."""

from __future__ import annotations

import re
from functools import cache

from protocols.i18n.translate import Translator

_FRENCH = "fr"
_KEPT_TOGETHER = re.compile(r" (?=[:;!?»])|(?<=«) ")


def keep_together(text: str, language: str) -> str:
    """Write blanks at which no line may be broken so that none is."""
    return _KEPT_TOGETHER.sub("\u00a0", text) if language == _FRENCH else text


class PageTranslator(Translator):
    """One language, its sentences set for pages."""

    __slots__ = ("_say",)

    def __init__(self, say: Translator) -> None:
        super().__init__(say.language)
        self._say = say

    def __call__(self, sentence: str, /, **facts: object) -> str:
        """Say a sentence."""
        said = keep_together(self._say(sentence), self.language)
        return said.format_map(facts) if facts else said

    def several(self, one: str, many: str, number: int, /, **facts: object) -> str:
        """Say a sentence in the form that goes with ``number``, which fills in ``{n}``."""
        return keep_together(self._say.several(one, many, number, **facts), self.language)


@cache
def set_for_pages(say: Translator) -> Translator:
    """Give a language as pages set it."""
    return PageTranslator(say) if say.language == _FRENCH else say
