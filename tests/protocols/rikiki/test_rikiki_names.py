"""Names on Rikiki's wire: none that people would take for another's."""

from __future__ import annotations


def test_an_imitation_is_refused(rikiki_door, look_alikes):
    with rikiki_door() as door:
        for name, imitation in look_alikes:
            first, second = door.connect(), door.connect()
            assert first.type(f"NAME {name}")[-1].startswith("OK NAME"), name
            assert second.type(f"NAME {imitation}")[-1].startswith("ERR name-"), (name, imitation)
            first.hang_up(), second.hang_up()
