"""The record of a table of Expanding Nim, played again and held against what was told."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import Factory, define

from gamecore.games.nim import Board, Faulted, Taken
from gamecore.replay import Step, play_back
from gamecore.rules import Registry
from protocols.host.dormant import UNREACHABLE, resting_stage
from protocols.nim import wire
from protocols.nim.wire_messages import read
from tests.crash.journal import Kept, check_time
from tests.crash.nim.players import Link, Message, Player
from tests.daemons.wrong import Wrong


@define
class Story:
    """One table played again: who sat there, and every state there was to tell."""

    code: str
    names: tuple[str, ...] = ()
    states: list[Message] = Factory(list)
    moves: int = 0
    told: int = 0  # how many of the states somebody was told
    stage: str = ""
    put_away: bool = False  # among the finished


# -- playing again --------------------------------------------------------------------


def retell(kept: Kept, registry: Registry, deaths: Sequence[float]) -> Story:
    """Play a table again, and check its chain, its clocks and its row in the index."""
    story = Story(kept.code, put_away=kept.stage is None)
    before: Step | None = None
    board: Board | None = None
    for step in play_back(kept.lines, registry):
        if before is not None:
            check_time(before, step, deaths)
        for event in step.events:
            if isinstance(event, Taken | Faulted):
                _check_clocks(board, event.board, kept.code)
                board = event.board
                written = wire.render_state(event, step.table.names)
                story.states.append(read(written))
                story.moves += type(event) is Taken
        story.names = max(step.table.names, story.names, key=lambda names: len("".join(names)))
        story.stage = resting_stage(step.table) if step.table.reachable else UNREACHABLE
        before = step
    if kept.stage is not None and kept.stage != story.stage:
        raise Wrong(f"{kept.code}: the index says {kept.stage}, the record {story.stage}")
    return story


def _check_clocks(before: Board | None, after: Board, code: str) -> None:
    if before is not None and any(map(float.__gt__, map(float, before.used), after.used)):
        raise Wrong(f"{code}: used time went down from {before.used} to {after.used}")


# -- what was told --------------------------------------------------------------------


def check_told(player: Player, story: Story) -> int:
    """Check all that a player was told against the table's record; gives how far that goes."""
    furthest = 0
    for link in player.links:
        furthest = max(furthest, _check_link(link, story))
    return furthest


def _check_link(link: Link, story: Story) -> int:
    """Check that a link was told one stretch of the game, and nothing but that."""
    if not link.states:
        return 0
    first = link.states[0]
    if first not in story.states:
        raise Wrong(f"{link.player.name} was told what is not in {story.code}: {first}")
    start = story.states.index(first)
    if start and not link.returning:
        raise Wrong(f"{link.player.name} was told nothing of {story.states[0]}")
    stretch = story.states[start : start + len(link.states)]
    if link.states != stretch:
        raise Wrong(f"{link.player.name} was told {link.states}, in the record is {stretch}")
    if link.floor is not None and story.states.index(link.floor) > start:
        raise Wrong(f"{link.player.name} came back to {first}, and {link.floor} had been told")
    return start + len(stretch)
