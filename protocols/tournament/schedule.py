"""What is played next: the tournament driven by its results, in their order and by nothing else.

So a run that was killed goes on where its file ends, and ends with the same table.
"""

from __future__ import annotations

from collections import Counter, deque

from gamecore.contest import Field, PairedRound, Standing, Tournament, find_format
from gamecore.contest.commands import Begin, Enter, Finish, Pair, Report
from gamecore.contest.rounds import Pairing, Places
from protocols.tournament.games import FAULTS, Game, Result, games_of
from protocols.tournament.plan import Plan

_CRASHES = ("crash", "start")


class OtherTournament(ValueError):
    """A result does not belong to what is played here."""


class Schedule:
    """The games of a tournament, one after another; results are given in that very order."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._tournament = Tournament(
            find_format(plan.settings.format), range(plan.seats, plan.seats + 1)
        )
        for each in plan.entrants:
            self._tournament.apply(Enter(each.name))
        self._tournament.apply(Begin())
        self._pairings: dict[str, Pairing] = {}
        self._places: dict[str, list[Places]] = {}
        self._waiting: deque[Game] = deque()  # not begun
        self._open: deque[Game] = deque()  # without a result, whether begun or not
        self._crashes: Counter[str] = Counter()
        self.total = 0  # games of all rounds that are paired
        self.over = False

    @property
    def needs_pairing(self) -> bool:
        """Whether all games of the last round have their results, and another round may follow."""
        return not self._open and not self.over

    @property
    def field(self) -> Field:
        """All that pairs the next round."""
        return self._tournament.field

    def pair(self) -> PairedRound | None:
        """Pair the next round here and now, which may take a while."""
        return self._tournament.next_round()

    def paired(self, found: PairedRound | None) -> None:
        """Take the next round, or that none follows."""
        if found is None:
            self._tournament.apply(Finish())
            self.over = True
            return
        self._tournament.apply(Pair(found))
        for pairing in found.pairings:
            games = games_of(self._plan, pairing.id, pairing.entrants)
            self._pairings[pairing.id] = pairing
            self._waiting += games
            self._open += games
            self.total += len(games)

    def next_game(self) -> Game | None:
        """Give the next game to begin; None where none can begin before others have ended."""
        return self._waiting.popleft() if self._waiting else None

    @property
    def first_open(self) -> str | None:
        """The game whose result is taken next."""
        return self._open[0].id if self._open else None

    def take(self, result: Result) -> None:
        """Take the next result; raises OtherTournament if it is not of that game."""
        game = self._open.popleft() if self._open else None
        if game is None or (game.id, game.entrants) != (result.id, result.entrants):
            raise OtherTournament(f"no game {result.id} of {', '.join(result.entrants)} is next")
        if self._waiting and self._waiting[0] is game:
            self._waiting.popleft()
        if result.reason in _CRASHES and result.culprit is not None:
            self._crashes[result.culprit] += 1
        pairing = self._pairings[result.pairing]
        by_seat = dict(zip(result.entrants, result.places, strict=True))
        places = self._places.setdefault(pairing.id, [])
        places.append(tuple(by_seat[each] for each in pairing.entrants))
        if len(places) == self._plan.settings.games:
            self._tournament.apply(Report(pairing.id, tuple(self._places.pop(pairing.id))))

    def suspended(self, game: Game) -> str | None:
        """Name who of a game plays no more, by the results that were taken."""
        return next((each for each in game.entrants if each in self.all_suspended), None)

    @property
    def all_suspended(self) -> list[str]:
        """Who plays no more after too many crashes, in the order of the file."""
        most = self._plan.limits.crashes
        return [each.name for each in self._plan.entrants if self._crashes[each.name] >= most]

    def table(self) -> list[Standing]:
        """Draw up the table as it stands."""
        return self._tournament.table()


assert set(_CRASHES) <= set(FAULTS)
