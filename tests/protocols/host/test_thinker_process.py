"""The process that thinks: what it answers, in which manner, and that it leaves room for others."""

from __future__ import annotations

import pickle
import signal
import time
from io import BytesIO
from random import Random

import pytest

from gamecore.bots import Thinker, bots_of
from gamecore.events import tell_nobody
from gamecore.fairness import Deal
from gamecore.parcel import pack
from gamecore.rules import Seat, installed_rules, sample
from gamecore.settings import choose_settings
from protocols.host import thinker_process
from protocols.host.thinker_pool import ThinkerPool
from protocols.host.thinker_process import LENGTH, frame, resting, run
from protocols.host.thinking import Question
from tests.patience import SECONDS
from tests.protocols.host.test_thinking import Processes

LEVELS = [
    (rules, level)
    for rules in installed_rules()
    for level, bot in bots_of(rules.kind).items()
    if isinstance(bot, Thinker)
]


@pytest.fixture
def heard_alarms():
    """Leave alarms to whoever had them."""
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("rules", "level"), LEVELS, ids=[f"{rules.kind}, {level}" for rules, level in LEVELS]
)
def test_it_answers_one_question_after_the_other_with_legal_moves(rules, level, heard_alarms):
    options = choose_settings(rules.options, {})
    seats = [Seat(f"player {seat}", sample(rules)) for seat in range(min(rules.seats))]
    position = rules.begin(seats, options, Deal("01" * 32), tell_nobody, 0.0)
    seat = min(position.to_move())
    guess = pack(position.guess(seat, Random(1)))
    question = Question(rules.kind, level, seat, 0.0, 1, guess, playouts=2)
    answers = BytesIO()
    run(BytesIO(frame(question) * 2), answers)
    answers.seek(0)
    for _ in range(2):
        (length,) = LENGTH.unpack(answers.read(LENGTH.size))
        assert pickle.loads(answers.read(length)) in position.legal_moves(seat)
    assert answers.read() == b""


def test_while_it_thinks_it_rests_again_and_again_and_only_then(monkeypatch, heard_alarms):
    rests = []
    monkeypatch.setattr(thinker_process.time, "sleep", rests.append)
    late = time.monotonic() + SECONDS
    with resting():
        while len(rests) < 3 and time.monotonic() < late:
            pass
    assert len(rests) >= 3
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize(("processors", "most"), [({4}, 1), ({0, 3}, 1), ({0, 1, 2, 3}, 3)])
def test_one_processor_of_those_that_the_daemon_may_use_is_left_to_it(
    processors, most, monkeypatch
):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: processors, raising=False)
    reactor = Processes()
    pool = ThinkerPool(reactor)
    answers = [pool.think(Question("nim", "thinker", 0, 0.0, 1, b"")) for _ in range(5)]
    assert len(reactor.started) == most
    pool.stop()
    for answer in answers:
        answer.addErrback(lambda _: None)
