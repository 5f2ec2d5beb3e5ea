"""Where a journal is: how that is shown to people, and what of an engine it brings to whom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from protocols.journal.location import shown
from protocols.journal.paths import state_file

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("where", "read"),
    [
        ("postgresql://wren:pw@host/db", "postgresql://wren:…@host/db"),
        ("postgresql://wren:p@w@host/db", "postgresql://wren:…@host/db"),
        (
            "postgresql://host/db?user=wren&password=pw&x=1",
            "postgresql://host/db?user=wren&password=…&x=1",
        ),
        ("postgresql:///db", "postgresql:///db"),
        ("/var/lib/a:b@c.db", "/var/lib/a:b@c.db"),
    ],
)
def test_a_place_is_shown_without_its_password(where, read):
    assert shown(where) == read


def test_what_a_daemon_keeps_beside_a_database_is_its_own_whatever_its_password():
    one, again, other = (
        state_file(f"postgresql://wren:{word}@host/{name}", "1", "link")
        for word, name in (("a", "x"), ("b", "x"), ("a", "y"))
    )
    assert one == again != other
    assert "://" not in one and Path(one).name.startswith("link.")


def test_the_daemon_and_a_writer_of_sqlite_bring_nothing_of_it():
    code = (
        "import sys, protocols.daemon.service, protocols.cli.main, protocols.journal.worker_process as w;"
        " w.find_store('/tmp/x.db'); print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert "protocols.journal.engines" in done.stdout.split()
    assert not any(name.partition(".")[0] == "psycopg" for name in done.stdout.split())
