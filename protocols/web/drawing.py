"""What the pages draw of a table: a View made into what the templates name, and nothing that is not in it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from gamecore.cards import Card
from gamecore.game import Stage
from gamecore.games.rikiki import Bid, PlayCard, Result, RikikiView
from gamecore.player import Presence
from gamecore.rules import Move, NextRound
from gamecore.table_view import TableView
from protocols.i18n.describe import tell
from protocols.i18n.translate import Translator
from protocols.rikiki.text import TEXT
from protocols.web.faces import WebFace

MOST_AT_EASE = 8
_LINES_SHOWN = 12


@frozen
class Person:
    """Somebody who sits at the table, or is expected there."""

    seat: int
    name: str
    level: str | None = None
    here: bool = False
    away: bool = False
    expected: bool = False


@frozen
class Sight:
    """What one viewer sees of a table, and may do there."""

    view: TableView
    board: RikikiView | None
    moves: tuple[Move, ...]
    lately: tuple[str, ...]
    fairness: str
    trouble: bool

    # -- people -----------------------------------------------------------------------

    @property
    def people(self) -> Sequence[Person]:
        """All who sit here or are expected, in the order of the seats."""
        seated = [
            Person(
                each.seat,
                each.name,
                each.level,
                here=each.presence is Presence.HERE,
                away=each.presence is Presence.AWAY,
            )
            for each in self.view.seats
        ]
        expected = [Person(each.seat, each.name, expected=True) for each in self.view.invited]
        return sorted([*seated, *expected], key=lambda each: each.seat)

    @property
    def free(self) -> int:
        """How many seats nobody has, and none is kept for anybody."""
        return self.view.most_players - len(self.view.seats) - len(self.view.invited)

    @property
    def many(self) -> bool:
        """Whether there are more players than the cards go round well."""
        return self.view.most_players > MOST_AT_EASE

    def name(self, seat: int) -> str:
        """Say what somebody is called."""
        return self.view.names[seat] if seat < len(self.view.names) else ""

    def is_away(self, seat: int) -> bool:
        """Say whether somebody's link is lost."""
        return any(each.seat == seat and each.away for each in self.people)

    # -- where the game stands --------------------------------------------------------

    @property
    def stage(self) -> str:
        """Where the game is in its life."""
        return self.view.stage.value

    @property
    def playing(self) -> bool:
        """Whether there is a game to look at, be it over."""
        return self.board is not None and self.view.stage is not Stage.GATHERING

    @property
    def me(self) -> int | None:
        """The viewer's own seat."""
        return self.view.seat

    @property
    def hand(self) -> Sequence[Card]:
        """The viewer's own cards."""
        return () if self.board is None else self.board.hand

    @property
    def bids(self) -> Sequence[int]:
        """The bids that the viewer may make now."""
        return [move.tricks for move in self.moves if isinstance(move, Bid)]

    @property
    def barred(self) -> int | None:
        """The one bid between the least and the most that may not be made."""
        bids = self.bids
        between = [] if not bids else [n for n in range(bids[-1] + 1) if n not in bids]
        return between[0] if between else None

    @property
    def playable(self) -> Sequence[Card]:
        """The cards that the viewer may play now."""
        return [move.card for move in self.moves if isinstance(move, PlayCard)]

    @property
    def may_go_on(self) -> bool:
        """Whether the viewer may begin the next round."""
        return any(isinstance(move, NextRound) for move in self.moves)

    @property
    def bid_sum(self) -> int:
        """The sum of the bids so far."""
        return 0 if self.board is None else sum(bid or 0 for bid in self.board.bids)

    @property
    def winner(self) -> int | None:
        """Who has taken the trick that lies on the table."""
        board = self.board
        if board is None or board.phase not in ("between-tricks", "done") or not board.tricks:
            return None
        return board.tricks[-1].winner

    @property
    def results(self) -> Sequence[Result]:
        """What the round that is over has brought, in the order of the seats."""
        board = self.board
        if board is None or not board.results or board.phase != "done":
            return ()
        return sorted(board.results[-1], key=lambda each: each.seat)

    @property
    def leaders(self) -> Sequence[int]:
        """Those who have the most points: the winners, once the game is over."""
        board = self.board
        if board is None or not self.scored:
            return ()
        stayed = [seat for seat in range(len(board.totals)) if seat not in board.gone]
        best = max((board.totals[seat] for seat in stayed), default=0)
        return [seat for seat in stayed if board.totals[seat] == best]

    @property
    def winners(self) -> str:
        """The names of those who have the most points."""
        return ", ".join(self.name(seat) for seat in self.leaders)

    @property
    def scored(self) -> bool:
        """Whether points are kept."""
        return self.board is not None and self.board.options.scoring != "none"

    @property
    def left(self) -> float | None:
        """The seconds until something is decided for whoever is to move."""
        return min(self.view.due.values()) - self.view.at if self.view.due else None

    @property
    def refresh(self) -> int:
        """After how many seconds a page without script looks again: not while its player chooses."""
        if not self.moves or self.may_go_on:
            return 5
        return max(10, int(self.left or 600) + 1)


def sight_of(face: WebFace, say: Translator) -> Sight:
    """See a table through a face that was shown it."""
    view = face.view
    assert view is not None
    turn = face.turn
    awaited = view.seat is not None and view.seat in view.to_move
    told = (tell(event, names, TEXT, say) for event, names in face.lately)
    seeds = (tell(event, names, TEXT, say) for event, names in face.seeds)
    return Sight(
        view=view,
        board=view.board if isinstance(view.board, RikikiView) else None,
        moves=turn.moves if turn is not None and awaited else (),
        lately=tuple(each for each in told if each is not None)[-_LINES_SHOWN:][::-1],
        fairness=next((each for each in seeds if each is not None), ""),
        trouble=face.trouble is not None,
    )
