"""Whatever is done in whatever order, 1-2-3 Pass keeps its cards, its places and its secrets."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gamecore.cards import PACK, RANKS, Card
from gamecore.codec import plain
from gamecore.errors import Refused
from gamecore.events import RoundOver, heard_by
from gamecore.fairness import Deal
from gamecore.games.pass123 import (
    RULES,
    Dealt,
    Finish,
    Finished,
    Named,
    Pass,
    Passed,
    PassOptions,
    PassPosition,
    Received,
    TakenBack,
    Tap,
    Tapped,
    Voided,
    begin_with,
)
from gamecore.games.pass123.guessing import draw_anew
from gamecore.games.pass123.round import is_set, taker
from gamecore.record import build
from gamecore.rules import Seat
from gamecore.table_events import TABLE_EVENTS

SECONDS = 10


def listed(view, seat):
    """Derive the legal moves from what a seat sees, and nothing else."""
    if view.voided is not None or (view.places and all(view.places)) or view.places[seat]:
        return []
    if view.shown:
        return [Tap()]
    if view.named is not None:
        return []
    passes = [Pass(card) for card in view.hand]
    return [Finish(), *passes] if is_set(view.hand) else passes


def told(events, players):
    """Make of the events that one seat hears what its View should say of cards and places."""
    hand, named, places, shown, passes, voided, ready = (), None, (0,) * players, (), 0, None, set()
    for event in events:
        match event:
            case Dealt() | Received():
                hand, named = event.hand, None
            case TakenBack():
                hand, named = event.hand, None
            case Named():
                hand, named = event.hand, event.card
            case Passed():
                passes, ready = event.number, set()
            case Finished():
                shown, places, ready = event.cards, event.places, set()
            case Tapped():
                places = event.places
            case Voided():
                voided = event
        if type(event).__name__ == "Ready":
            ready.add(event.seat)
    return hand, named, places, shown, passes, voided, tuple(sorted(ready))


class PassModel(RuleBasedStateMachine):
    """The model knows whose hand each card is in, and who has which place."""

    @initialize(players=st.integers(2, 5), seed=st.integers(0, 99), down=st.booleans())
    def begin(self, players, seed, down):
        self.players, self.now, self.heard, self.twin_heard = players, 0.0, [], []
        self.options = PassOptions(4, "down" if down else "up", SECONDS)
        seats = [Seat(f"p{seat}") for seat in range(players)]
        self.position, self.twin = (
            RULES.begin(seats, self.options, Deal(f"{seed:064x}"), heard.append, 0.0)
            for heard in (self.heard, self.twin_heard)
        )
        self.hands = {seat: set(self.position.seen_by(seat).hand) for seat in range(players)}
        self.pack = set().union(*self.hands.values())
        self.named, self.places, self.void, self.since = {}, {}, None, 0.0

    def both(self, act):
        """Do the same to a second position: the same commands give the same events."""
        act(self.position)
        act(self.twin)
        assert self.heard == self.twin_heard

    @property
    def awaited(self):
        if self.void is not None:
            return set()
        return set(range(self.players)) - (self.places or self.named).keys()

    def name(self, seat, card):
        self.named[seat] = card
        if len(self.named) == self.players:
            for giver, each in self.named.items():
                self.hands[giver].remove(each)
                self.hands[taker(giver, self.players, self.options.direction)].add(each)
            self.named, self.since = {}, self.now

    def put_last(self, seat):
        free = set(range(2, self.players + 1)) - set(self.places.values())
        self.places[seat] = max(free)

    @rule(data=st.data())
    def play(self, data):
        seat = data.draw(st.integers(0, self.players - 1))
        card = data.draw(st.sampled_from([*self.position.seen_by(seat).hand, Card("A", "S")]))
        move = data.draw(st.sampled_from([Pass(card)] * 8 + [Finish(), Tap()]))
        if move not in self.position.legal_moves(seat):
            before = [self.position.seen_by(each) for each in range(self.players)]
            with pytest.raises(Refused):
                self.position.play(seat, move, self.now)
            assert [self.position.seen_by(each) for each in range(self.players)] == before
            return
        self.both(lambda position: position.play(seat, move, self.now))
        if isinstance(move, Pass):
            self.name(seat, card)
        elif isinstance(move, Finish):
            self.places, self.named, self.since = {seat: 1}, {}, self.now
        else:
            self.places[seat] = len([each for each in self.places.values() if each]) + 1
            free = set(range(2, self.players + 1)) - {
                place for each, place in self.places.items() if each != seat
            }
            self.places[seat] = min(free)

    @rule(data=st.data())
    @precondition(lambda self: self.awaited)
    def play_on(self, data):
        """Let all who are to move do something legal, in some order; rather finish than pass."""
        for seat in data.draw(st.permutations(sorted(self.awaited))):
            moves = self.position.legal_moves(seat)
            if moves and seat in self.awaited:
                move = data.draw(st.sampled_from(moves))
                self.both(lambda position, s=seat, m=move: position.play(s, m, self.now))
                if isinstance(move, Pass):
                    self.name(seat, move.card)
                elif isinstance(move, Finish):
                    self.places, self.named, self.since = {seat: 1}, {}, self.now
                else:
                    taken = set(self.places.values())
                    self.places[seat] = min(set(range(2, self.players + 1)) - taken)

    @rule(quarters=st.integers(1, 20))
    def wait(self, quarters):
        self.now += quarters / 4

    @rule()
    @precondition(lambda self: self.awaited)
    def ring(self):
        due = self.position.due()
        assert due == dict.fromkeys(sorted(self.awaited), self.since + SECONDS)
        for seat in sorted(self.awaited):
            if seat in self.position.due() and self.now >= self.position.due()[seat]:
                hand = self.position.seen_by(seat).hand
                finished = bool(self.places)
                self.both(lambda position, s=seat: position.time_up(s, self.now))
                if finished:
                    self.put_last(seat)
                else:
                    held = Counter(card.rank for card in hand)
                    least = [card for card in hand if held[card.rank] == min(held.values())]
                    self.name(seat, least[-1])

    @rule(seat=st.integers(0, 1), sure=st.sampled_from([False] * 8 + [True]))
    def leave(self, seat, sure):
        if sure:
            self.both(lambda position: position.leave(seat, "left", self.now))
            if self.places and seat not in self.places:
                self.put_last(seat)
            elif not self.places and self.void is None:
                self.void, self.named = seat, {}

    @invariant()
    def agrees(self):
        awaited = self.awaited if len(self.places) < self.players else set()
        assert self.position.to_move() == awaited
        for seat in range(self.players):
            view = self.position.seen_by(seat)
            if self.void is None:
                own = {view.named} if view.named else set()
                assert set(view.hand) | own == self.hands[seat]
                assert view.named == self.named.get(seat)
                assert len(view.hand) + len(own) == 4
            assert list(self.position.legal_moves(seat)) == listed(view, seat)
            heard = heard_by(seat, self.heard)
            seen = (view.hand, view.named, view.places, view.shown, view.passes, view.voided)
            assert told(heard, self.players)[:6] == seen
            if self.void is None:
                assert told(heard, self.players)[6] == view.ready
        outcome = self.position.outcome
        if self.void is not None:
            losers = [seat for seat, place in enumerate(outcome.places) if place > 1]
            assert losers == [self.void]
        elif len(self.places) == self.players:
            assert outcome.places == tuple(self.places[seat] for seat in range(self.players))
            assert sorted(outcome.places) == list(range(1, self.players + 1))
        else:
            assert outcome is None

    def teardown(self):
        if hasattr(self, "position"):
            for event in self.heard:
                assert build(type(event), plain(event)) == event
                assert type(event) in (*RULES.events, *TABLE_EVENTS)
            for seat in (None, *range(self.players)):
                check_guess(self.position, seat, self.players, Random(1))


PassModel.TestCase.settings = settings(max_examples=25, stateful_step_count=25)
test_pass123_model = PassModel.TestCase


# -- what a seat cannot know ----------------------------------------------------------


def check_guess(position, seat, players, chance):
    """See that a guess shows its seat the same, and is a game that could have been played."""
    guess = position.guess(seat, chance)
    for ask in ("to_move", "due"):
        assert getattr(guess, ask)() == getattr(position, ask)()
    assert guess.seen_by(seat) == position.seen_by(seat)
    assert guess.outcome == position.outcome
    if seat is not None:
        assert guess.legal_moves(seat) == position.legal_moves(seat)
    views = [guess.seen_by(each) for each in range(players)]
    held = [card for view in views for card in (*view.hand, *([view.named] if view.named else ()))]
    assert len(held) == len(set(held)) == 4 * players
    assert set(Counter(card.rank for card in held).values()) == {4}
    return guess


def random_game(chance, players, passes, direction="up", midway=True):
    """Pass so many times at random, and leave some in the middle of the next pass."""
    options = PassOptions(players, direction)
    ranks = chance.sample(RANKS, players)
    pack = [card for card in PACK if card.rank in ranks]
    chance.shuffle(pack)
    dealt = tuple(tuple(pack[4 * seat :][:4]) for seat in range(players))
    core = begin_with(dealt, options, lambda event: None, 0.0)
    position = PassPosition(core)
    for _ in range(passes):
        for seat in range(players):
            position.play(seat, Pass(chance.choice(position.seen_by(seat).hand)), 0.0)
    for seat in chance.sample(range(players), chance.randrange(players) if midway else 0):
        position.play(seat, Pass(chance.choice(position.seen_by(seat).hand)), 0.0)
    return position, core


def seen_through(core, seat):
    """Give the cards that a seat held after each pass that is kept of a game."""
    hands, seen = [set(hand) for hand in core.past.hands], []
    players = len(hands)
    seen.append(frozenset(hands[seat]))
    for passed in core.past.passes:
        for giver, card in enumerate(passed):
            hands[giver].remove(card)  # a KeyError if it never held that card
        for giver, card in enumerate(passed):
            hands[taker(giver, players, core.options.direction)].add(card)
        seen.append(frozenset(hands[seat]))
    ends = [
        set(hand) | ({core.named[s]} if s in core.named else set())
        for s, hand in enumerate(core.hands)
    ]
    assert ends == hands
    return seen


SHORT_OR_LONG = st.one_of(st.integers(0, 12), st.integers(30, 45))


@given(st.integers(0, 9999), st.integers(2, 6), SHORT_OR_LONG, st.sampled_from(["up", "down"]))
def test_a_guess_is_a_whole_game_in_which_its_seat_has_seen_the_same(seed, players, passes, way):
    chance = Random(seed)
    position, core = random_game(chance, players, passes, way)
    for seat in range(players):
        check_guess(position, seat, players, chance)
        imagined = draw_anew(core, seat, chance)
        assert seen_through(imagined, seat) == seen_through(core, seat)
        assert [each[seat] for each in imagined.past.passes] == [
            each[seat] for each in core.past.passes
        ]


@given(st.integers(0, 9999), st.integers(2, 5), st.integers(0, 6))
@settings(max_examples=40)
def test_a_guess_plays_on_to_its_end_and_tells_of_it(seed, players, passes):
    chance = Random(seed)
    position, _ = random_game(chance, players, passes)
    heard = []
    guess = position.guess(0, chance, heard.append)
    assert heard == []
    for _ in range(100_000):
        if guess.outcome is not None:
            break
        seat = min(guess.to_move())
        moves = guess.legal_moves(seat)
        guess.play(
            seat, moves[0] if isinstance(moves[0], Finish | Tap) else chance.choice(moves), 0.0
        )
    assert sorted(guess.outcome.places) == list(range(1, players + 1))
    assert position.outcome is None
    assert heard[-1] == RoundOver(1)


@pytest.mark.parametrize("players", [2, 4, 13])
def test_however_long_a_game_goes_on_a_guess_has_as_much_to_tell(players):
    chance = Random(5)
    position, core = random_game(chance, players, 60)
    before = len(core.past.passes)
    for _ in range(100):
        for seat in sorted(position.to_move()):
            position.play(seat, Pass(chance.choice(position.seen_by(seat).hand)), 0.0)
    assert position.seen_by(0).passes == core.past.count >= 159
    assert len(core.past.passes) == before < 60
    for seat in (None, *range(players)):
        guess = check_guess(position, seat, players, chance)
        check_guess(guess, seat, players, chance)


def test_what_was_passed_on_long_ago_may_have_gone_on_to_any_other_hand():
    chance = Random(8)
    position, core = random_game(chance, 5, 0, midway=False)
    long_ago = position.seen_by(0).hand[0]
    for number in range(80):
        for seat in sorted(position.to_move()):
            hand = [card for card in position.seen_by(seat).hand if number == 0 or card != long_ago]
            first = number == 0 and seat == 0
            position.play(seat, Pass(long_ago if first else chance.choice(hand)), 0.0)
    assert core.past.forgotten
    found = Counter(
        seat
        for guess in (position.guess(0, chance) for _ in range(200))
        for seat in range(5)
        if long_ago in guess.seen_by(seat).hand
    )
    assert found.keys() == {1, 2, 3, 4}
    assert found[4] > 5 * found[1]  # where nobody could tell that it has stayed


def test_what_was_passed_on_may_be_guessed_wherever_it_can_have_got_to():
    chance = Random(3)
    position, _ = random_game(chance, 4, 0, midway=False)
    card = position.seen_by(0).hand[0]
    for seat in sorted(position.to_move()):
        position.play(seat, Pass(card if seat == 0 else position.seen_by(seat).hand[0]), 0.0)
    found = Counter(
        seat
        for _ in range(40)
        for seat in range(4)
        if card in position.guess(0, chance).seen_by(seat).hand
    )
    assert found.keys() == {1}  # nobody has passed anything since
    for seat in range(4):
        position.play(seat, Pass(position.seen_by(seat).hand[1 if seat else 0]), 0.0)
    found = Counter()
    for _ in range(300):
        guess = position.guess(0, chance)
        found.update(seat for seat in range(4) if card in guess.seen_by(seat).hand)
    assert found.keys() == {1, 2}
    assert found[1] > found[2] > 40  # three of four cards stayed where they were


def test_two_players_can_know_all_and_then_there_is_nothing_to_guess():
    options = PassOptions(2)
    chance = Random(5)
    hands = [
        [Card(rank, suit) for rank, suit in names]
        for names in (("2S", "2C", "3S", "3C"), ("2D", "2H", "3D", "3H"))
    ]
    core = begin_with(tuple(map(tuple, hands)), options, lambda event: None, 0.0)
    position = PassPosition(core)
    for _ in range(5):
        guess = position.guess(0, chance)
        assert set(guess.seen_by(1).hand) == set(position.seen_by(1).hand)
        for seat in (0, 1):
            position.play(seat, Pass(chance.choice(position.seen_by(seat).hand)), 0.0)


def test_ranks_that_a_seat_has_not_seen_are_guessed_too():
    four = tuple(Card("2", suit) for suit in "SCDH"), tuple(Card("3", suit) for suit in "SCDH")
    core = begin_with(four, PassOptions(2), lambda event: None, 0.0)
    chance = Random(1)
    ranks = {PassPosition(core).guess(0, chance).seen_by(1).hand[0].rank for _ in range(150)}
    assert len(ranks) == 12 and "2" not in ranks


@pytest.mark.parametrize("end", ["tapping", "over", "void"])
@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_guess_stands_where_the_game_stands(end, seat):
    hands = tuple(tuple(Card(rank, suit) for suit in "SCDH") for rank in "234")
    core = begin_with(hands, PassOptions(3), lambda event: None, 4.0)
    position = PassPosition(core)
    position.play(2, Pass(hands[2][0]), 5.0)
    if end == "void":
        position.leave(1, "left", 6.0)
    else:
        position.play(1, Finish(), 6.0)
        position.play(0, Tap(), 7.0)
    if end == "over":
        position.play(2, Tap(), 8.0)
    guess = check_guess(position, seat, 3, Random(1))
    assert guess.seen_by(1).shown == position.seen_by(1).shown
    if end == "tapping":
        guess.play(2, Tap(), 9.0)
        assert guess.outcome.places == (2, 1, 3)
