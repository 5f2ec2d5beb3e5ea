"""What the journal says: every table played again from its committed lines, and the stream of each audience."""

from __future__ import annotations

import json
from hashlib import sha256

from gamecore.events import heard_by
from gamecore.hall import Hall
from gamecore.record import FIRST, Entry, build, read_command, read_open
from gamecore.table_events import GameOver
from protocols.jsonlines.messages import numbered, render_events, write_view


class Twin:
    """One table, played again line by line as its lines are committed."""

    def __init__(self, registry):
        self.hall = Hall(registry)
        self.table = None
        self.count = 0
        self.head = FIRST
        self.streams = {None: []}
        self.games = 0

    def take(self, line):
        """Play one more line."""
        entry = build(Entry, json.loads(line))
        assert (entry.sequence, entry.previous) == (self.count, self.head), "the chain is broken"
        self.count += 1
        self.head = sha256(line).hexdigest()
        if self.table is None:
            self.table = self.hall.open(read_open(entry.command))
            return
        command = read_command(entry.command, self.table.rules)
        before = {core.token for core in self.table.seated().values() if core.token is not None}
        events = self.table.apply(command, entry.at)
        self.games += sum(isinstance(event, GameOver) for event in events)
        self.streams[None].extend(heard_by(None, events))
        for seat, core in self.table.seated().items():
            if core.token is not None:
                self.streams.setdefault(core.token, []).extend(heard_by(seat, events))
                before.discard(core.token)
        for token in before:  # whose seat went with this: they hear of it as anybody does
            self.streams.setdefault(token, []).extend(heard_by(None, events))

    def seat_of(self, token):
        """Find the seat of the player with this hash, if there is one."""
        cores = self.table.seated().items()
        return next((seat for seat, core in cores if core.token == token), None)


class Book:
    """The twins of all tables there ever were."""

    def __init__(self, house):
        self.house = house
        self.twins = {}
        self._read = 0
        self.changed = set()
        self.events = self.views = 0

    def read_on(self):
        """Take in what was committed since the last time."""
        log = self.house.disk.log
        while self._read < len(log):
            code, line = log[self._read]
            self._read += 1
            if code not in self.twins:
                self.twins[code] = Twin(self.house.registry)
            self.twins[code].take(line)
            self.changed.add(code)

    @property
    def lines(self):
        """How many lines were committed."""
        return self._read

    def _twin(self, code, robot):
        self.read_on()
        assert code in self.twins, f"{robot} was told of {code}, which is in no journal"
        return self.twins[code]

    def check_event(self, robot, code, token, number, line):
        """See that an event is, to the byte, the one that the journal gives for this place in the stream."""
        stream = self._twin(code, robot).streams.get(token, [])
        assert number <= len(stream), f"{robot} was told event {number} of {len(stream)} at {code}"
        event = stream[number - 1]
        expected = numbered(render_events((event,), ()), code, number - 1)
        assert line + b"\n" == expected, (
            f"{robot} was told {line!r}, the journal gives {expected!r}"
        )
        self.events += 1

    def check_view(self, robot, code, token, number, view):
        """See that a View is the one that the journal gives, if that has not gone on since."""
        twin = self._twin(code, robot)
        stream = twin.streams.get(token, [])
        assert number <= len(stream), f"{robot} was shown event {number} of {len(stream)}"
        seat = None if token is None else twin.seat_of(token)
        if number < len(stream) or (token is not None and seat is None):
            return
        expected = json.loads(write_view(twin.table.seen_by(seat, view["at"])))["view"]
        assert view == expected, f"{robot} was shown {_difference(view, expected)} at {code}"
        self.views += 1


def _difference(one, other):
    if not isinstance(one, dict):
        return f"{one!r} for {other!r}"
    keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
    return {key: (one.get(key), other.get(key)) for key in sorted(keys)}
