"""`parlour play`: sit down at a game, in a terminal or from a pipe.

A game brings its client by naming it, under its kind, in the entry point group ``parlour.play``.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

from protocols.cli.output import complain
from protocols.net.address import read_address

LOBBY = "lobby"  # where people play what has no client of its own
_ENDPOINT = re.compile(r"tcp:(?:port=)?([0-9]+)")


class Play(Protocol):
    """Play one kind of game at a server, to the end of it; gives the exit status.

    ``args`` has what the person chose, each None if nothing: ``name``, ``table`` (the code of a table to
    join), ``watch`` (one to look on at), ``token`` (what brings a player back), and ``first``, to move first where
    that is asked.  A client that can be asked for a game against the computer (``alone``, at some ``level``) has a
    true attribute of that name; the lobby's client can, for all other games: it finds theirs in ``game``.
    """

    def __call__(self, host: str, port: int, args: argparse.Namespace, /) -> int: ...


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `play` to the commands of `parlour`."""
    parser = commands.add_parser(
        "play",
        help="play a game at a server",
        description="Sit down at a game, in a terminal or from a pipe.",
    )
    kinds = ", ".join(playable())
    parser.add_argument("game", metavar="GAME", help=f"one of {kinds}; the lobby has every game")
    where = "the server; without a port it is the game's usual one"
    parser.add_argument("address", metavar="HOST[:PORT]", type=_address, help=where)
    parser.add_argument("--name", help="what you are called there")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--table", metavar="CODE", help="join the table with this code")
    place.add_argument("--watch", metavar="CODE", help="look on at the table with this code")
    place.add_argument("--token", help="come back to the game this token was given for")
    place.add_argument(
        "--alone", action="store_true", help="play against the computer, in the server's lobby"
    )
    parser.add_argument("--level", help="with --alone: which of the game's bots plays against you")
    parser.add_argument("--first", action="store_true", help="move first, where the game asks")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Find the game's client and let it play."""
    play, door = find_play(args.game), args.game
    if args.alone and not getattr(play, "alone", False):
        play, door = find_play(LOBBY), LOBBY
    if play is None:
        known = ", ".join(playable()) or "none"
        return complain("play", f"no game to play by that name: {args.game} (known: {known})")
    host, port = args.address
    port = usual_port(door) if port is None else port
    if port is None:
        return complain("play", f"{args.game} has no usual port: say HOST:PORT")
    try:
        return play(host, port, args)
    except EOFError:
        return 0
    except BrokenPipeError:
        raise
    except (OSError, UnicodeError) as problem:
        code = getattr(problem, "errno", None) or 0  # asyncio has words of its own for it
        reason = os.strerror(code) if code > 0 else getattr(problem, "strerror", None) or problem
        print(f"parlour play: {reason} ({host} port {port})", file=sys.stderr)
        return 1


@cache
def playable() -> Sequence[str]:
    """List the kinds of game that an installed package brings a client for."""
    return sorted(point.name for point in entry_points(group="parlour.play"))


def find_play(kind: str) -> Play | None:
    """Load the client of one game."""
    points = entry_points(group="parlour.play", name=kind)
    play: Play | None = next((point.load() for point in points), None)
    return play


def usual_port(kind: str) -> int | None:
    """Say where the door of a game stands if nobody chose otherwise."""
    for point in entry_points(group="parlour.doors", name=kind):
        found = _ENDPOINT.match(point.load().endpoint)
        return int(found[1]) if found else None
    return None


def _address(text: str) -> tuple[str, int | None]:
    try:
        return read_address(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT") from None
