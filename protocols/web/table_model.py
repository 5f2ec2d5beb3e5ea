"""What the pages draw of a table: a View made into what the templates name, and nothing that is not in it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from gamecore.commands import RESTARTED
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.rules import Move, NextRound
from gamecore.table_events import Abandoned
from gamecore.table_view import TableView
from protocols.i18n.describe import tell
from protocols.i18n.game_text import GameText
from protocols.i18n.refusals import explain
from protocols.i18n.translate import Translator
from protocols.web.face import WebFace

MOST_AT_EASE = 8
_LINES_SHOWN = 12


@frozen
class Participant:
    """Somebody who sits at the table, or is expected there."""

    seat: int
    name: str
    level: str | None = None
    here: bool = False
    away: bool = False
    expected: bool = False


@frozen
class TableModel:
    """What one viewer sees of a table of any game, and may do there.

    ``moves`` are the viewer's own, none while another is to move; ``lately`` says what happened, the latest first;
    ``fairness`` says what the deal was made from, once that is known; ``void`` why the game is void, if it is.
    """

    view: TableView
    moves: tuple[Move, ...]
    lately: tuple[str, ...]
    fairness: str
    trouble: bool
    void: str

    # -- people -----------------------------------------------------------------------

    @property
    def people(self) -> Sequence[Participant]:
        """All who sit here or are expected, in the order of the seats."""
        seated = [
            Participant(
                each.seat,
                each.name,
                each.level,
                here=each.presence is Presence.HERE,
                away=each.presence is Presence.AWAY,
            )
            for each in self.view.seats
        ]
        expected = [Participant(each.seat, each.name, expected=True) for each in self.view.invited]
        return sorted([*seated, *expected], key=lambda each: each.seat)

    @property
    def free(self) -> int:
        """How many seats nobody has, and none is kept for anybody."""
        return self.view.most_players - len(self.view.seats) - len(self.view.invited)

    @property
    def many(self) -> bool:
        """Whether there are more players than sit at a table with ease."""
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
        return self.view.board is not None and self.view.stage is not Stage.GATHERING

    @property
    def me(self) -> int | None:
        """The viewer's own seat."""
        return self.view.seat

    @property
    def may_go_on(self) -> bool:
        """Whether the viewer may begin the next round."""
        return any(isinstance(move, NextRound) for move in self.moves)

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


def model_of(face: WebFace, model: type[TableModel], text: GameText, say: Translator) -> TableModel:
    """Make a game's model of what a face was shown."""
    view = face.view
    assert view is not None
    turn = face.turn
    awaited = view.seat is not None and view.seat in view.to_move
    told = (tell(event, names, text, say) for event, names in face.lately)
    closed = (event.why for event, _ in face.lately if isinstance(event, Abandoned))
    voided = (why for why in closed if why == RESTARTED)
    seeds = (tell(event, names, text, say) for event, names in face.seeds)
    return model(
        view=view,
        moves=turn.moves if turn is not None and awaited else (),
        lately=tuple(each for each in told if each is not None)[-_LINES_SHOWN:][::-1],
        fairness=next((each for each in seeds if each is not None), ""),
        trouble=face.trouble is not None,
        void=next((explain(Refused(why), text, say) for why in voided), ""),
    )
