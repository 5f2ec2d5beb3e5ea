"""`parlour history`, `rating` and `top`: how games ended in a journal, and who is the strongest.

The daemon may run meanwhile. They are told as in the lobby, but for this: the journal is the keeper's, so games at
private tables are told too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import closing

from gamecore.contest.rating import can_rate
from gamecore.contest.result import NAME
from gamecore.errors import Refused
from gamecore.rated import BOT
from gamecore.roster import looks
from gamecore.rules import Registry, installed_rules
from protocols.cli.finished import Unavailable, add_journal, open_finished
from protocols.cli.output import complain, print_line
from protocols.i18n.refusals import explain
from protocols.i18n.result_text import name_of, tell_rating, tell_result
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import ENGLISH
from protocols.journal.archive import Archive, Results
from protocols.journal.results import ALL, BOTS, MOST_LISTED, PEOPLE

_USUAL_ROWS = 10
Lines = Sequence[str]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``history``, ``rating`` and ``top`` to the commands of ``parlour``."""
    history = commands.add_parser(
        "history",
        help="tell how games ended, the latest first",
        description="Tell how games ended, the latest first, also those that were played in private.",
    )
    history.add_argument("name", nargs="?", help="of whom; the level of a bot will do (all)")
    _add_count(history)
    add_journal(history)
    history.set_defaults(run=lambda args: _tell(args, "history", _history))
    rating = commands.add_parser(
        "rating",
        help="tell how strong a level of bots is",
        description="Tell how strong a level of bots is, in each game that it plays.",
    )
    rating.add_argument("name", help="the level, as perfect")
    rating.add_argument("game", nargs="?", help="one game, not all")
    add_journal(rating)
    rating.set_defaults(run=lambda args: _tell(args, "rating", _rating))
    top = commands.add_parser(
        "top",
        help="list the strongest in a game",
        description="List the strongest in a game, of those who have played enough rated games lately.",
    )
    top.add_argument("game", help="which game, as nim")
    top.add_argument("who", nargs="?", choices=(PEOPLE, BOTS, ALL), default=ALL, help=f"({ALL})")
    _add_count(top)
    add_journal(top)
    top.set_defaults(run=lambda args: _tell(args, "top", _top))


def _add_count(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n", dest="most", type=_count, default=_USUAL_ROWS, help=f"how many ({_USUAL_ROWS})"
    )


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_LISTED:
        raise argparse.ArgumentTypeError(f"a list has 1 to {MOST_LISTED} lines")
    return number


def _tell(
    args: argparse.Namespace,
    command: str,
    look: Callable[[argparse.Namespace, Archive], Lines],
) -> int:
    """Print what is found; 2 if that cannot be known."""
    try:
        with closing(open_finished(args.journal)) as finished:
            lines = finished.look(lambda archive: look(args, archive))
    except Unavailable as problem:
        return complain(command, problem)
    except Refused as refusal:
        return complain(command, explain(refusal, None, ENGLISH))
    for line in lines:
        print_line(line)
    return 0


def _history(args: argparse.Namespace, archive: Archive) -> Lines:
    name = None if args.name is None else clean(args.name)
    who = [] if name is None else [NAME + looks(name), BOT + name.lower()]
    rows = archive.look(lambda results: results.history(who, args.most, True))
    none = "no game has ended here" if name is None else f"no game of {name} has ended here"
    return [tell_result(*row, ENGLISH) for row in rows] or [none]


def _rating(args: argparse.Namespace, archive: Archive) -> Lines:
    _check(args.game)
    name = clean(args.name)
    rows = archive.look(lambda results: results.ratings(BOT + name.lower()))
    return [
        f"{row.pool}: {tell_rating(*row[2:], ENGLISH)}"
        for row in rows
        if args.game in (None, row.pool)
    ] or [f"{name} has no rating: only the levels of bots are rated so far"]


def _top(args: argparse.Namespace, archive: Archive) -> Lines:
    _check(args.game)
    age = archive.age

    def look(results: Results) -> Lines:
        return [
            f"{place:3} {name_of(row.account):24} {tell_rating(*row[2:], ENGLISH)}"
            for place, row in enumerate(results.top(args.game, args.who, age, args.most), 1)
        ]

    none = f"nobody has played enough rated games of {args.game} to be listed"
    return archive.look(look) or [none]


def _check(game: str | None) -> None:
    """Refuse a game that there is not, and ratings where nothing can be rated."""
    if game is not None:
        Registry(installed_rules()).latest(game)
    if not can_rate():
        raise Refused("no-ratings")
