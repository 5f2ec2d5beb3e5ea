"""What we say to people, in their language.

Every sentence stands in the source in English, as the argument of a ``Translator``, or of :func:`N_` where it is
only kept for later; the catalogues hold its translations.  Facts are named, so that another language may put them
in another order: ``say("{name} takes {stones}", name=..., stones=...)``.

A game that is a package of its own brings catalogues of its own: gettext files named by language, like ``fr.po``,
in a folder ``catalogues`` beside the module that it names in the entry point group ``parlour.texts``.  What the
house has a translation for itself, it says in its own words; the languages there are remain those of the house.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from gamecore.errors import Refused

_HOUSE = "protocols.i18n"
_CATALOGUES = "catalogues"
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


@cache
def languages() -> tuple[str, ...]:
    """List the languages we speak, English first."""
    catalogues = (each.name.removesuffix(_ENDING) for each in _folder().iterdir())
    return "en", *sorted(each for each in catalogues if len(each) == 2)


@cache
def translator_of(language: str) -> Translator:
    """Find a language by its two letters; raises Refused ``no-such-language``."""
    language = language.lower()
    if language == ENGLISH.language:
        return ENGLISH
    if language not in languages():
        raise Refused("no-such-language", known=", ".join(languages()))
    translations = _compile(_folder().joinpath(language + _ENDING), language)
    for each in _of_games(language):
        translations.add_fallback(each)
    return Translator(language, translations)


def _folder() -> Traversable:
    return files(_HOUSE) / _CATALOGUES


def _compile(file: Traversable, language: str) -> GNUTranslations:
    with file.open("rb") as opened:
        catalogue = read_po(opened, locale=language, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


def _of_games(language: str) -> Iterator[GNUTranslations]:
    """Compile what games bring in a language; a catalogue that cannot be read is warned of, and left out."""
    modules = (point.module for point in sorted(entry_points(group="parlour.texts")))
    for package in dict.fromkeys(module.rpartition(".")[0] or module for module in modules):
        try:
            file = files(package) / _CATALOGUES / (language + _ENDING)
            if file.is_file():
                yield _compile(file, language)
        except Exception as problem:  # it is a stranger's, and one game must not silence the others
            warnings.warn(f"no {language} of {package}: {problem}", stacklevel=2)
