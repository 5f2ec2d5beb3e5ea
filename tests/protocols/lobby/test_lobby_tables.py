"""Tables: how they are opened, found, kept private, and how many."""

from __future__ import annotations

from copy import copy

import pytest
from twisted.internet.defer import Deferred

from gamecore.commands import Invite
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from protocols.host.secrets import hash_token


def test_what_is_chosen_is_what_is_played(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("open nim stones=42 RESETS=2 early=keep start=asked grace=10")
        table = home.tables[0]
        assert (table._game._options.stones, table._game._options.resets) == (42, 2)
        assert table._game._options.early_moves == "keep"
        assert (table.house.start, table.house.grace) == ("asked", 10)


@pytest.mark.parametrize(
    "typed, said",
    [
        ("open", "OPEN which game? There are: nim."),
        ("open chess", "There is no game called chess here. There are: nim."),
        ("open nim stones=0", "stones lies between 1 and 1000000."),
        ("open nim stones=many", "stones is a number."),
        ("open nim start=soon", "start is one of: full, asked."),
        ("open nim s=3", "There is nothing called s to choose."),
        ("open nim colour=red", "There is nothing called colour to choose."),
        ("open nim private=perhaps", "private is yes or no."),
        ("open nim password", "Say the password behind that word"),
        ("join ZZZZZ", "There is no table with that code here."),
        ("join nim", "No table waits for a player."),
        ("join", "No table waits for a player."),
        ("watch", "Say which table"),
        ("watch ZZZZZ", "There is no table with that code here."),
        ("play", "PLAY which game?"),
        ("start", "You are not at a table."),
        ("leave", "You are not at a table."),
        ("take 3", "There is no word take here."),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(lobby, typed, said):
    with lobby() as home:
        caller = home.call()
        caller.hear()
        heard = caller.type(typed)
        assert heard[0].startswith(said)
        assert heard[1:] == ["[hall]"]
        assert home.tables == []


def test_a_private_table_is_in_no_list_and_open_to_who_knows_its_code(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("open nim private")
        other = home.call()
        assert other.type("tables")[-2].startswith("No table waits for anybody")
        assert other.type("join")[0].startswith("No table waits for a player")
        assert other.type(f"join {home.tables[0].code.lower()}")[-1].endswith(
            "Waiting for guest-1."
        )


def test_a_password_is_asked_for_and_never_shown(lobby):
    with lobby() as home:
        caller, other = home.call(), home.call()
        caller.type("open nim password open-sesame")
        table = home.tables[0]
        assert table.house.password.startswith("scrypt-")
        assert other.type("tables")[-2].endswith(f"with a password. JOIN {table.code}.")
        assert other.type(f"join {table.code}")[0].startswith("That table wants a password")
        assert other.type(f"watch {table.code} sesame")[0] == "That is not the password."
        assert other.type(f"join {table.code} open-sesame")[-1].endswith("Waiting for guest-1.")
        everything = caller.got() + other.got()
        assert b"sesame" not in everything and b"scrypt" not in everything


def test_a_watcher_let_in_by_a_password_need_not_say_it_again(lobby):
    with lobby() as home:
        caller, other = home.call(), home.call()
        caller.type("open nim password=xyzzy")
        other.type(f"watch {home.tables[0].code} xyzzy")
        assert other.type("sit")[-1].endswith("Waiting for guest-1.")


def test_a_watcher_turned_away_elsewhere_is_in_the_hall(lobby):
    with lobby() as home:
        caller, other, third = home.call(), home.call(), home.call()
        caller.type("open nim password=xyzzy")
        closed = home.tables[0].code
        other.type("open nim")
        third.type(f"watch {home.tables[1].code}")
        assert third.type(f"watch {closed} plugh")[-1] == "[hall]"
        assert third.type("board")[0] == "You are not at a table."


def test_who_hangs_up_while_a_password_is_sealed_leaves_no_table(lobby):
    with lobby() as home:
        sealing = Deferred()
        home.host.seal = lambda password, by: sealing
        caller = home.call()
        caller.type("open nim password=xyzzy", "who")
        caller.hang_up()
        sealing.callback("scrypt-1")
        home.settle()
        assert home.tables == []


def test_lines_wait_while_a_password_is_sealed(lobby):
    with lobby() as home:
        sealing = Deferred()
        home.host.seal = lambda password, by: sealing
        caller = home.call()
        caller.hear()
        assert caller.type("open nim password=" + "x" * 300, "who") == []
        sealing.errback(Refused("password-too-long", most=100))
        home.settle()
        heard = caller.hear()
        assert heard[:2] == ["A password has at most 100 characters.", "[hall]"]
        assert heard[2].startswith("guest-1 (you)")


def test_a_class_behind_one_address_may_all_open_tables_and_an_army_may_not(lobby):
    with lobby() as home:
        for _ in range(60):
            assert home.call().type("open nim")[-1].startswith("[nim ")
        for _ in range(80):
            last = home.call().type("open nim")
        assert any("Enough tables wait" in line for line in last)
        assert home.call(host="198.51.100.7").type("open nim")[-1].startswith("[nim ")


def test_one_sits_at_one_table_at_a_time(lobby):
    with lobby() as home:
        north, _, code = home.pair()
        for word in ("open nim", "play nim", f"join {code}", f"watch {code}", "join", "return x"):
            assert north.type(word)[0] == f"You sit at table {code}. LEAVE it first.", word
        assert north.type("name someone")[0].startswith("You sit at a table under your name")


def test_after_a_game_another_table_is_one_word_away(lobby):
    with lobby(nim={"stones": 1}) as home:
        caller = home.call()
        caller.type("play nim", "1")
        first = home.tables[0]
        assert first.stage is Stage.OVER
        assert caller.type("play nim")[-1].startswith("[nim ")
        assert first not in home.tables


def test_a_full_table_or_a_game_begun_cannot_be_joined(lobby):
    with lobby() as home:
        _, _, code = home.pair()
        third = home.call()
        assert third.type(f"join {code}")[-2].endswith(f"WATCH {code} looks on.")
        fourth = home.call()
        fourth.type("open nim start=asked", "bot")
        assert third.type(f"join {home.tables[1].code}")[0] == "All seats at this table are taken."
        assert fourth.type("start")[-1].startswith("[nim ")


def test_bots_fill_a_table_and_it_begins(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("open nim")
        assert "Your turn" in caller.type("bot perfect")[-1]
        assert caller.type("bot")[0] == "The game has begun already."


def test_a_name_that_looks_like_another_s_at_the_table_is_refused(lobby):
    with lobby() as home:
        caller = home.call("easy bot")
        heard = caller.type("open nim start=asked", "bot easy")
        assert any("easy bot 2, a bot, takes seat 2." in line for line in heard)


def test_a_table_where_nothing_happens_is_closed_and_all_are_told(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("open nim expiry=60")
        caller.hear()
        home.clock.pump([61, 0, 0])
        heard = caller.hear()
        assert heard[0].startswith("The table is closed: nothing happened here for too long")
        assert heard[-1] == "[hall]"
        assert caller.type("open nim")[-1].startswith("[nim ")


def test_many_tables_are_not_all_listed(lobby):
    with lobby() as home:
        for number in range(50):
            home.call(host=f"198.51.100.{number}").type("open nim")
        heard = home.call().type("tables")
        assert len(heard) < 50
        assert heard[-2].startswith("And more.")


def test_games_of_other_kinds_can_be_left_out_of_the_list(lobby):
    with lobby() as home:
        home.call().type("open nim")
        assert len(home.call().type("tables nim")) > 1
        assert home.call().type("tables chess")[-2].startswith("There is no game called chess")


def test_the_greeting_offers_a_game_that_is_there(lobby):
    with lobby(rules=[NIM], first_game="chess") as home:
        assert "PLAY nim" in home.call(wide=False).hear()[1]


def test_the_greeting_stays_the_same_whichever_games_are_installed_besides(lobby):
    another = copy(NIM)
    another.kind = "aaa"
    with lobby(rules=[another, NIM]) as home:
        assert "PLAY nim" in home.call(wide=False).hear()[1]
    with lobby(rules=[another, NIM], first_game="aaa") as home:
        assert "PLAY aaa" in home.call(wide=False).hear()[1]


def test_who_was_invited_has_a_seat_kept(lobby):
    with lobby() as home:
        table = home.host.hall.find(home.host.open("nim", "", {}, {}).code)
        invitation = f"{table.code}.{'ab' * 16}"
        home.host.command(None, table, Invite(1, "somebody", hash_token(invitation)))
        home.settle()
        first, second, guest = home.call("first"), home.call("second"), home.call("guest")
        first.type(f"join {table.code}")
        assert second.type(f"join {table.code}")[0] == "All seats at this table are taken."
        assert guest.type("join ABCDE.1234")[0].startswith("That word brings nobody back")
        assert guest.type(f"join {invitation}")[-1].endswith("Waiting for first.")


def test_tables_say_how_they_stand(lobby):
    with lobby(nim={"stones": 1}) as home:
        north, south, code = home.pair()
        looker = home.call()
        assert looker.type("tables")[-2].startswith(f"{code} nim (playing): north, south")
        north.hang_up()
        assert looker.type("tables")[0].startswith(f"{code} nim (paused): north, south")
        home.clock.advance(200)
        assert looker.type("tables")[0].startswith(f"{code} nim (over): ")
        south.type("leave", "open nim")
        assert " nim (gathering): south, 1 of 2" in looker.type("tables")[0]


def test_a_game_is_looked_on_at_by_its_name(lobby):
    with lobby() as home:
        _, _, code = home.pair()
        looker = home.call()
        looker.hear()
        assert looker.type("watch nim")[0] == f"You look on at table {code}, Expanding Nim."
        closed = home.call()
        home.pair("open nim watchers=no")
        assert closed.type("watch ni")[-1].startswith(f"[nim {code}]")


def test_a_game_nobody_can_look_on_at_is_said(lobby):
    with lobby() as home:
        home.pair("open nim watchers=no")
        assert home.call().type("watch nim")[-2] == "There is no table where you could look on."


def test_who_opens_a_table_is_told_how_others_come_and_when_it_can_begin(lobby):
    with lobby() as home:
        caller = home.call()
        last = caller.type("open nim start=asked")[-1]
        code = home.tables[0].code
        assert f"Others come in by JOIN {code}. 1 of 2 seats" in last and "START" not in last
