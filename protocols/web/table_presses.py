"""What one may do at a table by pressing something: move, wish, leave, take one's place along.

A move is an object of JSON as the JSON door reads it, or words as they are typed; a field ``move.reset`` overlays
one key of the object.  With it comes the decision that the page was drawn for: a press that was meant for
another is not played.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from gamecore.bots import usual_level
from gamecore.codec import TAG
from gamecore.errors import Malformed, Refused
from gamecore.rules import Move, NextRound, OrganizerMove
from protocols.host import table_actions
from protocols.host.secrets import hash_token
from protocols.i18n.game_text import find_text
from protocols.i18n.names import read_name
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_
from protocols.net.codec import read_move
from protocols.web.application import Handler, Route, WebApplication
from protocols.web.face import WebFace
from protocols.web.pass_pages import show_new_pass
from protocols.web.passes import Pass
from protocols.web.replies import PageRefused, Reply, answer_script, redirect
from protocols.web.table_pages import come, request, settle, tell
from protocols.web.tokens import invitation
from protocols.web.visit import Visit, page_of

_LARGEST_MOVE = 2000  # characters
_OVERLAY = "move."
LATE = N_("That press came too late: it was meant for a decision that is made. Nothing was done.")


# -- moves ----------------------------------------------------------------------------


async def move(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Play what was pressed or typed, if it was meant for what is to be decided now.

    All that can be pressed at a table is of one form, since there are browsers that know no other address for a
    button: what is no move is done as what it is.
    """
    for name, do in _BESIDE_MOVES.items():
        if visit.field(name):
            return await do(app, visit, code, key)
    face = await come(app, visit, code, key)
    page = page_of(code, key)
    try:
        wanted = _read(app, face, visit)
    except Malformed as problem:
        return await settle(app, visit, face, page, clean(str(problem), 400))
    if not isinstance(wanted, OrganizerMove):
        if visit.field("decision") != face.decision:
            late = None if isinstance(wanted, NextRound) else visit.say(LATE)
            return await settle(app, visit, face, page, late)
        waits = _waits_for(face)
        if waits is not None and not isinstance(wanted, NextRound):
            return await settle(app, visit, face, page, Refused("out-of-turn", names=waits))
    refused = await face.ask(lambda tag: app.host.submit(face, wanted, tag))
    if isinstance(wanted, NextRound) and refused is not None and refused.key in _BEGUN:
        refused = None
    return await settle(app, visit, face, page, refused)


def _waits_for(face: WebFace) -> str | None:
    """Say who is awaited, where it is not this player: there are games that are lost by a move out of turn."""
    view = face.view
    if view is None or not view.to_move or view.seat in view.to_move:
        return None
    return ", ".join(view.names[seat] for seat in sorted(view.to_move) if seat < len(view.names))


_BEGUN = ("wrong-state", "game-over")  # who is second to begin the next round has what was wanted


def _read(app: WebApplication, face: WebFace, visit: Visit) -> Move:
    """Make a move of what was sent; raises Malformed."""
    view = face.view
    assert view is not None
    typed = visit.field("typed")[:_LARGEST_MOVE].split()
    text = find_text(view.kind)
    if not visit.field("move") and text is not None:
        moves = () if face.picture is None else face.picture.moves
        return text.read(typed, moves, view.board, visit.say)
    rules = app.host.hall.registry.latest(view.kind)
    return read_move(rules, _overlaid(_object(visit.field("move")), visit))


def _object(written: str) -> dict[str, object]:
    try:
        found = json.loads(written) if len(written) <= _LARGEST_MOVE else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Malformed("move: an object is wanted")
    return found


def _overlaid(written: dict[str, object], visit: Visit) -> dict[str, object]:
    """Lay what stands in fields of their own over keys of a move that has them."""
    for name in [name for name in written if name != TAG]:
        value = visit.field(_OVERLAY + name)
        if value:
            written[name] = _plain(value)
    return written


def _plain(value: str) -> object:
    if value in ("true", "false"):
        return value == "true"
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value


# -- wishes ---------------------------------------------------------------------------

Wish = Callable[[WebApplication, Visit, WebFace], table_actions.TableAction]


def _start(app: WebApplication, visit: Visit, face: WebFace) -> table_actions.TableAction:
    return table_actions.start


def _rematch(app: WebApplication, visit: Visit, face: WebFace) -> table_actions.TableAction:
    return table_actions.rematch


def _next(app: WebApplication, visit: Visit, face: WebFace) -> table_actions.TableAction:
    return table_actions.next_round


def _abandon(app: WebApplication, visit: Visit, face: WebFace) -> table_actions.TableAction:
    return table_actions.abandon


def _bot(app: WebApplication, visit: Visit, face: WebFace) -> table_actions.TableAction:
    return table_actions.add_bot(_level(visit, face))


def _replace(app: WebApplication, visit: Visit, face: WebFace) -> table_actions.TableAction:
    seat = visit.field("replace") or visit.field("seat")
    chosen = int(seat) if seat.isdecimal() and len(seat) < 4 else -1
    return table_actions.replace(chosen, _level(visit, face))


def _invite(app: WebApplication, visit: Visit, face: WebFace) -> table_actions.TableAction:
    name = read_name(visit.field("name"))
    assert face.view is not None
    free = app.host.hall.find(face.view.code).free_seats()
    if face.owner is None:
        raise Refused("not-organizer")
    if not free:
        raise Refused("table-full")
    token = invitation(face.view.code, face.owner, name)
    return table_actions.invite(free[0], name, hash_token(token))


def _level(visit: Visit, face: WebFace) -> str:
    return visit.field("level") or usual_level("" if face.view is None else face.view.kind)


WISHES: Mapping[str, tuple[Wish, tuple[str, ...]]] = {
    "start": (_start, ("game-began",)),
    "rematch": (_rematch, ("agreed-already",)),
    "next": (_next, ("not-now",)),
    "abandon": (_abandon, ()),
    "bot": (_bot, ()),
    "replace": (_replace, ()),
    "invite": (_invite, ()),
}
"""What may be wished for, by name, and the refusals that only say that it was done by an earlier press."""


async def wish(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Ask of the table what was pressed; raises PageRefused ``bad-form``."""
    face = await come(app, visit, code, key)
    wanted = "replace" if visit.field("replace") else visit.field("wish")
    if wanted not in WISHES:
        raise PageRefused(400, "bad-form")
    make, done_already = WISHES[wanted]
    refusal: Refused | None
    try:
        refusal = await request(app, face, make(app, visit, face))
    except Refused as problem:
        refusal = problem
    if refusal is not None and refusal.key in done_already:
        refusal = None
    page = page_of(code, key)
    if refusal is None and wanted == "invite" and visit.has_script:
        return answer_script(to=page)  # the links stand outside of what is kept up to date
    return await settle(app, visit, face, page, refusal)


async def hint(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Tell what the player might play, as a bot that thinks ahead finds it."""
    face, page = await come(app, visit, code, key), page_of(code, key)
    try:
        found = await app.host.hints.ask(face, visit.address)
    except Refused as refusal:
        return await settle(app, visit, face, page, refusal)
    view = face.view
    text = None if view is None else find_text(view.kind)
    if view is None or text is None:
        return await settle(app, visit, face, page, Refused("no-thinker"))
    words = visit.say("You might play: {typed}", typed=text.typed(found, view.board))
    return await tell(app, visit, face, page, words)


_BESIDE_MOVES: Mapping[str, Handler] = {"wish": wish, "replace": wish, "hint": hint}
"""What is pressed at a table besides moves, by the name of its button."""


# -- going ----------------------------------------------------------------------------


async def leave(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Leave the table for good; raises Refused ``closing``."""
    await come(app, visit, code, key)
    token = visit.token_at(code, key)
    assert token is not None
    app.host.check_open()
    app.sessions.leave(token)
    visit.drop_place(code, key)
    return answer_script(to="/") if visit.has_script else redirect("/")


async def come_back(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Take the place back from where it was taken over."""
    token = visit.token_at(code, key)
    if token is not None:
        app.sessions.take_back(token)
    await come(app, visit, code, key)
    return redirect(page_of(code, key))


async def write_pass(app: WebApplication, visit: Visit, code: str, key: str) -> Reply:
    """Write a link that takes the place along to another device."""
    await come(app, visit, code, key)
    return show_new_pass(app, visit, Pass(code, key, visit.token_at(code, key) or ""))


PRESSES = {
    "move": move,
    "wish": wish,
    "hint": hint,
    "leave": leave,
    "back": come_back,
    "pass": write_pass,
}
ROUTES = [Route("POST", f"/t/<code>/<key>/{name}", press) for name, press in PRESSES.items()]
