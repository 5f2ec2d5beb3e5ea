"""Commands of a game that are no moves of it, as for what is brought to a table; good anywhere in the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from gamecore.rules import AnyRules, sample
from protocols.i18n.game_text import ExtraCommands, find_text
from protocols.lobby.session import Session


def extra_commands(session: Session) -> Mapping[str, tuple[str, ExtraCommands]]:
    """List such commands of all games, in lower case: the kind of the game, and its text."""
    found: dict[str, tuple[str, ExtraCommands]] = {}
    for kind in session.kinds:
        text: object = find_text(kind)
        if isinstance(text, ExtraCommands):
            found.update(dict.fromkeys(text.extra_commands, (kind, text)))
    return found


def obey_extra(session: Session, words: Sequence[str]) -> None:
    """Do what such a command says."""
    kind, text = extra_commands(session)[words[0].lower()]
    if session.preparations is None:
        session.preparations = {}
    prepared = session.preparations.setdefault(kind, text.prepare())
    session.show_page(text.obey_extra(words, prepared, session.say))


def brought(session: Session, rules: AnyRules) -> attrs.AttrsInstance | None:
    """Give what somebody brings to a game: what was made ready for it, or else what is usual."""
    prepared = (session.preparations or {}).get(rules.kind)
    ready = None if prepared is None else prepared.brought
    return sample(rules) if ready is None else ready
