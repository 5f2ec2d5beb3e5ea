"""Cards between decks, hands and discard piles: drawing, searching, looking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import define, evolve

from gamecore.games.castle import card_events, effect_schema, events, operations
from gamecore.games.castle.card_definitions import CardDefinition
from gamecore.games.castle.continuous_effects import has, has_in_play
from gamecore.games.castle.core import (
    EVERYBODY,
    FIELD,
    NOBODY,
    ONLY,
    AbilityUse,
    Piece,
    Question,
    RoundCore,
    Step,
)
from gamecore.games.castle.costs import distinct
from gamecore.games.castle.engine import ask, does, offers, performs, takes
from gamecore.games.castle.event_types import Asking
from gamecore.games.castle.moves import Decline, Reply, Spot, TakeCard


@define(eq=False)
class DrawCards(Step):
    """Draw cards that must be drawn."""

    seat: int
    count: int
    turn: bool = False


@define(eq=False)
class SearchDeck(Step):
    """Look for cards in a deck: those that a filter lets through, and of these only ``cards`` if any are named."""

    seat: int
    use: AbilityUse
    filter: effect_schema.Filter
    left: int = 1
    cards: tuple[int, ...] = ()
    optional: bool = False


@define(eq=False)
class ShuffleDeck(Step):
    """Shuffle a deck that somebody has looked into."""

    seat: int


@define(eq=False)
class ShowTaken(Step):
    """Show the enemy the cards that were taken from the top of a deck, those that are still held."""

    use: AbilityUse


@define(eq=False)
class TakeFromDeck(Question):
    """Which card to take out of a deck."""

    why: ClassVar[Asking] = "take"
    search: SearchDeck


@define(eq=False)
class TakeLooked(Question):
    """Which card to take of those that were looked at."""

    why: ClassVar[Asking] = "take"
    looked: tuple[int, ...]
    left: int


# -- moving cards ---------------------------------------------------------------------


def into_discard(core: RoundCore, piece: Piece) -> int:
    """Lay a card on its owner's discard pile and say at which place."""
    piece.forget()
    piece.hint = ()
    pile = core.sides[piece.owner].discard
    pile.append(piece)
    return len(pile) - 1


def into_hand(core: RoundCore, piece: Piece, news: card_events.Drew | card_events.Fetched) -> None:
    """Take a card into its owner's hand, or lay it open if the hand is full (specification 1.4)."""
    side = core.sides[news.seat]
    if len(side.hand) >= core.options.hand_limit and not has(
        core, news.seat, operations.NoHandLimit
    ):
        core.emit(
            card_events.Overflowed(news.seat, piece.card, news.left, into_discard(core, piece))
        )
        return
    side.take(piece)
    core.tell_one(news.seat, news)


def shuffle_deck(core: RoundCore, seat: int) -> None:
    """Shuffle a deck; nobody knows any longer where a card of it lies."""
    side = core.sides[seat]
    for piece in side.deck:
        piece.known, piece.hint = NOBODY, ()
    in_order = sorted(side.deck, key=lambda piece: (piece.card, piece.uid))
    side.deck = core.deal.shuffle(f"deck-{seat}", in_order)


@does(DrawCards)
def draw(core: RoundCore, step: DrawCards) -> None:
    """Draw one card and leave the others for later; an empty deck loses the game."""
    side = core.sides[step.seat]
    if step.count <= 0:
        return
    if not side.deck:
        core.lose((step.seat, "deck-out"))
        return
    core.push(evolve(step, count=step.count - 1))
    piece = side.deck.pop()
    into_hand(
        core,
        piece,
        card_events.Drew(step.seat, piece.card, len(side.hand), len(side.deck), step.turn),
    )


@does(ShuffleDeck)
def shuffle(core: RoundCore, step: ShuffleDeck) -> None:
    """Shuffle and say so."""
    shuffle_deck(core, step.seat)
    core.emit(card_events.Shuffled(step.seat, len(core.sides[step.seat].deck)))


def _fetch(
    core: RoundCore, question: Question, piece: Piece, hint: tuple[effect_schema.Kind, ...]
) -> None:
    side = core.sides[question.seat]
    side.deck.remove(piece)
    piece.hint = hint
    question.use.fetched = piece.uid
    news = card_events.Fetched(question.seat, piece.card, len(side.hand), len(side.deck))
    into_hand(core, piece, news)


# -- searching ------------------------------------------------------------------------


def fits(definition: CardDefinition, wanted: effect_schema.Filter) -> bool:
    """Tell whether a filter, with its types made out, lets a card through."""
    if wanted.types and definition.type not in wanted.types:
        return False
    if wanted.printed_cost == "none" and definition.cost:
        return False
    return wanted.card_id in (None, definition.id)


def made_out(
    core: RoundCore, use: AbilityUse, wanted: effect_schema.Filter
) -> effect_schema.Filter:
    """Put a type in the place of words like 'the same type as the attacker'."""
    attacker = core.action.sort if core.action is not None else None
    meant = {"same_type_as_attacker": attacker, "same_type_as_destroyed": use.destroyed}
    types = [meant.get(each, each) for each in wanted.types]
    return evolve(wanted, types=tuple(each for each in types if each is not None))


def _found(core: RoundCore, search: SearchDeck) -> list[Piece]:
    return distinct(
        piece
        for piece in core.sides[search.seat].deck
        if fits(piece.definition, search.filter)
        and (not search.cards or piece.card in search.cards)
    )


@does(SearchDeck)
def search(core: RoundCore, step: SearchDeck) -> None:
    """Ask which card to take; a search that finds nothing costs nothing."""
    if step.left and _found(core, step):
        ask(core, TakeFromDeck(step.seat, step.use, step))
        return
    if step.left:
        core.emit(events.Skipped(step.seat, step.use.card, operations.Search.op))
    core.push(ShuffleDeck(step.seat))


@offers(TakeFromDeck)
def offer_deck(core: RoundCore, question: TakeFromDeck) -> Sequence[Reply]:
    """List the cards that will do, each once."""
    found: list[Reply] = [TakeCard(piece.card) for piece in _found(core, question.search)]
    return [*found, Decline()] if question.search.optional else found


@takes(TakeFromDeck)
def take_from_deck(core: RoundCore, question: TakeFromDeck, move: Reply) -> None:
    """Take the card and look for the next, or be content."""
    wanted = question.search
    if isinstance(move, TakeCard):
        piece = next(each for each in _found(core, wanted) if each.card == move.card)
        types: tuple[effect_schema.Kind, ...] = tuple(
            kind for kind in FIELD if kind in wanted.filter.types
        )
        _fetch(core, question, piece, types)
        if wanted.filter.card_id is not None:
            piece.known = EVERYBODY
        if wanted.cards:
            show(
                core,
                1 - wanted.seat,
                [each for each in hand_spots(core, wanted.seat) if each[1] is piece],
            )
        core.push(evolve(wanted, left=wanted.left - 1))
    else:
        core.emit(events.Declined(question.seat, question.use.card))
        core.push(ShuffleDeck(wanted.seat))


@performs(operations.Search)
def search_own(core: RoundCore, use: AbilityUse, effect: operations.Search) -> None:
    """Search one's own deck."""
    core.push(SearchDeck(use.seat, use, made_out(core, use, effect.filter), effect.amount))


@performs(operations.OpponentMaySearch)
def let_enemy_search(
    core: RoundCore, use: AbilityUse, effect: operations.OpponentMaySearch
) -> None:
    """Let the enemy look for copies of what was taken."""
    enemy = 1 - use.seat
    wanted = SearchDeck(enemy, use, effect_schema.Filter(), effect.amount, use.taken, optional=True)
    if use.taken and _found(core, wanted):
        core.push(wanted)


@performs(operations.CopyDrawOrSearch)
def copy_draw_or_search(
    core: RoundCore, use: AbilityUse, effect: operations.CopyDrawOrSearch
) -> None:
    """Do what the answered ability would have drawn or fetched, from one's own deck."""
    answered = core.action.use if core.action is not None else None
    steps: list[Step] = []
    for each in answered.ability.effects if answered is not None else ():
        if answered is not None and isinstance(each, operations.Draw):
            steps.append(DrawCards(use.seat, amount_to_draw(core, answered, each)))
        elif answered is not None and isinstance(each, operations.Search):
            wanted = made_out(core, answered, each.filter)
            steps.append(SearchDeck(use.seat, use, wanted, each.amount))
    core.push(*steps)


# -- drawing and looking --------------------------------------------------------------


def amount_to_draw(core: RoundCore, use: AbilityUse, effect: operations.Draw) -> int:
    """Make out how many cards an ability draws."""
    other = effect.amount_if
    if other is not None and has_in_play(core, use.seat, other.own_field_has):
        return other.amount if isinstance(other.amount, int) else 0
    if isinstance(effect.amount, int):
        return effect.amount
    return sum(
        piece.level for spot, piece in core.sides[1 - use.seat].pieces() if spot.zone == "mage"
    )


@performs(operations.Draw)
def draw_own(core: RoundCore, use: AbilityUse, effect: operations.Draw) -> None:
    """Draw from one's own deck."""
    core.push(DrawCards(use.seat, amount_to_draw(core, use, effect)))


@performs(operations.LookTop)
def look_top(core: RoundCore, use: AbilityUse, effect: operations.LookTop) -> None:
    """Look at the top of one's own deck and ask which cards to take."""
    top = core.sides[use.seat].deck[: -effect.amount - 1 : -1]
    if not top:
        core.emit(events.Skipped(use.seat, use.card, effect.op))
        return
    for piece in top:
        piece.known = ONLY[use.seat]
    show(core, use.seat, [(Spot(use.seat, "deck", at), piece) for at, piece in enumerate(top)])
    looked = tuple(piece.uid for piece in top)
    ask(core, TakeLooked(use.seat, use, looked, min(effect.take, len(top))))


def looked_at(core: RoundCore, question: TakeLooked) -> list[Piece]:
    """List the cards that were looked at and not taken, the top one first."""
    return [
        each for each in reversed(core.sides[question.seat].deck) if each.uid in question.looked
    ]


@offers(TakeLooked)
def offer_looked(core: RoundCore, question: TakeLooked) -> Sequence[Reply]:
    """List the cards looked at, each once."""
    return [TakeCard(piece.card) for piece in distinct(looked_at(core, question))]


@takes(TakeLooked)
def take_looked(core: RoundCore, question: TakeLooked, move: Reply) -> None:
    """Take the card, and the next; in the end the enemy is shown what was taken."""
    assert isinstance(move, TakeCard)
    use = question.use
    piece = next(each for each in looked_at(core, question) if each.card == move.card)
    _fetch(core, question, piece, ())
    piece.known = NOBODY
    use.taken = (*use.taken, piece.card)
    if question.left > 1:
        ask(core, evolve(question, left=question.left - 1))
    else:
        core.push(ShowTaken(use), ShuffleDeck(use.seat))


@does(ShowTaken)
def show_taken(core: RoundCore, step: ShowTaken) -> None:
    """Show the enemy the cards taken, for it may fetch a copy of one."""
    hand = core.sides[step.use.seat].hand[-len(step.use.taken) :]
    spots = hand_spots(core, step.use.seat)
    held = [
        (spot, piece) for spot, piece in spots if piece in hand and piece.card in step.use.taken
    ]
    show(core, 1 - step.use.seat, held)


def hand_spots(core: RoundCore, seat: int) -> list[tuple[Spot, Piece]]:
    """List the cards of a hand with their places."""
    return [(Spot(seat, "hand", at), piece) for at, piece in enumerate(core.sides[seat].hand)]


def show(core: RoundCore, viewer: int, shown: Sequence[tuple[Spot, Piece]]) -> None:
    """Show cards to one player, who will remember them."""
    if not shown:
        return
    for _, piece in shown:
        piece.known |= ONLY[viewer]
    spots = tuple(spot for spot, _ in shown)
    core.emit(card_events.Revealed(viewer, spots, tuple(piece.card for _, piece in shown)))
    core.emit(card_events.Inspected(viewer, spots))


@performs(operations.Reveal)
def reveal(core: RoundCore, use: AbilityUse, effect: operations.Reveal) -> None:
    """Look at the enemy's hand, or at the tricksters it has set."""
    enemy = 1 - use.seat
    if effect.what == "hand":
        show(core, use.seat, hand_spots(core, enemy))
    else:
        field = core.sides[enemy].pieces()
        hidden = [each for each in field if each[0].zone == "trickster" and not each[1].shown]
        show(core, use.seat, hidden)
