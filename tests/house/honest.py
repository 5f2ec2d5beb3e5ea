"""A history in which everything is right, made by the rules alone: what forgers begin with."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from attrs import Factory, define

from gamecore.commands import Command, Open, Play, Sit
from gamecore.events import heard_by
from gamecore.fairness import DEAL_VERSION
from gamecore.hall import Hall
from gamecore.record import FIRST, write_command, write_record
from gamecore.record_file import write_event
from gamecore.replay import write_game
from gamecore.rules import Registry, installed_rules, sample
from gamecore.settings import plain_settings
from gamecore.table import TABLE_VERSION
from gamecore.table_options import TableOptions
from protocols.jsonlines import messages
from tests.house.diary import JSON, NIM, Diary
from tests.house.records import Kept, Plain, read_table
from tests.house.witness import Seen

REGISTRY = Registry(installed_rules())
CODE = "AAAAA"
SEED = "ab" * 32
NAMES = ("ann", "bob")
_OPTIONS = {"rikiki": {"players": 2, "max": 3}, "pass123": {"players": 2}}


@define(eq=False)
class History:
    """One game of two: what each sent and heard, the lines of the record, what the database saw."""

    kind: str
    diaries: list[Diary]
    lines: list[bytes] = Factory(list)
    seen: list[Seen] = Factory(list)

    @property
    def kept(self) -> Kept:
        """The table, as its record has it."""
        return read_table(CODE, write_game(self.lines, REGISTRY))


def play(kind: str, wire: str = JSON, seed: int = 1) -> History:
    """Play a game by chance, in which nothing goes wrong; ``wire`` is that by which both came."""
    return _Scribe(kind, wire, Random(seed)).history


class _Scribe:
    """Applies commands, and writes down all that they lead to."""

    def __init__(self, kind: str, wire: str, chance: Random) -> None:
        rules = REGISTRY.latest(kind)
        self.history = History(kind, [Diary(name, wire) for name in NAMES])
        self._wire = wire
        self._head = FIRST
        self._told = [0, 0]
        self._made = [0, 0]
        options = plain_settings(rules.options(**_OPTIONS.get(kind, {})))
        versions = rules.version, TABLE_VERSION, DEAL_VERSION
        house = plain_settings(TableOptions())
        opened = Open(CODE, kind, *versions, "", SEED, options, house)
        self._table = Hall(REGISTRY).open(opened)
        self._write(opened)
        for seat, name in enumerate(NAMES):
            self._do(Sit(seat, name, f"{seat}" * 64, brought=sample(rules)))
            self._arrive(seat)
        while awaited := self._table.awaited():
            seat = chance.choice(sorted(awaited))
            self._move(seat, chance.choice(self._table.legal_moves(seat)))

    def _write(self, command: Command) -> None:
        number = len(self.history.lines)
        record = write_record(CODE, number, float(number), float(number), command, self._head)
        self._head = record.hash
        self.history.lines.append(record.line)
        seen = self.history.seen
        if not seen:
            seen.append(Seen(1, "1", 0.0, "owner", CODE, 0, 1))
        seen.append(
            Seen(number + 2, f"{number}", float(number), "record", CODE, number, 1, record.line)
        )

    def _do(self, command: Command) -> None:
        self._write(command)
        events = self._table.apply(command, float(len(self.history.lines) - 1))
        for seat in self._table.seated():
            for event in heard_by(seat, events):
                self._told[seat] += 1
                self._tell(seat, _plain(event), command)

    def _tell(self, seat: int, event: Plain, command: Command) -> None:
        diary = self.history.diaries[seat]
        if self._wire == NIM:
            if event["event"] in ("Taken", "Faulted"):
                diary.heard(1, _nim_state(event))
        elif not (isinstance(command, Sit) and command.seat == seat and not diary.lines):
            _hear(diary, {"n": self._told[seat], "table": CODE, **event})

    def _arrive(self, seat: int) -> None:
        """Let a player be given a token, and shown the table."""
        diary = self.history.diaries[seat]
        token = f"{CODE}.{'xy'[seat] * 32}"
        if self._wire == NIM:
            diary.sent(1, b'{"name": "%s", "order": %d}' % (diary.name.encode(), seat))
            _hear(diary, {"init_stones": 20, "token": token, "played": 0})
            return
        diary.sent(1, json.dumps({"do": "join", "id": 0, "table": CODE}).encode())
        _hear(diary, {"reply": 0, "ok": True})
        _hear(diary, {"token": token, "table": CODE})
        view = messages.write_view(self._table.seen_by(seat, float(len(self.history.lines) - 1)))
        diary.heard(1, view.rstrip())
        self._told[seat] = json.loads(view)["n"]

    def _move(self, seat: int, move: Any) -> None:
        diary, number = self.history.diaries[seat], self._made[seat]
        self._made[seat] += 1
        written = json.loads(write_command(Play(seat, move)))["move"]
        if self._wire == NIM:
            sent = {"num_stones": written["stones"], "reset": False, "n": number}
        else:
            sent = {"do": "play", "id": number + 1, "n": number, "move": written}
        diary.sent(1, json.dumps(sent).encode())
        self._do(Play(seat, move))
        if self._wire == JSON:
            _hear(diary, {"reply": number + 1, "ok": True, "played": number + 1})


def _hear(diary: Diary, message: Plain) -> None:
    diary.heard(1, json.dumps(message).encode())


def _plain(event: Any) -> Plain:
    written: Plain = json.loads(json.dumps(write_event(event)))
    del written["to"]
    return {"event": written.pop("is"), **written}


def _nim_state(event: Plain) -> bytes:
    over = event["event"] == "Faulted" or event["won"]
    state: Plain = {"finished": over, "stones_left": event["board"]["left"]}
    state["winner"] = NAMES[event["seat"]] if over else None
    state |= {f"player_{seat}": {"name": name} for seat, name in enumerate(NAMES)}
    return json.dumps(state).encode()


def retold(history: History, place: int, who: int = 0) -> Plain:
    """Give what somebody heard or sent as their line at a place."""
    message: Plain = json.loads(history.diaries[who].lines[place].data)
    return message
