"""CARDS on Rikiki's wire: how many the next round deals."""

from __future__ import annotations


def play_until_pause(door, *people):
    for _ in range(20):
        for each in people:
            lines = each.type("STATE")
            if "phase=done" in lines[0]:
                return
            turn = [line.split() for line in lines if line.startswith("TURN")]
            if turn and len(turn[0]) > 3:
                each.type(f"{turn[0][2]} {turn[0][3]}")
    raise AssertionError("the round does not end")


def test_the_owner_says_how_many_cards_and_everybody_hears(rikiki_door):
    with rikiki_door() as door:
        _, ann, ben = door.table("Ann", "Ben", options="cards=2")
        assert ann.type("CARDS 1")[0].startswith("ERR wrong-state")
        ann.type("START")
        assert ann.type("CARDS 1")[0].startswith("ERR wrong-state")
        play_until_pause(door, ann, ben)
        assert any(" next=1" in line for line in ann.type("STATE"))
        ben.news()
        assert ben.type("CARDS 3")[0].startswith("ERR bad-token")
        assert ann.type("CARDS 27")[0].startswith("ERR cards-range")
        assert ann.type("CARDS x")[0].startswith("ERR not-a-number")
        assert ann.type("CARDS 3") == ["OK CARDS 3", "CARDS 3"]
        assert ben.news() == ["CARDS 3"]
        assert any(" next=3" in line for line in ben.type("STATE"))
        assert "ROUND 2 3 Ben" in ann.type("NEXT")


def test_an_owner_who_looks_on_is_told_of_it_and_says_it(rikiki_door):
    with rikiki_door() as door:
        owner, ann, ben = door.connect("Olga"), door.connect("Ann"), door.connect("Ben")
        _, _, code, _ = owner.type("NEW players=2 cards=2")[0].split()
        for each in (ann, ben):
            each.type(f"JOIN {code}")
        owner.type("START")
        owner.raw()
        play_until_pause(door, ann, ben)
        assert any("CARDS n" in line for line in owner.raw())
        assert not any("CARDS n" in line for line in ann.raw())
        assert owner.type("CARDS 4") == ["OK CARDS 4", "CARDS 4"]
        assert "ROUND 2 4 Ben" in ben.type("NEXT")
