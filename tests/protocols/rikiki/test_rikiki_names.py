"""Names on Rikiki's wire: none that people would take for another's."""

from __future__ import annotations

import pytest


def test_an_imitation_is_refused(rikiki_door, look_alikes):
    with rikiki_door() as door:
        for name, imitation in look_alikes:
            first, second = door.connect(), door.connect()
            assert first.type(f"NAME {name}")[-1].startswith("OK NAME"), name
            assert second.type(f"NAME {imitation}")[-1].startswith("ERR name-"), (name, imitation)
            first.hang_up(), second.hang_up()


@pytest.mark.parametrize("sits", [False, True])
def test_at_the_half_close_others_may_have_the_name_of_one_who_cannot_come_back(rikiki_door, sits):
    with rikiki_door() as door:
        code = door.connect("Ann").type("NEW")[-1].split()[2]
        before = door.connect("zoe")
        if sits:
            before.type(f"JOIN {code}")
        before.link.readConnectionLost()
        after = door.connect()
        assert after.type("NAME zoe")[-1].startswith("ERR name-taken" if sits else "OK NAME")
