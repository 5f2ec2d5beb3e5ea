"""What the pages of a game are drawn from, made of a position alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from protocols.i18n.translate import ENGLISH, Translator
from protocols.web.game_pages import GamePages
from protocols.web.sight import Sight


def see(
    pages: GamePages,
    position,
    seat: int | None,
    names: Sequence[str],
    at=None,
    say: Translator = ENGLISH,
) -> Mapping[str, object]:
    """Give the facts of one seat's page, or of a watcher's; ``at`` is the moment that it shows."""
    view = SimpleNamespace(board=position.seen_by(seat), seat=seat, names=tuple(names))
    moves = () if seat is None or at is not None else tuple(position.legal_moves(seat))
    role = "watcher" if seat is None else "player"
    return pages.facts(
        Sight(view, moves, say, role, tuple(names), frozen=at is not None),
        at,
    )
