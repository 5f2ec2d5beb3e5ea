"""How a duel begins, what a turn is, what may be done in it, and how long anybody may take."""

from __future__ import annotations

from functools import partial

import pytest
from automat import NoTransition

from gamecore.errors import Refused
from gamecore.events import AllBut, Only, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.castle import RULES, SAMPLE_DECKS, CastleOptions, moves
from gamecore.games.castle.card_events import Drew, DuelLost, Overflowed, StunEnded
from gamecore.games.castle.events import (
    CastlesShown,
    DuelBegan,
    HandDealt,
    HandKept,
    HandRedrawn,
    TimedOut,
    TurnBegan,
)
from gamecore.games.castle.round import Round, RoundMachine
from gamecore.rules import NextRound, Outcome, Seat

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)


@pytest.fixture
def fresh():
    """Give a duel in its mulligan and what was heard of it."""

    def begin(**options):
        heard = []
        seats = [Seat("north", SAMPLE_DECKS["classic"]), Seat("south", SAMPLE_DECKS["mages"])]
        settings = CastleOptions(**{"begins": "first-seat", **options})
        return RULES.begin(seats, settings, Deal("00" * 32), heard.append, 5.0), heard

    return begin


# -- setup and mulligan ---------------------------------------------------------------


def test_a_duel_begins_with_six_cards_each_and_hidden_castles(fresh):
    position, heard = fresh()
    assert heard[0] == RoundBegan(1)
    assert heard[1] == DuelBegan(CastleOptions(begins="first-seat"), 0, (44, 44), (6, 6))
    assert [type(event) for event in heard[2:]] == [HandDealt, HandDealt]
    assert [event.audience for event in heard[2:]] == [Only(0), Only(1)]
    view = position.seen_by(0)
    assert (view.stage, view.waiting) == ("mulligan", (0, 1))
    assert (view.sides[0].castle, view.sides[1].castle, view.sides[1].health) == (1, None, None)
    assert position.seen_by(None).sides[0].castle is None
    assert position.due() == {0: 65.0, 1: 65.0}


def test_nobody_begins_without_a_deck():
    seats = [Seat("north"), Seat("south", SAMPLE_DECKS["mages"])]
    with pytest.raises(Refused, match="must-bring"):
        RULES.begin(seats, CastleOptions(), Deal("00" * 32), print, 0.0)


def test_the_first_turn_is_rolled_for_by_the_deal():
    seats = [Seat(name, SAMPLE_DECKS["mages"]) for name in ("north", "south")]
    firsts = set()
    for number in range(20):
        deal = Deal(f"{number:064x}")
        firsts.add(RULES.begin(seats, CastleOptions(), deal, lambda e: None, 0.0).seen_by(0).first)
    assert firsts == {0, 1}


def test_each_mulligan_gives_one_card_fewer_down_to_one(fresh):
    position, heard = fresh()
    sizes = []
    while moves.Mulligan() in position.legal_moves(1):
        position.play(1, moves.Mulligan(), 6.0)
        sizes.append(len(position.seen_by(1).sides[1].hand))
    assert sizes == [5, 4, 3, 2, 1]
    assert heard[-2] == HandRedrawn(1, 1)
    with pytest.raises(Refused, match="hand-too-small"):
        position.play(1, moves.Mulligan(), 6.0)
    assert position.seen_by(1).sides[1].deck_count == 49


def test_a_mulligan_rearms_nobody_elses_clock(fresh):
    position, _ = fresh()
    position.play(1, moves.Mulligan(), 20.0)
    assert position.due() == {0: 65.0, 1: 80.0}


def test_the_game_starts_when_both_have_accepted(fresh):
    position, heard = fresh()
    position.play(1, moves.Keep(), 6.0)
    assert position.to_move() == {0}
    with pytest.raises(Refused, match="hand-accepted"):
        position.play(1, moves.Mulligan(), 6.0)
    position.play(0, moves.Keep(), 7.0)
    assert heard[-3:] == [
        HandKept(0),
        CastlesShown((1, 5), (80, 50), (6, 6)),
        TurnBegan(1, 0, False),
    ]
    assert position.due() == {0: 307.0}


def test_before_the_first_turn_there_is_nothing_else_to_do(fresh):
    position, _ = fresh()
    for move, key in ((moves.EndTurn(), "accept-hand-first"), (NextRound(), "no-such-move")):
        with pytest.raises(Refused, match=key):
            position.play(0, move, 6.0)


# -- turns ----------------------------------------------------------------------------


def test_there_is_no_draw_in_the_first_turn_and_one_in_every_other(fresh):
    position, heard = fresh()
    for seat in (0, 1):
        position.play(seat, moves.Keep(), 6.0)
    with pytest.raises(Refused, match="no-draw-now"):
        position.play(0, moves.DrawCard(), 7.0)
    position.play(0, moves.EndTurn(), 7.0)
    assert heard[-1] == TurnBegan(2, 1, True)
    assert position.legal_moves(1) == [moves.DrawCard()]
    with pytest.raises(Refused, match="draw-first"):
        position.play(1, moves.EndTurn(), 7.0)
    position.play(1, moves.DrawCard(), 7.0)
    shown, hidden = [event for event in heard if isinstance(event, Drew)]
    assert (shown.audience, hidden.audience) == (Only(1), AllBut(1))
    assert shown.card is not None and hidden.card is None
    assert (shown.hand, shown.left, shown.usual) == (6, 43, True)


def test_nobody_attacks_in_the_first_turn(scene):
    duel = scene(mine=["squire"], turn=1)
    assert (
        duel.refusal(moves.Attack(own("soldier", 0), foe("castle", 0))) == "no-attack-on-first-turn"
    )
    assert moves.UseAbility not in map(type, duel.moves())


def test_the_second_player_may_attack_at_once(scene):
    duel = scene(theirs=["squire"], turn=1)
    duel.end()
    duel.draw(1)
    duel.attack(("soldier", 0), ("castle", 0), seat=1)
    assert duel.health() == 125


def test_a_turn_has_one_soldier_and_one_mage_from_the_hand_and_any_number_of_tricksters(scene):
    duel = scene(hand=["warlock", "warlock", "protector", "protector", "fate", "fate"])
    for key, slot in (("warlock", 0), ("protector", 0), ("fate", 0), ("fate", 1)):
        duel.play(key, slot)
    assert duel.refusal(moves.PlayCard(0, 1)) == "one-soldier-a-turn"
    assert duel.refusal(moves.PlayCard(1, 1)) == "one-mage-a-turn"
    duel.round()
    duel.play("warlock", 1)
    assert duel.field().count("warlock") == 2


def test_a_slot_holds_one_card_unless_it_is_given_up_for_the_next(scene):
    duel = scene(mine=["squire", "seeker"], hand=["warlock", "cannonmen"])
    assert duel.refusal(moves.PlayCard(0, 0)) == "slot-taken"
    assert duel.refusal(moves.PlayCard(1, 1, (own("soldier", 0),))) == "slot-taken"
    duel.play("cannonmen", 1, [own("soldier", 1)])
    assert duel.field() == ["squire", "cannonmen"]


@pytest.mark.parametrize(
    ("move", "key"),
    [
        (moves.PlayCard(5, 0), "no-such-card"),
        (moves.PlayCard(-1, 0), "no-such-card"),
        (moves.PlayCard(0, 2), "no-such-slot"),
        (moves.PlayCard(0, -1), "no-such-slot"),
        (moves.PlayCard(0, 0, (moves.Spot(7, "soldier", 0),)), "wrong-cost"),
        (moves.LevelMage(1), "no-such-card"),
        (moves.LevelMage(9), "no-such-card"),
        (moves.UseAbility(moves.Spot(0, "soldier", 0), 5), "no-such-ability"),
        (moves.UseAbility(moves.Spot(0, "deck", 0), 0), "no-such-card"),
        (moves.UseAbility(moves.Spot(1, "soldier", 0), 0), "no-such-card"),
        (moves.Attack(moves.Spot(0, "hand", 0), moves.Spot(1, "soldier", 0)), "no-such-card"),
        (moves.Attack(moves.Spot(0, "soldier", 0), moves.Spot(0, "soldier", 0)), "bad-target"),
        (moves.Attack(moves.Spot(0, "soldier", 0), moves.Spot(1, "trickster", 0)), "bad-target"),
        (moves.AllowAction(), "not-now"),
        (moves.Accept(), "not-now"),
        (moves.ActivateTrickster(0), "not-now"),
        (moves.Keep(), "not-now"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason_and_changes_nothing(scene, move, key):
    duel = scene(mine=["squire", "fate"], hand=["warlock"], theirs=["paladin", "fate"])
    assert duel.refusal(move) == key


def test_only_the_active_player_acts(scene):
    duel = scene(theirs=["squire"])
    assert duel.refusal(moves.EndTurn(), seat=1) == "not-your-turn"
    assert duel.moves(1) == []


def test_a_mage_rises_once_a_turn_to_level_3_but_not_in_the_turn_it_arrives(scene):
    duel = scene(hand=["protector"])
    duel.play("protector")
    assert duel.refusal(moves.LevelMage(0)) == "just-arrived"
    duel.round()
    duel.do(moves.LevelMage(0))
    assert duel.card(0, "mage", 0).level == 2
    assert duel.refusal(moves.LevelMage(0)) == "already-levelled"
    duel.round()
    duel.do(moves.LevelMage(0))
    duel.round()
    assert duel.refusal(moves.LevelMage(0)) == "top-level"


def test_a_card_that_finds_the_hand_full_is_discarded_face_up(scene):
    duel = scene(hand=["fate"] * 10, deck=["light", "squire"])
    duel.round()
    assert len(duel.hand()) == 10
    assert duel.pile() == ["light"]
    assert Overflowed(0, 54, 1, 0) in duel.heard


def test_a_draw_from_an_empty_deck_loses(scene):
    duel = scene(deck=[])
    duel.end()
    duel.draw(1)
    duel.end(1)
    heard = duel.draw(0)
    assert DuelLost(0, "deck-out") in heard
    assert duel.position.outcome == Outcome((2, 1), reason="deck-out")


def test_a_search_of_an_empty_deck_loses_nothing(scene):
    duel = scene(hand=["squire"], deck=[])
    duel.play("squire")
    assert duel.stage == "turn"


def test_a_stun_in_ones_own_turn_ends_with_it(scene):
    duel = scene(mine=["squire"], theirs=["plague"], hand=["warlock"])
    duel.play("warlock", 1)
    duel.answer(0)
    assert StunEnded((own("soldier", 0),)) in duel.end()


def test_a_stunned_card_uses_no_ability_but_may_be_given_up(scene):
    duel = scene(mine=["sacrifice"], hand=["cannonmen"])
    duel.core.on_field(own("soldier", 0)).stunned = True
    assert duel.refusal(moves.UseAbility(own("soldier", 0), 0)) == "card-stunned"
    duel.play("cannonmen", 0, [own("soldier", 0)])


# -- time and absence -----------------------------------------------------------------


def test_a_turn_that_takes_too_long_is_drawn_for_and_ended(fresh):
    position, heard = fresh(seconds=10)
    for seat in (0, 1):
        position.play(seat, moves.Keep(), 6.0)
    position.time_up(0, 16.0)
    assert heard[-2:] == [TimedOut(0), TurnBegan(2, 1, True)]
    position.time_up(1, 26.0)
    assert position.due() == {1: 26.0}
    position.time_up(1, 26.0)
    assert heard[-1] == TurnBegan(3, 0, True)


def test_a_hand_not_accepted_in_time_is_accepted(fresh):
    position, heard = fresh()
    position.time_up(0, 65.0)
    assert heard[-2:] == [TimedOut(0), HandKept(0)]


def test_moves_within_a_turn_do_not_rearm_its_clock(scene):
    duel = scene(hand=["warlock", "protector"])
    due = duel.position.due()
    duel.play("warlock")
    assert duel.position.due() == due


def test_the_clock_of_a_turn_stands_while_the_enemy_answers(scene):
    duel = scene(hand=["warlock"], theirs=["fate"])
    left = duel.position.due()[0] - 10.0
    duel.do(moves.PlayCard(0, 0), now=10.0)
    assert duel.position.due() == {1: 70.0}
    duel.do(moves.AllowAction(), seat=1, now=50.0)
    assert duel.position.due() == {0: 50.0 + left}


def test_an_answer_not_given_in_time_is_no_answer_and_a_question_gets_its_first_choice(scene):
    duel = scene(hand=["squire"], theirs=["shaman"], deck=["paladin", "archer"])
    duel.play("squire")
    duel.position.time_up(1, 60.0)
    assert duel.stage == "question"
    duel.position.time_up(0, 120.0)
    assert duel.hand() == ["paladin"]


def test_what_may_be_declined_is_declined_when_time_is_up(scene):
    duel = scene(mine=["squire", "light", "shaman"], hand=["paladin"])
    duel.play("paladin", 0, [own("soldier", 0), own("mage", 0), own("trickster", 0)])
    duel.position.time_up(0, 60.0)
    assert (duel.hand(), duel.stage) == ([], "turn")


def test_a_clock_of_one_who_is_not_awaited_does_nothing(scene):
    duel = scene()
    duel.position.time_up(1, 1000.0)
    assert duel.heard == []


@pytest.mark.parametrize("why", ["left", "disconnected", "absent"])
def test_whoever_leaves_has_lost_at_any_stage(fresh, scene, why):
    position, heard = fresh()
    position.leave(1, why, 6.0)
    assert position.outcome == Outcome((1, 2), reason=why)
    assert heard[-1] == RoundOver(1)
    duel = scene(hand=["warlock"], theirs=["fate"])
    duel.play("warlock")
    duel.position.leave(0, why, 9.0)
    assert duel.position.outcome == Outcome((2, 1), reason=why)
    assert duel.position.due() == {}
    duel.position.leave(1, why, 9.0)
    assert duel.position.outcome == Outcome((2, 1), reason=why)


# -- the machine ----------------------------------------------------------------------


OPEN = {
    "mulligan": {"act", "await_answer", "await_reply"},
    "acting": {"redraw", "keep", "keep_last"},
    "responding": {"redraw", "keep", "keep_last"},
    "asked": {"redraw", "keep", "keep_last"},
    "over": {"redraw", "keep", "keep_last", "act", "await_answer", "await_reply", "finish"},
}
INPUTS = {
    "redraw": (0,),
    "keep": (0,),
    "keep_last": (0,),
    "act": (),
    "await_answer": (),
    "await_reply": (),
    "finish": (),
}
WAYS = {
    "mulligan": [],
    "acting": ["keep_last"],
    "responding": ["keep_last", "await_answer"],
    "asked": ["keep_last", "await_reply"],
    "over": ["finish"],
}


@pytest.mark.parametrize("state", OPEN)
def test_the_machine_leaves_open_what_the_rules_never_feed_it(scene, state):
    refused = set()
    for name, arguments in INPUTS.items():
        duel = RoundMachine(scene().core)
        for step in WAYS[state]:
            getattr(duel, step)(*INPUTS[step])
        try:
            getattr(duel, name)(*arguments)
        except NoTransition:
            refused.add(name)
    assert refused == OPEN[state]
    assert INPUTS.keys() == {name for name in vars(Round) if not name.startswith("_")}
