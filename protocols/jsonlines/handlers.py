"""What each request of a program does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.codec import plain
from gamecore.errors import Malformed, Refused
from gamecore.rules import NextRound, OrganizerMove
from gamecore.settings import Value
from gamecore.table_options import TableOptions
from protocols.host import table_actions
from protocols.host.card import Card
from protocols.host.result_listing import list_ratings, list_results, list_top
from protocols.host.table_actions import TableAction
from protocols.i18n.sanitize import clean
from protocols.jsonlines.face import JsonFace
from protocols.jsonlines.listing import list_games, list_people, list_tables
from protocols.jsonlines.pending_reply import PendingReply
from protocols.jsonlines.record_reply import draw_record
from protocols.jsonlines.requests import (
    REQUESTS,
    Abandon,
    Bot,
    Games,
    Hello,
    Hint,
    History,
    Id,
    Join,
    KnownMove,
    Leave,
    Look,
    Mix,
    Name,
    Open,
    Play,
    Quit,
    Rating,
    Record,
    Rematch,
    Replace,
    Return,
    SayThis,
    Schema,
    Start,
    Tables,
    Tell,
    Top,
    Unfit,
    Watch,
    Who,
)
from protocols.jsonlines.schema import schema_of
from protocols.net.codec import check_types, read_brought, read_move

LONGEST_TITLE = 48  # characters in the name of a table
_log = Logger()


def serve(face: JsonFace, id: Id, request: attrs.AttrsInstance) -> None:
    """Do what a program asks for; sooner or later it is answered, once."""
    _attempt(face, id, partial(_HANDLERS[type(request)], face, id, request))


def _attempt(face: JsonFace, id: Id, act: Callable[[], None]) -> bool:
    """Do what was asked for, or reply why not; says whether it was done."""
    try:
        act()
    except Refused as refusal:
        face.settle(id, refusal)
    except Malformed as problem:
        face.settle(id, Unfit("malformed", str(problem), id))
    else:
        return True
    return False


# -- the hall -------------------------------------------------------------------------


def _hello(face: JsonFace, id: Id, request: Hello) -> None:
    if request.name is not None:
        face.host.people.rename(face, request.name)
    games = list(face.host.hall.registry.kinds)
    face.settle(id, name=face.name, games=games, requests=list(REQUESTS))


def _name(face: JsonFace, id: Id, request: Name) -> None:
    face.settle(id, name=face.host.people.rename(face, request.name))


def _games(face: JsonFace, id: Id, request: Games) -> None:
    face.settle(id, **list_games(face.host.hall.registry))


def _schema(face: JsonFace, id: Id, request: Schema) -> None:
    rules = face.host.hall.registry.latest(request.game)
    face.settle(id, schema=schema_of(rules))


def _tables(face: JsonFace, id: Id, request: Tables) -> None:
    if request.game is not None:
        face.host.hall.registry.latest(request.game)
    face.settle(id, **list_tables(face.host.directory, request.game))


def _who(face: JsonFace, id: Id, request: Who) -> None:
    face.settle(id, **list_people(face.host.people, face.host.directory))


def _say(face: JsonFace, id: Id, request: SayThis) -> None:
    face.host.people.say(face, request.words)
    face.settle(id)


def _tell(face: JsonFace, id: Id, request: Tell) -> None:
    face.settle(id, name=face.host.people.tell(face, request.name, request.words))


def _quit(face: JsonFace, id: Id, request: Quit) -> None:
    face.hold()  # for good: nothing after it is heard
    face.settle(id, quits=True)


# -- coming to a table ----------------------------------------------------------------


def _open(face: JsonFace, id: Id, request: Open) -> None:
    rules = face.host.hall.registry.latest(request.game)
    check_types(rules.options, request.options)
    check_types(TableOptions, request.house)
    password = request.house.get("password", "")
    if not password:
        _set_up(face, id, request, {})
        return
    face.hold()
    sealing: Deferred[Any] = face.host.seal(str(password), face.came_from)
    sealing.addCallback(lambda sealed: _set_up(face, id, request, {"password": sealed}))
    sealing.addErrback(partial(_not_set_up, face, id))
    sealing.addCallback(lambda _: face.go_on())
    sealing.addErrback(lambda failure: _log.failure("a table with a password", failure))


def _set_up(face: JsonFace, id: Id, request: Open, sealed: dict[str, Value]) -> None:
    if not face.connected:
        return
    title = clean(request.name, LONGEST_TITLE)
    house = {**request.house, **sealed}
    table = face.host.open(request.game, title, request.options, house, by=face.came_from)
    face.table = table.code
    face.settle(id, table=table.code)


def _not_set_up(face: JsonFace, id: Id, failure: Failure) -> None:
    failure.trap(Refused)
    face.settle(id, cast(Refused, failure.value))


def _join(face: JsonFace, id: Id, request: Join) -> None:
    _come(face, id, request.table, partial(_sit, face, id, request))


def _watch(face: JsonFace, id: Id, request: Watch) -> None:
    _come(face, id, request.table, partial(_look_on, face, id, request))


def _come(face: JsonFace, id: Id, code: str | None, go: Callable[[], None]) -> None:
    """Go to a table, if need be once it is known whether there is one of that code."""
    seeking = None if code is None else face.host.seek(code)
    if seeking is None:
        go()
        return
    face.hold()

    def sought(failure: Failure | None) -> None:
        act = go if failure is None else failure.raiseException
        if face.connected and not _attempt(face, id, act):
            face.go_on()

    seeking.addBoth(sought).addErrback(lambda failure: _log.failure("a table", failure))


def _sit(face: JsonFace, id: Id, request: Join) -> None:
    table = _find(face, request.table)
    brought = read_brought(face.host.hall.registry.latest(table.kind), request.brings)
    _make_ready(face, table)
    pending = _pending(face, id, sits=True, table=table.code)
    face.host.sit(
        face,
        table.code,
        request.seat,
        face.name,
        pending,
        keep=True,
        brought=brought,
        password=request.password,
        by=face.came_from,
    )


def _look_on(face: JsonFace, id: Id, request: Watch) -> None:
    table = _find(face, request.table)
    _make_ready(face, table)
    pending = _pending(face, id, table=table.code)
    face.host.watch(face, table.code, pending, request.password, face.came_from)


def _return(face: JsonFace, id: Id, request: Return) -> None:
    code = request.token.partition(".")[0].upper()
    _make_ready(face, None)
    pending = _pending(face, id, last=request.last, returns=True, table=code)
    face.host.come_back(face, request.token, pending)


def _record(face: JsonFace, id: Id, request: Record) -> None:
    wanted = request.token or request.table or face.table or ""
    _answer_later(face, id, face.host.record(face, wanted, partial(draw_record, request.game)))


def _answer_later(face: JsonFace, id: Id, asking: Deferred[dict[str, Any]]) -> None:
    """Answer with what is found out elsewhere; what comes meanwhile waits."""
    face.hold()

    def reply(result: dict[str, Any] | Failure) -> None:
        if isinstance(result, Failure):
            result.trap(Refused)
            face.settle(id, cast(Refused, result.value))
        elif face.connected:
            face.settle(id, **result)
        face.go_on()

    asking.addBoth(reply)
    asking.addErrback(lambda failure: _log.failure("what was asked for", failure))


def _history(face: JsonFace, id: Id, request: History) -> None:
    name = face.name if request.name is None else request.name
    asking = face.host.ladder.history(name, request.most)
    _answer_later(face, id, asking.addCallback(lambda rows: list_results(name, rows)))


def _rating(face: JsonFace, id: Id, request: Rating) -> None:
    name = face.name if request.name is None else request.name
    asking = face.host.ladder.ratings(name, request.game)
    _answer_later(face, id, asking.addCallback(lambda rows: list_ratings(name, rows)))


def _top(face: JsonFace, id: Id, request: Top) -> None:
    asking = face.host.ladder.top(request.game, request.who, request.most)
    _answer_later(face, id, asking.addCallback(lambda rows: list_top(request.game, rows)))


def _find(face: JsonFace, code: str | None) -> Card:
    """Find a table by its code, or the one at hand."""
    if code is None:
        code = face.table
    if code is None:
        raise Refused("no-such-table")
    return face.host.directory.find(code)


def _make_ready(face: JsonFace, table: Card | None) -> None:
    """Let go of a table that the program looks on at, unless it may stay; refused ``already-seated``."""
    place = face.place
    if place is None:
        return
    if place.player is not None:
        raise Refused("already-seated", table=place.code)
    if table is None or place.code != table.code or table.locked:
        face.leave_table()


def _pending(
    face: JsonFace,
    id: Id,
    last: int | None = None,
    sits: bool = False,
    returns: bool = False,
    **facts: object,
) -> PendingReply:
    """Let all that follows wait until the program is where it wants to be."""
    face.hold()
    pending = PendingReply(id, facts, comes=True, last=last, sits=sits, returns=returns)
    return face.ask(pending)


# -- at a table -----------------------------------------------------------------------


def _play(face: JsonFace, id: Id, request: Play) -> None:
    place = face.place
    if place is None or not (place.player or place.organizer):
        raise Refused("not-seated")
    if place.code not in face.host.hall:
        raise Refused("table-resting")
    played = None if request.n is None or place.player is None else place.player.played
    if played is not None and table_actions.was_played(request.n, played):
        face.settle(id, again=True, played=played)
        return
    rules, written = face.host.hall.find(place.code).rules, request.move
    move = written.read(rules) if isinstance(written, KnownMove) else read_move(rules, written)
    if isinstance(move, OrganizerMove):
        face.host.submit(face, move, face.ask(PendingReply(id)))
    elif place.player is None and isinstance(move, NextRound):
        _request(face, id, table_actions.next_round)
    else:
        face.host.submit(face, move, face.ask(PendingReply(id, moves=True, played=played)))


def _look(face: JsonFace, id: Id, request: Look) -> None:
    face.host.look(face, face.ask(PendingReply(id)), anew=True)


def _hint(face: JsonFace, id: Id, request: Hint) -> None:
    found = face.host.hints.ask(face, face.came_from)
    _answer_later(face, id, found.addCallback(lambda move: {"move": plain(move)}))


def _leave(face: JsonFace, id: Id, request: Leave) -> None:
    if face.place is None:
        raise Refused("not-at-a-table")
    face.host.check_open()
    face.leave_table()
    face.host.answer(face, face.ask(PendingReply(id)))


def _request(face: JsonFace, id: Id, action: TableAction) -> None:
    face.host.request(face, action, face.ask(PendingReply(id)))


def _start(face: JsonFace, id: Id, request: Start) -> None:
    _request(face, id, table_actions.start)


def _bot(face: JsonFace, id: Id, request: Bot) -> None:
    _request(face, id, table_actions.add_bot(request.level))


def _replace(face: JsonFace, id: Id, request: Replace) -> None:
    _request(face, id, table_actions.replace(request.seat, request.level))


def _rematch(face: JsonFace, id: Id, request: Rematch) -> None:
    _request(face, id, table_actions.rematch)


def _mix(face: JsonFace, id: Id, request: Mix) -> None:
    _request(face, id, table_actions.mix(request.words))


def _abandon(face: JsonFace, id: Id, request: Abandon) -> None:
    _request(face, id, table_actions.abandon)


_HANDLERS: Mapping[type, Callable[[JsonFace, Id, Any], None]] = {
    Hello: _hello,
    Name: _name,
    Games: _games,
    Schema: _schema,
    Tables: _tables,
    Who: _who,
    SayThis: _say,
    Tell: _tell,
    Quit: _quit,
    Open: _open,
    Join: _join,
    Watch: _watch,
    Return: _return,
    Record: _record,
    History: _history,
    Rating: _rating,
    Top: _top,
    Play: _play,
    Look: _look,
    Hint: _hint,
    Leave: _leave,
    Start: _start,
    Bot: _bot,
    Replace: _replace,
    Rematch: _rematch,
    Mix: _mix,
    Abandon: _abandon,
}
