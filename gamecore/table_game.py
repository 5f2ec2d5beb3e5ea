"""The game of a table: what it is gathered for, how it goes on, how it ends; perhaps once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from gamecore.answers import Answers
from gamecore.commands import Abandon, Agree, Mix, Open, Organize, Play, Rematch, Start
from gamecore.errors import Refused
from gamecore.events import Event, RoundBegan, RoundOver
from gamecore.fairness import Deal, commitment
from gamecore.game import GameCore, GameMachine, Stage
from gamecore.game_clock import GameClock
from gamecore.lineup import Lineup, line_up
from gamecore.player import PlayerCore, Presence
from gamecore.roster import Roster, Sitter
from gamecore.rules import (
    AnyRules,
    Chance,
    Move,
    OrganizedPosition,
    OrganizerMove,
    Position,
    Seat,
    View,
)
from gamecore.table_events import (
    Abandoned,
    Agreed,
    GameBegan,
    GameOver,
    Gathered,
    Left,
    Mixed,
    Returned,
    SeedRevealed,
)

MOST_WORDS = 200  # characters in one Mix
MOST_MIXES = 100


class TableGame:
    """One game after another, each with its seed, its position and its clock.

    ``events`` is the table's list of what the command under way has made happen.
    """

    __slots__ = (
        "_answers",
        "_began",
        "_code",
        "_core",
        "_events",
        "_life",
        "_live",
        "_options",
        "_owned",
        "_roster",
        "_rules",
        "_seed",
        "_words",
        "clock",
        "closed_for",
        "commitment",
        "lineup",
        "stage",
    )

    def __init__(
        self,
        opened: Open,
        rules: AnyRules,
        options: attrs.AttrsInstance,
        roster: Roster,
        events: list[Event],
    ) -> None:
        self._code = opened.code
        self._owned = opened.owner is not None
        self._rules = rules
        self._options = options
        self._roster = roster
        self._events = events
        self._core = GameCore()
        self._life = GameMachine(self._core)
        self.stage = self._life.stage()  # kept beside the machine: every move asks for it
        self._live: Position | None = None  # what may still be played
        self._answers: Answers | None = None  # of what is shown, also after the game
        self._words: list[str] = []
        self.closed_for: str | None = None  # why the table was given up, once it was
        self.clock = GameClock()
        self._began: list[PlayerCore] = []  # by seat
        self.lineup: Lineup = ()  # as the game began and, once it is over, as it ended
        self._promise(opened.seed)

    # -- questions --------------------------------------------------------------------

    @property
    def number(self) -> int:
        """Which game of its table this is, from 1."""
        return self._core.number

    @property
    def live(self) -> bool:
        """Whether a game is being played."""
        return self._live is not None

    def forget_answers(self) -> None:
        """Ask the position anew from now on: something may have changed."""
        if self._answers is not None:
            self._answers.forget()

    def awaited(self) -> frozenset[int]:
        """Name the seats whose decisions are awaited."""
        if self._live is None or self._answers is None:
            return frozenset()
        return self._answers.to_move()

    def legal_moves(self, seat: int) -> tuple[Move, ...]:
        """List what the rules let a seat do now."""
        if self._live is None or self._answers is None:
            return ()
        return self._answers.legal_moves(seat)

    def due(self) -> Mapping[int, float]:
        """Tell until when, in the game's own time, each seat must have moved; not to be changed."""
        if self._live is None or self._answers is None:
            return {}
        return self._answers.due()

    def guess(self, seat: int, chance: Chance) -> Position | None:
        """Give what the game may be for all that a seat knows; None if no game is played."""
        return None if self._live is None else self._live.guess(seat, chance)

    def seen_by(self, seat: int | None) -> View | None:
        """Tell all that a seat may know of the game; None if there was none yet."""
        return None if self._answers is None else self._answers.seen_by(seat)

    def refuse_unless(self, stage: Stage, key: str) -> None:
        """Refuse, with a key, what has its place in another stage."""
        if self.stage is not stage:
            raise Refused(key)

    # -- commands ---------------------------------------------------------------------

    def mix(self, command: Mix, now: float) -> None:
        """Take words for the shuffle; refused ``game-began``, ``too-many-words``, ``words-too-long``."""
        self.refuse_unless(Stage.GATHERING, "game-began")
        self._roster.find(command.seat)
        if len(self._words) >= MOST_MIXES:
            raise Refused("too-many-words", most=MOST_MIXES)
        if not 1 <= len(command.words) <= MOST_WORDS:
            raise Refused("words-too-long", most=MOST_WORDS)
        self._words.append(command.words)
        self._events.append(Mixed(command.seat, command.words))

    def start(self, command: Start, now: float) -> None:
        """Begin with those who are seated; refused ``game-began``, ``too-few-players``."""
        self.refuse_unless(Stage.GATHERING, "game-began")
        if len(self._roster) not in self._rules.seats:
            raise Refused("too-few-players", least=self._rules.seats[0])
        self._roster.close_ranks()
        self._events.append(GameBegan(self.number, self._roster.names))
        seats = [Seat(each.core.name, each.core.brought) for each in self._roster]
        deal = Deal(self._seed, self._words)
        self.clock = GameClock()
        self._began = [each.core for each in self._roster]
        since = len(self._events)
        live = self._rules.begin(seats, self._options, deal, self._events.append, now)
        self._live, self._answers = live, Answers(live)
        self._go(self._life.start)
        for sitter in self._roster:
            sitter.life.deal_in()
            sitter.core.idle = sitter.core.played = 0
            sitter.core.agreed = False
        self.lineup = line_up(self._began, self._roster)
        self._follow(since)

    def play(self, command: Play, now: float) -> None:
        """Play a move; refused ``no-game``, ``game-over``, ``no-such-seat``, and as the rules say."""
        live = self._live
        if live is None:
            raise Refused("no-game" if self._answers is None else "game-over")
        # A position may take any seat but its mover's for out of turn.
        sitter = self._roster.find(command.seat)
        since = len(self._events)
        live.play(command.seat, command.move, self.clock.time(now))
        self._heed(sitter)
        self._follow(since)

    def _heed(self, sitter: Sitter) -> None:
        """Note that a player has decided, also one who was given up for idle and waited for."""
        sitter.core.idle = 0
        sitter.core.played += 1
        if self._roster.away and sitter.life.is_missed():
            sitter.life.come_back()
            sitter.life.deal_in()
            self._events.append(Returned(sitter.core.seat))

    def organize(self, command: Organize, now: float) -> None:
        """Heed the organizer, or the one who speaks where there is none.

        Refused: ``no-game``, ``not-organizer``, ``no-such-move``, and as the rules say.
        """
        if self._live is None:
            raise Refused("no-game")
        if (command.seat is None) != self._owned:
            raise Refused("not-organizer")
        if not isinstance(self._live, OrganizedPosition):
            raise Refused("no-such-move")
        if not isinstance(command.move, OrganizerMove):
            raise Refused("no-such-move")
        self._live.organize(command.seat, command.move)

    def time_up(self, seat: int, now: float) -> None:
        """Do to a seat what the rules do to one who did not move in time."""
        if self._live is not None:
            since = len(self._events)
            self._live.time_up(seat, self.clock.time(now))
            self._follow(since)

    def part_with(self, seat: int, why: str, now: float) -> None:
        """Go on without a player who is gone for good; off the roster, if no game is played."""
        if self._live is not None:
            since = len(self._events)
            self._live.leave(seat, why, self.clock.time(now))
            self._follow(since)
        else:
            self._roster.remove(seat)

    def rematch(self, command: Rematch, now: float) -> None:
        """Gather the same people once more, with whoever asks for it agreeing to it.

        Refused: ``game-not-over``, ``table-closed``, ``no-such-seat``, ``no-such-order``.
        """
        self.refuse_unless(Stage.OVER, "game-not-over")
        if not self._roster.any_person():
            raise Refused("table-closed")
        asks = None if command.by is None else self._roster.find(command.by).core
        self._roster.reorder(command.order)
        self._go(self._life.rematch)
        self._answers = None
        self.lineup = ()
        self._words = []
        self._promise(command.seed)
        self._events.append(Gathered(self.number, self._roster.names, self.commitment))
        if asks is not None:
            self._agree(asks, now)

    def agree(self, command: Agree, now: float) -> None:
        """Agree to another game; refused ``game-not-over``, ``no-such-seat``, ``agreed-already``."""
        core = self._roster.find(command.seat).core
        if self.stage is not Stage.GATHERING or self.number == 1:
            raise Refused("game-not-over")
        if core.agreed:
            raise Refused("agreed-already")
        self._agree(core, now)

    def _agree(self, core: PlayerCore, now: float) -> None:
        core.agreed = True
        if not self.begin_if_agreed(now):
            self._events.append(Agreed(core.seat))

    def begin_if_agreed(self, now: float) -> bool:
        """Begin another game if all people agree to it and nobody else is to come; say whether it has begun.

        Bots always agree; where only bots sit beside one, nobody else is to come.
        """
        people = [each.core for each in self._roster if not each.is_bot]
        complete = not self._roster.free() or len(people) == 1
        ready = complete and len(self._roster) in self._rules.seats
        if not (ready and all(core.agreed for core in people)):
            return False
        self.start(Start(), now)
        return True

    def abandon(self, command: Abandon, now: float) -> None:
        """Give the table up."""
        self.close(command.why)

    def close(self, why: str) -> None:
        """End the table; a seed that was not told yet is told now."""
        told_already = self.stage is Stage.OVER
        self.lineup = () if self._live is None else line_up(self._began, self._roster)
        self._go(self._life.abandon)
        self._live = None
        self.closed_for = why
        self._events.append(Abandoned(why))
        if not told_already:
            self._reveal()

    # -- what follows -----------------------------------------------------------------

    def _go(self, feed: Callable[[], None]) -> None:
        """Feed one input to the life of the game."""
        feed()
        self.stage = self._life.stage()

    def _follow(self, since: int) -> None:
        """Feed the life of the game from what its position has said."""
        for event in self._events[since:]:
            if type(event) is RoundOver:
                self._go(self._life.round_over)
            elif type(event) is RoundBegan:
                self._go(self._life.next_round)
        outcome = None if self._live is None else self._live.outcome
        if outcome is not None:
            self._live = None
            self._go(self._life.finish)
            self.lineup = line_up(self._began, self._roster)
            self._events.append(GameOver(self.number, outcome))
            self._reveal()
            self._dismiss_players()

    def _dismiss_players(self) -> None:
        """Seat the players again after a game; nobody is waited for without end any more."""
        for player in self._roster:
            core = player.core
            if player.life.is_missed():
                player.life.give_up()
                self._roster.note_lapsed(core)
                self._events.append(Left(core.seat, core.name, "absent"))
            if player.presence is Presence.GONE:
                self._roster.remove(core.seat)
            else:
                player.life.sit()

    def _promise(self, seed: str) -> None:
        self._seed = seed
        self.commitment = commitment(self._code, self.number, seed)

    def _reveal(self) -> None:
        self._events.append(SeedRevealed(self.number, self._seed, tuple(self._words)))
