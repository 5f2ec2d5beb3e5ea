"""Expanding Nim in words: one self-contained line for each thing that happens."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.events import Event
from gamecore.games.nim import Board, Faulted, PileSet, Taken

_FAULTS = {
    "time": "{} has used up the time",
    "turn": "{} moved out of turn",
    "take": "{} asked for {} stones, which is not allowed",
    "reset": "{} used a reset too many",
    "disconnected": "{} lost the connection",
    "absent": "{} did not come back",
    "left": "{} left",
}


def describe(event: Event, names: Sequence[str]) -> str | None:
    """Say in one line what happened in the game; None for what is not the game's own affair."""
    match event:
        case PileSet(options=options):
            return (
                f"{names[0]} and {names[1]} play with {_count(options.stones, 'stone')},"
                f" {_count(options.resets, 'reset')} and {_count(options.seconds, 'second')} each,"
                f" at most {options.maximum} at first; {names[0]} begins."
            )
        case Taken():
            return _describe_take(event, names)
        case Faulted():
            fault = _FAULTS.get(event.fault, _FAULTS["left"])
            lost = fault.format(names[event.seat], event.stones)
            return f"{lost}; {names[1 - event.seat]} wins. {_clocks(event.board, names)}"
    return None


def _describe_take(event: Taken, names: Sequence[str]) -> str:
    taken = f"{names[event.seat]} takes {event.stones}"
    if event.won:
        return f"{taken} and with that the last stone: {names[event.seat]} wins. " + _clocks(
            event.board, names
        )
    reset = " and resets" if event.reset else ""
    board = event.board
    return f"{taken}{reset}; {board.left} left, at most {board.limit} next. {_clocks(board, names)}"


def _clocks(board: Board, names: Sequence[str]) -> str:
    used = (f"{name} {seconds:.1f} s" for name, seconds in zip(names, board.used, strict=True))
    return f"(used: {', '.join(used)})"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
