"""How pages are drawn: the templates of the house, and those of each game under its kind."""

from __future__ import annotations

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

from protocols.i18n.translate import Translator, languages
from protocols.web import cards
from protocols.web.game_pages import installed_pages
from protocols.web.static_files import address_of

_TONGUES = {"en": "English", "fr": "Français"}


def minutes(seconds: float) -> str:
    """Write a time that is left, as ``M:SS``."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


@cache
def _environment() -> Environment:
    games = {kind: PackageLoader(each.package) for kind, each in installed_pages().items()}
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("protocols.web"), PrefixLoader(games)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        static=address_of,
        card_file=cards.card_file,
        card_called=cards.card_called,
        suit_called=cards.suit_called,
        suit_sign=cards.suit_sign,
        suit_colour=cards.suit_colour,
        minutes=minutes,
        tongues=[(each, _TONGUES.get(each, each)) for each in languages()],
    )
    return environment


def render(template: str, say: Translator, /, **facts: object) -> str:
    """Draw a template in a language; all that people typed comes out as text."""
    drawn = _environment().get_template(template)
    return Markup(drawn.render(say=say, several=say.several, **facts))
