"""The blocking client plays recorded games, however their bytes arrive."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from protocols.nim.client import Client, GameClosed, Refused
from tests.patience import SECONDS
from tests.recorded import files, read

ROOT = Path(__file__).parents[3]
VECTORS = files("nim")
HEAR = None
START = b'{"init_stones": 20, "init_resets": 1, "game_time": 60, "init_max": 3}'
STATE = b'{"finished": false, "current_max": 4, "stones_left": 17, "stones_removed": 3, \
"reset_used": false, "player_0": {"resets_left": 1, "time_taken": 0.5, "name": "north"}, \
"player_1": {"resets_left": 1, "time_taken": 0, "name": "south"}}'
END = STATE.replace(b"false", b'true, "winner": "south", "reason": "Player north gave up"', 1)

Serve = Callable[..., Any]
Playing = Callable[..., AbstractContextManager[tuple[Any, Client]]]


@pytest.fixture
def playing(serve: Serve) -> Playing:
    """Begin a game against a stub of a server."""

    @contextmanager
    def play(
        script: Sequence[bytes | None], *, first: bool, name: str = "x"
    ) -> Iterator[tuple[Any, Client]]:
        with serve(script) as stub, Client(name, first, stub.address, timeout=SECONDS) as client:
            yield stub, client

    return play


def one_by_one(messages: list[bytes]) -> Iterator[bytes]:
    yield from messages


def as_lines(messages: list[bytes]) -> Iterator[bytes]:
    yield from (message + b"\r\n" for message in messages)


def together(messages: list[bytes]) -> Iterator[bytes]:
    yield b"".join(messages)


def byte_by_byte(messages: list[bytes]) -> Iterator[bytes]:
    yield from (bytes([byte]) for message in messages for byte in message)


def padded(messages: list[bytes]) -> Iterator[bytes]:
    yield from (message.ljust(1023) + b"\n" for message in messages)


def recorded(path: Path, who: str) -> list[tuple[bool, dict[str, Any]]]:
    """Read what one client said (True) and heard (False)."""
    return [
        (line["from"] == who, json.loads(line["data"]))
        for line in read(path)[1]
        if who in (line["from"], line["to"])
    ]


@pytest.mark.parametrize("send", [one_by_one, as_lines, together, byte_by_byte, padded])
@pytest.mark.parametrize("who", ["client0", "client1"])
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_a_recorded_game_is_played_from_either_side(
    serve: Serve, path: Path, who: str, send: Callable[[list[bytes]], Iterator[bytes]]
) -> None:
    talk = recorded(path, who)
    script: list[bytes | None] = []
    for said, group in groupby(talk, key=lambda line: line[0]):
        messages = [json.dumps(message).encode() for _, message in group]
        script += [HEAR] * len(messages) if said else send(messages)
    (_, hello), (_, start), *rest = talk
    with (
        serve(script) as stub,
        Client(hello["name"], hello["order"] == 0, stub.address, timeout=SECONDS) as client,
    ):
        settings = {key: getattr(client, key) for key in start}
        seen = []
        for before, (said, message) in zip(talk[1:], rest, strict=False):
            if said:
                seen.append(client.make_move(message["num_stones"], message["reset"]))
            elif not before[0]:
                seen.append(client.receive_move())
    assert settings == start
    assert [json.loads(line) for line in stub.heard] == [message for said, message in talk if said]
    expected = [message for said, message in rest if not said]
    assert seen == [{"reason": None, "winner": None} | state for state in expected]
    assert client.state["finished"]


def test_every_message_is_an_object_and_a_line_end(playing: Playing) -> None:
    with playing([HEAR, START, HEAR, STATE], first=True, name="Zoë") as (stub, client):
        client.make_move(3, True)
    assert stub.heard == [
        b'{"name": "Zo\\u00eb", "order": 0}\n',
        b'{"order": 0, "num_stones": 3, "reset": true}\n',
    ]
    assert client.name == "Zoë"


def test_players_may_ask_for_the_same_table(serve: Serve) -> None:
    with serve([HEAR, START]) as stub:
        Client("x", False, stub.address, table="oak", timeout=SECONDS).close()
    assert stub.heard == [b'{"name": "x", "order": 1, "table": "oak"}\n']


def test_an_older_server_names_two_settings_only(playing: Playing) -> None:
    with playing([HEAR, b'{"init_stones": 9, "init_resets": 2}'], first=True) as (_, client):
        pass
    assert (client.init_stones, client.init_resets) == (9, 2)
    assert (client.init_max, client.game_time) == (3, 120)


@pytest.mark.parametrize(
    ("word", "flag"),
    [
        ("0", b"false"),
        ("false", b"false"),
        ("No", b"false"),
        (0, b"false"),
        ("1", b"true"),
        ("ON", b"true"),
        ("-2", b"true"),
        (7, b"true"),
    ],
)
def test_a_reset_may_be_a_word(playing: Playing, word: int | str, flag: bytes) -> None:
    with playing([HEAR, START, HEAR, STATE], first=True) as (stub, client):
        client.make_move(1, word)
    assert flag in stub.heard[1]


def test_what_is_no_move_is_an_error_and_not_sent(playing: Playing) -> None:
    with playing([HEAR, START, HEAR], first=True) as (stub, client):
        with pytest.raises(ValueError, match="a reset is 0 or 1, not 'perhaps'"):
            client.make_move(1, "perhaps")
        with pytest.raises(TypeError):
            client.make_move(1.5)  # type: ignore[arg-type]
    assert stub.heard[1:] == [b""]


@pytest.mark.parametrize(
    "script",
    [
        [b'{"finished": true, "reason": "full\\u001b[2J house"}'],
        [HEAR, b'{"finished": true, "reason": "full\\u202e[2J house"}\n'],
        [HEAR, b'{"finished": true, "reason": "full\\ud800[2J\\r\\n\\thouse"}\n'],
        [HEAR, b'{"finished": true, "reason": "%s"}\n' % (b"x" * 1000)],
        [HEAR, START.replace(b"20", b"0").replace(b"1,", b"0,"), END.replace(b"gave", b"\\u0007")],
    ],
)
def test_a_refusal_tells_its_reason(serve: Serve, script: list[bytes | None]) -> None:
    with serve(script) as stub, pytest.raises(Refused) as refused:
        Client("x", True, stub.address, timeout=SECONDS)
    assert str(refused.value) in ("full[2J house", "Player north up", "x" * 200)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ([], "closed the connection"),
        ([START[:30]], "closed the connection"),
        ([b"HTTP/1.0 400 Bad Request\r\n"], "does not speak Nim: an object begins with {"),
        ([b'{"a": "' + b"x" * 70000], "does not speak Nim: an object is longer than 65536"),
        ([b"{init_stones: 3}"], "no JSON"),
        ([b'{"a": ' + b'{"a":' * 9000 + b"1" + b"}" * 9001], "no JSON|did not begin"),
        ([b"{}"], "did not begin a game"),
        ([b'{"init_stones": "9", "init_resets": 2}'], "did not begin a game"),
        ([b'{"init_stones": 9}'], "did not begin a game"),
    ],
)
def test_a_server_that_begins_no_game_is_left(
    serve: Serve, script: list[bytes], words: str
) -> None:
    with serve([HEAR, *script]) as stub, pytest.raises(GameClosed, match=words):
        Client("x", True, stub.address, timeout=SECONDS)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"", "closed the connection"),
        (STATE[:50], "closed the connection"),
        (START, "no state"),
        (STATE.replace(b"17", b'"17"'), "no state"),
        (STATE.replace(b"17", b"1" * 400), "no state"),
        (STATE.replace(b"17", b"NaN"), "no state"),
        (b'{"finished": false, "player_0": 3}', "no state"),
    ],
)
def test_a_server_that_loses_the_thread_is_left(playing: Playing, said: bytes, words: str) -> None:
    with (
        playing([HEAR, START, HEAR, said], first=True) as (_, client),
        pytest.raises(GameClosed, match=words),
    ):
        client.make_move(1)


def test_what_came_before_the_connection_went_bad_is_still_read(playing: Playing) -> None:
    with playing([HEAR, START + STATE + b"!"], first=False) as (_, client):
        assert client.receive_move()["stones_left"] == 17
        with pytest.raises(GameClosed, match="does not speak Nim"):
            client.make_move(1)


def test_the_last_word_is_read_by_a_player_who_still_moves(playing: Playing) -> None:
    with playing([HEAR, START, STATE, END], first=False) as (_, client):
        client.receive_move()
        assert client.make_move(2)["reason"] == "Player north gave up"


def test_a_bare_last_word_leaves_the_rest_as_it_stood(playing: Playing) -> None:
    with playing(
        [HEAR, START, STATE, b'{"finished": true, "reason": "closing time"}'], first=False
    ) as (_, client):
        before = client.receive_move()
        after = client.make_move(2)
    changed = {"finished": True, "reason": "closing time", "stones_removed": 0}
    assert after == before | changed


def test_a_game_that_is_over_cannot_go_on(playing: Playing) -> None:
    with playing([HEAR, START, END], first=False) as (_, client):
        client.receive_move()
        for go_on in (client.receive_move, lambda: client.make_move(1)):
            with pytest.raises(GameClosed, match="the game is over: Player north gave up"):
                go_on()


def test_a_silent_server_can_be_waited_for_in_vain() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(TimeoutError):
        Client("x", True, listener.getsockname(), timeout=0.05)


def test_the_wrappers_read_and_print(
    playing: Playing, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("three\n3 0\n"))
    with playing([HEAR, START, HEAR, STATE, END], first=True, name="north") as (_, client):
        assert client.send_move()["finished"] is False
        assert client.get_move()["finished"] is True
    printed = capsys.readouterr()
    first, last = printed.out.splitlines()
    assert first.startswith("state your_turn=0 stones_left=17 current_max=4 ")
    assert last.endswith(" finished=1 result=lost reason=Player north gave up")
    assert printed.err == "exp-nim: no move: 'three'\n"


def test_nothing_but_the_standard_library_is_needed() -> None:
    code = (
        "import sys, protocols.nim.client;"
        "print({name.split('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert run.stderr == ""
    assert eval(run.stdout, {}) - {"__main__"} == {"protocols"}


KEPT = START[:-1] + b', "token": "K7QX2.secret", "order": 1, "your_turn": true, "resumed": true}'


def test_one_who_may_come_back_asks_for_it_and_is_given_a_token(serve: Serve) -> None:
    start = START[:-1] + b', "token": "K7QX2.secret", "order": 0, "your_turn": true}'
    with serve([HEAR, start]) as stub, Client("n", True, stub.address, resume=True) as client:
        assert (client.token, client.my_turn, client.order) == ("K7QX2.secret", True, 0)
    assert json.loads(stub.heard[0]) == {"name": "n", "order": 0, "resume": True}


def test_one_who_comes_back_goes_on_where_the_game_stands(serve: Serve) -> None:
    with (
        serve([HEAR, KEPT, STATE, HEAR, STATE]) as stub,
        Client("", True, stub.address, token="K7QX2.secret") as client,
    ):
        assert (client.order, client.my_turn) == (1, True)
        assert client.state | json.loads(STATE) == client.state
        client.make_move(1)
        assert not client.my_turn
    assert json.loads(stub.heard[0]) == {"token": "K7QX2.secret"}
    assert json.loads(stub.heard[1])["order"] == 1


def test_a_daemon_that_closes_says_so_and_the_token_is_kept(serve: Serve) -> None:
    closing = b'{"closing": true, "reason": "The server is closing"}\n'
    with (
        serve([HEAR, KEPT, STATE, closing]) as stub,
        Client("", True, stub.address, token="K7QX2.secret") as client,
    ):
        with pytest.raises(GameClosed, match="The server is closing"):
            client.receive_move()
        assert client.token == "K7QX2.secret"
