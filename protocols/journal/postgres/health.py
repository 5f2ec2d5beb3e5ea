"""How a PostgreSQL journal is: its runs, its tables, and what holds up the database."""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from protocols.journal.health import Health, OpenTransaction, RunHealth, ServerHealth
from protocols.journal.postgres.adoptions import list_set_aside
from protocols.journal.postgres.beats import AGE, latest
from protocols.journal.postgres.connection import OLDEST, ask, major_version
from protocols.journal.postgres.lock import connected
from protocols.journal.postgres.schema import SCHEMA

_FIRST_WITH_RUNS = 3  # the schema from which on several runs may live
_RUNS = """
SELECT run, name, (SELECT count(*) FROM tables WHERE owner = runs.run),
    extract(epoch FROM lease - clock_timestamp())::float8, {} FROM {} WHERE NOT dead ORDER BY run
"""
_NEWEST = "draining, link", f"runs LEFT JOIN {latest('runs.run')} AS beat ON true"
_OLDER = "NULL, ''", "runs"
_AWAKE = "SELECT count(*) FROM tables JOIN runs ON runs.run = owner AND NOT dead"
# Of others who are no superusers the server shows no more than the process and the role. What was prepared for a
# commit in two phases belongs to no process, and outlasts a restart.
_OLDEST = """
SELECT who, extract(epoch FROM clock_timestamp() - since)::float8 FROM (
    SELECT concat_ws(', ', 'process ' || pid, usename, nullif(application_name, ''), state) AS who,
        xact_start AS since FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    UNION ALL
    SELECT 'what was prepared as ' || gid, prepared FROM pg_prepared_xacts WHERE database = current_database()
) AS open WHERE since IS NOT NULL ORDER BY since LIMIT 1
"""

_SERVER = """
SELECT current_setting('fsync'), current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names'), (SELECT count(*) FROM pg_stat_replication), pg_is_in_recovery()
"""


def examine(db: Connection[Any]) -> Health:
    """Look at a journal; raises psycopg.Error."""
    schema = int(ask(db, "SELECT schema FROM house"))
    is_older = schema < SCHEMA
    runs: list[RunHealth] = []
    awake = 0
    if schema >= _FIRST_WITH_RUNS:
        awake = int(ask(db, _AWAKE))
        rows = db.execute(_RUNS.format(*(_OLDER if is_older else _NEWEST))).fetchall()
        there = connected(db, [row[0] for row in rows])
        alone = len(rows) == 1
        runs = [
            RunHealth(run, name, tables, None if alone else left, run in there, *more)
            for run, name, tables, left, *more in rows
        ]
    oldest = db.execute(_OLDEST).fetchone()
    return Health(
        schema,
        SCHEMA,
        float(ask(db, AGE.replace("beats", "runs") if is_older else AGE)),
        awake,
        int(ask(db, "SELECT count(*) FROM tables")) - awake,
        int(ask(db, "SELECT count(*) FROM finished")),
        runs,
        None if oldest is None else OpenTransaction(*oldest),
        _server(db),
        [] if is_older else list_set_aside(db),
    )


def _server(db: Connection[Any]) -> ServerHealth:
    version, promises = ask(db, "SHOW server_version"), db.execute(_SERVER).fetchone() or ()
    return ServerHealth(version, major_version(db) >= OLDEST, *promises)
