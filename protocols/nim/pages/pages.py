"""What the pages know of Expanding Nim: the entry point of the group ``parlour.pages``."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from gamecore.events import Event
from gamecore.games.nim import NimView, Take, Taken
from protocols.i18n.translate import N_
from protocols.web.sight import Sight

TAKEN_SECONDS = 0.8
MOST_STONES = 120  # that are drawn, from the end at which they are taken
_ASK = N_("Take 1 to {most}: touch the stone up to which you take.")


@frozen
class Stone:
    """One stone of the pile, counted from the first to be taken last; ``take`` takes all from the end to it."""

    number: int
    count: int
    take: Take | None


class NimPages:
    """Expanding Nim in the browser."""

    package = "protocols.nim"

    def facts(self, sight: Sight, at: Event | None) -> Mapping[str, object]:
        """Give the pile, how many may be taken, and who may still reset."""
        view = sight.view.board
        assert isinstance(view, NimView)
        taken = at if isinstance(at, Taken) else None
        board = view.board if taken is None else taken.board
        may = {
            move.stones: move for move in sight.moves if isinstance(move, Take) and not move.reset
        }
        resets = sight.me is not None and board.resets[sight.me] > 0 and bool(may)
        hidden = max(0, board.left - MOST_STONES)
        reach = 0 if sight.me is None or view.mover is None else board.limit
        return {
            "stones": [
                _stone(number, board.left, reach) for number in range(hidden + 1, board.left + 1)
            ],
            "hidden": hidden,
            "left": board.left,
            "most": board.limit,
            "first_limit": view.options.maximum,
            "resets": board.resets,
            "may_reset": resets,
            "ask": sight.say(_ASK, most=max(may)) if may else "",
        }

    def rest(self, event: Event) -> float:
        """Let what was taken be seen."""
        return TAKEN_SECONDS if isinstance(event, Taken) else 0.0


PAGES = NimPages()


def _stone(number: int, left: int, reach: int) -> Stone:
    """Draw a stone that a player can touch alike in anybody's turn, so that a turn alone sends no stones again."""
    count = left - number + 1
    return Stone(number, count, Take(count) if count <= reach else None)
