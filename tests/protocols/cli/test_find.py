"""`parlour find`, as people and programs see it. Loopback only."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from protocols.cli.find import add_parser, described, nothing_found, table_of
from protocols.discovery.wire import FoundRoom, Identity, OpenRoom, parse_query, render_reply

ATTIC = Identity("9c1e", "attic")
FRIDAY = OpenRoom("nim", "Friday", 1, 2, True, 9000, "K7QX")

Daemon = Callable[..., AbstractContextManager[int]]


def find(*arguments: str) -> int:
    """Run `parlour find` with these arguments; give its exit status."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    args = parser.parse_args(["find", *arguments])
    status = args.run(args)
    assert isinstance(status, int)
    return status


@pytest.fixture
def daemon(talking: Callable[..., AbstractContextManager[int]]) -> Daemon:
    """Start a peer that tells of one room, with some words of its own."""

    def start(*extra: tuple[str, str]) -> AbstractContextManager[int]:
        def answers(datagram: bytes) -> list[bytes]:
            query = parse_query(datagram)
            assert query is not None
            words = json.loads(render_reply(FRIDAY, ATTIC, query)) | dict(extra)
            return [json.dumps(words).encode()]

        return talking(answers)

    return start


AT_HOME = ("--at", "127.0.0.1", "--seconds", "0.1")


def test_a_room_is_one_line(daemon: Daemon, capsys: pytest.CaptureFixture[str]) -> None:
    with daemon() as port:
        assert find("--port", str(port), *AT_HOME) == 0
    assert capsys.readouterr().out == (
        '127.0.0.1:9000  nim  "Friday"  table K7QX  1 of 2 players  (password)  on attic\n'
    )


def test_a_program_gets_one_object_a_line(
    daemon: Daemon, capsys: pytest.CaptureFixture[str]
) -> None:
    with daemon() as port:
        assert find("--json", "--game", "nim", "--port", str(port), *AT_HOME) == 0
    assert json.loads(capsys.readouterr().out) == {
        "address": "127.0.0.1",
        "port": 9000,
        "game": "nim",
        "name": "Friday",
        "players": 1,
        "seats": 2,
        "passworded": True,
        "table": "K7QX",
        "server_name": "attic",
        "server_id": "9c1e",
    }


def test_nothing_found_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert find("--port", "1", *AT_HOME) == 1
    assert capsys.readouterr().out.startswith(
        "No open game was found: nobody answered on UDP port 1 within 0.1 seconds."
    )
    assert "No open game of nim" in nothing_found("nim", 3980, 2)


def test_nothing_found_is_nothing_to_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert find("--json", "--port", "1", *AT_HOME) == 1
    assert capsys.readouterr().out == ""


def test_nothing_a_peer_says_steers_the_terminal(
    daemon: Daemon, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "\x1b]52;c;eA==\x07\r\n\t\x7f\x9b\u202e\u2066x"
    keys = ("GAME_NAME", "GAME", "TABLE", "SERVER_NAME", "SERVER_ID")
    for key in keys:
        for options in ((), ("--json",)):
            with daemon((key, evil)) as port:
                assert find(*options, "--port", str(port), *AT_HOME) == 0
            out = capsys.readouterr().out
            assert out.endswith("\n") and out.count("\n") == 1
            assert out[:-1].isprintable()


# Neither gets as far as a name server.
@pytest.mark.parametrize("address", ["x" * 70 + ".example", "a..b"])
def test_what_is_no_address_is_said_plainly(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert find("--at", address, "--seconds", "0.1") == 1
    assert capsys.readouterr().err.startswith("parlour find: cannot ask there: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--port", "0"),
        ("--port", "65536"),
        ("--port", "x"),
        ("--seconds", "0"),
        ("--seconds", "nan"),
        ("--seconds", "inf"),
        ("--seconds", "soon"),
        ("--game", ""),
        ("--game", "n\u00efm"),
        ("--game", "x" * 33),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(
    arguments: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        find(*arguments)
    assert stop.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def room(address: str, name: str, table: str | None = None) -> FoundRoom:
    return FoundRoom(address, 9000, "nim", name, 0, 2, False, table, "attic", "9c1e", "n")


def test_columns_stand_under_each_other_whatever_the_script() -> None:
    lines = table_of(
        [
            room("192.0.2.7", "tea", "K7QX"),
            room("fe80::7%eth0", "\u8336\u8336"),
            room("192.0.2.8", "the\u0301"),
        ]
    )
    assert lines == [
        '192.0.2.7:9000       nim  "tea"   table K7QX   0 of 2 players    on attic',
        '[fe80::7%eth0]:9000  nim  "\u8336\u8336"  a new table  0 of 2 players    on attic',
        '192.0.2.8:9000       nim  "the\u0301"   a new table  0 of 2 players    on attic',
    ]


def test_a_lobby_has_every_game_and_no_seats() -> None:
    lobby = FoundRoom("192.0.2.7", 4242, "lobby", "The lobby", 3, 0, False, None, "attic", "9", "n")
    assert table_of([lobby]) == ['192.0.2.7:4242  lobby  "The lobby"    every game    on attic']


def test_a_room_described_keeps_the_nonce_to_itself() -> None:
    assert "nonce" not in described(room("192.0.2.7", "tea"))
