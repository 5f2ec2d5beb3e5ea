"""Coming to a table and going from it: sitting, leaving, being away, being replaced."""

from __future__ import annotations

from gamecore.commands import (
    Absence,
    Drop,
    GiveToken,
    Invite,
    Leave,
    Open,
    Replace,
    Return,
    Sit,
    Start,
    Wake,
)
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.game import Stage
from gamecore.player import PlayerCore, Presence
from gamecore.roster import Roster, Sitter
from gamecore.rules import AnyRules
from gamecore.table_events import Dropped, Invited, Left, Replaced, Returned, Sat, Waiting
from gamecore.table_game import TableGame
from gamecore.table_options import TableOptions

SUBSTITUTE = "random"  # the level of the bot that plays on for one who has gone


class TableSeats:
    """Who comes and goes, and what follows from it for the game.

    ``events`` is the table's list of what the command under way has made happen.
    """

    __slots__ = ("_events", "_game", "_house", "_opened", "_roster", "_rules")

    def __init__(
        self,
        opened: Open,
        rules: AnyRules,
        house: TableOptions,
        roster: Roster,
        game: TableGame,
        events: list[Event],
    ) -> None:
        self._opened = opened
        self._rules = rules
        self._house = house
        self._roster = roster
        self._game = game
        self._events = events

    def absence(self, seat: int) -> Absence:
        """Say what a lost link means for a seat: a token can bring its player back, nothing else can.

        Raises Refused ``no-such-seat``.
        """
        if self._roster.find(seat).core.token is not None:
            return "grace"
        by_bot = self._house.absent == "bot" and self._game.live
        return "bot" if by_bot else "forfeit"

    def can_go_on(self, sitter: Sitter) -> bool:
        """Say whether a seat of the game will be played on after every link was lost, as it was or by a bot."""
        gone = sitter.presence is Presence.GONE
        return gone or sitter.is_bot or self.absence(sitter.core.seat) != "forfeit"

    # -- coming -----------------------------------------------------------------------

    def sit(self, command: Sit, now: float) -> None:
        """Seat a player, and begin the game with the last one.

        Refused: ``game-began``, ``no-such-seat``, ``seat-taken``, ``seat-kept``, ``no-name``, ``name-taken``,
        ``must-bring``, ``brings-nothing``.
        """
        self._game.refuse_unless(Stage.GATHERING, "game-began")
        self._check(command)
        core = PlayerCore(command.name, command.seat, command.token, command.level, command.brought)
        self._roster.seat(core)
        self._events.append(Sat(command.seat, command.name, command.level))
        if self._house.start == "full" and not self._roster.free():
            self._game.start(Start(), now)
        elif any(each.core.agreed for each in self._roster):  # to sit down there is to agree
            core.agreed = True
            self._game.begin_if_agreed(now)

    def _check(self, command: Sit) -> None:
        self._roster.check_seat(command.seat)
        if self._roster.presence(command.seat) is not Presence.GONE:
            raise Refused("seat-taken", seat=command.seat)
        self._roster.check_invitation(command.seat, command.invitation)
        self._roster.check_name(command.name, but=command.seat)
        wanted = self._rules.brings
        if not (command.brought is None if wanted is None else isinstance(command.brought, wanted)):
            raise Refused("brings-nothing" if wanted is None else "must-bring")

    def invite(self, command: Invite, now: float) -> None:
        """Keep a seat; refused ``game-began``, ``no-such-seat``, ``seat-taken``, ``no-name``, ``name-taken``."""
        self._game.refuse_unless(Stage.GATHERING, "game-began")
        self._roster.check_seat(command.seat)
        self._roster.invite(command.seat, command.name, command.token)
        self._events.append(Invited(command.seat, command.name))

    def give_token(self, command: GiveToken, now: float) -> None:
        """Let a player come back from now on; refused ``no-such-seat``, ``not-here``."""
        self._roster.present(command.seat).core.token = command.token

    def come_back(self, command: Return, now: float) -> None:
        """Go on with a player who was away; refused ``no-such-seat``, ``not-away``."""
        sitter = self._roster.find(command.seat)
        if sitter.presence is not Presence.AWAY:
            raise Refused("not-away", seat=command.seat)
        sitter.life.come_back()
        if self._game.live:
            sitter.life.deal_in()
        self._events.append(Returned(command.seat))

    def replace(self, command: Replace, now: float) -> None:
        """Let a bot take over a seat of the game.

        Refused: ``no-such-seat``, ``not-here``, ``no-game``, ``no-name``, ``name-taken``.
        """
        sitter = self._roster.present(command.seat)
        if not self._game.live:
            raise Refused("no-game")
        self._roster.check_name(command.name, but=command.seat)
        sitter.life.leave()
        self._put_bot(sitter, command.name, command.level)

    def _put_bot(self, gone: Sitter, name: str, level: str) -> None:
        """Let a bot play on for a player who has gone."""
        seat = gone.core.seat
        bot = PlayerCore(name, seat, level=level, brought=gone.core.brought)
        self._roster.seat(bot).life.deal_in()
        self._events.append(Replaced(seat, name, level))

    # -- going ------------------------------------------------------------------------

    def leave(self, command: Leave, now: float) -> None:
        """Part with a player for good; refused ``no-such-seat``, ``not-here``."""
        sitter = self._roster.present(command.seat)
        sitter.life.leave()
        self._part_with(sitter, command.why, now)

    def _part_with(self, sitter: Sitter, why: str, now: float) -> None:
        """Do what follows, at the table and in the game, from a player having gone for good."""
        seat = sitter.core.seat
        self._events.append(Left(seat, sitter.core.name, why))
        self._game.part_with(seat, why, now)
        if self._game.stage is Stage.GATHERING:
            self._roster.call_names()
        self._close_if_deserted()

    def _close_if_deserted(self) -> None:
        """Give up a table that people have left: before a game bots alone do not keep it open."""
        gathering, over = self._game.stage is Stage.GATHERING, self._game.stage is Stage.OVER
        if gathering and self._opened.owner is not None:
            return  # its organizer need not sit there
        if not over and not (self._roster.any_person() if gathering else self._roster.anybody()):
            self._game.close("empty")

    def drop(self, command: Drop, now: float) -> None:
        """Take note of a lost link; refused ``no-such-seat``, ``not-here``."""
        sitter = self._roster.find(command.seat)
        if sitter.presence is not Presence.HERE:
            raise Refused("not-here", seat=command.seat)
        self._lose(sitter, command.absence, now)

    def wake(self, command: Wake, now: float) -> None:
        """Take everybody for lost who was here before the table rested."""
        for sitter in self._roster:
            if sitter.presence is Presence.HERE and not sitter.is_bot:
                self._lose(sitter, self.absence(sitter.core.seat), now)

    def _lose(self, sitter: Sitter, absence: Absence, now: float) -> None:
        if absence == "grace":
            self._roster.drop(sitter, now + self._house.grace)
            self._events.append(Dropped(sitter.core.seat, self._house.grace))
            return
        sitter.life.leave()
        if absence == "bot" and self._game.live:
            self._put_substitute(sitter)
        else:
            self._part_with(sitter, "disconnected", now)

    def end_grace(self, seat: int, now: float) -> None:
        """Do what the table's ``absent`` option says to a player who did not come back."""
        sitter = self._roster.find(seat)
        choice = self._house.absent if self._game.live else "forfeit"
        if choice == "wait":
            sitter.life.miss()
            self._events.append(Waiting(seat))
            return
        sitter.life.give_up()
        self._roster.note_lapsed(sitter.core)
        if choice == "bot":
            self._put_substitute(sitter)
        else:
            self._part_with(sitter, "absent", now)

    def count_idle(self, seat: int, now: float) -> None:
        """Count a decision that the clock made for one who is here; with too many in a row the player is absent.

        One who is then waited for may be here all the same, and is back with the next move.
        """
        if not self._game.live:
            return
        sitter = self._roster.find(seat)
        if sitter.presence is not Presence.HERE or sitter.is_bot:
            return
        sitter.core.idle += 1
        if sitter.core.idle == self._house.idle:
            self._roster.drop(sitter, now)
            self.end_grace(seat, now)

    def _put_substitute(self, gone: Sitter) -> None:
        self._put_bot(gone, self._roster.name_for_substitute(gone.core.seat), SUBSTITUTE)
