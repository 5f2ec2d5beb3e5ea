"""Links that break, that nobody reads from, that bring too much; and coming back."""

from __future__ import annotations

from protocols.lobby.session_states import MOST_LINES


def token_in(lines):
    return next(line.rpartition(" ")[2] for line in lines if "RETURN" in line)


def takes(lines):
    return [line for line in lines if " takes " in line and "seat" not in line]


def test_who_was_cut_off_comes_back_with_the_word(lobby):
    with lobby() as home:
        north = home.call("north")
        word = token_in(north.type("open nim"))
        south = home.call("south")
        south.type("join")
        south.hear()
        north.hang_up()
        assert any("north has lost the connection" in line for line in south.hear())
        again = home.call()
        heard = again.type(f"return {word}")
        assert any(line.startswith("You sit at table") for line in heard)
        assert "Your turn" in heard[-1]
        assert "north is back." in south.hear()
        again.type("2")
        assert takes(south.hear())


def test_who_comes_back_before_we_noticed_takes_over(lobby):
    with lobby() as home:
        north = home.call("north")
        word = token_in(north.type("open nim"))
        home.call("south").type("join")
        north.hear()
        again = home.call()
        assert "Your turn" in again.type(f"return {word}")[-1]
        assert "You came back from elsewhere" in north.hear()[-1]
        assert north.closed
        assert again.type("name")[0] == "You are called north."


def test_a_word_that_is_nobody_s_brings_nobody_back(lobby):
    with lobby() as home:
        caller = home.call()
        assert caller.type("return ABCDE.123")[-2].startswith("That word brings nobody back")
        assert caller.type("return")[0].startswith("Say the word you were given")
        assert caller.type("play nim")[-1].startswith("[nim ")
        assert caller.type("return ABCDE.123")[0].startswith("You sit at table")


def test_the_word_is_told_to_its_owner_alone(lobby):
    with lobby() as home:
        north = home.call("north")
        word = token_in(north.type("open nim"))
        south = home.call("south")
        south.type("join", "who", "why", "board")
        assert word not in south.got().decode()


def test_a_watcher_that_does_not_read_is_let_go_with_a_reason(lobby):
    with lobby() as home:
        north, south, code = home.pair("open nim seconds=86400")
        watcher = home.call("watcher")
        watcher.type(f"watch {code}")
        watcher.hear()
        watcher.link.pauseProducing()
        talker = home.call("talker")
        talker.type(f"watch {code}")
        while not watcher.closed:
            assert watcher.link.waiting <= watcher.link.backlog
            talker.type("say " + "x" * 390)
            home.clock.advance(1)
        assert watcher.hear()[-1].startswith("You did not read")
        assert north.type("3")[-1].endswith("Waiting for south.")
        assert not south.closed


def test_a_player_that_does_not_read_is_shown_the_table_as_it_stands(lobby):
    with lobby() as home:
        north, south, code = home.pair("open nim seconds=86400")
        talker = home.call("talker")
        talker.type(f"watch {code}")
        south.hear()
        south.link.pauseProducing()
        north.type("3")
        for _ in range(900):
            talker.type("say " + "x" * 390)
            home.clock.advance(1)
            talker.clear()
            assert south.link.waiting <= south.link.backlog
        south.link.resumeProducing()
        home.settle()
        heard = south.hear()
        assert len("".join(heard)) <= south.link.backlog
        assert any(line.startswith("Some lines are left out here") for line in heard)
        assert "97 of 100 stones are left; at most 4 may be taken." in heard[-3:]
        assert not south.closed
        assert takes(south.type("1"))


def test_lines_that_wait_stop_the_reading_of_more(lobby, hand_journal):
    with lobby(journal=hand_journal) as home:
        caller = home.call()
        caller.link.burst = 1000
        caller.link._bucket.burst = caller.link._bucket._tokens = 1000.0
        caller.say(b"open nim\n" + b"who\n" * (MOST_LINES + 20))
        home.settle()
        assert caller.producerState == "paused"
        for _ in range(5):
            home.journal.commit()
            home.settle()
        assert caller.producerState == "producing"
        assert sum("(you), playing" in line for line in caller.hear()) == MOST_LINES + 20
        caller.type("leave")
        for _ in range(5):
            home.journal.commit()
            home.settle()


def test_nobody_is_told_before_it_is_written_down(lobby, hand_journal):
    with lobby(journal=hand_journal) as home:
        caller = home.call()
        caller.hear()
        assert caller.type("open nim") == []
        home.journal.commit()
        home.settle()
        home.journal.commit()
        home.settle()
        assert "1 of 2 seats are taken" in caller.hear()[-1]
        caller.type("leave")
        for _ in range(3):
            home.journal.commit()
            home.settle()


def test_play_that_is_paused_is_said_to_be_and_what_is_typed_waits(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("play nim")
        caller.hear()
        home.journal.on_trouble("the disk is full")
        assert caller.hear() == ["Play is paused: what happens cannot be written down just now."]
        assert caller.type("3", "who") == []
        home.journal.on_trouble(None)
        home.settle()
        heard = caller.hear()
        assert heard[0] == "Play goes on."
        assert len(takes(heard)) == 2
        assert heard[-2].startswith("guest-1 (you), playing")


def test_nobody_leaves_a_house_that_closes(lobby):
    with lobby() as home:
        north, *_ = home.pair()
        home.host.close()
        north.say(b"leave\r\n")
        home.settle()
        heard = north.hear()
        assert "This server is closing." in heard[0], heard
        assert not any("left" in line for line in heard)
        home.factory.dismiss_all("closing")
        assert north.hear()[-1].startswith("This server is closing.")
        home.host.service.live._by_code.clear()
        home.hall._tables.clear()


def test_a_house_that_closes_says_so(lobby):
    with lobby() as home:
        north, south, _ = home.pair()
        hall = home.call()
        home.host.close()
        home.settle()
        home.factory.dismiss_all("closing")
        for each in (north, south, hall):
            assert each.hear()[-1].startswith("This server is closing.")
            assert each.closed
        home.host.service.live._by_code.clear()
        home.hall._tables.clear()
