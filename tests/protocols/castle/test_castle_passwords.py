"""Rooms with a password: found by it alone, or by their code, and no word that is given is lost in silence."""

from __future__ import annotations

import pytest

from gamecore.games.castle import SAMPLE_DECKS
from protocols.net.admission import AdmissionSettings

DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]


def all_of(peer):
    return peer.objects()


def commands(peer):
    return [each["COMMAND"] for each in all_of(peer)]


def refused(peer):
    return all_of(peer)[-1].get("CODE") if peer.closed else None


def room(door, **fields):
    """Let somebody open a room, and stay outside."""
    (made,) = door.connect().put("ROOM_CREATE", **fields)
    return made["ROOM"]


def test_a_password_without_a_code_finds_the_room_that_it_opens(castle_door):
    with castle_door() as door:
        code = room(door, PASSWORD="xyzzy")
        red, blue = door.join("red", PASSWORD="xyzzy"), door.join("blue", PASSWORD="xyzzy")
        assert [all_of(each)[0]["ROOM"] for each in (red, blue)] == [code, code]
        assert "GAME_INIT" in commands(red)


def test_of_several_rooms_the_password_finds_its_own(castle_door):
    with castle_door() as door:
        codes = [room(door, PASSWORD=f"word {number}") for number in range(4)]
        room(door)
        for number, code in enumerate(codes):
            assert all_of(door.join("red", PASSWORD=f"word {number}"))[0]["ROOM"] == code


@pytest.mark.parametrize("rooms", [[], [{}], [{"PASSWORD": "plugh"}], [{"PASSWORD": "a"}] * 3])
def test_a_password_that_opens_no_room_is_refused(castle_door, rooms):
    with castle_door() as door:
        for fields in rooms:
            room(door, **fields)
        assert refused(door.join("red", PASSWORD="xyzzy")) == "BAD_PASSWORD"
        assert len(door.hall) == len(rooms), "another room was opened"


def test_a_password_for_a_room_that_has_none_is_refused(castle_door):
    with castle_door() as door:
        code = room(door)
        assert refused(door.join("red", ROOM=code, PASSWORD="xyzzy")) == "BAD_PASSWORD"


def test_in_a_house_with_a_password_a_room_may_have_another(castle_door):
    with castle_door(room_password="house") as door:
        code = room(door, PASSWORD="ours")
        shared = all_of(door.join("red", PASSWORD="house"))[0]["ROOM"]
        assert all_of(door.join("blue", PASSWORD="ours"))[0]["ROOM"] == code != shared
        assert refused(door.join("green", PASSWORD="nobody's")) == "BAD_PASSWORD"
        assert refused(door.join("green")) == "BAD_PASSWORD"


def test_a_room_that_is_opened_by_joining_keeps_the_password(castle_door):
    with castle_door() as door:
        red = door.join("red", SOLO=True, PASSWORD="xyzzy")
        (live,) = door.host.service.live
        assert all_of(red)[0]["SUCCESS"] and live.table.house.password


def test_who_plays_alone_names_no_room(castle_door):
    with castle_door() as door:
        assert refused(door.join("red", SOLO=True, ROOM=room(door))) == "MALFORMED"


def test_newcomers_meet_only_where_somebody_waits_and_it_begins_by_itself(castle_door):
    with castle_door() as door:
        empty, asked = room(door), door.connect()
        asked.type("open start=asked begins=first-seat")
        red, blue = door.join("red"), door.join("blue")
        codes = {all_of(each)[0]["ROOM"] for each in (red, blue)}
        assert len(codes) == 1 and empty not in codes
        assert "GAME_INIT" in commands(red)


@pytest.mark.parametrize("fields", [{"SOLO": True}, {}])
def test_rooms_opened_by_joining_are_counted(castle_door, fields):
    with castle_door() as door:
        door.host.admission.follow(AdmissionSettings(tables_at_once=20, tables_a_minute=0.1))
        codes = []
        for number in range(25):
            red = door.join(f"red {number}", **fields)
            codes.append(refused(red))
            if not fields:
                door.join(f"blue {number}")
        assert codes == [None] * 20 + ["TOO_FAST"] * 5


# -- words ----------------------------------------------------------------------------


def person(door):
    """Let somebody come who types."""
    peer = door.connect()
    peer.type("who")
    return peer


def test_a_house_with_a_password_holds_back_who_types(castle_door):
    with castle_door(room_password="xyzzy") as door:
        red, blue = person(door), person(door)
        assert "wants a password" in red.type("open start=full")[0]
        assert red.type("open start=full password plugh")[0] == "That is not the password."
        assert len(door.hall) == 0
        red.type("open start=full password xyzzy")
        (live,) = door.host.service.live
        code = live.table.code
        assert "wants a password" in blue.type(f"join {code}")[0]
        assert any("KEEP" in line for line in blue.type(f"join {code} xyzzy"))


def test_it_holds_them_back_from_a_table_without_a_password_too(castle_door):
    with castle_door(room_password="xyzzy") as door:
        code = room(door)
        door.join("blue", ROOM=code)
        red = person(door)
        for line in ("join", f"join {code}", f"sit {code}"):
            assert "wants a password" in red.type(line)[0]
        red.type(f"watch {code}")
        for line in ("sit", "sit 1", "join"):
            assert "wants a password" in red.type(line)[0]
        assert red.type(f"join {code} plugh")[0] == "That is not the password."
        assert "RETURN" in "".join(red.type(f"join {code} xyzzy"))


def test_playing_alone_needs_none(castle_door):
    with castle_door(room_password="xyzzy") as door:
        assert any("KEEP" in line for line in door.connect().type("play easy"))
