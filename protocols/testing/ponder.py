"""Who thinks for bots and people in a test: for as long as the test likes, or at once by what a seat sees."""

from __future__ import annotations

from zlib import crc32

from twisted.internet.defer import Deferred, succeed

from gamecore.parcel import unpack
from gamecore.rules import Move
from protocols.host.thinking import NotThought, Question


class Ponder:
    """Keeps what it is ``asked``, each with the answer that the test gives when it likes."""

    def __init__(self) -> None:
        self.asked: list[tuple[Question, Deferred[Move]]] = []

    def think(self, question: Question) -> Deferred[Move]:
        """Keep a question; its answer is the test's."""
        answer: Deferred[Move] = Deferred()
        self.asked.append((question, answer))
        return answer

    def of(self, seat: int) -> list[Deferred[Move]]:
        """Give the answers to what was asked about a seat."""
        return [answer for question, answer in self.asked if question.seat == seat]

    def stop(self) -> None:
        """Let all fail that was not answered."""
        for _, answer in self.asked:
            if not answer.called:
                answer.errback(NotThought())


class ByView:
    """Chooses at once, by all that a question shows of its seat and by nothing else that is in it."""

    def think(self, question: Question) -> Deferred[Move]:
        """Choose a move."""
        position = unpack(question.parcel)
        moves = position.legal_moves(question.seat)
        shown = repr((question.kind, question.level, position.seen_by(question.seat), moves))
        return succeed(moves[crc32(shown.encode()) % len(moves)])

    def stop(self) -> None:
        """Have nothing to let go of."""
