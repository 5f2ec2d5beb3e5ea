"""The people in the hall: their names, and who hears what is said."""

from __future__ import annotations

import pytest
from attrs import evolve
from twisted.internet.task import Clock

from gamecore.errors import Refused
from protocols.host.elsewhere import Whereabouts
from protocols.host.people import HEARD_A_SECOND, HEARD_AT_ONCE, LONGEST_REMARK, People, Remark
from protocols.host.place import Place
from protocols.host.slices import Slices


class Visitor:
    """Somebody in the hall who remembers what was said."""

    screens = 1

    def __init__(self, people, where=None):
        self.place = None if where is None else Place(where, None)
        self.heard_of = []
        self.name = people.enter(self)
        people.at_tables.append(self)

    def heard(self, remark):
        self.heard_of.append(remark)


@pytest.fixture
def time():
    return Clock()


@pytest.fixture
def people(time):
    at_tables = []
    people = People(time.seconds, lambda code: list(at_tables), Slices(time))
    people.at_tables = at_tables
    return people


def test_whoever_comes_has_a_name_that_nobody_has(people):
    ann, ben = Visitor(people), Visitor(people)
    assert (ann.name, ben.name) == ("guest-1", "guest-2")
    people.rename(ann, "guest-3")
    assert Visitor(people).name == "guest-4"


def test_nobody_can_take_a_name_that_looks_like_another_s(people):
    ann, ben = Visitor(people), Visitor(people)
    assert people.rename(ann, " Bill ") == "Bill"
    for wanted in ("bill", "BiII", "Bi11"):
        with pytest.raises(Refused, match="name-taken"):
            people.rename(ben, wanted)
    assert people.name_of(ben) == "guest-2"
    assert people.rename(ann, "BILL") == "BILL"
    people.leave(ann)
    assert people.rename(ben, "bill") == "bill"


def test_a_name_that_is_none_changes_nothing(people):
    ann = Visitor(people)
    for wanted, key in (("", "no-name"), ("a" * 30, "name-too-long")):
        with pytest.raises(Refused, match=key):
            people.rename(ann, wanted)
    assert people.name_of(ann) == "guest-1"


def test_who_lists_everybody_and_where_they_are(people):
    ann, ben = Visitor(people, "ABCDE"), Visitor(people)
    assert list(people.who()) == [("guest-1", Whereabouts("ABCDE")), ("guest-2", Whereabouts())]
    people.leave(ann)
    people.leave(ann)
    assert [name for name, _ in people.who()] == [ben.name]
    assert len(people) == 1


def test_what_is_said_at_a_table_is_heard_there_alone(people):
    ann, ben, cat = Visitor(people, "ABCDE"), Visitor(people, "ABCDE"), Visitor(people)
    people.say(ann, " hello \x1b[2J there\u202e ")
    remark = Remark("guest-1", "hello [2J there", "ABCDE")
    assert (ann.heard_of, ben.heard_of, cat.heard_of) == ([remark], [remark], [])
    people.say(cat, "anybody here?")
    assert cat.heard_of == [Remark("guest-3", "anybody here?", None)]
    assert len(ann.heard_of) == 1


def test_what_is_told_to_one_is_heard_by_that_one_alone(people):
    ann, ben, cat = Visitor(people), Visitor(people), Visitor(people)
    people.rename(ben, "Ben")
    assert people.tell(ann, "BEN", "psst") == "Ben"
    assert ben.heard_of == [Remark("guest-1", "psst", None, private=True)]
    assert (ann.heard_of, cat.heard_of) == ([], [])
    with pytest.raises(Refused, match="nobody-called"):
        people.tell(ann, "Zoe", "psst")


def test_talk_has_a_budget_and_a_length(people, time):
    ann = Visitor(people)
    people.say(ann, "a" * 10_000)
    assert len(ann.heard_of[0].words) == LONGEST_REMARK
    for _ in range(7):
        people.say(ann, "and")
    with pytest.raises(Refused, match="too-fast"):
        people.say(ann, "so on")
    time.advance(1)
    people.say(ann, "so on")
    with pytest.raises(Refused, match="nothing-said"):
        people.say(ann, "\x1b \u202e")
    assert len(ann.heard_of) == 9


@pytest.mark.parametrize("where", [None, "K7QX2"])
def test_talk_costs_as_much_as_there_are_listeners(people, time, where):
    crowd = [Visitor(people, where) for _ in range(500)]
    other = Visitor(people, "ELSE" if where is None else None)
    spoken = 0
    with pytest.raises(Refused, match="too-fast"):
        for each in crowd:
            people.say(each, "hello")
            spoken += 1
    assert spoken == HEARD_AT_ONCE // len(crowd)
    time.advance(0)
    assert [len(each.heard_of) for each in crowd] == [spoken] * 500
    people.say(other, "it is quiet here")
    time.advance(0.5)
    people.say(crowd[-1], "hello")  # who was refused has lost nothing by it
    with pytest.raises(Refused, match="too-fast"):
        people.say(crowd[-2], "hello")


def test_one_who_hears_for_many_pages_costs_as_much_as_these(people, time):
    ann, crowd = Visitor(people), Visitor(people)
    crowd.screens = 499
    for _ in range(int(HEARD_AT_ONCE) // 500):
        people.say(ann, "hello")
    with pytest.raises(Refused, match="too-fast"):
        people.say(ann, "hello")
    crowd.screens = 0
    people.leave(ann)
    ben = Visitor(people)
    time.advance(1.5 / HEARD_A_SECOND)
    with pytest.raises(Refused, match="too-fast"):
        people.say(ben, "one whose pages are gone still hears")
    time.advance(1 / HEARD_A_SECOND)
    people.say(ben, "hello")


def test_what_more_people_hear_than_may_at_once_is_heard_all_the_same(people, time):
    crowd = [Visitor(people) for _ in range(3000)]
    people.say(crowd[0], "hello")
    gone = crowd.pop()
    people.leave(gone)
    time.advance(0)
    assert all(len(each.heard_of) == 1 for each in crowd)
    with pytest.raises(Refused, match="too-fast"):
        people.say(crowd[1], "hello")
    time.advance(2)
    people.say(crowd[1], "hello")


def test_what_cannot_be_said_now_is_refused_without_a_look_at_everybody_in_the_hall(people, time):
    looked = []

    class Stander(Visitor):
        place = property(lambda self: looked.append(self), lambda self, value: None)

    crowd = [Stander(people) for _ in range(3000)]
    people.say(crowd[0], "hello")
    assert len(looked) >= 3000
    time.advance(0)
    looked.clear()
    for each in crowd[:50]:
        with pytest.raises(Refused, match="too-fast"):
            people.say(each, "hello")
    assert len(looked) == 50


def test_a_remark_is_drawn_once_for_all_who_hear_it_alike():
    remark, drawn = Remark("ann", "hello", None), []
    for how in ("en", "fr", "en"):
        assert remark.drawn(how, lambda how=how: drawn.append(how) or f"{how}: hello")
    assert drawn == ["en", "fr"]


def test_two_faces_of_one_person_are_one_of_the_people(people):
    seat, page, ned = Visitor(people, "ABCDE"), Visitor(people), Visitor(people)
    people.rename(page, "Ann")
    assert people.join(page, seat, ["Ned", "Ann"]) == "Ned"
    assert (len(people), list(people.who())) == (
        2,
        [("Ned", Whereabouts(seat.place.code)), ("guest-3", Whereabouts())],
    )
    assert people.rename(seat, "Ann") == people.name_of(page) == "Ann"
    people.say(ned, "to the hall")
    assert (len(seat.heard_of), len(page.heard_of)) == (0, 1)
    assert people.tell(ned, "ann", "to you alone") == "Ann"
    assert [each.heard_of[-1].words for each in (seat, page)] == ["to you alone"] * 2
    people.leave(seat)
    assert people.rename(page, "Anna") == "Anna"
    assert (len(people), people.tell(ned, "Anna", "still there?")) == (2, "Anna")
    people.leave(page)
    assert (len(people), list(people.who())) == (1, [("guest-3", Whereabouts())])
    with pytest.raises(Refused, match="nobody-called"):
        people.tell(ned, "Anna", "gone")


def test_faces_of_one_person_say_no_more_than_one(people):
    seat, page = Visitor(people, "ABCDE"), Visitor(people)
    people.join(page, seat)
    for _ in range(4):
        people.say(seat, "x")
        people.say(page, "x")
    for face in (seat, page):
        with pytest.raises(Refused, match="too-fast"):
            people.say(face, "x")


# -- in a house of several daemons


class Wire:
    """Tells another daemon's people what is said, as a link of the house does."""

    def __init__(self, here, there, run):
        self.there, self.run, self.keys = there, run, {}
        here.relay = self

    def show(self, person, key, name, code=None, seat=None):
        """Let the other daemon know of somebody."""
        self.keys[person] = key
        self.there.elsewhere.put(self.run, key, name, Whereabouts(code, seat))

    def _as_known(self, person, remark):
        return evolve(remark, name=self.there.elsewhere.get(self.run, self.keys[person]).called)

    def say(self, person, remark):
        self.there.hear(self._as_known(person, remark))

    def tell(self, person, remark, run, key):
        self.there.hear_alone(list(self.there.persons())[key][0], self._as_known(person, remark))


@pytest.fixture
def other(time):
    at_tables = []
    other = People(time.seconds, lambda code: list(at_tables), Slices(time))
    other.at_tables = at_tables
    return other


def test_people_of_two_daemons_are_of_one_hall(people, other):
    ann, ben = Visitor(people), Visitor(other)
    people.rename(ann, "Ann")
    wire = Wire(people, other, 7)
    wire.show(ann, 0, "Ann")
    people.elsewhere.put(8, 0, "Ben", Whereabouts("ABCDE", 1))
    assert list(people.who()) == [("Ann", Whereabouts()), ("Ben", Whereabouts("ABCDE", 1))]
    assert (len(people), people.here) == (2, 1)
    people.say(ann, "hello")
    assert people.tell(ann, "ben", "to you") == "Ben"
    assert [(each.name, each.words, each.private) for each in ben.heard_of] == [
        ("Ann", "hello", False),
        ("Ann", "to you", True),
    ]
    assert [each.words for each in other.lately] == ["hello"]


def test_what_is_said_at_a_table_is_heard_at_that_table_of_another_daemon_alone(people, other):
    ann, ben, cat = Visitor(people, "ABCDE"), Visitor(other, "ABCDE"), Visitor(other)
    Wire(people, other, 7).show(ann, 0, "Ann")
    people.say(ann, "hello")
    assert [each.where for each in ben.heard_of] == ["ABCDE"]
    assert (cat.heard_of, list(other.lately)) == ([], [])


def test_a_name_that_somebody_has_at_another_daemon_is_taken(people):
    ann = Visitor(people)
    people.elsewhere.put(7, 0, "Ann", Whereabouts())
    people.elsewhere.put(7, 1, "guest-2", Whereabouts())
    with pytest.raises(Refused, match="name-taken"):
        people.rename(ann, "ANN")
    assert Visitor(people).name == "guest-3"
    people.elsewhere.remove(7, 0)
    assert people.rename(ann, "Ann") == "Ann"


def test_who_has_the_name_of_another_before_two_daemons_met_is_called_by_the_run_as_well(people):
    ann = Visitor(people)
    people.rename(ann, "Ann")
    for run in (7, 8):
        people.elsewhere.put(run, 0, "ann", Whereabouts())
    assert [name for name, _ in people.who()] == ["Ann", "ann@7", "ann@8"]
    assert people.elsewhere.find("Ann@7").run == 7
    with pytest.raises(Refused, match="name-taken"):
        people.rename(ann, "ann@8")
    people.elsewhere.lose(8)
    assert people.rename(ann, "ann@8") == "ann@8"
    people.elsewhere.put(8, 0, "ann", Whereabouts())
    assert people.elsewhere.get(8, 0).called == "ann"


def test_nobody_hears_twice_or_after_leaving_what_was_said_at_another_daemon(people):
    ann, gone = Visitor(people), Visitor(people)
    people.leave(gone)
    remark = Remark("Ben", "psst", None, private=True)
    for each in (ann, gone):
        people.hear_alone(each, remark)
    assert (ann.heard_of, gone.heard_of) == ([remark], [])


def test_what_was_said_at_another_daemon_costs_nobody_here_anything(people, time):
    ann = Visitor(people)
    for number in range(50):
        people.hear(Remark("Ben", f"word {number}", None))
    people.say(ann, "hello")
    assert len(ann.heard_of) == 51
    assert len(people.lately) == 20
