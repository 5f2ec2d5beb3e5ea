"""Commands that explain: a command, a word of a game, what can be chosen for a game, and its rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Protocol

from gamecore.errors import Malformed, Refused
from protocols.i18n.game_text import GameText, find_text
from protocols.i18n.help_text import read_page
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import Translator
from protocols.lobby import help_pages
from protocols.lobby.extra_commands import extra_commands
from protocols.lobby.open_arguments import find_game
from protocols.lobby.session import Session
from protocols.lobby.table_commands import plays, verbs_of

_WIDTH = 79
# What a newcomer needs; HELP alone explains these, and names the others.
_FIRST = (
    *("play", "games", "rules", "tables", "join", "open", "bot", "start"),
    *("board", "why", "leave", "name", "say", "quit"),
)


class Explained(Protocol):
    """A command, as far as it is explained."""

    @property
    def form(self) -> str:
        """How it is typed."""

    @property
    def does(self) -> str:
        """What it does in a few words."""


def rules(session: Session, rest: str) -> None:
    """Explain a game; raises Malformed, Refused ``no-such-game``, ``no-page``."""
    kind = session.game
    if kind is None and session.table is not None and not rest:
        kind = session.table.kind
    if kind is None:
        if not rest:
            known = ", ".join(session.kinds)
            raise Malformed(session.say("RULES of which game? There are: {known}.", known=known))
        kind = find_game(session.host.hall.registry, rest).kind
    text = find_text(kind)
    page = () if text is None else help_pages.of_game(text, help_pages.RULES_PAGE, session.say)
    if not page:
        raise Refused("no-page", topic=kind)
    _show(session, page)


def list_commands(
    session: Session, commands: Mapping[str, Explained], everything: bool
) -> Iterator[str]:
    """List the commands; without ``everything`` it fits on one screen."""
    say = session.say
    verbs = verbs_of(session)
    if verbs:
        yield from wrap(say("Moves: {forms}.", forms=_forms(verbs, say)), _WIDTH)
    table = session.table
    for word, (kind, text) in extra_commands(session).items():
        if everything or (table is not None and table.kind == kind):
            form = say(text.extra_commands[word])
            yield form if session.game == kind else say("{form} ({kind})", form=form, kind=kind)
    for name, command in commands.items():
        if (everything or name in _FIRST) and not (name in verbs and plays(session)):
            yield say("{form}: {does}", form=say(command.form), does=say(command.does))
    if not everything:
        rest = ", ".join(name.upper() for name in commands if name not in (*_FIRST, *verbs))
        yield say("And: {words}. HELP ALL explains them too.", words=rest)
    yield say("HELP and a word says more; HELP and a game lists what can be chosen for it.")


def explain_topic(session: Session, topic: str, commands: Collection[str]) -> None:
    """Show the help of one command, of our own or of a game's, or what can be chosen for a game.

    Raises Refused ``no-page``.
    """
    text = _game_with(session, topic)
    hidden = text is not None and plays(session)  # by the game's own word
    page = list(
        help_pages.of_command(topic, session.say) if topic in commands and not hidden else ()
    )
    extra = extra_commands(session).get(topic)
    if extra is not None and not page:
        page = list(read_page(extra[1].package, session.say.language, topic))
    if text is not None and (not page or session.table is not None):
        told = list(help_pages.of_game(text, topic, session.say))
        typed = session.say(text.verbs[topic])
        page += told if told and told[0].startswith(typed) else [typed, *told]
    if not page and topic in session.kinds:
        page = explain_game(session, topic)
    if not page:
        raise Refused("no-page", topic=clean(topic, 24))
    _show(session, page)


def _show(session: Session, page: Sequence[str]) -> None:
    session.show_page(help_pages.in_paragraphs(page) if session.screen.narrow else page)


def explain_game(session: Session, kind: str) -> list[str]:
    """Tell how the moves of a game are typed, and what can be chosen for it."""
    rules = session.host.hall.registry.latest(kind)
    return [*_verbs(session, kind), *help_pages.of_options(rules, session.say)]


def _game_with(session: Session, verb: str) -> GameText | None:
    """Find the game that has a verb: the one at hand, or in the hall any."""
    kinds = session.kinds if session.table is None else [session.table.kind]
    texts = (find_text(kind) for kind in kinds)
    return next((text for text in texts if text is not None and verb in text.verbs), None)


def _forms(verbs: Mapping[str, str], say: Translator) -> str:
    return "; ".join(map(say, dict.fromkeys(verbs.values())))


def _verbs(session: Session, kind: str) -> list[str]:
    text = find_text(kind)
    if text is None:
        return []
    forms = _forms(text.verbs, session.say)
    return [
        session.say(
            "Moves are typed so: {forms}. RULES {kind} explains the game.", forms=forms, kind=kind
        )
    ]
