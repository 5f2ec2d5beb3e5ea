"""What the Host does for faces of the whole hall: passwords, watchers, wishes, and whose turn it is."""

from __future__ import annotations

from random import Random

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from gamecore.bots import Bot, bots_of
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.nim import Take
from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from gamecore.table_view import Detail
from protocols.host import table_actions
from protocols.host.door import TableDefaults
from protocols.host.host import Host
from protocols.host.secrets import hash_token
from protocols.journal.memory import MemoryJournal


class Visitor:
    """A face of the whole hall that remembers all it hears, in order."""

    detail = Detail.OWN_BOARD

    def __init__(self):
        self.place = None
        self.all_heard = []

    def shown(self, view):
        self.all_heard.append(("shown", view))

    def told(self, news):
        self.all_heard += [("told", type(event).__name__) for event in news.events]

    def turned(self, turn):
        self.all_heard.append(("turned", turn))

    def answered(self, tag, refusal):
        self.all_heard.append(("answered", tag, None if refusal is None else refusal.key))

    def given(self, token):
        self.all_heard.append(("given", token))

    def paused(self, trouble):
        self.all_heard.append(("paused", trouble))

    def parted(self, reason):
        self.all_heard.append(("parted", reason))

    def heard_since(self):
        heard, self.all_heard = self.all_heard, []
        return heard


class Home:
    """A host in memory whose slow work is done when a test says so."""

    def __init__(self):
        self.clock = Clock()
        self.slow = []
        hall = Hall(Registry(installed_rules()))
        defaults = {"nim": TableDefaults({"stones": 12}, {"grace": 7.0})}
        self.host = Host(
            hall,
            MemoryJournal(self.clock),
            self.clock,
            lambda: 0.0,
            Random(5),
            defaults=defaults,
            in_thread=self.later,
        )

    def later(self, work, *what):
        done = Deferred()
        self.slow.append(lambda: done.callback(work(*what)))
        return done

    def work(self):
        slow, self.slow = self.slow, []
        for each in slow:
            each()
        self.settle()

    def settle(self, turns=20):
        for _ in range(turns):
            self.clock.advance(0)

    def open(self, options=None, **house):
        return self.host.hall.find(self.host.open("nim", "", options or {}, house).code)

    def seat(self, table, seat, name, **more):
        visitor = Visitor()
        self.host.sit(visitor, table.code, seat, name, "sit", **more)
        self.settle()
        return visitor


@pytest.fixture
def home():
    return Home()


def turns(heard):
    return [each[1] for each in heard if each[0] == "turned"]


# -- tables as this house has them ----------------------------------------------------


def test_what_is_not_said_is_as_the_house_has_it(home):
    table = home.open({"resets": 1}, grace=9)
    view = table.seen_by(None, 0.0)
    assert (view.options["stones"], view.options["resets"]) == (12, 1)
    assert table.house.grace == 9
    assert home.open().house.grace == 7


# -- passwords ------------------------------------------------------------------------


@pytest.fixture
def guarded(home):
    sealed = []
    home.host.seal("rosebud").addCallback(sealed.append)
    home.work()
    return home.open(password=sealed[0])


def test_a_table_with_a_password_seats_whoever_knows_it(home, guarded):
    visitor = home.seat(guarded, 0, "wren", password="rosebud", keep=True)
    assert visitor.all_heard == []
    home.work()
    assert [each[0] for each in visitor.all_heard] == ["answered", "given", "shown", "turned"]
    assert guarded.names == ("wren",)


@pytest.mark.parametrize(("word", "key"), [("rose", "wrong-password"), ("", "password-needed")])
def test_nobody_else_sits_there_or_looks_on(home, guarded, word, key):
    visitor = home.seat(guarded, 0, "wren", password=word)
    home.work()
    assert visitor.heard_since() == [("answered", "sit", key)]
    home.host.watch(visitor, guarded.code, "watch", word)
    home.work()
    assert visitor.heard_since() == [("answered", "watch", key)]
    assert (guarded.players, visitor.place) == (0, None)


def test_whoever_leaves_while_a_password_is_checked_is_not_seated(home, guarded):
    visitor = home.seat(guarded, 0, "wren", password="rosebud")
    home.host.drop(visitor)
    home.work()
    assert (visitor.all_heard, guarded.players) == ([], 0)


def test_a_password_does_not_open_a_table_that_closed_meanwhile(home, guarded):
    visitor = home.seat(guarded, 0, "wren", password="rosebud")
    home.clock.advance(3601)
    home.settle()
    assert guarded.stage is Stage.ABANDONED
    home.work()
    assert [each[-1] for each in visitor.all_heard] == ["table-closed"]


# -- looking on -----------------------------------------------------------------------


def test_a_table_may_want_no_watchers(home):
    table, visitor = home.open(watchers=False), Visitor()
    home.host.watch(visitor, table.code, "watch")
    home.settle()
    assert visitor.all_heard == [("answered", "watch", "no-watchers")]


def test_one_who_looks_on_is_answered_shown_and_told_whose_turn_it_is(home):
    table, visitor = home.open(), Visitor()
    home.host.watch(visitor, table.code, "watch")
    home.settle()
    assert [each[0] for each in visitor.heard_since()] == ["answered", "shown", "turned"]
    home.seat(table, 0, "wren")
    home.seat(table, 1, "robin")
    heard = visitor.heard_since()
    assert [each[0] for each in heard[-2:]] == ["told", "turned"]
    assert turns(heard)[-1].to_move == {0}
    assert turns(heard)[-1].moves == ()
    home.host.submit(visitor, Take(1), "move")
    home.host.request(visitor, table_actions.start, "start")
    home.settle()
    assert visitor.heard_since() == [("answered", each, "not-seated") for each in ("move", "start")]


def test_whoever_looks_again_is_shown_the_table_and_answered(home):
    visitor = home.seat(home.open(), 0, "wren")
    visitor.heard_since()
    home.host.look(visitor, "look")
    home.settle()
    heard = visitor.heard_since()
    assert [each[0] for each in heard] == ["shown", "answered"]
    assert heard[0][1].names == ("wren",)
    stranger = Visitor()
    home.host.look(stranger, "look")
    home.settle()
    assert stranger.all_heard == [("answered", "look", "not-at-a-table")]


def test_nobody_who_leaves_a_house_that_closes_is_told_that_it_is_done(home):
    visitor = home.seat(home.open(), 0, "wren")
    visitor.heard_since()
    home.host.close()
    home.host.leave(visitor)
    home.host.answer(visitor, "leave")
    home.settle()
    assert visitor.heard_since() == [("answered", "leave", "closing")]


def test_nobody_is_shown_a_table_behind_the_parting_from_it(home):
    visitor = home.seat(home.open(), 0, "wren")
    visitor.heard_since()
    home.host.close()
    home.host.look(visitor, "look")
    home.settle()
    assert visitor.heard_since() == [("parted", "closing"), ("answered", "look", "closing")]


# -- whose turn it is -----------------------------------------------------------------


def test_only_the_one_whose_turn_it_is_is_offered_moves(home):
    table = home.open()
    wren, robin = home.seat(table, 0, "wren"), home.seat(table, 1, "robin")
    mine, other = turns(wren.heard_since())[-1], turns(robin.heard_since())[-1]
    assert mine.moves == tuple(table.legal_moves(0))
    assert (other.moves, other.board) == ((), None)
    assert mine.board.board.left == 12
    assert other.to_move == mine.to_move == {0}
    home.host.submit(wren, Take(2), "take")
    home.settle()
    heard = wren.heard_since()
    assert [each[0] for each in heard] == ["told", "turned", "answered"]
    assert turns(heard)[-1].moves == ()
    assert turns(robin.heard_since())[-1].moves == tuple(table.legal_moves(1))


def test_a_turn_is_that_of_its_command_and_not_of_a_later_one(home):
    table = home.open()
    wren, robin = home.seat(table, 0, "wren"), home.seat(table, 1, "robin")
    wren.heard_since()
    home.host.submit(wren, Take(1))
    home.host.submit(robin, Take(1))
    home.settle()
    assert [turn.to_move for turn in turns(wren.heard_since())] == [{1}, {0}]


# -- wishes ---------------------------------------------------------------------------


def test_one_who_sits_may_call_for_a_bot_and_start(home):
    table = home.open(start="asked")
    wren = home.seat(table, 0, "wren")
    home.host.request(wren, table_actions.start, "too soon")
    home.host.request(wren, table_actions.add_bot("divine"), "no such bot")
    home.host.request(wren, table_actions.add_bot("random"), "bot")
    home.host.request(wren, table_actions.add_bot("random"), "one more")
    home.host.request(wren, table_actions.mix("salt"), "mix")
    home.host.request(wren, table_actions.start, "start")
    home.settle()
    answers = {each[1]: each[2] for each in wren.heard_since() if each[0] == "answered"}
    assert answers == {
        "sit": None,
        "too soon": "too-few-players",
        "no such bot": "no-such-level",
        "bot": None,
        "one more": "table-full",
        "mix": None,
        "start": None,
    }
    assert table.names == ("wren", "random bot")
    assert table.stage is Stage.PLAYING


def test_bots_have_names_of_their_own(home):
    table = home.open(start="asked")
    wren = home.seat(table, 0, "random bot")
    home.host.request(wren, table_actions.add_bot("random"))
    home.settle()
    assert table.names == ("random bot", "random bot 2")


def test_a_game_that_is_over_may_be_played_once_more(home):
    table = home.open({"stones": 1})
    wren, robin = home.seat(table, 0, "wren"), home.seat(table, 1, "robin")
    home.host.request(robin, table_actions.rematch, "too soon")
    home.host.submit(wren, Take(1))
    home.host.request(robin, table_actions.rematch, "again")
    home.settle()
    answers = {each[1]: each[2] for each in robin.heard_since() if each[0] == "answered"}
    assert (answers["too soon"], answers["again"]) == ("game-not-over", None)
    assert table.stage is Stage.GATHERING
    assert table.names == ("robin", "wren")


def test_a_bot_plays_on_for_one_who_is_away_and_for_no_other(home):
    table = home.open()
    wren = home.seat(table, 0, "wren", keep=True)
    robin = home.seat(table, 1, "robin", keep=True)
    home.host.request(robin, table_actions.replace(0, "random"), "here")
    home.host.drop(wren)
    home.host.request(robin, table_actions.replace(0, "random"), "away")
    home.settle()
    answers = {each[1]: each[2] for each in robin.heard_since() if each[0] == "answered"}
    assert (answers["here"], answers["away"]) == ("not-away", None)
    assert table.names == ("random bot", "robin")


def test_one_who_plays_with_bots_alone_may_give_up_the_table(home):
    table = home.open()
    wren = home.seat(table, 0, "wren")
    home.host.request(wren, table_actions.add_bot("random"))
    home.host.request(wren, table_actions.abandon, "give up")
    home.settle()
    assert table.stage is Stage.ABANDONED
    shared = home.open()
    wren, robin = home.seat(shared, 0, "wren"), home.seat(shared, 1, "robin")
    home.host.request(wren, table_actions.abandon, "give up")
    home.settle()
    assert ("answered", "give up", "others-play") in wren.heard_since()
    assert robin.place is not None


# -- a bot that hesitates -------------------------------------------------------------


class Slow(Bot):
    """Takes one stone, after two seconds."""

    def choose(self, view, moves, chance):
        return moves[0]

    def hesitate(self, view, moves, chance):
        return 2.0


@pytest.fixture
def slow_level(monkeypatch):
    monkeypatch.setattr("protocols.host.bots.find_bot", lambda kind, level: Slow())
    return "random"


def test_a_bot_may_hesitate(home, slow_level):
    table = home.open()
    wren = home.seat(table, 0, "wren")
    home.host.request(wren, table_actions.add_bot(slow_level))
    home.settle()
    home.host.submit(wren, Take(1))
    home.settle()
    home.clock.advance(1.9)
    home.settle()
    assert table.awaited() == {1}
    home.clock.advance(0.2)
    home.settle()
    assert table.awaited() == {0}


def test_no_timer_of_a_bot_outlives_its_table(home, slow_level):
    table = home.open()
    wren = home.seat(table, 0, "wren")
    home.host.request(wren, table_actions.add_bot(slow_level))
    home.host.submit(wren, Take(1))
    home.settle()
    home.host.request(wren, table_actions.abandon)
    home.settle()
    home.host.drop(wren)
    home.settle()
    assert home.clock.getDelayedCalls() == []
    assert len(home.host.hall) == 0


def test_every_game_has_a_bot_that_plays_it():
    for rules in installed_rules():
        assert "random" in bots_of(rules.kind)
    with pytest.raises(Refused, match="no-such-level"):
        table_actions.add_bot("divine")(Home().open(), table_actions.Requester(0), Random(1))


# -- an organizer, and those who are invited ------------------------------------------


@pytest.fixture
def organized(home):
    """A table with an organizer, and the organizer's face."""
    table = home.host.hall.find(
        home.host.open("nim", "", {}, {"start": "asked"}, owner="the secret").code
    )
    organizer = Visitor()
    home.host.come_back(organizer, f"{table.code}.the secret", "in")
    home.settle()
    return table, organizer


def answers(visitor):
    return {each[1]: each[2] for each in visitor.heard_since() if each[0] == "answered"}


def test_an_organizer_comes_by_a_token_and_sees_what_all_see(home, organized):
    table, organizer = organized
    assert [each[0] for each in organizer.heard_since()] == ["answered", "shown", "turned"]
    assert organizer.place.organizer
    stranger = Visitor()
    home.host.come_back(stranger, f"{table.code}.another secret", "in")
    home.settle()
    assert answers(stranger) == {"in": "unknown-token"}


def test_those_who_are_invited_come_and_nobody_else(home, organized):
    table, organizer = organized
    for seat, name in enumerate(("ann", "ben")):
        hashed = hash_token(f"{table.code}.{name}")
        home.host.request(organizer, table_actions.invite(seat, name, hashed), name)
    home.settle()
    assert answers(organizer) == {"in": None, "ann": None, "ben": None}
    ben, zoe = Visitor(), Visitor()
    home.host.accept(zoe, f"{table.code}.zoe", "Zoe", "in")
    home.host.accept(ben, f"{table.code}.ben", "Benny", "in")
    home.settle()
    assert answers(zoe) == {"in": "unknown-token"}
    assert [each[0] for each in ben.all_heard] == ["answered", "given", "shown", "turned"]
    assert table.names == ("", "Benny")
    home.host.accept(zoe, f"{table.code}.ben", "Zoe", "again")
    home.settle()
    assert answers(zoe) == {"again": "unknown-token"}


def test_only_the_organizer_rules_a_table_that_has_one(home, organized):
    table, organizer = organized
    wren, robin = home.seat(table, 0, "wren"), home.seat(table, 1, "robin")
    wren.heard_since()
    for action in (
        table_actions.start,
        table_actions.add_bot("random"),
        table_actions.next_round,
    ):
        home.host.request(wren, action, "wish")
        home.settle()
        assert answers(wren) == {"wish": "not-organizer"}
    home.host.request(wren, table_actions.rematch, "wish")
    home.settle()
    assert answers(wren) == {"wish": "game-not-over"}, "whoever sits there may ask to play again"
    home.host.request(wren, table_actions.invite(0, "finch", "hash"), "wish")
    home.host.request(wren, table_actions.abandon, "give up")
    home.host.request(organizer, table_actions.next_round, "next")
    home.host.request(organizer, table_actions.mix("salt"), "mix")
    home.host.request(organizer, table_actions.start, "start")
    home.settle()
    assert answers(wren) == {"wish": "not-organizer", "give up": "others-play"}
    assert answers(organizer) == {"in": None, "next": "not-now", "mix": "not-seated", "start": None}
    assert table.stage is Stage.PLAYING
    home.host.request(organizer, table_actions.abandon, "give up")
    home.settle()
    assert table.stage is Stage.ABANDONED
    assert ("told", "Abandoned") in robin.heard_since()


def test_players_may_sit_in_an_order_by_chance_in_another_game(home):
    table = home.open({"stones": 1}, rematch="shuffle")
    wren = home.seat(table, 0, "wren")
    home.seat(table, 1, "robin")
    home.host.submit(wren, Take(1))
    home.host.request(wren, table_actions.rematch, "again")
    home.settle()
    assert table.names == ("robin", "wren")


def test_an_organizer_s_secret_is_nowhere_to_be_seen(organized):
    table, organizer = organized
    assert "the secret" not in repr(table.opened)
    assert "the secret" not in repr(organizer.all_heard)
