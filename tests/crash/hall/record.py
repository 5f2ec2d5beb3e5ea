"""The record of a table of any game, played again as it grows, and held against what was told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from hashlib import sha256
from typing import Any

from attrs import Factory, define, field, frozen

from gamecore import commands
from gamecore.codec import Plain
from gamecore.events import heard_by
from gamecore.hall import Hall
from gamecore.record import FIRST, Entry, build, read_command, read_open
from gamecore.record_file import write_event
from gamecore.replay import Step
from gamecore.rules import Registry
from gamecore.table import Table
from protocols.jsonlines import messages
from tests.crash.hall.links import Link, Message
from tests.crash.journal import Kept, check_time
from tests.daemons.wrong import Wrong

WATCHERS = None  # whose stream it is that all hear who look on

Stream = str | None  # a player's by name, or that of the watchers
Place = tuple[Stream, int]  # in a stream: behind the event of that number


@frozen
class Sight:
    """How a table stood for one who had been told so much."""

    view: Message
    turn: Message


@define(eq=False)
class Story:
    """One table, played again from its record as far as that goes.

    Only what was added since the last time is played: a check after each of many kills would take too long
    otherwise, and that nothing before it has changed is seen by its hash.
    """

    table: Table = field(repr=False)
    streams: dict[Stream, list[Message]] = Factory(dict)
    moves: dict[str, list[Plain]] = Factory(dict)
    counts: Counter[str] = Factory(Counter)
    words: set[str] = Factory(set)
    sat: set[str] = Factory(set)
    finished: int = 0
    stage: str | None = None  # in the index; None for one that was put away
    _length: int = 0
    _head: str = FIRST
    _before: Step | None = None

    @property
    def put_away(self) -> bool:
        """Whether the table is among the finished."""
        return self.stage is None

    @property
    def has_ended(self) -> bool:
        """Whether nothing more can happen at the table but another game."""
        return self.table.stage.value in ("over", "abandoned")

    def go_on(
        self, kept: Kept, deaths: Sequence[float], wanted: Mapping[Place, object]
    ) -> dict[Place, list[Sight]]:
        """Play what was added to the record; gives how the table stood at the places that are asked for."""
        if len(kept.lines) < self._length or not self._continues(kept):
            raise Wrong(f"{kept.code}: the record is not what it was before")
        sights: dict[Place, list[Sight]] = {place: [] for place in wanted}
        for line in kept.lines[self._length :]:
            step = self._apply(line)
            if self._before is not None:
                check_time(self._before, step, deaths)
            self._note(step)
            self._look(step, sights)
            self._before = step
        self.stage = kept.stage
        return sights

    def _continues(self, kept: Kept) -> bool:
        last = kept.lines[self._length - 1] if self._length else None
        return last is None or sha256(last).hexdigest() == self._head

    def _apply(self, line: bytes) -> Step:
        entry = build(Entry, json.loads(line))
        if (entry.previous, entry.sequence) != (self._head, self._length):
            raise Wrong(f"{entry.table}: the chain is broken at record {self._length}")
        self._head, self._length = sha256(line).hexdigest(), self._length + 1
        if entry.sequence == 0:
            return Step(entry, read_open(entry.command), (), self.table)
        command = read_command(entry.command, self.table.rules)
        return Step(entry, command, self.table.apply(command, entry.at), self.table)

    # -- what is noted ----------------------------------------------------------------

    def _note(self, step: Step) -> None:
        self._note_command(step)
        written = {id(event): _plain(event) for event in step.events}
        for stream, seat in self._seats():
            heard = [written[id(event)] for event in heard_by(seat, step.events)]
            self.streams.setdefault(stream, []).extend(heard)
        self.finished += sum(type(event).__name__ == "GameOver" for event in step.events)

    def _note_command(self, step: Step) -> None:
        match step.command:
            case commands.Play(seat):
                assert isinstance(step.entry.command, dict)
                # Only a rematch and a start move seats, so whoever moved still sits there.
                name = self.table.player(seat).name if seat in self.table.seated() else ""
                self.moves.setdefault(name, []).append(step.entry.command["move"])
            case commands.Sit(_, name, _, level):
                self.sat.add(name)
                self.counts["join" if level is None else "bot"] += 1
            case commands.Mix(_, words):
                self.words.add(words)
            case command:
                self.counts[type(command).__name__.lower()] += 1

    def _seats(self) -> Iterator[tuple[Stream, int | None]]:
        """Give each stream, and the seat that it is heard from."""
        yield WATCHERS, None
        for seat, core in self.table.seated().items():
            if core.level is None:
                yield core.name, seat

    def _look(self, step: Step, sights: dict[Place, list[Sight]]) -> None:
        for stream, seat in self._seats():
            place = (stream, len(self.streams[stream]))
            if place in sights:
                view = self.table.seen_by(seat, step.entry.at)
                turn = self.table.turn_of(seat, step.entry.at)
                written = messages.write_view(view), messages.write_turn(turn, self.table.code)
                shown, told = map(json.loads, written)
                sights[place].append(Sight(shown["view"], told))


def _plain(event: Any) -> Message:
    """Write an event as the record has it, which is not how the door writes it."""
    written: Message = json.loads(json.dumps(write_event(event)))
    del written["to"]
    return {"event": written.pop("is"), **written}


def open_story(kept: Kept, registry: Registry) -> Story:
    """Set up the table of a record."""
    return Story(Hall(registry).open(read_open(json.loads(kept.lines[0])["command"])))


# -- what was told --------------------------------------------------------------------


def places_of(stream: Stream, link: Link) -> Iterator[Place]:
    """Name the places at which a table was shown on a link, or a turn was told."""
    for number, _ in [*link.views, *link.turns]:
        yield stream, number


def check_link(
    stream: Stream, link: Link, story: Story, sights: Mapping[Place, Sequence[Sight]]
) -> None:
    """Check that all that was told on a link is, number by number, what the record gives."""
    events = story.streams.get(stream, [])
    for number, message in link.told:
        told = _without({"n", "table"}, message)
        if number > len(events) or told != events[number - 1]:
            recorded = events[number - 1] if number <= len(events) else "nothing"
            raise Wrong(f"{stream} was told {message}, in the record is {recorded}")
    for number, view in link.views:
        _check_sight(view, [each.view for each in sights[stream, number]])
    for number, turn in link.turns:
        _check_sight(turn, [each.turn for each in sights[stream, number]])


def _check_sight(told: Message, recorded: Sequence[Message]) -> None:
    """Check that a table did stand so, at whatever time it was looked at."""
    if not any(_is_told(told, each) for each in recorded):
        raise Wrong(f"this was shown: {told}; in the record is {recorded}")


def _is_told(told: Message, recorded: Message) -> bool:
    """Say whether one is as the other, but for the time; moves that were offered before may be left out."""
    left_out = {"at"} | ({"moves"} - told.keys())
    return _without(left_out, told) == _without(left_out, recorded)


def _without(names: AbstractSet[str], message: Message) -> Message:
    return {name: value for name, value in message.items() if name not in names}
