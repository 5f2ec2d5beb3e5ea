"""Commands of the hall: names, games, the list of tables, and the way out."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from gamecore.bots import bots_of
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.player import Presence
from protocols.host.card import Card
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, Translator
from protocols.lobby.open_arguments import find_game
from protocols.lobby.session import Session
from protocols.lobby.table_commands import leave, plays
from protocols.lobby.talk_commands import MOST_LISTED

_QUITTING = N_(
    "QUIT loses the game that you play here. Say QUIT again if you mean it; else just play on."
)


def name(session: Session, rest: str) -> None:
    """Take another name, while at no table; raises Refused ``named-at-table``, and as ``People.rename``."""
    if rest:
        if session.seat is not None:
            raise Refused("named-at-table")
        session.host.people.rename(session, rest)
    session.tell(session.say("You are called {name}.", name=session.name))


def games(session: Session, rest: str) -> None:
    """List the games."""
    registry, say = session.host.hall.registry, session.say
    lines = []
    for kind in session.kinds:
        rules = registry.latest(kind)
        least, most = rules.seats[0], rules.seats[-1]
        players = say.several("{n} player", "{n} players", most)
        if least != most:
            players = say("{least} to {most} players", least=least, most=most)
        sentence = N_("{kind}: {title}, {players}. Bots: {bots}. RULES {kind} explains it.")
        bots = ", ".join(bots_of(kind))
        lines.append(say(sentence, kind=kind, title=rules.title, players=players, bots=bots))
    session.show_page(lines)


def tables(session: Session, rest: str) -> None:
    """List the public tables: those with a free seat, then those where one can look on.

    Raises Refused ``no-such-game``.
    """
    hall, say = session.host.hall, session.say
    kind = session.game or (find_game(hall.registry, rest).kind if rest else None)
    counts = Counter(
        where.code for _, where in session.host.people.who() if where.code and where.seat is None
    )
    listed = list(islice(session.host.directory.public(kind), MOST_LISTED + 1))
    lines = [_describe(table, counts[table.code], hall, say) for table in listed[:MOST_LISTED]]
    if len(listed) > MOST_LISTED and session.game is None:
        lines.append(say("And more. TABLES and a game lists those of one game."))
    elif len(listed) > MOST_LISTED:
        lines.append(say("And more."))
    if not lines and session.game is None:
        lines = [say("No table waits for anybody. OPEN a game, or PLAY one against a bot.")]
    elif not lines:
        lines = [say("No table waits for anybody. OPEN one, or PLAY against a bot.")]
    session.show_page(lines)


def _describe(table: Card, watchers: int, hall: Hall, say: Translator) -> str:
    names = ", ".join(clean(each) for each in table.names if each) or say("nobody")
    parts = [
        f"{table.code} {table.kind} ({_stage(table, hall, say)}): {names}",
        say("{taken} of {most} seats taken", taken=table.players, most=table.most_players),
    ]
    if watchers:
        parts.append(say("{n} looking on", n=watchers))
    if table.locked:
        parts.append(say("with a password"))
    how = "JOIN" if table.joinable else "WATCH"
    return f"{', '.join(parts)}. {how} {table.code}."


def _stage(card: Card, hall: Hall, say: Translator) -> str:
    if card.stage is Stage.GATHERING:
        return say("gathering")
    if card.stage in (Stage.OVER, Stage.ABANDONED):
        return say("over")
    return say("paused") if _waits(card, hall) else say("playing")


def _waits(card: Card, hall: Hall) -> bool:
    """Say whether a game stands still until somebody is back."""
    if not card.here or card.code not in hall:
        return True
    table = hall.find(card.code)
    return any(table.presence(seat) is Presence.AWAY for seat in table.awaited() if seat >= 0)


def quit(session: Session, rest: str) -> None:
    """Leave the table, and the house; raises Malformed the first time where that loses a game."""
    if session.table is not None:
        if plays(session):
            session.table.heed_word("quit", session.say(_QUITTING))
        leave(session, rest)
    session.tell(session.say("Goodbye, {name}.", name=session.name))
    session.line.close()
