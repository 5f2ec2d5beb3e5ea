"""Moves in words: a numbered phrase for each that may be made, and what a person types made a move.

Whatever is typed is compared with the phrases: a number, or words that each begin a word of the phrase, in any
order: ``play pawn``, ``attack s1 castle``, ``take warlock``.  Where no phrase fits, the plain forms are read all
the same, so that the rules can say what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gamecore.errors import Malformed
from gamecore.games.castle import CARDS, CastleView
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.moves import Spot, Spots
from gamecore.games.castle.view import QuestionView
from gamecore.rules import Move
from protocols.castle.text_cards import find_cards
from protocols.castle.text_places import place_and_card, read_place, short_name
from protocols.castle.text_typed import PLAIN, find_typed
from protocols.castle.text_typed import typed as typed_to_the_letter
from protocols.castle.visible_cards import card_at
from protocols.i18n.game_text import TIE
from protocols.i18n.translate import ENGLISH, Translator

VERBS = {
    "keep": "KEEP",
    "mulligan": "MULLIGAN",
    "draw": "DRAW",
    "play": "PLAY card [place]",
    "level": "LEVEL mage",
    "use": "USE card",
    "attack": "ATTACK card target",
    "end": "END",
    "activate": "ACTIVATE trickster",
    "allow": "ALLOW",
    "choose": "CHOOSE card",
    "take": "TAKE card",
    "put": "PUT card",
    "yes": "YES",
    "no": "NO",
}
_ALIKE = {
    "pass": "allow",
    "accept": "keep",
    "done": "no",
    "set": "play",
    "stop": "end",
    "redraw": "mulligan",
}
_IDLE = ("to", "with", "at", "the", "for", "on", "and", "of", "in", "enemy", "a")
_SHORT = 40  # so much that may be done stands in one line
_WORD = re.compile(r"[^\w-]+")
_PLACE = re.compile("[smtd]?[1-9]")  # of one's own side, with the letter of its kind or without


def phrase(move: Move, board: CastleView, say: Translator) -> str:
    """Write a move as it may be typed."""
    seat = board.seat
    match move:
        case castle_moves.PlayCard(hand, slot, pay):
            card = card_at(board, Spot(seat or 0, "hand", hand))
            return f"play {short_name(card, say)}{_paying(board, pay, say)}"
        case castle_moves.LevelMage(slot):
            return f"level {place_and_card(board, Spot(seat or 0, 'mage', slot), seat, say)}"
        case castle_moves.UseAbility(source):
            return f"use {place_and_card(board, source, seat, say)}"
        case castle_moves.Attack(attacker, target):
            one = place_and_card(board, attacker, seat, say)
            return f"attack {one} > {place_and_card(board, target, seat, say)}"
        case castle_moves.ActivateTrickster(slot):
            return (
                f"activate {place_and_card(board, Spot(seat or 0, 'trickster', slot), seat, say)}"
            )
        case castle_moves.Choose(spot):
            return f"choose {place_and_card(board, spot, seat, say)}"
        case castle_moves.TakeCard(card):
            return f"take {short_name(card, say)}"
        case castle_moves.PutCard(card, _, _, pay):
            return f"put {short_name(card, say)}{_paying(board, pay, say)}"
    return PLAIN.get(type(move), type(move).__name__.lower())


def _paying(board: CastleView, pay: Spots, say: Translator) -> str:
    if not pay:
        return ""
    given = ", ".join(place_and_card(board, spot, board.seat, say) for spot in pay)
    return f" ({say('for {cards}', cards=given)})"


def choices(moves: Sequence[Move], board: CastleView, say: Translator) -> Mapping[str, Move]:
    """List the moves by their phrases, as they are numbered from 1; of those that read alike only the first."""
    listed: dict[str, Move] = {}
    for move in moves:
        listed.setdefault(phrase(move, board, say), move)
    return listed


# -- what may be done -----------------------------------------------------------------


def ask(moves: Sequence[Move], board: CastleView, say: Translator) -> str:
    """Say what may be done, each with its number; what begins with one word stands in one line."""
    parts: list[str] = []
    before = ""
    listed = choices(moves, board, say)
    for number, words in enumerate(listed, 1):
        verb, _, rest = words.partition(" ")
        rest = rest.replace(" ", TIE)  # so that lines are broken between choices alone
        if rest and verb == before:
            parts[-1] += f", {number}{TIE}{rest}"
        else:
            parts.append(f"{number}{TIE}{verb.upper()}{TIE}{rest}".rstrip())
        before = verb if rest else ""
    line = f"{_head(board, say)} {parts[0]}"
    if sum(map(len, parts)) <= _SHORT:
        return "; ".join([line, *parts[1:]]) + "."
    return "\n".join(
        [line, *parts[1:], say("Say a number from 1 to {n}, or words.", n=len(listed))]
    )


def _head(board: CastleView, say: Translator) -> str:
    question = board.question
    if board.stage == "mulligan":
        return say("Keep your hand?")
    if board.stage == "window":
        return say("Answer, or let it happen:")
    if question is not None:
        return _question(question, board, say)
    return say("You may:")


def _question(question: QuestionView, board: CastleView, say: Translator) -> str:
    card = short_name(question.card, say)
    if question.why == "save" and question.about is not None:
        place = place_and_card(board, question.about, board.seat, say)
        return say("{card} can save {place}. Save it?", card=card, place=place)
    return say("For {card}:", card=card)


# -- what was typed -------------------------------------------------------------------


def read(words: Sequence[str], moves: Sequence[Move], board: CastleView, say: Translator) -> Move:
    """Make a move of what was typed; raises Malformed."""
    exact_move = find_typed(words, moves, board)
    if exact_move is not None:
        return exact_move
    typed = [word for each in words for word in _WORD.sub(" ", each.lower()).split()]
    typed = [_ALIKE.get(word, word) for word in typed if word not in _IDLE]
    if not typed:
        raise Malformed(say("Say the number of what you want to do, or its words."))
    if len(typed) == 1 and typed[0].isascii() and typed[0].isdigit():
        return _by_number(int(typed[0][:4]), list(choices(moves, board, say).values()), say)
    placed = _at_place(typed, moves, board, say)
    if placed is not None:
        return placed
    # In English as well: so the help pages say it in any language.
    offered = [
        (number, each, phrase(move, board, ENGLISH), move)
        for number, (each, move) in enumerate(choices(moves, board, say).items(), 1)
    ]
    fitting = [
        each for each in offered if any(_fits(typed, words, each[3], board) for words in each[1:3])
    ]
    exact = [each for each in fitting if len(typed) in (len(_split(words)) for words in each[1:3])]
    fitting = exact if len(exact) == 1 else fitting
    if len(fitting) == 1:
        return fitting[0][3]
    if fitting:
        listed = "; ".join(f"{number} {each}" for number, each, _, _ in fitting[:8])
        raise Malformed(say("That may be: {moves}. Say the number.", moves=listed))
    return _by_form(typed, board, say)


def _at_place(
    typed: Sequence[str], moves: Sequence[Move], board: CastleView, say: Translator
) -> Move | None:
    """Find the card that was to be laid at a place said last, ``2`` or ``s2``; None if none was said.

    Raises Malformed where it can be paid for in several ways.
    """
    *words, place = typed
    if not words or not _PLACE.fullmatch(place):
        return None
    letter, slot = place[:-1], int(place[-1]) - 1
    fitting = [
        move
        for move in moves
        if isinstance(move, castle_moves.PlayCard | castle_moves.PutCard)
        and move.slot == slot
        and CARDS[_laid(move, board)].type.startswith(letter)
        and any(_fits(words, phrase(move, board, each), move, board) for each in (say, ENGLISH))
    ]
    exact = [
        move for move in fitting if len(_split(phrase(move, board, ENGLISH))) <= len(words) + 1
    ]
    fitting = exact if len(exact) == 1 else fitting
    if len({phrase(move, board, say) for move in fitting}) > 1:
        listed = "; ".join(typed_to_the_letter(move, board) for move in fitting[:8])
        raise Malformed(say("That may be: {moves}. Say one of them.", moves=listed))
    return fitting[0] if fitting else None


def _laid(move: castle_moves.PlayCard | castle_moves.PutCard, board: CastleView) -> int:
    """Say which card a move lays down."""
    if isinstance(move, castle_moves.PutCard):
        return move.card
    card = card_at(board, Spot(board.seat or 0, "hand", move.hand))
    return 0 if card is None else card


def _by_number(number: int, moves: Sequence[Move], say: Translator) -> Move:
    if not 1 <= number <= len(moves):
        if len(moves) == 1:
            raise Malformed(say("There is but one thing you may do now: say 1."))
        raise Malformed(say("There are the numbers 1 to {n}.", n=len(moves)))
    return moves[number - 1]


def _split(words: str) -> list[str]:
    return [word for word in _WORD.sub(" ", words.lower()).split() if word not in _IDLE]


def _fits(typed: Sequence[str], words: str, move: Move, board: CastleView) -> bool:
    """Tell whether each word typed begins a word of its own of a phrase, the verb if any being the first."""
    left = _split(words)
    slot = _slot(move)
    if slot is not None:
        left.append(slot)
    if typed[0] in VERBS and typed[0] != left[0]:
        return False
    for word in typed:
        found = next((each for each in left if each == word), None)
        found = found or next((each for each in left if each.startswith(word)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _slot(move: Move) -> str | None:
    return (
        str(move.slot + 1)
        if isinstance(move, castle_moves.PlayCard | castle_moves.PutCard)
        else None
    )


def _by_form(typed: Sequence[str], board: CastleView, say: Translator) -> Move:
    """Read the plain forms, so that the rules can say why it cannot be done."""
    seat = board.seat or 0
    places = [read_place(word, seat) for word in typed[1:]]
    match [typed[0], *places]:
        case ["level", Spot(_, "mage", slot)]:
            return castle_moves.LevelMage(slot)
        case ["use", Spot() as source]:
            return castle_moves.UseAbility(source, 0)
        case ["attack", Spot() as attacker, Spot() as target]:
            return castle_moves.Attack(attacker, target)
        case ["activate", Spot(_, "trickster", slot)]:
            return castle_moves.ActivateTrickster(slot)
    plain = next((kind for kind, word in PLAIN.items() if typed == [word]), None)
    if plain is not None:
        return plain()
    if typed[0] == "play":
        *named, last = typed[1:] or [""]
        slot = int(last[-1]) - 1 if named and _PLACE.fullmatch(last) else 0
        cards = {each.id for each in (*find_cards(typed[1:]), *find_cards(named))}
        for at, each in enumerate(board.sides[seat].hand):
            if each.card in cards:
                return castle_moves.PlayCard(at, slot)
        raise Malformed(say("You hold no such card. BOARD shows your hand."))
    raise Malformed(say("That is nothing you may do now. Say the number of what you want to do."))
