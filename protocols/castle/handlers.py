"""What a client says on the JSON wire, command by command: coming and going here, what is done in a game apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gamecore.games.castle import RULES
from protocols.castle import game_handlers, wire
from protocols.castle.original import is_original
from protocols.castle.pending_requests import SeatRequest
from protocols.castle.session import Session
from protocols.castle.wire import Fault, Request
from protocols.i18n.sanitize import clean

MOST_TITLE = 48  # characters of a room's name


def handle(session: Session, request: Request) -> None:
    """Act on one command; raises Fault if it cannot even be tried."""
    meant = session.reporter.meant(request)
    if meant is not None:
        _act_on(session, meant)


def _act_on(session: Session, request: Request) -> None:
    act = _ANYWHERE.get(request.command)
    if act is None:
        act = _AT_A_TABLE.get(request.command)
        if act is None:
            raise Fault("UNKNOWN_COMMAND", "there is no such command")
        if session.seat is None:
            raise Fault("NOT_JOINED", "join a game first")
    act(session, request)


def _join(session: Session, request: Request) -> None:
    _check_free(session)
    if not is_original(request):
        _check_fields(request, "USERNAME", "DECK_DATA", "PASSWORD", "ROOM", "SOLO", "EXTENSIONS")
    extended = request.flag("EXTENSIONS", False)
    session.reporter.expect(request, extended)
    solo = request.fields.get("SOLO", False)
    level = "normal" if solo is True else solo if isinstance(solo, str) else None
    if level and request.text("ROOM", ""):
        raise Fault("MALFORMED", "SOLO opens a room of its own: it has no code yet")
    deck = request.fields.get("DECK_DATA")
    wanted = SeatRequest(
        request.text("USERNAME"),
        None if deck is None and level else wire.read_deck(deck),
        request.text("PASSWORD", ""),
        request.text("ROOM", ""),
        level,
        extended,
    )
    session.join(wanted)


def _rejoin(session: Session, request: Request) -> None:
    _check_free(session)
    _check_fields(request, "TOKEN")
    session.reporter.expect(request, extended=True)
    session.come_back(request.text("TOKEN", most=wire.TOKEN_LIMIT))


def _check_fields(request: Request, *known: str) -> None:
    """Refuse what would be passed over in silence; an original client may say what it likes."""
    unknown = sorted(request.fields.keys() - {"COMMAND", *known})
    if unknown:
        raise Fault("MALFORMED", f"nobody here knows {clean(unknown[0], 40)}")


def _check_free(session: Session) -> None:
    if session.busy:
        raise Fault("ALREADY_JOINED", "you have joined already")


def _end(session: Session, request: Request) -> None:
    session.end()


def _list_rooms(session: Session, request: Request) -> None:
    rooms = [
        {
            "ROOM": table.code,
            "GAME_NAME": clean(table.name or RULES.title),
            "PLAYER_COUNT": table.players,
            "MAX_PLAYERS": table.most_players,
            "IS_PASSWORDED": table.locked,
        }
        for table in session.rooms.with_free_seats()
    ]
    session.send({"COMMAND": "ROOM_LIST_RESP", "ROOMS": rooms})


def _create_room(session: Session, request: Request) -> None:
    _check_fields(request, "GAME_NAME", "PASSWORD", "PRIVATE")
    name = clean(request.text("GAME_NAME", ""), MOST_TITLE)
    private = request.flag("PRIVATE", False)
    session.create(name, request.text("PASSWORD", ""), private)


def _look(session: Session, request: Request) -> None:
    session.look()


_ANYWHERE: Mapping[str, Callable[[Session, Request], None]] = {
    "JOIN_GAME": _join,
    "REJOIN_GAME": _rejoin,
    "TERMINATE_CONN": _end,
    "ROOM_LIST": _list_rooms,
    "ROOM_CREATE": _create_room,
}
_AT_A_TABLE: Mapping[str, Callable[[Session, Request], None]] = {
    "STATE_REQUEST": _look,
    **game_handlers.HANDLERS,
}
