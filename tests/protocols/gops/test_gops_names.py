"""Names on the wire of GOPS, which refuses none: who looks like another there is told apart by a number."""

from __future__ import annotations

from protocols.gops.wire import fit_name


def test_an_imitation_gets_a_number(gops_door, look_alikes):
    with gops_door() as door:
        for name, imitation in look_alikes:
            first, second = door.connect(name, lines=True), door.connect(imitation, lines=True)
            assert second.link.name == f"{fit_name(imitation)}-2", (name, imitation)
            first.hang_up(), second.hang_up()
