"""How clients of the GOPS door are called, how they meet, and how they are turned away."""

from __future__ import annotations

import pytest

from protocols.gops import wire_events

UNKNOWN = "FALSE~[COULD NOT JOIN] Game does does not exist"


def ask(client, body):
    client.say(body)
    return client.hear()


def test_the_greeting_comes_first_and_reads_as_a_frame_and_as_a_line(gops_door):
    with gops_door() as door:
        client = door.connect()
        data = client.value()
        assert data[:64].strip() == b"54" and len(data) == 64 + 54
        assert data.splitlines()[1] == wire_events.WELCOME.encode()


# Names


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("north", "north"),
        ("", "User: 1"),
        (" \x07$~x", "User: 1"),
        ("no\r\nrth", "no rth"),
        ("x" * 99, "x" * 24),
        ("\u202ezoë\u202c", "zoë"),
    ],
)
def test_a_name_is_cleaned_and_told_in_exactly_one_reply(gops_door, wanted, shown):
    with gops_door() as door:
        client = door.connect()
        client.hear()
        reply = f"INFO~[SUCCESS] Username set to '{shown}' successfully"
        assert ask(client, f"SET-USERNAME~{wanted}") == [reply]


def test_a_name_in_use_is_numbered_and_free_again_when_its_owner_goes(gops_door):
    with gops_door() as door:
        first, second, third = (door.connect() for _ in range(3))
        for client, shown in ((first, "ann"), (second, "ANN-2"), (third, "ann-3")):
            client.hear()
            wanted = "ANN" if client is second else "ann"
            (reply,) = ask(client, f"SET-USERNAME~{wanted}")
            assert f"'{shown}'" in reply
        assert "'ann'" in ask(first, "SET-USERNAME~ann")[0]  # one's own is not in the way
        first.hang_up()
        assert "'ann'" in ask(third, "SET-USERNAME~ann")[0]


def test_who_says_no_name_is_called_by_number(gops_door):
    with gops_door() as door:
        north, code = door.create(None)
        south = door.connect()
        south.say(f"JOIN-GAME~{code}")
        assert "INFO~[NEW PLAYER] User: 2 joined the game!" in north.hear()
        assert "INFO~User: 1's Points: 0, User: 2's Points: 0" in south.hear()


def test_a_name_cannot_change_during_a_game(gops_door):
    with gops_door() as door:
        north, south, _ = door.pair()
        (reply,) = ask(north, "SET-USERNAME~other")
        assert reply.startswith("INFO~You cannot")
        assert south.hear() == []


# Meeting


def test_a_joiner_is_told_in_the_order_that_stock_clients_read(gops_door):
    with gops_door() as door:
        north, code = door.create("north")
        south = door.connect("south")
        told = ask(south, f"JOIN-GAME~ {code.lower()} \n")
        assert told[:3] == [
            f"TRUE~[JOINED GAME] Joined game {code}",
            f"SET-ID~{code}",
            "START-GAME~Game is starting...",
        ]
        assert told[-1] == wire_events.YOUR_TURN
        assert "\u2663" in told[-2] and "\u2660" not in told[-2]
        heard = north.hear()
        assert heard[:2] == [
            "INFO~[NEW PLAYER] south joined the game!",
            "START-GAME~Game is starting...",
        ]
        assert "\u2660" in heard[-2]


def test_a_full_game_an_unknown_one_and_ones_own_are_refused_and_nothing_changes(gops_door):
    with gops_door() as door:
        north, code = door.create("north")
        assert ask(north, f"JOIN-GAME~{code}")[0].startswith("FALSE~")
        assert ask(north, "START-GAME~1")[0].startswith("FALSE~")
        south = door.connect("south")
        assert ask(south, "JOIN-GAME~NOSUCH") == [UNKNOWN]
        assert ask(south, "JOIN-GAME~") == [UNKNOWN]
        assert ask(south, f"JOIN-GAME~{code}")[-1] == wire_events.YOUR_TURN
        third = door.connect("third")
        assert ask(third, f"JOIN-GAME~{code}") == [
            f"FALSE~[COULD NOT JOIN] There are already two players in {code}"
        ]
        assert ask(south, f"JOIN-GAME~{code}")[0].startswith("FALSE~")
        assert len(door.hall) == 1


def test_a_creation_that_is_refused_brings_a_stock_client_back_to_its_menu(gops_door):
    with gops_door(most=1) as door:
        door.create("north")
        late = door.connect("late")
        told = ask(late, "START-GAME~1")
        assert told == ["INFO~" + wire_events.reason("hall-full"), "SET-ID~-", "END-GAME~refused"]
        late.say("JOIN-GAME~NOSUCH")
        assert late.hear() == [UNKNOWN]


def test_a_host_who_leaves_while_waiting_takes_the_game_away(gops_door):
    with gops_door() as door:
        north, code = door.create("north")
        north.hang_up()
        assert len(door.hall) == 0
        assert ask(door.connect("south"), f"JOIN-GAME~{code}") == [UNKNOWN]


def test_a_host_to_whom_nobody_comes_is_told_and_free_again(gops_door):
    with gops_door(expiry=600) as door:
        north, code = door.create("north")
        door.clock.advance(601)
        assert north.hear() == ["INFO~" + wire_events.reason("expired"), wire_events.END]
        north.play(code, 3)
        assert north.hear() == []
        assert ask(north, "START-GAME~1")[-1] == wire_events.WAITING


def test_a_table_of_another_door_can_be_joined_by_its_code_and_one_of_this_door_elsewhere(
    gops_door, ear
):
    with gops_door() as door:
        table = door.host.hall.find(
            door.host.open("gops", "friday", {"cards": 3}, {"start": "asked"}).code
        )
        person = ear()
        door.host.sit(person, table.code, 0, "south")
        south = door.connect("south")
        told = ask(south, f"JOIN-GAME~{table.code}")
        assert told[1:] == [f"SET-ID~{table.code}", "INFO~Waiting for the game to start"]
        assert table.names == ("south", "south-2")  # the same name, by another door
        door.host.leave(person)
        door.settle()
        assert south.hear() == ["INFO~south left the game"]
        door.host.sit(person, table.code, 0, "wren")
        door.settle()
        assert south.hear() == ["INFO~[NEW PLAYER] wren joined the game!"]
        south.hang_up()
        north, code = door.create("north")
        door.host.leave(person)
        door.host.sit(person, code, 1, "wr~en")
        door.settle()
        assert north.hear()[0] == "INFO~[NEW PLAYER] wren joined the game!"
        door.host.leave(person)
        door.settle()
        assert north.hear() == ["INFO~wren left the game; north wins the game!", wire_events.END]


def test_a_password_is_said_behind_the_code(gops_door):
    with gops_door() as door:
        sealed = []
        door.host.seal("sesame").addCallback(sealed.append)
        while not sealed:
            door.settle()
        house = {"password": sealed[0]}
        table = door.host.hall.find(door.host.open("gops", "", {}, house).code)
        south = door.connect("south")
        for said, key in (("", "password-needed"), ("$open", "wrong-password")):
            assert wait(door, south, f"JOIN-GAME~{table.code}{said}") == [
                wire_events.join_refused(key)
            ]
        told = wait(door, south, f"JOIN-GAME~{table.code}$sesame")
        assert told[0].startswith("TRUE~")


def wait(door, client, body):
    """Say something that is answered by a thread."""
    client.say(body)
    for _ in range(10_000):
        door.settle()
        if heard := client.hear():
            return heard
    return []


# Turned away


@pytest.mark.parametrize("sent", [b"12x".ljust(64), b"5000".ljust(64), b"1" * 64])
def test_a_header_that_is_none_ends_the_connection(gops_door, sent):
    with gops_door() as door:
        client = door.connect()
        client.hear()
        client.send(sent)
        assert client.hear() == ["INFO~That is no header of a message"]
        assert client.closed


def test_a_frame_must_end_in_half_a_minute(gops_door):
    with gops_door() as door:
        client = door.connect()
        client.hear()
        client.send(b"12".ljust(64) + b"START")
        door.clock.advance(29)
        assert not client.closed
        door.clock.advance(2)
        assert client.closed
        slow = door.connect()
        slow.send(b"12".ljust(64) + b"START")
        door.clock.advance(29)
        slow.send(b"-GAME~1")
        door.clock.advance(29)
        assert not slow.closed


def test_what_is_no_message_is_explained_and_the_connection_kept(gops_door):
    with gops_door() as door:
        client = door.connect()
        client.hear()
        for body in (b"no tilde", b"\xff\xfe~", b"DANCE~now"):
            client.send(str(len(body)).encode().ljust(64) + body)
            (told,) = client.hear()
            assert told.startswith("INFO~")
        assert ask(client, "START-GAME~1")[-1] == wire_events.WAITING


def test_garbage_without_end_is_not_listened_to(gops_door):
    with gops_door() as door:
        client = door.connect()
        for _ in range(20):
            client.say("DANCE~now")
        assert client.closed


def test_too_many_messages_at_once_are_not_acted_on(gops_door):
    with gops_door() as door:
        client = door.connect()
        for _ in range(219):
            client.link.dataReceived(b"18".ljust(64) + b"SET-USERNAME~north")
        assert client.hear().count("INFO~Too many messages at once") == 19
        assert not client.closed
        door.clock.advance(5)
        assert ask(client, "START-GAME~1")[-1] == wire_events.WAITING


def test_who_is_in_no_game_may_be_silent_for_a_quarter_of_an_hour(gops_door):
    with gops_door() as door:
        silent = door.connect()
        talking, playing = door.connect("talking"), door.pair()[0]
        door.clock.advance(600)  # and the game is forfeited meanwhile
        talking.say("SET-USERNAME~other")
        door.clock.advance(301)
        assert (silent.closed, talking.closed, playing.closed) == (True, False, False)
        door.clock.advance(900)
        assert talking.closed and playing.closed


def test_who_hosts_a_game_may_be_silent_for_longer(gops_door):
    with gops_door() as door:
        north, code = door.create("north")
        door.clock.advance(3000)
        assert not north.closed
        south = door.connect("south")
        assert ask(south, f"JOIN-GAME~{code}")[-1] == wire_events.YOUR_TURN


def test_a_goodbye_closes_quietly_and_forfeits_the_game(gops_door):
    with gops_door() as door:
        north, south, _ = door.pair()
        assert ask(north, "!DISCONNECT~") == []
        assert north.closed
        assert south.hear() == ["INFO~north left the game; south wins the game!", wire_events.END]


def test_a_daemon_that_closes_says_so_to_everybody(gops_door):
    with gops_door() as door:
        playing, waiting = door.pair()[:2], door.create("wren")[0]
        closed = door.host.close()
        door.settle()
        assert closed.called
        for client in (*playing, waiting):
            assert client.hear() == ["INFO~The server is closing", wire_events.END]
        door.factory.dismiss_all("closing")
        assert waiting.hear() == ["INFO~The server is closing"]


def test_a_door_for_one_table_lets_nobody_open_another(gops_door):
    with gops_door() as door:
        door.factory.only = table = door.factory.open_table("", private=False)
        other = door.host.hall.find(door.host.open("gops", "", {}, {}).code)
        north, south, third = (door.connect(name) for name in ("n", "s", "t"))
        assert ask(north, f"JOIN-GAME~{other.code}") == [UNKNOWN]
        assert ask(north, "START-GAME~1")[1] == f"SET-ID~{table.code}"
        assert ask(south, "START-GAME~1")[1] == f"SET-ID~{table.code}"
        assert ask(third, "START-GAME~1")[1:] == ["SET-ID~-", "END-GAME~refused"]
        door.clock.advance(3601)  # the other table expires
