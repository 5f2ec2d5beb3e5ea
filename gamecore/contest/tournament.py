"""A tournament: commands go in, events come out; who meets whom is asked, then told by a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from automat import NoTransition

from gamecore.contest import commands
from gamecore.contest.commands import ContestCommand
from gamecore.contest.events import (
    ContestEvent,
    Entered,
    Reported,
    RoundPaired,
    TournamentBegan,
    TournamentCancelled,
    TournamentOver,
    Withdrew,
)
from gamecore.contest.life import LifeCore, LifeMachine, Phase
from gamecore.contest.pairing import Format
from gamecore.contest.rounds import Encounter, Field, PairedRound, Pairing
from gamecore.contest.standing import Standing, standings
from gamecore.errors import Refused


class Tournament:
    """One tournament and its whole life; only :meth:`apply` changes what is told of it."""

    def __init__(self, format: Format | None, seats: range = range(2, 3)) -> None:
        """Open a tournament of games with so many seats; without a ``format`` it is an arena."""
        self._format = format
        self._seats = seats
        self._life = LifeMachine(LifeCore())
        self._entrants: list[str] = []
        self._gone: set[str] = set()
        self._rounds: list[PairedRound] = []
        self._encounters: list[Encounter] = []
        self._open: dict[str, Pairing] = {}  # pairings without a result, by id
        self._ids: set[str] = set()

    # -- questions --------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """How far it is."""
        return self._life.phase()

    @property
    def field(self) -> Field:
        """All that pairs the next round."""
        return Field(
            entrants=tuple(self._entrants),
            present=frozenset(self._entrants) - self._gone,
            seats=self._seats,
            rounds=tuple(self._rounds),
            encounters=tuple(self._encounters),
            bye_worth=1 if self._format is None else self._format.bye_worth,
        )

    @property
    def unreported(self) -> Sequence[Pairing]:
        """The pairings that have no result yet."""
        return list(self._open.values())

    def table(self) -> list[Standing]:
        """Draw up the table as it stands."""
        return standings(self.field)

    def next_round(self) -> PairedRound | None:
        """Pair the next round by the format; None where none follows.  Raises Refused as the format does."""
        return None if self._format is None else self._format.pair(self.field)

    # -- commands ---------------------------------------------------------------------

    def apply(self, command: ContestCommand) -> Sequence[ContestEvent]:
        """Do what a command says and tell what happened.

        Raises Refused: ``name-taken``, ``no-such-entrant``, ``too-few-entrants``, ``no-such-pairing``,
        ``wrong-pairings``, ``wrong-places``, ``not-now``; nothing has changed then.
        """
        try:
            return _DO[type(command)](self, command)
        except NoTransition as problem:
            raise Refused("not-now") from problem

    def _enter(self, command: commands.Enter) -> Sequence[ContestEvent]:
        if command.entrant in self._entrants:
            raise Refused("name-taken")
        self._life.enter()
        self._entrants.append(command.entrant)
        return [Entered(command.entrant)]

    def _withdraw(self, command: commands.Withdraw) -> Sequence[ContestEvent]:
        who = command.entrant
        if who not in self._entrants or who in self._gone:
            raise Refused("no-such-entrant", name=who)
        self._life.withdraw()
        if self.phase is Phase.OPEN:
            self._entrants.remove(who)
        else:
            self._gone.add(who)
        return [Withdrew(who)]

    def _begin(self, _: commands.Begin) -> Sequence[ContestEvent]:
        if len(self._entrants) < self._seats[0]:
            raise Refused("too-few-entrants", least=self._seats[0])
        (self._life.run if self._format is None else self._life.begin)()
        return [TournamentBegan(tuple(self._entrants))]

    def _pair(self, command: commands.Pair) -> Sequence[ContestEvent]:
        paired = command.paired
        ids = {each.id for each in paired.pairings}
        named = [*paired.byes, *(who for each in paired.pairings for who in each.entrants)]
        sound = len(ids) == len(paired.pairings) > 0 and not ids & self._ids
        sized = all(len(each.entrants) in self._seats for each in paired.pairings)
        if not (sound and sized and self._are_free(named)):
            raise Refused("wrong-pairings")
        self._life.pair()
        self._rounds.append(paired)
        self._ids |= ids
        self._open.update({each.id: each for each in paired.pairings})
        return [RoundPaired(paired)]

    def _are_free(self, named: Sequence[str]) -> bool:
        """Say whether each is there, once, and at no encounter that is still under way."""
        busy = {who for each in self._open.values() for who in each.entrants}
        there = set(self._entrants) - self._gone - busy
        return len(set(named)) == len(named) and there.issuperset(named)

    def _report(self, command: commands.Report) -> Sequence[ContestEvent]:
        pairing = self._find(command.pairing)
        seats = len(pairing.entrants)
        if not command.games or any(
            len(places) != seats or min(places) != 1 or max(places) > seats
            for places in command.games
        ):
            raise Refused("wrong-places")
        return self._settle(Encounter(pairing, command.games))

    def _forfeit(self, command: commands.Forfeit) -> Sequence[ContestEvent]:
        pairing = self._find(command.pairing)
        if not command.absent or not set(pairing.entrants).issuperset(command.absent):
            raise Refused("no-such-entrant", name=", ".join(command.absent))
        return self._settle(Encounter(pairing, (), command.absent))

    def _find(self, id: str) -> Pairing:
        if id not in self._open:  # a second report too
            raise Refused("no-such-pairing", name=id)
        return self._open[id]

    def _settle(self, encounter: Encounter) -> Sequence[ContestEvent]:
        last = len(self._open) == 1 and self.phase is Phase.PLAYING
        (self._life.round_over if last else self._life.report)()
        del self._open[encounter.pairing.id]
        self._encounters.append(encounter)
        return [Reported(encounter)]

    def _finish(self, _: commands.Finish) -> Sequence[ContestEvent]:
        self._life.finish()
        self._open.clear()
        return [TournamentOver()]

    def _cancel(self, _: commands.Cancel) -> Sequence[ContestEvent]:
        self._life.cancel()
        self._open.clear()
        return [TournamentCancelled()]


_Doing = Callable[[Tournament, ContestCommand], Sequence[ContestEvent]]
_DO = cast(
    dict[type, _Doing],
    {
        commands.Enter: Tournament._enter,
        commands.Withdraw: Tournament._withdraw,
        commands.Begin: Tournament._begin,
        commands.Pair: Tournament._pair,
        commands.Report: Tournament._report,
        commands.Forfeit: Tournament._forfeit,
        commands.Finish: Tournament._finish,
        commands.Cancel: Tournament._cancel,
    },
)
