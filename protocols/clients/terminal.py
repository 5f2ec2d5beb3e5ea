"""What every client for people shares: asking for lines at a prompt while news comes in above it.

Where standard input and output are both terminals, and prompt_toolkit is installed, the prompt has a history and
completes words, what is pasted is not sent before Enter, and what is told appears above the line being typed.
Anywhere else (a pipe, a file, a terminal that can do nothing) lines are read and written, and that is all: the
prompt is a line of its own, so a program at the other end knows that it is asked::

    async def play(terminal: Terminal) -> None:
        terminal.say("Welcome.")
        card = await terminal.ask("Your card: ")

    talk(play, words=lambda: ["A", "10", "K"])

All of it runs in asyncio: an ``ask`` that is cancelled gives the terminal back as it was.  Whoever types Ctrl-C or
Ctrl-D, or whose input ends, makes ``ask`` raise :class:`Ended`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol, TypeVar

from protocols.clients.screen import fitted
from protocols.i18n.sanitize import clean, printable_in

LONGEST = 4096  # bytes of a line that are kept
T = TypeVar("T")

Words = Callable[[], Iterable[str]]


class Ended(EOFError):
    """Nobody will type any more."""


class Terminal(Protocol):
    """Where a person, or a program in a person's place, is told and asked."""

    @property
    def fancy(self) -> bool:
        """Whether there is a prompt that news can appear above."""

    def say(self, text: str) -> None:
        """Tell something, at once; line ends in it make several lines."""

    async def ask(self, prompt: str) -> str:
        """Take the next line that is typed, its blanks made single; raises Ended."""


def no_words() -> Iterable[str]:
    """Complete nothing."""
    return ()


# -- lines in, lines out --------------------------------------------------------------


class PlainTerminal:
    """Reads lines and writes lines, and does nothing with a cursor."""

    fancy = False

    def __init__(self, source: int | None = None) -> None:
        """Read from a file descriptor, standard input's if none is given."""
        self._source = source
        self._lines: _LineThread | None = None

    def say(self, text: str) -> None:
        """Print, each line out at once."""
        _print(text)

    async def ask(self, prompt: str) -> str:
        """Print the prompt as a line and take the next line, which may have been typed before; raises Ended."""
        if prompt.strip():
            self.say(prompt.rstrip())
        if self._lines is None:
            self._lines = _LineThread(sys.stdin.fileno() if self._source is None else self._source)
        line = await self._lines.next()
        if line is None:
            raise Ended
        return clean(line.decode("utf-8", "replace"))


class _LineThread:
    """Reads a line whenever one is wanted, in a thread that dies with the program.

    Bare reads of the descriptor: a buffered reader would hold a lock that the interpreter wants when it ends.
    """

    def __init__(self, source: int) -> None:
        self._source = source
        self._wanted = threading.Semaphore(0)
        self._loop = asyncio.get_running_loop()
        self._read: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._asked = 0
        threading.Thread(target=self._run, daemon=True).start()

    async def next(self) -> bytes | None:
        """Give the next line, or None at the end; a line nobody waited for in the end is given to the next."""
        if not self._asked:
            self._asked += 1
            self._wanted.release()
        line = await self._read.get()
        self._asked -= 1
        return line

    def _run(self) -> None:
        lines = _lines_of(self._source)
        while True:
            self._wanted.acquire()
            line = next(lines, None)
            try:
                self._loop.call_soon_threadsafe(self._read.put_nowait, line)
            except RuntimeError:  # the loop has ended meanwhile
                return


def _lines_of(source: int) -> Iterator[bytes]:
    """Cut what a descriptor gives into lines of which no more than the beginning is kept."""
    kept = b""
    while chunk := _read_some(source):
        *lines, rest = (kept + chunk).split(b"\n")
        for line in lines:
            yield line[:LONGEST]
        kept = rest[:LONGEST]
    if kept:
        yield kept


def _read_some(source: int) -> bytes:
    try:
        return os.read(source, 4096)
    except OSError:  # a terminal that is gone
        return b""


def _print(text: str) -> None:
    for line in fitted(text).splitlines() or [""]:
        print(printable_in(line, sys.stdout.encoding), flush=True)


# -- a prompt -------------------------------------------------------------------------


class PromptTerminal:
    """Asks at a prompt of prompt_toolkit."""

    fancy = True

    def __init__(self, words: Words = no_words, **given: Any) -> None:
        """Complete the words that are legal when asked for; ``given`` goes to the prompt (its input, output)."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.document import Document

        class Legal(Completer):
            def get_completions(self, document: Document, event: object) -> Iterator[Completion]:
                begun = document.get_word_before_cursor(WORD=True)
                for word in words():
                    if word.lower().startswith(begun.lower()):
                        yield Completion(word, -len(begun))

        self._session: PromptSession[str] = PromptSession(
            completer=Legal(),
            complete_while_typing=False,
            interrupt_exception=Ended,
            eof_exception=Ended,
            **given,
        )

    def say(self, text: str) -> None:
        """Print above the prompt, if there is one at this moment."""
        _print(text)

    async def ask(self, prompt: str) -> str:
        """Ask for one line; line ends that were pasted into it are blanks; raises Ended."""
        return clean(await self._session.prompt_async(clean(prompt) + " ", handle_sigint=False))


@contextmanager
def prompting(words: Words) -> Iterator[PromptTerminal]:
    """Have a prompt for as long as a ``with`` lasts, with everything printed going above it."""
    from prompt_toolkit.patch_stdout import patch_stdout

    with patch_stdout():
        yield PromptTerminal(words)


def _can_prompt() -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    try:
        import prompt_toolkit  # noqa: F401
    except ImportError:
        return False
    return True


# -- to be used -----------------------------------------------------------------------


def talk(play: Callable[[Terminal], Coroutine[Any, Any, T]], words: Words = no_words) -> T:
    """Run a client from its beginning to its end on the terminal that is there; gives and raises what it does."""
    terminal: AbstractContextManager[Terminal]
    terminal = prompting(words) if _can_prompt() else nullcontext(PlainTerminal())
    with terminal as found:
        return asyncio.run(play(found))


async def until_one_ends(*parts: Coroutine[Any, Any, None]) -> None:
    """Do several things at once; when the first has ended, stop the others and raise what it raised."""
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _stop(tasks)
    for task in done:
        task.result()


async def _stop(tasks: Iterable[asyncio.Future[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def first_of(asked: Awaitable[T], news: asyncio.Event) -> T | None:
    """Wait for an answer until there is news that makes it pointless; None if that came first."""
    answer = asyncio.ensure_future(asked)
    told = asyncio.ensure_future(news.wait())
    try:
        await asyncio.wait((answer, told), return_when=asyncio.FIRST_COMPLETED)
        return answer.result() if answer.done() else None
    finally:
        answer.cancel()
        told.cancel()
        await asyncio.gather(answer, told, return_exceptions=True)
