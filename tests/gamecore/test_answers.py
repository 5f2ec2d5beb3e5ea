"""A position is asked once a command, whoever wants to know, and anew behind the next."""

from __future__ import annotations

from collections import Counter

import pytest

from gamecore import commands
from gamecore.answers import Answers
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Take
from gamecore.table_view import Detail


class Counted:
    """A position that counts how often it is asked."""

    def __init__(self, position):
        self.position = position
        self.asked = Counter()

    def __getattr__(self, name):
        found = getattr(self.position, name)
        if name not in ("to_move", "due", "legal_moves", "seen_by"):
            return found

        def answer(*seat):
            self.asked[name, *seat] += 1
            return found(*seat)

        return answer


@pytest.fixture
def counted(begun):
    """Let a game of Nim begin, and count what its position is asked."""
    game = begun(NIM)
    own = game.table._game
    own._live = position = Counted(own._live)
    own._answers = Answers(position)
    return game, position


def ask_everything(table):
    for _ in range(3):
        for seat in (None, 0, 1):
            for detail in Detail:
                table.turn_of(seat, 1.0, detail)
            table.seen_by(seat, 1.0)
        table.awaited(), table.alarm_at(), table.alarm(), table.quiet()


def test_each_question_is_asked_once_however_many_want_to_know(counted):
    game, position = counted
    ask_everything(game.table)
    assert set(position.asked.values()) == {1}
    assert {seat for name, *seats in position.asked for seat in seats} == {None, 0, 1}


def test_behind_a_move_the_answers_are_new(counted):
    game, position = counted
    ask_everything(game.table)
    before = game.table.seen_by(0, 1.0).board
    game.do(commands.Play(0, Take(1)))
    position.asked.clear()
    ask_everything(game.table)
    assert set(position.asked.values()) == {1}
    assert game.table.seen_by(0, 1.0).board != before
    assert game.table.awaited() == {1}


def test_what_is_refused_changes_no_answer(counted):
    game, _ = counted
    before = game.table.turn_of(0, 1.0)
    assert game.refuses(commands.Return(0)) == "not-away"
    assert game.table.turn_of(0, 1.0) == before


def test_a_turn_holds_no_more_than_was_asked_for(begun):
    table = begun(NIM).table
    turns = {detail: table.turn_of(0, 1.0, detail) for detail in Detail}
    board, view = table.seen_by(0, 1.0).board, table.seen_by(0, 1.0)
    assert {each.moves for each in turns.values()} == {table.legal_moves(0)}
    assert [turns[each].board for each in Detail] == [None, board, board, board]
    assert [turns[each].view for each in Detail] == [None, None, None, view]
    others = [table.turn_of(1, 1.0, detail) for detail in Detail]
    assert [each.board for each in others] == [None, None, board, board]
