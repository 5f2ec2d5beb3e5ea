"""Words for the hall: names, games, tables, and how to get to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from twisted.python.failure import Failure

from gamecore.bots import bots_of
from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.table import Table
from protocols.host import table_actions
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, Translator
from protocols.lobby.aside_commands import brought
from protocols.lobby.opening import Wanted, find_game, read_wanted
from protocols.lobby.table_commands import table_of, usual_level
from protocols.lobby.talk_commands import MOST_LISTED

if TYPE_CHECKING:
    from protocols.lobby.visitor import Visitor


def name(visitor: Visitor, rest: str) -> None:
    """Take another name, while at no table."""
    if rest:
        if visitor.seat is not None:
            raise Refused("named-at-table")
        visitor.host.people.rename(visitor, rest)
    visitor.tell(visitor.say("You are called {name}.", name=visitor.name))


def games(visitor: Visitor, rest: str) -> None:
    """List the games."""
    registry, say = visitor.host.hall.registry, visitor.say
    for kind in registry.kinds:
        rules = registry.latest(kind)
        least, most = rules.seats[0], rules.seats[-1]
        players = say.several("{n} player", "{n} players", most)
        if least != most:
            players = say("{least} to {most} players", least=least, most=most)
        sentence = N_("{kind}: {title}, {players}. Bots: {bots}. RULES {kind} explains it.")
        bots = ", ".join(bots_of(kind))
        visitor.tell(say(sentence, kind=kind, title=rules.title, players=players, bots=bots))


def tables(visitor: Visitor, rest: str) -> None:
    """List the public tables: those with a free seat, then those where one can look on."""
    hall, say = visitor.host.hall, visitor.say
    kind = find_game(hall.registry, rest).kind if rest else None
    counts = Counter(
        place.code for _, place in visitor.host.people.who() if place and place.player is None
    )
    listed = list(islice(hall.public(kind), MOST_LISTED + 1))
    lines = [_describe(table, counts[table.code], say) for table in listed[:MOST_LISTED]]
    if len(listed) > MOST_LISTED:
        lines.append(say("And more. TABLES and a game lists those of one game."))
    if not lines:
        lines = [say("No table waits for anybody. OPEN a game, or PLAY one against a bot.")]
    visitor.send_lines(lines)


def _describe(table: Table, watchers: int, say: Translator) -> str:
    names = ", ".join(clean(each) for each in table.names if each) or say("nobody")
    parts = [
        say("{code} {kind}: {names}", code=table.code, kind=table.rules.kind, names=names),
        say("{taken} of {most} seats taken", taken=table.players, most=table.most_players),
    ]
    if watchers:
        parts.append(say("{n} looking on", n=watchers))
    if table.house.password:
        parts.append(say("with a password"))
    how = "JOIN" if table.joinable else "WATCH"
    return f"{', '.join(parts)}. {how} {table.code}."


# -- coming to a table ----------------------------------------------------------------


def be_unseated(visitor: Visitor) -> None:
    """Refuse to go elsewhere while a visitor sits in a game or waits for one (``sits-already``)."""
    sight = visitor.sight
    if sight is None or visitor.seat is None or sight.stage in (Stage.OVER, Stage.ABANDONED):
        return
    raise Refused("sits-already", code=sight.code)


def be_free(visitor: Visitor) -> None:
    """Let a visitor go from where it looks on, or where a game is over; raises Refused ``sits-already``."""
    be_unseated(visitor)
    if visitor.sight is not None:
        visitor.host.leave(visitor)
        visitor.go_home()


def open_table(visitor: Visitor, rest: str) -> None:
    """Open a table, and sit down at it."""
    wanted = _read(visitor, rest, "OPEN")
    be_free(visitor)
    _open(visitor, wanted, lambda: None)


def play(visitor: Visitor, rest: str) -> None:
    """Open a table for oneself, let bots sit down as well, and begin."""
    words = rest.split(" ")
    registry = visitor.host.hall.registry
    level = ""
    if len(words) > 1 and words[1].lower() in bots_of(find_game(registry, words[0]).kind):
        level = words.pop(1).lower()
    wanted = _read(visitor, " ".join(words), "PLAY")
    be_free(visitor)
    wanted.house = {"private": True, **wanted.house, "start": "asked"}
    level = level or usual_level(wanted.rules.kind)
    opponents = wanted.rules.seats[0] - 1
    add = partial(_request, visitor, table_actions.add_bot(level))
    _open(visitor, wanted, *[add] * opponents, partial(_request, visitor, table_actions.start))


def _request(visitor: Visitor, action: table_actions.TableAction) -> None:
    visitor.host.request(visitor, action, visitor.ask())


def _read(visitor: Visitor, rest: str, word: str) -> Wanted:
    registry = visitor.host.hall.registry
    if not rest:
        known = ", ".join(registry.kinds)
        raise Malformed(
            visitor.say("{word} which game? There are: {known}.", word=word, known=known)
        )
    game, *words = rest.split(" ")
    return read_wanted(find_game(registry, game), words)


def _open(visitor: Visitor, wanted: Wanted, *steps: Callable[[], None]) -> None:
    factory = visitor.factory
    if visitor.openings is None:
        visitor.openings = factory.openings.budget()
    factory.openings.check(visitor.openings, visitor.came_from or "")
    if not wanted.password:
        _open_and_sit(visitor, wanted, "", *steps)
        return
    visitor.settle_later()

    def sealed(result: str | Failure) -> None:
        visitor.settle_now(partial(_open_sealed, visitor, wanted, result, *steps))

    visitor.host.seal(wanted.password).addBoth(sealed)


def _open_sealed(
    visitor: Visitor, wanted: Wanted, sealed: str | Failure, *steps: Callable[[], None]
) -> None:
    if isinstance(sealed, Failure):
        sealed.raiseException()
    else:
        _open_and_sit(visitor, wanted, sealed, *steps)


def _open_and_sit(
    visitor: Visitor, wanted: Wanted, sealed: str, *steps: Callable[[], None]
) -> None:
    house = {**wanted.house, "password": sealed} if sealed else wanted.house
    table = visitor.host.open(wanted.rules.kind, "", wanted.options, house)
    visitor.factory.openings.note(visitor.came_from or "", table.code)
    take_seat(visitor, table, 0, wanted.password, *steps)


def take_seat(
    visitor: Visitor, table: Table, seat: int, password: str, *steps: Callable[[], None]
) -> None:
    """Sit down in a seat under one's own name, with what is usually brought to such a game."""
    visitor.secret = password
    visitor.host.sit(
        visitor,
        table,
        seat,
        visitor.name,
        visitor.ask_for_table(*steps),
        keep=True,
        brought=brought(visitor, table.rules),
        password=password,
    )


def join(visitor: Visitor, rest: str) -> None:
    """Sit down at a table: by its code or an invitation, or where a game waits for its next player."""
    be_unseated(visitor)
    target, _, password = rest.partition(" ")
    if "." in target:  # no code has one: it is the word of an invitation
        be_free(visitor)
        visitor.host.accept(visitor, target, visitor.name, visitor.ask_for_table())
        return
    table = _find_table(visitor, target)
    free = table.free_seats()
    if not free and table.stage is Stage.GATHERING:
        raise Refused("table-full")
    if table.stage is not Stage.GATHERING:
        raise Refused("began-watch", code=table.code)
    if visitor.sight is None or visitor.sight.code != table.code or visitor.seat is not None:
        be_free(visitor)
    take_seat(visitor, table, free[0], password or visitor.secret)


def _find_table(visitor: Visitor, target: str) -> Table:
    """Find a table to join; raises Refused ``no-such-table``, ``no-table-waits``."""
    hall = visitor.host.hall
    kind = None
    if target:
        if target.upper() in hall:
            return hall.find(target)
        if not any(each.startswith(target.lower()) for each in hall.registry.kinds):
            return hall.find(target)  # which refuses it
        kind = find_game(hall.registry, target).kind
    elif visitor.sight is not None:
        return hall.find(visitor.sight.code)
    waiting = (
        each for each in hall.joinable(kind) if each.free_seats() and not each.house.password
    )
    table = next(waiting, None)
    if table is None:
        raise Refused("no-table-waits")
    return table


def sit(visitor: Visitor, rest: str) -> None:
    """Take a seat, the first free one or the one that is named, where one looks on."""
    if visitor.sight is None or (rest and not rest.isdecimal()):
        join(visitor, rest)
        return
    if visitor.seat is not None:
        raise Refused("sits-already", code=visitor.sight.code)
    table = visitor.host.hall.find(table_of(visitor).code)
    if not rest:
        join(visitor, table.code)
    else:
        take_seat(visitor, table, int(rest[:4]), visitor.secret)


def watch(visitor: Visitor, rest: str) -> None:
    """Look on at a table."""
    code, _, password = rest.partition(" ")
    if not code:
        raise Malformed(visitor.say("Say which table, like WATCH and its code. TABLES lists them."))
    be_unseated(visitor)
    table = visitor.host.hall.find(code)
    be_free(visitor)
    visitor.secret = password
    visitor.host.watch(visitor, table, visitor.ask_for_table(), password)


def come_back(visitor: Visitor, rest: str) -> None:
    """Take one's place at a table again, after the link broke."""
    if not rest:
        raise Malformed(visitor.say("Say the word you were given: RETURN and that word."))
    be_free(visitor)
    visitor.host.come_back(visitor, rest, visitor.ask_for_table(partial(_be_called, visitor)))


def _be_called(visitor: Visitor) -> None:
    """Have the name of one's seat in the hall as well, if it is free."""
    if visitor.sight is not None and visitor.seat is not None:
        with suppress(Refused):
            visitor.host.people.rename(visitor, visitor.sight.names[visitor.seat])


def quit(visitor: Visitor, rest: str) -> None:
    """Leave the table, and the house."""
    if visitor.sight is not None:
        visitor.host.leave(visitor)
        visitor.go_home()
    visitor.tell(visitor.say("Goodbye, {name}.", name=visitor.name))
    visitor.close()
