"""The terminal that the clients of all games share."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from protocols.clients import terminal
from protocols.clients.terminal import (
    Ended,
    PlainTerminal,
    PromptTerminal,
    first_of,
    until_one_ends,
)

# The plain terminal


def typed(data, questions):
    """Answer questions from a pipe that holds ``data`` and is closed."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)

    async def ask_all():
        plain, answers = PlainTerminal(reading), []
        for question in questions:
            try:
                answers.append(await plain.ask(question))
            except Ended:
                answers.append(Ended)
        return answers

    try:
        return asyncio.run(asyncio.wait_for(ask_all(), 20))
    finally:
        os.close(reading)


def test_lines_of_a_pipe_answer_questions_in_turn_and_then_there_are_no_more(capsys):
    answers = typed(b"one\r\n  t\x1bw  o \n\nlast", ["a:", "b:", " ", "d:", "e:", "f:"])
    assert answers == ["one", "tw o", "", "last", Ended, Ended]
    assert capsys.readouterr().out.splitlines() == ["a:", "b:", "d:", "e:", "f:"]


def test_of_a_line_without_end_only_the_beginning_is_kept(capsys):
    answers = typed(b"x" * 50_000 + b"\nnext\n", ["a", "b"])
    assert len(answers[0]) <= 2 * terminal.LONGEST
    assert answers[1] == "next"


def test_what_is_said_cannot_write_on_the_terminal(capsys):
    PlainTerminal().say("a\x1b[2J\u202eb\nc")
    assert capsys.readouterr().out == "a[2Jb\nc\n"


def test_a_question_that_was_given_up_leaves_its_line_to_the_next():
    reading, writing = os.pipe()

    async def ask_twice():
        plain = PlainTerminal(reading)
        news = asyncio.Event()
        news.set()
        assert await first_of(plain.ask("one:"), news) is None
        os.write(writing, b"only\n")
        return await plain.ask("two:")

    try:
        assert asyncio.run(asyncio.wait_for(ask_twice(), 20)) == "only"
    finally:
        os.close(writing)
        os.close(reading)


# The prompt


def at_prompt(keys, words=()):
    """Ask at a prompt where ``keys`` are typed."""
    toolkit = pytest.importorskip("prompt_toolkit", reason="needs the extra `play`")
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    assert toolkit
    with create_pipe_input() as pipe:
        pipe.send_text(keys)

        async def ask():
            prompt = PromptTerminal(lambda: words, input=pipe, output=DummyOutput())
            return await prompt.ask("Your card:")

        return asyncio.run(asyncio.wait_for(ask(), 20))


def test_a_line_is_typed_and_edited_at_the_prompt():
    assert at_prompt("qx\x7f\r") == "q"


def test_what_is_pasted_is_one_line_and_waits_for_enter():
    assert at_prompt("\x1b[200~one\ntwo\x1b[201~!\r") == "one two!"


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_ctrl_c_and_ctrl_d_end_it(key):
    with pytest.raises(Ended):
        at_prompt(key)


def test_words_are_completed_whatever_their_case():
    pytest.importorskip("prompt_toolkit", reason="needs the extra `play`")
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document
    from prompt_toolkit.input import DummyInput
    from prompt_toolkit.output import DummyOutput

    words = ["START", "JOIN"]
    prompt = PromptTerminal(lambda: words, input=DummyInput(), output=DummyOutput())
    found = prompt._session.completer.get_completions(Document("st"), CompleteEvent())
    assert [(each.text, each.start_position) for each in found] == [("START", -2)]
    words[:] = ["10", "Q"]
    found = prompt._session.completer.get_completions(Document(""), CompleteEvent())
    assert [each.text for each in found] == ["10", "Q"]


# Choosing one, and doing two things at once


@pytest.mark.parametrize(
    ("isatty", "term", "toolkit", "fancy"),
    [
        (True, "xterm", True, True),
        (False, "xterm", True, False),
        (True, "dumb", True, False),
        (True, "xterm", False, False),
    ],
)
def test_a_prompt_is_only_for_terminals_that_can_have_one(
    monkeypatch, isatty, term, toolkit, fancy
):
    pytest.importorskip("prompt_toolkit", reason="needs the extra `play`")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: isatty, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: isatty, raising=False)
    monkeypatch.setenv("TERM", term)
    if not toolkit:
        monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    assert terminal._can_prompt() is fancy


def test_a_client_runs_on_the_terminal_that_is_there(monkeypatch):
    monkeypatch.setattr(terminal, "_can_prompt", lambda: False)

    async def client(found):
        return found.fancy

    assert terminal.talk(client) is False


def test_when_one_thing_ends_the_others_are_stopped():
    stopped = []

    async def for_ever(name):
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append(name)

    async def fail():
        raise Ended

    async def both(*parts):
        await asyncio.wait_for(until_one_ends(for_ever("one"), for_ever("other"), *parts), 20)

    asyncio.run(both(asyncio.sleep(0)))
    assert stopped == ["one", "other"]
    with pytest.raises(Ended):
        asyncio.run(both(fail()))
