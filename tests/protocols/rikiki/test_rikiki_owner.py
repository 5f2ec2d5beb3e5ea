"""Whoever opened a table starts it: by the link it was opened on, or by its token, also after a restart."""

from __future__ import annotations

from random import Random

from gamecore.games.rikiki import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry
from protocols.host.door import read_defaults
from protocols.host.host import Host
from protocols.rikiki.server import DOOR, RikikiFactory
from tests.protocols.host.conftest import KeptJournal


def restart(door):
    """Let the process be gone, and another begin."""
    old = door.journal
    door.clock.calls.clear()
    door.journal = KeptJournal(door.clock, old._lines, old.noted, old.lived)
    door.hall = Hall(Registry([RULES]))
    door.host = Host(door.hall, door.journal, door.clock, lambda: 1e9, Random(2))
    door.factory = RikikiFactory(door.host, read_defaults(RULES, DOOR, {}))
    door.peers.clear()
    door.host.begin()
    door.settle()


def kept(rikiki_door):
    door = rikiki_door()
    door.journal = KeptJournal(door.clock)
    door.host = Host(door.hall, door.journal, door.clock, lambda: 1e9, Random(1))
    door.factory = RikikiFactory(door.host, read_defaults(RULES, DOOR, {}))
    return door


def test_the_owners_token_outlives_the_process(rikiki_door):
    with kept(rikiki_door) as door:
        ann, ben = door.connect("Ann"), door.connect("Ben")
        _, _, code, owner = ann.type("NEW players=2 cards=1")[0].split()
        tokens = []
        for person in (ben, ann):
            person.news()
            tokens.append(person.type(f"JOIN {code}")[0].split()[4])
        restart(door)
        ben, ann = door.connect("Ben"), door.connect("Ann")
        assert ben.type(f"REJOIN {tokens[0]}")[0] == f"OK REJOIN {code}"
        assert ann.type(f"REJOIN {tokens[1]}")[0] == f"OK REJOIN {code}"
        ben.news()
        assert ben.type("START")[0].startswith("ERR bad-token")
        ann.news()
        assert ann.type(f"START {owner}")[:2] == ["OK START", "STARTED Ben Ann"]


def test_an_owner_who_does_not_play_comes_back_by_the_same_token(rikiki_door):
    with kept(rikiki_door) as door:
        ann, ben, cat = door.connect(), door.connect("Ben"), door.connect("Cat")
        _, _, code, owner = ann.type("NEW players=2 cards=1")[0].split()
        for person in (ben, cat):
            person.type(f"JOIN {code}")
        restart(door)
        ann = door.connect()
        assert ann.type(f"REJOIN {owner}")[0] == f"OK REJOIN {code}"
        assert "OK START" in ann.type("START")


def test_one_who_looks_on_with_the_owners_token_may_start_as_well(rikiki_door):
    with rikiki_door() as door:
        code, *_ = door.table("Ann", "Ben", options="cards=1")
        owner = door.peers[0].link.owner_tokens[code]
        cat = door.connect()
        assert cat.type(f"WATCH {code}")[0] == f"OK WATCH {code}"
        assert cat.type("START")[0].startswith("ERR bad-token")
        assert cat.type(f"START {owner}")[:2] == ["OK START", "STARTED Ann Ben"]


def test_a_table_without_an_owner_is_its_first_players(rikiki_door):
    with rikiki_door() as door:
        code = door.host.open("rikiki", "", {"players": 3}, {"start": "asked"}).code
        ann, ben = door.connect("Ann"), door.connect("Ben")
        for person in (ann, ben):
            person.type(f"JOIN {code}")
        assert ben.type("START")[0].startswith("ERR bad-token")
        ann.news()
        assert ann.type("START")[0] == "OK START"


def test_any_player_may_let_a_bot_sit_down_though_another_owns_the_table(rikiki_door):
    with rikiki_door() as door:
        ann, ben = door.connect("Ann"), door.connect("Ben")
        code = ann.type("NEW players=3")[0].split()[2]
        ben.type(f"JOIN {code}")
        assert "OK ADDBOT" in ben.type("ADDBOT")
