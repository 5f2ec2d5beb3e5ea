"""A picture of a table: drawn once for each language, cut into the parts that are sent when they have changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256

from attrs import define, field, frozen

from gamecore.commands import RESTARTED
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.game import Stage
from gamecore.rules import Move, NextRound
from gamecore.table_events import Abandoned
from gamecore.table_view import TableView
from protocols.host.people import Remark
from protocols.i18n.describe import called, tell
from protocols.i18n.game_text import find_text
from protocols.i18n.refusals import explain
from protocols.i18n.result_text import tell_rated_in
from protocols.i18n.translate import Translator
from protocols.web.any_game import TEMPLATE, AnyGame
from protocols.web.game_pages import GamePages, installed_pages
from protocols.web.render import render
from protocols.web.sight import MOST_AT_A_TABLE, Role, Sight, short_names
from protocols.web.typeset import set_line

LINES_SHOWN = 6
REMARKS_SHOWN = 20
SEEN = "felt"  # the part in which moments are seen
Parts = Mapping[str, str]
Told = Sequence[tuple[Event, tuple[str, ...]]]
_MARK = re.compile(r"<!--#([\w-]*)-->")
_ANY_GAME = AnyGame()


@frozen
class TableFacts:
    """What is true of a table for as long as it is there, or of the place of one who looks at it."""

    title: str
    role: Role
    owned: bool  # whether it has an organizer
    levels: tuple[str, ...]  # of its game's bots
    joinable: bool = False  # whether a free seat may be taken: in no replay


@frozen
class Drawn:
    """A picture in one language: its parts, a digest of them, and the title of the window.

    One that is ``urgent`` waits for no moment before it.
    """

    parts: Parts
    digest: str
    title: str
    mine: bool
    urgent: bool = False


@define(eq=False)
class Picture:
    """What one place at a table shows at one moment; ``since`` is the reactor's time when it was told.

    ``decision`` names what the viewer is to decide, so that a press that was meant for another is known; ``at`` is
    the event of which this is the moment; ``rest`` is for how many seconds it wants to be seen; ``agreed`` are the
    seats that want another game.
    """

    table: TableFacts
    view: TableView
    moves: tuple[Move, ...]
    decision: str
    lately: Told
    seeds: Told
    since: float
    said: Sequence[Remark] = ()
    trouble: bool = False
    draining: bool = False
    agreed: frozenset[int] = frozenset()
    at: Event | None = None
    rest: float = 0.0
    _drawn: dict[str, Drawn] = field(factory=dict, init=False)

    def drawn(self, say: Translator) -> Drawn:
        """Draw it, once for each language."""
        found = self._drawn.get(say.language)
        if found is None:
            found = self._drawn[say.language] = self._draw(say)
        return found

    @property
    def _template(self) -> str:
        """Name the template of the parts of the game's table."""
        return TEMPLATE if pages_of(self.view.kind) is _ANY_GAME else f"{self.view.kind}/table.html"

    def _draw(self, say: Translator) -> Drawn:
        facts = self._facts(say)
        parts = cut(render(self._template, say, **facts))
        whole = "\n".join(parts.values())
        digest = sha256(whole.encode(errors="surrogatepass")).hexdigest()[:16]
        urgent = bool(facts.get("urgent"))
        return Drawn(parts, digest, str(facts["window"]), bool(facts["mine"]), urgent)

    @property
    def page_facts(self) -> Mapping[str, object]:
        """Say what a page names around the parts."""
        view, table = self.view, self.table
        free = _free(view)
        return {
            "kind": view.kind,
            "heading": view.name or table.title,
            "role": table.role,
            "stage": view.stage.value,
            "joinable": table.joinable and bool(free),
            "free": free,
        }

    def _facts(self, say: Translator) -> dict[str, object]:
        """Gather all that the parts name; what a game's own pages name stands before the house's."""
        sight = self._sight(say)
        own = pages_of(self.view.kind).facts(sight, self.at) if sight.playing else {}
        return {
            **self._table_facts(sight),
            **_people_facts(sight),
            **self._decision_facts(sight),
            **self._story_facts(sight),
            **own,
            "ask": own.get("ask") or _ask(sight, _waits_for(sight)),
        }

    def _sight(self, say: Translator) -> Sight:
        return Sight(
            view=self.view,
            moves=() if self.at is not None else self.moves,
            say=say,
            role=self.table.role,
            names=short_names(self.view.names),
            lately=self.lately,
            frozen=self.at is not None,
            agreed=self.agreed,
        )

    def _table_facts(self, sight: Sight) -> Mapping[str, object]:
        """Say which table it is, and what the one who looks at it is there."""
        view, table = self.view, self.table
        player_rules = table.role == "player" and not table.owned
        return {
            **self.page_facts,
            "game": table.title,
            "owned": table.owned,
            "rules_here": table.role == "organizer" or player_rules,
            "levels": table.levels,
            "view": view,
            "playing": sight.playing and view.stage is not Stage.ABANDONED,
            "trouble": self.trouble,
            "draining": self.draining,
        }

    def _decision_facts(self, sight: Sight) -> Mapping[str, object]:
        """Say what is to be decided, by whom, and until when."""
        view, title, mine = self.view, self.table.title, sight.mine
        return {
            "window": sight.say("Your turn") + f" · {title}" if mine else title,
            "mine": mine,
            "hints": mine and view.hints and not sight.may_go_on,
            "may_go_on": sight.may_go_on,
            "next_round": NextRound(),
            "decision": self.decision,
            "moves": sight.moves,
            "my_left": sight.left(view.seat) if mine and view.seat is not None else None,
            "pause_left": _pause_left(sight),
        }

    def _story_facts(self, sight: Sight) -> Mapping[str, object]:
        """Tell what happened, and how it ended."""
        say, text = sight.say, find_text(self.view.kind)
        told = (tell(event, names, text, say) for event, names in self.lately)
        seeds = (tell(event, names, text, say) for event, names in self.seeds)
        closed = (event.why for event, _ in self.lately if isinstance(event, Abandoned))
        voids = (explain(Refused(why), text, say) for why in closed if why == RESTARTED)
        over = self.view.stage in (Stage.OVER, Stage.ABANDONED)
        return {
            "log": tuple(set_line(each, say) for each in told if each is not None)[-LINES_SHOWN:][
                ::-1
            ],
            "rated": tell_rated_in(self.view, say),
            "fairness": next((each for each in seeds if each is not None), ""),
            "void": set_line(next(voids, ""), say),
            "podium": _podium(sight) if over else (),
            "talk": self.said,
        }


def _people_facts(sight: Sight) -> Mapping[str, object]:
    chairs = sight.chairs
    return {
        "me": sight.view.seat,
        "seats": chairs,
        "many_seats": len(chairs) > MOST_AT_A_TABLE,
        "asks_again": bool(sight.asked_again),
        "asked_again": sight.me in sight.asked_again,
    }


def _free(view: TableView) -> int:
    return view.most_players - len(view.seats) - len(view.invited)


def cut(html: str) -> Parts:
    """Cut what was drawn into its parts, by name: each stands behind a mark."""
    found = _MARK.split(html)
    return {name: text.strip() for name, text in zip(found[1::2], found[2::2], strict=True) if name}


def pages_of(kind: str) -> GamePages:
    """Find the looks of a game, those for any game if it brings none of its own."""
    return installed_pages().get(kind, _ANY_GAME)


def _pause_left(sight: Sight) -> float | None:
    """Say in how many seconds the next round begins by itself."""
    view = sight.view
    if view.stage is not Stage.BETWEEN_ROUNDS or sight.frozen or not view.due:
        return None
    return max(0.0, min(view.due.values()) - view.at)


def _waits_for(sight: Sight) -> str:
    names = sight.view.names
    return ", ".join(names[seat] for seat in sorted(sight.view.to_move) if seat < len(names))


def _ask(sight: Sight, waits: str) -> str:
    """Say in one line what is to be done, or for whom all wait."""
    say, view = sight.say, sight.view
    if view.stage is Stage.GATHERING:
        return _ask_again(sight) if sight.asked_again else say("The game has not begun yet.")
    if view.stage is Stage.ABANDONED:
        return say("This table is closed.")
    if view.stage is Stage.OVER:
        return say("The game is over.")
    if sight.may_go_on or view.stage is Stage.BETWEEN_ROUNDS:
        return say("Look at your own pace.") if sight.may_go_on else say("The round is over.")
    if sight.mine:
        return say("Your move.")
    return say("{names} to move.", names=waits) if waits and not sight.frozen else ""


def _ask_again(sight: Sight) -> str:
    """Say who wants another game, to who has not agreed to it, or whose yes it waits for."""
    say, asked = sight.say, sight.asked_again
    if sight.me in asked and not sight.agreed:
        return say("Another game?")
    meant = sight.agreed if sight.me in asked else asked
    names = say(" and ").join(called(sight.view.names, each, say) for each in sorted(meant))
    if sight.me in asked:
        return say("Another game? {names} would like one.", names=names)
    return say("Waiting for {names} to agree to another game.", names=names)


@frozen
class Step:
    """One step of the podium: who stands on it, with how many points if the game counts them."""

    place: int
    names: str
    score: int | None


def _podium(sight: Sight) -> Sequence[Step]:
    """Say who came in which place, the first three places, as the last GameOver told."""
    outcome = next(
        (event.outcome for event, _ in reversed(sight.lately) if hasattr(event, "outcome")), None
    )
    if outcome is None:
        return ()
    steps = []
    for place in sorted(set(outcome.places))[:3]:
        seats = [seat for seat, each in enumerate(outcome.places) if each == place]
        names = ", ".join(sight.view.names[seat] for seat in seats if seat < len(sight.view.names))
        score = None if outcome.scores is None else outcome.scores[seats[0]]
        steps.append(Step(place, names, score))
    return steps
