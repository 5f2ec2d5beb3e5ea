"""A language as pages set it."""

from __future__ import annotations

import re

import pytest

from protocols.i18n.translate import translator_of
from protocols.web.typeset import set_line
from tests.protocols.web.conftest import part


@pytest.mark.parametrize(
    ("language", "line", "drawn"),
    [
        ("fr", "Vos cartes : K♠ Q♦ J♥ A♣ 10♦.", "Vos cartes\u00a0: R♠ D♦ V♥ A♣ 10♦."),
        ("fr", "BJ♦ RK Q", "BJ♦ RK Q"),
        ("en", "Your cards: K♠ Q♦ J♥.", "Your cards: K♠ Q♦ J♥."),
    ],
)
def test_a_card_in_a_line_is_named_as_it_is_drawn(language, line, drawn):
    assert set_line(line, translator_of(language)) == drawn


@pytest.mark.parametrize("kind", ["gops", "pass123", "rikiki"])
def test_the_story_and_the_replay_name_cards_as_they_are_drawn(party, kind):
    names = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay") if kind == "pass123" else ("Ann", "Ben")
    table = party(*names, kind=kind, **({"game.players": len(names)} if kind != "gops" else {}))
    table.come().start()
    ann, lines = table.players["Ann"], ""
    ann.language = "fr"
    for number in range(60):
        if table.table.stage.value != "playing":
            break
        table.move()
        if number % 3 == 2:  # a story is of six lines
            lines += part(ann.get(ann.at).text, "p-log")
    assert re.search("[VDR][♠♥♦♣]", lines)
    assert not re.search("[JQK][♠♥♦♣]", lines)
    table.wish("abandon")
    lines = "".join(ann.get(f"{ann.at}replay?at={at}").text for at in range(3, 40, 3))
    assert not re.search("[JQK][♠♥♦♣]", lines)
