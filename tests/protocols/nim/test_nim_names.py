"""Names on Nim's wire, which refuses none: who looks like the other is told apart by a number."""

from __future__ import annotations

from protocols.nim.wire import NAME_LIMIT, fit_name


def test_an_imitation_gets_a_number(nim_door, look_alikes):
    tried = 0
    with nim_door() as door:
        for name, imitation in look_alikes:
            if fit_name(imitation, NAME_LIMIT - 4) != imitation:
                continue  # too long for this wire, as it writes it
            door.connect(name, 0), door.connect(imitation, 1)
            door.settle()
            table = list(door.hall._tables.values())[-1]
            assert table.names == (name, f"{imitation} (2)"), (name, imitation)
            tried += 1
    assert tried >= 100
