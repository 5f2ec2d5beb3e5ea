"""Words for who is at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamecore.bots import RANDOM, bots_of
from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.rules import Move
from gamecore.table_view import TableView
from protocols.host import table_actions
from protocols.i18n.sanitize import clean
from protocols.lobby.table_state import TableState, why

if TYPE_CHECKING:
    from protocols.lobby.visitor import Visitor


def table_of(visitor: Visitor) -> TableState:
    """Give the table at which a visitor is; raises Refused ``not-at-a-table``."""
    if visitor.sight is None or visitor.place is None:
        raise Refused("not-at-a-table")
    return visitor.sight


def seat_of(visitor: Visitor) -> tuple[TableState, int]:
    """Give the table and the seat; raises Refused ``not-at-a-table``, ``looking-on``."""
    sight = table_of(visitor)
    if visitor.seat is None:
        raise Refused("looking-on")
    return sight, visitor.seat


def ruled_by(visitor: Visitor) -> TableState:
    """Give the table of one who sits there, or who opened it for others; raises Refused as ``seat_of``."""
    if visitor.place is not None and visitor.place.organizer:
        return table_of(visitor)
    return seat_of(visitor)[0]


def leave(visitor: Visitor, rest: str) -> None:
    """Go back to the hall, for good."""
    code = table_of(visitor).code
    visitor.host.leave(visitor)
    visitor.go_home()
    visitor.tell(visitor.say("You have left table {code}.", code=code))


def start(visitor: Visitor, rest: str) -> None:
    """Begin with those who are seated."""
    ruled_by(visitor)
    visitor.host.request(visitor, table_actions.start, visitor.ask())


def board(visitor: Visitor, rest: str) -> None:
    """Draw the board."""
    table_of(visitor)
    visitor.look(visitor.draw_board)


def tell_why(visitor: Visitor, rest: str) -> None:
    """Say whose decision is awaited, and until when."""
    sight = visitor.sight
    if sight is None:
        visitor.tell(visitor.say("You are in the hall, and nobody waits for you."))
        return

    def draw(view: TableView) -> None:
        visitor.send_lines(why(view, sight, visitor.seat, visitor.say))

    visitor.look(draw)


def usual_level(kind: str) -> str:
    """Choose the bot for who names none: a game's own first one, else the one that plays every game."""
    return next((level for level in bots_of(kind) if level != RANDOM), RANDOM)


def bot(visitor: Visitor, rest: str) -> None:
    """Let a bot take a free seat."""
    sight = ruled_by(visitor)
    if sight.stage is not Stage.GATHERING:
        raise Refused("game-began")
    level = rest.lower() or usual_level(sight.kind)
    visitor.host.request(visitor, table_actions.add_bot(clean(level, 24)), visitor.ask())


def rematch(visitor: Visitor, rest: str) -> None:
    """Gather for another game; where only bots sit beside the visitor, begin at once."""
    sight = ruled_by(visitor)

    def begin() -> None:
        visitor.host.request(visitor, table_actions.start, visitor.ask())

    alone = visitor.seat is not None and sight.only_bots_beside(visitor.seat)
    visitor.host.request(visitor, table_actions.rematch, visitor.ask(*([begin] if alone else [])))


def mix(visitor: Visitor, rest: str) -> None:
    """Add words of one's own to the shuffle."""
    seat_of(visitor)
    if not rest:
        raise Malformed(visitor.say("Say what to mix into the shuffle, like MIX a rainy day."))
    visitor.host.request(visitor, table_actions.mix(rest), visitor.ask())


def seed(visitor: Visitor, rest: str) -> None:
    """Tell what the deal is made from."""
    fairness, say = table_of(visitor).fairness, visitor.say
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
    visitor.send_lines(lines)


# -- moves ----------------------------------------------------------------------------


def read_move(visitor: Visitor, typed: Sequence[str]) -> Move:
    """Read a move in the game's own words; raises Malformed."""
    sight = table_of(visitor)
    if sight.text is None:
        raise Malformed(visitor.say("This game has no words of its own here."))
    moves, seen = sight.moves()
    return sight.text.read(typed, moves, seen, visitor.say)


def move(visitor: Visitor, typed: Sequence[str]) -> None:
    """Play a move, if it is the visitor's turn; raises Malformed, Refused."""
    sight, seat = seat_of(visitor)
    if not sight.live:
        raise Refused("game-over" if sight.stage is Stage.OVER else "no-game")
    if not sight.is_turn_of(seat):
        raise Refused("out-of-turn", names=sight.awaited(visitor.say))
    visitor.host.submit(visitor, read_move(visitor, typed), visitor.ask())
