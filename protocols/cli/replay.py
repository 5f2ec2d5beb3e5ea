"""`parlour replay`: a finished game as people read it, at once or as slowly as it was played."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable, Iterator

from gamecore.commands import Open
from gamecore.record import Unreadable
from gamecore.record_file import read_game
from gamecore.rules import AnyRules, Registry, installed_rules
from protocols.cli.finished import Unavailable, add_game, load_game
from protocols.cli.output import complain, print_line
from protocols.i18n.describe import seat_number
from protocols.i18n.game_text import find_text
from protocols.i18n.retelling import (
    ALL,
    Line,
    Listener,
    count_seats,
    introduce,
    opens_game,
    timed,
    told,
)

LONGEST_PAUSE = 86_400.0  # what a forged file says may be more than any clock can wait


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``replay`` to the commands of ``parlour``."""
    parser = commands.add_parser(
        "replay",
        help="show a finished game",
        description="Show a finished game as people read it, at once or as slowly as it was played.",
    )
    add_game(parser)
    parser.add_argument(
        "--speed",
        type=_speed,
        metavar="X",
        help="X times as fast as it was played (default: at once)",
    )
    parser.add_argument(
        "--seat",
        type=_seat,
        metavar="N",
        help="what seat N was told, from 1, or with 'all' what every seat was told, all hands with it"
        " (default: what everybody was told)",
    )
    parser.add_argument(
        "--game", type=_game, metavar="N", dest="number", help="game N of the table alone, from 1"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, sleep: Callable[[float], None] = time.sleep) -> int:
    """Print the game; 2 if there is none to print."""
    try:
        game = read_game(load_game(args.game, args.journal))
        opened = game.opened
    except (Unavailable, Unreadable) as problem:
        return complain("replay", problem)
    if isinstance(args.seat, int) and args.seat >= count_seats(game):
        return complain("replay", f"nobody sat in seat {seat_number(args.seat)}")
    if args.number is not None and args.number > sum(map(opens_game, game.entries)):
        return complain("replay", f"there is no game {args.number} of that table")
    rules = _find_rules(opened)
    for line in introduce(game.entries[0], opened, rules):
        print_line(line)
    lines = told(game, rules, find_text(opened.kind), args.seat, number=args.number)
    for each in _paced(lines, args.speed, sleep):
        print_line(timed(each))
    return 0


def _paced(
    lines: Iterable[Line], speed: float | None, sleep: Callable[[float], None]
) -> Iterator[Line]:
    """Hand the lines on when their time has come; without a speed, at once."""
    now = 0.0
    for at, line in lines:
        if speed is not None and at > now:
            sleep(min((at - now) / speed, LONGEST_PAUSE))
        now = max(now, at)
        yield at, line


def _find_rules(opened: Open) -> AnyRules | None:
    try:
        return Registry(installed_rules()).exactly(opened.kind, opened.rules)
    except KeyError:
        return None


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = math.nan
    if not 0 < speed < math.inf:
        raise argparse.ArgumentTypeError("a speed is a number above 0")
    return speed


def _seat(text: str) -> Listener:
    return ALL if text.lower() == ALL else _number("a seat", text, 1) - 1


def _game(text: str) -> int:
    return _number("a game", text, 1)


def _number(what: str, text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) >= least):
        raise argparse.ArgumentTypeError(f"{what} is a number from {least}")
    return int(text)
