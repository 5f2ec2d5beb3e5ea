"""A deck built by words: ``DECK NEW``, ``DECK ADD squire 2``, ``DECK SAVE``, which gives a line of numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

from gamecore.errors import Refused
from gamecore.games.castle import CARDS, SAMPLE_DECKS, Deck
from gamecore.games.castle.card_definitions import CardDefinition
from protocols.castle.text_cards import WIDTH, find_cards
from protocols.castle.text_refusals import REFUSALS
from protocols.i18n.translate import N_, Translator

_SIZE = len(Deck().cards)
_FORMS = (
    N_("DECK NEW: an empty deck"),
    N_("DECK SAMPLE name: a deck that is there already"),
    N_("DECK ADD card [2]: put a card into it, or its castle beside it"),
    N_("DECK DROP card: take one out"),
    N_("DECK SHOW: what is in it"),
    N_("DECK LOAD numbers: a deck that was saved before"),
    N_("DECK SAVE: its line of numbers; you play with it from now on"),
)


class DeckBuilder:
    """Where one player builds a deck."""

    def __init__(self) -> None:
        self.brought: Deck | None = None
        """The deck that was saved last, if there is one: it is played with from then on."""
        self._cards: Counter[int] = Counter()
        self._castle: int | None = None

    def obey(self, words: Sequence[str], say: Translator) -> Sequence[str]:
        """Do what the words behind DECK say, and tell what has become of it."""
        verb = words[0].lower() if words else ""
        rest = list(words[1:])
        match verb:
            case "new":
                self._cards, self._castle = Counter(), None
                return [say("An empty deck. DECK ADD and a card puts one into it.")]
            case "sample":
                return self._take_sample(rest, say)
            case "add" | "drop":
                return self._change(verb == "add", rest, say)
            case "show":
                return self._show(say)
            case "load":
                return self._load(rest, say)
            case "save":
                return self._save(say)
        return [say(form) for form in _FORMS]

    def _lay_out(self, deck: Deck) -> None:
        self._cards, self._castle = Counter(deck.cards), deck.castle

    def _take_sample(self, rest: Sequence[str], say: Translator) -> Sequence[str]:
        name = rest[0].lower() if rest else ""
        if name not in SAMPLE_DECKS:
            return [say("There are the decks {names}.", names=", ".join(SAMPLE_DECKS))]
        self._lay_out(SAMPLE_DECKS[name])
        return [say("This is the deck {name} now.", name=name), self._count(say)]

    def _change(self, more: bool, rest: list[str], say: Translator) -> Sequence[str]:
        count = 1
        if len(rest) > 1 and rest[-1] in ("1", "2"):
            count = int(rest.pop())
        found = find_cards(rest)
        if len(found) != 1:
            names = ", ".join(f"{definition.id} {definition.name}" for definition in found[:12])
            if not names:
                return [say("There is no card of that name. CARD and a letter lists some.")]
            return wrap(say("Which of them: {names}?", names=names), WIDTH)
        problem = (self._add if more else self._drop)(found[0], count, say)
        return [problem] if problem else [self._count(say)]

    def _add(self, definition: CardDefinition, count: int, say: Translator) -> str:
        if definition.type == "castle":
            self._castle = definition.id
        elif self._cards[definition.id] + count > definition.limit:
            return say(
                "{name} may be in a deck {n} times at most.",
                name=definition.name,
                n=definition.limit,
            )
        else:
            self._cards[definition.id] += count
        return ""

    def _drop(self, definition: CardDefinition, count: int, say: Translator) -> str:
        if self._castle == definition.id:
            self._castle = None
        elif not self._cards[definition.id]:
            return say("{name} is not in the deck.", name=definition.name)
        else:
            self._cards[definition.id] = max(0, self._cards[definition.id] - count)
        return ""

    def _count(self, say: Translator) -> str:
        castle = say("no castle") if self._castle is None else CARDS[self._castle].name
        total = self._cards.total()
        return say("{cards} of {size} cards, {castle}.", cards=total, size=_SIZE, castle=castle)

    def _show(self, say: Translator) -> Sequence[str]:
        names = [
            f"{count} {CARDS[card].name} ({card})"
            for card, count in sorted(self._cards.items())
            if count
        ]
        return [*wrap(", ".join(names), WIDTH), self._count(say)]

    def _load(self, rest: Sequence[str], say: Translator) -> Sequence[str]:
        numbers = [word for word in " ".join(rest).replace(",", " ").split() if word]
        if not numbers or not all(word.isascii() and word.isdigit() for word in numbers):
            return [say("Say DECK LOAD and the numbers of the cards, the castle's last.")]
        cards = [int(word[:4]) for word in numbers]
        return self._try(cards[:-1], cards[-1], say)

    def _save(self, say: Translator) -> Sequence[str]:
        if self._castle is None:
            return [
                say("A castle is missing: DECK ADD and the name of one. CARD castle lists them.")
            ]
        return self._try(sorted(self._cards.elements()), self._castle, say)

    def _try(self, cards: Sequence[int], castle: int, say: Translator) -> Sequence[str]:
        try:
            self.brought = Deck(tuple(cards), castle)
        except Refused as refusal:
            return [say(REFUSALS[refusal.key], **refusal.facts)]
        self._lay_out(self.brought)
        numbers = " ".join(map(str, (*self.brought.cards, castle)))
        return [
            say("You play with this deck now. To have it again, keep this line:"),
            f"DECK LOAD {numbers}",
        ]
