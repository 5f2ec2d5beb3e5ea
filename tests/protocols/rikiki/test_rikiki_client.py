"""The client of Rikiki against a server that says what the test wants, and people at its terminal."""

from __future__ import annotations

import asyncio

import pytest

from gamecore.errors import Refused
from protocols.clients.incoming import GameClosed
from protocols.rikiki.client import Client, RikikiPlayer
from protocols.rikiki.wire import Told
from tests.scripted_server import serving
from tests.typist import Typist

GREETING = ["WELCOME rikiki 1", "# welcome"]
NAMED = [*GREETING, None, "OK MODE BOT", None, "OK NAME Ann"]


def said_by(script):
    """Make steps of a script of lines; None hears one."""
    return [f"{each}\r\n".encode() if isinstance(each, str) else each for each in script]


def run(script, act, name="Ann", **given):
    """Let a client act on what a server says; gives what it gave, and what the server heard."""

    async def meet():
        async with (
            serving(said_by(script)) as (port, heard),
            Client(name, "127.0.0.1", port, **given) as client,
        ):
            return await act(client), heard

    return asyncio.run(asyncio.wait_for(meet(), 20))


def test_a_command_gives_its_answer_and_keeps_what_happens_meanwhile():
    async def act(client):
        answer = await client.do("JOIN", "ABCDE")
        return answer, client.token, await client.hear(), await client.hear()

    script = [*NAMED, None, "JOINED ABCDE Ben 1 @3", "# hm", "OK JOIN ABCDE 2 tok", "HAND AH @4"]
    result, heard = run(script, act)
    assert result == (
        ["JOIN", "ABCDE", "2", "tok"],
        "tok",
        Told("JOINED", "ABCDE Ben 1", 3),
        Told("HAND", "AH", 4),
    )
    assert heard == ["MODE BOT", "NAME Ann", "JOIN ABCDE"]


def test_what_is_refused_is_raised_with_its_key():
    async def act(client):
        with pytest.raises(Refused) as refused:
            await client.do("BID", 9)
        return refused.value

    refusal, _ = run([*NAMED, None, "ERR bid-range A bid is 0 to 2."], act)
    assert (refusal.key, refusal.facts) == ("bid-range", {"text": "A bid is 0 to 2."})


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (["HELLO"], "does not speak Rikiki"),
        ([b"\xff\xfe\n"], "does not speak Rikiki"),
        ([b"x" * 200_000], "does not speak Rikiki"),
        ([], "closed the connection"),
        (["WELCOME rikiki 1", None], "closed the connection"),
    ],
)
def test_a_server_that_is_none_is_said_to_be_none(script, said):
    async def meet():
        async with (
            serving(said_by(script), stays=False) as (port, _),
            Client("Ann", "127.0.0.1", port),
        ):
            pass

    with pytest.raises(GameClosed, match=said):
        asyncio.run(asyncio.wait_for(meet(), 20))


def sit(script, *typed, once=False):
    """Let a person sit at the terminal; gives the exit status, what they read, and what was heard of them."""
    typist = Typist(*typed)

    async def act(client):
        player = RikikiPlayer(client, once)
        return await player.play(typist), player.words

    (status, words), heard = run([*GREETING, *script], act, for_people=True)
    return status, typist.told, heard, words


def test_a_person_is_told_in_words_and_may_type_a_bare_number_or_card():
    script = ["# Your bid (BID n): 0 1.", "TURN Ann BID 0 1", None, "OK BID 1", "TURN Ben PLAY"]
    script += [None, "ERR not-your-turn It is not your turn.", None, "OK QUIT"]
    status, told, heard, _ = sit(script, "1", "ah", "quit")
    assert heard == ["BID 1", "PLAY ah", "quit"]
    assert told == [
        "welcome",
        "Your bid (BID n): 0 1.",
        "Ben is to play.",
        "It is not your turn.",
    ]
    assert status == 0


def test_what_may_be_played_can_be_completed():
    script = ["TURN Ann PLAY AH 7S", "PLAYED Ann AH", "BYE closing This server is closing."]
    status, told, _, words = sit(script, None)
    assert words == ["PLAY", "AH", "7S"]
    assert told[-2:] == ["PLAYED Ann AH", "This server is closing."]
    assert status == 1


def test_a_person_is_told_how_to_come_back():
    script = ["OK JOIN ABCDE 2 ABCDE.tok", "BIDS 1/2", "GAMEOVER Ben"]
    status, told, _, _ = sit(script, None, once=True)
    assert told[1].startswith("You sit in seat 2 at table ABCDE. To come back: parlour play rikiki")
    assert told[1].endswith("--token ABCDE.tok")
    assert told[2:] == ["GAMEOVER Ben"]
    assert status == 0


def test_who_opens_a_table_is_told_how_to_come_back_and_may_begin_it_wherever_that_is():
    script = [
        "OK NEW ABCDE ABCDE.own",
        None,
        "OK JOIN ABCDE 1 ABCDE.tok",
        None,
        "OK START",
        None,
        "OK QUIT",
    ]
    _, told, heard, _ = sit(script, "join abcde", "start", "quit")
    assert told[1].startswith("Table ABCDE is open: JOIN ABCDE")
    assert told[1].endswith("--token ABCDE.own")
    assert told[2].endswith("--token ABCDE.tok")
    assert heard[-3:] == ["join abcde", "START ABCDE.own", "quit"]


def test_a_table_that_cannot_be_joined_ends_it():
    status, told, _, _ = sit(["ERR no-such-table There is no such table."], None, once=True)
    assert (status, told[-1]) == (1, "There is no such table.")


def test_whoever_types_no_more_is_gone():
    assert sit([])[0] == 0


def test_no_control_code_of_the_server_reaches_the_terminal():
    _, told, _, _ = sit(["SAID Ben \x1b[2Jhi", "BYE x y"], None)
    assert told[1] == "SAID Ben [2Jhi"
