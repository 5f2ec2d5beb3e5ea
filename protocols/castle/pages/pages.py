"""What the pages know of Castle Wars: the entry point of the group ``parlour.pages``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from gamecore.events import Event
from gamecore.games.castle import CastleView, events
from gamecore.games.castle.effect_schema import Kind
from gamecore.games.castle.event_types import Asking
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import QuestionView
from protocols.castle import text_events, text_once
from protocols.castle.pages.choices import Choices, Hit, Press, choices, named
from protocols.castle.pages.faces import (
    BACK,
    FRONT,
    Face,
    card_on,
    name_of,
    number_of,
    print_samples,
    show_held,
    show_keep,
    show_on_field,
)
from protocols.castle.text_places import place_name, short_name
from protocols.i18n.translate import N_, Translator
from protocols.web.sight import Sight

MOST_LINES = 3  # of what has just happened
_SECONDS: Mapping[type, float] = {
    events.CastlesShown: 1.0,
    events.Answered: 0.9,
    events.ActionOver: 0.8,
}
"""For how long each moment wants to be seen: an action, when all that comes of it has happened."""

_ASKED: Mapping[Asking, str] = {
    "target": N_("For {card}: choose one of the cards that are ringed."),
    "take": N_("For {card}: take a card out of your deck."),
    "discard": N_("For {card}: choose a card to discard."),
    "put": N_("For {card}: choose a card to put into play."),
    "may": N_("Use {card}?"),
    "save": N_("{card} can save {place}. Save it?"),
}


@frozen
class Place:
    """A place that can be picked to read what lies there, or is ringed; ``number`` is None for an empty one.

    ``source`` and ``aim`` say whether the action under way comes from here, or is about this.
    """

    id: str
    seat: int
    words: str
    face: Face | None
    number: int | None
    hits: Sequence[Hit]
    coming: bool = False
    source: bool = False
    aim: bool = False


@frozen
class Menu:
    """All that is printed on a card that is picked, and what it can do."""

    id: str
    number: int
    face: Face
    presses: Sequence[Press]


class CastlePages:
    """Castle Wars in the browser."""

    package = "protocols.castle"

    def printed(self, say: Translator) -> Mapping[str, object]:
        """Give a card of each kind, for the rules."""
        return {"samples": print_samples(say)}

    def facts(self, sight: Sight, at: Event | None) -> Mapping[str, object]:
        """Give both sides, what is under way, the viewer's hand, and what each card says and can do."""
        board = sight.view.board
        assert isinstance(board, CastleView)
        say, own = sight.say, board.seat or 0
        faces = _faces(board, say)
        numbers = {spot: number_of(spot, board) for spot in faces}
        chosen = choices(sight.moves, board, numbers, say)
        drawn = _Drawing(board, faces, numbers, chosen, say)
        return {
            "turn": board.turn,
            "keeps": [
                show_keep(side, each, each == board.seat, say)
                for each, side in enumerate(board.sides)
            ],
            "castles": [drawn.place(Spot(seat, "castle", 0)) for seat in (0, 1)],
            "own": own,
            "lanes": [
                drawn.lane(1 - own, BACK),
                drawn.lane(1 - own, FRONT),
                drawn.lane(own, FRONT),
                drawn.lane(own, BACK),
            ],
            "acts": _acts(sight, board),
            "under_way": board.action is not None,
            "held": [drawn.place(spot) for spot in faces if spot.zone == "hand"],
            "plain": chosen.plain,
            "offers": chosen.offers,
            "menus": [
                Menu(name_of(spot, board), number, faces[spot], chosen.menus.get(spot, ()))
                for spot, number in numbers.items()
                if faces[spot].facts or spot in chosen.menus
            ],
            "ask": _ask(sight, board),
        }

    def rest(self, event: Event) -> float:
        """Let each action be seen before the next."""
        return _SECONDS.get(type(event), 0.0)


PAGES = CastlePages()


def _faces(board: CastleView, say: Translator) -> Mapping[Spot, Face]:
    """Show every card that can be picked: on the field, and in the viewer's hand."""
    faces: dict[Spot, Face] = {}
    for seat, side in enumerate(board.sides):
        faces[Spot(seat, "castle", 0)] = show_keep(side, seat, True, say).face
        for kind, slot in (*FRONT, *BACK):
            card = card_on(side, Spot(seat, kind, slot))
            if card is not None:
                faces[card.spot] = show_on_field(card, board, say)
    if board.seat is not None:
        for slot, held in enumerate(board.sides[board.seat].hand):
            faces[Spot(board.seat, "hand", slot)] = show_held(held, say)
    return faces


@frozen
class _Drawing:
    """What places are drawn from."""

    board: CastleView
    faces: Mapping[Spot, Face]
    numbers: Mapping[Spot, int]
    chosen: Choices
    say: Translator

    def lane(self, seat: int, row: Sequence[tuple[Kind, int]]) -> Sequence[Place]:
        """Draw the places of a row, from the left."""
        return [self.place(Spot(seat, kind, slot)) for kind, slot in row]

    def place(self, spot: Spot) -> Place:
        """Draw one place."""
        board, action = self.board, self.board.action
        return Place(
            id=name_of(spot, board),
            seat=spot.seat,
            words=place_name(spot, self.say),
            face=self.faces.get(spot),
            number=self.numbers.get(spot),
            hits=self.chosen.hits.get(spot, ()),
            coming=any(each.spot == spot for each in board.sides[spot.seat].coming),
            source=action is not None and action.source == spot,
            aim=action is not None and action.target == spot,
        )


@frozen
class Act:
    """A line of what is under way or has just happened, and whose doing it is, if it is anybody's."""

    words: str
    seat: int | None = None
    cancelled: bool = False


def _acts(sight: Sight, board: CastleView) -> Sequence[Act]:
    """Tell what is held for answers and what was answered, the latest first; else what has just happened."""
    say, action = sight.say, board.action
    if action is None:
        return [Act(words) for words in _lately(sight)]
    acts = [Act(text_events.describe_action(action, sight.names, say), action.seat)]
    for answer in action.answers:
        sentence = N_("{name} answers with {card}, which is cancelled.")
        if not answer.cancelled:
            sentence = N_("{name} answers with {card}.")
        name, card = sight.names[answer.seat], short_name(answer.card, say)
        acts.append(Act(say(sentence, name=name, card=card), answer.seat, answer.cancelled))
    return acts[::-1]


def _lately(sight: Sight) -> Sequence[str]:
    """Tell the latest action and what came of it, in its order."""
    told = list(sight.lately)
    begun = [at for at, (event, _) in enumerate(told) if isinstance(event, events.Announced)]
    latest = told[begun[-1] if begun else 0 :]
    kept = text_once.once([event for event, _ in latest], drawn=True)
    lines = [
        text_events.describe(event, names, sight.say)
        for event, names in latest
        if any(event is each for each in kept)
    ]
    return [line for line in lines if line is not None][:MOST_LINES]


def _ask(sight: Sight, board: CastleView) -> str:
    """Say what the viewer is asked."""
    say, question = sight.say, board.question
    if not sight.mine:
        return ""
    if board.stage == "mulligan":
        return say("Keep your hand?")
    if board.stage == "window":
        return say("Answer, or let it happen.")
    if question is not None:
        return _question(question, board, say)
    if board.to_draw:
        return say("Your turn: draw a card.")
    return say("Your turn: pick a card.")


def _question(question: QuestionView, board: CastleView, say: Translator) -> str:
    facts = {"card": short_name(question.card, say)}
    if question.why == "save" and question.about is not None:
        return say(_ASKED["save"], place=named(board, question.about, say), **facts)
    return say(_ASKED[question.why], **facts)
