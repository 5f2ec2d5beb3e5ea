"""Expanding Nim in words: one self-contained line for each thing that happens, and how a take is typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.games.nim import Board, Faulted, NimOptions, NimView, PileSet, Take, Taken
from gamecore.rules import Move, View
from gamecore.settings import Value
from gamecore.table_view import TableView
from protocols.i18n.game_text import time_to_read
from protocols.i18n.sanitize import fitting
from protocols.i18n.translate import N_, Translator

_FAULTS = {
    "time": N_("{name} has used up the time"),
    "turn": N_("{name} moved out of turn"),
    "take": N_("{name} asked for {stones} stones, which is not allowed"),
    "reset": N_("{name} used a reset too many"),
    "disconnected": N_("{name} lost the connection"),
    "absent": N_("{name} did not come back"),
    "left": N_("{name} left"),
}
_RESET = ("r", "reset", "yes", "1", "true")
_NO_RESET = ("0", "no", "false")
_MOST_DIGITS = 9
_MOST_NAME = 12  # where the screen is narrow


class NimText:
    """How Expanding Nim is told, read and drawn."""

    package = "protocols.nim"
    verbs = {"take": "TAKE stones [RESET]"}
    refusals = {
        "not-your-turn": N_("It is not your turn."),
    }
    reasons = {
        "last-stone": N_("the last stone"),
        "turn": N_("a move out of turn"),
        "take": N_("a take that is not allowed"),
        "reset": N_("a reset too many"),
    }

    def quick_options(self, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """Give who plays alone with bots time to read the rules, which the usual clock does not."""
        return time_to_read(options, NimOptions(), "seconds")

    def describe(self, event: Event, names: Sequence[str], say: Translator) -> str | None:
        """Say in one line what happened in the game; None for what is not the game's own affair."""
        match event:
            case PileSet():
                return _describe_pile(event, names, say)
            case Taken():
                return _describe_take(event, names, say)
            case Faulted():
                return _describe_fault(event, names, say)
        return None

    def once(self, events: Sequence[Event], drawn: bool) -> Sequence[Event]:
        """Leave what is played with to the board where that is drawn next."""
        return [event for event in events if not (drawn and isinstance(event, PileSet))]

    def read(
        self, words: Sequence[str], moves: Sequence[Move], board: View | None, say: Translator
    ) -> Take:
        """Read a number of stones and perhaps a reset: ``take 3``, ``3 reset``; raises Malformed."""
        words = [word.lower() for word in words if word.lower() not in ("take", "and")]
        stones, flag = [*words, "", ""][:2]
        known = flag in _RESET or flag in _NO_RESET or not flag
        if not _is_number(stones) or not known or len(words) > 2:
            raise Malformed(say("Say how many stones, like TAKE 3 or TAKE 3 RESET."))
        return Take(int(stones), flag in _RESET)

    def warn(self, move: Move, board: View | None, say: Translator) -> str | None:
        """Say so if a take is against the rules, and loses the game at once."""
        if not isinstance(move, Take) or not isinstance(board, NimView) or board.mover is None:
            return None
        pile = board.board
        if 1 <= move.stones <= pile.limit and not (move.reset and not pile.resets[board.mover]):
            return None
        return say("That would lose the game. Say it again if you mean it.")

    def typed(self, move: Move, board: View | None) -> str:
        """Write the number of stones, and whether there is a reset: ``3``, ``3 reset``."""
        assert isinstance(move, Take)
        return f"{move.stones} reset" if move.reset else str(move.stones)

    def ask(self, moves: Sequence[Move], board: View, say: Translator) -> str:
        """Say how many stones may be taken."""
        takes = [move for move in moves if isinstance(move, Take)]
        most = max([take.stones for take in takes], default=0)
        resets = any([take.reset for take in takes])
        if resets and isinstance(board, NimView):
            sentence = N_("Take 1 to {most}: TAKE n, or TAKE n RESET (at most {maximum} next).")
            return say(sentence, most=most, maximum=board.options.maximum)
        return say("Take 1 to {most} stones: TAKE n.", most=most)

    def board(self, view: TableView, say: Translator) -> Sequence[str]:
        """Draw the pile, the maximum, and what each player has left."""
        if not isinstance(view.board, NimView):
            return []
        board, options = view.board.board, view.board.options
        lines = [
            say(
                "{left} of {stones} stones are left; at most {limit} may be taken.",
                left=board.left,
                stones=options.stones,
                limit=board.limit,
            )
        ]
        for seat, name in enumerate(view.names):
            lines.append(
                say(
                    "{name}: resets left {resets}, time used {used} of {seconds} s.",
                    name=name,
                    resets=board.resets[seat],
                    used=f"{board.used[seat]:.1f}",
                    seconds=options.seconds,
                )
            )
        return lines

    def narrow_board(self, view: TableView, say: Translator, columns: int) -> Sequence[str]:
        """Draw the same in fewer words."""
        if not isinstance(view.board, NimView):
            return []
        board, seconds = view.board.board, view.board.options.seconds
        return [
            say("{left} stones, at most {limit} a take", left=board.left, limit=board.limit),
            *(
                say(
                    "{name}: resets {resets}, time {used} of {seconds} s",
                    name=fitting(name, _MOST_NAME),
                    resets=board.resets[seat],
                    used=round(board.used[seat]),
                    seconds=seconds,
                )
                for seat, name in enumerate(view.names)
            ),
        ]


TEXT = NimText()


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS


def _describe_pile(event: PileSet, names: Sequence[str], say: Translator) -> str:
    options = event.options
    return say(
        "{first} and {second} play with {stones}, {resets} and {seconds} each,"
        " at most {maximum} at first; {first} begins.",
        first=names[0],
        second=names[1],
        stones=say.several("{n} stone", "{n} stones", options.stones),
        resets=say.several("{n} reset", "{n} resets", options.resets),
        seconds=say.several("{n} second", "{n} seconds", options.seconds),
        maximum=options.maximum,
    )


def _describe_take(event: Taken, names: Sequence[str], say: Translator) -> str:
    name, board = names[event.seat], event.board
    if event.won:
        return say(
            "{name} takes {stones}, and with that the last stone. {clocks}",
            name=name,
            stones=event.stones,
            clocks=_clocks(board, names, say),
        )
    sentence = (
        N_("{name} takes {stones} and resets; {left} left, at most {limit} next.")
        if event.reset
        else N_("{name} takes {stones}; {left} left, at most {limit} next.")
    )
    return say(sentence, name=name, stones=event.stones, left=board.left, limit=board.limit)


def _describe_fault(event: Faulted, names: Sequence[str], say: Translator) -> str:
    fault = _FAULTS.get(event.fault, _FAULTS["left"])
    lost = say(fault, name=names[event.seat], stones=event.stones)
    winner = names[1 - event.seat]
    clocks = _clocks(event.board, names, say)
    return say("{lost}; {winner} wins. {clocks}", lost=lost, winner=winner, clocks=clocks)


def _clocks(board: Board, names: Sequence[str], say: Translator) -> str:
    used = (f"{name} {seconds:.1f} s" for name, seconds in zip(names, board.used, strict=True))
    return say("(used: {used})", used=", ".join(used))
