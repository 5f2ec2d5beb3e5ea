"""How the daemon starts, refuses to start, and describes itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.doors import shut
from tests.patience import SECONDS
from tests.processes import run


def twistd(bin_dir: Path, cwd: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [str(bin_dir / "twistd"), "--nodaemon", "--pidfile=", *options]
    return run(command, cwd=cwd, capture_output=True, text=True, timeout=SECONDS)


def test_twistd_knows_parlour(bin_dir, tmp_path):
    """From the disk, as a person starts it."""
    command = [bin_dir / "twistd", "--help"]
    assert "parlour" in subprocess.check_output(command, cwd=tmp_path, text=True)


def test_its_help_names_every_option(bin_dir, tmp_path):
    said = twistd(bin_dir, tmp_path, "parlour", "--help").stdout
    for option in ("--nim=", "--discovery=", "--name=", "--journal=", "--config="):
        assert option in said
    assert "Expanding Nim" in said


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--nim", "tcp:many"], "--nim tcp:many"),
        (["--nim", "pigeon:9"], "--nim pigeon:9"),
        (["--discovery", "x"], "--discovery x"),
        (["--keep", "some"], "--keep some"),
        (["--config", "none.ini"], "none.ini: No such file"),
        (["--colour", "red"], "--colour"),
        (["--config", "stones.ini"], "stones: from 1 to 1000000"),
        (["--config", "section.ini"], "no section [chess]"),
        (["--config", "key.ini"], "has no setting 'stone'"),
        (["--config", "option.ini"], "no option 'colour'"),
        (["--config", "broken.ini"], "broken.ini"),
    ],
)
def test_an_option_that_cannot_be_read_ends_it_with_one_line(bin_dir, tmp_path, options, complaint):
    (tmp_path / "stones.ini").write_text("[nim]\nstones = 0\n")
    (tmp_path / "section.ini").write_text("[chess]\nstones = 1\n")
    (tmp_path / "key.ini").write_text("[nim]\nstone = 1\n")
    (tmp_path / "option.ini").write_text("[parlour]\ncolour = red\n")
    (tmp_path / "broken.ini").write_text("stones 1\n")
    ended = twistd(bin_dir, tmp_path, "parlour", *options)
    assert ended.returncode != 0
    assert complaint in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stdout == ""


def test_a_taken_port_ends_it_with_one_line(start_daemon, bin_dir, tmp_path):
    daemon = start_daemon()
    endpoint = f"tcp:{daemon.nim}:interface=127.0.0.1"
    alone = [*shut("nim"), "--discovery", "off", "--journal", "memory"]
    ended = twistd(bin_dir, tmp_path, "parlour", "--nim", endpoint, *alone)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stdout + ended.stderr
    complaints = [line for line in ended.stdout.splitlines() if "in use" in line]
    assert len(complaints) == 1


def test_a_door_can_have_two_endpoints(start_daemon, tmp_path):
    daemon = start_daemon("--nim", f"unix:{tmp_path / 'nim'}")
    assert (tmp_path / "nim").is_socket()
    assert daemon.nim
