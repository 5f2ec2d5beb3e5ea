"""Names on the wire of GOPS, which refuses none: who looks like another there is told apart by a number."""

from __future__ import annotations

import pytest

from protocols.gops.wire import fit_name


def test_an_imitation_gets_a_number(gops_door, look_alikes):
    with gops_door() as door:
        for name, imitation in look_alikes:
            first, second = door.connect(name, lines=True), door.connect(imitation, lines=True)
            assert second.link.name == f"{fit_name(imitation)}-2", (name, imitation)
            first.hang_up(), second.hang_up()


@pytest.mark.parametrize("sits", [False, True])
@pytest.mark.parametrize("lines", [False, True])
def test_at_the_half_close_others_may_have_the_name_of_one_who_cannot_come_back(
    gops_door, lines, sits
):
    with gops_door() as door:
        before = door.connect("zoe", lines=lines)
        if sits:
            before.say("START-GAME")
        before.end_input()
        after = door.connect("zoe", lines=lines)
        keeps = lines and sits
        assert after.link.name == ("zoe-2" if keeps else "zoe")
        before.hang_up()
        assert door.connect("zoe", lines=lines).link.name == ("zoe" if keeps else "zoe-2")
