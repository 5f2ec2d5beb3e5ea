"""Opponents for GOPS: one that bids what a prize is worth, and one that plays the last cards without a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from gamecore.bots import Bot
from gamecore.games.gops import Bid, Cards, GopsView
from gamecore.rules import Chance, Move, View

SOLVED_CARDS = (
    4  # with so many cards in a hand a few dozen small games are to be solved, with five thousands
)
_POINT = (
    0.001  # what a point counts for against a won game, so that a lost one is still played well
)
_EPSILON = 1e-9
_MOST_PIVOTS = 200  # far more than four rows ever need

Matrix = Sequence[Sequence[float]]


def _hand(moves: Sequence[Move]) -> Cards:
    return tuple(move.card for move in moves if isinstance(move, Bid))


def prizes_to_come(view: GopsView) -> Cards:
    """List the prizes that were not turned up yet, the lowest first."""
    turned = {each.prize for each in view.shown} | set(view.pot)
    return tuple(each for each in range(1, view.options.cards + 1) if each not in turned)


class ValueBot(Bot):
    """Bids its best card for the best prize, its second for the second, and now and then the next to that."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Pick the card that stands among the hand as what is at stake stands among the prizes."""
        assert isinstance(view, GopsView)
        hand, stake = _hand(moves), sum(view.pot)
        place = sum(prize < stake for prize in prizes_to_come(view)) + chance.choice((-1, 0, 0, 1))
        return Bid(hand[min(max(place, 0), len(hand) - 1)])


class EndgameBot(ValueBot):
    """Plays as the other does, and from the last four cards on as well as anybody can."""

    quick = ValueBot()

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Draw a card from the best mixture, once the rest of the game can be seen through."""
        assert isinstance(view, GopsView)
        hand = _hand(moves)
        if not 1 < len(hand) <= SOLVED_CARDS:
            return super().choose(view, moves, chance)
        mixture = best_mixture(view, hand)
        return Bid(chance.choices(hand, mixture)[0])


# Neither is stronger: the second made 0.51 of the points, +- 0.02, in 4,000 games with the seats turned.
LEVELS: Mapping[str, Bot] = {"value": ValueBot(), "endgame": EndgameBot()}


# -- the last cards -------------------------------------------------------------------


@frozen
class Endgame:
    """What decides the rest of a game: both hands, the prizes to come, what is at stake, who leads by how much."""

    mine: Cards
    theirs: Cards
    prizes: Cards
    stake: int
    lead: int


def best_mixture(view: GopsView, hand: Cards) -> list[float]:
    """Say how often each card of a hand should be laid, against an opponent who does the same."""
    me = view.seat or 0
    lead = view.scores[me] - view.scores[1 - me]
    endgame = Endgame(hand, view.hands[1 - me], prizes_to_come(view), sum(view.pot), lead)
    return _Solver(view.options.ties == "carry", view.options.order).mixture(endgame)


class _Solver:
    """Values positions of one table's rules, each but once."""

    def __init__(self, carries: bool, order: str) -> None:
        self._carries = carries
        self._order = order
        self._known: dict[Endgame, float] = {}

    def mixture(self, endgame: Endgame) -> list[float]:
        """Say how often to lay each card."""
        return solve(self._matrix(endgame))[1]

    def value(self, endgame: Endgame) -> float:
        """Say what a position is worth to us if nobody errs: 1 is a game won, -1 one lost."""
        found = self._known.get(endgame)
        if found is None:
            matrix = self._matrix(endgame)
            found = matrix[0][0] if len(endgame.mine) == 1 else solve(matrix)[0]
            self._known[endgame] = found
        return found

    def _matrix(self, endgame: Endgame) -> Matrix:
        return [
            [self._after(endgame, mine, theirs) for theirs in endgame.theirs]
            for mine in endgame.mine
        ]

    def _after(self, endgame: Endgame, mine: int, theirs: int) -> float:
        """Value a position after two cards, the next prize being any of those that may come."""
        lead = endgame.lead + ((mine > theirs) - (mine < theirs)) * endgame.stake
        left = endgame.stake if mine == theirs and self._carries else 0
        if not endgame.prizes:
            return (lead > 0) - (lead < 0) + _POINT * lead
        mine_left, theirs_left = _without(endgame.mine, mine), _without(endgame.theirs, theirs)
        values = [
            self.value(
                Endgame(mine_left, theirs_left, _without(endgame.prizes, prize), left + prize, lead)
            )
            for prize in self._next(endgame.prizes)
        ]
        return sum(values) / len(values)

    def _next(self, prizes: Cards) -> Cards:
        return {"ascending": prizes[:1], "descending": prizes[-1:]}.get(self._order, prizes)


def _without(cards: Cards, card: int) -> Cards:
    return tuple(each for each in cards if each != card)


# -- two players, one matrix ----------------------------------------------------------


def solve(matrix: Matrix) -> tuple[float, list[float]]:
    """Give the value of a matrix game to who chooses the row, and how often to choose each row.

    The simplex method, on payoffs made positive: the columns' best mixture maximises the sum of y where the
    matrix times y is at most 1; the rows' is what that sum says each of these bounds is worth.
    """
    shift = 1 - min(map(min, matrix))
    rows, columns = len(matrix), len(matrix[0])
    table = [
        [*(entry + shift for entry in row), *(float(each == at) for each in range(rows)), 1.0]
        for at, row in enumerate(matrix)
    ]
    goal = [-1.0] * columns + [0.0] * rows + [0.0]
    basis = list(range(columns, columns + rows))
    for _ in range(_MOST_PIVOTS):
        column = next((at for at, worth in enumerate(goal[:-1]) if worth < -_EPSILON), None)
        if column is None:
            break
        _pivot(table, goal, basis, column)
    total = goal[-1]
    return 1 / total - shift, [max(0.0, worth) / total for worth in goal[columns:-1]]


def _pivot(table: list[list[float]], goal: list[float], basis: list[int], column: int) -> None:
    """Bring a column into the basis, in the place of the row that bounds it first."""
    bounding = [at for at, row in enumerate(table) if row[column] > _EPSILON]
    at = min(bounding, key=lambda each: (table[each][-1] / table[each][column], basis[each]))
    basis[at] = column
    leaving, factor = table[at], table[at][column]
    leaving[:] = [each / factor for each in leaving]
    for row in (*table, goal):
        if row is not leaving and row[column]:
            factor = row[column]
            row[:] = [each - factor * own for each, own in zip(row, leaving, strict=True)]
