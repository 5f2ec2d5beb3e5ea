"""The process that thinks: it reads questions, each behind its length, and writes moves in the same manner."""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import BinaryIO

from gamecore.bots import Thinker, find_bot
from gamecore.parcel import unpack
from gamecore.rules import Move
from gamecore.search import think_as
from protocols.host.thinking import Question

LENGTH = struct.Struct("!I")
_NICE = 10  # players' moves come before what a bot thinks
_WORK_SECONDS, _REST_SECONDS = 0.002, 0.0001


def frame(message: object) -> bytes:
    """Write a message behind its length."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


def answer(question: Question) -> Move:
    """Think about a question for as long as it, or else its level, says; other bots decide at once."""
    bot = find_bot(question.kind, question.level)
    position = unpack(question.parcel)
    chance = Random(question.seed)
    if not isinstance(bot, Thinker):
        return bot.choose(
            position.seen_by(question.seat), position.legal_moves(question.seat), chance
        )
    return think_as(
        *(bot, position, question.seat, chance, question.now, question.playouts, time.monotonic)
    )


@contextmanager
def resting() -> Iterator[None]:
    """Rest for a moment every other millisecond.

    However nice it is, who computes without a rest may keep its processor until the system's next tick, some
    milliseconds; and a daemon that shares the processor would wait for it.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, lambda *_: time.sleep(_REST_SECONDS))
    signal.setitimer(signal.ITIMER_REAL, _WORK_SECONDS, _WORK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def run(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more questions."""
    while len(head := questions.read(LENGTH.size)) == LENGTH.size:
        question = pickle.loads(questions.read(*LENGTH.unpack(head)))
        with resting():
            move = answer(question)
        answers.write(frame(move))
        answers.flush()


if __name__ == "__main__":
    os.nice(_NICE)
    run(sys.stdin.buffer, sys.stdout.buffer)
