"""Finished games: their record file made, read and played again, and redone by anyone's script."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from random import Random

import pytest

from gamecore import commands
from gamecore.fairness import commitment
from gamecore.game import Stage
from gamecore.games.nim import Take
from gamecore.player import Presence
from gamecore.record import read_records
from gamecore.record_file import (
    read_audience,
    read_event,
    read_game,
    shareable,
    write_event,
    write_line,
)
from gamecore.replay import RulesGone, play_back, write_ended, write_game
from gamecore.rules import Registry, installed_rules
from gamecore.table import Table
from gamecore.verification import verify

WORDS = ("a word of wren's", 'robin says "hm" \u202e\x1b[2J', "ünïcödé")
INSTALLED = {rules.kind: rules for rules in installed_rules()}
SHORT = {"rikiki": {"first": 4}}  # options of a game that lasts long


# -- games to write down --------------------------------------------------------------


def move_at_random(watched, chance):
    """Let one of those who are to move do something; now and then somebody is gone for a moment."""
    table = watched.table
    seat = chance.choice(sorted(table.awaited()))
    watched.now += chance.random() / 8
    if chance.random() < 0.2 and table.presence(seat) is Presence.HERE:
        watched.do(commands.Drop(seat, "grace"))
        watched.do(commands.Return(seat), watched.now + 0.125)
    watched.do(commands.Play(seat, chance.choice(table.legal_moves(seat))))


def play_at_random(watched, sitting, rules, chance, people):
    """Play a whole game, begin another, play some of it, and give it up."""
    for seat in range(people):
        watched.do(sitting(rules, seat), watched.now + 0.5)
        watched.do(commands.Mix(seat, WORDS[seat % 3]))
    watched.do(commands.Start())
    while watched.table.stage is not Stage.OVER:
        move_at_random(watched, chance)
    watched.do(commands.Rematch("a7" * 32), watched.now + 3)
    watched.do(commands.Mix(1, "once more"))
    watched.do(commands.Start())
    for _ in range(3):
        if watched.table.awaited():
            move_at_random(watched, chance)
    if watched.table.stage is not Stage.OVER:
        watched.do(commands.Abandon("empty"))
    return watched


@pytest.fixture(scope="session")
def registry(high):
    return Registry([*INSTALLED.values(), high.RULES])


@pytest.fixture(scope="session")
def recorded(high, watched, sitting):
    """Give ``recorded(kind, seed)``: a table of that game where somebody played at random; nobody changes it."""

    @cache
    def record(kind="nim", seed=1):
        rules = high.RULES if kind == "high" else INSTALLED[kind]
        people = rules.seats[0]
        table = watched(rules, SHORT.get(kind, {}), start="asked")
        return play_at_random(table, sitting, rules, Random(seed), people)

    return record


@pytest.fixture(scope="session")
def file(recorded, registry):
    """The record file of a table of Nim."""
    return write_game(recorded().lines(), registry)


# -- writing, reading, playing again --------------------------------------------------


@pytest.mark.parametrize("kind", [*INSTALLED, "high"])
@pytest.mark.parametrize("seed", range(2))
def test_what_is_written_is_read_and_holds(recorded, registry, kind, seed):
    watched = recorded(kind, seed)
    lines = watched.lines()
    data = write_game(lines, registry)
    game = read_game(data)
    assert list(game.lines) == lines
    assert list(game.entries) == read_records(lines)
    assert game.opened == watched.opened
    heard = [list(map(write_event, step.events)) for step in play_back(lines, registry)]
    assert [list(events) for events in game.events] == json.loads(json.dumps(heard))
    promises = [commitment("TABLE", game, seed) for game, seed in ((1, "5e" * 32), (2, "a7" * 32))]
    findings = verify(data, registry, promises, hashlib.sha256(lines[-1]).hexdigest())
    assert all(finding.holds for finding in findings), findings
    assert {"chain", "last", "sequence", "time", "seed", "words", "events", "end"} == {
        finding.check for finding in findings
    }


@pytest.mark.parametrize("kind", [*INSTALLED, "high"])
def test_every_step_of_a_replay_stands_where_the_table_stood(recorded, registry, kind):
    watched = recorded(kind)
    table = Table(watched.opened, watched.rules)
    steps = play_back(watched.lines(), registry)
    for (command, at), step in zip(watched.done, steps, strict=True):
        heard = () if command is watched.opened else table.apply(command, at)
        assert (step.command, step.entry.at, list(step.events)) == (command, at, list(heard))
        for seat in (None, *table.seated()):
            assert step.table.seen_by(seat, at) == table.seen_by(seat, at)
        assert step.table.alarm() == table.alarm()


def test_every_prefix_of_a_record_can_be_played(recorded, registry):
    watched = recorded()
    lines = watched.lines()
    for length in range(1, len(lines) + 1):
        *_, last = play_back(lines[:length], registry)
        assert last.entry.sequence == length - 1


def test_an_open_makes_nothing_happen(recorded, registry):
    first = next(play_back(recorded().lines(), registry))
    assert isinstance(first.command, commands.Open)
    assert first.events == ()


@pytest.mark.parametrize("kind", [*INSTALLED, "high"])
def test_every_event_that_was_stored_can_be_made_again(recorded, registry, kind):
    lines = recorded(kind).lines()
    rules = registry.latest(kind)
    game = read_game(write_game(lines, registry))
    for step, stored in zip(play_back(lines, registry), game.events, strict=True):
        made = [read_event(each, rules) for each in stored]
        assert list(map(write_event, made)) == list(map(write_event, step.events))
        assert [read_audience(each) for each in stored] == [each.audience for each in step.events]


def test_without_the_rules_a_file_is_read_but_not_written(recorded, file):
    assert read_game(file).opened.kind == "nim"
    with pytest.raises(RulesGone):
        write_game(recorded().lines(), Registry([]))


# -- what a password was sealed to -----------------------------------------------------

SEAL = "scrypt-16384-8-1$00ff$abcdef"


def locked(high, watched, sitting):
    """A table with a password, where a game was played to its end."""
    table = watched(INSTALLED["nim"], {"stones": 3}, start="asked", password=SEAL)
    for seat in (0, 1):
        table.do(sitting(INSTALLED["nim"], seat))
    table.do(commands.Start())
    table.do(commands.Play(0, Take(3)), 2.0)
    return table


def test_no_file_has_what_a_password_was_sealed_to(high, watched, sitting, registry):
    lines = locked(high, watched, sitting).lines()
    assert any(SEAL.encode() in line for line in lines)
    data = write_game(lines, registry)
    assert b"scrypt" not in data and b"abcdef" not in data
    game = read_game(data)  # its chain is whole
    assert game.opened.house["password"] == "sealed"
    last, promise = hashlib.sha256(game.lines[-1]).hexdigest(), commitment("TABLE", 1, "5e" * 32)
    assert all(finding.holds for finding in verify(data, registry, [promise], last))
    assert write_game(game.lines, registry) == shareable(data) == data


def test_a_file_that_was_kept_with_a_seal_is_given_without(high, watched, sitting, registry):
    lines = locked(high, watched, sitting).lines()
    steps = play_back(lines, registry)
    kept = b"".join(write_line(line, step.events) for line, step in zip(lines, steps, strict=True))
    assert SEAL.encode() in kept
    assert shareable(kept) == write_game(lines, registry)


# -- the games that are over, of a table that goes on ----------------------------------


def test_what_is_over_can_be_had_while_the_table_goes_on(recorded, registry):
    watched = recorded("gops")
    lines = watched.lines()
    over = [step.table.stage for step in play_back(lines, registry)].index(Stage.OVER) + 1
    assert write_ended(lines[: over - 1], registry) is None
    first = write_game(lines[:over], registry)
    again = next(place for place, line in enumerate(lines) if b"Rematch" in line)
    for length in range(over, again + 1):  # people may come and go meanwhile
        assert write_ended(lines[:length], registry).startswith(first)
    for length in range(again + 1, len(lines)):  # the next game is being played
        ended = write_ended(lines[:length], registry)
        assert ended == write_ended(lines[:again], registry)
        assert b"Rematch" not in ended
    assert write_ended(lines, registry) == write_game(lines, registry)


# -- anybody can redo it --------------------------------------------------------------


def check_by_hand(data):
    """Redo the chain and the commitments with nothing but the file, as anyone could."""
    previous, promises, game = "0" * 64, {}, 0
    for line in data.decode("utf-8").splitlines():
        line = json.loads(line)
        record = json.loads(line["record"])
        assert record["previous"] == previous
        previous = hashlib.sha256(line["record"].encode()).hexdigest()
        if record["command"]["is"] in ("Open", "Rematch"):
            game, words = game + 1, []
            told = json.dumps(
                [record["table"], game, record["command"]["seed"]], separators=(",", ":")
            )
            promises[game] = hashlib.sha256(told.encode()).hexdigest()
        if record["command"]["is"] == "Mix":
            words.append(record["command"]["words"])
        for event in line["events"]:
            if event["is"] == "Gathered":
                assert event["commitment"] == promises[event["number"]]
            if event["is"] == "SeedRevealed":
                told = json.dumps([record["table"], game, event["seed"]], separators=(",", ":"))
                assert promises.pop(game) == hashlib.sha256(told.encode()).hexdigest()
                assert event["words"] == words
    assert promises == {}
    return previous


@pytest.mark.parametrize("kind", [*INSTALLED, "high"])
def test_twenty_lines_of_anyones_script_find_the_same(recorded, registry, kind):
    data = write_game(recorded(kind).lines(), registry)
    last = check_by_hand(data)
    assert verify(data, registry)[0].says.endswith(f"the last is {last}")
