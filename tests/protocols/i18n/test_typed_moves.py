"""Every legal move of every game has words of its own, that are read back as that very move."""

from __future__ import annotations

from random import Random

import pytest

from gamecore.rules import installed_rules
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import ENGLISH, translator_of
from tests.secrecy.pairs import Playing

GAMES = {each.kind: (each, find_text(each.kind)) for each in installed_rules()}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", GAMES)
def test_a_move_that_is_typed_is_read_as_itself_in_every_language(kind, seed):
    rules, text = GAMES[kind]
    chance = Random(f"{kind} {seed}")
    playing = Playing.begin(rules, chance)
    tried = 0
    for _ in range(400):
        for seat in sorted(playing.position.to_move()):
            moves = list(playing.position.legal_moves(seat))
            board = playing.position.seen_by(seat)
            words = [text.typed(move, board) for move in moves]
            assert len(set(words)) == len(moves), words
            for move, typed in zip(moves, words, strict=True):
                say = chance.choice([ENGLISH, translator_of("fr")])
                assert text.read(typed.split(), moves, board, say) == move, typed
                tried += 1
        if not playing.step():
            break
    assert tried > 5


@pytest.mark.parametrize("kind", GAMES)
def test_what_is_typed_fits_into_a_line_of_a_terminal(kind):
    rules, text = GAMES[kind]
    playing = Playing.begin(rules, Random(kind))
    while playing.step():
        for seat in playing.position.to_move():
            board = playing.position.seen_by(seat)
            for move in playing.position.legal_moves(seat):
                typed = text.typed(move, board)
                assert typed.isascii() and typed.isprintable() and len(typed) < 79
