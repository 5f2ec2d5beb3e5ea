"""Whatever is typed at the door of Rikiki is read or refused, and answered once."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.cards import PACK, Card
from gamecore.errors import Malformed
from gamecore.games.rikiki import Bid, PlayCard
from gamecore.rules import NextRound
from protocols.rikiki import wire
from protocols.rikiki.wire import Told

VERBS = st.sampled_from(sorted(wire.VERBS))
WORDS = st.one_of(
    st.sampled_from(["0", "1", "2", "-1", "x", "²", "AH", "th", "players=3", "cards=2", "private"]),
    st.sampled_from(["hook=last-over-x", "first=1", "first=99", "scoring=golf", "players=", "="]),
    st.text(max_size=8),
)
LINES = st.builds(lambda verb, words: " ".join([verb, *words]), VERBS, st.lists(WORDS, max_size=3))


@given(st.one_of(LINES, st.text(max_size=40)))
def test_a_line_is_a_command_or_malformed_with_a_key(line):
    try:
        request = wire.parse(line)
        if request.verb in ("BID", "PLAY", "NEXT"):
            wire.read_move(request)
        elif request.verb == "NEW":
            wire.read_options(request.words)
    except Malformed as problem:
        keys = ("unknown-command", "usage", "not-a-number", "bad-card")
        assert str(problem).startswith(keys)


@pytest.mark.parametrize("card", PACK, ids=str)
def test_a_card_is_read_in_any_case_and_written_as_rank_and_suit(card):
    for written in (str(card), str(card).lower(), card.signed):
        request = wire.parse(f"play {written}")
        assert wire.read_move(request) == PlayCard(card)
        assert request.ok() == f"OK PLAY {card}"


def test_moves_are_read():
    assert wire.read_move(wire.parse("bid 007")) == Bid(7)
    assert wire.read_move(wire.parse("NEXT")) == NextRound()


def test_options_are_read_under_the_names_of_the_wire():
    words = ["cards=5", "HOOK=last-over-3", "scoring=penalty", "private", "grace=5", "PASSWORD=Xy"]
    assert wire.read_options(words) == (
        {"first": "5", "hook": "last-over", "hook_over": "3", "scoring": "penalty"},
        {"start": "asked", "private": True, "grace": "5"},
        "Xy",
    )


def test_a_hand_is_written_from_the_highest_card_down():
    cards = [Card("2", "S"), Card("A", "H"), Card("10", "S"), Card("K", "D")]
    assert wire.cards_line(cards) == "AH KD 10S 2S"


FIELDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=8
)
TOLD = st.builds(
    Told,
    st.sampled_from(["JOINED", "HAND", "SAID", "TURN", "BIDS", "BYE"]),
    st.lists(FIELDS, max_size=4).map(" ".join),
    st.integers(0, 10**6),
)
ANSWERS = st.builds(Told, st.sampled_from(["OK", "ERR", "#"]), st.sampled_from(["", "BID 1 @5"]))


@given(st.lists(st.one_of(TOLD, ANSWERS), max_size=6), st.data())
def test_what_is_told_is_read_as_it_is_written(told, data):
    stream = "".join(f"{wire.write(each)}\r\n" for each in told).encode()
    reader, cut = wire.ToldReader(), data.draw(st.integers(0, len(stream)))
    assert [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])] == told


@given(TOLD)
def test_who_is_told_without_numbers_takes_none_for_one(told):
    assert wire.read(wire.write(told), counted=False).number is None


@given(VERBS, st.lists(FIELDS, max_size=3))
def test_a_command_is_read_as_it_is_written(verb, words):
    with suppress(Malformed):
        request = wire.parse(wire.Request(verb, words).line)
        assert (request.verb, request.words) == (verb, words)


@given(st.lists(st.tuples(st.integers(0, 2), LINES), max_size=25))
def test_each_command_is_answered_once_and_in_order(rikiki_door, said):
    with rikiki_door() as door:
        _, *people = door.table("Ann", "Ben", "Cat", options="cards=2")
        people[0].type("START")
        for person in people:
            person.news()
        for who, line in said:
            person = people[who]
            line = " ".join(line.split())
            if person.closed or line.startswith("QUIT") or len(line.encode()) > wire.LIMIT:
                continue
            told = person.type(line)
            for each in told:
                assert wire.write(wire.read(each)) == wire.write(wire.read(each, False)) == each
            answers = [each for each in told if each.startswith(("OK ", "ERR "))]
            assert len(answers) == 1
            if answers[0].startswith("OK"):
                assert answers[0].split()[1] == line.split()[0].upper()


def test_a_client_that_ends_its_input_still_gets_its_answers(rikiki_door):
    with rikiki_door() as door:
        person = door.connect()
        person.link.dataReceived(b"NAME Ann\nNEW players=2\nTABLES")
        person.link.readConnectionLost()
        door.settle()
        answers = [line.split()[1] for line in person.news() if line.startswith("OK")]
        assert answers == ["NAME", "NEW", "TABLES"]
        door.clock.advance(3)
        assert person.closed
