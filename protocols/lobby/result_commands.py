"""Commands for how games ended and who is the strongest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gamecore.errors import Malformed
from protocols.host.ladder import ALL, MOST_LISTED, USUAL_ROWS, WHO, RatingRow, ResultRow
from protocols.i18n.result_text import name_of, tell_rating, tell_result
from protocols.lobby.open_arguments import find_game
from protocols.lobby.session import Session

T = TypeVar("T")


def history(session: Session, rest: str) -> None:
    """Tell how the latest games of a name ended; raises Malformed, and is refused as the Host says."""
    words = rest.split()
    most = int(words.pop()[:4]) if words and _is_count(words[-1]) else USUAL_ROWS
    name = " ".join(words) or session.name
    # There may be other games than those of this door among them.
    wanted = most if session.game is None or most > MOST_LISTED else MOST_LISTED
    asking = session.host.ladder.history(name, wanted)

    def draw(rows: Sequence[ResultRow]) -> list[str]:
        here = [row for row in rows if row.kind in session.kinds][:most]
        none = session.say("No game of {name} has ended here.", name=name)
        return [tell_result(*row, session.say) for row in here] or [none]

    _show(session, asking, draw)


def rating(session: Session, rest: str) -> None:
    """Tell what somebody is rated, in all games or in one; refused as the Host says."""
    words = rest.split()
    kind = session.game
    if words and words[-1].lower() in session.kinds:
        kind = words.pop().lower()
    name = " ".join(words) or session.name

    def draw(rows: Sequence[RatingRow]) -> list[str]:
        say = session.say
        none = say("{name} has no rating: only the levels of bots are rated so far.", name=name)
        return [
            say("{pool}: {rating}", pool=row.pool, rating=tell_rating(*row[2:], say))
            for row in rows
        ] or [none]

    _show(session, session.host.ladder.ratings(name, kind), draw)


def top(session: Session, rest: str) -> None:
    """List the best in a game; raises Malformed, Refused ``no-such-game``, and is refused as the Host says."""
    words = rest.lower().split()
    kind = session.game
    if kind is None:
        if not words:
            known = ", ".join(session.kinds)
            raise Malformed(session.say("TOP of which game? There are: {known}.", known=known))
        kind = find_game(session.host.hall.registry, words.pop(0)).kind
    elif words[:1] == [kind]:
        words.pop(0)
    who = words.pop(0) if words and words[0] in WHO else ALL
    most = int(words.pop(0)[:4]) if words and _is_count(words[0]) else USUAL_ROWS
    if words:
        raise Malformed(session.say("TOP takes a game, {who}, and how many.", who=" / ".join(WHO)))

    def draw(rows: Sequence[RatingRow]) -> list[str]:
        say = session.say
        none = say("Nobody has played enough rated games of {kind} to be listed.", kind=kind)
        return [
            f"{place:3} {name_of(row.account):24} {tell_rating(*row[2:], say)}"
            for place, row in enumerate(rows, 1)
        ] or [none]

    _show(session, session.host.ladder.top(kind, who, most), draw)


def _show(session: Session, asking: Deferred[T], draw: Callable[[T], list[str]]) -> None:
    """Show what is drawn of an answer, once it is there; what is typed meanwhile waits."""
    settle = session.ask_elsewhere()
    asking.addBoth(lambda result: settle(partial(_send, session, result, draw)))


def _send(session: Session, result: T | Failure, draw: Callable[[T], list[str]]) -> None:
    if isinstance(result, Failure):
        result.raiseException()
    else:
        session.show_page(draw(result))


def _is_count(typed: str) -> bool:
    return typed.isascii() and typed.isdigit()
