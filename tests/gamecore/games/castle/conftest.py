"""A duel set up as a test wants it: cards are named by their keys, a mage's level follows an @."""

from __future__ import annotations

import pytest

from gamecore.errors import Refused
from gamecore.fairness import Deal
from gamecore.games.castle import CARDS, RULES, SAMPLE_DECKS, CastleOptions
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.events import Asked
from gamecore.rules import Seat

IDS = {face.key: face.id for face in CARDS}
KEYS = [face.key for face in CARDS]
SEED = "0a" * 32


class Scene:
    """Seat 0 is to act in turn 3, with nothing drawn yet to be drawn; decks are given from the top down."""

    def __init__(
        self,
        mine=(),
        theirs=(),
        hand=(),
        their_hand=(),
        deck=("warlock",) * 8,
        their_deck=("warlock",) * 8,
        castle="stonehill_keep",
        their_castle="stonehill_keep",
        turn=3,
        **options,
    ):
        self.heard = []
        seats = [Seat("north", SAMPLE_DECKS["classic"]), Seat("south", SAMPLE_DECKS["classic"])]
        settings = CastleOptions(begins="first-seat", **options)
        self.position = RULES.begin(seats, settings, Deal(SEED), self.heard.append, 0.0)
        for seat in (0, 1):
            self.position.play(seat, castle_moves.Keep(), 0.0)
        self.core = self.position._core
        self.core.turn = turn
        self.spare = [iter(side.deck[:]) for side in self.core.sides]
        for seat, (field, cards, pile, keep) in enumerate(
            [(mine, hand, deck, castle), (theirs, their_hand, their_deck, their_castle)]
        ):
            self._set_up(seat, field, cards, pile, keep)
        self.heard.clear()

    def _set_up(self, seat, field, hand, deck, castle):
        side = self.core.sides[seat]
        side.castle.card = IDS[castle]
        side.health = side.castle.definition.health
        side.hand = [self._piece(seat, key) for key in hand]
        side.deck = [self._piece(seat, key) for key in reversed(deck)]
        for name in field:
            key, _, level = name.partition("@")
            piece = self._piece(seat, key)
            kind = piece.definition.type
            slot = side.field[kind].index(None)
            side.field[kind][slot] = piece
            piece.level = int(level or 1) if kind == "mage" else 0
            piece.arrived = 1

    def _piece(self, seat, key):
        piece = next(self.spare[seat])
        piece.card = IDS[key]
        return piece

    # -- doing ------------------------------------------------------------------------

    def do(self, move, seat=0, now=0.0):
        """Play a move and give what was heard of it."""
        before = len(self.heard)
        self.position.play(seat, move, now)
        return self.heard[before:]

    def play(self, key, slot=0, pay=(), seat=0):
        """Play a card from the hand."""
        return self.do(castle_moves.PlayCard(self.hand(seat).index(key), slot, tuple(pay)), seat)

    def use(self, zone, slot, ability, seat=0):
        """Use an ability of a card on the own field."""
        return self.do(castle_moves.UseAbility(castle_moves.Spot(seat, zone, slot), ability), seat)

    def attack(self, attacker, target, seat=0):
        """Attack: zones and slots."""
        return self.do(
            castle_moves.Attack(
                castle_moves.Spot(seat, *attacker), castle_moves.Spot(1 - seat, *target)
            ),
            seat,
        )

    def choose(self, owner, zone, slot, seat=0):
        """Choose a card that lies somewhere."""
        return self.do(castle_moves.Choose(castle_moves.Spot(owner, zone, slot)), seat)

    def take(self, key, seat=0):
        """Choose a card out of the deck."""
        return self.do(castle_moves.TakeCard(IDS[key]), seat)

    def put(self, key, source="deck", slot=0, pay=(), seat=0):
        """Put a card into play that another card lets one put."""
        return self.do(castle_moves.PutCard(IDS[key], source, slot, tuple(pay)), seat)

    def yes(self, seat=0):
        """Say yes."""
        return self.do(castle_moves.Accept(), seat)

    def no(self, seat=0):
        """Say no."""
        return self.do(castle_moves.Decline(), seat)

    def answer(self, slot=0, seat=1):
        """Activate a trickster."""
        return self.do(castle_moves.ActivateTrickster(slot), seat)

    def allow(self, seat=1):
        """Allow what is announced."""
        return self.do(castle_moves.AllowAction(), seat)

    def end(self, seat=0):
        """End the turn."""
        return self.do(castle_moves.EndTurn(), seat)

    def draw(self, seat=0):
        """Take the draw of the turn."""
        return self.do(castle_moves.DrawCard(), seat)

    def round(self):
        """Let both seats end their turns, drawing where they must and answering nothing."""
        for seat in (0, 1):
            self.end(seat)
            self.draw(1 - seat)
            if self.stage == "window":
                self.allow(seat)

    def refusal(self, move, seat=0):
        """Give the key of a refusal that has changed nothing."""
        before = [self.position.seen_by(each) for each in (0, 1, None)], len(self.heard)
        with pytest.raises(Refused) as refused:
            self.position.play(seat, move, 0.0)
        assert ([self.position.seen_by(each) for each in (0, 1, None)], len(self.heard)) == before
        return refused.value.key

    # -- looking ----------------------------------------------------------------------

    def hand(self, seat=0):
        """List the keys of a hand."""
        return [KEYS[piece.card] for piece in self.core.sides[seat].hand]

    def deck(self, seat=0):
        """List the keys of a deck in the order of their numbers."""
        return [KEYS[card] for card in sorted(piece.card for piece in self.core.sides[seat].deck)]

    def pile(self, seat=0):
        """List the keys of a discard pile."""
        return [KEYS[piece.card] for piece in self.core.sides[seat].discard]

    def field(self, seat=0):
        """List the keys of the cards on a field, in the order of their spots."""
        return [KEYS[piece.card] for _, piece in self.core.sides[seat].pieces()]

    def card(self, seat, zone, slot):
        """Give what everybody sees of a card on the field."""
        spot = castle_moves.Spot(seat, zone, slot)
        cards = self.position.seen_by(seat).sides[seat].field
        return next((card for card in cards if card.spot == spot), None)

    def health(self, seat=0):
        """Give the health of a castle."""
        return self.core.sides[seat].health

    def moves(self, seat=0):
        """List the legal moves."""
        return list(self.position.legal_moves(seat))

    def takes(self, seat=0):
        """List the keys that are offered out of a deck."""
        return [
            KEYS[move.card] for move in self.moves(seat) if isinstance(move, castle_moves.TakeCard)
        ]

    def puts(self, seat=0):
        """List the keys that may be put into play, each once."""
        cards = {move.card for move in self.moves(seat) if isinstance(move, castle_moves.PutCard)}
        return [KEYS[card] for card in sorted(cards)]

    def asked(self):
        """Give the last question asked."""
        return [event for event in self.heard if isinstance(event, Asked)][-1]

    @property
    def stage(self):
        """Say what is awaited."""
        return self.position.seen_by(None).stage

    @property
    def waiting(self):
        """Say who is awaited."""
        return set(self.position.to_move())


@pytest.fixture
def scene():
    """Give the class of scenes."""
    return Scene
