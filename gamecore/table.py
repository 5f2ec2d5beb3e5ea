"""A Table: seats, options and one Game at a time; commands go in, events come out.

A table is never asked whose turn it is: its position knows.  It owns what all games have in common: who sits
where, who is away and until when, which clock runs out next.  Its time is **table time**, seconds since it was
opened; whoever owns the real clock gives it with every command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hmac import compare_digest
from math import inf
from typing import cast

from attrs import frozen
from automat import NoTransition

from gamecore.answers import Answers
from gamecore.commands import (
    Abandon,
    Absence,
    Clock,
    Command,
    Drop,
    Invite,
    Leave,
    Mix,
    Open,
    Play,
    Rematch,
    Replace,
    Return,
    Sit,
    Start,
    TimeUp,
    Wake,
)
from gamecore.errors import Refused
from gamecore.events import EVERYONE, Event, RoundBegan, RoundOver, heard_by
from gamecore.fairness import Deal, commitment
from gamecore.game import GameCore, GameMachine, Stage
from gamecore.player import PlayerCore, Presence
from gamecore.roster import Roster, Sitter
from gamecore.rules import AnyRules, Move, Position, Seat, View
from gamecore.settings import read_settings, setting
from gamecore.table_events import (
    Abandoned,
    Dropped,
    GameBegan,
    GameOver,
    Gathered,
    Invited,
    Left,
    Mixed,
    Replaced,
    Returned,
    Sat,
    SeedRevealed,
    Waiting,
)
from gamecore.table_view import Detail, Invitation, TableView, Turn

TABLE_VERSION = 1
MOST_WORDS = 200  # characters in one Mix
MOST_MIXES = 100


@frozen
class TableOptions:
    """What every table can choose, whatever its game."""

    start: str = setting(
        "full", "begin when all seats are taken, or when somebody asks", choices=("full", "asked")
    )
    private: bool = setting(False, "keep the table out of every list")
    password: str = setting("", "what a word that everybody who comes must know was sealed to")
    watchers: bool = setting(True, "let people look on")
    absent: str = setting(
        "forfeit",
        "what happens to a player who does not come back in time",
        choices=("forfeit", "bot", "wait"),
    )
    rematch: str = setting(
        "rotate",
        "how players sit in another game: one seat on, or in an order by chance",
        choices=("rotate", "shuffle"),
    )
    grace: float = setting(60.0, "seconds a seat is held for a lost player", low=1, high=86_400)
    expiry: float = setting(
        3600.0, "seconds after which a table where nothing happens is closed", low=10, high=604_800
    )


@frozen
class Alarm:
    """The next clock to run out: when, in table time, and the command to submit then."""

    at: float
    command: TimeUp


class Table:
    """One table and its whole life; only :meth:`apply` changes it."""

    __slots__ = (
        "_answers",
        "_away",
        "_fed",
        "_game",
        "_game_core",
        "_heard",
        "_live",
        "_options",
        "_roster",
        "_seed",
        "_standing_since",
        "_stood",
        "_touched",
        "_words",
        "code",
        "commitment",
        "house",
        "name",
        "opened",
        "public",
        "rules",
        "sequence",
        "watched",
    )

    def __init__(self, opened: Open, rules: AnyRules) -> None:
        """Set up a table at table time 0; raises Refused for options that are out of bounds."""
        self._options = read_settings(rules.options, opened.options)
        self.house = read_settings(TableOptions, opened.house)
        self.opened = opened
        self.rules = rules
        self.code = opened.code
        self.name = opened.name
        self.sequence = 0
        self.watched = 0
        self.public = True  # whether all that the last command brought was for everyone
        self._game_core = GameCore()
        self._game = GameMachine(self._game_core)
        self._answers: Answers | None = None  # of what is shown, also after the game
        self._live: Position | None = None  # what may still be played
        self._roster = Roster(self.most_players)
        self._heard: list[Event] = []
        self._fed = 0  # how many of those the life of the game has been fed from
        self._words: list[str] = []
        self._away = False
        self._touched = 0.0
        self._stood = 0.0
        self._standing_since: float | None = None
        self._promise(opened.seed)

    # -- commands in, events out ------------------------------------------------------

    def apply(self, command: Command, now: float) -> Sequence[Event]:
        """Change the table at table time ``now`` and tell what happened; raises Refused.

        Any other exception is a bug and leaves the table in a state that is not to be trusted.
        """
        heard: list[Event] = []
        self._heard, self._fed = heard, 0
        if type(command) is not Play and self.stage is Stage.ABANDONED:
            raise Refused("table-closed")
        try:
            self._forget_answers()
            _ACTIONS[type(command)](self, command, now)
        except NoTransition as problem:
            raise Refused("not-now") from problem
        finally:
            self._forget_answers()
        self.sequence += 1
        self._touched = now
        if self._standing_since is not None or self._away:
            self._set_clocks(now)
        self._count(heard)
        return heard

    def _count(self, events: Sequence[Event]) -> None:
        """Number the streams: each counts what its own audience is told, and nothing else."""
        self.public = public = all(event.audience is EVERYONE for event in events)
        self.watched += len(events) if public else len(heard_by(None, events))
        for sitter in self._roster:
            core = sitter.core
            core.told += len(events) if public else len(heard_by(core.seat, events))

    def _emit(self, event: Event) -> None:
        self._heard.append(event)

    def _forget_answers(self) -> None:
        if self._answers is not None:
            self._answers.forget()

    # -- questions --------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        """Where the game is in its life."""
        return self._game.stage()

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat; those of a game until the next one gathers."""
        return self._roster.names

    @property
    def joinable(self) -> bool:
        """Whether somebody could still take a seat."""
        return self.stage is Stage.GATHERING and len(self._roster) < self.most_players

    @property
    def most_players(self) -> int:
        """How many seats there are: as many as the rules have, or as the option ``players`` says."""
        most = self.rules.seats[-1]
        return min(most, int(getattr(self._options, "players", most)))

    @property
    def ended(self) -> bool:
        """Whether nothing can happen here any more, except to those who still look on."""
        stage = self.stage
        return stage is Stage.ABANDONED or (stage is Stage.OVER and not self._roster.any_person())

    @property
    def reachable(self) -> bool:
        """Whether the table could go on after everybody's link was lost: by a token, a bot or a newcomer."""
        people = [each for each in self._roster if not each.is_bot]
        return not people or any(each.core.token is not None for each in people)

    @property
    def players(self) -> int:
        """How many seats are taken."""
        return len(self._roster)

    def free_seats(self) -> list[int]:
        """List the seats that nobody has taken."""
        return self._roster.free()

    def player(self, seat: int) -> PlayerCore:
        """Find who sits in a seat; raises Refused ``no-such-seat``."""
        return self._roster.find(seat).core

    def has_name(self, name: str) -> bool:
        """Say whether somebody here has a name that people would take for this one."""
        return self._roster.has_name(name)

    def name_for_bot(self, level: str) -> str:
        """Find a free name for a bot of some level."""
        return self._roster.name_for_bot(level)

    def seated(self) -> Mapping[int, PlayerCore]:
        """Tell who sits where at this moment."""
        return self._roster.cores()

    def presence(self, seat: int) -> Presence:
        """Say whether the player in a seat can be spoken to."""
        return self._roster.presence(seat)

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

    def _board(self, seat: int | None) -> View | None:
        return None if self._answers is None else self._answers.seen_by(seat)

    def absence(self, seat: int) -> Absence:
        """Say what a lost link means for a seat: a token can bring its player back, nothing else can."""
        if self.player(seat).token is not None:
            return "grace"
        by_bot = self.house.absent == "bot" and self._live is not None
        return "bot" if by_bot else "forfeit"

    def seen_by(self, seat: int | None, now: float) -> TableView:
        """Tell all that the player in ``seat`` may know; None is a watcher."""
        return TableView(
            code=self.code,
            kind=self.rules.kind,
            name=self.name,
            stage=self.stage,
            number=self._game_core.number,
            options=self.opened.options,
            commitment=self.commitment,
            most_players=self.most_players,
            seats=tuple(self._roster.views()),
            invited=tuple(self._invitations()),
            names=self.names,
            seat=seat,
            told=self.watched if seat is None else self.player(seat).told,
            at=now,
            to_move=self.awaited(),
            due=dict(self._turns_due()),
            board=self._board(seat),
        )

    def _invitations(self) -> Iterator[Invitation]:
        for seat, kept in self._roster.invited().items():
            yield Invitation(seat, kept.name)

    def invited(self, token: str) -> Invitation | None:
        """Find the seat that is kept for whoever has the token of this hash."""
        for seat, kept in self._roster.invited().items():
            if compare_digest(kept.token, token):
                return Invitation(seat, kept.name)
        return None

    def owned_by(self, token: str) -> bool:
        """Say whether the token of this hash gives an organizer's powers here."""
        owner = self.opened.owner
        return owner is not None and compare_digest(owner, token)

    def turn_of(self, seat: int | None, now: float, detail: Detail = Detail.OWN_BOARD) -> Turn:
        """Tell whose decision is awaited, and what ``seat`` may do if it is its own."""
        moves = () if seat is None else self.legal_moves(seat)
        drawn = bool(moves) if detail is Detail.OWN_BOARD else detail is not Detail.MOVES
        return Turn(
            at=now,
            to_move=self.awaited(),
            due=dict(self._turns_due()),
            moves=moves,
            board=self._board(seat) if drawn else None,
            view=self.seen_by(seat, now) if detail is Detail.VIEW else None,
        )

    def quiet(self) -> bool:
        """Say whether no clock of a player runs, so that the table may rest."""
        return next(self._turns_due(), None) is None and next(self._roster.graces(), None) is None

    def alarm_at(self) -> float | None:
        """Say when the next clock runs out, in table time, if any does."""
        if self._live is not None and self._standing_since is None and not self._away:
            due = self._due()  # all that can run out, nearly always
            return min(due.values()) + self._stood if due else None
        return min((at for at, _, _ in self._clocks()), default=None)

    def alarm(self) -> Alarm | None:
        """Say which clock runs out next, if any does."""
        nearest: Alarm | None = None
        for at, clock, seat in self._clocks():
            if nearest is None or at < nearest.at:
                nearest = Alarm(at, TimeUp(clock, seat))
        return nearest

    def _clocks(self) -> Iterator[tuple[float, Clock, int | None]]:
        for seat, at in self._turns_due():
            yield at, "turn", seat
        if self._away:
            for seat, at in self._roster.graces():
                yield at, "grace", seat
        if self._idle():
            yield self._touched + self.house.expiry, "expiry", None

    def _turns_due(self) -> Iterator[tuple[int, float]]:
        if self._live is not None and self._standing_since is None:
            for seat, at in self._due().items():
                yield seat, at + self._stood

    def _due(self) -> Mapping[int, float]:
        return {} if self._answers is None else self._answers.due()

    def _idle(self) -> bool:
        """Say whether only those who sit or look on could make anything happen."""
        if self._live is None:
            return self.stage is not Stage.ABANDONED
        return self._standing_since is not None and not self._roster.anybody_here()

    # -- coming and going -------------------------------------------------------------

    def _sit(self, command: Sit, now: float) -> None:
        self._refuse_unless(Stage.GATHERING, "game-began")
        self._check_seat(command)
        core = PlayerCore(command.name, command.seat, command.token, command.level, command.brought)
        self._roster.seat(core)
        self._emit(Sat(command.seat, command.name, command.level))
        if self.house.start == "full" and not self._roster.free():
            self._start(Start(), now)

    def _invite(self, command: Invite, now: float) -> None:
        self._refuse_unless(Stage.GATHERING, "game-began")
        if command.seat not in range(self.most_players):
            raise Refused("no-such-seat", seat=command.seat)
        self._roster.invite(command.seat, command.name, command.token)
        self._emit(Invited(command.seat, command.name))

    def _check_seat(self, command: Sit) -> None:
        if command.seat not in range(self.most_players):
            raise Refused("no-such-seat", seat=command.seat)
        if self._roster.presence(command.seat) is not Presence.GONE:
            raise Refused("seat-taken", seat=command.seat)
        self._roster.check_invitation(command.seat, command.invitation)
        self._roster.check_name(command.name, but=command.seat)
        wanted = self.rules.brings
        if not (command.brought is None if wanted is None else isinstance(command.brought, wanted)):
            raise Refused("brings-nothing" if wanted is None else "must-bring")

    def _mix(self, command: Mix, now: float) -> None:
        self._refuse_unless(Stage.GATHERING, "game-began")
        self._roster.find(command.seat)
        if len(self._words) >= MOST_MIXES:
            raise Refused("too-many-words", most=MOST_MIXES)
        if not 1 <= len(command.words) <= MOST_WORDS:
            raise Refused("words-too-long", most=MOST_WORDS)
        self._words.append(command.words)
        self._emit(Mixed(command.seat, command.words))

    def _leave(self, command: Leave, now: float) -> None:
        sitter = self._roster.present(command.seat)
        sitter.life.leave()
        self._part_with(sitter, command.why, now)

    def _part_with(self, sitter: Sitter, why: str, now: float) -> None:
        """Do what follows, at the table and in the game, from a player having gone for good."""
        seat = sitter.core.seat
        sitter.core.until = None
        self._emit(Left(seat, sitter.core.name, why))
        if self._live is not None:
            self._live.leave(seat, why, self._game_time(now))
            self._follow()
        else:
            self._roster.remove(seat)
        if self.stage is Stage.GATHERING:
            self._roster.call_names()
        self._close_if_deserted()

    def _close_if_deserted(self) -> None:
        """Give up a table that people have left: before a game bots alone do not keep it open."""
        gathering, over = self.stage is Stage.GATHERING, self.stage is Stage.OVER
        if gathering and self.opened.owner is not None:
            return  # its organizer need not sit there
        if not over and not (self._roster.any_person() if gathering else self._roster.anybody()):
            self._close("empty")

    def _drop(self, command: Drop, now: float) -> None:
        sitter = self._roster.find(command.seat)
        if sitter.presence is not Presence.HERE:
            raise Refused("not-here", seat=command.seat)
        self._lose(sitter, command.absence, now)

    def _lose(self, sitter: Sitter, absence: Absence, now: float) -> None:
        if absence == "grace":
            sitter.life.drop(now + self.house.grace)
            self._away = True
            self._emit(Dropped(sitter.core.seat, self.house.grace))
            return
        sitter.life.leave()
        if absence == "bot" and self._live is not None:
            self._put_bot(sitter, self._roster.name_for_substitute(sitter.core.seat), "random")
        else:
            self._part_with(sitter, "disconnected", now)

    def _return(self, command: Return, now: float) -> None:
        sitter = self._roster.find(command.seat)
        if sitter.presence is not Presence.AWAY:
            raise Refused("not-away", seat=command.seat)
        sitter.life.come_back()
        self._emit(Returned(command.seat))

    def _replace(self, command: Replace, now: float) -> None:
        sitter = self._roster.present(command.seat)
        if self._live is None:
            raise Refused("no-game")
        self._roster.check_name(command.name, but=command.seat)
        sitter.life.leave()
        self._put_bot(sitter, command.name, command.level)

    def _put_bot(self, gone: Sitter, name: str, level: str) -> None:
        """Let a bot play on for a player who has gone."""
        seat = gone.core.seat
        bot = PlayerCore(name, seat, level=level, brought=gone.core.brought)
        self._roster.seat(bot).life.deal_in()
        self._emit(Replaced(seat, name, level))

    def _wake(self, command: Wake, now: float) -> None:
        for sitter in self._roster:
            if sitter.presence is Presence.HERE and not sitter.is_bot:
                self._lose(sitter, self.absence(sitter.core.seat), now)

    # -- the game ---------------------------------------------------------------------

    def _start(self, command: Start, now: float) -> None:
        self._refuse_unless(Stage.GATHERING, "game-began")
        if len(self._roster) not in self.rules.seats:
            raise Refused("too-few-players", least=self.rules.seats[0])
        self._roster.close_ranks()
        self._emit(GameBegan(self._game_core.number, self.names))
        seats = [Seat(each.core.name, each.core.brought) for each in self._roster]
        deal = Deal(self._seed, self._words)
        self._stood, self._standing_since = 0.0, None
        self._live = self.rules.begin(seats, self._options, deal, self._emit, now)
        self._answers = Answers(self._live)
        self._game.start()
        for sitter in self._roster:
            sitter.life.deal_in()
        self._follow()

    def _play(self, command: Play, now: float) -> None:
        if self._live is None:
            raise Refused("no-game" if self._answers is None else "game-over")
        self._roster.find(
            command.seat
        )  # a position may take any seat but its mover's for out of turn
        self._live.play(command.seat, command.move, self._game_time(now))
        self._follow()

    def _follow(self) -> None:
        """Feed the life of the game from what its position has said."""
        news, self._fed = self._heard[self._fed :], len(self._heard)
        for event in news:
            if type(event) is RoundOver:
                self._game.round_over()
            elif type(event) is RoundBegan:
                self._game.next_round()
        outcome = self._live.outcome if self._live is not None else None
        if outcome is not None:
            self._live = None
            self._game.finish()
            self._emit(GameOver(self._game_core.number, outcome))
            self._reveal()
            self._dismiss_players()

    def _dismiss_players(self) -> None:
        """Seat the players again after a game; nobody is waited for without end any more."""
        for sitter in self._roster:
            core = sitter.core
            if core.until == inf:
                core.until = None
                sitter.life.give_up()
                self._emit(Left(core.seat, core.name, "absent"))
            if sitter.presence is Presence.GONE:
                self._roster.remove(core.seat)
            else:
                sitter.life.sit()

    def _time_up(self, command: TimeUp, now: float) -> None:
        due = [
            at
            for at, clock, seat in self._clocks()
            if (clock, seat) == (command.clock, command.seat)
        ]
        if not due or now < due[0]:
            raise Refused("not-due")
        if command.clock == "expiry" or command.seat is None:
            self._close("expired")
        elif command.clock == "grace":
            self._end_grace(self._roster.find(command.seat), now)
        elif self._live is not None:
            self._live.time_up(command.seat, self._game_time(now))
            self._follow()

    def _end_grace(self, sitter: Sitter, now: float) -> None:
        """Do what the table's ``absent`` option says to a player who did not come back."""
        choice = "forfeit" if self._live is None else self.house.absent
        if choice == "wait":
            sitter.core.until = inf
            self._emit(Waiting(sitter.core.seat))
            return
        sitter.life.give_up()
        if choice == "bot":
            self._put_bot(sitter, self._roster.name_for_substitute(sitter.core.seat), "random")
        else:
            self._part_with(sitter, "absent", now)

    def _rematch(self, command: Rematch, now: float) -> None:
        self._refuse_unless(Stage.OVER, "game-not-over")
        if self.ended:
            raise Refused("table-closed")
        self._roster.reorder(command.order)
        self._game.rematch()
        self._answers = None
        self._words = []
        self._promise(command.seed)
        self._emit(Gathered(self._game_core.number, self.names, self.commitment))

    def _abandon(self, command: Abandon, now: float) -> None:
        self._close(command.why)

    def _close(self, why: str) -> None:
        """End the table; a seed that was not told yet is told now."""
        told_already = self.stage is Stage.OVER
        self._game.abandon()
        self._live = None
        for sitter in self._roster:
            sitter.core.until = None  # nobody is expected back
        self._emit(Abandoned(why))
        if not told_already:
            self._reveal()

    # -- small change -----------------------------------------------------------------

    def _promise(self, seed: str) -> None:
        self._seed = seed
        self.commitment = commitment(self.code, self._game_core.number, seed)

    def _reveal(self) -> None:
        self._emit(SeedRevealed(self._game_core.number, self._seed, tuple(self._words)))

    def _refuse_unless(self, stage: Stage, key: str) -> None:
        if self.stage is not stage:
            raise Refused(key)

    def _game_time(self, now: float) -> float:
        """Table time less all that stood still while the table waited for somebody away."""
        return (now if self._standing_since is None else self._standing_since) - self._stood

    def _set_clocks(self, now: float) -> None:
        """Let the clocks stand while the one decision awaited is that of a player who is waited for."""
        self._away = self._roster.anybody_away()
        stands = bool(self.awaited() & self._roster.waited_for())
        if stands and self._standing_since is None:
            self._standing_since = now
        elif not stands and self._standing_since is not None:
            self._stood += now - self._standing_since
            self._standing_since = None


_ACTIONS = cast(
    Mapping[type[Command], Callable[[Table, Command, float], None]],
    {
        Invite: Table._invite,
        Sit: Table._sit,
        Mix: Table._mix,
        Leave: Table._leave,
        Start: Table._start,
        Play: Table._play,
        Drop: Table._drop,
        Return: Table._return,
        Replace: Table._replace,
        TimeUp: Table._time_up,
        Wake: Table._wake,
        Rematch: Table._rematch,
        Abandon: Table._abandon,
    },
)
