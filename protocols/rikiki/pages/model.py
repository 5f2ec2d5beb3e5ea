"""What the pages draw of a table of Rikiki, beside what they draw of every table."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from gamecore.cards import Card
from gamecore.games.rikiki import Bid, PlayCard, Result, RikikiView
from protocols.web.table_model import TableModel


@frozen
class RikikiModel(TableModel):
    """What one viewer sees of a table of Rikiki, and may do there."""

    @property
    def board(self) -> RikikiView | None:
        """The game as the viewer may know it; None before the first."""
        return self.view.board if isinstance(self.view.board, RikikiView) else None

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
