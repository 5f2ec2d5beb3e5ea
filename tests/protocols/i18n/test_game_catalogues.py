"""A game that is a package of its own brings its translations, and pages, along."""

from __future__ import annotations

import sys

import pytest

from protocols.i18n.help_text import read_page
from protocols.i18n.translate import translator_of

PLURAL = (
    '"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n'
)


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Give what puts a package with a text into the path."""

    def put(name, module, catalogue):
        package = tmp_path / name
        (package / "catalogues").mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "catalogues" / "fr.po").write_bytes(catalogue)
        (package / "help" / "en").mkdir(parents=True)
        (package / "help" / "en" / "rules.txt").write_text("How it is played.\n")
        facts = tmp_path / f"{name}-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[parlour.texts]\n{name} = {module}:TEXT\n")
        monkeypatch.delitem(sys.modules, name, raising=False)
        translator_of.cache_clear()

    monkeypatch.syspath_prepend(str(tmp_path))
    yield put
    for name in [each for each in sys.modules if each.startswith("parlour_toy")]:
        del sys.modules[name]
    translator_of.cache_clear()


def written(*pairs):
    entries = [f'msgid "{said}"\nmsgstr "{translated}"\n' for said, translated in pairs]
    return "\n".join([f'msgid ""\nmsgstr ""\n{PLURAL}', *entries]).encode()


def test_what_a_game_says_is_translated_by_its_own_catalogue(install):
    install("parlour_toy", "parlour_toy.words", written(("{name} spins.", "{name} tourne.")))
    french = translator_of("fr")
    assert french("{name} spins.", name="Zoé") == "Zoé tourne."
    assert french("{name} is back.", name="Zoé") == "Zoé est de retour."
    assert french.several("{n} stone", "{n} stones", 2) == "2 allumettes"


def test_what_the_house_says_itself_no_game_changes(install):
    install("parlour_toy", "parlour_toy.words", written(("Play goes on.", "Rien ne va plus.")))
    assert translator_of("fr")("Play goes on.") != "Rien ne va plus."


def test_two_games_bring_each_their_own(install):
    install("parlour_toy", "parlour_toy", written(("{name} spins.", "{name} tourne.")))
    install("parlour_toy2", "parlour_toy2.words", written(("a top", "une toupie")))
    french = translator_of("fr")
    assert french("{name} spins.", name="Zoé") == "Zoé tourne."
    assert french("a top") == "une toupie"


@pytest.mark.parametrize(
    "damaged", [b'msgid "half', b"\xff\xfe\xfa", b'msgid "a"\nmsgstr "\xe9"\n']
)
def test_a_catalogue_that_cannot_be_read_is_warned_of_and_silences_nobody(install, damaged):
    install("parlour_toy", "parlour_toy.words", damaged)
    with pytest.warns(UserWarning, match="no fr of parlour_toy"):
        french = translator_of("fr")
    assert french("{name} is back.", name="Zoé") == "Zoé est de retour."


def test_a_game_whose_package_is_gone_is_warned_of(install, tmp_path):
    install("parlour_toy", "parlour_toy_gone.words", b"")
    with pytest.warns(UserWarning, match="no fr of parlour_toy_gone"):
        translator_of("fr")


def test_its_pages_are_found_in_english_where_a_language_has_none(install):
    install("parlour_toy", "parlour_toy.words", written())
    assert read_page("parlour_toy", "fr", "rules") == ("How it is played.",)
    assert read_page("parlour_toy", "fr", "spin") == ()
