"""What is needed first is loaded a piece at a time, before anybody asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from gamecore.bots import bots_of
from gamecore.rules import installed_rules
from protocols.daemon.load_ahead import PAUSE, LoadAhead, load_ahead
from protocols.i18n.game_text import find_text
from protocols.i18n.translate import languages
from protocols.web.factory import WebFactory
from protocols.web.render import _environment


def test_pieces_are_done_one_at_a_time_until_there_are_no_more(clock) -> None:
    done = []
    ahead = LoadAhead((done.append(number) for number in range(3)), clock)
    ahead.start()
    for number in range(3):
        assert len(done) == number
        clock.advance(PAUSE)
    clock.advance(PAUSE)
    assert done == [0, 1, 2] and not clock.getDelayedCalls()
    ahead.stop()


def test_a_daemon_that_ends_leaves_the_rest(clock) -> None:
    ahead = LoadAhead(iter([None] * 3), clock)
    ahead.start()
    clock.advance(PAUSE)
    ahead.stop()
    assert not clock.getDelayedCalls()


class Door:
    """A door that loads two things."""

    def __init__(self) -> None:
        self.loaded = 0

    def load_ahead(self) -> Iterator[None]:
        for _ in range(2):
            self.loaded += 1
            yield


def test_words_and_bots_of_all_games_are_loaded_and_what_doors_need() -> None:
    kinds = [rules.kind for rules in installed_rules()]
    find_text.cache_clear()
    bots_of.cache_clear()
    door = Door()
    assert len(list(load_ahead(kinds, [door]))) == len(languages()) + 2 * len(kinds) + 2
    assert find_text.cache_info().currsize == bots_of.cache_info().currsize == len(kinds)
    assert door.loaded == 2


def test_all_pages_are_compiled() -> None:
    _environment.cache_clear()
    pieces = list(WebFactory.load_ahead(object.__new__(WebFactory)))
    compiled = {name for _, name in _environment().cache}
    assert len(pieces) > len(compiled) > 20
    assert {"front.html", "frame.html", "castle/table.html"} <= compiled
