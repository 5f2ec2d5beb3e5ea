"""Tables with a password, and what is typed behind a command before it is known where that one leads."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred, execute

from gamecore.games.rikiki import RULES
from protocols.rikiki.server import DOOR
from protocols.testing import House
from tests.protocols.rikiki.conftest import Person


class Threads:
    """Does in its own time what would take long."""

    def __init__(self):
        self.waiting = []

    def __call__(self, work, *what):
        done = Deferred()
        self.waiting.append((done, work, what))
        return done

    def work(self):
        waiting, self.waiting = self.waiting, []
        for done, work, what in waiting:
            execute(work, *what).chainDeferred(done)


@pytest.fixture
def door():
    threads = Threads()
    with House(rules=[RULES], doors=[DOOR], in_thread=threads) as house:
        house.threads = threads
        yield house
        threads.work()


def connect(door, name):
    person = Person(door.clock, door.door("rikiki"), None)
    door.peers.append(person)
    person.type(f"NAME {name}")
    return person


def opened(door, *options):
    """Let somebody open a table with a password; gives who did it, and its code."""
    ann = connect(door, "Ann")
    assert ann.type(" ".join(["NEW", "players=2", "cards=1", "password=Xyzzy", *options])) == []
    door.threads.work()
    door.settle()
    answer = ann.news()[0].split()
    assert answer[:2] == ["OK", "NEW"]
    return ann, answer[2]


def test_a_table_is_opened_with_a_password_and_only_who_says_it_comes_in(door):
    _, code = opened(door)
    ben = connect(door, "Ben")
    for said, answer in (
        ("", "ERR password-needed"),
        (" xyzzy", "ERR wrong-password"),  # capitals count
        (" Xyzzy", f"OK JOIN {code} 1"),
    ):
        heard = ben.type(f"JOIN {code}{said}")
        door.threads.work()
        door.settle()
        assert [*heard, *ben.news()][0].startswith(answer)


def test_no_password_is_kept_or_told(door):
    ann, code = opened(door)
    assert "Xyzzy" not in repr(door.hall.find(code).house)
    assert "Xyzzy" not in "".join(ann.type("STATE", "TABLES", "WHO"))


def test_a_password_that_is_too_long_opens_nothing(door):
    ann = connect(door, "Ann")
    heard = ann.type(f"NEW password={'x' * 400}")
    assert heard[0].startswith("ERR password-too-long")
    assert len(door.hall) == 0
    assert ann.type("WHO")[0].startswith("ERR not-seated")


def test_an_option_out_of_bounds_is_refused_behind_the_password_too(door):
    ann = connect(door, "Ann")
    ann.type("NEW players=99 password=x")
    door.threads.work()
    door.settle()
    assert ann.news()[0].startswith("ERR usage")
    assert len(door.hall) == 0


def test_who_goes_while_a_password_is_sealed_opens_nothing(door):
    ann = connect(door, "Ann")
    ann.type("NEW password=x")
    ann.hang_up()
    door.threads.work()
    door.settle()
    assert len(door.hall) == 0


@pytest.mark.parametrize("arrival", ["JOIN", "WATCH"])
def test_what_is_typed_behind_an_arrival_waits_for_it(door, arrival):
    ann, code = opened(door)
    ben = connect(door, "Ben")
    ben.say(f"{arrival} {code} Xyzzy\nWHO\nDANCE\nSAY hello\n{'x' * 600}\nSTATE\n".encode())
    assert ben.news() == []
    door.threads.work()
    door.settle()
    heard = [line for line in ben.news() if line.startswith(("OK", "ERR"))]
    assert heard[0].startswith(f"OK {arrival} {code}")
    assert [line.split()[:2] for line in heard[1:]] == [
        ["OK", "WHO"],
        ["ERR", "unknown-command"],
        ["OK", "SAY"],
        ["ERR", "too-long"],
        ["OK", "STATE"],
    ]
    assert any(line.endswith("hello") for line in ann.news())


def test_a_whole_visit_may_be_sent_at_once(door):
    _, code = opened(door)
    ben = connect(door, "Ben")
    ben.say(f"JOIN {code} Xyzzy\nADDBOT random\nLEAVE\nQUIT\nSTATE\n".encode())
    door.threads.work()
    door.settle()
    heard = [line.split()[:2] for line in ben.news() if line.startswith(("OK", "ERR"))]
    assert heard == [["OK", "JOIN"], ["OK", "ADDBOT"], ["OK", "LEAVE"], ["OK", "QUIT"]]
    assert ben.closed


def test_behind_a_refused_arrival_the_rest_is_obeyed_all_the_same(door):
    _, code = opened(door)
    ben = connect(door, "Ben")
    ben.say(f"JOIN {code} wrong\nTABLES\n".encode())
    door.threads.work()
    door.settle()
    heard = ben.news()
    assert heard[0].startswith("ERR wrong-password") and heard[-1] == "OK TABLES"


def test_who_piles_up_lines_behind_an_arrival_is_let_go(door):
    _, code = opened(door)
    ben = connect(door, "Ben")
    ben.say(f"JOIN {code} Xyzzy\n".encode())
    for _ in range(100):
        ben.say(b"WHO\n")
        door.clock.advance(0.1)
    assert ben.news()[-1].startswith("BYE too-fast")
