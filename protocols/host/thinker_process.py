"""The process that thinks: it reads questions, each behind its length, and writes moves in the same manner."""

from __future__ import annotations

import os
import pickle
import struct
import sys
import time
from random import Random
from typing import BinaryIO

from gamecore.bots import Thinker, find_bot
from gamecore.parcel import unpack
from gamecore.rules import Move
from gamecore.search import think_as
from protocols.host.thinking import Question

LENGTH = struct.Struct("!I")
_NICE = 10  # players' moves come before what a bot thinks


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


def run(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more questions."""
    while len(head := questions.read(LENGTH.size)) == LENGTH.size:
        question = pickle.loads(questions.read(*LENGTH.unpack(head)))
        answers.write(frame(answer(question)))
        answers.flush()


if __name__ == "__main__":
    os.nice(_NICE)
    run(sys.stdin.buffer, sys.stdout.buffer)
