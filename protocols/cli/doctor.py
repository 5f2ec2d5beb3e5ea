"""`parlour doctor`: how a journal is, who is at it, and what somebody should see to."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing

from protocols.cli.finished import Finished, Unavailable, add_journal, open_finished
from protocols.cli.output import complain, print_line
from protocols.journal.health import Health, RunHealth, ServerHealth
from protocols.journal.location import shown
from protocols.journal.paths import default_journal

_DAY = 86_400.0


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``doctor`` to the commands of ``parlour``."""
    parser = commands.add_parser(
        "doctor",
        help="tell how a journal is, which daemons are at it, and what is wrong",
        description="Tell how a journal is, which daemons are at it, and what somebody should see to."
        " Nothing is changed but by --bring-back, and the daemons may run. The exit status is 1 if something is to"
        " be seen to.",
    )
    parser.add_argument(
        "--bring-back",
        metavar="TABLE",
        help="let a table that is set aside be replayed again: by the next start of a daemon, or for the next who"
        " comes to it; nothing else is done then",
    )
    add_journal(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what was found; 1 if something is to be seen to, 2 if there is no journal that can be read."""
    where = shown(args.journal or default_journal())
    try:
        with closing(open_finished(args.journal)) as finished:
            if args.bring_back is not None:
                return _bring_back(finished, args.bring_back.upper(), where)
            health = finished.look(lambda archive: archive.examine())
    except Unavailable as problem:
        return complain("doctor", problem)
    for line in lines_of(where, health):
        print_line(line)
    return 1 if health.troubles() else 0


def _bring_back(finished: Finished, code: str, where: str) -> int:
    if not finished.look(lambda archive: archive.bring_back(code)):
        raise Unavailable(f"no table {code} is set aside in the journal {where}")
    print_line(f"table {code} is replayed again for the next who comes to it")
    return 0


def lines_of(where: str, health: Health) -> Iterator[str]:
    """Give the lines of what was found in a journal."""
    yield f"journal   {where}, schema {health.schema}"
    yield f"age       {health.age / _DAY:.2f} days of running"
    yield (
        f"tables    {health.awake} awake, {health.resting} at rest, {health.finished} finished games"
    )
    if health.server is not None:
        yield f"server    {_of_server(health.server)}"
    for each in health.runs:
        yield f"{f'run {each.run}':<9} {_described(each)}"
    for trouble in health.troubles():
        yield f"see to    {trouble}"


def _of_server(server: ServerHealth) -> str:
    waited_for = server.standbys or "none"
    return (
        f"PostgreSQL {server.version}, fsync {server.fsync}, synchronous_commit {server.commit};"
        f" {server.replicas} replicas, waited for: {waited_for}"
    )


def _described(run: RunHealth) -> str:
    where = run.name if run.connected else f"{run.name}, not connected"
    lease = "" if run.left is None else f", believed for {max(run.left, 0.0):.1f} s more"
    link = f", linked at {run.link}" if run.link else ""
    ends = "" if run.draining is None else "; asked to end"
    return f"{where}{link}; {run.tables} tables awake{ends}{lease}"
