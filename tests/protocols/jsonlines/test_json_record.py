"""``record``: a program gets the games that are over as anyone can verify them."""

from __future__ import annotations

import json

from twisted.internet.defer import succeed

from gamecore.fairness import canonical
from gamecore.rules import Registry, installed_rules
from gamecore.verification import verify
from protocols.jsonlines.messages import Encoded, write_done


def record(hall, program, **fields):
    """Ask for a record, which takes some turns of the reactor; gives the reply."""
    id = program.send("record", **fields)
    for _ in range(20):
        hall.settle()
    (reply,) = [each for each in program.heard() if each.get("reply") == id]
    return reply


def over(hall, **house):
    """Let two programs play Nim to its end and stay; gives them and the code."""
    ann, ben = hall.connect("ann"), hall.connect("ben")
    code = ann.ask("open", game="nim", options={"stones": 3}, house=house)["table"]
    password = house.get("password", "")
    for each in (ann, ben):
        each.ask("join", table=code, password=password)
        hall.settle()
    assert ann.ask("play", move={"is": "Take", "stones": 3})["ok"]
    return ann, ben, code


def test_a_game_that_is_over_can_be_had_and_verified(house):
    ann, _, code = over(house)
    promise = ann.of("view")[0]["view"]["commitment"]
    reply = record(house, ann)
    assert reply["ok"] and reply["table"] == code
    data = b"".join(canonical(each) + b"\n" for each in reply["record"])
    findings = verify(data, Registry(installed_rules()), [promise], reply["last"])
    assert all(each.holds for each in findings), findings


def test_a_stranger_has_it_by_the_code_of_a_public_table_alone(house):
    _, _, code = over(house)
    assert record(house, house.connect(), table=code)["ok"]
    assert record(house, house.connect())["error"] == "no-such-record"


def test_a_private_one_is_had_by_a_token(house):
    ann, _, code = over(house, private=True)
    (given,) = ann.of("token")
    stranger = house.connect()
    assert record(house, stranger, table=code)["error"] == "no-such-record"
    assert record(house, stranger, table="ZZZZZ")["error"] == "no-such-record"
    assert record(house, stranger, token=f"{code}.{'0' * 32}")["error"] == "no-such-record"
    assert record(house, stranger, token=given["token"])["ok"]


def test_no_record_and_no_list_has_what_a_password_was_sealed_to(house):
    ann, *_ = over(house, password="xyzzy")
    assert record(house, ann)["ok"]
    stranger = house.connect()
    stranger.ask("tables"), stranger.ask("who"), ann.ask("look")
    assert all(b"scrypt" not in each.value() for each in (ann, stranger))


def test_nothing_is_had_of_a_game_that_is_played(house):
    ann, _ = house.table()
    assert record(house, ann)["error"] == "no-such-record"


def test_requests_behind_it_are_answered_behind_it(house):
    ann, _, _ = over(house)
    ann.news()
    first, second = ann.send("record"), ann.send("hello")
    for _ in range(20):
        house.settle()
    assert [each["reply"] for each in ann.heard() if "reply" in each] == [first, second]


def test_a_program_that_goes_meanwhile_leaves_nothing_behind(house):
    ann, _, _ = over(house)
    ann.send("record")
    ann.hang_up()
    for _ in range(20):
        house.settle()


def test_the_record_of_a_game_ends_where_that_game_was_over(house):
    ann, ben, code = over(house)
    promises = [ann.of("view")[0]["view"]["commitment"]]
    whole = record(house, ann)
    for each in (ann, ben):
        each.ask("rematch")
        house.settle()
    for each in (ann, ben):
        each.ask("play", move={"is": "Take", "stones": 3})
        house.settle()
    stranger = house.connect()
    first, second = (record(house, stranger, table=code, game=number) for number in (1, 2))
    assert len(first["record"]) < len(second["record"])
    data = b"".join(canonical(each) + b"\n" for each in first["record"])
    findings = verify(data, Registry(installed_rules()), promises, first["last"])
    assert all(each.holds for each in findings), findings
    assert first["record"] == whole["record"][: len(first["record"])]
    assert record(house, stranger, table=code, game=3)["error"] == "no-such-record"
    assert record(house, stranger, table=code, game=0)["error"] == "no-such-record"


def test_a_record_is_written_where_it_takes_nobody_s_time(house):
    made = []

    def elsewhere(work, *what):
        made.append(work(*what))
        return succeed(made[-1])

    house.host._records._in_thread = elsewhere
    ann, _, _ = over(house)
    reply = record(house, ann)
    (written,) = [each["record"] for each in made if isinstance(each, dict)]
    assert isinstance(written, Encoded)
    assert json.loads(written.data) == reply["record"]
    assert reply["last"] and reply["ok"]
    made.clear()
    assert record(house, ann)["record"] == reply["record"]
    assert made[-1]["record"] is written, "and but once for all who ask for it"


def test_what_was_written_elsewhere_moves_no_terminal_either():
    lines = [b'{"a":"\xe2\x80\xae\x7f"}', b'{"b":[1,null]}']
    written = write_done("id", {"n": 1, "record": Encoded.of_lines(lines)})
    assert written == write_done("id", {"n": 1, "record": [json.loads(each) for each in lines]})
    assert written.isascii() and b"\x7f" not in written
