"""`parlour ladder rebuild`: make the ratings of a journal anew from its results, or check them."""

from __future__ import annotations

import argparse
import os
from contextlib import closing

from gamecore.contest.rating import FORMULA, Formula, can_rate
from gamecore.errors import Refused
from protocols.cli.finished import Unavailable, add_journal, open_finished
from protocols.cli.output import complain, print_line
from protocols.i18n.refusals import explain
from protocols.i18n.translate import ENGLISH
from protocols.journal.archive import Results
from protocols.journal.errors import JournalFailed, JournalLost, JournalRefused
from protocols.journal.ladder import fold_all
from protocols.journal.location import is_url
from protocols.journal.offline import held
from protocols.journal.paths import default_journal

DIFFERS = 1


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``ladder`` to the commands of ``parlour``."""
    parser = commands.add_parser(
        "ladder",
        help="see to the ratings in a journal",
        description="See to the ratings in a journal, which follow from the results that it keeps.",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    rebuild = actions.add_parser(
        "rebuild",
        help="make all ratings anew from the results",
        description="Make all ratings anew from the results; no daemon may hold the journal meanwhile.",
        epilog="Exit status: 0 done, 1 the ratings are not those of the results, 2 that cannot be known or done.",
    )
    rebuild.add_argument(
        "--check",
        action="store_true",
        help="change nothing, and say whether they are the same to the last bit; the daemon may run",
    )
    add_journal(rebuild)
    rebuild.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    where = args.journal or default_journal()
    try:
        if not can_rate():
            return complain("ladder", explain(Refused("no-ratings"), None, ENGLISH))
        if not is_url(where) and not os.path.exists(where):
            return complain("ladder", f"there is no journal {where}; name one with --journal")
        return _check(where) if args.check else _rebuild(where)
    except (Unavailable, JournalFailed, JournalLost, JournalRefused) as problem:
        return complain("ladder", problem)


def _rebuild(where: str) -> int:
    with held(where) as store:
        store.clear_ratings()
        formula = Formula()
        while store.fold(formula):
            pass
        _tell(store.results)
    return 0


def _check(where: str) -> int:
    with closing(open_finished(where)) as finished:
        same = finished.look(lambda archive: archive.look(_is_as_folded))
    if not same:
        print_line(
            "the ratings are not those of the results: parlour ladder rebuild makes them anew"
        )
        return DIFFERS
    print_line("the ratings are those of the results, to the last bit")
    return 0


def _is_as_folded(results: Results) -> bool:
    """Fold what has been folded once more, and compare."""
    upto, formula = results.watermark()
    ratings, met = fold_all(results, upto)
    return (
        formula in ("", FORMULA)
        and ratings == dict(results.all_ratings())
        and met == results.all_met()
    )


def _tell(results: Results) -> None:
    upto, _ = results.watermark()
    print_line(f"{len(results.all_ratings())} ratings, of results up to number {upto}")
