"""How a game is played, on a page of its own: the text that terminals show, and the game's pictures beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protocols.i18n.game_text import find_text
from protocols.i18n.help_text import read_page
from protocols.i18n.translate import Translator
from protocols.web.application import Route, WebApplication
from protocols.web.game_pages import PrintedPages, installed_pages
from protocols.web.render import is_drawn
from protocols.web.replies import PageRefused, Reply
from protocols.web.typeset import keep_together
from protocols.web.visit import Visit

_TOPIC = "rules"
_PICTURES = "rules.html"  # of a game, in the folder of its pages
_END = re.compile(r"(?<=[.!?])\s+")
_OF_TERMINALS = re.compile(
    r"HELP |CARD |\b[A-Z]{4,} \d"
)  # what is typed: sentences with it are for terminals


def _paragraphs(kind: str, say: Translator) -> Sequence[str]:
    """Read how a game is played; nothing for one that does not say."""
    text = find_text(kind)
    lines = () if text is None else read_page(text.package, say.language, _TOPIC)
    blocks = "\n".join(lines).split("\n\n")
    told = (keep_together(" ".join(_sentences(block)), say.language) for block in blocks)
    return [each for each in told if each]


def _sentences(block: str) -> Iterator[str]:
    for each in _END.split(" ".join(block.split())):
        if each and not _OF_TERMINALS.search(each):
            yield each


def first_sentence(kind: str, say: Translator) -> str:
    """Say in a sentence what a game is, as its rules begin; empty for one that does not say."""
    found = _paragraphs(kind, say)
    return next(_sentences(found[0]), "") if found else ""


async def show_rules(app: WebApplication, visit: Visit, kind: str) -> Reply:
    """Show how a game is played; raises Refused ``no-such-game``, PageRefused ``no-such-page``."""
    title = app.title_of(kind)
    paragraphs = _paragraphs(kind, visit.say)
    if not paragraphs:
        raise PageRefused(404, "no-such-page")
    pictures, own = f"{kind}/{_PICTURES}", installed_pages().get(kind)
    return app.page(
        visit,
        "rules.html",
        kind=kind,
        game=title,
        paragraphs=paragraphs,
        pictures=pictures if is_drawn(pictures) else "",
        organizes=app.may_organize(visit),
        **(own.printed(visit.say) if isinstance(own, PrintedPages) else {}),
    )


ROUTES = [Route("GET", "/rules/<kind>", show_rules)]
