"""`parlour play`: sit down at a game, in a terminal or from a pipe.

A game brings its client by naming it, under its kind, in the entry point group ``parlour.play``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Protocol

from protocols.cli.output import complain
from protocols.net.address import read_address

_ENDPOINT = re.compile(r"tcp:(?:port=)?([0-9]+)")


class Play(Protocol):
    """Play one kind of game at a server, to the end of it; gives the exit status.

    ``args`` has what the person chose, each None if nothing: ``name``, ``table`` (the code of a table to
    join), ``watch`` (one to look on at) and ``token`` (what brings a player back).  A client that can be asked
    for a game against the computer (``alone``) has a true attribute of that name.
    """

    def __call__(self, host: str, port: int, args: argparse.Namespace, /) -> int: ...


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `play` to the commands of `parlour`."""
    parser = commands.add_parser("play", help="play a game at a server", description=__doc__)
    parser.add_argument("game", metavar="GAME", help="the kind of game, as `parlour find` names it")
    where = "the server; without a port it is the game's usual one"
    parser.add_argument("address", metavar="HOST[:PORT]", type=_address, help=where)
    parser.add_argument("--name", help="what you are called there")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--table", metavar="CODE", help="join the table with this code")
    place.add_argument("--watch", metavar="CODE", help="look on at the table with this code")
    place.add_argument("--token", help="come back to the game this token was given for")
    place.add_argument("--alone", action="store_true", help="play against the computer")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Find the game's client and let it play."""
    play = find_play(args.game)
    host, port = args.address
    port = usual_port(args.game) if port is None else port
    if play is None:
        known = ", ".join(playable()) or "none"
        return complain("play", f"no game to play by that name: {args.game} (known: {known})")
    if args.alone and not getattr(play, "alone", False):
        return complain("play", f"{args.game} is not played alone here; the lobby has bots for it")
    if port is None:
        return complain("play", f"{args.game} has no usual port: say HOST:PORT")
    try:
        return play(host, port, args)
    except EOFError:
        return 0
    except (OSError, UnicodeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        print(f"parlour play: {reason} ({host} port {port})", file=sys.stderr)
        return 1


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
