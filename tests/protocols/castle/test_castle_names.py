"""Names at Castle Wars' door: nobody plays against an imitation of themselves."""

from __future__ import annotations


def test_an_imitation_is_refused(castle_door, look_alikes):
    with castle_door() as door:
        for name, imitation in look_alikes:
            first = door.join(name)
            second = door.join(imitation)
            door.settle()
            assert second.objects()[-1]["CODE"] in (
                "NAME_TAKEN",
                "BAD_NAME",
            ), (name, imitation)
            first.hang_up(), second.hang_up()
            door.clock.advance(60)  # so many tables are not opened at once
