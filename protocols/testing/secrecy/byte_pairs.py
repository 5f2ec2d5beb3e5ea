"""Two houses made from the same integers, up to the moment when one game's position is exchanged for a guess.

From then on the houses differ only in what one viewer may not know.  The same is done in both, but that other
people's moves may hide other moves; and wherever the viewer's Views after it are the same, so is every byte it is
sent: how many writes, when, and what is in them.  The log is held to what one who looks on may know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from random import Random
from types import SimpleNamespace
from typing import Any

from attrs import define, field

from gamecore.events import Event, heard_by
from gamecore.record_file import write_event
from gamecore.rules import AnyRules, Move
from protocols.i18n.game_text import find_text
from protocols.i18n.retelling import told
from protocols.testing.guest import Way
from protocols.testing.playing import Viewer
from protocols.testing.secrecy.houses import PairedGuest, PairedHouse
from protocols.testing.secrecy.pairs import Leak

MOST_STEPS = 150  # before the exchange
TRIES = 6  # to find a moment when something is hidden
STEPS = 6  # after it, while Views are the same
HASTES = (0.6, 0.2, 0.06)  # how soon the exchange comes

text_of = cache(find_text)
Act = Callable[[PairedHouse], object]


def wait(house: PairedHouse) -> None:
    """Let nothing happen."""
    house.do(bool)


def wait_until(house: PairedHouse, due: float) -> None:
    """Let time go by up to a table time."""
    while house.clock.seconds() <= due:
        house.do(lambda: house.clock.advance(max(0.1, min(5.0, due - house.clock.seconds()))))


BOTH_WAIT: tuple[Act, Act] = (wait, wait)


@define
class Result:
    """What came of one pair: whether there was an exchange, and how much was compared after it.

    ``drew`` says that somebody at the table would have seen a difference.
    """

    exchanged: bool = False
    drew: bool = False
    bytes: int = 0
    steps: int = 0
    returned: bool = False


@define(eq=False)
class Pair:
    """Two houses, the one viewer who speaks by a wire, and one who looks on by another."""

    chance: Random
    houses: tuple[PairedHouse, PairedHouse]
    viewer: Viewer
    watcher: Way
    result: Result = field(factory=Result)

    @classmethod
    def open(cls, rules: AnyRules, chance: Random, player: Way | None, watcher: Way) -> Pair:
        """Open both houses and let the players come; without a ``player`` by a wire, a watcher is the viewer."""
        most = min(rules.seats[-1], 4)
        count = chance.choice(range(rules.seats[0], most + 1))
        viewer = None if player is None else chance.randrange(count)
        seed = chance.random()
        ways = [way for way in (player, watcher) if way is not None]
        one, other = (PairedHouse(rules, Random(seed), count, ways) for _ in range(2))
        for house in (one, other):
            house.open_table(Random(seed))
            for seat in range(count):
                if seat == viewer:
                    assert player is not None
                    house.invite(player, seat)
                else:
                    house.sit(house.table, seat, name=f"silent {seat}")
            house.start(house.table)
            assert house.rules.playing is not None, _silence(house, "the game has not begun")
            assert viewer is None or house.face_in(house.table, viewer) is not None, _silence(
                house, "no seat"
            )
        pair = cls(chance, (one, other), viewer, watcher)
        pair.compare("before the exchange")
        return pair

    # -- the course of it --------------------------------------------------------------

    def check(self) -> Result:
        """Play on, exchange, and compare; raises Leak."""
        self.play_until_exchange()
        self.look_on()
        self.exchange()
        if not self.result.exchanged:
            return self.result
        self.ask_all()
        if self.chance.random() < 0.3:
            self.return_by_token()
        for _ in range(STEPS):
            if self.one.over or not self.step():
                break
            self.compare("after a command")
            self.result.steps += 1
            self.chance.choice((self.ask_all, self.return_by_token, bool))()
        return self.result

    def look_on(self) -> None:
        """Let the one who looks on come; until the houses can differ, nobody needs to be told what both do."""
        for house in self.houses:
            house.invite(self.watcher, None)

    def play_until_exchange(self) -> None:
        """Play the same in both, by chance, for a while."""
        haste = self.chance.choice(HASTES)
        for _ in range(MOST_STEPS):
            if self.chance.random() < haste or not self.play_same():
                break
        self.compare("before the exchange")

    def play_same(self) -> bool:
        """Make one and the same move in both; False once the game is over."""
        if self.one.over:
            return False
        seat = self.chance.choice(sorted(self.one.playing.to_move()))
        move = self.chance.choice(self.one.playing.legal_moves(seat))
        for house in self.houses:
            self.play(house, seat, move)
        return not self.one.over

    def exchange(self) -> None:
        """Put a guess in the place of the position in the second house, when that makes a difference if it can.

        Raises Leak.
        """
        for _ in range(self.chance.choice((0, TRIES))):
            if self.guess_differs() or not self.play_same():
                break
        if self.one.over:
            return
        self.compare("before the exchange")
        self.other.playing.exchange(self.viewer, self.chance)
        if not self.sees_same(self.viewer):
            raise Leak(f"a guess shows {self.viewer} another View")
        self.result.exchanged = True
        self.result.drew = not all(map(self.sees_same, self.everybody))
        for house in self.houses:
            house.playing.heard.clear()

    @property
    def everybody(self) -> Sequence[Viewer]:
        return [None, *range(self.one.count)]

    def guess_differs(self) -> bool:
        """Say whether anybody at the table would see another View in a guess."""
        position = self.one.playing.position
        guess = position.guess(self.viewer, Random(self.chance.random()))
        return any(position.seen_by(each) != guess.seen_by(each) for each in self.everybody)

    def step(self) -> bool:
        """Do one thing in both; False if there is nothing more to compare: the Views differ after it."""
        for house, act in zip(self.houses, self.choose_acts(), strict=True):
            act(house)
        return self.sees_same(self.viewer)

    def choose_acts(self) -> tuple[Act, Act]:
        """Choose what is done in each house: what the viewer does is the same in both.

        Another's move may hide another of its kind, or that there was none.
        """
        chance, awaited = self.chance, sorted(self.one.playing.to_move())
        others = [each for each in awaited if each != self.viewer]
        among = others if others and chance.random() < 0.6 else awaited
        seat = chance.choice(range(self.one.count) if chance.random() < 0.1 else among)
        due = self.one.table.turn_of(None, 0.0).due.get(seat)
        what = chance.random()
        if what < 0.08 and due is not None:
            return (partial(wait_until, due=due),) * 2
        if seat == self.viewer:
            pool = [*self.one.playing.legal_moves(seat), *self.odd_moves(seat)]
            return (
                (partial(self.play, seat=seat, move=chance.choice(pool)),) * 2
                if pool
                else BOTH_WAIT
            )
        if what < 0.14:
            return (partial(self.part, seat=seat, how=chance.choice(("leave", "drop"))),) * 2
        return self.choose_moves(seat)

    def choose_moves(self, seat: int) -> tuple[Act, Act]:
        """Choose a move for one of the others, and what it may be in the other house instead."""
        moves = [house.playing.legal_moves(seat) for house in self.houses]
        if not all(moves):
            return BOTH_WAIT
        first = self.chance.choice(moves[0])
        one = partial(self.play, seat=seat, move=first)
        if self.is_secret(seat, first) and self.chance.random() < 0.5:
            return one, wait
        alike = [each for each in moves[1] if type(each) is type(first)]
        second = self.chance.choice(alike or moves[1])
        if first in moves[1] and self.chance.random() < 0.3:
            second = first  # so that what everybody sees goes on alike
        return one, partial(self.play, seat=seat, move=second)

    def is_secret(self, seat: int, move: Move) -> bool:
        """Say whether neither the viewer nor one who looks on would be told anything of a move."""
        heard: list[Event] = []
        position = self.one.playing.position
        trial = position.guess(seat, Random(self.chance.random()), heard.append)
        before = [trial.seen_by(each) for each in (self.viewer, None)]
        trial.play(seat, move, self.one.clock.seconds())
        after = [trial.seen_by(each) for each in (self.viewer, None)]
        return before == after and not any(heard_by(each, heard) for each in (self.viewer, None))

    def odd_moves(self, seat: int) -> Sequence[Move]:
        """Find moves that are somebody else's to make."""
        others = [each for each in range(self.one.count) if each != seat]
        return [move for each in others for move in list(self.one.playing.legal_moves(each))[:2]]

    def play(self, house: PairedHouse, seat: int, move: Move) -> None:
        """Let a seat make a move: the viewer on its own wire, as far as the wire has words for it."""
        guest = next((each for each in house.guests if each.seat == seat), None)
        said = None if guest is None else guest.wire.move(move)
        if guest is None or said is None:
            face = house.face_in(house.table, seat)
            house.do(lambda: house.host.submit(face, move) if face else None)
        elif not guest.gone:
            guest.say(said)

    def part(self, house: PairedHouse, seat: int, how: str) -> None:
        """Let a silent person go."""
        face = house.face_in(house.table, seat)
        if face is not None:
            house.do(lambda: getattr(house.host, how)(face))

    # -- what else is asked ------------------------------------------------------------

    def ask_all(self) -> None:
        """Let every guest ask for all that its wire can be asked for."""
        for house in self.houses:
            for guest in house.guests:
                if not guest.gone:
                    guest.say(*guest.wire.asks)
        self.compare("of what was asked")

    def return_by_token(self) -> None:
        """Let the player come back by what it was given, with the old link or without."""
        hang_up = self.chance.random() < 0.5
        for house in self.houses:
            for guest in house.guests:
                if guest.seat is not None and guest.wire.back is not None and guest.token:
                    guest.come_back(hang_up)
                    self.result.returned = True
        self.compare("after a return")

    # -- comparing ---------------------------------------------------------------------

    @property
    def one(self) -> PairedHouse:
        """The house in which all is as it was dealt."""
        return self.houses[0]

    @property
    def other(self) -> PairedHouse:
        """The house in which it is exchanged."""
        return self.houses[1]

    def compare(self, when: str) -> None:
        """Compare all that was written to those whose Views are the same; raises Leak."""
        for guests in zip(self.one.guests, self.other.guests, strict=True):
            if self.sees_same(guests[0].seat):
                self.compare_writes(when, *guests)
        if self.sees_same(None):
            compare(f"{when}, in the log", self.one.log, self.other.log)
        if self.result.exchanged and self.sees_same(self.viewer):
            replays = [replay(house, self.viewer) for house in self.houses]
            compare(f"{when}, in a replay", *replays)

    def sees_same(self, viewer: Viewer) -> bool:
        return self.one.board(viewer) == self.other.board(viewer)

    def compare_writes(self, when: str, guest: PairedGuest, twin: PairedGuest) -> None:
        who = "who looks on" if guest.seat is None else f"in seat {guest.seat}"
        what = f"{when}, to one {who} by {guest.wire.name}"
        for mine, theirs in zip(guest.writes(), twin.writes(), strict=True):
            compare(what, mine, theirs)
        self.result.bytes += sum(len(peer.got()) for peer in guest.peers)


def compare(what: str, one: Sequence[object], other: Sequence[object]) -> None:
    """Compare two lists of what was written; raises Leak, which names the first difference."""
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            raise Leak(f"{what}:\n  {mine!r}\n  {theirs!r}")
    if len(one) != len(other):
        longer = max(one, other, key=len)
        raise Leak(
            f"{what}: {len(one)} or {len(other)} writes: {longer[min(len(one), len(other)) :]}"
        )


def replay(house: PairedHouse, viewer: Viewer) -> list[tuple[float, str]]:
    """Tell in words, as a replay does, what a viewer was told since the exchange."""
    rules = house.rules
    written = [[write_event(event) for event in house.playing.heard]]
    game: Any = SimpleNamespace(entries=[SimpleNamespace(at=0.0, command={})], events=written)
    return list(told(game, rules, text_of(rules.kind), viewer))


def _silence(house: PairedHouse, what: str) -> str:
    told = [peer.got()[-300:] for guest in house.guests for peer in guest.peers]
    return f"{what}; the guests were told {told}, the log says {house.log[-3:]}"
