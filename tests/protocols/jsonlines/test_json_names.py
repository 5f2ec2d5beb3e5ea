"""Names of programs: none that people would take for another's."""

from __future__ import annotations


def test_an_imitation_is_refused(house, look_alikes):
    first, second, third = house.connect(), house.connect("nobody else"), house.connect()
    for name, imitation in look_alikes:
        assert first.ask("name", name=name)["ok"]
        for answer in (second.ask("name", name=imitation), third.ask("hello", name=imitation)):
            assert answer["error"] in ("name-taken", "no-name"), (name, imitation)
