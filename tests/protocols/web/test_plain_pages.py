"""Every game without script, looks or a mouse: by links and forms alone, as lynx has them."""

from __future__ import annotations

import pytest

from gamecore.rules import installed_rules
from tests.protocols.web.plain import play_by_forms

KINDS = [each.kind for each in installed_rules()]


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_played_to_its_end_by_forms_and_links_alone(house, kind):
    play_by_forms(house, kind)
