"""`parlour replay`: a finished game as people read it, at once or as slowly as it was played."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from gamecore.commands import Open
from gamecore.fairness import commitment
from gamecore.record import Entry, Unreadable
from gamecore.record_file import Game, read_audience, read_event, read_game
from gamecore.rules import AnyRules, Registry, installed_rules
from protocols.cli.finished import Unavailable, add_game, load_game
from protocols.cli.output import complain, print_line
from protocols.i18n.describe import renamed, tell
from protocols.i18n.game_text import GameText, find_text
from protocols.i18n.sanitize import clean

LONGEST_PAUSE = 86_400.0  # what a forged file says may be more than any clock can wait

Line = tuple[float, str]  # table time, and what happened then


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
        help="what seat N was told, from 0 (default: what everybody was told)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, sleep: Callable[[float], None] = time.sleep) -> int:
    """Print the game; 2 if there is none to print."""
    try:
        game = read_game(load_game(args.game, args.journal))
        opened = game.opened
    except (Unavailable, Unreadable) as problem:
        return complain("replay", problem)
    if args.seat is not None and args.seat >= count_seats(game):
        return complain("replay", f"nobody sat in seat {args.seat}")
    rules = _find_rules(opened)
    for line in introduce(game.entries[0], opened, rules):
        print_line(line)
    for at, line in _paced(told(game, rules, find_text(opened.kind), args.seat), args.speed, sleep):
        print_line(f"{show_time(at):>8}  {line}")
    return 0


def introduce(first: Entry, opened: Open, rules: AnyRules | None) -> Iterator[str]:
    """Say what is played, and by which settings."""
    name = clean(opened.name)
    table = f'Table {clean(opened.code)}, "{name}"' if name else f"Table {clean(opened.code)}"
    title = clean(opened.kind) if rules is None else rules.title
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime(first.wall))
    yield f"{table}: {title}, opened {date} UTC."
    settings = ", ".join(
        f"{clean(each)} {clean(str(opened.options[each]))}" for each in opened.options
    )
    if settings:
        yield f"Settings: {settings}."
    yield f"The commitment to the seed of game 1 is {commitment(opened.code, 1, opened.seed)}."
    if rules is None:
        yield f"Its rules ({title} {opened.rules}) are not installed here, so these are the bare facts."


def told(
    game: Game, rules: AnyRules | None, text: GameText | None, seat: int | None
) -> Iterator[Line]:
    """Tell in words all that one seat was told; None is what everybody was told."""
    names: Sequence[str] = ()
    for entry, events in zip(game.entries, game.events, strict=True):
        for written in events:
            event = read_event(written, rules) or written
            names = renamed(names, event)
            line = tell(event, names, text) if read_audience(written).reaches(seat) else None
            if line is not None:
                yield entry.at, line


def count_seats(game: Game) -> int:
    """Say how many seats somebody ever sat in."""
    names: Sequence[str] = ()
    most = 0
    for events in game.events:
        for written in events:
            names = renamed(names, read_event(written, None) or written)
            most = max(most, len(names))
    return most


def show_time(at: float) -> str:
    """Write table time as minutes and seconds, or hours, minutes and seconds."""
    minutes, seconds = divmod(int(at), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


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


def _seat(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise argparse.ArgumentTypeError("a seat is a number from 0")
    return int(text)
