"""A Table: seats, options and one game at a time; commands go in, events come out.

It owns what all games have in common, in three rooms: who comes and goes (``table_seats``), the game and its
life (``table_game``), and which clock runs out next (``table_clocks``).  Whose turn it is only the game's
position knows.  A table's time is **table time**, seconds since it was opened; whoever owns the real clock gives
it with every command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hmac import compare_digest
from typing import Any

from automat import NoTransition

from gamecore import commands
from gamecore.commands import Absence, Command, Open, Play, TimeUp
from gamecore.errors import Refused
from gamecore.events import EVERYONE, Event, heard_by
from gamecore.game import Stage
from gamecore.lineup import Lineup
from gamecore.player import PlayerCore, Presence
from gamecore.rated import is_usual, why_hidden, why_never_rated, why_unrated
from gamecore.roster import Roster
from gamecore.rules import AnyRules, Chance, Move, NextRound, Position
from gamecore.settings import read_settings
from gamecore.table_clocks import Alarm, TableClocks
from gamecore.table_game import TableGame
from gamecore.table_options import TableOptions
from gamecore.table_seats import TableSeats
from gamecore.table_view import Detail, Invitation, TableView, Turn

TABLE_VERSION = 1


class Table:
    """One table and its whole life; only :meth:`apply` changes what is told of it."""

    __slots__ = (
        "_clocks",
        "_events",
        "_game",
        "_roster",
        "_seats",
        "_usual",
        "asleep",
        "code",
        "house",
        "most_players",
        "name",
        "opened",
        "public",
        "rules",
        "sequence",
        "watched",
    )

    def __init__(self, opened: Open, rules: AnyRules) -> None:
        """Set up a table at table time 0; raises Refused for options that are out of bounds."""
        options = read_settings(rules.options, opened.options)
        self.house = house = read_settings(TableOptions, opened.house)
        self.opened = opened
        self.rules = rules
        self.code = opened.code
        self.name = opened.name
        most = rules.seats[-1]
        self.most_players = min(most, int(getattr(options, "players", most)))  # the seats there are
        self.asleep = False  # whether it was read and did nothing since: nobody who was here is
        self.sequence = 0  # how many commands were done
        self.watched = 0  # how many events everybody was told
        self.public = True  # whether all that the last command brought was for everyone
        self._usual: bool | None = None  # whether its options are the usual ones, once asked
        self._events: list[Event] = []  # of the command under way
        self._roster = roster = Roster(self.most_players)
        self._game = game = TableGame(opened, rules, options, roster, self._events)
        self._seats = TableSeats(opened, rules, house, roster, game, self._events)
        self._clocks = TableClocks(house.expiry, roster, game)

    # -- commands in, events out ------------------------------------------------------

    def apply(self, command: Command, now: float) -> Sequence[Event]:
        """Change the table at table time ``now`` and tell what happened.

        Raises Refused: ``table-closed``, ``not-now``, and whatever the command or the rules say.

        Any other exception is a bug and leaves the table in a state that is not to be trusted.
        """
        self._events.clear()
        if type(command) is not Play and self.stage is Stage.ABANDONED:
            raise Refused("table-closed")
        self._game.forget_answers()
        try:
            self._do(command, now)
        except NoTransition as problem:
            raise Refused("not-now") from problem
        finally:
            self._game.forget_answers()
        self.sequence += 1
        self._clocks.touch(now)
        events = list(self._events)
        self._count(events)
        return events

    def _do(self, command: Command, now: float) -> None:
        kind = type(command)
        if kind in _FOR_THE_GAME:
            _FOR_THE_GAME[kind](self._game, command, now)
        elif isinstance(command, TimeUp):
            self._time_up(command, now)
        else:
            _FOR_THE_SEATS[kind](self._seats, command, now)

    def _time_up(self, command: TimeUp, now: float) -> None:
        self._clocks.check(command, now)
        if command.clock == "expiry" or command.seat is None:
            self._game.close("expired")
        elif command.clock == "grace":
            self._seats.end_grace(command.seat, now)
        else:
            decided = NextRound() not in self._game.legal_moves(command.seat)
            self._game.time_up(command.seat, now)
            if decided:
                self._seats.count_idle(command.seat, now)

    def _count(self, events: Sequence[Event]) -> None:
        """Number the streams: each counts what its own audience is told, and nothing else."""
        self.public = public = all([event.audience is EVERYONE for event in events])
        self.watched += len(events) if public else len(heard_by(None, events))
        for sitter in self._roster:
            core = sitter.core
            core.told += len(events) if public else len(heard_by(core.seat, events))

    # -- questions --------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        """Where the game is in its life."""
        return self._game.stage

    @property
    def commitment(self) -> str:
        """What was promised of the seed of the game that is gathered for, played or over (see ``fairness``)."""
        return self._game.commitment

    @property
    def number(self) -> int:
        """Which game is gathered for, played or over, from 1."""
        return self._game.number

    @property
    def lineup(self) -> Lineup:
        """Who began the game that is played, by seat, and of one that is over how they ended.

        Empty from when the next one gathers, or if there was none.
        """
        return self._game.lineup

    @property
    def unrated(self) -> str | None:
        """Why the game that is played or over is not rated, by one of ``rated.WHYS``; None if there is none.

        While it is played, that is what can be said already; None is then that it may come to be rated.
        """
        lineup = self.lineup
        if not lineup:
            return None
        if self._usual is None:
            self._usual = is_usual(self.rules, self.opened.options)
        hidden = why_hidden(self.house)
        if self._game.live:
            return why_never_rated(lineup, self._usual, hidden)
        return why_unrated(lineup, self._usual, hidden, void=self.stage is Stage.ABANDONED)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat; those of a game until the next one gathers."""
        return self._roster.names

    @property
    def joinable(self) -> bool:
        """Whether somebody could still take a seat."""
        return self.stage is Stage.GATHERING and len(self._roster) < self.most_players

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
    def playing(self) -> bool:
        """Whether a game is being played, or stands between two of its rounds."""
        return self._game.live

    @property
    def resumable(self) -> bool:
        """Whether what is played here could go on after all links were lost, with everybody who has a seat in it.

        One without a token cannot come back; where the table has ``absent=bot`` a bot plays on in that seat.
        """
        return not self._game.live or all(self._seats.can_go_on(each) for each in self._roster)

    @property
    def void(self) -> bool:
        """Whether the table was given up since its game was not ``resumable``."""
        return self._game.closed_for == commands.RESTARTED

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

    def called(self, but: int | None = None) -> Iterator[str]:
        """List the names of all who sit here or are invited, but for one seat."""
        return self._roster.called(but)

    def sits(self, player: PlayerCore) -> bool:
        """Say whether a player has a seat here, and has not gone."""
        seat = player.seat
        return self.seated().get(seat) is player and self.presence(seat) is not Presence.GONE

    def seated(self) -> Mapping[int, PlayerCore]:
        """Tell who sits where at this moment."""
        return self._roster.cores()

    def presence(self, seat: int) -> Presence:
        """Say whether the player in a seat can be spoken to."""
        return self._roster.presence(seat)

    def awaited(self) -> frozenset[int]:
        """Name the seats whose decisions are awaited."""
        return self._game.awaited()

    def legal_moves(self, seat: int) -> tuple[Move, ...]:
        """List what the rules let a seat do now."""
        return self._game.legal_moves(seat)

    def game_time(self, now: float) -> float:
        """Tell the game's own time, which stands while somebody is waited for."""
        return self._game.clock.time(now)

    def guess(self, seat: int, chance: Chance) -> Position | None:
        """Give what the game may be for all that a seat knows, with the rest drawn anew; None if none is played."""
        return self._game.guess(seat, chance)

    def absence(self, seat: int) -> Absence:
        """Say what a lost link means for a seat; raises Refused ``no-such-seat``."""
        return self._seats.absence(seat)

    def seen_by(self, seat: int | None, now: float) -> TableView:
        """Tell all that the player in ``seat`` may know; None is a watcher."""
        viewer = None if seat is None else self.player(seat)
        return TableView(
            code=self.code,
            kind=self.rules.kind,
            name=self.name,
            stage=self.stage,
            number=self._game.number,
            options=self.opened.options,
            commitment=self.commitment,
            most_players=self.most_players,
            seats=tuple(self._roster.views(self.asleep)),
            invited=tuple(self._invitations()),
            names=self.names,
            seat=seat,
            told=self.watched if viewer is None else viewer.told,
            at=now,
            to_move=self.awaited(),
            due=self._clocks.turns(),
            board=self._game.seen_by(seat),
            hints=self.hints,
            unrated=self.unrated,
            played=0 if viewer is None else viewer.played,
        )

    @property
    def hints(self) -> bool:
        """Whether who plays may ask what to play: all, nobody, or one person among bots, as the table has it."""
        if self.house.hints != "alone" or not self.playing:
            return self.house.hints == "all"
        people = [seat for seat, player in self.seated().items() if player.level is None]
        return sum(self.presence(seat) is not Presence.GONE for seat in people) == 1

    def _invitations(self) -> Iterator[Invitation]:
        for seat, kept in self._roster.invited().items():
            yield Invitation(seat, kept.name)

    def invited(self, token: str) -> Invitation | None:
        """Find the seat that is kept for whoever has the token of this hash."""
        for seat, kept in self._roster.invited().items():
            if compare_digest(kept.token, token):
                return Invitation(seat, kept.name)
        return None

    def lost_by_absence(self, token: str) -> bool:
        """Say whether the token of this hash had a seat whose player was away for too long."""
        return any([compare_digest(each, token) for each in self._roster.lapsed()])

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
            due=self._clocks.turns(),
            moves=moves,
            board=self._game.seen_by(seat) if drawn else None,
            view=self.seen_by(seat, now) if detail is Detail.VIEW else None,
        )

    def quiet(self) -> bool:
        """Say whether no clock of a player runs, so that the table may rest."""
        return not self._clocks.turns() and next(self._clocks.graces(), None) is None

    def alarm_at(self) -> float | None:
        """Say when the next clock runs out, in table time, if any does."""
        return self._clocks.alarm_at()

    def alarm(self) -> Alarm | None:
        """Say which clock runs out next, if any does."""
        return self._clocks.alarm()


_Do = Callable[
    [Any, Any, float], None
]  # what it is done to, the command of the class it stands by, and when
_FOR_THE_GAME: Mapping[type[Command], _Do] = {
    commands.Play: TableGame.play,
    commands.Organize: TableGame.organize,
    commands.Mix: TableGame.mix,
    commands.Start: TableGame.start,
    commands.Rematch: TableGame.rematch,
    commands.Agree: TableGame.agree,
    commands.Abandon: TableGame.abandon,
}
_FOR_THE_SEATS: Mapping[type[Command], _Do] = {
    commands.Sit: TableSeats.sit,
    commands.Invite: TableSeats.invite,
    commands.GiveToken: TableSeats.give_token,
    commands.Leave: TableSeats.leave,
    commands.Drop: TableSeats.drop,
    commands.Return: TableSeats.come_back,
    commands.Replace: TableSeats.replace,
    commands.Wake: TableSeats.wake,
}
