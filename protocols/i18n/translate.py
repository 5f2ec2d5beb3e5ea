"""What we say to people, in their language.

Every sentence stands in the source in English, as the argument of a ``Translator``, or of :func:`mark` where it is
only kept for later; the catalogues hold its translations.  Facts are named, so that another language may put them
in another order: ``say("{name} takes {stones}", name=..., stones=...)``.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from gamecore.errors import Refused

_ENDING = ".po"


def N_(sentence: str) -> str:
    """Name a sentence for the catalogues where it is written down, to be said elsewhere."""
    return sentence


class Translator:
    """One language; calling it gives a sentence in that language, its facts filled in."""

    __slots__ = ("_catalogue", "language")

    def __init__(self, language: str = "en", catalogue: NullTranslations | None = None) -> None:
        self.language = language
        self._catalogue = NullTranslations() if catalogue is None else catalogue

    def __call__(self, sentence: str, /, **facts: object) -> str:
        """Say a sentence."""
        said = self._catalogue.gettext(sentence)
        return said.format_map(facts) if facts else said

    def several(self, one: str, many: str, number: int, /, **facts: object) -> str:
        """Say a sentence in the form that goes with ``number``, which fills in ``{n}``."""
        return self._catalogue.ngettext(one, many, number).format_map({"n": number, **facts})


ENGLISH = Translator()


def languages() -> list[str]:
    """List the languages we speak, English first."""
    catalogues = (each.name.removesuffix(_ENDING) for each in _folder().iterdir())
    return ["en", *sorted(each for each in catalogues if len(each) == 2)]


@cache
def translator_of(language: str) -> Translator:
    """Find a language by its two letters; raises Refused ``no-such-language``."""
    language = language.lower()
    if language == ENGLISH.language:
        return ENGLISH
    if language not in languages():
        raise Refused("no-such-language", known=", ".join(languages()))
    with _folder().joinpath(language + _ENDING).open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translator(language, GNUTranslations(compiled))


def _folder() -> Traversable:
    return files("protocols.i18n") / "catalogues"
