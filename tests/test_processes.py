"""What comes from the fork server is the process that would have been started from the disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.patience import SECONDS
from tests.processes import BIN, run, served, start

READER = [sys.executable, "-m", "json.tool", "--compact"]
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}


def is_forked(process: subprocess.Popen) -> bool:
    return type(process) is not subprocess.Popen


def open_files(process: int) -> list[str]:
    return os.listdir(f"/proc/{process}/fd") if sys.platform == "linux" else []


def test_it_says_and_ends_as_one_from_the_disk() -> None:
    command = [BIN / "parlour", "nonsense"]
    forked = run(command, capture_output=True, text=True, timeout=SECONDS)
    real = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert (forked.returncode, forked.stdout, forked.stderr) == (2, real.stdout, real.stderr)


def test_it_has_the_folder_and_the_files_that_were_asked_for(tmp_path) -> None:
    (tmp_path / "given.json").write_text('{"a": 1}')
    done = run([*READER, "given.json", "made.json"], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads((tmp_path / "made.json").read_text()) == {"a": 1}


def test_it_has_nothing_of_the_server_open_and_reads_what_is_typed() -> None:
    until = time.monotonic() + SECONDS
    with start(READER, **PIPES) as process:
        assert is_forked(process)
        assert process.poll() is None
        while len(files := open_files(process.pid)) > 3:  # until it is no server any more
            assert time.monotonic() < until, files
        said, _ = process.communicate("[1,\n2]", timeout=SECONDS)
    assert (said, process.returncode) == ("[1,2]\n", 0)


def test_a_program_is_also_what_is_said_on_the_command_line() -> None:
    program = "import sys; print(__name__, sys.argv); sys.exit(7)"
    said = [
        start_it([sys.executable, "-c", program, "a", "-c"], capture_output=True, text=True)
        for start_it in (run, subprocess.run)
    ]
    for each in said:
        assert (each.stdout, each.returncode) == ("__main__ ['-c', 'a', '-c']\n", 7)


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_the_signal_that_ended_it_is_known(ending) -> None:
    with start(READER, **PIPES) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        process.send_signal(ending)
        assert process.wait(SECONDS) == -ending


def test_it_leads_a_session_of_its_own_where_that_was_asked_for() -> None:
    for leads in (False, True):
        with start(READER, start_new_session=leads, **PIPES) as process:
            assert is_forked(process)
            process.stdin.write("[")
            until = time.monotonic() + SECONDS
            while (os.getsid(process.pid) == process.pid) is not leads:
                assert time.monotonic() < until
            process.communicate("]", timeout=SECONDS)


def test_a_failure_is_a_status_and_a_traceback() -> None:
    done = run([sys.executable, "-m", "tests.no_such_module"], capture_output=True, text=True)
    assert done.returncode == 1 and "No module named" in done.stderr


@pytest.mark.parametrize("name", ["PYTHONPATH", "PYTHONHASHSEED", "LC_ALL", "TZ"])
def test_what_python_reads_as_it_begins_is_never_that_of_the_server(name) -> None:
    with start(READER, env={**os.environ, name: "1"}, **PIPES) as process:
        assert not is_forked(process)
        process.communicate("[]", timeout=SECONDS)


def test_what_begins_otherwise_comes_from_a_server_that_began_so_as_long_as_it_is_served(tmp_path):
    (tmp_path / "beside.py").write_text("print('it is found')")
    begins = {**os.environ, "PYTHONPATH": str(tmp_path)}
    beside = [sys.executable, "-m", "beside"]
    with served(PYTHONPATH=str(tmp_path)):
        with start(beside, env=begins, stdout=subprocess.PIPE, text=True) as process:
            assert is_forked(process)
            assert process.communicate(timeout=SECONDS) == ("it is found\n", None)
        done = run(beside, capture_output=True, text=True, timeout=SECONDS)
        assert "No module named" in done.stderr, "the others are as they were"
    with start(beside, env=begins, stdout=subprocess.PIPE, text=True) as process:
        assert not is_forked(process)
        assert process.communicate(timeout=SECONDS) == ("it is found\n", None)
