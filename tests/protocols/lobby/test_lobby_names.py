"""Names in the hall: none that people would take for another's, or for what the house says of somebody."""

from __future__ import annotations


def test_an_imitation_is_refused(lobby, look_alikes):
    with lobby() as home:
        first, second = home.call(), home.call("nobody else")
        for name, imitation in look_alikes:
            first.type(f"name {name}")
            second.type(f"name {imitation}")
            assert home.host.people.name_of(second.link.session) == "nobody else", (name, imitation)


def test_a_name_says_nothing_in_brackets(lobby):
    with lobby() as home:
        caller = home.call("me")
        assert caller.type("name me (you)")[0].startswith("A name has no round brackets")
        assert caller.type("who")[0].startswith("me (you)")
