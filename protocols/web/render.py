"""How pages are drawn: the templates of the house, and those of each game under its kind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    PackageLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateNotFound,
)
from jinja2.runtime import Context
from markupsafe import Markup

from gamecore.cards import SIGNS
from gamecore.codec import plain
from gamecore.rules import Move
from protocols.i18n.game_text import find_text, text_kinds
from protocols.i18n.translate import Translator, languages
from protocols.web import cards
from protocols.web.game_pages import installed_pages
from protocols.web.static_files import VERSION, address_of, sprite_of

_write = json.JSONEncoder(separators=(",", ":")).encode
_TONGUES = {"en": "English", "fr": "Français"}


def minutes(seconds: float) -> str:
    """Write a time that is left, as ``M:SS``."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def value_of(move: Move) -> str:
    """Write a move as a button carries it: an object of JSON, read by the JSON door's rules."""
    return _write(plain(move))


def attribute_of(move: Move) -> Markup:
    """Write a move as an attribute in single quotes, which takes less than half of the room."""
    value = value_of(move).replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")
    return Markup(f"value='{value}'")


def _packages() -> Mapping[str, str]:
    """Name the package of each game in which a folder ``pages`` lies."""
    found = {kind: text.package for kind in text_kinds() if (text := find_text(kind)) is not None}
    found.update((kind, each.package) for kind, each in installed_pages().items())
    return {kind: each for kind, each in found.items() if (files(each) / "pages").is_dir()}


@cache
def is_drawn(template: str) -> bool:
    """Say whether there is a template of this name."""
    try:
        _environment().get_template(template)
    except TemplateNotFound:
        return False
    return True


class _PlainCalls(Context):
    """Calls what a template calls as it is: no function of ours asks for the context, and a page makes hundreds."""

    @staticmethod
    def call(
        called: Any, /, *given: Any, _loop_vars: Any = None, _block_vars: Any = None, **named: Any
    ) -> Any:
        """Call a function or a macro; what else is named here is for those that ask for the context."""
        return called(*given, **named)


@cache
def _environment() -> Environment:
    games = {kind: PackageLoader(package, "pages") for kind, package in _packages().items()}
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("protocols.web"), PrefixLoader(games)]),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # or each page would ask the disk for each of its parts
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.context_class = _PlainCalls
    environment.globals.update(
        static=address_of,
        build=VERSION,
        sprite_of=sprite_of,
        card_called=cards.card_called,
        rank_called=cards.rank_called,
        symbol_of=cards.symbol_of,
        suit_called=cards.suit_called,
        suit_signs=SIGNS,
        minutes=minutes,
        attribute_of=attribute_of,
        tongues=[(each, _TONGUES.get(each, each)) for each in languages()],
    )
    return environment


def load_templates() -> Iterator[None]:
    """Compile all templates, one each time that the next is asked for."""
    environment = _environment()
    yield
    for name in environment.list_templates(["html"]):
        environment.get_template(name)
        yield


def render(template: str, say: Translator, /, **facts: object) -> str:
    """Draw a template in a language; all that people typed comes out as text."""
    drawn = _environment().get_template(template)
    return Markup(drawn.render(say=say, several=say.several, **facts))
