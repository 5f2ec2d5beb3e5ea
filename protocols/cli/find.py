"""`parlour find`: which games stand open on this LAN."""

from __future__ import annotations

import argparse
import json
import math
import sys
import unicodedata
from collections.abc import Sequence

import attrs

from gamecore.rules import installed_rules
from protocols.cli.output import print_line
from protocols.discovery.finder import find
from protocols.discovery.wire import (
    DISCOVERY_PORT,
    EVERY_GAME,
    GAME_LENGTH,
    FoundRoom,
    is_plain,
)
from protocols.net.address import show_address

LONGEST_WAIT = 60.0


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `find` to the commands of `parlour`."""
    parser = commands.add_parser(
        "find",
        help="list the games that stand open on this network",
        description="List the games that stand open on this network, and the lobbies that have all games.",
    )
    parser.add_argument(
        "--game",
        type=_game,
        default=EVERY_GAME,
        metavar="KIND",
        help=f"only this kind of game, such as {_kinds()} (default: every game)",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=DISCOVERY_PORT,
        help="the UDP port to ask on (default: %(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=2.0,
        help="how long to wait for answers (default: %(default)s)",
    )
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="ask only this host; may be given several times",
    )
    parser.add_argument("hosts", nargs="*", metavar="HOST[:PORT]", help="the same as --at")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ask, print what was found, and say by the exit status whether anything was."""
    try:
        rooms = find(args.game, args.port, args.seconds, [*args.at, *args.hosts] or None)
    except (OSError, ValueError) as error:  # the latter for what is no address at all
        reason = getattr(error, "strerror", None) or error
        print(f"parlour find: cannot ask there: {reason}", file=sys.stderr)
        return 1
    if args.json:
        lines = [json.dumps(described(room)) for room in rooms]
    elif rooms:
        lines = table_of(rooms)
    else:
        lines = [nothing_found(args.game, args.port, args.seconds)]
    for line in lines:
        print_line(line)
    return 0 if rooms else 1


def described(room: FoundRoom) -> dict[str, object]:
    """A room as a program reads it."""
    return attrs.asdict(room, filter=lambda field, _: field.name != "nonce")


def table_of(rooms: Sequence[FoundRoom]) -> list[str]:
    """One line a room, in columns."""
    rows = [_columns(room) for room in rooms]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def nothing_found(game: str, port: int, seconds: float) -> str:
    """One sentence on what was tried in vain."""
    what = "No open game" if game == EVERY_GAME else f"No open game of {game}"
    return (
        f"{what} was found: nobody answered on UDP port {port} within {seconds:g} seconds. "
        "Across a router, or past a firewall, name the host with --at."
    )


def _columns(room: FoundRoom) -> tuple[str, ...]:
    return (
        show_address(room.address, room.port),
        room.game,
        f'"{room.name}"',
        _table(room),
        f"{room.players} of {room.seats} players" if room.seats else "every game",
        "(password)" if room.passworded else "",
        f"on {room.server_name}" if room.server_name else "",
    )


def _table(room: FoundRoom) -> str:
    if room.table:
        return f"table {room.table}"
    new = room.game and room.seats  # who names no game names no table either
    return "a new table" if new else ""


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0
        if unicodedata.combining(character)
        else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def _kinds() -> str:
    return ", ".join(sorted(rules.kind for rules in installed_rules()))


def _game(text: str) -> str:
    if not is_plain(text, GAME_LENGTH):
        raise argparse.ArgumentTypeError("a game is named by a short plain word")
    return text


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= LONGEST_WAIT:
        raise argparse.ArgumentTypeError(f"seconds are more than 0 and at most {LONGEST_WAIT:g}")
    return seconds
