"""What can go wrong with a journal; known without Twisted, since the writer's process knows it too."""

from __future__ import annotations


class JournalRefused(Exception):
    """The journal cannot be opened; says why in one sentence."""


class JournalLost(Exception):
    """The journal is no longer ours, or holds what we never wrote, or nobody can write it any more."""


class JournalFailed(Exception):
    """A question could not be answered; says why in the words of the engine. It may be asked again."""


class OutOfPlace(Exception):
    """The journal is not where it was; ``advice`` tells whoever runs the house what can be done."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(what)
        self.advice = advice


class JournalUndone(Exception):
    """The journal was closed while it could not be written; ``commands`` were never committed."""

    def __init__(self, commands: int) -> None:
        super().__init__(f"{commands} commands are not in the journal and nobody was told of them")
        self.commands = commands
