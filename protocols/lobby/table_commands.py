"""Commands for who is at a table: moves, and all that goes on beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from twisted.python.failure import Failure

from gamecore.bots import usual_level
from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.rules import Move
from gamecore.table_view import TableView
from protocols.host import table_actions
from protocols.i18n.game_text import GameText
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_
from protocols.lobby.session import Session
from protocols.lobby.table_state import TableState


def table_of(session: Session) -> TableState:
    """Give the table at which somebody is; raises Refused ``not-at-a-table``."""
    if session.table is None or session.place is None:
        raise Refused("not-at-a-table")
    return session.table


def seat_of(session: Session) -> tuple[TableState, int]:
    """Give the table and the seat; raises Refused ``not-at-a-table``, ``looking-on``."""
    state = table_of(session)
    if session.seat is None:
        raise Refused("looking-on")
    return state, session.seat


def plays(session: Session) -> bool:
    """Say whether somebody sits in a game that goes on."""
    return session.table is not None and session.table.live and session.seat is not None


def ruled_by(session: Session) -> TableState:
    """Give the table of one who sits there, or who opened it for others; raises Refused as ``seat_of``."""
    if session.place is not None and session.place.organizer:
        return table_of(session)
    return seat_of(session)[0]


def resign(session: Session, rest: str) -> None:
    """Lose the game that is played, and go back to the hall; raises Refused ``no-game``, and as ``seat_of``."""
    state, _ = seat_of(session)
    if not state.live:
        raise Refused("game-over" if state.stage is Stage.OVER else "no-game")
    leave(session, rest)


def leave(session: Session, rest: str) -> None:
    """Go back to the hall, for good; raises Refused ``not-at-a-table``, ``closing``."""
    state, say = table_of(session), session.say
    session.host.check_open()
    given_up = plays(session)
    session.host.leave(session)
    session.go_home()
    sentence = N_("You have left table {code}.")
    if given_up:
        sentence = N_("You have left table {code}, and given up the game that was played there.")
    session.tell(say(sentence, code=state.code))


def start(session: Session, rest: str) -> None:
    """Begin with those who are seated; raises Refused as ``seat_of``."""
    ruled_by(session)
    session.host.request(session, table_actions.start, session.ask())


def board(session: Session, rest: str) -> None:
    """Draw the board; raises Refused ``not-at-a-table``."""
    table_of(session)
    session.look(session.draw_board)


def tell_why(session: Session, rest: str) -> None:
    """Say whose decision is awaited, and until when."""
    state = session.table
    if state is None:
        session.tell(session.say("You are in the hall, and nobody waits for you."))
        return

    def draw(view: TableView) -> None:
        session.send_lines(state.why(view, session.seat, session.say))

    session.look(draw)


def hint(session: Session, rest: str) -> None:
    """Say what the person might play, as found by thinking ahead; raises Malformed, Refused as ``seat_of``."""
    state, _ = seat_of(session)
    text = text_of(session)
    settle = session.ask_elsewhere()

    def tell(result: Move | Failure) -> None:
        if isinstance(result, Failure):
            result.raiseException()
        else:
            typed = text.typed(result, state.turn.board)
            session.tell(session.say("You might play: {typed}", typed=typed))

    asking = session.host.hints.ask(session, session.line.came_from)
    asking.addBoth(lambda result: settle(partial(tell, result)))


def bot(session: Session, rest: str) -> None:
    """Let a bot take a free seat; raises Refused ``game-began``, and as ``seat_of``."""
    state = ruled_by(session)
    if state.stage is not Stage.GATHERING:
        raise Refused("game-began")
    level = rest.lower() or usual_level(state.kind)
    session.host.request(session, table_actions.add_bot(clean(level, 24)), session.ask())


def rematch(session: Session, rest: str) -> None:
    """Gather for another game, or agree to it; raises Refused as ``seat_of``."""
    ruled_by(session)
    session.host.request(session, table_actions.rematch, session.ask())


def mix(session: Session, rest: str) -> None:
    """Add words of one's own to the shuffle; raises Malformed, Refused as ``seat_of``."""
    seat_of(session)
    if not rest:
        raise Malformed(session.say("Say what to mix into the shuffle, like MIX a rainy day."))
    session.host.request(session, table_actions.mix(rest), session.ask())


def seed(session: Session, rest: str) -> None:
    """Tell what the deal is made from; raises Refused ``not-at-a-table``."""
    fairness, say = table_of(session).fairness, session.say
    lines = [
        say("The seed of game {n} was promised as {c}.", n=fairness.number, c=fairness.commitment)
    ]
    if fairness.seed:
        words = ", ".join(f'"{each}"' for each in fairness.words) or say("no words")
        lines.append(say("It was {seed}, with {words} added.", seed=fairness.seed, words=words))
    else:
        lines.append(
            say("It is told when the game is over. MIX adds words of yours before it begins.")
        )
    session.send_lines(lines)


# -- moves ----------------------------------------------------------------------------


def verbs_of(session: Session) -> Mapping[str, str]:
    """Give the words that begin a move at the table at hand, and how each move is typed; none in the hall."""
    text = None if session.table is None else session.table.text
    return {} if text is None else text.verbs


def text_of(session: Session) -> GameText:
    """Give the words of the game at hand; raises Malformed where it has none, Refused ``not-at-a-table``."""
    text = table_of(session).text
    if text is None:
        raise Malformed(session.say("This game has no words of its own here."))
    return text


def read_move(session: Session, typed: Sequence[str]) -> Move:
    """Read a move in the game's own words; raises Malformed, Refused ``not-at-a-table``."""
    moves, seen = table_of(session).moves()
    return text_of(session).read(typed, moves, seen, session.say)


def move(session: Session, typed: Sequence[str]) -> None:
    """Play a move, if it is the person's turn; one that loses the game at once is to be said twice.

    Raises Malformed; Refused ``game-over``, ``no-game``, ``out-of-turn``, and as ``seat_of``.
    """
    state, seat = seat_of(session)
    if not state.live:
        raise Refused("game-over" if state.stage is Stage.OVER else "no-game")
    if not state.is_turn_of(seat):
        raise Refused("out-of-turn", names=state.awaited(session.say))
    meant = read_move(session, typed)
    state.heed(meant, session.say)
    session.host.submit(session, meant, session.ask())
