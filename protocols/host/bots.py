"""The bots of the house: one for each seat that has a level, asked whenever its seat is to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from gamecore.bots import find_bot
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.rules import NextRound
from gamecore.table import Table
from protocols.host.bot_face import BotFace, Mover
from protocols.host.live_table import LiveTable
from protocols.host.place import Place
from protocols.host.thinking import Thinking, ask_about


class Bots:
    """Seats a bot wherever a seat has a level, and asks it when it is to move."""

    def __init__(
        self,
        host: Mover,
        chance: Random,
        post: Callable[..., None],
        again: Callable[[LiveTable], None],
        thinking: Thinking,
    ) -> None:
        """Play through a host; ``post`` takes a face, what it is to hear, and with what, in the one order."""
        self._thinking = thinking
        self._host = host
        self._chance = chance
        self._post = post
        self._again = again

    def seat(self, live: LiveTable) -> None:
        """Give every seat that has a level its bot, and let go of bots that lost theirs."""
        table = live.table
        players = [core for core in table.seated().values() if core.level is not None]
        kept = [bot for bot in live.bots if any(map(bot.plays_for, players))]
        for bot in live.bots:
            if bot not in kept:
                bot.stop()
        for core in players:
            if core.level is not None and not any(bot.plays_for(core) for bot in kept):
                bot_at_level = find_bot(table.rules.kind, core.level)
                again = partial(self._again, live)
                place = Place(table.code, core)
                kept.append(
                    BotFace(self._host, place, bot_at_level, self._chance, again, self._thinking)
                )
        live.bots = kept

    def ask(self, live: LiveTable, now: float) -> None:
        """Ask each bot whose seat is to move, once, with what its seat may know."""
        table = live.table
        for seat, bot in _to_move(live).items():
            if not bot.asked:
                bot.asked = True
                view, moves = table.seen_by(seat, now), table.legal_moves(seat)
                question = None
                if bot.thinks_ahead and len(moves) > 1:
                    level = table.seated()[seat].level or ""
                    question = ask_about(table, seat, level, now, self._chance)
                self._post(bot, bot.ask, view, moves, question)

    @staticmethod
    def awaited(live: LiveTable) -> bool:
        """Say whether a bot is to move."""
        return bool(_to_move(live))


def _to_move(live: LiveTable) -> Mapping[int, BotFace]:
    """Find the bots that are to move, by seat: when the next round begins people say, where some play."""
    if not live.bots:
        return {}
    table = live.table
    awaited = table.awaited()
    bots = {bot.seat: bot for bot in live.bots if bot.seat is not None and bot.seat in awaited}
    if table.stage is Stage.BETWEEN_ROUNDS and _people_play(table):
        return {
            seat: bot for seat, bot in bots.items() if NextRound() not in table.legal_moves(seat)
        }
    return bots


def _people_play(table: Table) -> bool:
    return any(
        core.level is None and table.presence(seat) is not Presence.GONE
        for seat, core in table.seated().items()
    )
