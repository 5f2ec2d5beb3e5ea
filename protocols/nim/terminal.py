"""Moves read from standard input, and states told on standard output, to people and to programs."""

from __future__ import annotations

import os
import re
import sys
from typing import Any, Protocol, TextIO

from protocols.clients.screen import fitted
from protocols.i18n.sanitize import clean

_MOST_SHOWN = 200
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_NO_RESET = ("false", "no", "n", "off")
_RESET = ("true", "yes", "y", "on")


class ToldState(Protocol):
    """What one player has been told of a game."""

    game_time: int
    """Seconds for each player."""
    order: int
    """0 if we move first, else 1."""
    state: dict[str, Any]
    """What the last move left, as the server said it."""


class GameState(ToldState, Protocol):
    """What a client knows of its game."""

    init_stones: int
    init_resets: int
    init_max: int
    my_turn: bool

    def wait_to_type(self) -> bool:
        """Wait until a person has typed something; False if the server says something first."""

    typed: TypedLines | None
    """Where moves are typed, if that can be asked whether something waits; else it is ``sys.stdin``."""

    classic: bool
    """Whether moves are asked for, and the end is told, in the words of the first program of this kind."""


class TypedLines:
    """Lines as they come in by a file descriptor; nothing else may read there.

    Standard input reads ahead, and does not say whether it holds a line already: so nobody could wait for whichever
    comes first, a line or the server.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._kept = b""
        self._ended = False

    def fileno(self) -> int:
        """Give what to wait for where no line is there."""
        return self._descriptor

    @property
    def waits(self) -> bool:
        """Whether there is a line, or the end, without waiting."""
        return self._ended or b"\n" in self._kept

    def isatty(self) -> bool:
        """Say whether a person types."""
        return os.isatty(self._descriptor)

    def readline(self, most: int) -> str:
        """Wait for a line, of which no more than so many bytes are given at a time; nothing is the end."""
        while not self.waits and len(self._kept) < most:
            read = os.read(self._descriptor, 4096)
            self._kept += read
            self._ended = not read
        end = self._kept.find(b"\n", 0, most) + 1 or most
        line, self._kept = self._kept[:end], self._kept[end:]
        return line.decode(errors="replace")


class Interrupted(Exception):
    """The server said something while a move was asked for: the game is over, or the link."""


def shown(text: object) -> str:
    """Make what was told or typed fit for a line on a terminal."""
    return clean(str(text), _MOST_SHOWN)


def are_numbers(message: dict[str, Any], *keys: str) -> bool:
    """Say whether a message has numbers under these keys, none of them too large to show."""
    values = map(message.get, keys)
    return all(isinstance(value, int | float) and abs(value) < 1e9 for value in values)


def read_reset(word: str) -> bool:
    """Read a reset as people write it, so that "0" is none; raises ValueError if it is neither."""
    if _NUMBER.fullmatch(word):
        return int(word) != 0
    if word.lower() not in _RESET + _NO_RESET:
        raise ValueError(f"a reset is 0 or 1, not {shown(word)!r}")
    return word.lower() in _RESET


def read_move(line: str) -> tuple[int, bool]:
    """Read a move as it is typed; ValueError if it is none."""
    match line.split():
        case [stones, *reset] if _NUMBER.fullmatch(stones) and len(reset) < 2:
            return int(stones), any(map(read_reset, reset))
    raise ValueError("a move is a number of stones, and perhaps 1 for a reset")


def ask_move(game: GameState) -> tuple[int, bool]:
    """Take the next move from standard input, past any line that is none: stones, and whether to reset.

    Raises EOFError when the input has ended, Interrupted when nothing need be typed any more.
    """
    typed = game.typed or sys.stdin
    person = typed.isatty()
    warned: tuple[int, bool] | None = None
    while True:
        if game.classic:
            print("Please enter your move: ", end="", flush=True)
        elif person:  # standard output is for states only
            print(_prompt(game), end=" ", file=sys.stderr, flush=True)
        if (person or game.typed is not None) and not game.wait_to_type():
            print(end="\n" * person, file=sys.stderr)
            raise Interrupted
        line = _read_line(typed)
        if not line:
            print(end="\n" * person, file=sys.stderr)
            raise EOFError("there are no more moves to make")
        try:
            move = read_move(line)
            if not person or move == warned or not _loses(game, *move):
                return move
            warned = move
            print("That would lose the game. Type it again if you mean it.", file=sys.stderr)
        except ValueError:
            advice = "Type how many stones to take, as 3, or 3 1 to reset too."
            print(advice if person else f"exp-nim: no move: {shown(line)!r}", file=sys.stderr)


def _loses(game: GameState, stones: int, reset: bool) -> bool:
    """Say whether a move is against the rules, as far as the last state tells."""
    resets = game.state[f"player_{game.order}"].get("resets_left")
    return not 1 <= stones <= game.state["current_max"] or (reset and resets == 0)


def _read_line(typed: TypedLines | TextIO) -> str:
    """Read a line of which no more than its beginning is kept."""
    line = part = typed.readline(4096)
    while part and not part.endswith("\n"):
        part = typed.readline(4096)
    return line


def _count(number: float, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _player(game: ToldState, who: int) -> tuple[str, str, str]:
    """Tell our own (0) or the other player's (1) name, resets and seconds left."""
    player = game.state[f"player_{game.order ^ who}"]
    name = shown(player.get("name", ""))
    if not are_numbers(player, "resets_left", "time_taken"):
        return name, "?", "?"
    return name, str(player["resets_left"]), f"{game.game_time - player['time_taken']:.1f}"


def _result(game: ToldState) -> str:
    """Tell how the game ended: ``won``, ``lost``, or ``over`` if the names do not show it."""
    names = [_player(game, 0)[0], _player(game, 1)[0]]
    winner = shown(game.state["winner"])
    return ("won", "lost")[names.index(winner)] if names.count(winner) == 1 else "over"


def state_line(word: str, game: ToldState, my_turn: bool) -> str:
    """Write a state for a program to read."""
    state = game.state
    _, my_resets, my_seconds = _player(game, 0)
    _, resets, seconds = _player(game, 1)
    return (
        f"{word} your_turn={my_turn and not state['finished']:d}"
        f" stones_left={state['stones_left']} current_max={state['current_max']}"
        f" your_resets={my_resets} their_resets={resets}"
        f" your_seconds={my_seconds} their_seconds={seconds}"
        f" stones_removed={state['stones_removed']} reset_used={bool(state['reset_used']):d}"
        f" finished={bool(state['finished']):d}"
        f" result={_result(game) if state['finished'] else '-'}"
        f" reason={shown(state['reason'] or '-')}"
    )


def start_text(game: GameState) -> str:
    """Tell a person how the game begins, or how it stands for one who comes back."""
    if game.state["stones_left"] != game.init_stones:
        turn = "It is your move." if game.my_turn else "The other player is to move."
        left = _count(game.state["stones_left"], "stone")
        return f"You are back: {left} left, at most {game.state['current_max']} now. {turn}"
    stones = _count(game.init_stones, "stone")
    each = f"{_count(game.init_resets, 'reset')} and {_count(game.game_time, 'second')} each"
    first = "The other player moves" if game.order else "You move"
    return f"The game begins: {stones}, at most {game.init_max} now, {each}. {first} first."


def _state_text(game: GameState, mine: bool) -> str:
    state = game.state
    if state["finished"]:
        result = {"won": "\nYou won.", "lost": "\nYou lost."}.get(_result(game), "")
        return shown(state["reason"] or "The game is over.") + result
    name = _player(game, 1)[0] or "the other player"
    reset = " and reset" if state["reset_used"] else ""
    return (
        f"{'You' if mine else name} took {_count(state['stones_removed'], 'stone')}{reset}."
        f" {_count(state['stones_left'], 'stone')} left, at most {state['current_max']} next."
        + (f" Waiting for {name}." if mine else "")
    )


def _prompt(game: GameState) -> str:
    _, resets, seconds = _player(game, 0)
    most = game.state["current_max"]
    return f"Your move, 1 to {most} (resets left {resets}, seconds left {seconds}):"


def print_state(game: GameState, mine: bool) -> None:
    """Print the state behind a move, our own or the other player's, in words or for a program."""
    told = _state_text(game, mine) if in_words(game) else state_line("state", game, not mine)
    if game.classic and game.state["finished"]:
        told = f"Game over. {told}"
    if not game.classic and sys.stdout.isatty():
        told = fitted(told)
    # In one write, also where nothing is buffered: who waits for "Game over" may go as soon as it is read.
    print(f"{told}\n", end="", flush=True)


def in_words(game: GameState) -> bool:
    """Say whether standard output is for people, or for a program that reads words."""
    return game.classic or sys.stdout.isatty()
