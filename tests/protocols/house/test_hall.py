"""One hall for the people of several daemons: who is told of whom, and who hears what."""

from __future__ import annotations

import pytest
from twisted.internet.task import Clock

from gamecore.errors import Refused
from protocols.host.people import People
from protocols.host.place import Place
from protocols.host.slices import Slices
from protocols.house.hall import Hall


class Visitor:
    """Somebody in the hall of one daemon who remembers what was said."""

    screens = 1

    def __init__(self, daemon, name=None, where=None):
        self.place = None if where is None else Place(where, None)
        self.remarks = []
        daemon.people.enter(self, () if name is None else (name,))
        daemon.at_tables.append(self)

    def heard(self, remark):
        self.remarks.append((remark.name, remark.words, remark.private))


class Daemon:
    """One daemon's people, and its links as far as they need them: what it says is heard at once."""

    def __init__(self, run, time, slices=None):
        self.run, self.at_tables, self.linked, self.letters = run, [], {}, {}
        self.on_linked, self.on_lost = [], []
        self.people = People(time.seconds, lambda code: list(self.at_tables), Slices(time))
        self.hall = Hall(self.people, self, slices or Slices(time))
        self.people.number_guests_behind(1000 * run)

    @property
    def runs(self):
        return self.linked.keys()

    def hear(self, letter, hear):
        self.letters[letter] = hear

    def say(self, run, letter, *rest):
        line = " ".join(map(str, rest)).encode()
        assert b"\n" not in line and b"\r" not in line
        self.linked[run].letters[letter](self.run, line)

    def say_all(self, letter, *rest):
        for run in self.linked:
            self.say(run, letter, *rest)

    def link(self, other):
        self.linked[other.run], other.linked[self.run] = other, self
        for one, run in ((self, other.run), (other, self.run)):
            for call in one.on_linked:
                call(run)

    def cut(self, other):
        del self.linked[other.run], other.linked[self.run]
        for one, run in ((self, other.run), (other, self.run)):
            for call in one.on_lost:
                call(run)

    def who(self):
        return {name: (where.code, where.seat) for name, where in self.people.who()}


@pytest.fixture
def time():
    return Clock()


@pytest.fixture
def daemons(time):
    return tuple(Daemon(run, time) for run in (7, 8, 9))


def test_whoever_is_at_a_daemon_is_told_of_at_those_that_are_linked(daemons):
    one, other, third = daemons
    ann, ben = Visitor(one, "Ann"), Visitor(other, "Ben", "K7QX2")
    one.link(other)
    assert one.who() == other.who() == {"Ann": (None, None), "Ben": ("K7QX2", None)}
    assert third.who() == {}
    Visitor(one, "Cat")
    one.people.rename(ann, "Anna")
    one.people.leave(ben)  # who is not there
    other.people.leave(ben)
    for each in daemons:
        each.hall.beat()
    assert one.who() == other.who() == {"Anna": (None, None), "Cat": (None, None)}
    assert (len(one.people), one.people.here, other.people.here) == (2, 2, 0)


def test_only_what_has_changed_is_said_again(daemons):
    one, other, _ = daemons
    ann = Visitor(one, "Ann")
    one.link(other)
    told = []
    other.letters["p"] = lambda run, rest: told.append((run, rest))
    one.hall.beat()
    assert told == []
    ann.place = Place("K7QX2", None)
    one.hall.beat()
    assert told == [(7, b'1 {"name":"Ann","code":"K7QX2","seat":null}')]


def test_what_was_said_is_heard_in_every_hall_and_at_its_table_alone(daemons):
    one, other, third = daemons
    ann, ben, cat = Visitor(one, "Ann"), Visitor(other, "Ben"), Visitor(third, "Cat", "K7QX2")
    for pair in ((one, other), (one, third), (other, third)):
        pair[0].link(pair[1])
    one.people.say(ann, "hello")
    assert (ann.remarks, ben.remarks, cat.remarks) == ([("Ann", "hello", False)],) * 2 + ([],)
    ann.place = Place("K7QX2", None)
    one.people.say(ann, "your move")
    assert (len(ben.remarks), cat.remarks) == (1, [("Ann", "your move", False)])
    assert third.who()["Ann"] == ("K7QX2", None), "one who speaks is told of first"


def test_what_is_said_to_one_is_heard_by_that_one_alone(daemons):
    one, other, third = daemons
    ann, ben, cat = Visitor(one, "Ann"), Visitor(other, "Ben"), Visitor(third, "Cat")
    one.link(other)
    one.link(third)
    assert one.people.tell(ann, "ben", "psst \u2029 \u2028") == "Ben"
    assert (ben.remarks, cat.remarks) == ([("Ann", "psst", True)], [])
    assert other.people.tell(ben, "ANN", "yes?") == "Ann"
    assert ann.remarks == [("Ben", "yes?", True)]
    with pytest.raises(Refused, match="nobody-called"):
        other.people.tell(ben, "Cat", "to one at a daemon that we are not linked to")


def test_who_has_gone_meanwhile_hears_nothing(daemons):
    one, other, _ = daemons
    ann, ben = Visitor(one, "Ann"), Visitor(other, "Ben")
    one.link(other)
    other.people.leave(ben)
    assert one.people.tell(ann, "Ben", "too late") == "Ben"
    assert ben.remarks == []


def test_people_of_a_daemon_whose_link_is_lost_are_gone_until_it_is_back(daemons):
    one, other, _ = daemons
    ann = Visitor(one, "Ann")
    Visitor(other, "Ben")
    one.link(other)
    one.cut(other)
    assert (set(one.who()), set(other.who())) == ({"Ann"}, {"Ben"})
    one.people.say(ann, "to nobody else")
    one.link(other)
    assert one.who() == other.who()
    assert [each.words for each in other.people.lately] == []


def test_two_of_one_name_are_told_apart_and_each_hears_what_is_for_them(daemons):
    one, other, third = daemons
    anns = [Visitor(each, "Ann") for each in daemons]
    one.link(third)
    other.link(third)
    assert list(third.who()) == ["Ann", "Ann@7", "Ann@8"]
    third.people.tell(anns[2], "Ann@8", "which one are you?")
    assert [each.remarks for each in anns] == [[], [("Ann@9", "which one are you?", True)], []]
    one.people.say(anns[0], "hello")
    assert anns[2].remarks == [("Ann@7", "hello", False)]


def test_guests_of_two_daemons_have_other_names(daemons):
    one, other, _ = daemons
    Visitor(one), Visitor(other)
    one.link(other)
    assert one.who() == other.who() == {"guest-7001": (None, None), "guest-8001": (None, None)}


class OnePieceATurn:
    """Does one piece of all work each time it is asked to."""

    def __init__(self):
        self.works = []

    def run(self, work):
        self.works.append(work)

    def turn(self):
        self.works = [work for work in self.works if next(work, self) is not self]


def test_a_crowd_is_told_of_some_people_a_turn(time):
    turns = OnePieceATurn()
    one, other = Daemon(7, time, turns), Daemon(8, time)
    for _ in range(1000):
        Visitor(one)
    one.link(other)
    turns.turn()
    assert 0 < len(other.who()) < 500
    first, last = one.at_tables[0], one.at_tables[-1]
    one.people.leave(last)
    one.people.leave(first)
    while turns.works:
        turns.turn()
    assert len(other.who()) == 999, "one was told of, and the other will never be"
    one.hall.beat()
    while turns.works:
        turns.turn()
    assert len(other.who()) == 998


def test_people_at_the_doors_of_two_daemons_meet(linked):
    two = linked(2)
    ann, ben = two.say(0, "lobby", b"WIDTH 0\n", b"NAME Ann\n"), two.say(1, "json")
    ben.say(b'{"do": "name", "id": 1, "name": "Ben"}\n')
    two.pass_time(2)
    for peer, asked in ((ann, b"WHO\n"), (ben, b'{"do": "who", "id": 2}\n')):
        peer.say(asked)
    ann.say(b"SAY hello\n")
    ben.say(b'{"do": "tell", "id": 3, "name": "ann", "words": "psst"}\n')
    ann.say(b"NAME Ben\n")
    two.pass_time(1)
    heard = ann.value().decode().split("\r\n")
    assert [each for each in heard if each != "[hall]"][-6:] == [
        *("Ann (you), in the hall.", "Ben, in the hall.", "Ann: hello"),
        "Somebody here has that name, or one that looks like it. Choose another.",
        *("Ben tells you: psst", ""),
    ]
    assert b'{"name":"Ann","table":null,"seat":null}' in ben.value()
    assert b'{"said":"hello","by":"Ann","table":null,"private":false}' in ben.value()
