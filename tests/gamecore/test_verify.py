"""What is wrong with a record file is found and named, and what is right is said plainly."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import commands
from gamecore.fairness import canonical, commitment
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Take
from gamecore.record import FIRST, Unreadable
from gamecore.record_file import read_event, read_game
from gamecore.replay import write_game
from gamecore.rules import Registry
from gamecore.verification import verify

SECOND_SEED = "a7" * 32
PROMISES = [commitment("TABLE", game, seed) for game, seed in ((1, "5e" * 32), (2, SECOND_SEED))]


@pytest.fixture(scope="session")
def registry():
    return Registry([NIM])


@pytest.fixture(scope="session")
def lines(watched, sitting):
    """The journal of a table of Nim: one game with words played to its end, another given up."""
    table = watched(NIM, {"stones": 12}, start="asked")
    for seat in (0, 1):
        table.do(sitting(NIM, seat))
        table.do(commands.Mix(seat, f"words of {seat}"))
    table.do(commands.Start(), 1.5)
    for turn in range(4):
        table.do(commands.Play(turn % 2, Take(3)), 2.0 + turn)
    table.do(commands.Rematch(SECOND_SEED), 9.0)
    table.do(commands.Mix(1, "once more"))
    table.do(commands.Start())
    table.do(commands.Play(0, Take(1)), 10.5)
    table.do(commands.Drop(1, "grace"), 11.0)
    table.do(commands.Abandon("empty"), 60.0)
    return table.lines()


@pytest.fixture(scope="session")
def file(lines, registry):
    return write_game(lines, registry)


def split(data):
    """Give the lines of a record file as [events, record] pairs, both plain."""
    return [
        [json.loads(each)["events"], json.loads(json.loads(each)["record"])]
        for each in data.splitlines()
    ]


def join(parts, chained=True):
    """Write a record file from such pairs, its chain made whole again."""
    lines, previous = [], FIRST
    for events, record in parts:
        line = canonical({**record, "previous": previous} if chained else record)
        previous = hashlib.sha256(line).hexdigest()
        lines.append(canonical({"events": events, "record": line.decode()}) + b"\n")
    return b"".join(lines)


def last_of(data):
    """Give the hash that a file ends with, as anyone can."""
    last = json.loads(data.splitlines()[-1])["record"]
    return hashlib.sha256(last.encode()).hexdigest()


def failing(data, registry):
    """Name the checks that fail; one where nothing fails gives an empty set."""
    return {finding.check for finding in verify(data, registry) if finding.holds is False}


def find(parts, name):
    """Give the places of the records of one kind of command."""
    return [place for place, (_, record) in enumerate(parts) if record["command"]["is"] == name]


def event(parts, name):
    """Give the first event of a kind, to be changed."""
    return next(each for events, _ in parts for each in events if each["is"] == name)


# -- what does not hold is named ------------------------------------------------------


def test_the_test_can_take_a_file_apart_and_put_it_together(file):
    assert join(split(file)) == join(split(file), chained=False) == file


def test_a_change_in_any_record_but_the_last_breaks_the_chain(file, registry):
    for place in range(len(split(file)) - 1):
        parts = split(file)
        parts[place][1]["wall"] += 1
        wrong, *_ = verify(join(parts, chained=False), registry)
        assert (wrong.check, wrong.holds) == ("chain", False)
        assert wrong.says == f"record {place + 1} does not hold the hash of the one before"


def test_a_change_in_the_last_record_changes_the_last_hash(file, registry):
    parts = split(file)
    parts[-1][1]["wall"] += 1
    changed = join(parts, chained=False)
    assert failing(changed, registry) == set()
    assert verify(changed, registry)[0].says != verify(file, registry)[0].says


def test_a_line_that_is_gone_is_missed(file, registry):
    last = len(split(file)) - 1
    for place in range(last):
        parts = split(file)
        del parts[place]
        assert failing(join(parts, chained=False), registry) >= {"chain", "sequence"}
        assert "sequence" in failing(join(parts), registry)
    assert failing(join(split(file)[:last]), registry) == {"seed", "words", "end"}


def test_lines_in_another_order_are_found(file, registry):
    for place in range(len(split(file)) - 1):
        parts = split(file)
        parts[place : place + 2] = reversed(parts[place : place + 2])
        assert failing(join(parts, chained=False), registry) >= {"chain", "sequence"}
        assert "sequence" in failing(join(parts), registry)


def test_a_line_twice_is_found(file, registry):
    parts = split(file)
    assert failing(join([*parts[:3], parts[2], *parts[3:]]), registry) >= {"sequence"}


def test_time_that_runs_backwards_is_found(file, registry):
    parts = split(file)
    parts[-1][1]["at"] = 0.25
    assert failing(join(parts), registry) == {"time"}
    parts = split(file)
    parts[0][1]["at"] = -1.0
    assert "time" in failing(join(parts), registry)


def test_a_changed_event_is_found(file, registry):
    parts = split(file)
    event(parts, "Taken")["stones"] += 1
    assert failing(join(parts), registry) == {"events"}
    parts = split(file)
    event(parts, "Taken")["to"] = {"only": 1}
    assert failing(join(parts), registry) == {"events"}
    parts = split(file)
    assert event(parts, "Taken")["reset"] is False
    event(parts, "Taken")["reset"] = 0  # equal to Python, and another thing to read
    assert failing(join(parts), registry) == {"events"}


def test_an_event_too_few_or_too_many_is_found(file, registry):
    parts = split(file)
    place = find(parts, "Play")[0]
    taken = parts[place][0].pop()
    assert failing(join(parts), registry) == {"events"}
    parts[place][0].extend([taken, taken])
    wrong = next(each for each in verify(join(parts), registry) if each.check == "events")
    assert wrong.says == f"record {place}: the rules give 1 events, the file has 2"


def test_a_changed_move_is_found_though_the_chain_was_made_anew(file, registry):
    parts = split(file)
    command = parts[find(parts, "Play")[0]][1]["command"]
    command["move"]["stones"] = command["move"]["stones"] % 3 + 1
    assert failing(join(parts), registry) == {"events"}


def test_a_changed_seed_is_found(file, registry):
    for place in (find(split(file), "Open")[0], find(split(file), "Rematch")[0]):
        parts = split(file)
        parts[place][1]["command"]["seed"] = "00" * 32
        assert failing(join(parts), registry) == {"seed", "events"}
        assert failing(join(parts, chained=False), registry) == {"chain", "seed", "events"}
    parts = split(file)
    event(parts, "SeedRevealed")["seed"] = "00" * 32
    assert failing(join(parts), registry) == {"seed", "events"}


def test_a_seed_that_was_changed_wherever_it_is_told_does_not_keep_its_promise(file, registry):
    parts = split(file)
    parts[find(parts, "Rematch")[0]][1]["command"]["seed"] = "00" * 32
    parts[-1][0][-1]["seed"] = "00" * 32
    wrong = [each for each in verify(join(parts), registry) if each.holds is False]
    assert [each.check for each in wrong] == ["seed", "events"]
    assert wrong[0].says == "game 2: the seed told is not the one that was committed to"


def test_a_seed_told_of_the_wrong_game_or_not_at_all_is_found(file, registry):
    parts = split(file)
    event(parts, "SeedRevealed")["number"] = 2
    assert failing(join(parts), registry) == {"seed", "events"}
    parts = split(file)
    told = parts[-1][0].pop()
    assert failing(join(parts), registry) == {"seed", "words", "events"}
    parts[-1][0].extend([told, told])
    assert failing(join(parts), registry) == {"seed", "events"}


def test_changed_words_are_found(file, registry):
    for change in ({"words": "other"}, {"seat": 1, "words": "other"}):
        parts = split(file)
        parts[find(parts, "Mix")[0]][1]["command"].update(change)
        assert failing(join(parts), registry) == {"words", "events"}
    parts = split(file)
    event(parts, "SeedRevealed")["words"].reverse()
    assert failing(join(parts), registry) == {"words", "events"}


def test_a_game_without_an_end_is_found(lines, registry):
    begun = next(place for place, line in enumerate(lines) if b'"is":"Play"' in line)
    cut = write_game(lines[:begun], registry)
    wrong = [each for each in verify(cut, registry) if each.holds is False]
    assert [each.check for each in wrong] == ["seed", "words", "end"]
    assert wrong[-1].says == "game 1 has no end in this file"


def test_a_file_without_a_game_is_found(file, registry):
    parts = split(file)
    wrong = [each.check for each in verify(join(parts[1:3]), registry) if each.holds is False]
    assert wrong == ["sequence", "events", "end"]


def test_records_of_two_tables_are_told_apart(file, registry):
    parts = split(file)
    parts[4][1]["table"] = "OTHER"
    wrong = [each.says for each in verify(join(parts), registry) if each.holds is False]
    assert wrong == ["record 4 is one of another table"]
    parts = split(file)
    parts[0][1]["command"]["code"] = "OTHER"
    assert "sequence" in failing(join(parts), registry)
    with pytest.raises(Unreadable, match="opens another table"):
        read_game(join(parts))


def test_a_second_open_is_found(file, registry):
    parts = split(file)
    parts[2][1]["command"] = parts[0][1]["command"]
    wrong = [each.says for each in verify(join(parts), registry) if each.check == "sequence"]
    assert wrong == ["record 2 opens a table"]


def test_what_the_rules_refuse_is_named(file, registry):
    parts = split(file)
    parts[find(parts, "Start")[0]][1]["command"] = {"is": "Start", "late": 1}
    assert "events" in failing(join(parts), registry)
    parts = split(file)
    parts[1][1]["command"]["seat"] = 9
    wrong = next(each for each in verify(join(parts), registry) if each.check == "events")
    assert "record 1 is refused by the rules: no-such-seat (seat 9)" in wrong.says
    parts = split(file)
    parts[0][1]["command"]["seed"] = "no seed"
    wrong = next(each for each in verify(join(parts), registry) if each.check == "events")
    assert wrong.says.endswith("breaks the rules: ValueError")
    parts = split(file)
    parts[0][1]["command"]["options"] = {"stones": []}
    wrong = next(each for each in verify(join(parts), registry) if each.check == "events")
    assert "record 0 opens no table" in wrong.says


# -- what only somebody else's word can tell -------------------------------------------


def says_of(findings, check):
    return [(each.holds, each.says) for each in findings if each.check == check]


def test_what_nobody_told_us_is_not_checked_but_said(file, registry):
    findings = verify(file, registry)
    last = last_of(file)
    assert says_of(findings, "last") == [
        (None, f"compare the hash of the last record with others: {last}")
    ]
    told = "compare with what was promised before it was played"
    assert says_of(findings, "seed") == [
        (None, f"game {number}: {told}: {promise}") for number, promise in enumerate(PROMISES, 1)
    ]
    assert {each.check for each in findings if each.holds is None} == {"last", "seed"}


def test_who_was_told_of_one_game_checks_that_one(file, registry):
    findings = verify(file, registry, PROMISES[1:])
    assert [holds for holds, _ in says_of(findings, "seed")] == [None, True]
    assert not [each for each in findings if each.holds is False]


def test_a_promise_that_no_game_keeps_fails(file, registry):
    findings = verify(file, registry, ["00" * 32])
    assert says_of(findings, "promise") == [
        (False, f"the seed of no game here was promised by {'00' * 32}")
    ]


def test_a_last_hash_is_that_of_the_whole_file(file, registry):
    assert says_of(verify(file, registry, last=last_of(file)), "last") == [
        (True, "the last record has the hash that was told")
    ]
    shorter = b"".join(file.splitlines(keepends=True)[:3])
    ((holds, told),) = says_of(verify(file, registry, last=last_of(shorter)), "last")
    assert (holds, told.startswith("the first 3 of 16 records")) == (None, True)
    assert says_of(verify(shorter, registry, last=last_of(file)), "last") == [
        (False, "no record has the hash that was told: it is another game")
    ]


# -- where the rules are gone ---------------------------------------------------------


def test_without_the_rules_the_rest_still_counts(file):
    findings = verify(file, Registry([]), PROMISES, last_of(file))
    unknown = [finding for finding in findings if not finding.holds]
    assert [(finding.check, finding.holds) for finding in unknown] == [("events", None)]
    assert unknown[0].says.startswith("nim (rules 1, table 1, deal 1) is not installed here")
    assert len(findings) == 10
    parts = split(file)
    event(parts, "SeedRevealed")["seed"] = "00" * 32
    assert failing(join(parts), Registry([])) == {"seed"}


@pytest.mark.parametrize("version", ["rules", "table", "deal"])
def test_each_version_counts(file, registry, version):
    parts = split(file)
    parts[0][1]["command"][version] = 2
    findings = {each.check: each.holds for each in verify(join(parts), registry)}
    assert findings["events"] is None


# -- forgers ---------------------------------------------------------------------------


@given(st.data())
def test_no_byte_can_be_changed_unnoticed(file, registry, data):
    place = data.draw(st.integers(0, len(file) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != file[place]))
    changed = file[:place] + bytes([byte]) + file[place + 1 :]
    try:
        findings = verify(changed, registry)
    except Unreadable:
        return
    same_hash = findings[0] == verify(file, registry)[0]
    assert not same_hash or not all(finding.holds for finding in findings)


odd_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value, path=()):
    """List the path of every value in plain data."""
    yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, each in inner:
        yield from places(each, (*path, key))


@given(st.data())
def test_forged_files_are_read_or_unreadable(file, registry, data):
    parts = split(file)
    part = data.draw(st.sampled_from(parts))
    *path, last = data.draw(st.sampled_from([each for each in places(part) if len(each) > 1]))
    inner = part
    for key in path:
        inner = inner[key]
    inner[last] = data.draw(odd_json)
    try:
        game = read_game(join(parts))
    except Unreadable:
        pass
    else:
        for each in (each for events in game.events for each in events):
            read_event(each, NIM)
    with suppress(Unreadable):
        verify(join(parts), registry)
