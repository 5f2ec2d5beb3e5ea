"""A crowd that types anything at any time: nobody is left without an answer, and nothing is left behind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gamecore.rules import installed_rules
from protocols.i18n.game_text import find_text
from protocols.lobby.commands import ALL_GAMES

COMMANDS = ALL_GAMES.known

ALL = [rules for rules in installed_rules() if find_text(rules.kind) is not None]
KINDS = [rules.kind for rules in ALL]
VERBS = sorted({verb for kind in KINDS for verb in find_text(kind).verbs})
NEVER = ("quit",)

arguments = st.one_of(
    st.just(""),
    st.sampled_from(
        [*KINDS, "easy", "random", "start=asked", "private", "password x", "on", "TABLE"]
    ),
    st.integers(0, 12).map(str),
    st.text(max_size=12),
)
lines = st.one_of(
    st.tuples(
        st.sampled_from([*(word for word in COMMANDS if word not in NEVER), *VERBS]), arguments
    ),
    st.tuples(
        st.sampled_from(["play", "open", "join", "bot", "start", "rematch", "leave"]), arguments
    ),
    st.tuples(st.just(""), st.integers(1, 4).map(str)),
)
deeds = st.one_of(
    st.tuples(st.integers(0, 2), lines),
    st.tuples(st.integers(0, 2), st.sampled_from(["hang up", "half close", "wait", "lag"])),
)


def do(home, people, who, deed):
    if deed == "hang up":
        people[who].hang_up()
        people[who] = home.call()
    elif deed == "half close":
        people[who].end_input()
        assert people[who].closed
        people[who].hang_up()
        people[who] = home.call()
    elif deed == "wait":
        home.clock.pump([6, 0, 0])
        home.settle()
    elif deed == "lag":
        people[who].link.pauseProducing()
        home.settle()
        people[who].link.resumeProducing()
    else:
        type_line(home, people[who], " ".join(deed))


def type_line(home, person, line):
    if home.tables:
        line = line.replace("TABLE", home.tables[-1].code)
    person.link._bucket._tokens = 100.0
    person.clear()
    person.say(line.encode() + b"\r\n")
    home.settle()
    waits = person.link.session._pending is not None
    if line.strip("/ \t\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029") and not waits:
        home.clock.pump([6, 0, 0])  # should bots hesitate
        home.settle()
        assert person.closed or b"[" in person.value(), line


@given(deeds=st.lists(deeds, max_size=25))
def test_whatever_is_typed_is_answered_and_leaves_nothing_behind(lobby, deeds):
    with lobby(rules=ALL) as home:
        people = [home.call() for _ in range(3)]
        for who, deed in deeds:
            do(home, people, who, deed)
