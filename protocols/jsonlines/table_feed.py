"""What one program has been told of its table, and so what is still to be said."""

from __future__ import annotations

from gamecore.table_view import TableView, Turn
from protocols.host.face import News
from protocols.jsonlines import messages


class TableFeed:
    """All that a program is told of the table where it is, as bytes to send; none where nothing is to be said.

    A table that is left may still be told of: what happened there before is on its way.
    """

    __slots__ = ("_behind", "_repeats", "_seen", "_told", "_turn", "awaited", "code")

    def __init__(self) -> None:
        self.code = ""
        """The table that was shown last: what is told is told of it."""
        self.awaited = False
        """Whether a View is on its way, and a turn behind it."""
        self._seen: int | None = None  # the last event that one who comes back has seen
        self._told = 0
        self._turn: Turn | None = None  # the last one, told or passed over
        self._repeats = False  # its moves were not offered with it: they had been offered before
        self._behind = False  # what was told last was forgotten, and a View will make it good

    def come(self, seen: int | None) -> None:
        """Make ready for a table that is to be shown, to one who has ``seen`` so many of its events."""
        self.leave()
        self._seen = seen
        self.awaited = True

    def leave(self) -> None:
        """Have nothing more to catch up with."""
        self._seen = self._turn = None
        self.awaited = self._behind = self._repeats = False

    def show(self, view: TableView) -> bytes:
        """Show the table, unless one who comes back has missed nothing."""
        seen, self._seen = self._seen, None
        self.code, self._told = view.code, view.told
        said = b"" if seen == view.told else messages.write_view(view)
        if self._behind:
            self._behind = False
            if self._turn is not None:
                said += messages.write_turn(self._turn, self.code)
        return said

    def tell(self, news: News) -> bytes:
        """Tell what happened, each event with its number, and of a game that begins or ends whether it is rated."""
        told = self._told
        self._told += len(news.events)
        if self._behind:
            return b""
        said = messages.numbered(news.drawn(messages.render_events), self.code, told)
        if turning := news.turning:
            said += messages.write_rated(news.unrated, self.code, over=turning == "over")
        return said

    def turn_to(self, turn: Turn) -> bytes:
        """Tell whose decision is awaited, if that is news, and offer moves once for each decision."""
        self.awaited = False
        before, self._turn = self._turn, turn
        same = before is not None and turn.moves == before.moves
        offered = self._repeats = same and bool(turn.moves)
        if self._behind or (before is not None and same and _is_same(turn, before)):
            return b""
        return messages.write_turn(turn, self.code, offers=not offered)

    def offer_again(self) -> bytes:
        """Offer the moves that are there still, to one who has just made a move."""
        if self._turn is None or not self._repeats:
            return b""
        self._repeats = False
        return b"" if self._behind else messages.write_turn(self._turn, self.code)

    def fall_behind(self) -> bool:
        """Leave out what happens until a View makes it good; True if one is to be asked for."""
        asks, self._behind = not self._behind, True
        return asks

    def give_up_view(self) -> None:
        """Go on telling, where no View is to be had any more."""
        self._behind = False


def _is_same(turn: Turn, other: Turn) -> bool:
    return turn.to_move == other.to_move and turn.due == other.due
