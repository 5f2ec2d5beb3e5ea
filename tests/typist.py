"""Somebody at a terminal, for tests of the clients that play there."""

from __future__ import annotations

import asyncio
from collections import deque

from protocols.clients.terminal import Ended


class Typist:
    """A terminal with somebody at it whose lines are known before; None is somebody who thinks for ever."""

    fancy = False

    def __init__(self, *lines: str | None) -> None:
        self.lines = deque(lines)
        self.told: list[str] = []
        self.asked: list[str] = []
        self.thinking = asyncio.Event()

    def say(self, text: str) -> None:
        self.told.append(text)

    async def ask(self, prompt: str) -> str:
        self.asked.append(prompt)
        if not self.lines:
            raise Ended
        line = self.lines.popleft()
        if line is None:
            self.thinking.set()
            await asyncio.Event().wait()
            raise AssertionError("nothing ends that")
        return line
