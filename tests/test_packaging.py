"""The project can be installed, and its plugin is found, in every way of installing."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.patience import SECONDS

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Build the wheel from what git would have of the tree: no build folder, nothing left over."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("gamecore", "protocols", "twisted", "setup.cfg", "pyproject.toml", "README.rst"):
        subprocess.run(["cp", "-r", str(ROOT / name), str(source)], check=True)
    (source / "LICENSE").write_text((ROOT / "LICENSE").read_text())
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    offline = ["--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(source)]
    subprocess.run([*command, *offline], check=True, timeout=120)
    return next(folder.glob("*.whl"))


def test_nothing_below_twisted_is_a_package():
    assert list((ROOT / "twisted").rglob("__init__.py")) == []


def test_the_wheel_holds_the_plugin_and_the_type_marks(wheel):
    names = ZipFile(wheel).namelist()
    assert "twisted/plugins/parlour_plugin.py" in names
    assert "gamecore/py.typed" in names
    assert "protocols/py.typed" in names
    assert "protocols/i18n/catalogues/fr.po" in names
    for kind in ("lobby", *(point.name for point in entry_points(group="parlour.texts"))):
        assert [name for name in names if name.startswith(f"protocols/{kind}/help/en/")], kind
    for template in ("web/templates/layout.html", "rikiki/pages/table.html"):
        assert f"protocols/{template}" in names
    for static in (
        "web/static/parlour.css",
        "rikiki/pages/table.css",
    ):
        assert f"protocols/{static}" in names
    assert not [name for name in names if name.startswith("twisted/") and "__init__" in name]
    assert not [name for name in names if name.startswith("tests/")]


def test_twistd_finds_the_plugin_where_the_wheel_is_unpacked(wheel, tmp_path):
    ZipFile(wheel).extractall(tmp_path / "site")
    shown = subprocess.run(
        [sys.executable, "-m", "twisted", "parlour", "--help"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert "--nim=" in shown.stdout
