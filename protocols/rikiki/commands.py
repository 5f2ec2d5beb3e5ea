"""What becomes of each command of the Rikiki wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.settings import Value
from gamecore.table import Table
from protocols.host import table_actions
from protocols.host.place import Place
from protocols.host.secrets import hash_token
from protocols.i18n.names import read_name
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, translator_of
from protocols.rikiki import help_pages, snapshot, wire
from protocols.rikiki.face import RikikiFace
from protocols.rikiki.wire import Request

LONGEST_REMARK = 300
_MANY = N_("With more than 8 players there are few cards in each hand.")
_MOST_AT_EASE = 8

Command = Callable[[RikikiFace, Request], None]
"""Takes who says it and what is said; raises Malformed or Refused where it is answered with an error at once."""


# -- what needs no table --------------------------------------------------------------


def _help(face: RikikiFace, request: Request) -> None:
    topic = request.words[0].upper() if request.words else ""
    page = help_pages.explain(topic, face.say) or help_pages.list_verbs(face.say)
    face.done(request, *(f"# {line}".rstrip() for line in page))


def _choose_mode(face: RikikiFace, request: Request) -> None:
    mode = request.words[0].upper()
    if mode not in ("HUMAN", "BOT"):
        raise Malformed("usage MODE HUMAN|BOT")
    face.for_people = mode == "HUMAN"
    face.done(request)


def _choose_language(face: RikikiFace, request: Request) -> None:
    face.say = translator_of(request.words[0])
    face.done(request)


def _take_name(face: RikikiFace, request: Request) -> None:
    if face.seat is not None:
        raise Refused("wrong-state")
    wanted = read_name(" ".join(request.words))
    face.factory.take_name(face, wanted)
    request.words = [wire.name_field(wanted)]
    face.settled()
    face.done(request)


def _list_tables(face: RikikiFace, request: Request) -> None:
    face.done(request, *map(snapshot.table_line, face.factory.list_tables()))


# -- coming and going -----------------------------------------------------------------


def _open(face: RikikiFace, request: Request) -> None:
    """Open a table, and come to it as its owner."""
    _check_free(face)
    options, house, password = wire.read_options(request.words)
    if not password:
        _come_to_new(face, request, options, house)
        return

    def go_on(sealed: str) -> None:
        if face.connected:
            _come_to_new(face, request, options, {**house, "password": sealed})

    sealing = face.factory.host.seal(password, face.came_from)
    sealing.addCallback(go_on).addErrback(face.failed, request)


def _come_to_new(
    face: RikikiFace, request: Request, options: Mapping[str, Value], house: Mapping[str, Value]
) -> None:
    """Open a table, whose password is sealed, and come to it as its owner; raises Refused."""
    table, token = face.factory.open(options, house, face.came_from)
    face.owner_tokens[table.code] = token
    request.words = [table.code, token]
    face.came_by = request.verb
    face.settled()
    face.factory.host.come_back(face, token, request)
    if table.most_players > _MOST_AT_EASE:
        face.send_lines(face.to_people(face.say(_MANY)))


def _join(face: RikikiFace, request: Request) -> None:
    _check_free(face)
    _come(face, request, _sit)


def _watch(face: RikikiFace, request: Request) -> None:
    _check_free(face)
    _come(face, request, _look_on)


def _come(face: RikikiFace, request: Request, go: Command) -> None:
    """Go to a table, if need be once it is known whether there is one of that code."""
    seeking = face.factory.host.seek(request.words[0])
    if seeking is None:
        go(face, request)
        return

    def sought(_: None) -> None:
        if face.connected:
            go(face, request)

    seeking.addCallback(sought).addErrback(face.failed, request)


def _sit(face: RikikiFace, request: Request) -> None:
    code, *words = request.words
    table = face.factory.find(code)
    if not face.name:
        raise Malformed(f"name-bad {face.say('Say NAME and your name first.')}")
    request.words = [table.code]
    face.came_by = request.verb
    password = " ".join(words)
    face.factory.host.sit(
        *(face, table.code, None, face.name, request),
        keep=True,
        password=password,
        by=face.came_from,
    )
    request.seat = face.seat  # known at once, unless the table has to be woken


def _take_invitation(face: RikikiFace, request: Request) -> None:
    _check_free(face)
    token, request.words = request.words[0], [request.words[0].partition(".")[0].upper()]
    face.came_by = request.verb
    face.factory.host.accept(face, token, face.name, request)
    request.seat = face.seat  # known at once, unless the table has to be woken


def _come_back(face: RikikiFace, request: Request) -> None:
    _check_free(face)
    face.settled()
    token = request.words[0]
    request.words = [clean(token.partition(".")[0].upper(), 16)]
    face.came_by = request.verb
    face.factory.host.come_back(face, token, request)


def _look_on(face: RikikiFace, request: Request) -> None:
    code, *words = request.words
    table = face.factory.find(code)
    face.settled()
    request.words = [table.code]
    face.came_by = request.verb
    face.factory.host.watch(face, table.code, request, " ".join(words), face.came_from)


def _leave(face: RikikiFace, request: Request) -> None:
    _step_out(face)
    face.done(request)


def _quit(face: RikikiFace, request: Request) -> None:
    _step_out(face)
    face.quitting = True
    face.done(request)


def _step_out(face: RikikiFace) -> None:
    """Go from the table: the seat is held, unless there is nothing to come back to."""
    face.came_by = ""
    if face.place is not None:
        over = face.stage in (Stage.OVER, Stage.ABANDONED)
        (face.factory.host.leave if over else face.factory.host.drop)(face)


def _check_free(face: RikikiFace) -> None:
    """Refuse what is not for one who sits at a table, unless the game there is over."""
    if face.seat is not None:
        if face.stage is not Stage.OVER:
            raise Refused("wrong-state")
        face.factory.host.leave(face)


# -- at the table ---------------------------------------------------------------------


def _start(face: RikikiFace, request: Request) -> None:
    """Begin, for whoever opened the table or shows its owner's token."""
    place, table = _place_of(face)
    host = face.factory.host
    token = "".join(request.words) or face.owner_tokens.get(table.code, "")
    request.words = []
    if not (place.organizer or table.owned_by(hash_token(token)) or _leads(face, table)):
        raise Refused("bad-token")
    if place.player is None and not place.organizer:
        face.came_by = request.verb
        host.come_back(face, token)  # one who looked on is the organizer from now on
    host.request(face, table_actions.as_organizer(table_actions.start), request)


def _place_of(face: RikikiFace) -> tuple[Place, Table]:
    """Give where a face is; raises Refused ``not-seated``."""
    place, hall = face.place, face.factory.host.hall
    if place is None or place.code not in hall:
        raise Refused("not-seated")
    return place, hall.find(place.code)


def _choose_cards(face: RikikiFace, request: Request) -> None:
    """Say how many cards the next round deals: for who opened the table; where nobody has, for who may begin it."""
    place, table = _place_of(face)
    move = wire.read_cards_chosen(request)
    action = table_actions.organize(move)
    token = face.owner_tokens.get(table.code, "")
    if table.owned_by(hash_token(token)):
        action = table_actions.as_organizer(action)
    elif table.opened.owner is not None and not place.organizer:
        raise Refused("bad-token")
    face.factory.host.request(face, action, request)


def _leads(face: RikikiFace, table: Table) -> bool:
    """Say whether a face may begin a game at a table that has no owner: it is the first player."""
    return table.opened.owner is None and face.seat == min(table.seated(), default=-1)


def _add_bot(face: RikikiFace, request: Request) -> None:
    level = request.words[0].lower() if request.words else "counting"
    _ask_as_player(face, table_actions.add_bot(level), request)


def _gather_again(face: RikikiFace, request: Request) -> None:
    _ask_as_player(face, table_actions.rematch, request)


def _ask_as_player(face: RikikiFace, action: table_actions.TableAction, request: Request) -> None:
    """Ask for what any player may ask for on this wire, whoever owns the table."""
    face.factory.host.request(face, table_actions.as_organizer(action), request)


def _move(face: RikikiFace, request: Request) -> None:
    face.factory.host.submit(face, wire.read_move(request), request)


def _look(face: RikikiFace, request: Request) -> None:
    if request.verb == "HAND" and face.seat is None:
        raise Refused("not-seated")
    face.factory.host.look(face, request)


def _remark(face: RikikiFace, request: Request) -> None:
    if face.place is None or not face.place.code:
        raise Refused("not-seated")
    words = clean(" ".join(request.words), LONGEST_REMARK)
    if not words:
        raise Refused("nothing-said")
    code, people = face.place.code, face.factory.host.people
    listeners = face.factory.at(code)
    people.check_heard(code, len(listeners))
    if not face.remarks.take(face.factory.clock.seconds()):
        raise Refused("too-fast")
    people.count_heard(code, len(listeners))
    player = face.place.player
    name = wire.name_field("" if player is None else player.name)
    face.replies.settle(request, ["OK SAY"])
    said = face.encoded(f"SAID {name} {words}")
    for each in listeners:
        each.send(said)


COMMANDS: Mapping[str, Command] = {
    "HELP": _help,
    "MODE": _choose_mode,
    "LANG": _choose_language,
    "NAME": _take_name,
    "TABLES": _list_tables,
    "NEW": _open,
    "JOIN": _join,
    "INVITE": _take_invitation,
    "REJOIN": _come_back,
    "WATCH": _watch,
    "START": _start,
    "ADDBOT": _add_bot,
    "BID": _move,
    "PLAY": _move,
    "NEXT": _move,
    "CARDS": _choose_cards,
    "SAY": _remark,
    "AGAIN": _gather_again,
    "LEAVE": _leave,
    "QUIT": _quit,
    **dict.fromkeys(snapshot.LOOKS, _look),
}
