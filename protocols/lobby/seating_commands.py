"""Commands that bring somebody to a table: to open one, sit down, look on, or come back."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from hmac import compare_digest

from twisted.python.failure import Failure

from gamecore.bots import bots_of, usual_level
from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.rules import AnyRules
from gamecore.settings import settings_of
from protocols.host import table_actions
from protocols.host.card import Card
from protocols.i18n.describe import read_seat
from protocols.i18n.game_text import quick_options
from protocols.i18n.sanitize import clean
from protocols.lobby.extra_commands import brought
from protocols.lobby.open_arguments import (
    OpenArguments,
    find_game,
    is_setting,
    read_arguments,
)
from protocols.lobby.session import Session
from protocols.lobby.session_states import Step
from protocols.lobby.table_commands import table_of

A_FEW = 4  # people and bots, where a game would take more


def be_unseated(session: Session) -> None:
    """Refuse to go elsewhere while somebody sits in a game or waits for one (``sits-already``)."""
    state = session.table
    if state is None or session.seat is None or state.stage in (Stage.OVER, Stage.ABANDONED):
        return
    raise Refused("sits-already", code=state.code)


def be_free(session: Session) -> None:
    """Let somebody go from where it looks on, or where a game is over; raises Refused ``sits-already``."""
    be_unseated(session)
    if session.table is not None:
        session.host.leave(session)
        session.go_home()


# -- opening one ----------------------------------------------------------------------


def open_table(session: Session, rest: str) -> None:
    """Open a table, and sit down at it; raises Refused, Malformed."""
    game, words = _split_game(session, rest, "OPEN")
    arguments = _read(session, game, words)
    _check_door(session, arguments.password)
    be_free(session)
    _open(session, arguments)


def play(session: Session, rest: str) -> None:
    """Open a table for oneself, let bots take the other seats, and begin; raises Refused, Malformed."""
    game, words = _split_game(session, rest, "PLAY")
    rules = find_game(session.host.hall.registry, game)
    level = _take_level(rules, words)
    arguments = _read(session, game, words)
    be_free(session)
    usual = session.host.usual_options(rules.kind)
    said = arguments.options
    arguments.options = {**quick_options(rules.kind, {**usual, **said}), **said}
    arguments.house = {"private": True, "start": "asked", **arguments.house}
    add = partial(_request, session, table_actions.add_bot(level or usual_level(rules.kind)))
    _open(session, arguments, partial(_fill_and_begin, session, add))


def _take_level(rules: AnyRules, words: list[str]) -> str:
    """Take the level of the bots from the head of what follows PLAY and the game, or nothing if no word is one.

    Raises Refused ``no-such-level`` for a word that is no setting either.
    """
    known = bots_of(rules.kind)
    word = words[0].lower() if words else ""
    if word in known:
        return words.pop(0).lower()
    if word and "=" not in word and not is_setting(rules, word):
        raise Refused("no-such-level", level=clean(word, 24), known=", ".join(known))
    return ""


def _fill_and_begin(session: Session, add: Step) -> None:
    """Let bots sit down at a table that has just been opened, and begin unless that comes by itself."""
    table = session.host.hall.find(table_of(session).code)
    options = [each.name for each in settings_of(table.rules.options)]
    # A game that does not say how many play is one for a few.
    players = table.most_players if "players" in options else min(table.most_players, A_FEW)
    steps = [add] * (players - 1)
    if table.free_seats()[players - 1 :] or table.house.start != "full":
        steps.append(partial(_request, session, table_actions.start))
    session.take(*steps)


def _request(session: Session, action: table_actions.TableAction) -> None:
    session.host.request(session, action, session.ask())


def _split_game(session: Session, rest: str, command: str) -> tuple[str, list[str]]:
    """Part the game from what follows it; where there is but one, it need not be said."""
    words = rest.split(" ") if rest else []
    if session.game is not None:
        return session.game, words[1:] if words[:1] == [session.game] else words
    if not words:
        known = ", ".join(session.kinds)
        raise Malformed(
            session.say("{word} which game? There are: {known}.", word=command, known=known)
        )
    return words[0], words[1:]


def _read(session: Session, game: str, words: list[str]) -> OpenArguments:
    return read_arguments(find_game(session.host.hall.registry, game), words)


def _open(session: Session, arguments: OpenArguments, *steps: Step) -> None:
    if not arguments.password:
        _open_and_sit(session, arguments, "", *steps)
        return
    settle = session.ask_elsewhere()
    sealing = session.host.seal(arguments.password, session.line.came_from)
    sealing.addBoth(
        lambda result: settle(partial(_open_sealed, session, arguments, result, *steps))
    )


def _open_sealed(
    session: Session, arguments: OpenArguments, sealed: str | Failure, *steps: Step
) -> None:
    if isinstance(sealed, Failure):
        sealed.raiseException()
    else:
        _open_and_sit(session, arguments, sealed, *steps)


def _open_and_sit(session: Session, arguments: OpenArguments, sealed: str, *steps: Step) -> None:
    house = {**arguments.house, "password": sealed} if sealed else arguments.house
    kind, by = arguments.rules.kind, session.line.came_from
    table = session.host.open(kind, "", arguments.options, house, by=by)
    take_seat(session, table, 0, arguments.password, *steps)


def take_seat(session: Session, table: Card, seat: int | None, password: str, *steps: Step) -> None:
    """Sit down under one's own name, in the first free seat or another, with what is usually brought."""
    session.host.sit(
        session,
        table.code,
        seat,
        session.name,
        session.ask_for_table(*steps, password=password),
        keep=True,
        brought=brought(session, session.host.hall.registry.latest(table.kind)),
        password=password,
        by=session.line.came_from,
    )


# -- going to one ---------------------------------------------------------------------


def join(session: Session, rest: str) -> None:
    """Sit down at a table: by its code or an invitation, or where a game waits for its next player.

    Raises Refused: ``sits-already``, ``table-full``, ``began-watch``, and what else seating is refused for.
    """
    be_unseated(session)
    target, _, password = rest.partition(" ")
    if "." in target:  # no code has one: it is the word of an invitation
        be_free(session)
        session.host.accept(session, target, session.name, session.ask_for_table())
        return
    _seek(session, target, partial(_join, session, target, password))


def _seek(session: Session, target: str, step: Step) -> None:
    """Go on, if need be once it is known whether another daemon of the house has just opened that table."""
    seeking = session.host.seek(target)
    if seeking is None:
        step()
        return
    settle = session.ask_elsewhere()
    seeking.addBoth(lambda failure: settle(step if failure is None else failure.raiseException))


def _join(session: Session, target: str, password: str) -> None:
    table = _find_table(session, target)
    if not table.free and table.stage is Stage.GATHERING:
        raise Refused("table-full")
    if table.stage is not Stage.GATHERING:
        raise Refused("began-watch", code=table.code)
    known = _password_of(session, table)
    said = _said_to(session, table, password or known or "")
    if known is None:
        be_free(session)
    take_seat(session, table, None, said)


def _said_to(session: Session, table: Card, password: str) -> str:
    """Give what is said to a table of what somebody said: the word of the door is none of a table without one."""
    if table.locked or not session.door_password:
        return password
    _check_door(session, password)
    return ""


def _check_door(session: Session, password: str) -> None:
    """Hold back who does not know the password of this door, if it has one; refused ``door-locked``."""
    wanted = session.door_password
    if wanted and not compare_digest(wanted.encode(), password.encode()):
        raise Refused("wrong-password" if password else "door-locked")


def _password_of(session: Session, table: Card) -> str | None:
    """Give the password that let somebody look on at a table; None for one who does not look on there."""
    state = session.table
    if state is None or state.code != table.code or session.seat is not None:
        return None
    return state.password


def find_here(session: Session, code: str) -> Card:
    """Find a table by its code, of the one game if there is but one here; raises Refused ``no-such-table``."""
    table = session.host.directory.find(code)
    if table.kind not in session.kinds:
        raise Refused("no-such-table")
    return table


def _find_table(session: Session, target: str) -> Card:
    """Find a table to join; raises Refused ``no-such-table``, ``no-table-waits``."""
    directory, kind = session.host.directory, session.game
    if target and target != kind:
        if target.upper() in directory or kind is not None or not _names_game(session, target):
            return find_here(session, target)  # which may refuse it
        kind = find_game(session.host.hall.registry, target).kind
    elif not target and session.table is not None:
        return directory.find(session.table.code)
    table = directory.waiting(kind)
    if table is None:
        raise Refused("no-table-waits")
    return table


def sit(session: Session, rest: str) -> None:
    """Take a seat, the first free one or the one that is named, where one looks on; refused ``sits-already``."""
    if session.table is None or (rest and not rest.isdecimal()):
        join(session, rest)
        return
    if session.seat is not None:
        raise Refused("sits-already", code=session.table.code)
    table = session.host.directory.find(table_of(session).code)
    if not rest:
        join(session, table.code)
    else:
        said = _said_to(session, table, session.table.password)
        take_seat(session, table, read_seat(rest), said)


def watch(session: Session, rest: str) -> None:
    """Look on at a table; raises Refused, Malformed."""
    code, _, password = rest.partition(" ")
    if not code:
        raise Malformed(session.say("Say which table, like WATCH and its code. TABLES lists them."))
    be_unseated(session)
    _seek(session, code, partial(_watch, session, code, password))


def _watch(session: Session, code: str, password: str) -> None:
    table = _find_watchable(session, code)
    be_free(session)
    tag = session.ask_for_table(password=password)
    said = password if table.locked or not session.door_password else ""
    session.host.watch(session, table.code, tag, said, session.line.came_from)


def _find_watchable(session: Session, target: str) -> Card:
    """Find a table to look on at, by its code, or by its game the first one where anybody may.

    Raises Refused ``no-such-table``, ``no-table-watched``.
    """
    directory = session.host.directory
    if target.upper() in directory or not _names_game(session, target):
        return find_here(session, target)
    kind = find_game(session.host.hall.registry, target).kind
    table = directory.watchable(kind)
    if table is None:
        raise Refused("no-table-watched")
    return table


def _names_game(session: Session, target: str) -> bool:
    return any(each.startswith(target.lower()) for each in session.kinds)


def come_back(session: Session, rest: str) -> None:
    """Take one's place at a table again, after the link broke; raises Refused, Malformed."""
    if not rest:
        raise Malformed(session.say("Say the word you were given: RETURN and that word."))
    be_free(session)
    session.host.come_back(session, rest, session.ask_for_table(partial(_be_called, session)))


def _be_called(session: Session) -> None:
    """Have the name of one's seat in the hall as well, if it is free."""
    if session.table is not None and session.seat is not None:
        with suppress(Refused):
            session.host.people.rename(session, session.table.names[session.seat])
